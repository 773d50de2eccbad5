#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

// The first bound keeps lists of moving bodies from growing beyond about three times the length of those at rest; the
// second keeps any single body from a skin of many radii.
constexpr double most_mean_skin = 0.5, most_skin = 4;  // [radii]

// A body may soon move as fast as others do.
constexpr double share_of_mean_speed = 0.5;

// A level with fewer than one in this number of bodies is joined with the next larger one.
constexpr std::uint64_t fewest_of_level = 256;

// Assumed solid fraction where there are bodies.
constexpr double solid_share = 0.6;

/// Width [m] of columns with the least work, for bodies that search `reach` [m] to each side among `density` bodies per
/// volume [1/m3]. Many narrow columns cost visits, wide ones hold many bodies to test.
double column_width(double reach, double density) {
  // How many tests cost as much as one visit. The host value is measured, with 16 tests at a time; a GPU tests one by
  // one.
  constexpr double tests_per_visit = SCREE_ON_CUDA ? 5 : 20;
  double best = 0, least = std::numeric_limits<double>::max();
  for (double width = 0.7 * reach; width < 20 * reach; width *= 1.1) {
    const double visits = (2 * reach / width + 1) * (2 * reach / width + 1);
    const double cost = visits * (tests_per_visit + density * width * width * 2 * reach);
    if (cost < least) {
      least = cost;
      best = width;
    }
  }
  return best;
}

/// Sets the bounds of the search to the cell where it is periodic, from face to face and around sheared cells.
void keep_to_cell(const CellSystem& cell, PositionBounds& bounds) {
  const Vec3d origin = cell.origin();
  const auto keep = [&](double Vec3d::*axis, bool along) {
    if (!along) { return; }
    double low = origin.*axis, high = low;
    for (int k = 0; k < 3; ++k) {
      const double part = cell.geometry().edges.column(k).*axis;
      if (cell.along(k)) { (part < 0 ? low : high) += part; }
    }
    bounds.min.*axis = low;
    bounds.max.*axis = high;
  };
  keep(&Vec3d::x, cell.along(0)), keep(&Vec3d::y, cell.along(1)), keep(&Vec3d::z, cell.along(2));
}

}  // namespace

template <class R>
SkinRule<R> NeighbourSearch<R>::skin_rule(RunState<R>& run) {
  const double dt = run.clock.next(), least = 0.5 * run.scene.verlet_distance;
  if (!run.scene.verlet_auto && run.scene.target_interval == 0) {
    return {static_cast<R>(least), static_cast<R>(least), std::numeric_limits<R>::max(), R(0), R(0)};
  }
  lane_sums_.discard_and_resize(n_lanes, "neighbour search");
  run.exec.for_lanes(
      "search: speeds", n_lanes, run.count.bodies,
      SpeedSum<R>{run.bodies.velocity().view(), run.bodies.radius().view(), run.count.bodies, lane_sums_.view()},
      run.count.bodies * 4 * sizeof(R));
  LaneSums sum{0, 0};
  for (const LaneSums& lane : lane_sums_.to_vector()) {
    sum.speed += lane.speed;
    sum.relative_speed += lane.relative_speed;
  }
  const double n = double(std::max<std::size_t>(run.count.bodies, 1));
  const double extra = share_of_mean_speed * sum.speed / n;
  const double strain_rate = run.cell.any() ? run.cell.fastest_strain() : 0.0;
  const double radii_per_step =
      std::max(((1 + share_of_mean_speed) * sum.relative_speed / n + strain_rate) * dt, 1e-12);
  const double longest = most_mean_skin / radii_per_step;
  if (!std::isfinite(extra) || !std::isfinite(longest)) {
    return {static_cast<R>(least), static_cast<R>(least), R(1), R(0), R(0)};
  }
  if (!run.scene.verlet_auto) {
    return {static_cast<R>(0.1 * least), static_cast<R>(least), std::numeric_limits<R>::max(),
            static_cast<R>(std::min(run.scene.target_interval, double(most_list_steps)) * dt), static_cast<R>(extra)};
  }
  const double wanted = run.scene.target_interval > 0 ? run.scene.target_interval : tuner_.interval();
  const double steps = std::min({wanted, longest, double(most_list_steps)});
  mean_skin_ = steps * radii_per_step;
  return {static_cast<R>(least), std::numeric_limits<R>::max(), R(most_skin), static_cast<R>(steps * dt),
          static_cast<R>(extra)};
}

