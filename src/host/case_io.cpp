#include "host/case_io.hpp"

namespace scree {

// Reading, writing and the schema stand in case_io/ and schema.cpp.

const std::vector<std::string>& frame_field_names() {
  static const std::vector<std::string> names = {"velocity", "angular_velocity", "radius",             "material",
                                                 "id",       "force",            "coordination_number"};
  return names;
}

}  // namespace scree
