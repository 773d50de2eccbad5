#include "host/measure/nearest_points.hpp"

#include <gtest/gtest.h>

#include <random>

namespace scree::test::nearest_points_test {

TEST(NearestPoints, AreThoseOfAllDistances) {
  std::mt19937_64 random(3);
  const auto number = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  // In a cube, near a plane, on a line, and all in one place.
  for (const Real3 size : {Real3{1, 1, 1}, Real3{1, 3, 0.001}, Real3{0, 0, 2}, Real3{0, 0, 0}}) {
    std::vector<Real3> points;
    for (int i = 0; i < 300; ++i) {
      const double x = number(), y = number();
      points.push_back({5 + size[0] * x, size[1] * y * y, -1 + size[2] * number()});
    }
    const NearestPoints nearest(points);
    for (const std::size_t count : {1U, 12U, 299U}) {
      for (std::size_t i = 0; i < points.size(); i += 7) {
        std::vector<std::pair<double, std::size_t>> all;
        for (std::size_t j = 0; j < points.size(); ++j) {
          if (j != i) { all.emplace_back(geometry::squared_length(geometry::subtract(points[j], points[i])), j); }
        }
        std::sort(all.begin(), all.end());
        std::vector<std::size_t> expected, found;
        for (std::size_t k = 0; k < count; ++k) { expected.push_back(all[k].second); }
        nearest.of(i, count, found);
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected) << i;
      }
    }
  }
}

// A few lost points neither stretch the cubes of the others nor are lost themselves.
TEST(NearestPoints, FarOnesAreFoundAsWell) {
  std::mt19937_64 random(5);
  const auto number = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  std::vector<Real3> points;
  for (int i = 0; i < 5000; ++i) {
    const double x = number(), y = number();
    points.push_back({x, y, number()});
  }
  points[17] = {1e3, 2, -5}, points[2000] = {-40, 0.5, 0.5}, points[4999] = {0.5, 0.5, 1e5};
  const geometry::Bounds box = geometry::box_of_most(points);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(box.lower[k], 0, 0.01);
    EXPECT_NEAR(box.upper[k], 1, 0.01);
  }
  const NearestPoints nearest(points);
  for (const std::size_t i : {17U, 2000U, 4999U, 0U, 1U, 3000U}) {
    std::vector<std::pair<double, std::size_t>> all;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j != i) { all.emplace_back(geometry::squared_length(geometry::subtract(points[j], points[i])), j); }
    }
    std::sort(all.begin(), all.end());
    std::vector<std::size_t> expected, found;
    for (std::size_t k = 0; k < 6; ++k) { expected.push_back(all[k].second); }
    nearest.of(i, 6, found);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << i;
  }
}

}  // namespace scree::test::nearest_points_test
