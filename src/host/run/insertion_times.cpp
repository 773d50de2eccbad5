#include "host/run/insertion_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/checkpoint/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

template <class T>
std::vector<T> values_of(const std::vector<StateArray>& arrays, const std::string& name, ValueType type) {
  const StateArray* const found = find_array(arrays, name);
  if (found == nullptr) { throw StateError("the state does not hold " + name); }
  return rows_of<T>(*found, type);
}

}  // namespace

void InsertionTimes::note(const Engine& engine) {
  if (engine.id_count() <= known_ids_) { return; }
  first_id_.push_back(known_ids_);
  time_.push_back(engine.time());
  known_ids_ = engine.id_count();
}

double InsertionTimes::of(std::uint64_t id) const {
  if (id < at_start_) { return 0; }
  const auto next = std::upper_bound(first_id_.begin(), first_id_.end(), id);
  // Those that are not known lie below the first id that is.
  if (next == first_id_.begin() || id >= known_ids_) { return std::numeric_limits<double>::quiet_NaN(); }
  return time_[static_cast<std::size_t>(next - first_id_.begin()) - 1];
}

double InsertionTimes::age(std::uint64_t id, double time) const {
  const double came = of(id);
  return time - (std::isnan(came) ? resumed_ : came);
}

std::vector<StateArray> InsertionTimes::save() const {
  return {array_of("left/known_ids", "1", ValueType::uint64, 1, std::vector<std::uint64_t>{known_ids_}),
          array_of("left/first_id", "1", ValueType::uint64, 1, first_id_),
          array_of("left/inserted_at", "s", ValueType::float64, 1, time_)};
}

void InsertionTimes::restore(const std::vector<StateArray>& arrays, const Engine& engine) {
  resumed_ = engine.time();
  if (arrays.empty()) {
    lacks_some_ = engine.id_count() > known_ids_;
    known_ids_ = engine.id_count();
    return;
  }
  const auto known = values_of<std::uint64_t>(arrays, "left/known_ids", ValueType::uint64);
  first_id_ = values_of<std::uint64_t>(arrays, "left/first_id", ValueType::uint64);
  time_ = values_of<double>(arrays, "left/inserted_at", ValueType::float64);
  const bool fits = known.size() == 1 && first_id_.size() == time_.size() &&
                    std::is_sorted(first_id_.begin(), first_id_.end()) && known[0] <= engine.id_count() &&
                    (first_id_.empty() || first_id_.back() < known[0]) &&
                    std::all_of(time_.begin(), time_.end(), [](double t) { return std::isfinite(t); });
  if (!fits) { throw StateError("the arrays left/ tell of particles that cannot be"); }
  known_ids_ = known[0];
}

}  // namespace scree
