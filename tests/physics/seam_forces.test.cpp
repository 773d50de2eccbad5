#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "seam_meshes.hpp"

// The forces of facets that continue each other have a potential and do not jump, also where the surface is concave.
namespace scree::physics::seam_forces_test {

// The force along a path over the seam. A step of 1e-4 r changes it by less than 1e-3 where the overlap is soft: at
// least 1 % of the radius for each 2.5 degrees. A step of 1e-6 r does so at any overlap and angle; without the
// treatment of seams, the change would be 50 % and more.
TEST(Seams, TheForceDoesNotJump) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    for (const double degrees : {0.5, 2.5, 10.0, 20.0}) {
      for (const double overlap : {1e-3, 1e-2, 0.08}) {
        const double angle = degrees * pi / 180;
        const Scene scene = surface({valley(angle)}, law);
        const double width = 1.2 * radius * std::sin(angle),
                     step = overlap >= 4e-3 * degrees ? 1e-4 * radius : 1e-6 * radius;
        double worst = 0;
        for (int k = 0; k <= 200; ++k) {
          const double s = width * (k / 100.0 - 1);
          const Felt here = felt(scene, above_valley(angle, s, radius * (1 - overlap)));
          const Felt there = felt(scene, above_valley(angle, s + step, radius * (1 - overlap)));
          worst = std::max(worst, norm(there.force - here.force) / norm(here.force));
          EXPECT_EQ(here.contacts, 1U);
        }
        EXPECT_LT(worst, 1e-3) << "law " << int(law) << ", " << degrees << " degrees, overlap " << overlap;
      }
    }
  }
}

// At the place where the second facet begins to count, the force is the same on both sides.
TEST(Seams, TheSecondFacetBeginsAtNothing) {
  for (const double degrees : {0.5, 2.5, 10.0, 20.0}) {
    const double angle = degrees * pi / 180, reach = 0.999 * radius;  // from the seam
    const Scene scene = surface({valley(angle)});
    const auto at = [&](double turn) { return Real3{-reach * std::cos(turn), 0, reach * std::sin(turn)}; };
    for (const double onset : {pi / 2 - angle, pi / 2}) {
      const Felt before = felt(scene, at(onset - 1e-9)), after = felt(scene, at(onset + 1e-9));
      EXPECT_LT(norm(after.force - before.force), 1e-5 * norm(before.force)) << degrees;
    }
  }
}

/// Work over a closed path by the trapezoidal rule, divided by force times length.
double work_around(const Scene& scene, const std::vector<Real3>& path) {
  double work = 0, scale = 0;
  Real3 before = felt(scene, path.back()).force, from = path.back();
  for (const Real3& place : path) {
    const Real3 force = felt(scene, place).force;
    work += 0.5 * dot(before + force, place - from);
    scale += norm(force) * norm(place - from);
    before = force, from = place;
  }
  return std::abs(work) / scale;
}

// Closed paths over the seams, at varying depth: the work of a potential is 0. Tolerance 2e-4, the error of the
// trapezoidal rule.
TEST(Seams, ForcesHaveAPotential) {
  const auto around = [](const Real3& centre, double wide, double deep, int n) {
    std::vector<Real3> path;
    for (int k = 0; k < n; ++k) {
      const double turn = 2 * pi * k / n;
      path.push_back(centre + Real3{wide * std::cos(turn), 0.5 * wide * std::cos(turn + 1), deep * std::sin(turn)});
    }
    return path;
  };
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    for (const double degrees : {2.5, 15.0}) {
      const Scene scene = surface({valley(degrees * pi / 180)}, law);
      EXPECT_LT(work_around(scene, around({0, 0, 0.975 * radius}, 0.3 * radius, 0.015 * radius, 1000)), 2e-4)
          << degrees;
    }
    const Scene bowl = surface({icosphere(0.05, 3)}, law);
    EXPECT_LT(work_around(
                  bowl, around({0.0003, 0.0002, -(0.05 - radius) - 0.04 * radius}, 0.3 * radius, 0.02 * radius, 1000)),
              1e-3);
  }
}

// Shallow overlaps in a valley: neither contact reaches the seam, so the force is exactly the sum for two planes.
TEST(Seams, BothSidesBearWhereTheSeamIsOutOfReach) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    const double angle = 15 * pi / 180, overlap = 1e-4 * radius;
    const Scene scene = surface({valley(angle)}, law);
    const double height = (radius - overlap) / std::cos(0.5 * angle);
    const Felt in_valley = felt(scene, {-height * std::sin(0.5 * angle), 0, height * std::cos(0.5 * angle)});
    const Felt on_plane = felt(scene, {-0.02, 0, radius - overlap});
    EXPECT_EQ(in_valley.contacts, 1U);
    EXPECT_NEAR(norm(in_valley.force) / norm(on_plane.force), 2 * std::cos(0.5 * angle), 1e-6);
  }
}

// Refined facets approach the smooth surface: the force in a fine cylinder of facets against the force in the shell.
TEST(Seams, FineFacetsAreFeltAsTheShell) {
  Scene smooth = linear_scene({soft_young, 0.3, 2600}, 0, 1e-9);
  add_cylinder(smooth, {0, -0.5, 0}, {0, 0.5, 0}, shell);
  const Scene facets = surface({strips(1440)});
  Numbers numbers(3);
  for (int k = 0; k < 50; ++k) {
    const double turn = numbers.between(0, 2 * pi), orbit = shell - radius * 0.98;
    const Real3 place{orbit * std::cos(turn), 0.01, orbit * std::sin(turn)};
    EXPECT_LT(norm(felt(facets, place).force - felt(smooth, place).force),
              1e-2 * linear_stiffness * 0.02 * radius);  // strips lie 2e-7 m inside
  }
}

// A sphere that plugs a funnel of facets touches it all around. It rests on the facets and does not fall through.
TEST(Seams, ARingOfFacetsBears) {
  for (const std::uint32_t count : {12U, 200U}) {
    TriangleMesh funnel;
    for (std::uint32_t k = 0; k < count; ++k) {
      const double turn = 2 * pi * k / count;
      funnel.vertices.push_back({0.02 * std::cos(turn), 0.02 * std::sin(turn), 0.02});
    }
    funnel.vertices.push_back({0, 0, 0});
    for (std::uint32_t k = 0; k < count; ++k) { funnel.triangles.push_back({k, (k + 1) % count, count}); }
    const double facet_height = std::cos(pi / count);
    // The distance of the axis from a facet, and the force of one contact along the axis.
    const double slope = std::atan(facet_height), overlap = 0.01 * radius;
    const Felt one = felt(surface({funnel}), {0, 0, (radius - overlap) / std::sin(slope)});
    const double alone = linear_stiffness * overlap * std::sin(slope);
    EXPECT_GE(one.force[2], 0.999 * alone) << count;
    EXPECT_LE(one.force[2], 1.001 * count * alone) << count;
  }
}

}  // namespace scree::physics::seam_forces_test
