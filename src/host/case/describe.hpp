#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scree/case.hpp"

/// The vocabulary in which the structs of the case file are described. One describe() list per struct
/// (describe_case.hpp, describe_particles.hpp, describe_domain.hpp, ...) drives the reader, its checks, the writer and
/// the JSON Schema. Default values are those of the structs themselves.
namespace scree {

// Limits of the magnitude of numbers in a case. With them, products of a few numbers (mass, inertia, stiffness, forces,
// volumes) stay far inside the range of a double. smallest_number holds only for numbers that cannot be negative:
// rounding can leave any small number where 0 is meant.
inline constexpr double largest_number = 1e30, smallest_number = 1e-50;

/// Whether two points, such as two corners or the two ends of a line, differ by more than rounding.
inline bool are_apart(const Real3& a, const Real3& b) {
  bool apart = false;
  for (std::size_t k = 0; k < 3; ++k) {
    apart = apart || !(b[k] - a[k] < smallest_number && a[k] - b[k] < smallest_number);
  }
  return apart;
}

/// Interval of allowed numbers.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = true;   ///< `low` itself is not allowed
  bool high_open = true;  ///< `high` itself is not allowed

  [[nodiscard]] bool admits(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};

/// One limit of a number of the case.
struct NumberLimit {
  enum class Kind { own, size, least };  ///< the interval of the key, the largest magnitude, the least magnitude
  Kind kind = Kind::own;
  Range range = {};
  bool or_zero = false;  ///< 0 is allowed as well

  /// The limit in words, to follow "must be ": "in (0, 1]", "at most 1e+30 in size".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool admits(double value) const { return range.admits(value) || (or_zero && value == 0); }
};
/// All limits of a number whose own interval is `range`, in the order in which they are checked. The reader checks
/// these limits, and the schema states them.
[[nodiscard]] std::vector<NumberLimit> number_limits(const Range& range);

/// The rules of a value beyond its type. In a list the range holds for each number.
struct Rule {
  Range range = {};
  std::size_t min_items = 0;                        ///< least number of entries of a list or an object with free names
  bool nonzero = false;                             ///< a vector must have a direction
  bool existing_file = false;                       ///< a string must name a file, relative to the case file
  bool or_folder = false;                           ///< with existing_file: the string may also name a folder
  const std::vector<std::string>* words = nullptr;  ///< the words that a string may be; null: any

  [[nodiscard]] Rule at_least_items(std::size_t count) const {
    Rule rule = *this;
    rule.min_items = count;
    return rule;
  }
};

inline Rule above(double low) { return {.range = {.low = low}}; }
inline Rule at_least(double low) { return {.range = {.low = low, .low_open = false}}; }
/// (low, high]
inline Rule above_up_to(double low, double high) { return {.range = {low, high, true, false}}; }
/// [low, high)
inline Rule from_below(double low, double high) { return {.range = {low, high, false, true}}; }
/// (low, high)
inline Rule between(double low, double high) { return {.range = {.low = low, .high = high}}; }
/// [low, high]
inline Rule from_up_to(double low, double high) { return {.range = {low, high, false, false}}; }
inline Rule some_items() { return {.min_items = 1}; }
inline Rule direction() { return {.nonzero = true}; }
inline Rule existing_file() { return {.existing_file = true}; }
/// A file or a folder.
inline Rule existing_path() { return {.existing_file = true, .or_folder = true}; }
inline Rule one_of(const std::vector<std::string>& words) { return {.words = &words}; }

/// How the value of a field is written in JSON.
enum class Form {
  plain,      ///< as its type says
  automatic,  ///< an optional value, a number or an object; "auto" when it is empty
};

/// The description of one key of an object, apart from the type of its value.
struct FieldNote {
  std::string_view key;
  std::string_view unit;  ///< empty: no unit
  std::string_view text;  ///< one sentence for users
  Rule rule = {};
  bool required = false;
  Form form = Form::plain;
  std::string_view inner = {};  ///< not empty: the value stands in an object under this single key
};

/// One key of an object.
template <class Owner, class T>
struct Field : FieldNote {
  T Owner::*member;
};

/// A variant whose keys are written among the keys of its owner.
template <class Owner, class T>
struct Inlined {
  T Owner::*member;
};

template <class Owner, class T>
auto required(std::string_view key, T Owner::*member, std::string_view unit, std::string_view text, Rule rule = {}) {
  return Field<Owner, T>{{.key = key, .unit = unit, .text = text, .rule = rule, .required = true}, member};
}

/// A key that may be left out; the struct has its default.
template <class Owner, class T>
auto field(std::string_view key, T Owner::*member, std::string_view unit, std::string_view text, Rule rule = {}) {
  return Field<Owner, T>{{.key = key, .unit = unit, .text = text, .rule = rule}, member};
}

/// A number, or a variant of a number and objects, that the program chooses if the case has `"auto"`.
template <class Owner, class T>
auto automatic(std::string_view key, T Owner::*member, std::string_view unit, std::string_view text, Rule rule) {
  return Field<Owner, T>{{.key = key, .unit = unit, .text = text, .rule = rule, .form = Form::automatic}, member};
}

/// A value one level down: `"key": {"inner": value}`.
template <class Owner, class T>
auto nested(std::string_view key, std::string_view inner, T Owner::*member, std::string_view unit,
            std::string_view text) {
  return Field<Owner, T>{{.key = key, .unit = unit, .text = text, .inner = inner}, member};
}

template <class Owner, class T>
auto inlined(T Owner::*member) {
  return Inlined<Owner, T>{member};
}

/// Keys of an object of which exactly one must be given, or at least one if `allows_several`.
struct KeyChoice {
  std::vector<std::string_view> keys;
  bool allows_several = false;
};

/// A struct written as a JSON object.
template <class... Fields>
struct Object {
  std::string_view text;
  std::tuple<Fields...> fields;
  std::vector<KeyChoice> choices = {};

