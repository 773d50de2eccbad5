#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

using geometry::lower_case, geometry::trimmed;

/// The short name of a type; NRRD has several names for each.
std::string plain_type(const std::string& type) {
  static const std::map<std::string, std::string> names = {{"signed char", "int8"},
                                                           {"int8_t", "int8"},
                                                           {"uchar", "uint8"},
                                                           {"unsigned char", "uint8"},
                                                           {"uint8_t", "uint8"},
                                                           {"short", "int16"},
                                                           {"short int", "int16"},
                                                           {"signed short", "int16"},
                                                           {"signed short int", "int16"},
                                                           {"int16_t", "int16"},
                                                           {"ushort", "uint16"},
                                                           {"unsigned short", "uint16"},
                                                           {"unsigned short int", "uint16"},
                                                           {"uint16_t", "uint16"},
                                                           {"int", "int32"},
                                                           {"signed int", "int32"},
                                                           {"int32_t", "int32"},
                                                           {"uint", "uint32"},
                                                           {"unsigned int", "uint32"},
                                                           {"uint32_t", "uint32"},
                                                           {"longlong", "int64"},
                                                           {"long long", "int64"},
                                                           {"long long int", "int64"},
                                                           {"signed long long", "int64"},
                                                           {"signed long long int", "int64"},
                                                           {"int64_t", "int64"},
                                                           {"ulonglong", "uint64"},
                                                           {"unsigned long long", "uint64"},
                                                           {"unsigned long long int", "uint64"},
                                                           {"uint64_t", "uint64"}};
  const auto found = names.find(type);
  return found == names.end() ? type : found->second;
}

class NrrdHeader {
 public:
  explicit NrrdHeader(const std::string& name) : name_(name) {}

  /// Reads the header. Returns the bytes after it.
  std::string_view read(std::string_view content) {
    if (!content.starts_with("NRRD000")) throw CaseError(name_, "is no NRRD file: it does not start with \"NRRD000\"");
    for (std::size_t number = 1;; ++number) {
      const auto end = content.find('\n');
      const std::string_view line = content.substr(0, end);
      content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
      if (trimmed(line).empty() || (end == std::string_view::npos && number > 1 && line.empty())) break;
      if (number > 1 && line.front() != '#') take(line, number);
      if (end == std::string_view::npos) break;  // a header in a file of its own may end without an empty line
      constexpr std::size_t most_lines = 10'000;
      if (number > most_lines) throw CaseError(name_, "has a header without an end");
    }
    check();
    layout.mirrored = has_directions_ && left_handed_axes_ != left_handed_space_;
    return content;
  }

