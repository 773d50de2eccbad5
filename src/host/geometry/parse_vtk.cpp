#include <cmath>
#include <utility>

#include "host/geometry/volume_mesh.hpp"
#include "host/geometry/vtk_legacy.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

/// A legacy VTK file with an unstructured grid.
class VtkGrid final : public LegacyVtk {
 public:
  using LegacyVtk::LegacyVtk;

  VolumeMeshFile read() {
    read_head("unstructured_grid");
    while (true) {
      const std::string section = lower_case(word());
      if (section.empty()) break;
      if (section == "points") {
        file_.mesh.points = points();
      } else if (section == "cells") {
        cells_ = cells("CELLS");
      } else if (section == "cell_types") {
        types_ = numbers(count(), 1, {4, VtkType::Kind::whole});
      } else {
        take_data(section);
      }
    }
    try {
      add_cells();
    } catch (const CaseError& error) { fail(error.problems().front().message); }
    return std::move(file_);
  }

 private:
  void keep(const std::string& label, std::vector<Real3> vectors) override {
    file_.vectors.push_back({label, std::move(vectors)});
  }

  void add_cells() {
    const std::string other_numbers = "has different numbers of CELLS and of CELL_TYPES";
    std::size_t begin = 0;
    if (has_offsets() && cells_.offsets.size() != types_.size() + 1) fail(other_numbers);
    for (std::size_t cell = 0; cell < types_.size(); ++cell) {
      const std::vector<std::uint64_t> corners = cells_.take(cell, begin);
      const double type = types_[cell];
      if (!(type >= 0 && type <= 0x1p32) || type != std::floor(type)) {
        fail("has cells of type " + number_text(type) + ", which is not known");
      }
      file_.mesh.add_cell(static_cast<std::uint64_t>(type), corners);
    }
    if (!has_offsets() && begin != cells_.corners.size()) fail(other_numbers);
    for (const PointVectors& vectors : file_.vectors) {
      if (vectors.value.size() != file_.mesh.points.size()) {
        fail("has " + std::to_string(file_.mesh.points.size()) + " points, but " +
             std::to_string(vectors.value.size()) + " vectors \"" + vectors.name + "\"");
      }
    }
  }

  VtkCells cells_;
  std::vector<double> types_;
  VolumeMeshFile file_;
};

}  // namespace

VolumeMeshFile parse_vtk(const std::string& content, const std::string& name) { return VtkGrid(content, name).read(); }

}  // namespace scree::geometry
