#include "host/case/rule_table.hpp"

#include <unordered_map>

namespace scree {

RuleTable::RuleTable(const std::vector<std::string>& materials, const std::vector<ContactRule>& rules)
    : n_(materials.size()), rule_(n_ * n_, none), counts_(rules.size()) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t m = 0; m < n_; ++m) index.emplace(materials[m], m);
  bool all_taken = false;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const auto& [first, second] = rules[r].between;
    const bool any_first = first == "*", any_second = second == "*";
    const auto a = index.find(first), b = index.find(second);
    if ((!any_first && a == index.end()) || (!any_second && b == index.end())) continue;
    if (any_first && any_second) {
      for (std::size_t i = 0; i < n_ && !all_taken; ++i) {
        for (std::size_t k = i; k < n_; ++k) take(i, k, r);
      }
      counts_[r] = !all_taken;
      all_taken = true;
    } else if (any_first || any_second) {
      for (std::size_t k = 0; k < n_; ++k) take(any_first ? b->second : a->second, k, r);
    } else {
      take(a->second, b->second, r);
    }
  }
}

void RuleTable::take(std::size_t a, std::size_t b, std::size_t rule) {
  if (rule_[a * n_ + b] != none) return;
  rule_[a * n_ + b] = rule_[b * n_ + a] = static_cast<std::uint32_t>(rule);
  counts_[rule] = true;
}

}  // namespace scree
