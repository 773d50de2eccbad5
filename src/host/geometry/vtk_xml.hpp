#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/geometry/vtk_legacy.hpp"

namespace scree::geometry {

/// A tag of an XML file with its attributes, and the text up to the next tag.
struct XmlTag {
  std::string name;
  bool closes = false;  ///< "</name>"
  bool empty = false;   ///< "<name/>"
  std::map<std::string, std::string> attributes;
  std::string_view text;

  /// The value of an attribute; empty if the tag does not have it.
  [[nodiscard]] std::string attribute(const std::string& key) const;
};

/// Reads an XML file tag by tag, with the subset of XML that VTK files use. Entities are not decoded. Throws CaseError
/// with the path `name`.
class XmlTags {
 public:
  XmlTags(std::string_view content, const std::string& name) : rest_(content), name_(name) {}
  /// The next tag; none at the end of the file. Comments and declarations are skipped.
  [[nodiscard]] std::optional<XmlTag> next();
  /// The content from the end of the last tag to the end of the file.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  void take_attributes(XmlTag& tag, std::string_view inside) const;
  std::string_view rest_;
  const std::string& name_;
};

/// Decodes the arrays of an XML VTK file.
class VtkArrays {
 public:
  /// Takes byte order, width of counts and compression from the tag VTKFile, and finds the appended data in the
  /// content. Throws CaseError with the path `name` if the compression is unknown.
  VtkArrays(const XmlTag& file, std::string_view content, const std::string& name);

  /// The numbers of a tag DataArray. Throws CaseError with the path `name` if the array is damaged or unknown.
  [[nodiscard]] std::vector<double> numbers(const XmlTag& array) const;

 private:
  [[noreturn]] void fail(const std::string& message) const;
  [[nodiscard]] std::string bytes_of(const XmlTag& array) const;
  [[nodiscard]] std::string from_base64(std::string_view text) const;
  [[nodiscard]] std::string from_raw(std::string_view bytes) const;
  [[nodiscard]] std::uint64_t header(std::string_view bytes, std::size_t index) const;
  [[nodiscard]] std::size_t header_bytes(std::string_view start) const;
  [[nodiscard]] std::string unpacked(std::string_view head, std::string_view data) const;

  const std::string& name_;
  bool big_endian_ = false, compressed_ = false;
  std::size_t count_bytes_ = 4;  ///< size of a count in the header of an array
  std::string_view appended_;    ///< appended data, after the "_"
  std::string encoding_;         ///< encoding of the appended data
};

}  // namespace scree::geometry
