#pragma once

#include <optional>
#include <type_traits>

#include "host/case/describe_case.hpp"

namespace scree {

// Kinds of types, told apart at compile time while a describe() list is walked.

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class T>
struct is_named<std::vector<std::pair<std::string, T>>> : std::true_type {};
template <class T>
struct is_array : std::false_type {};
template <class T, std::size_t n>
struct is_array<std::array<T, n>> : std::true_type {};
template <template <class...> class Kind, class D>
struct is_kind : std::false_type {};
template <template <class...> class Kind, class... A>
struct is_kind<Kind, Kind<A...>> : std::true_type {};

template <class T>
using Description = decltype(describe(Of<T>{}));
template <class T, template <class...> class Kind>
concept DescribedAs = is_kind<Kind, Description<T>>::value;

}  // namespace scree
