#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "host/measure/membrane_volume.hpp"
#include "membrane_scenes.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

// Membranes: the forces of a pressure on their nodes, and what these do.
namespace scree::physics::membranes_test {

constexpr double time_step = 2e-6;

/// [N] The force on each node at the start, from the velocities after the first step: bonds are without force then, and
/// the first kick lasts half a step.
std::vector<Real3> first_forces(const Scene& scene) {
  const auto engine = start(scene);
  engine->advance(1);
  const Snapshot now = engine->snapshot({});
  std::vector<Real3> forces;
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    forces.push_back((2 * sphere_mass(now.radius[i], scene.materials[0].density) / scene.time_step) * now.velocity[i]);
  }
  return forces;
}

/// A tube whose nodes are shifted at random, so that it has no symmetry.
Scene crooked_tube(double pressure) {
  Scene scene = tube_scene({}, pressure, time_step);
  Numbers random(3);
  for (Real3& place : scene.particles.position) { place = place + random.in_cube(1e-4); }
  return scene;
}

/// [m2] Area vector of a polygon.
Real3 area_vector(const std::vector<Real3>& corners) {
  Real3 sum{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    sum = sum + 0.5 * cross(corners[i], corners[(i + 1) % corners.size()]);
  }
  return sum;
}

// Each node of a regular tube is pressed by p times a third of the area vectors of its triangles, in closed form. The
// nodes at the ends have half of the radial force of the others, and a small force along the axis. To 1e-11, the
// rounding of a force that comes from differences of places.
TEST(Membranes, ForcesOnARegularTube) {
  constexpr double pressure = 7e3;
  const Tube tube;
  const Scene scene = tube_scene(tube, pressure, time_step);
  const TubeLattice exact(tube, scene);
  const std::vector<Real3> forces = first_forces(scene);
  const std::uint32_t n = exact.lattice.nodes(), around = exact.lattice.around;
  ASSERT_EQ(forces.size(), n);
  const double unit = pressure * exact.inward();
  EXPECT_NEAR(unit / (pressure * exact.chord() * exact.rise), 1, 1e-2) << "about the area that belongs to a node";
  Real3 total{};
  for (std::uint32_t k = 0; k < n; ++k) {
    const bool at_start = k < around, at_end = k >= n - around;
    const Real3& x = scene.particles.position[k];
    const Real3 outward = (1 / exact.circle) * Real3{x[0], x[1], 0};
    const double along = pressure * exact.along_at_ends() * (at_start ? 1 : at_end ? -1 : 0);
    const Real3 expected = (at_start || at_end ? -0.5 * unit : -unit) * outward + Real3{0, 0, along};
    EXPECT_LT(norm(forces[k] - expected), 1e-11 * unit) << k;
    total = total + forces[k];
  }
  EXPECT_LT(norm(total), 1e-11 * unit * n) << "a sleeve between equal ends has no net force";
}

// The area vectors of a closed surface sum to 0. So the pressure on a tube of any shape has the sum p (A1 + A2), where
// A1 and A2 are the outward area vectors of the polygons at its ends. A pressure from inside has the opposite sign.
TEST(Membranes, TheTotalForceFollowsFromTheOpenEnds) {
  constexpr double pressure = 7e3;
  const Scene scene = crooked_tube(pressure);
  const std::vector<Real3> forces = first_forces(scene), inflated = first_forces(crooked_tube(-pressure));
  const std::uint32_t around = scene.membranes[0].lattice.around;
  const std::vector<Real3>& place = scene.particles.position;
  const std::vector<Real3> low(place.begin(), place.begin() + around), high(place.end() - around, place.end());
  const Real3 expected = pressure * (area_vector(high) - area_vector(low));
  Real3 total{};
  for (const Real3& force : forces) { total = total + force; }
  EXPECT_GT(norm(expected), 1e-3) << "the ends are not alike";
  EXPECT_LT(norm(total - expected), 1e-10 * pressure * area_vector(low)[2]);
  for (std::size_t k = 0; k < forces.size(); ++k) { EXPECT_EQ(inflated[k], -1 * forces[k]); }
}

