#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "case_errors.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/region.hpp"
#include "host/run/inlets.hpp"
#include "running_inlets.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

/// Inlets whose region is a face: a polygon, a disc or a mesh.
namespace scree::test::face_inlets_test {

using geometry::dot;
using packing::FillRegion;

std::unique_ptr<FillRegion> face(const FaceRegion& region, const std::filesystem::path& folder = ".") {
  std::vector<std::string> warnings;
  return packing::make_region(region, folder, warnings);
}

/// Chi-square of counts that should be equal. Its mean is the number of cells less one, its variance twice that; five
/// deviations are passed by chance in fewer than one of 10^5 seeds, and the seed here is fixed.
void expect_even(const std::vector<std::size_t>& counts) {
  double sum = 0, chi = 0;
  for (const std::size_t n : counts) sum += static_cast<double>(n);
  const double mean = sum / static_cast<double>(counts.size());
  for (const std::size_t n : counts) chi += std::pow(static_cast<double>(n) - mean, 2) / mean;
  const double freedom = static_cast<double>(counts.size() - 1);
  EXPECT_NEAR(chi, freedom, 5 * std::sqrt(2 * freedom));
}

constexpr std::size_t draws = 60'000;
constexpr double radius = 0.01;

/// An L of three unit squares, in a tilted plane, each cut into 16 cells.
TEST(FaceInlets, CentresAreUniformOverAPolygonThatIsNotConvex) {
  const Real3 u = geometry::unit({1, 2, 2}), v = geometry::unit(geometry::cross(u, {0, 0, 1}));
  const Real3 normal = geometry::cross(u, v), corner{3, -1, 2};
  FaceRegion region;
  region.polygon.emplace();
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}) {
    region.polygon->push_back(geometry::along(geometry::along(corner, x, u), y, v));
  }
  for (const double side : {1.0, -1.0}) {
    region.flip = side < 0;
    const auto made = face(region);
    packing::Random random(5, 1);
    std::vector<std::size_t> counts(64);
    for (std::size_t k = 0; k < draws; ++k) {
      const FillRegion::Spot spot = made->spot(radius, random);
      const Real3 way = geometry::subtract(spot.centre, corner);
      EXPECT_NEAR(dot(way, normal), side * radius, 1e-5 * radius);
      EXPECT_LT(geometry::length(geometry::along(spot.normal, -side, normal)), 1e-12);
      ASSERT_TRUE(made->holds(spot.centre, radius));
      const double x = dot(way, u), y = dot(way, v);
      ASSERT_TRUE(x >= 0 && y >= 0 && x <= 2 && y <= 2);
      counts[static_cast<std::size_t>(4 * x) % 8 * 8 + static_cast<std::size_t>(4 * y) % 8] += 1;
    }
    std::vector<std::size_t> inside;
    for (std::size_t cell = 0; cell < 64; ++cell) {
      if (cell / 8 < 4 || cell % 8 < 4)
        inside.push_back(counts[cell]);
      else
        EXPECT_EQ(counts[cell], 0u);
    }
    EXPECT_EQ(inside.size(), 48u);
    expect_even(inside);
  }
}

/// Rings of equal area, and gaps in ten equal parts of the depth.
TEST(FaceInlets, CentresAreUniformOverADiscAndItsDepth) {
  FaceRegion region;
  region.disc = DiscFace{{1, 2, 3}, {0, -2, 0}, 0.5};
  region.depth = 0.2;
  const auto made = face(region);
  packing::Random random(6, 1);
  std::vector<std::size_t> rings(20), gaps(10);
  for (std::size_t k = 0; k < draws; ++k) {
    const Real3 way = geometry::subtract(made->spot(radius, random).centre, {1, 2, 3});
    const double share = (way[0] * way[0] + way[2] * way[2]) / 0.25, gap = -way[1] - radius;
    ASSERT_TRUE(share <= 1 + 1e-12 && gap >= 0 && gap <= 0.2 * (1 + 1e-6));
    rings[std::min<std::size_t>(19, static_cast<std::size_t>(20 * share))] += 1;
    gaps[std::min<std::size_t>(9, static_cast<std::size_t>(10 * gap / 0.2))] += 1;
  }
  expect_even(rings);
  expect_even(gaps);
  const geometry::Bounds reach = made->reach(radius);
  EXPECT_LT(reach.lower[1], 2 - 0.2 - 2 * radius);
}

/// The inside of a box of unequal sides: each side gets particles by its area, and none sticks out at an edge.
TEST(FaceInlets, AMeshGetsParticlesByAreaOnItsInnerSide) {
  const ScratchFolder folder;
  write_stl(folder / "box.stl", sample_box({0, 0, 0}, {1, 2, 4}));
  FaceRegion region;
  region.file = "box.stl";
  region.flip = true;
  const auto made = face(region, folder.path());
  packing::Random random(7, 1);
  std::array<double, 3> sides{};
  std::size_t held = 0;
  constexpr double r = 0.05;
  for (std::size_t k = 0; k < draws; ++k) {
    const FillRegion::Spot spot = made->spot(r, random);
    for (std::size_t j = 0; j < 3; ++j) sides[j] += std::fabs(spot.normal[j]);
    if (!made->holds(spot.centre, r)) continue;
    ++held;
    for (std::size_t j = 0; j < 3; ++j) {
      const double size = j == 0 ? 1 : (j == 1 ? 2 : 4);
      ASSERT_TRUE(spot.centre[j] >= r && spot.centre[j] <= size - r);
    }
  }
  // The areas are 16, 8 and 4 of 28. A share p of n draws has the deviation sqrt(p (1 - p) / n): 0.002, five times.
  const std::array<double, 3> areas = {16.0 / 28, 8.0 / 28, 4.0 / 28};
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(sides[j] / draws, areas[j], 0.0101) << j;
  // The spheres that are held lie over the sides without a margin of r: (1 - 2r)(2 - 2r) and so on.
  const double inner = 2 * ((2 - 2 * r) * (4 - 2 * r) + (1 - 2 * r) * (4 - 2 * r) + (1 - 2 * r) * (2 - 2 * r)) / 28;
  EXPECT_NEAR(static_cast<double>(held) / draws, inner, 0.0101);
  EXPECT_EQ(made->mean_normal(), (Real3{}));
}

