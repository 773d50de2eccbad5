#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include "host/geometry/volume_mesh.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

struct NumberType {
  std::size_t bytes = 0;
  enum class Kind { real, whole, natural } kind = Kind::real;
};

std::optional<NumberType> type_of(std::string_view word) {
  using enum NumberType::Kind;
  if (word == "float") return NumberType{4, real};
  if (word == "double") return NumberType{8, real};
  if (word == "char" || word == "vtktypeint8" || word == "signed_char") return NumberType{1, whole};
  if (word == "short" || word == "vtktypeint16") return NumberType{2, whole};
  if (word == "int" || word == "vtkidtype" || word == "vtktypeint32") return NumberType{4, whole};
  if (word == "long" || word == "vtktypeint64") return NumberType{8, whole};
  if (word == "unsigned_char" || word == "vtktypeuint8") return NumberType{1, natural};
  if (word == "unsigned_short" || word == "vtktypeuint16") return NumberType{2, natural};
  if (word == "unsigned_int" || word == "vtktypeuint32") return NumberType{4, natural};
  if (word == "unsigned_long" || word == "vtktypeuint64") return NumberType{8, natural};
  return std::nullopt;
}

/// An unstructured grid. The words of a section stand on lines of text; its numbers are text or have the bytes of a
/// big-endian machine, and begin behind the line.
class VtkFile {
 public:
  VtkFile(const std::string& content, const std::string& name) : rest_(content), name_(name) {}

  VolumeMeshFile read() {
    read_head();
    while (true) {
      const std::string section = lower_case(word());
      if (section.empty()) break;
      take(section);
    }
    try {
      add_cells();
    } catch (const CaseError& error) { fail(error.problems().front().message); }
    return std::move(file_);
  }

 private:
  enum class Owner { grid, points, cells };

  [[noreturn]] void fail(const std::string& message) const { throw CaseError(name_, message); }

  std::string_view line() {
    const auto end = rest_.find('\n');
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return trimmed(text);
  }

  /// The next word; empty at the end of the file.
  std::string_view word() {
    const auto begin = rest_.find_first_not_of(" \t\r\n\v\f");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
    const std::string_view text = rest_.substr(0, rest_.find_first_of(" \t\r\n\v\f"));
    rest_.remove_prefix(text.size());
    return text;
  }

  std::size_t count() {
    const std::string_view text = word();
    const auto value = parse_number(text);
    if (!value || !(*value >= 0 && *value <= 0x1p40) || *value != std::floor(*value)) {
      fail("has \"" + std::string(text.substr(0, 40)) + "\" where a number of values should stand");
    }
    return static_cast<std::size_t>(*value);
  }

  NumberType type() {
    const std::string_view text = word();
    const auto known = type_of(lower_case(text));
    if (!known) fail("has values of the type \"" + std::string(text.substr(0, 40)) + "\", which is not understood");
    return *known;
  }