// The force on a node between the rings at the ends is -p times the gradient of the volume that the sheet encloses. The
// volume is read by another way, and the difference quotient of a polynomial of second order in one coordinate is exact
// but for rounding: to 1e-7.
TEST(Membranes, ForcesAreTheGradientOfTheVolume) {
  constexpr double pressure = 7e3, shift = 1e-5;
  const Scene scene = crooked_tube(pressure);
  const std::vector<Real3> forces = first_forces(scene);
  Snapshot there;
  there.position = scene.particles.position;
  for (std::uint32_t k = 0; k < there.position.size(); ++k) { there.id.push_back(k); }
  for (const std::uint32_t node : {50u, 100u, 333u, 500u}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double volume[2];
      for (const int side : {0, 1}) {
        Snapshot moved = there;
        moved.position[node][axis] += side == 0 ? -shift : shift;
        volume[side] = membrane_volume(moved, scene.membranes[0]);
      }
      const double gradient = (volume[1] - volume[0]) / (2 * shift);
      EXPECT_NEAR(forces[node][axis], -pressure * gradient, 1e-7 * norm(forces[node])) << node << " " << axis;
    }
  }
}

// A regular tube encloses the prisms between its rings, but for the wedges: its faces are triangles between polygons
// that are turned against each other. With V the volume of prisms, such an antiprism has (1 + 2 cos a) / (3 cos a) V,
// from the mean of its cross-sections. To 1e-12, rounding.
TEST(Membranes, VolumeOfARegularTube) {
  const Tube tube;
  const Scene scene = tube_scene(tube, 0, time_step);
  const TubeLattice exact(tube, scene);
  Snapshot there;
  there.position = scene.particles.position;
  for (std::uint32_t k = 0; k < there.position.size(); ++k) { there.id.push_back(k); }
  const double expected = exact.volume_of_prisms() * (1 + 2 * std::cos(exact.half)) / (3 * std::cos(exact.half));
  EXPECT_NEAR(membrane_volume(there, scene.membranes[0]) / expected, 1, 1e-12);
  there.id.back() += 1;  // a node has left the run
  EXPECT_TRUE(std::isnan(membrane_volume(there, scene.membranes[0])));
}

/// [m] Mean radius of the middle ring at rest.
double radius_at_rest(const Scene& scene) {
  const auto engine = start(scene);
  engine->advance(4000);
  const MembraneLattice& lattice = scene.membranes[0].lattice;
  const Snapshot now = engine->snapshot({});
  double sum = 0;
  for (std::uint32_t i = 0; i < lattice.around; ++i) {
    const std::size_t k = (lattice.rings / 2) * lattice.around + i;
    EXPECT_LT(norm(now.velocity[k]), 1e-6);  // a swing of 4e-10 m at the frequency of the tube
    sum += std::hypot(now.position[k][0], now.position[k][1]) / lattice.around;
  }
  return sum;
}

// A tube with free ends under a pressure from inside: the hoop tension p R stretches it by p R / (E t), where the
// triangular lattice of springs k along and s across its bonds has E t = 2 sqrt(3) k (k + s) / (3 k + s) (the energy of
// a uniform strain, summed over three bonds per node). Both cases have the same k; with s = 0.4 k the lattice is 1.24
// times as stiff. The lattice of the tube is not quite equilateral, and its rings are polygons: found 0.4 and 0.1 %,
// tolerance 0.6 %. Without s the axial force of the diagonal bonds vanishes, so that the bonds of a ring bear all: with
// their tension T, 2 T sin a is the force on a node, and T over k and their length is the strain. To 1e-3, since the
// force follows the radius, and the ends have a small force along the axis.
TEST(Membranes, HoopTensionStretchesATube) {
  for (const double ratio : {0.0, 0.4}) {
    Tube tube;
    tube.ratio = ratio;
    tube.damping = 0.5;
    const double area = pi * tube.node * tube.node, normal = tube.young * area / (2 * tube.node);
    const double shear = ratio * normal;
    const double membrane = 2 * std::sqrt(3.0) * normal * (normal + shear) / (3 * normal + shear);
    const double circle = tube.room + tube.node, strain = 1e-4, pressure = strain * membrane / circle;
    const Scene scene = tube_scene(tube, -pressure, 5e-6);
    const double found = radius_at_rest(scene) / circle - 1;
    EXPECT_NEAR(found / strain, 1, 6e-3) << ratio;
    if (ratio > 0) { continue; }
    const TubeLattice exact(tube, scene);
    const double tension = pressure * exact.inward() / (2 * std::sin(exact.half));
    EXPECT_NEAR(found / (tension / (tube.young * area)), 1, 1e-3);
  }
}

