#include "host/bench/deformable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "host/bench/machine.hpp"
#include "host/bench/throughput.hpp"
#include "host/case/describe_shapes.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/solid.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "scree/engine.hpp"

namespace scree {

namespace {

constexpr double ball_radius = 1e-3;
constexpr double pressed = 1.2e-4;  ///< [m] amplitude of the first mode: depth by which six sides are flattened
constexpr double depth = 0.3;       ///< [spacings] depth of a contact
constexpr double time_step = 1e-7;
constexpr double drift =
    1e-9 * ball_radius;  ///< [m] by which amplitudes change in a step, so that no grid stays as it is

/// [-] Displacement of a point by mode a at amplitude 1. The first mode presses the ball from six sides, as neighbours
/// in a cubic lattice do: its displacement along x is -x^3 inside of the ball, and constant outside. The other modes
/// are homogeneous strains.
Real3 mode(std::size_t a, const Real3& point) {
  const Real3 x = geometry::scaled(point, 1 / ball_radius);
  switch (a) {
    case 0: {
      const auto cube = [](double v) { return v * std::min(v * v, 1.0 / std::max(std::abs(v), 1.0)); };
      return {-cube(x[0]), -cube(x[1]), -cube(x[2])};
    }
    case 1: return {x[0], -x[1], 0};
    case 2: return {0.5 * x[0], 0.5 * x[1], -x[2]};
    case 3: return {x[1], x[0], 0};
    case 4: return {x[2], 0, x[0]};
    case 5: return {0, x[2], x[1]};
    default: return {x[0], x[1], x[2]};
  }
}
constexpr std::size_t most_bench_modes = 7;
double amplitude_of(std::size_t a) { return a == 0 ? pressed : 0.002 * ball_radius * (a % 2 == 0 ? 1 : -1); }

GrainShape ball_with(std::size_t modes, int spacings) {
  GrainShape shape = grains::make_grain(*grains::make_sphere(ball_radius),
                                        {.spacing = ball_radius / spacings, .node_spacing = 0.75}, "ball")
                         .shape;
  GrainModes& all = shape.modes;
  all.count = modes;
  all.mass.assign(modes * modes, 0);
  all.stiffness.assign(modes * modes, 0);
  all.absolute = true;
  const grains::Grid grid = grains::grid_of(shape);
  for (std::size_t a = 0; a < modes; ++a) {
    all.mass[a * modes + a] = 1e9;  // [kg] no contact moves it
    all.largest.push_back(0.18 * ball_radius);
    grains::for_each_point(grid, 0, [&](std::size_t, std::size_t i, std::size_t j, std::size_t k) {
      const Real3 u = mode(a, grid.place(i, j, k));
      all.field.push_back({static_cast<float>(u[0]), static_cast<float>(u[1]), static_cast<float>(u[2])});
    });
    for (const Real3& node : shape.node) { all.at_node.push_back(mode(a, node)); }
  }
  return shape;
}

Real3 displaced(const Real3& x, std::size_t modes) {
  Real3 sum = x;
  for (std::size_t a = 0; a < modes; ++a) sum = geometry::add(sum, geometry::scaled(mode(a, x), amplitude_of(a)));
  return sum;
}

/// The point of the undeformed ball that the modes move to x, found by fixed-point iteration.
Real3 undeformed(const Real3& x, std::size_t modes) {
  Real3 before = x;
  for (int n = 0; n < 60; ++n) {
    before = geometry::add(before, geometry::scaled(geometry::subtract(x, displaced(before, modes)), 0.7));
  }
  return before;
}

/// A rigid grain with the deformed shape. Its level set is the exact one, divided by the length of its gradient on the
/// surface so that it is nearly a distance.
GrainShape frozen(const GrainShape& soft) {
  GrainShape shape = soft;
  const std::size_t modes = soft.modes.count;
  shape.modes = {};
  const auto level = [&](const Real3& x) {
    const Real3 before = undeformed(x, modes);
    return std::sqrt(geometry::dot(before, before)) - ball_radius;
  };
  const auto distance = [&](const Real3& x) {
    const double step = 1e-3 * soft.spacing;
    const Real3 before = undeformed(x, modes);
    const double length = std::sqrt(geometry::dot(before, before));
    const Real3 outwards = length > 0 ? geometry::scaled(before, 1 / length) : Real3{1, 0, 0};
    const Real3 surface = displaced(geometry::scaled(outwards, ball_radius), modes);
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      Real3 low = surface, high = surface;
      low[k] -= step, high[k] += step;
      squares += std::pow((level(high) - level(low)) / (2 * step), 2);
    }
    return level(x) / std::max(std::sqrt(squares), 1e-3);
  };
  const grains::Grid grid = grains::grid_of(soft);
  std::vector<double> value(shape.points());
  grains::for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    value[at] = distance(grid.place(i, j, k));
    shape.phi[at] = static_cast<float>(value[at]);
  });
  // As in all templates, the bias of trilinear interpolation is subtracted.
  grains::for_each_point(grid, 1, [&](std::size_t at, std::size_t, std::size_t, std::size_t) {
    double around = -6 * value[at];
    for (const std::size_t step : grid.stride()) around += value[at - step] + value[at + step];
    shape.phi[at] = static_cast<float>(value[at] - around / 12);
  });
  for (Real3& node : shape.node) node = displaced(node, modes);
  return shape;
}

