#include <algorithm>

#include "pair_lists.hpp"

/// The neighbour search of periodic cells against a comparison of all images with all (E09 with image vectors).
namespace scree::inline SCREE_BACKEND::cell_search_test {

/// x rounded to a multiple of 2^-45 m: positions that the cell need not round.
double on_grid(double x) { return std::round(std::ldexp(x, 45)) * 0x1p-45; }

struct ListedImage {
  std::uint32_t first, second;
  std::int32_t a, b, c;
  auto operator<=>(const ListedImage&) const = default;
};

template <class R>
std::vector<ListedImage> listed_images(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto image = SystemProbe::pairs(system).image.to_vector();
  std::vector<ListedImage> listed;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Image to = image_of(image[k]);
    listed.push_back({id[pairs[k].first], id[pairs[k].second], to.a, to.b, to.c});
  }
  std::sort(listed.begin(), listed.end());
  return listed;
}

/// All pairs of images within reach, by brute force in the arithmetic of the engine.
template <class R>
std::vector<ListedImage> near_images(const Scene& scene, const std::vector<R>& skin) {
  std::vector<ListedImage> near;
  const auto& p = scene.particles;
  const Matrix3& e = scene.cell->edges;
  const auto most = [&](std::size_t k) { return scene.cell->periodic[k] ? 3 : 0; };
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    for (std::uint32_t j = i + 1; j < p.size(); ++j) {
      for (int a = -most(0); a <= most(0); ++a) {
        for (int b = -most(1); b <= most(1); ++b) {
          for (int c = -most(2); c <= most(2); ++c) {
            Vec3d branch;
            const auto along = [&](std::size_t k) {
              return p.position[j][k] - p.position[i][k] + (a * e[0][k] + b * e[1][k] + c * e[2][k]);
            };
            branch = {along(0), along(1), along(2)};
            const double reach = (double(static_cast<R>(p.radius[i])) + double(skin[i])) +
                                 (double(static_cast<R>(p.radius[j])) + double(skin[j]));
            if (dot(branch, branch) <= reach * reach) { near.push_back({i, j, a, b, c}); }
          }
        }
      }
    }
  }
  std::sort(near.begin(), near.end());
  return near;
}

/// Bodies at random places in a skewed cell, or up to 0.12 edges outside.
Scene random_cell(Random& random, std::uint64_t n, double ratio, bool sheared, const std::array<bool, 3>& periodic) {
  Scene scene = glass_scene();
  std::vector<double> radii;
  double volume = 0, largest = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double tail = 1 - random(0, 1) * (1 - std::pow(ratio, -2));
    radii.push_back(bead / std::sqrt(tail));
    volume += 4.2 * radii.back() * radii.back() * radii.back();
    largest = std::max(largest, radii.back());
  }
  const double side = std::max(std::cbrt(volume / random(0.2, 0.5)), 6.5 * largest);
  PeriodicCell cell;
  cell.periodic = periodic;
  const auto skew = [&] { return sheared ? on_grid(random(-0.49, 0.49) * side) : 0.0; };
  const auto length = [&] { return on_grid(side * random(0.9, 1.3)); };
  cell.edges = {{{length(), 0, 0}, {skew(), length(), 0}, {skew(), skew(), length()}}};
  cell.origin = {on_grid(random(-1, 1) * side), on_grid(random(-1, 1) * side), 0};
  for (const double radius : radii) {
    Real3 x = cell.origin;
    for (std::size_t k = 0; k < 3; ++k) {
      const double s = random(-0.12, 1.12);
      for (std::size_t axis = 0; axis < 3; ++axis) { x[axis] += s * cell.edges[k][axis]; }
    }
    add_body(scene, {on_grid(x[0]), on_grid(x[1]), on_grid(x[2])}, radius);
  }
  scene.cell = cell;
  return scene;
}

template <class R>
void expect_all_images(const Scene& scene, int threads) {
  System<R> system(scene, threads);
  make_lists(system);
  const auto expected = near_images<R>(scene, skins_by_id(system));
  const auto listed = listed_images(system);
  EXPECT_EQ(listed.size(), expected.size());
  ASSERT_TRUE(listed == expected) << "the lists differ from comparing all images with all";
  expect_ordered_incidence(system);
}

class CellSearch : public BackendTest {};

TEST_F(CellSearch, FindsTheImagesThatComparingAllFinds) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const std::uint64_t mix = seed % 8;
    const bool sheared = seed % 3 != 0;
    const std::array<bool, 3> periodic = sheared || mix == 0
                                             ? std::array<bool, 3>{true, true, true}
                                             : std::array<bool, 3>{(mix & 1) != 0, (mix & 2) != 0, (mix & 4) != 0};
    const double ratio = seed % 4 == 0 ? 1 : (seed % 4 == 1 ? 6 : 1.5);
    Scene scene = random_cell(random, 40 + random.whole(300), ratio, sheared, periodic);
    scene.verlet_auto = seed % 2 == 0;
    if (scene.verlet_auto) { add_speeds(scene, random); }
    expect_all_images<float>(scene, 1);
    scene.precision = Precision::double_;
    expect_all_images<double>(scene, 2);
  }
}

TEST_F(CellSearch, CellThatIsTooNarrowIsRefused) {
  Random random(1);
  Scene scene = random_cell(random, 100, 1, false, {true, true, true});
  scene.cell->edges[1][1] = 3.9 * bead;
  System<float> system(scene, 1);
  try {
    system.advance(1, nullptr);
    FAIL() << "a cell that is less than four radii wide has neighbours through two images";
  } catch (const KernelFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("3.9"), std::string::npos) << fault.what();
    EXPECT_NE(std::string(fault.what()).find("4.2 times"), std::string::npos) << fault.what();
  }
}

}  // namespace scree::inline SCREE_BACKEND::cell_search_test
