#include <fstream>
#include <numbers>
#include <sstream>

#include <nlohmann/json.hpp>

#include "modes_kit.hpp"

// Deformable level-set grains against results of other code in tests/data/level_set: a sphere between six planes, and a
// beam bent by three cylinders.
namespace scree::inline SCREE_BACKEND::modes_reference_test {

using nlohmann::json;
using physics::add_clump;
using ModesReference = BackendTest;

std::string data_file(const std::string& name) {
  return std::string(SCREE_SOURCE_DIR) + "/tests/data/level_set/" + name;
}

std::vector<std::vector<double>> rows_of(const std::string& name) {
  std::ifstream file(data_file(name));
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream values(line);
    rows.emplace_back();
    for (std::string value; std::getline(values, value, ',');) { rows.back().push_back(std::stod(value)); }
  }
  return rows;
}

/// Linear springs with `per_area` [N/m3] at the nodes of a grain with this shape, and nothing else.
Scene penalty_scene(const GrainShape& grain, double per_area) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = per_area * std::numbers::pi * grain.equivalent_radius * grain.equivalent_radius;
  scene.pairs[0].springs.shear_stiffness = 0;
  return scene;
}

// --- a sphere between six planes -----------------------------------------------------------------------------

constexpr double sphere_young = 1e4;

/// The unit sphere with the nodes and the mode of the data, and the force of their table.
GrainShape pressed_sphere(const json& data) {
  GrainShape shape = grain_of(ball(1), 1, 0.1, 10);
  shape.node.clear();
  shape.node_area.clear();
  std::vector<Real3> displacement;
  for (const auto& row : rows_of("sphere6_nu03_nodes_L4.csv")) {
    shape.node.push_back({row[0], row[1], row[2]});
    shape.node_area.push_back(row[3]);
    displacement.push_back({row[4], row[5], row[6]});
  }
  shape.node_normal = shape.node;
  // The modal mass is 0.373 rho R^3. The field is not asked for here.
  set_modes(shape, {[](const Real3&) { return Real3{}; }}, {0.373}, {1});
  shape.modes.at_node = displacement;
  const auto& amplitude = data["table_eps_over_R"];
  const auto& force = data["table_F_six"];
  for (std::size_t k = 1; k < amplitude.size(); ++k) {
    shape.modes.table.push_back({double(amplitude[k]), double(force[k]) / sphere_young});
  }
  shape.modes.damping.by_stiffness = 0.02;
  return shape;
}

/// Static equilibrium at kappa = k R / E and a depth of the planes, by running until nothing moves.
void expect_equilibrium(const json& data, double kappa, double depth, double amplitude, double force) {
  const GrainShape grain = pressed_sphere(data);
  Scene scene = penalty_scene(grain, kappa * sphere_young);
  scene.materials[0].density = 1;
  scene.materials[0].young_modulus = sphere_young;
  add_soft_shape(scene, grain);
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double side : {-1.0, 1.0}) {
      Real3 point{}, normal{};
      point[k] = side * (1 - depth);
      normal[k] = -side;
      add_plane(scene, point, normal);
    }
  }
  add_clump(scene, 0, {0, 0, 0}, {}, {}, {1, 0, 0, 0});
  scene.particles.clumps[0].amplitude = {0.9 * amplitude};
  scene.time_step = 0.2 / std::sqrt(2 * std::numbers::pi * 6 * kappa * sphere_young * 0.02 / 0.373);
  scene.verlet_distance = 0.1;
  const auto engine = make_backend_engine(scene);
  engine->advance(20000);
  const SnapshotClump state = engine->snapshot().clumps[0];
  double sum = 0;
  for (const BoundaryLoad& load : engine->boundary_loads()) { sum += length_of(load.force); }
  const std::string where = "kappa " + std::to_string(kappa) + ", depth " + std::to_string(depth);
  EXPECT_LT(std::abs(state.amplitude_rate[0]), 1e-6) << where;
  EXPECT_NEAR(state.amplitude[0] / amplitude, 1, 1e-4) << where;
  EXPECT_NEAR(sum / force, 1, 1e-3) << where;
}