/// A scene of 27 fixed grains on a cubic lattice. They are flattened where they touch.
Scene lattice_of(const GrainShape& grain, Precision precision) {
  Scene scene;
  scene.precision = precision;
  scene.time_step = time_step;
  scene.verlet_distance = 0.1 * ball_radius;
  scene.materials = {Material{1000, 1e7, 0.25, 0, 1}};
  scene.law = LawKind::linear_spring_dashpot;
  scene.pairs = {MaterialPair{}};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 1e4;
  scene.pairs[0].springs.shear_stiffness = 5e3;
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.grain_shapes = {grain};
  scene.grain_materials = {true};
  scene.clump_shapes = {shape_of(grain, 0)};
  scene.clump_shapes[0].radius[0] = scene.clump_shapes[0].bounding_radius = room_for_bulges * ball_radius;
  const double apart = 2 * (ball_radius - pressed) - depth * grain.spacing;
  for (int n = 0; n < 27; ++n) {
    const int column = n % 3, row = n / 3 % 3, layer = n / 9;
    const Real3 place{apart * column, apart * row, apart * layer};
    append_clump(scene.particles, scene.clump_shapes[0], 0, {.position = place});
    for (std::size_t a = 0; a < grain.modes.count; ++a) {
      scene.particles.clumps.back().amplitude.push_back(amplitude_of(a));
      scene.particles.clumps.back().amplitude_rate.push_back((n % 2 == 0 ? 1 : -1) * drift / time_step);
    }
  }
  scene.particles.group.assign(scene.particles.size(), 1);
  return scene;
}

struct Way {
  const char* name;
  FieldUpdate update;
  std::optional<std::uint64_t> iterations = {}, levels = {};
};
constexpr std::array ways = {Way{"recompute", FieldUpdate::recompute},
                             Way{"remap, until it stands", FieldUpdate::remap},
                             Way{"remap, 3 iterations", FieldUpdate::remap, 3},
                             Way{"remap, 2 iterations", FieldUpdate::remap, 2},
                             Way{"remap, 1 iteration", FieldUpdate::remap, 1},
                             Way{"remap, first order", FieldUpdate::remap, 0},
                             Way{"corners, 2 iterations", FieldUpdate::remap_corners, 2},
                             Way{"corners, first order", FieldUpdate::remap_corners, 0},
                             Way{"advect", FieldUpdate::advect},
                             Way{"precomputed, 4 levels", FieldUpdate::precomputed, {}, 4},
                             Way{"precomputed, 2 levels", FieldUpdate::precomputed, {}, 2},
                             Way{"precomputed, 1 level", FieldUpdate::precomputed, {}, 1}};

/// The depths [m] of touching nodes, by their places in units of 1e-4 of the radius.
using Depths = std::map<std::array<std::int64_t, 3>, double>;

struct Found {
  Depths depth;
  double force = 0;  ///< [N] sum over the contacts
};

/// The contacts of the grains. A grid that is advected gets its deformation in steps from the undeformed grain.
Found look_at(Scene scene, const EngineOptions& options) {
  scene.keeps_node_forces = true;
  const std::uint64_t steps = scene.grain_contacts.field_update == FieldUpdate::advect ? 50 : 0;
  for (Clump& clump : scene.particles.clumps) {
    for (std::size_t a = 0; a < clump.amplitude.size() && steps > 0; ++a) {
      clump.amplitude_rate[a] = clump.amplitude[a] / (static_cast<double>(steps) * time_step);
      clump.amplitude[a] = 0;
    }
  }
  const auto engine = make_engine(scene, options);
  engine->advance(steps + 1);
  Found found;
  for (const TouchingNode& node : engine->touching_nodes()) {
    std::array<std::int64_t, 3> key{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double place = node.point[k] + (node.of_first ? 0.5 : -0.5) * node.overlap * node.normal[k];
      key[k] = std::llround(place / (1e-4 * ball_radius));
    }
    found.depth[key] = node.overlap;
  }
  for (const TouchingContact& c : engine->touching_contacts()) {
    found.force += std::sqrt(geometry::dot(c.force, c.force));
  }
  return found;
}

