#include <cmath>

#include "host/case/io/described.hpp"
#include "host/case/io/json.hpp"

namespace scree {
namespace {

/// Builds the JSON Schema along the describe() lists.
class SchemaBuilder {
 public:
  template <class T>
  Json schema(const Rule& rule = {}) const {
    if constexpr (std::is_same_v<T, double>) {
      return number(rule.range);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      Json all = {{"type", "integer"}, {"minimum", 0}};
      add_range(rule.range, all);
      return all;
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, std::string>) {
      Json all = {{"type", "string"}};
      if (rule.words != nullptr) all["enum"] = *rule.words;
      if (rule.existing_file) all["minLength"] = 1;
      return all;
    } else if constexpr (is_optional<T>::value) {
      return schema<typename T::value_type>(rule);
    } else if constexpr (is_named<T>::value) {
      using Value = typename T::value_type::second_type;
      Json all = {
          {"type", "object"}, {"propertyNames", Json{{"minLength", 1}}}, {"additionalProperties", schema<Value>()}};
      if (rule.min_items > 0) all["minProperties"] = rule.min_items;
      return all;
    } else if constexpr (is_array<T>::value) {
      constexpr std::size_t n = std::tuple_size_v<T>;
      Json all = {{"type", "array"}, {"items", schema<typename T::value_type>(rule)}, {"minItems", n}, {"maxItems", n}};
      if (rule.nonzero) all["not"] = Json{{"items", Json{{"const", 0}}}};
      return all;
    } else if constexpr (is_vector<T>::value) {
      Json all = {{"type", "array"}, {"items", schema<typename T::value_type>(rule)}};
      if (rule.min_items > 0) all["minItems"] = rule.min_items;
      if (rule.words != nullptr) all["uniqueItems"] = true;
      return all;
    } else {
      return described<T>();
    }
  }

 private:
  /// "Mass density [kg/m3]."
  static std::string with_unit(std::string_view text, std::string_view unit) {
    if (unit.empty()) return std::string(text);
    if (text.ends_with('.')) text.remove_suffix(1);
    return std::string(text) + " [" + std::string(unit) + "].";
  }

  /// Its limits as one interval; what lies between 0 and the least size is cut out where 0 is allowed.
  static Json number(const Range& own) {
    Json all = {{"type", "number"}};
    Range range;
    for (const NumberLimit& limit : number_limits(own)) {
      if (limit.or_zero) {
        all["not"] = Json{{"exclusiveMinimum", 0}, {"exclusiveMaximum", limit.range.low}};
      } else {
        range = common(range, limit.range);
      }
    }
    add_range(range, all);
    return all;
  }

  /// What is in both.
  static Range common(const Range& a, const Range& b) {
    Range range = a;
    if (b.low > a.low || (b.low == a.low && b.low_open)) range.low = b.low, range.low_open = b.low_open;
    if (b.high < a.high || (b.high == a.high && b.high_open)) range.high = b.high, range.high_open = b.high_open;
    return range;
  }