// While the rings at its ends stay, the work of the pressure on a tube that it inflates is -p times the change of the
// volume, up to the moment of the last forces, one step before the positions. The ledger takes it from forces and
// velocities by the trapezoidal rule, which is exact but for the third order of the shift in a step: found 9e-12,
// tolerance 1e-9. The ledger closes to the error of the leapfrog: found 4e-8 of the work, tolerance 1e-6.
TEST(Membranes, WorkIsPressureTimesVolume) {
  constexpr double pressure = -2e3;
  Tube tube;
  tube.fixed_ends = fixed_translation | fixed_rotation;
  Scene scene = tube_scene(tube, pressure, 1e-6);
  scene.energies = true;
  const auto engine = start(scene);
  const auto volume = [&] { return membrane_volume(engine->snapshot({}), scene.membranes[0]); };
  const double before = volume();
  for (int look = 0; look < 5; ++look) {
    engine->advance(199);
    const double given = -pressure * (volume() - before);
    engine->advance(1);
    const EnergyLedger energies = engine->energies();
    EXPECT_GT(given, 0);
    EXPECT_NEAR(energies.groups / given, 1, 1e-9) << look;
    EXPECT_LT(std::fabs(energies.error), 1e-6 * given) << look;
  }
}

/// Grains without friction in a soft sleeve between two planes. The rings at the ends keep their radius.
constexpr const char* specimen = R"({ "time": { "duration": 1, "step": 1e-5 }, "gravity": [0, 0, 0],
  "precision": "double",
  "materials": {
    "grain": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0, "restitution": 0.3 },
    "latex": { "density": 2500, "young_modulus": 2e4, "poisson_ratio": 0.2, "friction": 0, "restitution": 0.3 } },
  "contacts": [
    { "between": ["latex", "latex"], "law": "bonded", "bond": { "tensile_strength": 1.9e4, "cohesion": 1e9 } },
    { "between": ["latex", "*"], "law": "hertz_mindlin", "young_modulus": 2e6, "shear_modulus": 1e6 },
    { "between": ["*", "*"], "law": "hertz_mindlin" } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "grain" },
    "lid": { "type": "plane", "point": [0, 0, 0.03], "normal": [0, 0, -1], "material": "grain" } },
  "particles": [
    { "material": "latex", "radius": 0.0013, "membrane": { "name": "sleeve", "from": [0, 0, 0], "to": [0, 0, 0.03],
      "radius": 0.0122, "pressure": [[0, 0], [0.005, 1e4]], "ends": "rings" } },
    { "material": "grain", "radius": { "uniform": [0.0017, 0.002] }, "fill": { "solid_fraction": 0.55, "dense": true,
      "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.03], "radius": 0.0122 } } } ],
  "groups": { "rings": { "fixed": ["x", "y"] } }, "integration": { "damping": 0.2 } })";

// The grains bear the pressure. Their radial stress is the sum of f . b across the axis over all contacts but bonds,
// over twice the volume, where branches b and the volume reach to the centres of the nodes: so it is p at rest, but for
// the part that the bonds and the held rings bear. The bonds have E t = 37 N/m and a strain of some 3 %, which over the
// radius makes 80 Pa of 10 kPa; found 1.7 %, tolerance 3 %.
TEST(Membranes, ASpecimenBearsThePressure) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(specimen, "."), report);
  const SceneMembrane& membrane = scene.membranes.at(0);
  const auto engine = start(scene);
  engine->advance(8000);
  double mean = 0;
  constexpr int looks = 10;
  for (int look = 0; look < looks; ++look) {
    engine->advance(100);
    double sum = 0;
    for (const TouchingContact& contact : engine->touching_contacts()) {
      if (contact.with_boundary || (membrane.has_node(contact.first) && membrane.has_node(contact.second))) {
        continue;
      }
      sum += contact.force[0] * contact.branch[0] + contact.force[1] * contact.branch[1];
    }
    mean += sum / (2 * membrane_volume(engine->snapshot({}), membrane)) / looks;
  }
  EXPECT_EQ(engine->counts().broken_bonds, 0u);
  EXPECT_NEAR(mean / 1e4, 1, 0.03);
}

}  // namespace scree::physics::membranes_test
