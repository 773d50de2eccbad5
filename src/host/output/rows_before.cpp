#include "host/output/rows_before.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

// No probe has such a name in a checkpoint: the % of a name is written as %25.
constexpr const char* rows_group = "probes/%row/";

}  // namespace

RowsBefore::RowsBefore(const Scene& scene) {
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) { any_ = any_ || ever_moves(scene, b); }
  n_boundaries_ = scene.boundaries.size(), n_outlets_ = scene.outlet_names.size();
  any_ = any_ || n_outlets_ > 0;
}

const RowBefore* RowsBefore::of(std::uint64_t step) const {
  if (last_ && last_->step < step) { return &*last_; }
  return before_ && before_->step < step ? &*before_ : nullptr;
}

void RowsBefore::add(std::uint64_t step, double time, const std::vector<BoundaryLoad>& loads,
                     const std::vector<double>& removed_mass) {
  if (!any_) { return; }
  RowBefore row{.step = step, .time = time, .work = {}, .removed_mass = removed_mass};
  for (const BoundaryLoad& load : loads) { row.work.push_back(load.work); }
  if (last_ && last_->step < step) { before_ = std::move(last_); }
  last_ = std::move(row);
}

void RowsBefore::save(std::vector<StateArray>& arrays) const {
  std::vector<std::uint64_t> steps;
  std::vector<double> times, work, removed;
  for (const auto& row : {before_, last_}) {
    if (!row) { continue; }
    steps.push_back(row->step);
    times.push_back(row->time);
    work.insert(work.end(), row->work.begin(), row->work.end());
    removed.insert(removed.end(), row->removed_mass.begin(), row->removed_mass.end());
  }
  if (steps.empty()) { return; }
  const std::string group = rows_group;
  arrays.push_back(array_of(group + "step", "1", ValueType::uint64, 1, steps));
  arrays.push_back(array_of(group + "time", "s", ValueType::float64, 1, times));
  if (!work.empty()) { arrays.push_back(array_of(group + "work", "J", ValueType::float64, 1, work)); }
  // Rows of an older checkpoint may not tell it: then the next rows do.
  if (removed.size() == steps.size() * n_outlets_ && n_outlets_ > 0) {
    arrays.push_back(array_of(group + "removed_mass", "kg", ValueType::float64, 1, removed));
  }
}

void RowsBefore::restore(const std::vector<StateArray>& arrays) {
  last_.reset(), before_.reset();
  const std::string group = rows_group;
  const StateArray *step = find_array(arrays, group + "step"), *time = find_array(arrays, group + "time"),
                   *work = find_array(arrays, group + "work"), *removed = find_array(arrays, group + "removed_mass");
  if (step == nullptr && time == nullptr && work == nullptr && removed == nullptr) { return; }
  if (step == nullptr || time == nullptr || (work == nullptr && removed == nullptr)) {
    throw StateError("probes/%row/step, probes/%row/time and probes/%row/work: not all of them are there");
  }
  const auto numbers = [](const StateArray* array) {
    return array == nullptr ? std::vector<double>{} : rows_of<double>(*array, ValueType::float64);
  };
  const auto steps = rows_of<std::uint64_t>(*step, ValueType::uint64);
  const std::vector<double> times = numbers(time), works = numbers(work), masses = numbers(removed);
  const auto are_finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  const bool fits = !steps.empty() && steps.size() <= 2 && times.size() == steps.size() &&
                    works.size() % steps.size() == 0 && masses.size() % steps.size() == 0 && are_finite(times) &&
                    are_finite(works) && are_finite(masses);
  if (!fits || (steps.size() == 2 && !(steps[0] < steps[1] && times[0] < times[1]))) {
    throw StateError("what rows of the series leave for the next one holds numbers that cannot be");
  }
  if (works.size() != steps.size() * n_boundaries_) { return; }
  const bool has_masses = masses.size() == steps.size() * n_outlets_;
  if (removed != nullptr && !has_masses) { return; }
  const auto part = [](const std::vector<double>& values, std::size_t k, std::size_t size) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(k * size);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size));
  };
  const auto row = [&](std::size_t k) {
    return RowBefore{steps[k], times[k], part(works, k, n_boundaries_),
                     has_masses ? part(masses, k, n_outlets_) : std::vector<double>{}};
  };
  if (steps.size() == 2) { before_ = row(0); }
  last_ = row(steps.size() - 1);
}

bool ever_moves(const Scene& scene, std::size_t boundary) {
  const SceneBoundary& b = scene.boundaries[boundary];
  if (!b.motion.empty() || !b.surface_motion.empty() || b.drive || servo_of(b.shape)) { return true; }
  return std::any_of(scene.stages.begin(), scene.stages.end(), [&](const SceneStage& stage) {
    return std::any_of(stage.boundaries.begin(), stage.boundaries.end(), [&](const SceneStagedBoundary& staged) {
      return staged.boundary == boundary &&
             ((staged.motion && !staged.motion->empty()) || (staged.surface_motion && !staged.surface_motion->empty()));
    });
  });
}

}  // namespace scree
