#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// The shortest decimal text that reads back as the same double: "0.0025", "1e+22", "inf".
[[nodiscard]] std::string number_text(double value);

/// A value with `digits` significant digits, without an exponent from 0.0001 to a million: "0.00253", "12700",
/// "1.2e-05", "1.27e+06".
[[nodiscard]] std::string short_number_text(double value, int digits = 4);

/// A number with spaces between groups of three digits: "1 250 000".
[[nodiscard]] std::string count_text(std::uint64_t count);

/// A number with its noun: "1 particle", "1 250 particles".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// The relative difference of `value` from `reference`: "+1.25 %".
[[nodiscard]] std::string difference_text(double value, double reference);

/// A number of bytes with a binary unit: "12.3 MiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// The candidate that `name` most likely means (the first of several); nothing if none is similar enough.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      const std::vector<std::string>& candidates);

/// A hint for an unknown name: `did you mean "velocity"?` if a candidate is similar, otherwise `known are "a", "b"`, or
/// `none is known` without candidates.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// A message for an unknown name: `unknown material "glas"; did you mean "glass"?`
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       const std::vector<std::string>& known);

/// The index of a name in a list; nothing if it is not in the list.
[[nodiscard]] std::optional<std::size_t> place_of_name(std::string_view name, const std::vector<std::string>& known);

/// Names in quotes, separated by commas: `"a", "b", "c"`.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

}  // namespace scree