  VoxelLayout layout;
  std::string data_file;

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw CaseError(name_, "line " + std::to_string(line) + ": " + message);
  }

  void take(std::string_view line, std::size_t number) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) fail(number, "a field of a NRRD header has a colon");
    if (line.substr(colon).starts_with(":=")) return;  // a key that a user has added
    const std::string field = lower_case(trimmed(line.substr(0, colon)));
    const std::string value(trimmed(line.substr(colon + 1)));
    if (field == "type") layout.type = plain_type(lower_case(value));
    if (field == "dimension" && value != "3") fail(number, "dimension: an image of grains has 3, got " + value);
    if (field == "sizes") take_sizes(value, number);
    if (field == "spacings") take_spacings(value, number);
    if (field == "space directions") take_directions(value, number);
    if (field == "space") left_handed_space_ = is_left_handed(lower_case(value));
    if (field == "encoding") take_encoding(lower_case(value), number);
    if (field == "endian") take_endian(lower_case(value), number);
    if (field == "data file" || field == "datafile") data_file = value;
    if (field == "byte skip" || field == "byteskip") layout.skip = whole(value, number);
    if ((field == "line skip" || field == "lineskip") && value != "0") fail(number, field + ": only 0 is read");
  }

  std::vector<double> numbers(const std::string& value, std::size_t line) const {
    std::vector<double> all;
    geometry::for_each_line(value, [&](const geometry::TextLine& words) {
      for (const auto word : words.words) {
        const auto x = geometry::parse_number(word);
        if (!x) fail(line, "\"" + std::string(word) + "\" is not a number");
        all.push_back(*x);
      }
    });
    return all;
  }

  std::uint32_t whole(const std::string& value, std::size_t line) const {
    const auto all = numbers(value, line);
    if (all.size() != 1 || !(all[0] >= 0 && all[0] < 0x1p32) || all[0] != std::floor(all[0])) {
      fail(line, "must be a whole number from 0 to 4294967295, got " + value);
    }
    return static_cast<std::uint32_t>(all[0]);
  }

  void take_sizes(const std::string& value, std::size_t line) {
    const auto all = numbers(value, line);
    if (all.size() != 3) fail(line, "sizes: an image of grains has three, got " + value);
    for (std::size_t axis = 0; axis < 3; ++axis) layout.size[axis] = whole(number_text(all[axis]), line);
    has_sizes_ = true;
  }

  void take_spacings(const std::string& value, std::size_t line) {
    const auto all = numbers(value, line);
    if (all.size() != 3) fail(line, "spacings: three are needed, got " + value);
    for (std::size_t axis = 0; axis < 3; ++axis) layout.spacing[axis] = all[axis];
  }

  /// Whether a space of NRRD is left-handed; all others are right-handed.
  static bool is_left_handed(const std::string& space) {
    return space == "left-anterior-superior" || space == "las" || space == "3d-left-handed";
  }

  /// Reads orthogonal vectors such as "(0.1,0,0) (0,0.1,0) (0,0,0.1)". If vectors and space differ in handedness, the
  /// image shows mirror images of the grains. The directions of the axes in space do not matter.
  void take_directions(const std::string& value, std::size_t line) {
    std::string plain = value;
    for (char& c : plain) c = c == '(' || c == ')' || c == ',' ? ' ' : c;
    const auto all = numbers(plain, line);
    if (all.size() != 9) fail(line, "space directions: three vectors of three numbers are needed, got " + value);
    std::array<Real3, 3> vector{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      vector[axis] = {all[3 * axis], all[3 * axis + 1], all[3 * axis + 2]};
      layout.spacing[axis] = geometry::length(vector[axis]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t next = (axis + 1) % 3;
      const double sum = geometry::dot(vector[axis], vector[next]);
      if (!(std::fabs(sum) <= 1e-6 * layout.spacing[axis] * layout.spacing[next])) {
        fail(line, "space directions: must be at right angles");
      }
    }
    left_handed_axes_ = geometry::dot(vector[0], geometry::cross(vector[1], vector[2])) < 0;
    has_directions_ = true;
  }

  void take_encoding(const std::string& value, std::size_t line) {
    if (value != "raw" && value != "gzip" && value != "gz") {
      fail(line, "encoding: must be raw or gzip, got " + value);
    }
    layout.gzip = value != "raw";
    has_encoding_ = true;
  }

  void take_endian(const std::string& value, std::size_t line) {
    if (value != "little" && value != "big") fail(line, "endian: must be little or big, got " + value);
    layout.big_endian = value == "big";
    has_endian_ = true;
  }

  void check() const {
    const auto need = [&](bool is_there, const char* field) {
      if (!is_there) throw CaseError(name_, std::string("has no field \"") + field + "\" in its header");
    };
    need(!layout.type.empty(), "type");
    need(has_sizes_, "sizes");
    need(has_encoding_, "encoding");
    need(has_endian_ || layout.type == "int8" || layout.type == "uint8", "endian");
  }

  const std::string& name_;
  bool has_sizes_ = false, has_encoding_ = false, has_endian_ = false, has_directions_ = false;
  bool left_handed_axes_ = false, left_handed_space_ = false;
};

}  // namespace

VoxelImage parse_nrrd(const std::string& content, const std::filesystem::path& folder, const std::string& name) {
  NrrdHeader header(name);
  const std::string_view rest = header.read(content);
  if (header.data_file.empty()) return decode_voxels(header.layout, rest, name);
  if (folder.empty() || header.data_file == "LIST" || header.data_file.find('%') != std::string::npos) {
    throw CaseError(name, "data file: one file beside the header is read, got " + header.data_file);
  }
  const auto file = folder / header.data_file;
  return decode_voxels(header.layout, read_image_bytes(file), file.string());
}

}  // namespace scree::grains
