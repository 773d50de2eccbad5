#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/case_io/described.hpp"
#include "host/case_io/json.hpp"
#include "host/case_io/problems.hpp"

namespace scree {
namespace {

std::string range_text(const Range& range) {
  const bool from = std::isfinite(range.low);
  const bool to = std::isfinite(range.high);
  if (from && to) {
    return std::string("in ") + (range.low_open ? "(" : "[") + number_text(range.low) + ", " + number_text(range.high) +
           (range.high_open ? ")" : "]");
  }
  if (from) return (range.low_open ? "greater than " : "at least ") + number_text(range.low);
  return (range.high_open ? "less than " : "at most ") + number_text(range.high);
}

bool admits(const Range& range, double value) {
  const bool low = range.low_open ? value > range.low : value >= range.low;
  const bool high = range.high_open ? value < range.high : value <= range.high;
  return low && high;
}

std::string plural(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Walks a JSON value along the describe() lists; every problem is noted and reading goes on.
class Reader {
 public:
  Reader(std::filesystem::path folder, Problems& problems) : folder_(std::move(folder)), problems_(problems) {}

  template <class T> void read(const Json& json, const std::string& path, T& out, const Rule& rule = {}) {
    if constexpr (std::is_same_v<T, double>) {
      read_number(json, path, out, rule);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      read_count(json, path, out, rule);
    } else if constexpr (std::is_same_v<T, std::string>) {
      read_text(json, path, out, rule);
    } else if constexpr (is_optional<T>::value) {
      read(json, path, out.emplace(), rule);
    } else if constexpr (is_array<T>::value) {
      read_array(json, path, out, rule);
    } else if constexpr (is_named<T>::value) {
      read_named(json, path, out, rule);
    } else if constexpr (is_vector<T>::value) {
      read_list(json, path, out, rule);
    } else {
      read_described(json, path, out);
    }
  }

 private:
  // --- plain values --------------------------------------------------------------------------------------------------

  void read_number(const Json& json, const std::string& path, double& out, const Rule& rule) {
    if (!json.is_number()) return wrong_type(path, "a number", json);
    out = json.get<double>();
    if (!std::isfinite(out)) {
      problems_.add(path, "must be finite, got " + number_text(out));
    } else if (!admits(rule.range, out)) {
      problems_.add(path, "must be " + range_text(rule.range) + ", got " + number_text(out));
    }
  }

  void read_count(const Json& json, const std::string& path, std::uint64_t& out, const Rule& rule) {
    constexpr double largest_exact = 9007199254740992.0;  // 2^53
    const double value = json.is_number() ? json.get<double>() : 0;
    if (json.is_number_unsigned()) {
      out = json.get<std::uint64_t>();
    } else if (json.is_number_float() && value >= 0 && value <= largest_exact && std::floor(value) == value) {
      out = static_cast<std::uint64_t>(value);  // 2e4 is a count as well
    } else {
      return wrong_type(path, "a whole number from 0", json);
    }
    if (!admits(rule.range, static_cast<double>(out))) {
      problems_.add(path, "must be " + range_text(rule.range) + ", got " + std::to_string(out));
    }
  }

  void read_text(const Json& json, const std::string& path, std::string& out, const Rule& rule) {
    if (!json.is_string()) return wrong_type(path, "a text", json);
    out = json.get<std::string>();
    if (rule.words != nullptr && std::find(rule.words->begin(), rule.words->end(), out) == rule.words->end()) {
      problems_.add(path, "unknown word " + shown(json) + "; " + suggestion(out, *rule.words));
    }
    if (rule.existing_file) check_file(path, out);
  }

  void check_file(const std::string& path, const std::string& name) {
    const auto file = (folder_ / name).lexically_normal();
    std::error_code ignored;
    if (name.empty()) {
      problems_.add(path, "must name a file, got \"\"");
    } else if (std::filesystem::is_directory(file, ignored)) {
      problems_.add(path, "must name a file, but \"" + file.string() + "\" is a folder");
    } else if (!std::filesystem::exists(file, ignored)) {
      problems_.add(path, "there is no file \"" + file.string() + "\"");
    }
  }

  // --- lists -----------------------------------------------------------------------------------------------------------

  template <class T, std::size_t n>
  void read_array(const Json& json, const std::string& path, std::array<T, n>& out, const Rule& rule) {
    const std::string what = std::is_same_v<T, std::string> ? "a list of " + plural(n, "text", "texts")
                                                            : "a list of " + plural(n, "number", "numbers");
    if (!json.is_array()) return wrong_type(path, what, json);
    if (json.size() != n) return problems_.add(path, "must be " + what + ", got " + std::to_string(json.size()));
    const std::size_t before = problems_.size();
    for (std::size_t i = 0; i < n; ++i) read(json[i], below(path, std::to_string(i)), out[i], rule);
    if constexpr (std::is_same_v<T, double>) {
      if (rule.nonzero && problems_.size() == before) check_direction(path, out);
    }
  }

  /// A direction is divided by its length, so the sum of squares must neither lose digits nor overflow.
  template <std::size_t n> void check_direction(const std::string& path, const std::array<double, n>& vector) {
    double square = 0;
    for (const double x : vector) square += x * x;
    const bool zero = std::all_of(vector.begin(), vector.end(), [](double x) { return x == 0; });
    if (zero) {
      problems_.add(path, "must not be the zero vector");
    } else if (!(square >= 1e-280 && square <= 1e280)) {
      problems_.add(path, "is too short or too long a vector");
    }
  }

  template <class T>
  void read_list(const Json& json, const std::string& path, std::vector<T>& out, const Rule& rule) {
    if (!json.is_array()) return wrong_type(path, "a list", json);
    if (json.size() < rule.min_items) {
      problems_.add(path, "must have at least " + plural(rule.min_items, "entry", "entries") + ", got " +
                              std::to_string(json.size()));
    }
    out.assign(json.size(), T{});
    for (std::size_t i = 0; i < json.size(); ++i) read(json[i], below(path, std::to_string(i)), out[i], rule);
  }

  template <class T>
  void read_named(const Json& json, const std::string& path, Named<T>& out, const Rule& rule) {
    if (!json.is_object()) return wrong_type(path, "an object", json);
    if (json.size() < rule.min_items) {
      problems_.add(path, "must have at least " + plural(rule.min_items, "entry", "entries") + ", got 0");
    }
    out.clear();
    for (const auto& [name, value] : json.items()) {
      if (name.empty()) problems_.add(path, "a name must not be empty");
      out.emplace_back(name, T{});
      read(value, below(path, name), out.back().second);
    }
  }

  // --- described types -----------------------------------------------------------------------------------------------

  template <class T> void read_described(const Json& json, const std::string& path, T& out) {
    const std::size_t before = problems_.size();
    if constexpr (std::is_enum_v<T>) {
      read_word(json, path, out);
    } else if constexpr (DescribedAs<T, Single>) {
      const auto description = describe(Of<T>{});
      read(json, path, out.*(description.field.member), description.field.rule);
    } else if constexpr (DescribedAs<T, Row>) {
      read_row(json, path, out);
    } else if constexpr (DescribedAs<T, Keyed>) {
      read_keyed(json, path, out);
    } else {
      static_assert(DescribedAs<T, Object>);
      read_object(json, path, out);
    }
    if (problems_.size() == before) run_checks(path, out);
  }

  template <class T> void run_checks(const std::string& path, const T& value) {
    Complaints complaints;
    check(value, complaints);
    for (const auto& [member, message] : complaints.list()) {
      problems_.add(member.empty() ? path : below(path, member), message);
    }
  }

  template <class E> void read_word(const Json& json, const std::string& path, E& out) {
    if (!json.is_string()) return wrong_type(path, "a text", json);
    const auto words = describe(Of<E>{}).words;
    std::vector<std::string> known;
    for (const auto& [word, value] : words) {
      known.push_back(word);
      if (json == word) {
        out = value;
        return;
      }
    }
    problems_.add(path, "unknown word " + shown(json) + "; " + suggestion(json.get<std::string>(), known));
  }

  template <class T> void read_row(const Json& json, const std::string& path, T& out) {
    const auto fields = describe(Of<T>{}).fields;
    constexpr std::size_t count = std::tuple_size_v<decltype(fields)>;
    std::string names;
    std::apply([&](const auto&... f) { ((names += (names.empty() ? "" : ", ") + std::string(f.key)), ...); }, fields);
    if (!json.is_array() || json.size() != count) {
      const std::string got = json.is_array() ? plural(json.size(), "value", "values") : shown(json);
      return problems_.add(path, "must be a list [" + names + "], got " + got);
    }
    std::size_t i = 0;
    const auto read_next = [&](const auto& f) {
      read(json[i], below(path, std::to_string(i)), out.*(f.member), f.rule);
      ++i;
    };
    std::apply([&](const auto&... f) { (read_next(f), ...); }, fields);
  }

  /// A value without a key, or an object whose single key names the alternative.
  template <class T> void read_keyed(const Json& json, const std::string& path, T& out) {
    const auto alternatives = describe(Of<T>{}).alternatives;
    if (!json.is_object()) {
      bool taken = false;
      const auto bare = [&]<class A>(const Alternative<A>& alternative) {
        if (!alternative.name.empty() || taken) return;
        taken = true;
        if (!json.is_number()) return wrong_type(path, "a number or an object", json);
        read(json, path, out.template emplace<A>());
      };
      std::apply([&](const auto&... a) { (bare(a), ...); }, alternatives);
      if (!taken) wrong_type(path, "an object", json);
      return;
    }
    std::vector<std::string> known;
    choose_keyed(json, path, out, known);
    report_unknown_keys(json, path, known);
  }

  /// Reads the alternative whose key stands in the object; the keys it may have are appended to `known`.
  template <class T>
  void choose_keyed(const Json& json, const std::string& path, T& out, std::vector<std::string>& known) {
    std::vector<std::string> names;
    std::vector<std::string> found;
    const auto look = [&]<class A>(const Alternative<A>& alternative) {
      if (alternative.name.empty()) return;
      const std::string name(alternative.name);
      names.push_back(name);
      if (!json.contains(name)) return;
      found.push_back(name);
      read(json[name], below(path, name), out.template emplace<A>());
    };
    std::apply([&](const auto&... a) { (look(a), ...); }, describe(Of<T>{}).alternatives);
    known.insert(known.end(), names.begin(), names.end());
    check_exactly_one(path, names, found);
  }

  /// Reads the alternative that the key `type` names.
  template <class T>
  void choose_tagged(const Json& json, const std::string& path, T& out, std::vector<std::string>& known,
                     bool& keys_known) {
    const std::string tag(tag_key);
    known.push_back(tag);
    std::vector<std::string> names;
    bool found = false;
    const auto look = [&]<class A>(const Alternative<A>& alternative) {
      names.emplace_back(alternative.name);
      if (!json.contains(tag) || json[tag] != names.back()) return;
      found = true;
      A& value = out.template emplace<A>();
      const std::size_t before = problems_.size();
      bool ignored = true;
      read_fields(json, path, value, known, ignored);
      if (problems_.size() == before) run_checks(path, value);
    };
    std::apply([&](const auto&... a) { (look(a), ...); }, describe(Of<T>{}).alternatives);
    if (found) return;
    keys_known = false;  // which keys are allowed depends on the type
    if (!json.contains(tag)) {
      problems_.add(below(path, tag), "is missing; known are " + quoted_list(names));
    } else if (!json[tag].is_string()) {
      wrong_type(below(path, tag), "a text", json[tag]);
    } else {
      problems_.add(below(path, tag),
                    "unknown word " + shown(json[tag]) + "; " + suggestion(json[tag].get<std::string>(), names));
    }
  }

  template <class T> void read_object(const Json& json, const std::string& path, T& out) {
    if (!json.is_object()) return wrong_type(path, "an object", json);
    std::vector<std::string> known;
    bool keys_known = true;
    read_fields(json, path, out, known, keys_known);
    if (keys_known) report_unknown_keys(json, path, known);
  }

  template <class T>
  void read_fields(const Json& json, const std::string& path, T& out, std::vector<std::string>& known,
                   bool& keys_known) {
    const auto description = describe(Of<T>{});
    const auto each = [&]<class F>(const F& f) {
      if constexpr (is_kind<Inlined, F>::value) {
        using Variant = std::remove_reference_t<decltype(out.*(f.member))>;
        if constexpr (DescribedAs<Variant, Keyed>) {
          choose_keyed(json, path, out.*(f.member), known);
        } else {
          choose_tagged(json, path, out.*(f.member), known, keys_known);
        }
      } else {
        known.emplace_back(f.key);
        read_field(json, path, f, out.*(f.member));
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    for (const KeyChoice& choice : description.choices) {
      std::vector<std::string> names(choice.begin(), choice.end());
      std::vector<std::string> found;
      std::copy_if(names.begin(), names.end(), std::back_inserter(found),
                   [&](const std::string& name) { return json.contains(name); });
      check_exactly_one(path, names, found);
    }
  }

  template <class F, class T> void read_field(const Json& json, const std::string& path, const F& f, T& out) {
    const std::string key(f.key);
    const std::string here = below(path, key);
    if (!json.contains(key)) {
      if (f.required) problems_.add(here, "is missing");
      return;
    }
    const Json& value = json[key];
    if (!f.inner.empty()) return read_nested(value, here, std::string(f.inner), out);
    if constexpr (std::is_same_v<T, std::optional<double>>) {
      if (f.form == Form::automatic && value == "auto") return out.reset();
      if (f.form == Form::automatic && !value.is_number()) return wrong_type(here, "a number or \"auto\"", value);
    }
    read(value, here, out, f.rule);
  }

  template <class T> void read_nested(const Json& json, const std::string& path, const std::string& inner, T& out) {
    if (!json.is_object()) return wrong_type(path, "an object", json);
    report_unknown_keys(json, path, {inner});
    if (!json.contains(inner)) return problems_.add(below(path, inner), "is missing");
    read(json[inner], below(path, inner), out);
  }

  // --- problems ------------------------------------------------------------------------------------------------------

  void wrong_type(const std::string& path, const std::string& wanted, const Json& found) {
    problems_.add(path, "must be " + wanted + ", got " + shown(found));
  }

  void check_exactly_one(const std::string& path, const std::vector<std::string>& names,
                         const std::vector<std::string>& found) {
    if (found.size() == 1) return;
    problems_.add(path, "must have exactly one of " + quoted_list(names) + ", got " +
                            (found.empty() ? "none" : quoted_list(found)));
  }

  void report_unknown_keys(const Json& json, const std::string& path, const std::vector<std::string>& known) {
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      problems_.add(below(path, key), "unknown key; " + suggestion(key, known));
    }
  }

  std::filesystem::path folder_;
  Problems& problems_;
};

}  // namespace

Case parse_case(const std::string& text, const std::filesystem::path& folder,
                const std::vector<std::string>& settings) {
  std::vector<InputProblem> list;
  Json root = parse_json(text, list);
  apply_settings(root, settings, list);
  Problems problems(list);
  Case input;
  input.folder = folder;
  Reader(folder, problems).read(root, "", input);
  check_case(input, problems);
  if (!list.empty()) throw CaseError(std::move(list));
  return input;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  std::ifstream stream(file, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    const bool there = std::filesystem::exists(file, ignored);
    throw CaseError(file.string(), there ? "the case file cannot be read" : "there is no such case file");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    return parse_case(text.str(), folder, settings);
  } catch (const CaseError& error) {
    std::vector<InputProblem> problems = error.problems();
    for (InputProblem& problem : problems) {
      if (problem.path.empty()) problem.path = file.string();
    }
    throw CaseError(std::move(problems));
  }
}

}  // namespace scree
