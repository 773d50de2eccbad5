#include "host/geometry/vtk_xml.hpp"

#include <zlib.h>

#include <algorithm>

#include "host/text/text_lines.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;

std::optional<VtkType> xml_type_of(const std::string& word) {
  using enum VtkType::Kind;
  if (word == "Float32") return VtkType{4, real};
  if (word == "Float64") return VtkType{8, real};
  const bool is_natural = word.starts_with("UInt");
  const std::string bits = word.substr(std::min<std::size_t>(word.size(), is_natural ? 4 : 3));
  if (!is_natural && !word.starts_with("Int")) return std::nullopt;
  for (const std::size_t bytes : {1U, 2U, 4U, 8U}) {
    if (bits == std::to_string(8 * bytes)) return VtkType{bytes, is_natural ? natural : whole};
  }
  return std::nullopt;
}

/// The value of a base64 digit; 64 for other characters.
unsigned digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : 64;
}

/// Decodes at most `most` bytes of base64 text. The text ends at the first character that is not a base64 digit.
std::string decoded(std::string_view text, std::uint64_t most) {
  std::string bytes;
  unsigned word = 0, digits = 0;
  for (const char c : text) {
    if (bytes.size() >= most) break;
    if (blanks.find(c) != std::string_view::npos) continue;
    const unsigned digit = digit_of(c);
    if (digit == 64) break;
    word = word << 6U | digit;
    if (++digits % 4 == 0) {
      for (const unsigned shift : {16U, 8U, 0U}) bytes.push_back(static_cast<char>(word >> shift & 0xffU));
      word = 0;
    }
  }
  if (digits % 4 == 2) bytes.push_back(static_cast<char>(word >> 4U & 0xffU));
  if (digits % 4 == 3) {
    bytes.push_back(static_cast<char>(word >> 10U & 0xffU));
    bytes.push_back(static_cast<char>(word >> 2U & 0xffU));
  }
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

/// The text after the base64 text of `bytes` bytes, which is padded to whole groups of four characters.
std::string_view behind_base64(std::string_view text, std::uint64_t bytes) {
  std::uint64_t left = (bytes + 2) / 3 * 4;
  std::size_t at = 0;
  for (; at < text.size() && left > 0; ++at) {
    if (blanks.find(text[at]) == std::string_view::npos) --left;
  }
  return text.substr(at);
}

}  // namespace

std::string XmlTag::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string() : found->second;
}

std::optional<XmlTag> XmlTags::next() {
  while (true) {
    const auto begin = rest_.find('<');
    if (begin == std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(begin + 1);
    const bool is_comment = rest_.starts_with("!--");
    const auto end = is_comment ? rest_.find("-->") : rest_.find('>');
    if (end == std::string_view::npos) throw CaseError(name_, "is truncated: a tag does not end");
    std::string_view inside = rest_.substr(0, end);
    rest_.remove_prefix(end + (is_comment ? 3 : 1));
    if (is_comment || inside.starts_with('?') || inside.starts_with('!')) continue;
    XmlTag tag;
    if (inside.starts_with('/')) tag.closes = true, inside.remove_prefix(1);
    if (inside.ends_with('/')) tag.empty = true, inside.remove_suffix(1);
    const auto name_end = std::min(inside.find_first_of(blanks), inside.size());
    tag.name = std::string(inside.substr(0, name_end));
    take_attributes(tag, inside.substr(name_end));
    tag.text = tag.empty || tag.closes ? std::string_view() : rest_.substr(0, rest_.find('<'));
    return tag;
  }
}

void XmlTags::take_attributes(XmlTag& tag, std::string_view inside) const {
  while (!(inside = trimmed(inside)).empty()) {
    const auto equals = inside.find('=');
    const auto quote = inside.find_first_of("\"'");
    const bool has_value = equals != std::string_view::npos && quote != std::string_view::npos && equals < quote;
    const auto end = has_value ? inside.find(inside[quote], quote + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      throw CaseError(name_, "is no XML: the tag \"" + tag.name.substr(0, 40) + "\" has an attribute without a value");
    }
    tag.attributes[std::string(trimmed(inside.substr(0, equals)))] =
        std::string(inside.substr(quote + 1, end - quote - 1));
    inside.remove_prefix(end + 1);
  }
}

void VtkArrays::fail(const std::string& message) const { throw CaseError(name_, message); }

VtkArrays::VtkArrays(const XmlTag& file, std::string_view content, const std::string& name) : name_(name) {
  big_endian_ = file.attribute("byte_order") == "BigEndian";
  count_bytes_ = file.attribute("header_type") == "UInt64" ? 8 : 4;
  const std::string compressor = file.attribute("compressor");
  compressed_ = !compressor.empty();
  if (compressed_ && compressor != "vtkZLibDataCompressor") {
    fail("is compressed by \"" + compressor.substr(0, 60) + "\"; only zlib is understood");
  }
  const auto tag = content.find("<AppendedData");
  if (tag == std::string_view::npos) return;
  XmlTags tags(content.substr(tag), name);
  encoding_ = tags.next()->attribute("encoding");
  if (encoding_ != "raw" && encoding_ != "base64") fail("has appended data that are neither raw nor base64");
  const auto start = tags.rest().find('_');
  if (start == std::string_view::npos) fail("is truncated: its appended data do not begin");
  appended_ = tags.rest().substr(start + 1);
}

std::uint64_t VtkArrays::header(std::string_view bytes, std::size_t index) const {
  if ((index + 1) * count_bytes_ > bytes.size()) fail("is truncated: the header of an array is not all there");
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < count_bytes_; ++k) {
    const std::size_t at = index * count_bytes_ + (big_endian_ ? k : count_bytes_ - 1 - k);
    value = value << 8U | static_cast<unsigned char>(bytes[at]);
  }
  return value;
}

