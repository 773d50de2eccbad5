#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/backend/merge.hpp"
#include "kernels/neighbours/neighbour_search.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

// A level with fewer than one in this number of bodies is joined with the next larger one.
constexpr std::uint64_t fewest_of_level = 256;

// Assumed solid fraction where there are bodies.
constexpr double solid_share = 0.6;

// Volume of a sphere over the cube of its radius. The density of bodies decides about work only, so digits do not
// matter.
constexpr double sphere = 4.18879;

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

}  // namespace

/// [s] Not less than the length of the last step.
template <class R>
double NeighbourSearch<R>::last_move(const RunState<R>& run) {
  return 1.01 * std::max(run.clock.at(run.step).last, run.clock.next());
}

/// [s] Infinite if the present speeds are not those of the last move; then the radii bound it.
template <class R>
double NeighbourSearch<R>::last_move_of_bodies(const RunState<R>& run) {
  return run.lists.new_speeds ? std::numeric_limits<double>::infinity() : last_move(run);
}

/// Everything that the choice of skins follows from, beside the speeds of the bodies. In a periodic cell two bodies may
/// be neighbours through one image only. Therefore half of the distance between faces must exceed the reach of any two
/// bodies, with their skins.
template <class R>
RuleChoice<R> NeighbourSearch<R>::rule_choice(RunState<R>& run) {
  const bool is_automatic = run.scene.verlet_auto;
  RuleChoice<R> choice{.n_bodies = double(run.count.bodies),
                       .least = 0.5 * run.scene.verlet_distance,
                       .is_fixed = !is_automatic && run.scene.target_interval == 0,
                       .is_automatic = is_automatic,
                       .wanted_steps = run.scene.target_interval > 0 ? run.scene.target_interval : tuner_.interval(),
                       .most_steps = double(most_list_steps),
                       .dt = run.clock.next(),
                       .strain_rate = run.cell.any() ? run.cell.fastest_strain() : 0.0,
                       .least_radius = run.laws.ranges.smallest() * run.expected.smallest_radius,
                       .bounds = {},
                       .plan = plan_.data()};
  if (run.laws.bits.holds_apart != 0 || run.laws.bonds_nodes) {
    choice.bounds.last_move = static_cast<R>(last_move_of_bodies(run));
  }
  if (!run.cell.any()) { return choice; }
  const double width = 1 / run.cell.largest_inverse_width();  // infinite if nothing repeats
  const double reach = run.laws.ranges.largest_of_pairs() * run.expected.largest_radius;
  constexpr double rounding = 1e-6;  // of radii in single precision, which may round up
  if (!(width > (1 - rounding) * least_cell_width * reach)) {
    throw KernelFault("the periodic cell is " + std::to_string(1e3 * width) +
                          " mm wide between two faces, which must be more than " +
                          std::to_string(1e3 * least_cell_width * reach) + " mm, " +
                          std::to_string(least_cell_width).substr(0, 3) + " times the reach of the largest particle",
                      run.step, {});
  }
  choice.bounds.most_in_cell = static_cast<R>(0.2499 * width - reach);
  choice.bounds.strain_rate = static_cast<R>(run.cell.fastest_strain());
  return choice;
}

namespace {

/// Bounds of all positions [m]; along the axes of a periodic cell its own. If there are no bodies, min is above max.
template <class R>
PositionBounds bounds_of(const RunState<R>& run, const SearchPlan<R>& plan) {
  PositionBounds bounds{plan.look.low, plan.look.high};
  if (run.cell.any() && !(bounds.min.x > bounds.max.x)) { run.cell.set_bounds(bounds.min, bounds.max); }
  return bounds;
}

/// Until the next search a body moves by its skin and, in the last step, by at most its radius. The centre of a clump
/// lies within the reach of its bodies.
template <class R>
PositionBounds room_of(const PositionBounds& bounds, const SearchPlan<R>& plan) {
  const double way = 2.01 * plan.sizes.largest;
  return {bounds.min - Vec3d{way, way, way}, bounds.max + Vec3d{way, way, way}};
}

/// [m] No contact of a body within these bounds is farther from the origin of the world until the next search.
template <class R>
double farthest_surface(const RunState<R>& run, const PositionBounds& bounds, const SearchPlan<R>& plan) {
  const RangeTable& ranges = run.laws.ranges;
  const double at_boundaries = std::max(ranges.largest_at_boundaries() - ranges.largest_of_pairs(), 0.0);
  double sum = plan.sizes.largest + run.scene.verlet_distance + at_boundaries * run.expected.largest_radius;
  for (const double x : {bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z}) {
    sum += std::abs(x);
  }
  return sum;
}

}  // namespace

