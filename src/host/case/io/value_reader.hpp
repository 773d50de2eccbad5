#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/case/check/value_rules.hpp"
#include "host/case/io/json.hpp"

namespace scree {

/// Reads single values, and reports problems that do not depend on a struct. Reading goes on after a problem.
class ValueReader : protected ValueRules {
 public:
  using ValueRules::ValueRules;

 protected:
  void read_number(const Json& json, const std::string& path, double& out, const Rule& rule);
  void read_count(const Json& json, const std::string& path, std::uint64_t& out, const Rule& rule);
  void read_text(const Json& json, const std::string& path, std::string& out, const Rule& rule);

  /// Whether `json` is one of `words`; reports a problem if it is not.
  bool known_word(const Json& json, const std::string& path, const std::vector<std::string>& words);
  void report_unknown_keys(const Json& json, const std::string& path, const std::vector<std::string>& known);
  /// What follows the problem of a direction that names an axis: "; this axis is [0, 1, 0]". Empty for other values.
  [[nodiscard]] static std::string axis_answer(const Json& json, const Rule& rule);
  void wrong_type(const std::string& path, const std::string& wanted, const Json& found);
};

}  // namespace scree
