#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// The name of a file that a case holds, and where it stands there. Users choose some of the keys, so that only their
/// list tells places apart: {"boundaries", "a", "file"} is no boundary of the name "a.file".
struct CaseFile {
  std::vector<std::string> keys;  ///< from the root of what was looked at; items of lists by their numbers
  std::string name;               ///< relative to the folder of the case

  [[nodiscard]] std::string path() const;  ///< "boundaries.a.file", for messages
};

/// All values that the description of the case calls existing files, in its order.
[[nodiscard]] std::vector<CaseFile> files_of(const Case& input);
/// All files that a probe names.
[[nodiscard]] std::vector<CaseFile> files_of(const ProbeOutput& probe);

}  // namespace scree
