#include <utility>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/poly_data.hpp"
#include "host/geometry/vtk_xml.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

/// An XML VTK file with one or more pieces of a surface. Its vertices, lines and data are skipped.
class VtpFile {
 public:
  VtpFile(std::string_view content, const std::string& name) : content_(content), name_(name), tags_(content, name) {}

  TriangleSoup read() {
    const auto file = tags_.next();
    if (!file || file->name != "VTKFile") fail("is no VTK file in XML: it does not start with the tag VTKFile");
    if (file->attribute("type") != "PolyData") {
      fail("holds the type \"" + file->attribute("type").substr(0, 40) + "\"; a surface is PolyData");
    }
    const VtkArrays arrays(*file, content_, name_);
    std::string section;
    while (const auto tag = tags_.next()) {
      if (tag->name == "AppendedData") break;  // its bytes are not XML
      if (tag->name == "DataArray" && !tag->closes) {
        take(section, *tag, arrays);
      } else if (tag->name == "Piece" && tag->closes) {
        end_piece();
      } else if (!tag->empty && is_section(tag->name)) {
        section = tag->closes ? std::string() : tag->name;
      }
    }
    try {
      return std::move(surface_).triangles();
    } catch (const CaseError& error) { fail(error.problems().front().message); }
  }

 private:
  /// Whether a tag contains arrays.
  static bool is_section(const std::string& name) {
    return name == "Points" || name == "Polys" || name == "Strips" || name == "Verts" || name == "Lines" ||
           name == "PointData" || name == "CellData" || name == "FieldData";
  }
  [[noreturn]] void fail(const std::string& message) const { throw CaseError(name_, message); }

  void take(const std::string& section, const XmlTag& array, const VtkArrays& arrays) {
    if (section == "Points") {
      const std::string columns = array.attribute("NumberOfComponents");
      points_ = arrays.numbers(array);
      if (columns != "3" || points_.size() % 3 != 0) fail("has points without three components");
    }
    if (section != "Polys" && section != "Strips") return;
    VtkCells& cells = section == "Polys" ? polygons_ : strips_;
    const std::string label = array.attribute("Name");
    if (label == "connectivity") cells.corners = arrays.numbers(array);
    if (label == "offsets") {  // the file lists the ends of the cells; VtkCells also needs the beginning of the first
      cells.offsets = arrays.numbers(array);
      cells.offsets.insert(cells.offsets.begin(), 0);
    }
  }

  void end_piece() {
    surface_.points.clear();
    for (std::size_t k = 0; k + 2 < points_.size(); k += 3) {
      surface_.points.push_back({points_[k], points_[k + 1], points_[k + 2]});
    }
    try {
      add(polygons_, [&](const auto& corners) { surface_.add_polygon(corners); });
      add(strips_, [&](const auto& corners) { surface_.add_strip(corners); });
    } catch (const CaseError& error) { fail(error.problems().front().message); }
    points_.clear();
    polygons_ = strips_ = {};
  }

  template <class Add>
  void add(VtkCells& cells, const Add& add_one) const {
    cells.has_offsets = true;
    if (cells.offsets.empty() && !cells.corners.empty()) fail("has a connectivity without offsets");
    std::size_t begin = 0;
    for (std::size_t cell = 0; cell + 1 < cells.offsets.size(); ++cell) add_one(cells.take(cell, begin));
  }

  std::string_view content_;
  const std::string& name_;
  XmlTags tags_;
  std::vector<double> points_;
  VtkCells polygons_, strips_;
  PolyData surface_;
};

}  // namespace

TriangleSoup parse_vtp(const std::string& content, const std::string& name) {
  if (content.empty()) throw CaseError(name, "is empty");
  return VtpFile(content, name).read();
}

}  // namespace scree::geometry
