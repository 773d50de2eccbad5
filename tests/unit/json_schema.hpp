#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "host/case/io/json.hpp"

namespace scree {

inline bool valid(const Json& value, const Json& schema);

inline bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer") {
    return value.is_number_integer() || (value.is_number() && value == std::floor(value.get<double>()));
  }
  throw std::runtime_error("type " + type);
}

inline bool valid_object(const Json& value, const Json& schema) {
  for (const auto& key : schema.value("required", Json::array())) {
    if (!value.contains(key.get<std::string>())) return false;
  }
  const Json properties = schema.value("properties", Json::object());
  const Json others = schema.value("additionalProperties", Json(true));
  for (const auto& [key, item] : value.items()) {
    if (properties.contains(key)) {
      if (!valid(item, properties[key])) return false;
    } else if (others.is_boolean() ? !others.get<bool>() : !valid(item, others)) {
      return false;
    }
  }
  return value.size() >= schema.value("minProperties", 0u);
}

inline bool valid_array(const Json& value, const Json& schema) {
  if (value.size() < schema.value("minItems", 0u) || value.size() > schema.value("maxItems", 1u << 30)) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool own = schema.contains("prefixItems") && i < schema["prefixItems"].size();
    if (own && !valid(value[i], schema["prefixItems"][i])) return false;
    if (!own && schema.contains("items") && !valid(value[i], schema["items"])) return false;
  }
  return true;
}

/// Whether a value is valid, by the part of JSON Schema that the case schema uses.
inline bool valid(const Json& value, const Json& schema) {
  if (schema.contains("type") && !has_type(value, schema["type"])) return false;
  if (schema.contains("const") && value != schema["const"]) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
    return false;
  }
  const auto count = [&](const char* key) {
    return std::count_if(schema[key].begin(), schema[key].end(), [&](const Json& part) { return valid(value, part); });
  };
  if (schema.contains("oneOf") && count("oneOf") != 1) return false;
  if (schema.contains("anyOf") && count("anyOf") == 0) return false;
  if (schema.contains("allOf") && count("allOf") != static_cast<std::ptrdiff_t>(schema["allOf"].size())) return false;
  if (schema.contains("not") && valid(value, schema["not"])) return false;
  if (value.is_number()) {
    const auto number = value.get<double>();
    if (schema.contains("minimum") && !(number >= schema["minimum"].get<double>())) return false;
    if (schema.contains("maximum") && !(number <= schema["maximum"].get<double>())) return false;
    if (schema.contains("exclusiveMinimum") && !(number > schema["exclusiveMinimum"].get<double>())) return false;
    if (schema.contains("exclusiveMaximum") && !(number < schema["exclusiveMaximum"].get<double>())) return false;
  }
  if (value.is_object()) return valid_object(value, schema);
  if (value.is_array()) return valid_array(value, schema);
  return true;
}

}  // namespace scree
