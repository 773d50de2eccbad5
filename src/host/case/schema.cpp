#include <cmath>

#include "host/case/io/described.hpp"
#include "host/case/io/json.hpp"
#include "host/case/schema_parts.hpp"

namespace scree {
namespace {

/// Builds the JSON Schema along the describe() lists.
class SchemaBuilder {
 public:
  template <class T>
  Json schema(const Rule& rule = {}) const {
    if constexpr (std::is_same_v<T, double>) {
      return schema_parts::number(rule.range);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return schema_parts::count(rule.range);
    } else if constexpr (std::is_same_v<T, bool>) {
      return schema_parts::of_type("boolean");
    } else if constexpr (std::is_same_v<T, std::string>) {
      return schema_parts::text(rule);
    } else if constexpr (is_optional<T>::value) {
      return schema<typename T::value_type>(rule);
    } else if constexpr (is_named<T>::value) {
      return schema_parts::named(schema<typename T::value_type::second_type>(), rule);
    } else if constexpr (is_array<T>::value) {
      return schema_parts::array(schema<typename T::value_type>(rule), std::tuple_size_v<T>, rule);
    } else if constexpr (is_vector<T>::value) {
      return schema_parts::list(schema<typename T::value_type>(rule), rule);
    } else {
      return described<T>();
    }
  }

 private:
  template <class T>
  Json described() const {
    const auto description = describe(Of<T>{});
    if constexpr (std::is_enum_v<T>) {
      Json words = Json::array();
      for (const auto& [word, value] : description.words) words.push_back(word);
      return schema_parts::one_of_words(words);
    } else if constexpr (DescribedAs<T, Single>) {
      return schema_parts::with_description(description.text, member_schema<T>(description.field));
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
    return schema_parts::row_of(description.text, std::move(items));
  }

  /// The schema of a variant, with one form per alternative: an object of one key, or the bare value.
  template <class T, class D>
  Json keyed(const D& description) const {
    Json forms = Json::array();
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      Json value = schema<A>();
      forms.push_back(alternative.name.empty() ? std::move(value)
                                               : schema_parts::object_of_one(alternative.name, std::move(value)));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, description.alternatives);
    return schema_parts::one_of_forms(description.text, std::move(forms));
  }

  template <class T, class D>
  Json object(const D& description) const {
    constexpr bool by_type = []<class... F>(const Object<F...>*) {
      return (is_tagged<F>() || ...);
    }(static_cast<const D*>(nullptr));
    if constexpr (by_type) {
      return tagged_object<T>(description);
    } else {
      Json all = schema_parts::start(description.text);
      add_fields<T>(description, all);
      return schema_parts::finish(std::move(all));
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

  /// The schema of an object with a tagged variant: one complete object per alternative, told apart by the key `type`.
  template <class T, class D>
  Json tagged_object(const D& description) const {
    Json forms = Json::array();
    const auto per_alternative = [&]<class A>(const Alternative<A>& alternative) {
      const auto own = describe(Of<A>{});
      Json form = schema_parts::start(own.text);
      form["properties"][std::string(tag_key)] = {{"const", alternative.name}};
      form["required"].push_back(tag_key);
      add_fields<A>(own, form);
      add_fields<T>(description, form);
      forms.push_back(schema_parts::finish(std::move(form)));
    };
    const auto each = [&]<class F>(const F&) {
      if constexpr (is_tagged<F>()) {
        std::apply([&](const auto&... a) { (per_alternative(a), ...); }, describe(Of<member_type<F>>{}).alternatives);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    return schema_parts::one_of_forms(description.text, std::move(forms));
  }

  template <class T, class D>
  void add_fields(const D& description, Json& out) const {
    const auto each = [&]<class F>(const F& f) {
      if constexpr (!is_kind<Inlined, F>::value) {
        schema_parts::add_property(f, field_schema<T>(f), out);
      } else if constexpr (DescribedAs<member_type<F>, Keyed>) {
        add_keys<member_type<F>>(out);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, description.fields);
    for (const KeyChoice& choice : description.choices) schema_parts::add_choice(choice, out);
  }

  /// Adds the alternatives of an inlined variant as keys of the owner, of which exactly one is required.
  template <class T>
  void add_keys(Json& out) const {
    KeyChoice choice;
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      choice.keys.push_back(alternative.name);
      out["properties"][std::string(alternative.name)] = schema<A>();
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
    schema_parts::add_choice(choice, out);
  }

  template <class Owner, class F>
  Json member_schema(const F& f) const {
    return schema<member_type<F>>(f.rule);
  }

  template <class Owner, class F>
  Json field_schema(const F& f) const {
    return schema_parts::wrapped(member_schema<Owner>(f), f,
                                 f.required ? Json() : plain_default(defaults<Owner>().*(f.member)));
  }

  template <class Owner>
  [[gnu::noinline]] static const Owner& defaults() {
    static const Owner owner{};
    return owner;
  }

  /// The default value as JSON. Null for an infinite number, and for a nested struct, whose own keys state their
  /// defaults.
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
