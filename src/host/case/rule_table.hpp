#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/materials.hpp"

namespace scree {

/// Materials of a case whose pairs are kept in a table; a table of more fills the memory.
inline constexpr std::size_t most_materials = 500;

/// The contact rule of each pair of materials: the first rule that matches both.
class RuleTable {
 public:
  /// `materials` are their names [n], `rules` may name others, which match nothing.
  RuleTable(const std::vector<std::string>& materials, const std::vector<ContactRule>& rules);

  [[nodiscard]] std::optional<std::size_t> rule_for(std::size_t a, std::size_t b) const {
    const std::uint32_t rule = rule_[a * n_ + b];
    return rule == none ? std::nullopt : std::optional<std::size_t>(rule);
  }
  /// Whether a rule is the first for any pair. A rule for any pair counts unless an earlier one is for any pair as
  /// well.
  [[nodiscard]] bool counts(std::size_t rule) const { return counts_[rule]; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  void take(std::size_t a, std::size_t b, std::size_t rule);

  std::size_t n_;
  std::vector<std::uint32_t> rule_;  ///< [n, n]
  std::vector<bool> counts_;
};

}  // namespace scree
