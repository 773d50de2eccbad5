#pragma once

#include <cstddef>
#include <string_view>

#include "host/case/describe.hpp"
#include "host/case/io/json.hpp"

/// Parts of a JSON Schema. They are plain functions of JSON, so that they are compiled once and not for each field of
/// the describe() lists.
namespace scree::schema_parts {

/// Any value of a type, given by its name in JSON Schema.
[[nodiscard]] Json of_type(const char* type);
/// A number with all its limits as one interval. If 0 is allowed, the numbers between 0 and the least magnitude are cut
/// out.
[[nodiscard]] Json number(const Range& range);
/// A whole number that is not negative.
[[nodiscard]] Json count(const Range& range);
/// A text, or one of a list of words if the rule has words.
[[nodiscard]] Json text(const Rule& rule);
/// An object with free names for values of schema `value`.
[[nodiscard]] Json named(Json value, const Rule& rule);
/// A list of n items.
[[nodiscard]] Json array(Json item, std::size_t n, const Rule& rule);
/// A list of any length.
[[nodiscard]] Json list(Json item, const Rule& rule);
/// One of these texts.
[[nodiscard]] Json one_of_words(const Json& words);
/// Exactly one of these schemas.
[[nodiscard]] Json one_of_forms(std::string_view description, Json forms);
/// A list of fixed length in which each item has its own schema.
[[nodiscard]] Json row_of(std::string_view description, Json items);
/// An object whose only key is `name`.
[[nodiscard]] Json object_of_one(std::string_view name, Json value);
/// The schema of a field, made from the schema of its value. `standard` is its default; null: it has none.
[[nodiscard]] Json wrapped(Json value, const FieldNote& field, const Json& standard);
/// `value` with this description in place of its own.
[[nodiscard]] Json with_description(std::string_view description, const Json& value);

/// Starts an object without properties. add_property() and add_choice() complete it, and finish() ends it.
[[nodiscard]] Json start(std::string_view description);
void add_property(const FieldNote& field, Json value, Json& object);
void add_choice(const KeyChoice& choice, Json& object);
[[nodiscard]] Json finish(Json object);

}  // namespace scree::schema_parts
