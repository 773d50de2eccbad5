#include <algorithm>
#include <filesystem>

#include "host/case/io/described.hpp"
#include "host/case/io/value_reader.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Reads a JSON value along the describe() lists. Reading goes on after a problem, so that all problems are reported.
class Reader : private ValueReader {
 public:
  using ValueReader::ValueReader;

  template <class T>
  void read(const Json& json, const std::string& path, T& out, const Rule& rule = {}) {
    if constexpr (std::is_same_v<T, double>) {
      read_number(json, path, out, rule);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      read_count(json, path, out, rule);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) return wrong_type(path, "true or false", json);
      out = json.get<bool>();
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
  template <class T, std::size_t n>
  void read_array(const Json& json, const std::string& path, std::array<T, n>& out, const Rule& rule) {
    const std::string what = "a list of " + (std::is_same_v<T, std::string> ? counted(n, "text", "texts")
                                             : is_array<T>::value           ? counted(n, "list", "lists")
                                                                            : counted(n, "number", "numbers"));
    if (!json.is_array()) return problem(path, "must be " + what + ", got " + shown(json) + axis_answer(json, rule));
    if (json.size() != n) return problem(path, "must be " + what + ", got " + std::to_string(json.size()));
    const std::size_t before = problem_count();
    for (std::size_t i = 0; i < n; ++i) read(json[i], below(path, std::to_string(i)), out[i], rule);
    if constexpr (std::is_same_v<std::array<T, n>, Real3>) {
      if (rule.nonzero && problem_count() == before) check_direction(path, out);
    }
  }

  template <class T>
  void read_list(const Json& json, const std::string& path, std::vector<T>& out, const Rule& rule) {
    if (!json.is_array()) {
      const bool one_entry = json.is_object() && !json.empty();
      return problem(path,
                     "must be a list, got " + shown(json) + (one_entry ? "; in brackets it is one: [{...}]" : ""));
    }
    check_items(path, json.size(), rule);
    out.assign(json.size(), T{});
    for (std::size_t i = 0; i < json.size(); ++i) read(json[i], below(path, std::to_string(i)), out[i], rule);
  }

  template <class T>
  void read_named(const Json& json, const std::string& path, Named<T>& out, const Rule& rule) {
    if (!json.is_object()) return wrong_type(path, "an object", json);
    check_items(path, json.size(), rule);
    out.clear();
    for (const auto& [name, value] : json.items()) {
      check_name(path, name);
      out.emplace_back(name, T{});
      read(value, below(path, name), out.back().second);
    }
  }

  template <class T>
  void read_described(const Json& json, const std::string& path, T& out) {
    const std::size_t before = problem_count();
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
    if (problem_count() == before) run_checks(path, out);
  }

  template <class E>
  void read_word(const Json& json, const std::string& path, E& out) {
    const auto words = describe(Of<E>{}).words;
    std::vector<std::string> known;
    known.reserve(words.size());
    for (const auto& [word, value] : words) { known.push_back(word); }
    if (!known_word(json, path, known)) return;
    for (const auto& [word, value] : words) {
      if (json == word) out = value;
    }
  }

  template <class T>
  void read_row(const Json& json, const std::string& path, T& out) {
    const auto fields = describe(Of<T>{}).fields;
    constexpr std::size_t count = std::tuple_size_v<decltype(fields)>;
    std::string names;
    std::apply([&](const auto&... f) { ((names += (names.empty() ? "" : ", ") + std::string(f.key)), ...); }, fields);
    if (!json.is_array() || json.size() != count) {
      const std::string got = json.is_array() ? counted(json.size(), "value", "values") : shown(json);
      return problem(path, "must be a list [" + names + "], got " + got);
    }
    std::size_t i = 0;
    const auto read_next = [&](const auto& f) {
      read(json[i], below(path, std::to_string(i)), out.*(f.member), f.rule);
      ++i;
    };
    std::apply([&](const auto&... f) { (read_next(f), ...); }, fields);
  }

  /// Reads a variant: a value without a key, or an object whose single key names the alternative.
  template <class T>
  void read_keyed(const Json& json, const std::string& path, T& out) {
    const std::vector<std::string> keys = keys_of_alternatives<T>();
    if (!json.is_object() || keys.empty()) return read_bare(json, path, out, keys);
    choose_keyed(json, path, out, keys);
    report_unknown_keys(json, path, keys);
  }

  /// The keys of a variant: the names of its alternatives that have a name.
  template <class T>
  static std::vector<std::string> keys_of_alternatives() {
    std::vector<std::string> keys;
    const auto note = [&](std::string_view name) {
      if (!name.empty()) keys.emplace_back(name);
    };
    std::apply([&](const auto&... a) { (note(a.name), ...); }, describe(Of<T>{}).alternatives);
    return keys;
  }

  /// Reads a variant from a value without a key: the type of the value, number or list, selects the alternative. `keys`
  /// are the keys of the other alternatives.
  template <class T>
  void read_bare(const Json& json, const std::string& path, T& out, const std::vector<std::string>& keys) {
    std::string wanted;
    bool taken = false;
    const auto may_be = [&](const std::string& what) { wanted += (wanted.empty() ? "" : " or ") + what; };
    const auto look = [&]<class A>(const Alternative<A>& alternative) {
      if constexpr (DescribedAs<A, Single>) {
        if (!alternative.name.empty()) return;
        const auto member = describe(Of<A>{}).field.member;
        constexpr bool list = is_vector<std::remove_cvref_t<decltype(std::declval<A>().*member)>>::value;
        may_be(list ? "a list" : "a number");
        if (!(list ? json.is_array() : json.is_number())) return;
        taken = true;
        read(json, path, out.template emplace<A>());
      }
    };
    std::apply([&](const auto&... a) { (look(a), ...); }, describe(Of<T>{}).alternatives);
    if (!keys.empty()) may_be("an object with one of the keys " + quoted_list(keys));
    if (!taken) wrong_type(path, wanted, json);
  }

  /// Reads the alternative whose key is in the object. `keys` are the keys of all alternatives.
  template <class T>
  void choose_keyed(const Json& json, const std::string& path, T& out, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    const auto look = [&]<class A>(const Alternative<A>& alternative) {
      const std::string name(alternative.name);
      if (name.empty() || !json.contains(name)) return;
      found.push_back(name);
      read(json[name], below(path, name), out.template emplace<A>());
    };
    std::apply([&](const auto&... a) { (look(a), ...); }, describe(Of<T>{}).alternatives);
    check_exactly_one(path, keys, found);
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
      const std::size_t before = problem_count();
      bool ignored = true;
      read_fields(json, path, value, known, ignored);
      if (problem_count() == before) run_checks(path, value);
    };
    std::apply([&](const auto&... a) { (look(a), ...); }, describe(Of<T>{}).alternatives);
    if (found) return;
    keys_known = false;  // which keys are allowed depends on the type
    if (json.contains(tag)) {
      (void)known_word(json[tag], below(path, tag), names);
    } else {
      problem(below(path, tag), "is missing; known are " + quoted_list(names));
    }
  }

