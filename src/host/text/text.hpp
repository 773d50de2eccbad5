#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Shortest decimal text that reads back as the same double: "0.0025", "1e+22", "inf".
[[nodiscard]] std::string number_text(double value);

/// `value` to `digits` significant digits, for people: "0.00253", "1.2e-05".
[[nodiscard]] std::string short_number_text(double value, int digits = 4);

/// Number with thousands apart: "1 250 000".
[[nodiscard]] std::string count_text(std::uint64_t count);

/// "1 particle", "1 250 particles".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// Difference of `value` from `reference`: "+1.25 %".
[[nodiscard]] std::string difference_text(double value, double reference);

/// "12.3 MiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// The candidate that `name` most likely meant, if any is near enough; the first of equals.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      const std::vector<std::string>& candidates);

/// `did you mean "velocity"?` when a candidate is near, else `known are "a", "b"`; `none is known` without any.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// `unknown material "glas"; did you mean "glass"?`
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       const std::vector<std::string>& known);

/// Place of a name in a list, if it is there.
[[nodiscard]] std::optional<std::size_t> place_of_name(std::string_view name, const std::vector<std::string>& known);

/// `"a", "b", "c"`.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

}  // namespace scree
