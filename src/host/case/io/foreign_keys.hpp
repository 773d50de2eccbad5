#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A key in lower case, without underscores and hyphens.
[[nodiscard]] std::string plain_key(std::string_view key);

/// A sentence that names the key of scree for a key of LIGGGHTS, LAMMPS, Yade, PFC or EDEM; none if the key is not
/// known. The sentence is meant to follow "unknown key; ". Upper and lower case, underscores and hyphens do not count.
[[nodiscard]] std::optional<std::string> foreign_key(std::string_view key);

/// A sentence as of foreign_key() for a key that is in the wrong object, or that has another name in this object; none
/// if the key is not known. `known` are the allowed keys of the object that contains the key; they tell which object it
/// is.
[[nodiscard]] std::optional<std::string> misplaced_key(std::string_view key, const std::vector<std::string>& known);

/// The answer of the first entry of a table that fits: what `here` of the entry says of "it".
template <class Table, class Fits>
[[nodiscard]] std::optional<std::string> first_answer(const Table& table, const Fits& fits) {
  const auto found = std::find_if(table.begin(), table.end(), fits);
  return found == table.end() ? std::nullopt : std::optional("it " + std::string(found->here));
}

/// A sentence as of foreign_key() for a word that is none of `words`; none if it is not known. `words` tell for which
/// key it stands.
[[nodiscard]] std::optional<std::string> foreign_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace scree