  template <class T>
  void read_object(const Json& json, const std::string& path, T& out) {
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
          const std::vector<std::string> keys = keys_of_alternatives<Variant>();
          choose_keyed(json, path, out.*(f.member), keys);
          known.insert(known.end(), keys.begin(), keys.end());
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
      check_choice(path, choice, [&](const std::string& name) {
        return json.contains(name) && !(choice.allows_several && is_left_out(description, name, json.at(name)));
      });
    }
  }

  /// Whether an empty list counts as left out: it does unless the member distinguishes an empty list from none.
  template <class D>
  static bool is_left_out(const D& description, const std::string& name, const Json& value) {
    if (!value.is_array() || !value.empty()) { return false; }
    bool is_list = false;
    const auto look = [&]<class Owner, class T>(const Field<Owner, T>& f) {
      is_list = is_list || (f.key == name && is_vector<T>::value && f.rule.min_items == 0);
    };
    const auto look_at_key = [&]<class F>(const F& f) {
      if constexpr (!is_kind<Inlined, F>::value) { look(f); }
    };
    std::apply([&](const auto&... f) { (look_at_key(f), ...); }, description.fields);
    return is_list;
  }

  template <class T>
  void read_field(const Json& json, const std::string& path, const FieldNote& f, T& out) {
    std::string here;
    const Json* value = value_of(json, path, f, here);
    if (value == nullptr) return;
    if constexpr (is_optional<T>::value) {
      if (f.form == Form::automatic) {
        if (*value == "auto") return out.reset();
        if (!may_replace_auto(*value, here, std::is_same_v<T, std::optional<double>>)) return;
      }
    }
    read(*value, here, out, f.rule);
  }

  /// The value of a key, with its path in `here`. Null if the key is missing; a missing required key is reported.
  const Json* value_of(const Json& json, const std::string& path, const FieldNote& f, std::string& here) {
    here = below(path, f.key);
    const auto value = json.find(std::string(f.key));
    if (value == json.end()) {
      if (f.required) problem(here, "is missing");
      return nullptr;
    }
    return f.inner.empty() ? &*value : inner_value(*value, std::string(f.inner), here);
  }

  const Json* inner_value(const Json& json, const std::string& inner, std::string& here) {
    if (!json.is_object()) {
      wrong_type(here, "an object", json);
      return nullptr;
    }
    report_unknown_keys(json, here, {inner});
    const auto value = json.find(inner);
    here = below(here, inner);
    if (value != json.end()) return &*value;
    problem(here, "is missing");
    return nullptr;
  }

  /// Whether a value other than "auto" has an allowed type: a number, or an object unless `plain`. Reports a wrong
  /// type.
  bool may_replace_auto(const Json& value, const std::string& path, bool plain) {
    if (value.is_number() || (!plain && value.is_object())) return true;
    wrong_type(path, plain ? "a number or \"auto\"" : "a number, an object or \"auto\"", value);
    return false;
  }
};

/// Removes the key `$schema`, by which editors find the schema; it has no effect on the run.
void take_schema_name(Json& root, Problems& problems) {
  constexpr const char* key = "$schema";
  if (!root.is_object() || !root.contains(key)) return;
  if (!root[key].is_string()) problems.add(key, "must be a text, got " + shown(root[key]));
  root.erase(key);
}

}  // namespace

Case parse_case(const std::string& text, const std::filesystem::path& folder,
                const std::vector<std::string>& settings) {
  std::vector<InputProblem> list;
  Json root = parse_json(text, list);
  apply_settings(root, settings, list);
  Problems problems(list);
  take_schema_name(root, problems);
  Case input;
  input.folder = folder;
  Reader(folder, problems).read(root, "", input);
  check_case(input, problems);
  if (!list.empty()) throw CaseError(std::move(list));
  return input;
}

}  // namespace scree
