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

/// The rules of single values of a case, and the sentences about values that break them. The reader of files and the
/// check of a Case made in C++ share this class, so that both give the same sentences.
class ValueRules {
 public:
  /// Relative paths start from `folder`.
  ValueRules(std::filesystem::path folder, Problems& problems) : folder_(std::move(folder)), problems_(problems) {}

 protected:
  void check_number(const std::string& path, double value, const Rule& rule);
  void check_count(const std::string& path, std::uint64_t value, const Rule& rule);
  void check_text(const std::string& path, const std::string& text, const Rule& rule);
  /// Whether `word` is one of `words`; reports a problem if it is not.
  bool check_word(const std::string& path, const std::string& word, const std::vector<std::string>& words);
  /// Checks that a vector is neither zero nor so short or long that its direction loses digits.
  void check_direction(const std::string& path, const Real3& vector);
  /// Checks that a list, or an object with free names, has enough entries.
  void check_items(const std::string& path, std::size_t count, const Rule& rule);
  /// Checks a name that the user has chosen.
  void check_name(const std::string& path, const std::string& name);
  void check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                         const std::vector<std::string>& found);
  /// Checks that exactly one of several keys, or at least one, is given; `is_given` tells whether a key is.
  void check_choice(const std::string& path, const KeyChoice& choice,
                    const std::function<bool(const std::string&)>& is_given);

  /// Runs the rules between the members of one struct.
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