/// The length [bytes] of the header of an array. Without compression the header is the number of bytes. With
/// compression it has the number of blocks, the length of a block, the length of the last block, and each compressed
/// length.
std::size_t VtkArrays::header_bytes(std::string_view start) const {
  if (!compressed_) return count_bytes_;
  const std::uint64_t blocks = header(start, 0);
  if (blocks > most_bytes / 64) fail("is damaged: an array has too many blocks");
  return blocks == 0 ? count_bytes_ : static_cast<std::size_t>(3 + blocks) * count_bytes_;
}

std::string VtkArrays::unpacked(std::string_view head, std::string_view data) const {
  const std::uint64_t blocks = header(head, 0);
  if (blocks == 0) return {};
  const std::uint64_t whole = header(head, 1), last = header(head, 2);
  std::string all;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t packed = header(head, static_cast<std::size_t>(3 + block));
    const std::uint64_t size = block + 1 == blocks && last > 0 ? last : whole;
    if (packed > data.size()) fail("is truncated: a compressed array is not all there");
    if (size > 1100 * packed + 1100) fail("is damaged: a block of an array is larger than zlib can make it");
    const std::size_t begin = all.size();
    all.resize(begin + static_cast<std::size_t>(size));
    auto made = static_cast<uLongf>(size);
    const int status = ::uncompress(reinterpret_cast<Bytef*>(all.data() + begin), &made,
                                    reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(packed));
    if (status != Z_OK || made != size) fail("is damaged: zlib cannot unpack an array");
    data.remove_prefix(static_cast<std::size_t>(packed));
  }
  return all;
}

std::string VtkArrays::from_raw(std::string_view bytes) const {
  const std::size_t head = header_bytes(bytes);
  if (head > bytes.size()) fail("is truncated: the header of an array is not all there");
  if (compressed_) return unpacked(bytes.substr(0, head), bytes.substr(head));
  const std::uint64_t size = header(bytes, 0);
  if (size > bytes.size() - head) fail("is truncated: an array of " + std::to_string(size) + " bytes is not all there");
  return std::string(bytes.substr(head, static_cast<std::size_t>(size)));
}

/// The header of compressed data is encoded separately; otherwise header and data are encoded together.
std::string VtkArrays::from_base64(std::string_view text) const {
  const std::size_t head = header_bytes(decoded(text, count_bytes_));
  if (head > text.size()) fail("is truncated: the header of an array is not all there");
  const std::string start = decoded(text, head);
  if (compressed_) {
    std::uint64_t packed = 0;
    for (std::size_t block = 0; block < header(start, 0); ++block) packed += header(start, 3 + block);
    return unpacked(start, decoded(behind_base64(text, head), std::min(packed, most_bytes)));
  }
  const std::uint64_t size = header(start, 0);
  if (size > text.size()) fail("is truncated: an array of " + std::to_string(size) + " bytes is not all there");
  return from_raw(decoded(text, head + size));
}

std::string VtkArrays::bytes_of(const XmlTag& array) const {
  const std::string format = array.attribute("format");
  if (format == "binary") return from_base64(array.text);
  if (format != "appended") {
    fail("has an array in the format \"" + format.substr(0, 40) + "\", which is not understood");
  }
  const auto offset = parse_number(array.attribute("offset"));
  if (!offset || !(*offset >= 0 && *offset < static_cast<double>(appended_.size()))) {
    fail("has an array beyond the end of its appended data");
  }
  const std::string_view data = appended_.substr(static_cast<std::size_t>(*offset));
  return encoding_ == "raw" ? from_raw(data) : from_base64(data);
}

std::vector<double> VtkArrays::numbers(const XmlTag& array) const {
  const auto type = xml_type_of(array.attribute("type"));
  if (!type) {
    fail("has numbers of the type \"" + array.attribute("type").substr(0, 40) + "\", which is not understood");
  }
  std::vector<double> all;
  if (array.attribute("format") == "ascii") {
    for_each_line(array.text, [&](const TextLine& line) {
      for (const std::string_view word : line.words) {
        const auto value = parse_number(word);
        if (!value) fail("has \"" + std::string(word.substr(0, 40)) + "\" where a number should stand");
        all.push_back(*value);
      }
    });
    return all;
  }
  const std::string bytes = bytes_of(array);
  if (bytes.size() % type->bytes != 0) fail("is damaged: an array ends within a number");
  std::string number(type->bytes, '\0');
  for (std::size_t at = 0; at < bytes.size(); at += type->bytes) {
    number.assign(bytes, at, type->bytes);
    if (!big_endian_) std::reverse(number.begin(), number.end());
    all.push_back(vtk_number(number, *type));
  }
  return all;
}

}  // namespace scree::geometry
