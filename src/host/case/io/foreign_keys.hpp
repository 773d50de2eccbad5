#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scree {

/// A sentence that says which key of scree does what this key of another program does; it is to follow "unknown key; ".
/// None: LIGGGHTS, LAMMPS, Yade and EDEM have no such key. Upper and lower case, underscores and hyphens do not count.
[[nodiscard]] std::optional<std::string> foreign_key(std::string_view key);

}  // namespace scree
