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
      return count(rule.range);
    } else if constexpr (std::is_same_v<T, bool>) {
      return of_type("boolean");
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text(rule);
    } else if constexpr (is_optional<T>::value) {
      return schema<typename T::value_type>(rule);
    } else if constexpr (is_named<T>::value) {
      return named(schema<typename T::value_type::second_type>(), rule);
    } else if constexpr (is_array<T>::value) {
      return array(schema<typename T::value_type>(rule), std::tuple_size_v<T>, rule);
    } else if constexpr (is_vector<T>::value) {
      return list(schema<typename T::value_type>(rule), rule);
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

  // Templates below walk the describe() lists; the JSON is made by these plain functions, so that it is compiled once
  // and not for each field.

  static Json of_type(const char* type) {
    Json all;
    all["type"] = type;
    return all;
  }

  static Json count(const Range& range) {
    Json all = of_type("integer");
    all["minimum"] = 0;
    add_range(range, all);
    return all;
  }

  static Json text(const Rule& rule) {
    Json all = of_type("string");
    if (rule.words != nullptr) all["enum"] = *rule.words;
    if (rule.existing_file) all["minLength"] = 1;
    return all;
  }

  /// An object with free names for values of schema `value`.
  static Json named(Json value, const Rule& rule) {
    Json all = of_type("object");
    all["propertyNames"]["minLength"] = 1;
    all["additionalProperties"] = std::move(value);
    if (rule.min_items > 0) all["minProperties"] = rule.min_items;
    return all;
  }

  /// A list of n items.
  static Json array(Json item, std::size_t n, const Rule& rule) {
    Json all = of_type("array");
    all["items"] = std::move(item);
    all["minItems"] = n;
    all["maxItems"] = n;
    if (rule.nonzero) all["not"] = Json{{"items", Json{{"const", 0}}}};
    return all;
  }

  /// A list of any length.
  static Json list(Json item, const Rule& rule) {
    Json all = of_type("array");
    all["items"] = std::move(item);
    if (rule.min_items > 0) all["minItems"] = rule.min_items;
    if (rule.words != nullptr) all["uniqueItems"] = true;
    return all;
  }

  static Json one_of_words(const Json& words) {
    Json all = of_type("string");
    all["enum"] = words;
    return all;
  }

  static Json one_of_forms(std::string_view description, Json forms) {
    Json all;
    all["description"] = description;
    all["oneOf"] = std::move(forms);
    return all;
  }

  static Json row_of(std::string_view description, Json items) {
    Json all;
    all["description"] = description;
    all["type"] = "array";
    const std::size_t n = items.size();
    all["prefixItems"] = std::move(items);
    all["minItems"] = n;
    all["maxItems"] = n;
    return all;
  }

  /// An object whose only key is `name`.
  static Json object_of_one(std::string_view name, Json value) {
    Json all = of_type("object");
    all["properties"][std::string(name)] = std::move(value);
    all["required"] = Json::array({name});
    all["additionalProperties"] = false;
    return all;
  }

  /// A field's schema from that of its value; a null `standard` states no default.
  static Json wrapped(Json value, const FieldNote& f, const Json& standard) {
    if (f.form == Form::automatic) value = Json{{"anyOf", Json::array({Json{{"const", "auto"}}, value})}};
    if (!f.inner.empty()) value = object_of_one(f.inner, std::move(value));
    Json all;
    all["description"] = with_unit(f.text, f.unit);
    for (const auto& [key, item] : value.items()) {
      if (key != "description") all[key] = item;
    }
    if (f.form == Form::automatic && !f.required) {
      all["default"] = "auto";
    } else if (!standard.is_null()) {
      all["default"] = standard;
    }
    return all;
  }

  static void add_property(const FieldNote& f, Json value, Json& out) {
    out["properties"][std::string(f.key)] = std::move(value);
    if (f.required) out["required"].push_back(f.key);
  }

  static Json with_description(std::string_view description, const Json& value) {
    Json all;
    all["description"] = description;
    all.update(value);
    return all;
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
      return one_of_words(words);
    } else if constexpr (DescribedAs<T, Single>) {
      return with_description(description.text, member_schema<T>(description.field));
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
    return row_of(description.text, std::move(items));
  }

  /// One form per alternative; each is an object of one key, or the bare value.
  template <class T, class D>
  Json keyed(const D& description) const {
    Json forms = Json::array();
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      Json value = schema<A>();
      forms.push_back(alternative.name.empty() ? std::move(value) : object_of_one(alternative.name, std::move(value)));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, description.alternatives);
    return one_of_forms(description.text, std::move(forms));
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
    return one_of_forms(description.text, std::move(forms));
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
        add_property(f, field_schema<T>(f), out);
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
    return wrapped(member_schema<Owner>(f), f, f.required ? Json() : plain_default(defaults<Owner>().*(f.member)));
  }

  template <class Owner>
  [[gnu::noinline]] static const Owner& defaults() {
    static const Owner owner{};
    return owner;
  }

  /// Null for the default of a part, whose own keys state their defaults, and for infinite numbers.
  template <class V>
  static Json plain_default(const V& value) {
    if constexpr (std::is_same_v<V, double>) {
      return std::isfinite(value) ? Json(value) : Json();
    } else if constexpr (std::is_arithmetic_v<V> || std::is_same_v<V, std::string> ||
                         std::is_same_v<V, std::vector<std::string>> || std::is_same_v<V, Real3>) {
      return value;
    } else if constexpr (std::is_enum_v<V>) {
      for (const auto& [word, item] : describe(Of<V>{}).words) {
        if (item == value) return word;
      }
    }
    return {};
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
