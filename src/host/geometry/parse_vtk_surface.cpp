#include <utility>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/poly_data.hpp"
#include "host/geometry/vtk_legacy.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

/// A legacy VTK file with a surface. Its vertices and lines are skipped.
class VtkSurface final : public LegacyVtk {
 public:
  using LegacyVtk::LegacyVtk;

  TriangleSoup read() {
    read_head("polydata");
    while (true) {
      const std::string section = lower_case(word());
      if (section.empty()) break;
      if (section == "points") {
        surface_.points = points();
      } else if (section == "vertices" || section == "lines") {
        static_cast<void>(cells(section));
      } else if (section == "polygons") {
        polygons_ = take(section);
      } else if (section == "triangle_strips") {
        strips_ = take(section);
      } else {
        take_data(section);
      }
    }
    try {
      add_all(polygons_, [&](const auto& corners) { surface_.add_polygon(corners); });
      add_all(strips_, [&](const auto& corners) { surface_.add_strip(corners); });
      return std::move(surface_).triangles();
    } catch (const CaseError& error) { fail(error.problems().front().message); }
  }

 private:
  struct Section {
    VtkCells cells;
    std::size_t count = 0;
  };
  /// Reads a section of cells. `count` is set only for cells with offsets (from version 5 on).
  Section take(const std::string& section) {
    Section taken;
    taken.cells = cells(section);
    if (taken.cells.has_offsets && !taken.cells.offsets.empty()) taken.count = taken.cells.offsets.size() - 1;
    return taken;
  }

  template <class Add>
  static void add_all(const Section& section, const Add& add) {
    std::size_t begin = 0;
    if (section.cells.has_offsets) {
      for (std::size_t cell = 0; cell < section.count; ++cell) add(section.cells.take(cell, begin));
    } else {
      while (begin < section.cells.corners.size()) add(section.cells.take(0, begin));
    }
  }

  Section polygons_, strips_;
  PolyData surface_;
};

}  // namespace

TriangleSoup parse_vtk_surface(const std::string& content, const std::string& name) {
  if (content.empty()) throw CaseError(name, "is empty");
  return VtkSurface(content, name).read();
}

}  // namespace scree::geometry