  double number_of(std::string_view bytes, NumberType type) const {
    std::uint64_t bits = 0;
    for (const char byte : bytes) bits = (bits << 8U) | static_cast<unsigned char>(byte);
    if (type.kind == NumberType::Kind::real) {
      return type.bytes == 8 ? std::bit_cast<double>(bits)
                             : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    if (type.kind == NumberType::Kind::natural) return static_cast<double>(bits);
    const auto unused = static_cast<unsigned>(64 - 8 * type.bytes);
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  /// The numbers of a section, whose last word has been read.
  std::vector<double> numbers(std::size_t rows, std::size_t columns, NumberType type) {
    if (is_binary_) static_cast<void>(line());
    const std::size_t each = is_binary_ ? type.bytes : 1;  // a number of a text has one character at least
    if (columns == 0 || columns > 1000 || rows > rest_.size() / each / columns) {
      fail("is truncated: it should hold " + std::to_string(rows) + " rows of " + std::to_string(columns) + " numbers");
    }
    std::vector<double> all(rows * columns);
    for (double& value : all) {
      if (is_binary_) {
        value = number_of(rest_.substr(0, each), type);
        rest_.remove_prefix(each);
        continue;
      }
      const std::string_view text = word();
      const auto read = parse_number(text);
      if (!read) fail("has \"" + std::string(text.substr(0, 40)) + "\" where a number should stand");
      value = *read;
    }
    return all;
  }

  void read_head() {
    const std::string_view first = line();
    constexpr std::string_view start = "# vtk DataFile Version ";
    const auto version = first.starts_with(start) ? parse_number(trimmed(first.substr(start.size()))) : std::nullopt;
    if (!version) fail("is no legacy VTK file: it does not start with \"# vtk DataFile Version\"");
    has_offsets_ = *version >= 5;
    static_cast<void>(line());  // the title
    const std::string encoding = lower_case(word());
    if (encoding != "ascii" && encoding != "binary") fail("says neither ASCII nor BINARY in its third line");
    is_binary_ = encoding == "binary";
    const bool has_dataset = lower_case(word()) == "dataset";
    if (!has_dataset || lower_case(word()) != "unstructured_grid") fail("is no UNSTRUCTURED_GRID");
  }

  void take(const std::string& section) {
    if (section == "points") {
      const std::size_t n = count();
      file_.mesh.points = as_vectors(numbers(n, 3, type()));
    } else if (section == "cells") {
      take_cells();
    } else if (section == "cell_types") {
      types_ = numbers(count(), 1, {4, NumberType::Kind::whole});
    } else if (section == "point_data" || section == "cell_data") {
      owner_ = section == "point_data" ? Owner::points : Owner::cells;
      rows_ = count();
    } else if (section == "metadata") {
      static_cast<void>(line());
      while (!line().empty()) {}
    } else {
      take_data(section);
    }
  }

  void take_cells() {
    const std::size_t first = count(), second = count();
    if (!has_offsets_) {
      corners_ = numbers(second, 1, {4, NumberType::Kind::whole});
      return;
    }
    if (lower_case(word()) != "offsets") fail("has CELLS without OFFSETS");
    offsets_ = numbers(first, 1, type());
    if (lower_case(word()) != "connectivity") fail("has CELLS without CONNECTIVITY");
    corners_ = numbers(second, 1, type());
  }

  void take_data(const std::string& section) {
    if (section == "field") {
      static_cast<void>(word());
      const std::size_t arrays = count();
      for (std::size_t k = 0; k < arrays; ++k) {
        std::string_view label = word();
        if (lower_case(label) == "metadata") {  // of the array before
          take("metadata");
          label = word();
        }
        const std::size_t columns = count(), rows = count();
        add(std::string(label), rows, columns, type());
      }
      return;
    }
    const std::string label(word());
    if (section == "vectors" || section == "normals") {
      add(section == "vectors" ? label : "", rows_, 3, type());
    } else if (section == "tensors" || section == "tensors6") {
      add("", rows_, section == "tensors" ? 9 : 6, type());
    } else if (section == "global_ids" || section == "pedigree_ids") {
      add("", rows_, 1, type());
    } else if (section == "texture_coordinates") {
      const std::size_t columns = count();
      add("", rows_, columns, type());
    } else if (section == "scalars") {
      take_scalars(label);
    } else if (section == "lookup_table") {
      add("", count(), 4, {is_binary_ ? 1U : 4U, NumberType::Kind::natural});
    } else {
      fail("has a section \"" + section.substr(0, 40) + "\", which is not understood");
    }
  }

  /// "SCALARS name type [columns]", and a line with the name of a table of colours.
  void take_scalars(const std::string& label) {
    const NumberType of = type();
    const std::string_view more = line();
    const auto columns = more.empty() ? std::optional(1.0) : parse_number(more);
    if (!columns || !(*columns >= 1 && *columns <= 9) || lower_case(word()) != "lookup_table") {
      fail("has SCALARS without a LOOKUP_TABLE, or with a wrong number of components");
    }
    static_cast<void>(word());
    add(label, rows_, static_cast<std::size_t>(*columns), of);
  }

  static std::vector<Real3> as_vectors(const std::vector<double>& numbers) {
    std::vector<Real3> all(numbers.size() / 3);
    for (std::size_t k = 0; k < 3 * all.size(); ++k) all[k / 3][k % 3] = numbers[k];
    return all;
  }

  /// Reads an array, and keeps it if it has a name and vectors at the points.
  void add(const std::string& label, std::size_t rows, std::size_t columns, NumberType type) {
    const std::vector<double> all = numbers(rows, columns, type);
    if (owner_ != Owner::points || columns != 3 || label.empty()) return;
    file_.vectors.push_back({label, as_vectors(all)});
  }

  std::uint64_t index(double value) const {
    const bool is_whole = value >= 0 && value <= 0x1p32 && value == std::floor(value);
    if (!is_whole) fail("has a cell with a point that does not exist");
    return static_cast<std::uint64_t>(value);
  }

  void add_cells() {
    std::size_t begin = 0;
    std::vector<std::uint64_t> corners;
    if (has_offsets_ && offsets_.size() != types_.size() + 1) fail("has other numbers of CELLS and of CELL_TYPES");
    for (std::size_t cell = 0; cell < types_.size(); ++cell) {
      if (has_offsets_) begin = index(offsets_[cell]);
      const bool has_count = has_offsets_ || begin < corners_.size();
      if (!has_count) fail("has other numbers of CELLS and of CELL_TYPES");
      const std::size_t end = has_offsets_ ? index(offsets_[cell + 1]) : begin + 1 + index(corners_[begin]);
      if (!has_offsets_) ++begin;
      if (end < begin || end > corners_.size()) fail("has a cell whose points are not all there");
      corners.clear();
      for (std::size_t k = begin; k < end; ++k) corners.push_back(index(corners_[k]));
      file_.mesh.add_cell(index(types_[cell]), corners);
      begin = end;
    }
    if (!has_offsets_ && begin != corners_.size()) fail("has other numbers of CELLS and of CELL_TYPES");
    for (const PointVectors& vectors : file_.vectors) {
      if (vectors.value.size() != file_.mesh.points.size()) {
        fail("has " + std::to_string(file_.mesh.points.size()) + " points, but " +
             std::to_string(vectors.value.size()) + " vectors \"" + vectors.name + "\"");
      }
    }
  }

  std::string_view rest_;
  const std::string& name_;
  bool is_binary_ = false, has_offsets_ = false;
  Owner owner_ = Owner::grid;
  std::size_t rows_ = 0;
  std::vector<double> offsets_, corners_, types_;
  VolumeMeshFile file_;
};

}  // namespace

VolumeMeshFile parse_vtk(const std::string& content, const std::string& name) { return VtkFile(content, name).read(); }

}  // namespace scree::geometry
