#include "host/output/insertions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {

void Insertions::note(const Engine& engine, std::uint64_t inlet) {
  if (engine.id_count() <= known_ids_) { return; }
  first_id_.push_back(known_ids_);
  time_.push_back(engine.time());
  inlet_.push_back(inlet);
  known_ids_ = engine.id_count();
}

std::size_t Insertions::entry_of(std::uint64_t id) const {
  const auto next = std::upper_bound(first_id_.begin(), first_id_.end(), id);
  // Ids that are not known lie below the first one that is.
  if (next == first_id_.begin() || id >= known_ids_) { return unknown; }
  return static_cast<std::size_t>(next - first_id_.begin()) - 1;
}

double Insertions::time_of(std::uint64_t id) const {
  if (id < at_start_) { return 0; }
  const std::size_t entry = entry_of(id);
  return entry == unknown ? std::numeric_limits<double>::quiet_NaN() : time_[entry];
}

std::uint64_t Insertions::inlet_of(std::uint64_t id) const {
  const std::size_t entry = entry_of(id);
  return entry == unknown ? no_inlet : inlet_[entry];
}

double Insertions::age(std::uint64_t id, double time) const {
  const double came = time_of(id);
  return time - (std::isnan(came) ? resumed_ : came);
}

std::vector<StateArray> Insertions::save() const {
  return {array_of("left/known_ids", "1", ValueType::uint64, 1, std::vector<std::uint64_t>{known_ids_}),
          array_of("left/first_id", "1", ValueType::uint64, 1, first_id_),
          array_of("left/inserted_at", "s", ValueType::float64, 1, time_),
          array_of("left/inlet", "1", ValueType::uint64, 1, inlet_)};
}

void Insertions::restore(const std::vector<StateArray>& arrays, const Engine& engine) {
  resumed_ = engine.time();
  if (arrays.empty()) {
    lacks_some_ = engine.id_count() > known_ids_;
    known_ids_ = engine.id_count();
    return;
  }
  const auto known = rows_called<std::uint64_t>(arrays, "left/known_ids", ValueType::uint64);
  first_id_ = rows_called<std::uint64_t>(arrays, "left/first_id", ValueType::uint64);
  time_ = rows_called<double>(arrays, "left/inserted_at", ValueType::float64);
  inlet_ = rows_called<std::uint64_t>(arrays, "left/inlet", ValueType::uint64);
  const bool fits = known.size() == 1 && first_id_.size() == time_.size() && first_id_.size() == inlet_.size() &&
                    std::is_sorted(first_id_.begin(), first_id_.end()) && known[0] <= engine.id_count() &&
                    (first_id_.empty() || first_id_.back() < known[0]) &&
                    std::all_of(time_.begin(), time_.end(), [](double t) { return std::isfinite(t); });
  if (!fits) { throw StateError("the arrays left/ tell of particles that cannot be"); }
  known_ids_ = known[0];
}

}  // namespace scree
