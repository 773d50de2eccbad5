#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/materials.hpp"

namespace scree {

/// Largest number of materials of a case. The table of all their pairs must fit into memory.
inline constexpr std::size_t most_materials = 500;

/// The contact rule of each pair of materials: the first rule that matches both.
class RuleTable {
 public:
  /// `materials` has the names of the materials [n_materials]. A rule with another name matches nothing.
  RuleTable(const std::vector<std::string>& materials, const std::vector<ContactRule>& rules);

  [[nodiscard]] std::optional<std::size_t> rule_for(std::size_t a, std::size_t b) const {
    const std::uint32_t rule = rule_[a * n_ + b];
    return rule == none ? std::nullopt : std::optional<std::size_t>(rule);
  }
  /// Whether a rule has an effect: it is the first match of at least one pair. A rule between "*" and "*" counts as
  /// having an effect unless an earlier rule is between "*" and "*", too.
  [[nodiscard]] bool counts(std::size_t rule) const { return counts_[rule]; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  void take(std::size_t a, std::size_t b, std::size_t rule);

  std::size_t n_;
  std::vector<std::uint32_t> rule_;  ///< [n_materials * n_materials] index of the rule of each pair, or `none`
  std::vector<bool> counts_;
};

}  // namespace scree
