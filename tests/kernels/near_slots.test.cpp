#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/backend/eight_rows.hpp"
#include "kernels/shapes/closest_eight.hpp"
#include "support.hpp"

/// On the host slots of boundaries are looked at by vectors before their contacts are computed.
#if !SCREE_ON_CUDA
namespace scree::inline SCREE_BACKEND::near_slots_test {

using NearSlotsTest = BackendTest;

using Eights = std::array<Vec3d, 8>;

/// Points that lie in all regions of a triangle, and on the borders between them: coordinates are often equal.
TEST_F(NearSlotsTest, ClosestPointsOfTrianglesHaveTheBitsOfSingleOnes) {
  Random random(11);
  std::array<std::size_t, 7> regions{};
  const auto coordinate = [&](bool coarse) { return coarse ? 0.5 * double(int(random(-3, 3))) : random(-1.5, 1.5); };
  for (int n = 0; n < 4000; ++n) {
    const bool coarse = n % 2 == 0;
    std::array<Eights, 4> corner;
    for (Eights& points : corner) {
      for (Vec3d& p : points) { p = {coordinate(coarse), coordinate(coarse), coordinate(coarse)}; }
    }
    const ClosestOnTriangles eight = closest_on_triangles(load_eight(corner[0].data()), load_eight(corner[1].data()),
                                                          load_eight(corner[2].data()), load_eight(corner[3].data()));
    for (std::size_t i = 0; i < 8; ++i) {
      const Vec3d x = corner[0][i], a = corner[1][i], b = corner[2][i], c = corner[3][i];
      const Vec3d normal = cross(b - a, c - a);
      if (!(dot(normal, normal) > 0)) { continue; }  // the reader of meshes leaves out facets without an area
      const ClosestOnTriangle one = closest_on_triangle(x, a, b, c);
      ++regions[static_cast<std::size_t>(one.region)];
      const Vec3d away = x - one.point;
      ASSERT_EQ(dot(away, away), eight.square_distance.lane[i]) << n << " " << i;
      ASSERT_EQ(static_cast<long long>(one.region), eight.region[i]) << n << " " << i;
      const Vec3d point = in_lane(eight.point, static_cast<int>(i));
      ASSERT_EQ(0, std::memcmp(&one.point, &point, sizeof point)) << n << " " << i;
    }
  }
  for (const std::size_t count : regions) { EXPECT_GT(count, 200u); }
}

}  // namespace scree::inline SCREE_BACKEND::near_slots_test
#endif
