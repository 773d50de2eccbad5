#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/case/describe.hpp"
#include "host/case/io/json.hpp"
#include "host/case/io/problems.hpp"

namespace scree {

/// Reads single values and words the problems that do not depend on a struct. Reading goes on after a problem.
class ValueReader {
 public:
  /// `folder` is where relative paths start.
  ValueReader(std::filesystem::path folder, Problems& problems) : folder_(std::move(folder)), problems_(problems) {}

 protected:
  void read_number(const Json& json, const std::string& path, double& out, const Rule& rule);
  void read_count(const Json& json, const std::string& path, std::uint64_t& out, const Rule& rule);
  void read_text(const Json& json, const std::string& path, std::string& out, const Rule& rule);

  /// True when `json` is one of `words`; says so where it is not.
  bool known_word(const Json& json, const std::string& path, const std::vector<std::string>& words);
  /// The vector has a direction.
  void check_direction(const std::string& path, const Real3& vector);
  void check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                         const std::vector<std::string>& found);
  void report_unknown_keys(const Json& json, const std::string& path, const std::vector<std::string>& known);
  void wrong_type(const std::string& path, const std::string& wanted, const Json& found);

  /// "1 entry", "2 entries".
  static std::string plural(std::size_t count, const std::string& one, const std::string& many);

  void problem(const std::string& path, const std::string& message) { problems_.add(path, message); }
  [[nodiscard]] std::size_t problem_count() const { return problems_.size(); }

 private:
  void check_file(const std::string& path, const std::string& name, bool or_folder);

  std::filesystem::path folder_;
  Problems& problems_;
};

}  // namespace scree