/// Errors of the depths [spacings] at nodes that both have: the largest, and the root of the mean square.
std::pair<double, double> difference(const Depths& one, const Depths& other, double spacing) {
  double most = 0, squares = 0;
  std::size_t n = 0;
  for (const auto& [place, depth_there] : one) {
    const auto same = other.find(place);
    if (same == other.end()) continue;
    const double error = (depth_there - same->second) / spacing;
    most = std::max(most, std::abs(error));
    squares += error * error;
    ++n;
  }
  return {most, std::sqrt(squares / static_cast<double>(std::max<std::size_t>(n, 1)))};
}

struct GrainCost {
  double contact = 0;   ///< [us] per contact and step
  double touching = 0;  ///< [-] nodes per contact
  double near = 0;      ///< [-] nodes per contact that a step checks
};

GrainCost cost_of_grain(const Scene& scene, const EngineOptions& options, const BenchArguments& arguments) {
  const auto engine = make_engine(scene, options);
  const Throughput throughput = measure_throughput(*engine, arguments);
  const double step = static_cast<double>(throughput.counts.particles) / throughput.rate;  // [s]
  const NodeCounts counts = engine->node_counts();
  const auto contacts = static_cast<double>(throughput.counts.contacts), near = static_cast<double>(counts.near);
  return {1e6 * step / contacts, static_cast<double>(counts.touching) / contacts, near / contacts};
}

Scene with_way(const GrainShape& soft, Precision precision, const Way& way) {
  Scene scene = lattice_of(soft, precision);
  scene.grain_contacts = {.remap_iterations = way.iterations, .field_update = way.update, .field_levels = way.levels};
  return scene;
}

bool is_asked_for(const Way& way, const BenchArguments& arguments) {
  const std::vector<std::string>& asked = arguments.field_updates;
  const auto words = describe(Of<FieldUpdate>()).words;
  return asked.empty() || std::any_of(words.begin(), words.end(), [&](const auto& word) {
           return word.second == way.update && std::find(asked.begin(), asked.end(), word.first) != asked.end();
         });
}

}  // namespace

std::vector<std::string> field_update_names() {
  std::vector<std::string> names;
  for (const auto& word : describe(Of<FieldUpdate>()).words) names.push_back(word.first);
  return names;
}

void bench_deformable(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = bench_backend(arguments.backend);
  const std::vector<int> threads = bench_threads(arguments.threads, backend, {1});
  const std::vector<std::string> precisions = bench_precisions(arguments.precisions, {"mixed"});
  const int spacings = arguments.grain_spacings;
  out << "deformable: 27 grains of " << spacings << " spacings that are " << spacings * pressed / ball_radius
      << " spacings flatter on six sides, in contacts " << depth
      << " spacings deep; depths\nand forces beside those of recomputation; costs beside those of rigid grains of that "
         "shape; median of "
      << arguments.repeats
      << "\nmodes  field_update             precision  threads  depth: rms [h]  most [h]  force  "
         "touching/contact  near/contact  us/contact and step  times rigid\n";
  for (const std::size_t modes : {std::size_t(1), most_bench_modes}) {
    const GrainShape soft = ball_with(modes, spacings);
    const GrainShape rigid = frozen(soft);
    for (const std::string& precision : precisions) {
      const Precision kind = precision == "double" ? Precision::double_ : Precision::mixed;
      for (const int team : threads) {
        const EngineOptions options{backend, team, arguments.device};
        const auto line = [&](const char* name, const std::pair<double, double>& error, double force,
                              const GrainCost& cost, double times) {
          out << std::setw(5) << modes << "  " << std::left << std::setw(23) << name << std::right << std::setw(11)
              << precision << std::setw(9) << team << std::fixed << std::setprecision(4) << std::setw(16)
              << error.second << std::setw(10) << error.first << std::setprecision(3) << std::setw(7) << force
              << std::setprecision(1) << std::setw(18) << cost.touching << std::setw(14) << cost.near
              << std::setprecision(2) << std::setw(21) << cost.contact << std::setw(13) << times << std::defaultfloat
              << std::endl;
        };
        const Scene hard = lattice_of(rigid, kind);
        const GrainCost cost_of_rigid = cost_of_grain(hard, options, arguments);
        const Found found_rigid = look_at(hard, options);
        const Found exact = look_at(with_way(soft, kind, {"", FieldUpdate::recompute}), options);
        const auto error_of = [&](const Found& found) { return difference(found.depth, exact.depth, soft.spacing); };
        line("rigid", error_of(found_rigid), found_rigid.force / exact.force, cost_of_rigid, 1);
        for (const Way& way : ways) {
          if (!is_asked_for(way, arguments)) continue;
          const Scene scene = with_way(soft, kind, way);
          const Found found = look_at(scene, options);
          const GrainCost cost = cost_of_grain(scene, options, arguments);
          line(way.name, error_of(found), found.force / exact.force, cost, cost.contact / cost_of_rigid.contact);
        }
      }
    }
  }
}

}  // namespace scree