// The data are the root of the same balance of forces, for the same nodes. With a stiff contact a part of 1e-4 of the
// amplitude is a tenth of the depth of the nodes, which is what bounds the agreement of the forces.
TEST_F(ModesReference, ASphereBetweenSixPlanesHasTheStaticForceOfTheTable) {
  std::ifstream file(data_file("sphere6_nu03.json"));
  const json data = json::parse(file);
  std::size_t compared = 0;
  for (const auto& result : data["static_results"]) {
    const double kappa = result["kappa"];
    if (result["icosphere_level"] != 4 || result["Phi_at_nodes"] != "node_file" || kappa > 1000) { continue; }
    for (const std::size_t row : {1U, 4U, 7U}) {
      const auto& values = result["rows"][row];
      expect_equilibrium(data, kappa, values[0], values[1], values[2]);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6u);
}

// --- a beam on two cylinders, bent by a third ----------------------------------------------------------------

/// A beam of 160 x 4 x 4 with nodes on the top and the bottom and one mode, u = (z w cos(w x), 0, -sin(w x)) with
/// w = pi / L and x from one end, without the part that moves the beam as a whole.
GrainShape beam(const json& data) {
  const double length = data["L"], half = 0.5 * length;
  GrainShape shape;
  shape.name = "beam";
  shape.spacing = 1;
  shape.size = {static_cast<std::uint32_t>(length) + 7, 11, 11};
  shape.origin = {-half - 3, -5, -5};
  for (std::uint32_t k = 0; k < 11; ++k) {
    for (std::uint32_t j = 0; j < 11; ++j) {
      for (std::uint32_t i = 0; i < shape.size[0]; ++i) {
        const Real3 x{shape.origin[0] + i, shape.origin[1] + j, shape.origin[2] + k};
        shape.phi.push_back(static_cast<float>(rounded_box({half, 2, 2}, 0)(x)));
      }
    }
  }
  for (int i = 0; i <= int(length); ++i) {
    for (int j = -2; j <= 2; ++j) {
      for (const double z : {-2.0, 2.0}) {
        shape.node.push_back({i - half, double(j), z});
        shape.node_normal.push_back({0, 0, z > 0 ? 1.0 : -1.0});
        shape.node_area.push_back((i == 0 || i == int(length) ? 0.5 : 1) * (std::abs(j) == 2 ? 0.5 : 1));
      }
    }
  }
  shape.volume = length * 16;
  shape.inertia = {shape.volume * 32 / 12, shape.volume * (length * length + 16) / 12,
                   shape.volume * (length * length + 16) / 12};
  shape.equivalent_radius = std::cbrt(0.75 * shape.volume / std::numbers::pi);
  shape.bounding_radius = std::sqrt(half * half + 8);
  const double w = std::numbers::pi / length;
  set_modes(shape, {[=](const Real3& x) {
              const double at = w * (x[0] + half);
              return Real3{x[2] * w * std::cos(at), 0, 2 / std::numbers::pi - std::sin(at)};
            }},
            {double(data["M"])}, {double(data["K"])});
  shape.modes.absolute = true;
  shape.modes.damping.coefficient = data["c"];
  return shape;
}

// The paper's three-point bending, in 25,500 steps: the force over K delta_0 against the depth over delta_0 is the
// static curve plus c / (K T). Tolerance of the data: 1.5 % of the last force.
TEST_F(ModesReference, ABeamOnTwoCylindersBendsAsItsStaticCurve) {
  std::ifstream file(data_file("bending_table1_r2.json"));
  const json data = json::parse(file);
  const GrainShape grain = beam(data);
  const double length = data["L"], radius = data["cylinder_radius"], most = data["delta0"],
               duration = data["suggested_T"];
  Scene scene = penalty_scene(grain, data["kn_per_volume"]);
  scene.materials[0].density = double(data["rigid_mass"]) / grain.volume;
  add_soft_shape(scene, grain);
  for (const double x : {-0.5 * length, 0.5 * length}) {
    add_cylinder(scene, {x, -10, -2 - radius}, {x, 10, -2 - radius}, radius);
  }
  add_cylinder(scene, {0, -10, 2 + radius}, {0, 10, 2 + radius}, radius).motion = {
      {Translation{{0, 0, -most / duration}}}};
  add_clump(scene, 0, {0, 0, 0}, {}, {}, {1, 0, 0, 0});
  scene.groups.resize(2);
  scene.groups[1].fixed = 1 | 2 | fixed_rotation;  // all but z
  scene.particles.group = {1};
  scene.time_step = data["suggested_dt"];
  scene.verlet_distance = 1;
  const auto engine = make_backend_engine(scene);
  const double whole = double(data["K"]) * most;
  std::size_t compared = 0;
  for (const auto& row : rows_of("bending_table1_r2.csv")) {
    const double depth = row[0];
    const auto step = static_cast<std::uint64_t>(std::llround(depth / most * duration / scene.time_step));
    engine->advance(step - engine->step());
    const double force = engine->boundary_loads().at(2).force[2], amplitude = engine->snapshot().clumps[0].amplitude[0];
    if (depth < 0.5) { continue; }
    EXPECT_NEAR(force / whole, row[6], 0.015) << "depth " << depth;
    EXPECT_NEAR(amplitude / row[2], 1, 0.01) << "depth " << depth;
    ++compared;
  }
  EXPECT_GT(compared, 30u);
}

}  // namespace scree::inline SCREE_BACKEND::modes_reference_test
