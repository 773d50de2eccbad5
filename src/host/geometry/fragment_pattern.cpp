#include "host/geometry/fragment_pattern.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr std::array<std::uint64_t, 7> pattern_sizes = {2, 4, 6, 8, 13, 14, 33};
constexpr double narrower = 1 - 1e-6;

using Directions = std::vector<Real3>;

/// All different unit vectors that follow from one vector when the signs of its components are changed and, with
/// `shifts`, when its components are shifted cyclically.
Directions signed_shifts(const Real3& one, bool shifts) {
  Directions found;
  for (std::size_t shift = 0; shift < (shifts ? 3U : 1U); ++shift) {
    for (unsigned signs = 0; signs < 8; ++signs) {
      Real3 v{};
      bool is_new = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const bool minus = (signs >> k & 1U) != 0;
        if (minus && one[k] == 0) { is_new = false; }
        v[(k + shift) % 3] = minus ? -one[k] : one[k];
      }
      if (is_new) { found.push_back(unit(v)); }
    }
  }
  return found;
}

Directions tetrahedron(double sign) {
  Directions corners = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (Real3& corner : corners) { corner = unit(scaled(corner, sign)); }
  return corners;
}
Directions octahedron() { return signed_shifts({1, 0, 0}, true); }
Directions cube() { return signed_shifts({1, 1, 1}, false); }
Directions icosahedron() { return signed_shifts({0, 1, 0.5 * (1 + std::sqrt(5.0))}, true); }
Directions dodecahedron() {
  const double golden = 0.5 * (1 + std::sqrt(5.0));
  Directions corners = cube();
  // This order of the components makes the corners the face normals of icosahedron().
  for (const Real3& corner : signed_shifts({0, golden, 1 / golden}, true)) { corners.push_back(corner); }
  return corners;
}

class PatternMaker {
 public:
  /// Places equal spheres in these directions, as large as they can be inside the unit sphere.
  explicit PatternMaker(const Directions& corners) {
    double nearest = -1;  // cosine of the angle between two neighbours
    for (std::size_t k = 1; k < corners.size(); ++k) { nearest = std::max(nearest, dot(corners[0], corners[k])); }
    const double half = std::sqrt(0.5 * (1 - nearest));  // sine of half the angle
    radius_ = half / (1 + half);
    distance_ = 1 - radius_;
    corner_ = corners[0];
    add(corners, distance_, radius_);
  }
  /// Adds a sphere in each of these directions that touches the nearest corner spheres and the unit sphere.
  void fill_holes(const Directions& faces) {
    double nearest = -1;
    for (const Real3& face : faces) { nearest = std::max(nearest, dot(corner_, face)); }
    const double reach = 1 + radius_;
    const double distance = (reach * reach - distance_ * distance_) / (2 * (reach - distance_ * nearest));
    add(faces, distance, 1 - distance);
  }
  void fill_middle() { add({{0, 0, 0}}, 0, distance_ - radius_); }
  [[nodiscard]] FragmentPattern pattern() && {
    for (double& radius : pattern_.radius) {
      radius *= narrower;
      pattern_.volume += radius * radius * radius;
    }
    return std::move(pattern_);
  }

 private:
  void add(const Directions& directions, double distance, double radius) {
    for (const Real3& direction : directions) {
      pattern_.centre.push_back(scaled(direction, distance));
      pattern_.radius.push_back(radius);
    }
  }

  double radius_ = 0, distance_ = 0;
  Real3 corner_{};
  FragmentPattern pattern_;
};

}  // namespace

bool has_pattern(std::uint64_t fragments) {
  return std::find(pattern_sizes.begin(), pattern_sizes.end(), fragments) != pattern_sizes.end();
}

std::string pattern_sizes_text() {
  std::string text;
  for (std::size_t k = 0; k < pattern_sizes.size(); ++k) {
    text += (k == 0 ? "" : k + 1 < pattern_sizes.size() ? ", " : " or ") + std::to_string(pattern_sizes.at(k));
  }
  return text;
}

FragmentPattern fragment_pattern(std::uint64_t fragments) {
  SCREE_EXPECT(has_pattern(fragments), "no pattern has " + std::to_string(fragments) + " fragments");
  PatternMaker maker(fragments == 2                      ? Directions{{0, 0, 1}, {0, 0, -1}}
                     : fragments == 4 || fragments == 8  ? tetrahedron(1)
                     : fragments == 6 || fragments == 14 ? octahedron()
                                                         : icosahedron());
  if (fragments == 13 || fragments == 33) { maker.fill_middle(); }
  if (fragments == 8) { maker.fill_holes(tetrahedron(-1)); }
  if (fragments == 14) { maker.fill_holes(cube()); }
  if (fragments == 33) { maker.fill_holes(dodecahedron()); }
  return std::move(maker).pattern();
}

}  // namespace scree::geometry
