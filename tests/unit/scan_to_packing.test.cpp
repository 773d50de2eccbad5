#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "case_in_folder.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/random.hpp"
#include "scree/engine.hpp"

// From a scan to a packing at rest: an image of labelled voxels, templates of its grains, a rain of them into a box.
namespace scree::test::scan_to_packing_test {

using geometry::add;
using geometry::length;
using geometry::scaled;
using geometry::subtract;

constexpr double voxel = 4e-4, width = 0.026;  ///< [m] of a voxel, of the box
constexpr std::size_t copies = 8;              ///< of each of the three grains
constexpr std::array<std::uint32_t, 3> voxels{100, 34, 34};

/// Distance [voxels] of a point from the surface of grain 1 to 3, about: an ellipsoid, a bean of three balls, and a
/// brick with round edges.
double distance_from(std::uint32_t grain, const Real3& x) {
  if (grain == 1) { return (length({x[0] / 13, x[1] / 9, x[2] / 8}) - 1) * 8; }
  if (grain == 2) {
    return std::min({length(subtract(x, {-5, 0, -1})) - 7.5, length(subtract(x, {5, 0, -1})) - 7,
                     length(subtract(x, {0, 0, 3})) - 6});
  }
  Real3 beyond{};
  for (std::size_t k = 0; k < 3; ++k) { beyond[k] = std::max(std::abs(x[k]) - std::array{8.0, 5.0, 3.0}[k], 0.0); }
  return length(beyond) - 3;
}

/// An image as NRRD with three turned grains side by side. Voxels at the surface are noisy, as of a scan. Adds up the
/// voxels of each grain.
std::string scan(std::array<double, 3>& counted) {
  packing::Random random(17, 0);
  std::string labels(std::size_t{voxels[0]} * voxels[1] * voxels[2], '\0');
  for (std::uint32_t grain = 1; grain <= 3; ++grain) {
    const clumps::Orientation back = clumps::random_orientation(random);
    const Real3 middle{33.0 * grain - 16.3, 16.7, 16.4};
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const std::size_t i = n % voxels[0], j = n / voxels[0] % voxels[1], k = n / voxels[0] / voxels[1];
      const Real3 x = subtract({double(i), double(j), double(k)}, middle);
      if (length(x) < 16 && distance_from(grain, clumps::turned(back, x)) < 0.25 * random.normal()) {
        labels[n] = static_cast<char>(grain);
        counted[grain - 1] += 1;
      }
    }
  }
  return "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 100 34 34\nencoding: raw\nspacings: 1 1 1\n\n" + labels;
}

std::string rain() {
  const std::string shape = R"({ "type": "level_set", "file": "scan.nrrd", "scale": 4e-4, "grid_spacing": 7e-4)";
  std::string text = R"({ "time": { "duration": 1, "step": 2.5e-5 }, "seed": 5,
    "materials": {
      "stone": { "density": 2600, "young_modulus": 2e7, "poisson_ratio": 0.25, "friction": 0.5, "restitution": 0.2 },
      "glass": { "density": 2600, "young_modulus": 2e7, "poisson_ratio": 0.25, "friction": 0, "restitution": 0.2 } },
    "boundaries": {
      "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "stone" },
      "left": { "type": "plane", "point": [0, 0, 0], "normal": [1, 0, 0], "material": "glass" },
      "right": { "type": "plane", "point": [0.026, 0, 0], "normal": [-1, 0, 0], "material": "glass" },
      "front": { "type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0], "material": "glass" },
      "back": { "type": "plane", "point": [0, 0.026, 0], "normal": [0, -1, 0], "material": "glass" } },
    "shapes": { )";
  for (int k = 1; k <= 3; ++k) {
    text += (k > 1 ? ", \"" : "\"") + std::to_string(k) + "\": " + shape + ", \"label\": " + std::to_string(k) + " }";
  }
  text += " }, \"particles\": [";
  for (int k = 1; k <= 3; ++k) {
    text += (k > 1 ? "," : "") + std::string(R"({ "material": "stone", "velocity": [0, 0, -0.8], "shape": ")") +
            std::to_string(k) + R"(", "fill": { "box": [[0, 0, 0.001], [0.026, 0.026, 0.14]], "count": 8 } })";
  }
  return text + "] }";
}

/// A grain at the end: what it is, and where.
struct Grain {
  const GrainShape& shape;
  double size;
  const SnapshotClump& at;

  Real3 world(const Real3& x) const { return add(at.position, clumps::turned(at.orientation, scaled(x, size))); }
  /// [m] The level set at a place in the world; a large number outside of the grid.
  double distance(const Real3& x) const {
    const auto& q = at.orientation;
    const Real3 local = scaled(clumps::turned({q[0], -q[1], -q[2], -q[3]}, subtract(x, at.position)), 1 / size);
    std::array<std::size_t, 3> cell{};
    Real3 part{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double u = (local[k] - shape.origin[k]) / shape.spacing;
      if (!(u >= 0 && u < shape.size[k] - 1)) { return 1; }
      cell[k] = static_cast<std::size_t>(u);
      part[k] = u - double(cell[k]);
    }
    double sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      double weight = 1;
      std::array<std::size_t, 3> p{};
      for (std::size_t k = 0; k < 3; ++k) {
        const bool high = (corner >> k & 1) != 0;
        p[k] = cell[k] + (high ? 1 : 0);
        weight *= high ? part[k] : 1 - part[k];
      }
      sum += weight * shape.phi[(p[2] * shape.size[1] + p[1]) * shape.size[0] + p[0]];
    }
    return size * sum;
  }
};

