#include "host/case/schema_parts.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace scree::schema_parts {
namespace {

/// "Mass density [kg/m3]."
std::string with_unit(std::string_view text, std::string_view unit) {
  if (unit.empty()) return std::string(text);
  if (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text) + " [" + std::string(unit) + "].";
}

/// The numbers that are in both ranges.
Range common(const Range& a, const Range& b) {
  Range range = a;
  if (b.low > a.low || (b.low == a.low && b.low_open)) range.low = b.low, range.low_open = b.low_open;
  if (b.high < a.high || (b.high == a.high && b.high_open)) range.high = b.high, range.high_open = b.high_open;
  return range;
}

void add_range(const Range& range, Json& out) {
  if (std::isfinite(range.low)) out[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) out[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
}

}  // namespace

Json of_type(const char* type) {
  Json all;
  all["type"] = type;
  return all;
}

Json count(const Range& range) {
  Json all = of_type("integer");
  all["minimum"] = 0;
  add_range(range, all);
  return all;
}

Json text(const Rule& rule) {
  Json all = of_type("string");
  if (rule.words != nullptr) all["enum"] = *rule.words;
  if (rule.existing_file) all["minLength"] = 1;
  return all;
}

Json named(Json value, const Rule& rule) {
  Json all = of_type("object");
  all["propertyNames"]["minLength"] = 1;
  all["additionalProperties"] = std::move(value);
  if (rule.min_items > 0) all["minProperties"] = rule.min_items;
  return all;
}

Json array(Json item, std::size_t n, const Rule& rule) {
  Json all = of_type("array");
  all["items"] = std::move(item);
  all["minItems"] = n;
  all["maxItems"] = n;
  if (rule.nonzero) all["not"] = Json{{"items", Json{{"const", 0}}}};
  return all;
}

Json list(Json item, const Rule& rule) {
  Json all = of_type("array");
  all["items"] = std::move(item);
  if (rule.min_items > 0) all["minItems"] = rule.min_items;
  if (rule.words != nullptr) all["uniqueItems"] = true;
  return all;
}

Json one_of_words(const Json& words) {
  Json all = of_type("string");
  all["enum"] = words;
  return all;
}

Json one_of_forms(std::string_view description, Json forms) {
  Json all;
  all["description"] = description;
  all["oneOf"] = std::move(forms);
  return all;
}

Json row_of(std::string_view description, Json items) {
  Json all;
  all["description"] = description;
  all["type"] = "array";
  const std::size_t n = items.size();
  all["prefixItems"] = std::move(items);
  all["minItems"] = n;
  all["maxItems"] = n;
  return all;
}

Json object_of_one(std::string_view name, Json value) {
  Json all = of_type("object");
  all["properties"][std::string(name)] = std::move(value);
  all["required"] = Json::array({name});
  all["additionalProperties"] = false;
  return all;
}

Json wrapped(Json value, const FieldNote& f, const Json& standard) {
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

void add_property(const FieldNote& f, Json value, Json& out) {
  out["properties"][std::string(f.key)] = std::move(value);
  if (f.required) out["required"].push_back(f.key);
}

Json with_description(std::string_view description, const Json& value) {
  Json all;
  all["description"] = description;
  all.update(value);
  return all;
}

Json number(const Range& own) {
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

Json start(std::string_view text) {
  return {{"description", text},
          {"type", "object"},
          {"properties", Json::object()},
          {"required", Json::array()},
          {"additionalProperties", false}};
}

Json finish(Json all) {
  if (all["required"].empty()) all.erase("required");
  return all;
}

void add_choice(const KeyChoice& choice, Json& out) {
  Json forms = Json::array();
  for (const auto name : choice.keys) forms.push_back(Json{{"required", Json::array({name})}});
  out["allOf"].push_back(Json{{choice.allows_several ? "anyOf" : "oneOf", forms}});
}

}  // namespace scree::schema_parts