  [[nodiscard]] Object with_exactly_one(std::vector<std::string_view> keys) && {
    choices.push_back({std::move(keys)});
    return std::move(*this);
  }
  [[nodiscard]] Object with_one_or_more(std::vector<std::string_view> keys) && {
    choices.push_back({std::move(keys), true});
    return std::move(*this);
  }
  /// Requires at least one key apart from `excluded`.
  [[nodiscard]] Object with_some_key_but(const std::vector<std::string_view>& excluded) && {
    KeyChoice choice{.keys = {}, .allows_several = true};
    const auto add = [&](const auto& f) {
      if (std::find(excluded.begin(), excluded.end(), f.key) == excluded.end()) { choice.keys.push_back(f.key); }
    };
    std::apply([&](const auto&... f) { (add(f), ...); }, fields);
    choices.push_back(std::move(choice));
    return std::move(*this);
  }
  [[nodiscard]] Object with_some_key() && { return std::move(*this).with_some_key_but({}); }
};

/// A struct written as a JSON list of its members.
template <class... Fields>
struct Row {
  std::string_view text;
  std::tuple<Fields...> fields;
};

/// A struct of one member written as that member.
template <class Field>
struct Single {
  std::string_view text;
  Field field;
};

/// One alternative of a variant, with its JSON name. The value of an alternative with an empty name is written without
/// a key.
template <class T>
struct Alternative {
  std::string_view name;
};
template <class T>
Alternative<T> alternative(std::string_view name) {
  return {name};
}

/// A variant written as an object of one key, the name of the alternative.
template <class... Ts>
struct Keyed {
  std::string_view text;
  std::tuple<Alternative<Ts>...> alternatives;
};

/// A variant whose alternative is named by the key `type`; the members of the alternative follow beside it.
template <class... Ts>
struct Tagged {
  std::string_view text;
  std::tuple<Alternative<Ts>...> alternatives;
};
constexpr std::string_view tag_key = "type";

/// An enumeration written as a word.
template <class E>
struct Words {
  std::vector<std::pair<std::string, E>> words;
};

template <class... F>
auto object(std::string_view text, F... fields) {
  return Object<F...>{text, {fields...}, {}};
}
template <class... F>
auto row(std::string_view text, F... fields) {
  return Row<F...>{text, {fields...}};
}
template <class F>
auto single(std::string_view text, F field) {
  return Single<F>{text, field};
}
template <class... T>
auto keyed(std::string_view text, Alternative<T>... all) {
  return Keyed<T...>{text, {all...}};
}
template <class... T>
auto tagged(std::string_view text, Alternative<T>... all) {
  return Tagged<T...>{text, {all...}};
}

/// Selects the struct that describe() describes: `describe(Of<Material>{})`.
template <class T>
struct Of {};

/// Collects the complaints of a check(). `member` is a path below the struct; it is empty for the struct as a whole.
class Complaints {
 public:
  void add(std::string member, std::string message) { list_.emplace_back(std::move(member), std::move(message)); }
  [[nodiscard]] const auto& list() const { return list_; }

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

/// Checks rules between the members of one struct. A struct with such rules overloads this beside its describe() list.
/// It is called only if no member breaks a rule of its own.
template <class T>
void check(const T&, Complaints&) {}

/// Complains about each item that occurs earlier in the same list; `key` is the key of the list.
template <class T>
void refuse_repeats(const std::vector<T>& items, const std::string& key, Complaints& complaints) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (std::find(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i), items[i]) ==
        items.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;
    }
    std::string text;
    if constexpr (std::is_same_v<T, std::string>) {
      text = "\"" + items[i] + "\"";
    } else {
      text = std::to_string(items[i]);
    }
    complaints.add(key + "." + std::to_string(i), text + " is listed twice");
  }
}

// --- no member may be forgotten ----------------------------------------------------------------------------------

struct AnyValue {
  template <class T>
  operator T&() const& noexcept;
  template <class T>
  operator T&&() const&& noexcept;
};

template <class T, std::size_t... I>
constexpr bool takes_values(std::index_sequence<I...>) {
  return requires { T{((void)I, std::declval<const AnyValue&>())...}; }
  || requires { T{((void)I, std::declval<AnyValue&&>())...}; };
}

/// Number of members of an aggregate that has up to 24 members.
template <class T>
constexpr std::size_t member_count() {
  std::size_t count = 0;
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    ((count = takes_values<T>(std::make_index_sequence<N>{}) ? N : count), ...);
  }
  (std::make_index_sequence<25>{});
  return count;
}

template <class D>
struct described_members;
template <class... F>
struct described_members<Object<F...>> : std::integral_constant<std::size_t, sizeof...(F)> {};
template <class... F>
struct described_members<Row<F...>> : std::integral_constant<std::size_t, sizeof...(F)> {};
template <class F>
struct described_members<Single<F>> : std::integral_constant<std::size_t, 1> {};

/// Whether the describe() list of T names all members of T but `left_out` of them.
template <class T, std::size_t left_out = 0>
constexpr bool lists_every_member = described_members<decltype(describe(Of<T>{}))>::value + left_out ==
                                    member_count<T>();

template <class Variant>
struct AlternativesListed;
template <class... T>
struct AlternativesListed<std::variant<T...>> : std::bool_constant<(lists_every_member<T> && ...)> {};
/// Whether lists_every_member holds for all alternatives of a variant.
template <class Variant>
constexpr bool alternatives_list_every_member = AlternativesListed<Variant>::value;

}  // namespace scree
