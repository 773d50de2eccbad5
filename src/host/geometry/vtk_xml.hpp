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

  /// Empty if there is none.
  [[nodiscard]] std::string attribute(const std::string& key) const;
};

/// Reads an XML file tag by tag: as much of XML as VTK's files have. Entities stay as they are. Throws CaseError.
class XmlTags {
 public:
  XmlTags(std::string_view content, const std::string& name) : rest_(content), name_(name) {}
  /// The next tag; none at the end of the file. Comments and declarations are passed over.
  [[nodiscard]] std::optional<XmlTag> next();
  /// What follows the last tag, up to the end of the file.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  void take_attributes(XmlTag& tag, std::string_view inside) const;
  std::string_view rest_;
  const std::string& name_;
};

/// The arrays of a VTK file in XML: how their bytes are stored.
class VtkArrays {
 public:
  /// Takes byte order, width of counts and compression from the tag VTKFile, and the appended data from the content.
  /// Throws CaseError for an unknown compression.
  VtkArrays(const XmlTag& file, std::string_view content, const std::string& name);

  /// The numbers of the tag DataArray. Throws CaseError.
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
  std::size_t count_bytes_ = 4;  ///< of a count in a header
  std::string_view appended_;    ///< behind the "_"
  std::string encoding_;         ///< of the appended data
};

}  // namespace scree::geometry
