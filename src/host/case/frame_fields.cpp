#include "host/case/frame_fields.hpp"

#include <algorithm>

#include "scree/case_file.hpp"

namespace scree {

FieldNeeds needs_of_field(std::string_view name) {
  const auto* const found = std::find_if(frame_fields.begin(), frame_fields.end(),
                                         [&](const FrameField& field) { return field.name == name; });
  return found == frame_fields.end() ? FieldNeeds::nothing : found->needs;
}

std::vector<std::string> paths_of_frame_fields(const Case& input, FieldNeeds needs) {
  std::vector<std::string> paths;
  if (!input.output.frames) { return paths; }
  const auto& fields = input.output.frames->fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (needs_of_field(fields[i]) == needs) { paths.push_back("output.frames.fields." + std::to_string(i)); }
  }
  return paths;
}

const std::vector<std::string>& frame_field_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    all.reserve(frame_fields.size());
    for (const FrameField& field : frame_fields) { all.emplace_back(field.name); }
    return all;
  }();
  return names;
}

}  // namespace scree
