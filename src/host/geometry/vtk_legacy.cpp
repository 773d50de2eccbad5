#include "host/geometry/vtk_legacy.hpp"

#include <bit>
#include <cmath>
#include <optional>

#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

std::optional<VtkType> legacy_type_of(std::string_view word) {
  using enum VtkType::Kind;
  if (word == "float") return VtkType{4, real};
  if (word == "double") return VtkType{8, real};
  if (word == "char" || word == "vtktypeint8" || word == "signed_char") return VtkType{1, whole};
  if (word == "short" || word == "vtktypeint16") return VtkType{2, whole};
  if (word == "int" || word == "vtkidtype" || word == "vtktypeint32") return VtkType{4, whole};
  if (word == "long" || word == "vtktypeint64") return VtkType{8, whole};
  if (word == "unsigned_char" || word == "vtktypeuint8") return VtkType{1, natural};
  if (word == "unsigned_short" || word == "vtktypeuint16") return VtkType{2, natural};
  if (word == "unsigned_int" || word == "vtktypeuint32") return VtkType{4, natural};
  if (word == "unsigned_long" || word == "vtktypeuint64") return VtkType{8, natural};
  return std::nullopt;
}

std::uint64_t index_of(double value) {
  const bool is_whole = value >= 0 && value <= 0x1p32 && value == std::floor(value);
  if (!is_whole) throw CaseError("", "has a cell with a point that does not exist");
  return static_cast<std::uint64_t>(value);
}

std::vector<Real3> as_vectors(const std::vector<double>& numbers) {
  std::vector<Real3> all(numbers.size() / 3);
  for (std::size_t k = 0; k < 3 * all.size(); ++k) all[k / 3][k % 3] = numbers[k];
  return all;
}

}  // namespace

double vtk_number(std::string_view bytes, VtkType type) {
  std::uint64_t bits = 0;
  for (const char byte : bytes) bits = (bits << 8U) | static_cast<unsigned char>(byte);
  if (type.kind == VtkType::Kind::real) {
    return type.bytes == 8 ? std::bit_cast<double>(bits)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (type.kind == VtkType::Kind::natural) return static_cast<double>(bits);
  const auto unused = static_cast<unsigned>(64 - 8 * type.bytes);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::vector<std::uint64_t> VtkCells::take(std::size_t cell, std::size_t& begin) const {
  if (has_offsets) begin = index_of(offsets.at(cell));
  if (!has_offsets && begin >= corners.size()) throw CaseError("", "has different numbers of CELLS and of CELL_TYPES");
  const std::size_t end = has_offsets ? index_of(offsets.at(cell + 1)) : begin + 1 + index_of(corners[begin]);
  if (!has_offsets) ++begin;
  if (end < begin || end > corners.size()) throw CaseError("", "has a cell whose points are not all there");
  std::vector<std::uint64_t> points;
  for (std::size_t k = begin; k < end; ++k) points.push_back(index_of(corners[k]));
  begin = end;
  return points;
}

void LegacyVtk::fail(const std::string& message) const { throw CaseError(name_, message); }

std::string_view LegacyVtk::line() {
  const auto end = rest_.find('\n');
  const std::string_view text = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return trimmed(text);
}

std::string_view LegacyVtk::word() {
  const auto begin = rest_.find_first_not_of(" \t\r\n\v\f");
  rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
  const std::string_view text = rest_.substr(0, rest_.find_first_of(" \t\r\n\v\f"));
  rest_.remove_prefix(text.size());
  return text;
}

std::size_t LegacyVtk::count() {
  const std::string_view text = word();
  const auto value = parse_number(text);
  if (!value || !(*value >= 0 && *value <= 0x1p40) || *value != std::floor(*value)) {
    fail("has \"" + std::string(text.substr(0, 40)) + "\" where a number of values should stand");
  }
  return static_cast<std::size_t>(*value);
}

VtkType LegacyVtk::type() {
  const std::string_view text = word();
  const auto known = legacy_type_of(lower_case(text));
  if (!known) fail("has values of the type \"" + std::string(text.substr(0, 40)) + "\", which is not understood");
  return *known;
}

std::vector<double> LegacyVtk::numbers(std::size_t rows, std::size_t columns, VtkType type) {
  if (is_binary_) static_cast<void>(line());
  const std::size_t each = is_binary_ ? type.bytes : 1;  // as text, a number has at least one character
  if (columns == 0 || columns > 1000 || rows > rest_.size() / each / columns) {
    fail("is truncated: it should hold " + std::to_string(rows) + " rows of " + std::to_string(columns) + " numbers");
  }
  std::vector<double> all(rows * columns);
  for (double& value : all) {
    if (is_binary_) {
      value = vtk_number(rest_.substr(0, each), type);
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

void LegacyVtk::read_head(const std::string& dataset) {
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
  if (has_dataset && lower_case(word()) == dataset) return;
  std::string upper = dataset;
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  fail("is no " + upper);
}

std::vector<Real3> LegacyVtk::points() {
  const std::size_t n = count();
  return as_vectors(numbers(n, 3, type()));
}

VtkCells LegacyVtk::cells(const std::string& section) {
  VtkCells cells;
  cells.has_offsets = has_offsets_;
  const std::size_t first = count(), second = count();
  if (!has_offsets_) {
    cells.corners = numbers(second, 1, {4, VtkType::Kind::whole});
    return cells;
  }
  if (lower_case(word()) != "offsets") fail("has " + section + " without OFFSETS");
  cells.offsets = numbers(first, 1, type());
  if (lower_case(word()) != "connectivity") fail("has " + section + " without CONNECTIVITY");
  cells.corners = numbers(second, 1, type());
  return cells;
}

void LegacyVtk::take_field() {
  static_cast<void>(word());
  const std::size_t arrays = count();
  for (std::size_t k = 0; k < arrays; ++k) {
    std::string_view label = word();
    if (lower_case(label) == "metadata") {  // belongs to the previous array
      take_data("metadata");
      label = word();
    }
    const std::size_t columns = count(), rows = count();
    add(std::string(label), rows, columns, type());
  }
}

void LegacyVtk::take_data(const std::string& section) {
  if (section == "point_data" || section == "cell_data") {
    owner_ = section == "point_data" ? Owner::points : Owner::cells;
    rows_ = count();
    return;
  }
  if (section == "metadata") {
    static_cast<void>(line());
    while (!line().empty()) {}
    return;
  }
  if (section == "field") return take_field();
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
    add("", count(), 4, {is_binary_ ? 1U : 4U, VtkType::Kind::natural});
  } else {
    fail("has a section \"" + section.substr(0, 40) + "\", which is not understood");
  }
}

/// Reads "SCALARS name type [columns]", a line with the name of a colour table, and the numbers.
void LegacyVtk::take_scalars(const std::string& label) {
  const VtkType of = type();
  const std::string_view more = line();
  const auto columns = more.empty() ? std::optional(1.0) : parse_number(more);
  if (!columns || !(*columns >= 1 && *columns <= 9) || lower_case(word()) != "lookup_table") {
    fail("has SCALARS without a LOOKUP_TABLE, or with a wrong number of components");
  }
  static_cast<void>(word());
  add(label, rows_, static_cast<std::size_t>(*columns), of);
}

void LegacyVtk::add(const std::string& label, std::size_t rows, std::size_t columns, VtkType type) {
  const std::vector<double> all = numbers(rows, columns, type);
  if (owner_ == Owner::points && columns == 3 && !label.empty()) keep(label, as_vectors(all));
}

}  // namespace scree::geometry