class ScanToPacking : public CaseInFolder {
 protected:
  ScanToPacking() : CaseInFolder(rain()) {
    ::setenv("SCREE_CACHE", "", 1);
    write_text(folder / "scan.nrrd", scan(counted));
  }
  ~ScanToPacking() override { ::unsetenv("SCREE_CACHE"); }
  std::array<double, 3> counted{};  ///< voxels of each grain
};

/// [J] translation and rotation.
double kinetic_energy(const SnapshotClump& c) {
  const auto& q = c.orientation;
  const Real3 spin = clumps::turned({q[0], -q[1], -q[2], -q[3]}, c.angular_velocity);
  double twice = c.mass * geometry::squared_length(c.velocity);
  for (std::size_t k = 0; k < 3; ++k) { twice += c.inertia[k] * spin[k] * spin[k]; }
  return 0.5 * twice;
}

/// [m] How deep a node of one grain lies in another one, at most.
double deepest_node(const std::vector<Grain>& grains) {
  double deepest = 0;
  for (const Grain& one : grains) {
    for (const Real3& node : one.shape.node) {
      const Real3 x = one.world(node);
      for (const Grain& other : grains) {
        if (&one != &other) { deepest = std::max(deepest, -other.distance(x)); }
      }
    }
  }
  return deepest;
}

/// Shares of the points of a lattice in the box below a height that are in one grain or more, and in several.
std::array<double, 2> filled_share(const std::vector<Grain>& grains, double height) {
  constexpr int n = 60;
  std::array<double, 2> share{};
  for (int p = 0; p < n * n * n; ++p) {
    const int i = p % n, j = p / n % n, k = p / n / n;
    const Real3 x{(i + 0.5) * width / n, (j + 0.5) * width / n, (k + 0.5) * height / n};
    const auto in = std::count_if(grains.begin(), grains.end(), [&](const Grain& g) { return g.distance(x) < 0; });
    share[0] += in > 0 ? 1.0 / (n * n * n) : 0;
    share[1] += in > 1 ? 1.0 / (n * n * n) : 0;
  }
  return share;
}

TEST_F(ScanToPacking, GrainsOfAnImageComeToRestInABox) {
  const Scene scene = built();
  ASSERT_EQ(scene.grain_shapes.size(), 3u);
  double radius = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const GrainShape& shape = scene.grain_shapes[k];
    EXPECT_NEAR(shape.volume / (counted[k] * voxel * voxel * voxel), 1, 0.01);
    radius = std::min(radius, shape.equivalent_radius);
  }
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Snapshot now = engine->snapshot();
  double weight = 0;
  for (const SnapshotClump& c : now.clumps) { weight += 9.81 * c.mass; }
  // At rest: 1e-4 of the energy that lifts a grain by its radius.
  const double little = 1e-4 * weight * radius;
  double energy = 1;
  while (energy >= little && engine->step() < 25'000) {
    engine->advance(500);
    now = engine->snapshot();
    energy = 0;
    for (const SnapshotClump& c : now.clumps) { energy += kinetic_energy(c); }
  }
  EXPECT_LT(energy, little);
  // The walls have no friction: the floor carries all grains. Measured: 6e-4, by what still moves.
  EXPECT_NEAR(-engine->boundary_loads().at(0).force[2] / weight, 1, 0.02);

  std::vector<Grain> grains;
  for (const SnapshotClump& c : now.clumps) { grains.push_back({scene.grain_shapes.at(c.shape), 1, c}); }
  ASSERT_EQ(grains.size(), 3 * copies);
  double outside = 0, top = 0;
  for (const Grain& grain : grains) {
    for (const Real3& node : grain.shape.node) {
      const Real3 x = grain.world(node);
      outside = std::max({outside, -x[2], -x[0], x[0] - width, -x[1], x[1] - width});
      top = std::max(top, x[2]);
    }
  }
  // Single nodes carry some of the grains. Measured: 0.03 and 0.054 of the radius, a third of a spacing of the grid.
  EXPECT_LT(outside, 0.05 * radius);
  EXPECT_LT(deepest_node(grains), 0.08 * radius);
  // Loose packings of such grains between walls fill a half and more.
  EXPECT_GT(top, 4 * radius);
  const auto [filled, twice] = filled_share(grains, 0.7 * top);
  EXPECT_GT(filled, 0.48);
  EXPECT_LT(filled, 0.64);
  EXPECT_LT(twice, 0.001);
}

}  // namespace scree::test::scan_to_packing_test
