#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// A file name in a case, and its place there. The place is a list of keys, because users choose some keys freely: a
/// joined path could not tell the key "file" of the boundary "a" from a boundary named "a.file".
struct CaseFile {
  std::vector<std::string> keys;  ///< keys from the root of the case or the probe; items of lists by their numbers
  std::string name;               ///< relative to the folder of the case

  [[nodiscard]] std::string path() const;  ///< "boundaries.a.file", for messages
};

/// All file names in a case, in the order of its describe() lists.
[[nodiscard]] std::vector<CaseFile> files_of(const Case& input);
/// All file names in the keys of a probe.
[[nodiscard]] std::vector<CaseFile> files_of(const ProbeOutput& probe);

}  // namespace scree