/// In a periodic cell two bodies may be neighbours through one image only. Therefore half of the distance between faces
/// must exceed the reach of any two bodies.
template <class R>
SkinRule<R> NeighbourSearch<R>::skin_rule_in_cell(RunState<R>& run) {
  SkinRule<R> rule = skin_rule(run);
  if (run.laws.bits.holds_apart != 0 || run.laws.bonds_nodes) {
    rule.last_move = static_cast<R>(1.01 * std::max(run.clock.at(run.step).last, run.clock.next()));
    rule.longest_move = static_cast<R>(run.expected.smallest_radius);
  }
  if (!run.cell.any()) { return rule; }
  const double most = 0.2499 / run.cell.largest_inverse_width() - run.expected.range * run.expected.largest_radius;
  if (!(most > 0)) {
    throw KernelFault(
        "the periodic cell is " + std::to_string(1e3 * (1 / run.cell.largest_inverse_width())) +
            " mm wide between two faces, which must be more than four times the reach of the largest particle, " +
            std::to_string(4e3 * run.expected.range * run.expected.largest_radius) + " mm",
        run.step, {});
  }
  rule.least = math::min(rule.least, static_cast<R>(most));
  rule.most_in_cell = static_cast<R>(most);
  rule.strain_rate = static_cast<R>(run.cell.fastest_strain());
  return rule;
}

template <class R>
void NeighbourSearch<R>::choose_skins(RunState<R>& run) {
  const SkinRule<R> rule = skin_rule_in_cell(run);
  run.lists.boundary_skin = 0;
  const double cell_speed =
      run.cell.deforms() && run.boundary.any() ? run.cell.fastest_strain() * 2 * run.lists.reach : 0;
  if (run.boundary.moving() || cell_speed > 0) {
    const double speed =
        run.boundary.most_travel(run.time(), run.clock.next(), run.lists.reach) / run.clock.next() + cell_speed;
    run.lists.boundary_skin =
        std::max(double(rule.least), std::min(2 * run.expected.smallest_radius, double(rule.interval) * speed)) +
        double(rule.last_move) * speed;
  }
  const double smallest = run.expected.range * run.expected.smallest_radius + double(rule.least);
  lane_sizes_.discard_and_resize(n_lanes, "neighbour search");
  run.exec.for_lanes("search: skins", n_lanes, run.count.bodies,
                     SkinChoice<R>{.rule = rule,
                                   .velocity = run.bodies.velocity().view(),
                                   .travel = run.bodies.travel().view(),
                                   .radius = run.bodies.radius().view(),
                                   .skin = run.bodies.skin().view(),
                                   .clearance = run.bodies.clearance.view(),
                                   .range = run.expected.range,
                                   .inverse_smallest = 1 / smallest,
                                   .boundary_travel = static_cast<R>(run.lists.boundary_travel),
                                   .n_bodies = run.count.bodies,
                                   .sizes = lane_sizes_.view()},
                     run.count.bodies * 11 * sizeof(R));
  run.exec.timed(
      "search: grid", [&] { grid_ = make_grid(run, lane_sizes_.to_vector(), smallest); },
      run.count.bodies * sizeof(Vec3d));
}

namespace {

/// Bodies by classes of size: powers of class_ratio times the smallest size.
struct SizeClasses {
  double largest = 0;  ///< [m]
  double all_cubes = 0;
  double cubes[n_size_classes] = {};  ///< [m3] sums of sizes cubed
  std::uint64_t count[n_size_classes] = {};

  explicit SizeClasses(const std::vector<LaneSizes>& sizes) {
    for (const LaneSizes& lane : sizes) {
      largest = std::max(largest, lane.largest);
      for (int k = 0; k < n_size_classes; ++k) {
        count[k] += lane.count[k];
        cubes[k] += lane.cubes[k];
        all_cubes += lane.cubes[k];
      }
    }
  }
};

/// Widens the columns of a level until there are no more than `most_columns`, and numbers them. Returns their number.
std::uint32_t lay_columns(ColumnLevel& l, const PositionBounds& bounds, double most_columns) {
  int bits_y = 0, bits_z = 0;
  for (;; l.column_width *= 1.25) {
    const double ny = (bounds.max.y - bounds.min.y) / l.column_width + 1,
                 nz = (bounds.max.z - bounds.min.z) / l.column_width + 1;
    if (!(ny < 60000 && nz < 60000)) { continue; }
    l.ny = static_cast<std::uint32_t>(ny);
    l.nz = static_cast<std::uint32_t>(nz);
    for (bits_y = 0; (1u << bits_y) < l.ny;) { ++bits_y; }
    for (bits_z = 0; (1u << bits_z) < l.nz;) { ++bits_z; }
    if (std::exp2(bits_y + bits_z) <= most_columns) { break; }
  }
  l.inverse_width = 1 / l.column_width;
  l.bits_low = std::min(bits_y, bits_z);
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t(1) << (bits_y + bits_z)) - 1);
  const std::uint32_t interleaved = static_cast<std::uint32_t>((std::uint64_t(1) << (2 * l.bits_low)) - 1);
  l.mask_y = (interleaved & 0x55555555u) | (bits_y > bits_z ? all & ~interleaved : 0u);
  l.mask_z = all & ~l.mask_y;
  return all + 1;
}

