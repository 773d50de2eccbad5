#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scree {

/// What does here what a key of another program's input does: a sentence to stand behind "unknown key; ". None: the key
/// is not known from LIGGGHTS, LAMMPS, Yade or EDEM. Upper and lower case, underscores and hyphens do not count.
[[nodiscard]] std::optional<std::string> foreign_key(std::string_view key);

}  // namespace scree