std::string plate_case(const std::string& inlet) {
  return R"({ "time": { "duration": 0.1, "step": 1e-5 }, "seed": 7, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": { "uniform": [1e-3, 2e-3] }, "inlet": )" +
         inlet + R"( } ],
    "boundaries": { "duct": { "type": "box", "min": [0, 0, -1], "max": [0.06, 0.04, 0.1], "material": "glass" } },
    "domain": { "outlets": { "below": { "point": [0, 0, 0], "normal": [0, 0, -1] } } } })";
}
const std::string plate =
    R"("region": { "face": { "polygon": [[0, 0, 0.1], [0, 0.04, 0.1], [0.06, 0.04, 0.1], [0.06, 0, 0.1]] } })";

struct Running : running_inlets::Running {
  using running_inlets::Running::Running;
  void run_to(std::uint64_t last) {
    while (engine->step() < last) {
      act(last);
      least_gap = std::fmin(least_gap, gap_of_new());
    }
  }
  /// [m] Least gap of the particles that came last to the walls and the lid of the duct, where the plate is.
  [[nodiscard]] double gap_of_new() {
    const Snapshot now = engine->snapshot();
    double gap = 1;
    for (std::size_t i = 0; i < now.id.size(); ++i) {
      if (now.id[i] < seen) continue;
      const Real3& p = now.position[i];
      for (const double room : {p[0], 0.06 - p[0], p[1], 0.04 - p[1], 0.1 - p[2]}) {
        gap = std::fmin(gap, room - now.radius[i]);
      }
      speeds.push_back(now.velocity[i]);
    }
    if (!now.id.empty()) seen = std::max(seen, now.id.back() + 1);
    return gap;
  }

  std::vector<Real3> speeds;
  std::uint32_t seen = 0;
  double least_gap = 1;
};

TEST(FaceInlets, KeepTheirMassFlowAndTouchNothing) {
  Running run(plate_case(R"({ "mass_flow": 0.08, "normal_speed": 2, "velocity": [0.1, 0, 0], )" + plate + " }"));
  const double largest = 2500 * 4.0 / 3.0 * std::numbers::pi * std::pow(2e-3, 3);
  for (std::uint64_t step = 2000; step <= 10000; step += 2000) {
    run.run_to(step);
    const InletReport state = run.inlets.report(run.engine->time()).at(0);
    EXPECT_LE(state.mass, 0.08 * run.engine->time() * (1 + 1e-9));
    EXPECT_GT(state.mass, 0.08 * run.engine->time() - largest);
  }
  EXPECT_TRUE(run.notes.empty());
  EXPECT_GT(run.seen, 100u);
  EXPECT_GT(run.least_gap, 0);  // the lid of the duct is the plate itself
  for (const Real3& velocity : run.speeds) EXPECT_EQ(velocity, (Real3{0.1, 0, -2}));
}

TEST(FaceInlets, GoOnFromAState) {
  const std::string text = plate_case(R"({ "rate": 6000, "normal_speed": 1, )" + plate + " }");
  Running whole(text), part(text), other(text, 2);
  whole.run_to(6000);
  part.run_to(3050);
  other.engine->restore(part.engine->save());
  other.inlets.restore(part.inlets.states());
  other.run_to(6000);
  EXPECT_TRUE(other.engine->hash() == whole.engine->hash());
  EXPECT_GT(whole.seen, 300u);
}

TEST(FaceInlets, BadFacesGetASentence) {
  const auto error = [](const std::string& region, const std::string& more = "") {
    return error_of([&] {
      SceneReport report;
      const Case input = parse_case(plate_case(R"({ "rate": 10, "region": )" + region + more + " }"), ".");
      (void)build_scene(input, report);
    });
  };
  EXPECT_IN(
      "face.polygon: has corners that do not lie in one plane",
      error(R"({ "face": { "polygon": [[0, 0, 0.05], [0.02, 0, 0.05], [0.02, 0.02, 0.05], [0, 0.02, 0.06]] } })"));
  EXPECT_IN(
      "face.polygon: is not the outline of an area",
      error(R"({ "face": { "polygon": [[0, 0, 0.05], [0.03, 0.01, 0.05], [0.02, 0, 0.05], [0, 0.02, 0.05]] } })"));
  EXPECT_IN("face", error(R"({ "face": {} })"));
  EXPECT_IN(
      "face.scale: belongs to \"file\"",
      error(R"({ "face": { "disc": { "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 0.01 }, "scale": 2 } })"));
  EXPECT_IN("inlet.normal_speed: needs a \"face\" as the region",
            error(R"({ "box": [[0, 0, 0], [0.03, 0.03, 0.03]] })", R"(, "normal_speed": 1)"));
  EXPECT_IN("particles.0.fill.face: is a surface without a volume", error_of([&] {
              (void)parse_case(plate_case("{}"), ".",
                               {R"(particles=[{"material": "glass", "radius": 1e-3, "fill": {"count": 3, "face":
                                 {"disc": {"center": [0, 0, 0], "normal": [0, 0, 1], "radius": 0.01}}}}])"});
            }));
}

}  // namespace scree::test::face_inlets_test