  static void add_range(const Range& range, Json& out) {
    if (std::isfinite(range.low)) out[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
    if (std::isfinite(range.high)) out[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
  }

  template <class T>
  Json described() const {
    const auto description = describe(Of<T>{});
    if constexpr (std::is_enum_v<T>) {
      Json words = Json::array();
      for (const auto& [word, value] : description.words) words.push_back(word);
      return {{"type", "string"}, {"enum", words}};
    } else if constexpr (DescribedAs<T, Single>) {
      Json all = {{"description", description.text}};
      all.update(member_schema<T>(description.field));
      return all;
    } else if constexpr (DescribedAs<T, Row>) {
      return row<T>(description);
    } else if constexpr (DescribedAs<T, Keyed>) {
      return keyed<T>(description);
    } else {
      return object<T>(description);
    }
  }

  template <class T, class D>
  Json row(const D& description) const {
    Json items = Json::array();
    std::apply([&](const auto&... f) { (items.push_back(field_schema<T>(f)), ...); }, description.fields);
    return {{"description", description.text},
            {"type", "array"},
            {"prefixItems", items},
            {"minItems", items.size()},
            {"maxItems", items.size()}};
  }

  /// One form per alternative; each is an object of one key, or the bare value.
  template <class T, class D>
  Json keyed(const D& description) const {
    Json forms = Json::array();
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      if (alternative.name.empty()) {
        forms.push_back(schema<A>());
        return;
      }
      Json form = {{"type", "object"}};
      form["properties"][std::string(alternative.name)] = schema<A>();
      form["required"] = Json::array({alternative.name});
      form["additionalProperties"] = false;
      forms.push_back(std::move(form));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, description.alternatives);
    return {{"description", description.text}, {"oneOf", forms}};
  }

  template <class T, class D>
  Json object(const D& description) const {
    constexpr bool by_type = []<class... F>(const Object<F...>*) {
      return (is_tagged<F>() || ...);
    }(static_cast<const D*>(nullptr));
    if constexpr (by_type) {
      return tagged_object<T>(description);
    } else {
      Json all = start(description.text);
      add_fields<T>(description, all);
      return finish(std::move(all));
    }
  }

  template <class F>
  static constexpr bool is_tagged() {
    if constexpr (is_kind<Inlined, F>::value) {
      return !DescribedAs<member_type<F>, Keyed>;
    } else {
      return false;
    }
  }
  template <class F>
  struct member_of;
  template <template <class, class> class F, class Owner, class T>
  struct member_of<F<Owner, T>> {
    using type = T;
  };
  template <class F>
  using member_type = typename member_of<F>::type;

  /// One complete object per alternative, told apart by the key `type`.
  template <class T, class D>
  Json tagged_object(const D& description) const {
    Json forms = Json::array();
    const auto per_alternative = [&]<class A>(const Alternative<A>& alternative) {
      const auto own = describe(Of<A>{});
      Json form = start(own.text);
      form["properties"][std::string(tag_key)] = {{"const", alternative.name}};
      form["required"].push_back(tag_key);
      add_fields<A>(own, form);
      add_fields<T>(description, form);
      forms.push_back(finish(std::move(form)));
    };
    const auto each = [&]<class F>(const F&) {
      if constexpr (is_tagged<F>()) {
        std::apply([&](const auto&... a) { (per_alternative(a), ...); }, describe(Of<member_type<F>>{}).alternatives);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    return {{"description", description.text}, {"oneOf", forms}};
  }

  static Json start(std::string_view text) {
    return {{"description", text},
            {"type", "object"},
            {"properties", Json::object()},
            {"required", Json::array()},
            {"additionalProperties", false}};
  }

  static Json finish(Json all) {
    if (all["required"].empty()) all.erase("required");
    return all;
  }

  template <class T, class D>
  void add_fields(const D& description, Json& out) const {
    const auto each = [&]<class F>(const F& f) {
      if constexpr (!is_kind<Inlined, F>::value) {
        const std::string key(f.key);
        out["properties"][key] = field_schema<T>(f);
        if (f.required) out["required"].push_back(key);
      } else if constexpr (DescribedAs<member_type<F>, Keyed>) {
        add_keys<member_type<F>>(out);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    for (const KeyChoice& choice : description.choices) add_choice(choice, out);
  }

  /// The alternatives of an inlined variant as keys of the owner, exactly one of them required.
  template <class T>
  void add_keys(Json& out) const {
    KeyChoice names;
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      names.push_back(alternative.name);
      out["properties"][std::string(alternative.name)] = schema<A>();
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
    add_choice(names, out);
  }

  static void add_choice(const KeyChoice& names, Json& out) {
    Json forms = Json::array();
    for (const auto name : names) forms.push_back(Json{{"required", Json::array({name})}});
    out["allOf"].push_back(Json{{"oneOf", forms}});
  }

  template <class Owner, class F>
  Json member_schema(const F& f) const {
    return schema<member_type<F>>(f.rule);
  }

  template <class Owner, class F>
  Json field_schema(const F& f) const {
    Json value = member_schema<Owner>(f);
    if (f.form == Form::automatic) value = Json{{"anyOf", Json::array({Json{{"const", "auto"}}, value})}};
    if (!f.inner.empty()) {
      Json outer = {{"type", "object"}};
      outer["properties"][std::string(f.inner)] = std::move(value);
      outer["required"] = Json::array({f.inner});
      outer["additionalProperties"] = false;
      value = std::move(outer);
    }
    Json all;
    all["description"] = with_unit(f.text, f.unit);
    for (const auto& [key, item] : value.items()) {
      if (key != "description") all[key] = item;
    }
    if (!f.required) add_default(default_value<Owner>(f), f, all);
    return all;
  }

  template <class Owner, class F>
  static auto default_value(const F& f) {
    return Owner{}.*(f.member);
  }

  /// Only plain defaults are told; those of parts stand at the parts.
  template <class V, class F>
  void add_default(const V& value, const F& f, Json& out) const {
    if (f.form == Form::automatic) {
      out["default"] = "auto";
    } else if constexpr (std::is_same_v<V, double>) {
      if (std::isfinite(value)) out["default"] = value;
    } else if constexpr (std::is_arithmetic_v<V> || std::is_same_v<V, std::string> ||
                         std::is_same_v<V, std::vector<std::string>> || std::is_same_v<V, Real3>) {
      out["default"] = value;
    } else if constexpr (std::is_enum_v<V>) {
      for (const auto& [word, item] : describe(Of<V>{}).words) {
        if (item == value) out["default"] = word;
      }
    }
  }
};

}  // namespace

std::string case_schema() {
  Json all = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "scree case"}};
  all.update(SchemaBuilder().schema<Case>());
  all["properties"]["$schema"] =
      Json{{"description", "Where this schema is, for editors; it says nothing about the run."}, {"type", "string"}};
  return print_json(all) + "\n";
}

}  // namespace scree
