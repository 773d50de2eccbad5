#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "host/case/check/problems.hpp"
#include "host/case/describe.hpp"
#include "scree/case.hpp"

namespace scree {

/// What single values of a case must obey, and the sentences about those that do not. The reader of files and the walk
/// over a Case both look at values through this class, so that both say the same.
class ValueRules {
 public:
  /// `folder` is where relative paths start.
  ValueRules(std::filesystem::path folder, Problems& problems) : folder_(std::move(folder)), problems_(problems) {}

 protected:
  void check_number(const std::string& path, double value, const Rule& rule);
  void check_count(const std::string& path, std::uint64_t value, const Rule& rule);
  void check_text(const std::string& path, const std::string& text, const Rule& rule);
  /// True when `word` is one of `words`; says so where it is not.
  bool check_word(const std::string& path, const std::string& word, const std::vector<std::string>& words);
  /// The vector has a direction.
  void check_direction(const std::string& path, const Real3& vector);
  /// A list or a table by names has as many entries as it needs.
  void check_items(const std::string& path, std::size_t count, const Rule& rule);
  /// A name that the user has chosen.
  void check_name(const std::string& path, const std::string& name);
  void check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                         const std::vector<std::string>& found);
  /// Keys of an object of which one must be given; `is_given` says whether one is.
  void check_choice(const std::string& path, const KeyChoice& choice,
                    const std::function<bool(const std::string&)>& is_given);

  /// The rules between members of one struct.
  template <class T>
  void run_checks(const std::string& path, const T& value) {
    Complaints complaints;
    check(value, complaints);
    for (const auto& [member, message] : complaints.list()) {
      problem(member.empty() ? path : path.empty() ? member : path + "." + member, message);
    }
  }

  void problem(const std::string& path, const std::string& message) { problems_.add(path, message); }
  [[nodiscard]] std::size_t problem_count() const { return problems_.size(); }

 private:
  void check_file(const std::string& path, const std::string& name, bool or_folder);

  std::filesystem::path folder_;
  Problems& problems_;
};

}  // namespace scree
