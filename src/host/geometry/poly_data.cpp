#include "host/geometry/poly_data.hpp"

#include <utility>

#include "host/geometry/polygon.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr std::size_t most_corners = 1000;  // limits the time of ear clipping, which grows steeply with the corners

}  // namespace

const Real3& PolyData::point(std::uint64_t index) const {
  if (index < points.size()) return points[index];
  throw CaseError("", "has a cell with the point " + std::to_string(index) + ", but only " +
                          std::to_string(points.size()) + " points");
}

void PolyData::add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  soup_.triangles.push_back({point(a), point(b), point(c)});
}

void PolyData::add_polygon(const std::vector<std::uint64_t>& corners) {
  const std::string polygon = "polygon " + std::to_string(++cells_);
  if (corners.size() < 3) throw CaseError("", polygon + ": a polygon needs at least three corners");
  if (corners.size() == 3) return add(corners[0], corners[1], corners[2]);
  if (corners.size() > most_corners) {
    throw CaseError("", polygon + " has " + std::to_string(corners.size()) + " corners; at most " +
                            std::to_string(most_corners) + " are cut into triangles");
  }
  std::vector<Real3> outline;
  for (const std::uint64_t corner : corners) outline.push_back(point(corner));
  const auto cut = triangles_of(outline);
  if (!cut) throw CaseError("", polygon + " crosses itself or has no area");
  for (const auto& [a, b, c] : *cut) soup_.triangles.push_back({outline[a], outline[b], outline[c]});
}

void PolyData::add_strip(const std::vector<std::uint64_t>& corners) {
  const std::string strip = "strip " + std::to_string(++cells_);
  if (corners.size() < 3) throw CaseError("", strip + ": a strip needs at least three corners");
  for (std::size_t k = 2; k < corners.size(); ++k) {
    k % 2 == 0 ? add(corners[k - 2], corners[k - 1], corners[k]) : add(corners[k - 1], corners[k - 2], corners[k]);
  }
}

TriangleSoup PolyData::triangles() && {
  if (soup_.triangles.empty()) throw CaseError("", "has no polygons and no triangle strips");
  return std::move(soup_);
}

}  // namespace scree::geometry
