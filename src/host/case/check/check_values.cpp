#include <set>

#include "host/case/check/value_rules.hpp"
#include "host/case/io/described.hpp"
#include "host/case/io/json.hpp"

namespace scree {
namespace {

/// Walks a Case along the describe() lists, as the reader walks JSON.
class ValueWalk : private ValueRules {
 public:
  using ValueRules::ValueRules;

  template <class T>
  void look(const std::string& path, const T& value, const Rule& rule = {}) {
    if constexpr (std::is_same_v<T, double>) {
      check_number(path, value, rule);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      check_count(path, value, rule);
    } else if constexpr (std::is_same_v<T, std::string>) {
      check_text(path, value, rule);
    } else if constexpr (is_optional<T>::value) {
      if (value) look(path, *value, rule);
    } else if constexpr (is_array<T>::value) {
      look_at_array(path, value, rule);
    } else if constexpr (is_named<T>::value) {
      look_at_named(path, value, rule);
    } else if constexpr (is_vector<T>::value) {
      check_items(path, value.size(), rule);
      for (std::size_t i = 0; i < value.size(); ++i) look(below(path, std::to_string(i)), value[i], rule);
    } else if constexpr (!std::is_same_v<T, bool>) {
      look_at_described(path, value);
    }
  }

 private:
  template <class T, std::size_t n>
  void look_at_array(const std::string& path, const std::array<T, n>& value, const Rule& rule) {
    const std::size_t before = problem_count();
    for (std::size_t i = 0; i < n; ++i) look(below(path, std::to_string(i)), value[i], rule);
    if constexpr (std::is_same_v<std::array<T, n>, Real3>) {
      if (rule.nonzero && problem_count() == before) check_direction(path, value);
    }
  }

  template <class T>
  void look_at_named(const std::string& path, const Named<T>& value, const Rule& rule) {
    check_items(path, value.size(), rule);
    std::set<std::string> names;
    for (const auto& [name, item] : value) {
      check_name(path, name);
      if (!names.insert(name).second) problem(below(path, name), "this key is given twice");
      look(below(path, name), item);
    }
  }

  template <class T>
  void look_at_described(const std::string& path, const T& value) {
    const std::size_t before = problem_count();
    if constexpr (std::is_enum_v<T>) {
      look_at_word(path, value);
    } else if constexpr (DescribedAs<T, Single>) {
      const auto description = describe(Of<T>{});
      look(path, value.*(description.field.member), description.field.rule);
    } else if constexpr (DescribedAs<T, Row>) {
      std::size_t i = 0;
      const auto each = [&](const auto& f) { look(below(path, std::to_string(i++)), value.*(f.member), f.rule); };
      std::apply([&](const auto&... f) { (each(f), ...); }, describe(Of<T>{}).fields);
    } else if constexpr (DescribedAs<T, Keyed>) {
      look_at_keyed(path, value);
    } else {
      static_assert(DescribedAs<T, Object>);
      look_at_fields(path, value);
    }
    if (problem_count() == before) run_checks(path, value);
  }

  template <class E>
  void look_at_word(const std::string& path, const E& value) {
    std::vector<std::string> known;
    for (const auto& [word, meant] : describe(Of<E>{}).words) {
      if (meant == value) return;
      known.push_back(word);
    }
    problem(path, "is none of " + quoted_list(known));
  }

  template <class T>
  void look_at_keyed(const std::string& path, const T& value) {
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      if (!std::holds_alternative<A>(value)) return;
      look(alternative.name.empty() ? path : below(path, alternative.name), std::get<A>(value));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
  }

  template <class T>
  void look_at_tagged(const std::string& path, const T& value) {
    const auto each = [&]<class A>(const Alternative<A>&) {
      if (!std::holds_alternative<A>(value)) return;
      const std::size_t before = problem_count();
      look_at_fields(path, std::get<A>(value));
      if (problem_count() == before) run_checks(path, std::get<A>(value));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
  }

  template <class T>
  void look_at_fields(const std::string& path, const T& value) {
    const auto description = describe(Of<T>{});
    const auto each = [&]<class F>(const F& f) {
      if constexpr (is_kind<Inlined, F>::value) {
        using Variant = std::remove_cvref_t<decltype(value.*(f.member))>;
        if constexpr (DescribedAs<Variant, Keyed>) {
          look_at_keyed(path, value.*(f.member));
        } else {
          look_at_tagged(path, value.*(f.member));
        }
      } else if (f.required || is_given(f, value)) {
        const std::string here = below(path, f.key);
        look(f.inner.empty() ? here : below(here, f.inner), value.*(f.member), f.rule);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    for (const KeyChoice& choice : description.choices) look_at_choice(path, value, description, choice);
  }

  template <class T, class D>
  void look_at_choice(const std::string& path, const T& value, const D& description, const KeyChoice& choice) {
    check_choice(path, choice, [&](const std::string& name) {
      bool given = false;
      const auto each = [&]<class F>(const F& f) {
        if constexpr (!is_kind<Inlined, F>::value) {
          if (f.key == name && is_given(f, value)) given = true;
        }
      };
      std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
      return given;
    });
  }

  /// Whether a case file would contain this key: values equal to the default and empty lists may be left out.
  template <class F, class T>
  static bool is_given(const F& f, const T& value) {
    const auto& member = value.*(f.member);
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (is_optional<Member>::value) {
      return member.has_value();
    } else if constexpr (is_vector<Member>::value) {
      return !member.empty();
    } else if constexpr (std::is_arithmetic_v<Member>) {
      return !(member == T{}.*(f.member));
    } else {
      return true;
    }
  }
};

}  // namespace

void check_values(const Case& input, Problems& problems) { ValueWalk(input.folder, problems).look("", input); }

}  // namespace scree