/// Makes one level for each factor of two in size, except sizes with hardly any bodies, because each level is visited
/// by all larger bodies. `smallest` [m] is the smallest size.
void make_levels(ColumnGrid& grid, const SizeClasses& sizes, const PositionBounds& bounds, double smallest,
                 std::size_t n_bodies, double most_columns) {
  std::uint64_t held = 0;
  double held_cubes = 0, larger_cubes = sizes.all_cubes;
  int last_class = n_size_classes - 1;
  while (last_class > 0 && sizes.count[last_class] == 0) { --last_class; }
  for (int size_class = 0; size_class <= last_class; ++size_class) {
    held += sizes.count[size_class];
    held_cubes += sizes.cubes[size_class];
    larger_cubes -= sizes.cubes[size_class];
    const bool last = size_class == last_class || grid.n_levels + 1 == most_levels;
    if (!last && fewest_of_level * held < n_bodies) { continue; }
    const double top = smallest * std::pow(class_ratio, size_class + 1);
    ColumnLevel& l = grid.levels[grid.n_levels++];
    l.largest = last ? sizes.largest : top;
    // Bodies of this level share the space that larger bodies leave free.
    const double density =
        double(held) * solid_share / (4.18879 * std::max(sizes.all_cubes - solid_share * larger_cubes, held_cubes));
    l.column_width = column_width(1.5 * l.largest, density);
    held = 0;
    held_cubes = 0;
    l.largest_extent = grid.sweep_extent(l.largest);
    const double lower = grid.n_levels == 1 ? smallest : grid.levels[grid.n_levels - 2].largest;
    l.smallest_extent = static_cast<std::uint32_t>(0.999999 * lower * grid.sweep_scale);
    l.first_column = grid.n_columns;
    grid.n_columns += lay_columns(l, bounds, most_columns);
    if (last) { break; }
  }
}

}  // namespace

template <class R>
ColumnGrid NeighbourSearch<R>::make_grid(RunState<R>& run, const std::vector<LaneSizes>& lane_sizes, double smallest) {
  ColumnGrid grid{};
  PositionBounds bounds = run.primitives.bounds(run.bodies.position().view(), run.count.bodies);
  if (bounds.min.x > bounds.max.x) { return grid; }  // all bodies have been removed
  if (run.cell.any()) { keep_to_cell(run.cell, bounds); }
  const SizeClasses sizes(lane_sizes);
  run.lists.reach = sizes.largest + run.scene.verlet_distance;
  for (const double x : {bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z}) {
    run.lists.reach += std::abs(x);
  }

  // At most twice as many columns as bodies in each level. If columns of the smallest width would be more, a few bodies
  // may be far away from all others.
  const double most_columns = 2.0 * double(run.count.bodies) + 64;
  const auto cells = [&](double width) {
    return ((bounds.max.y - bounds.min.y) / width + 1) * ((bounds.max.z - bounds.min.z) / width + 1);
  };
  if (cells(2 * smallest) > most_columns || bounds.max.x - bounds.min.x > 1e6 * smallest) {
    bounds = crowded_box(run, bounds, sizes.largest);
    if (run.cell.any()) { keep_to_cell(run.cell, bounds); }
  }
  grid.origin = bounds.min;
  const double span = std::max(bounds.max.x - bounds.min.x, sizes.largest);
  grid.sweep_scale = std::min(double(ColumnGrid::sweep_length) / span, 134217728.0 / sizes.largest);
  make_levels(grid, sizes, bounds, smallest, run.count.bodies, most_columns);
  return grid;
}

template <class R>
PositionBounds NeighbourSearch<R>::crowded_box(RunState<R>& run, const PositionBounds& bounds, double largest) {
  const std::size_t n_samples = std::min<std::size_t>(run.count.bodies, 4096);
  position_sample_.discard_and_resize(n_samples, "neighbour search");
  run.exec.for_each(
      "search: sample", n_samples,
      PositionSample{run.bodies.position().view(), run.count.bodies / n_samples, position_sample_.view()});
  std::vector<Vec3d> sample = position_sample_.to_vector();
  std::erase_if(sample, [](const Vec3d& x) { return is_parked(x); });
  if (sample.empty()) { return bounds; }
  // From the first to the last percentile, extended by as much on either side: this contains the whole crowd.
  PositionBounds box = bounds;
  using Axis = double Vec3d::*;
  for (const Axis axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    const auto rank = [&](std::size_t k) {
      const auto place = sample.begin() + std::ptrdiff_t(k);
      std::nth_element(sample.begin(), place, sample.end(),
                       [&](const Vec3d& a, const Vec3d& b) { return a.*axis < b.*axis; });
      return (*place).*axis;
    };
    const double low = rank(sample.size() / 100), high = rank(sample.size() - 1 - sample.size() / 100);
    const double around = (high - low) + 4 * largest;
    box.min.*axis = std::max(bounds.min.*axis, low - around);
    box.max.*axis = std::min(bounds.max.*axis, high + around);
  }
  return box;
}

template void NeighbourSearch<float>::choose_skins(RunState<float>&);
template void NeighbourSearch<double>::choose_skins(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