/// The backend looks at all bodies, chooses a rule and applies it. The driver waits once, for what decides about the
/// grid and how much is carried from the old list to the new one.
template <class R>
void NeighbourSearch<R>::choose_skins(RunState<R>& run) {
  plan_.discard_and_resize(1, "neighbour search");
  const RuleChoice<R> choice = rule_choice(run);
  const LookAt<R> look{run.bodies.position().view(), run.bodies.velocity().view(), run.bodies.radius().view(),
                       !choice.is_fixed};
  merge_all<BodyLook>(run.exec, "search: look", run.count.bodies, look, looks_, choice,
                      run.count.bodies * (sizeof(BodyPlace<R>) + sizeof(Vec3<R>)));
  const SkinChoiceBy<R> by{.rule = {},
                           .inverse_smallest = 0,
                           .velocity = run.bodies.velocity().view(),
                           .travel = run.bodies.travel().view(),
                           .radius = run.bodies.radius().view(),
                           .skin = run.bodies.skin().view(),
                           .clearance = run.bodies.clearance.view(),
                           .range = run.laws.ranges.of_pairs(run.bodies).of_body,
                           .boundary_travel = static_cast<R>(run.lists.boundary_travel)};
  merge_all<SizeClasses>(run.exec, "search: skins", run.count.bodies, SkinChoice<R>{plan_.data(), by}, sizes_,
                         PlanEnd<R>{carried_start_.view(), plan_.data()}, run.count.bodies * 14 * sizeof(R));
  run.exec.timed("search: grid", [&] {
    const SearchPlan<R> plan = plan_.element(0);
    n_carried_ = plan.n_carried;
    n_parked_ = plan.look.n_parked;
    mean_skin_ = plan.mean_skin;
    const PositionBounds bounds = bounds_of(run, plan);
    if (!(bounds.min.x > bounds.max.x)) { run.lists.reach = farthest_surface(run, bounds, plan); }
    run.lists.room = room_of(bounds, plan);
    run.lists.boundary_skin = boundary_skin(run, plan.rule);  // from the new reach
    grid_ = make_grid(run, plan, bounds);
  });
}

/// [m] How far boundaries may move until the next search, and how far they have moved in the last step: see
/// FeatureSearch::reach().
template <class R>
double NeighbourSearch<R>::boundary_skin(RunState<R>& run, const SkinRule<R>& rule) const {
  const double cell_speed =
      run.cell.deforms() && run.boundary.any() ? run.cell.fastest_strain() * 2 * run.lists.reach : 0;
  if (!run.boundary.moving() && !(cell_speed > 0)) { return 0; }
  const double next = run.clock.next(), last = run.clock.at(run.step).last;
  const double speed = run.boundary.most_travel(run.time(), next, run.lists.reach) / next + cell_speed;
  const double speed_before = last > 0 ? run.boundary.most_travel(run.time(), -last, run.lists.reach) / last : 0;
  return std::max(double(rule.least), std::min(2 * run.expected.smallest_radius, double(rule.interval) * speed)) +
         last_move(run) * std::max(speed, speed_before + cell_speed);
}

namespace {

/// Widens the columns of a level until there are no more than `most_columns`, and numbers them. Returns their number.
std::uint32_t lay_columns(ColumnLevel& l, const PositionBounds& bounds, double most_columns) {
  int bits_y = 0, bits_z = 0;
  for (;; l.column_width *= 1.25) {
    const double ny = (bounds.max.y - bounds.min.y) / l.column_width + 1,
                 nz = (bounds.max.z - bounds.min.z) / l.column_width + 1;
    if (!(ny < ColumnGrid::most_cells && nz < ColumnGrid::most_cells)) { continue; }
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
  double all_cubes = 0;
  for (const double cubes : sizes.cubes) { all_cubes += cubes; }
  double held_cubes = 0, larger_cubes = all_cubes;
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
        double(held) * solid_share / (sphere * std::max(all_cubes - solid_share * larger_cubes, held_cubes));
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
ColumnGrid NeighbourSearch<R>::make_grid(RunState<R>& run, const SearchPlan<R>& plan, PositionBounds bounds) {
  ColumnGrid grid{};
  const SizeClasses& sizes = plan.sizes;
  const double smallest = plan.smallest;
  if (bounds.min.x > bounds.max.x) { return grid; }  // all bodies have been removed

  // At most twice as many columns as bodies in each level. If columns of the smallest width would be more, a few bodies
  // may be far away from all others.
  const double most_columns = 2.0 * double(run.count.bodies) + 64;
  const auto cells = [&](double width) {
    return ((bounds.max.y - bounds.min.y) / width + 1) * ((bounds.max.z - bounds.min.z) / width + 1);
  };
  constexpr double longest = 1e6;  // beyond this the fixed point on the sweep axis would be coarse beside small bodies
  if (cells(2 * smallest) > most_columns || bounds.max.x - bounds.min.x > longest * smallest) {
    bounds = crowded_box(run, bounds, sizes.largest);
    if (run.cell.any()) { run.cell.set_bounds(bounds.min, bounds.max); }
  }
  grid.origin = bounds.min;
  const double span = std::max(bounds.max.x - bounds.min.x, sizes.largest);
  grid.sweep_scale = std::min(double(ColumnGrid::sweep_length) / span, ColumnGrid::most_extent / sizes.largest);
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

template double NeighbourSearch<float>::last_move(const RunState<float>&);
template double NeighbourSearch<double>::last_move(const RunState<double>&);
template double NeighbourSearch<float>::last_move_of_bodies(const RunState<float>&);
template double NeighbourSearch<double>::last_move_of_bodies(const RunState<double>&);
template void NeighbourSearch<float>::choose_skins(RunState<float>&);
template void NeighbourSearch<double>::choose_skins(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
