#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A key in lower case, without underscores and hyphens.
[[nodiscard]] std::string plain_key(std::string_view key);

/// A sentence that says which key of scree does what this key of another program does; it is to follow "unknown key; ".
/// None: LIGGGHTS, LAMMPS, Yade and EDEM have no such key. Upper and lower case, underscores and hyphens do not count.
[[nodiscard]] std::optional<std::string> foreign_key(std::string_view key);

/// A sentence of this kind for a key that means something else in some places, or that stands in the wrong one: `known`
/// are the keys of the place where it stands. None: nothing is known of the key there.
[[nodiscard]] std::optional<std::string> misplaced_key(std::string_view key, const std::vector<std::string>& known);

}  // namespace scree
