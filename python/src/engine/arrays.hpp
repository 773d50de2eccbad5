#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

/// Arrays of NumPy from vectors. The memory of the vector becomes that of the array: nothing is copied.
namespace scree::python {

namespace nb = nanobind;

template <class T>
struct Numbers {  ///< how many numbers of which type an element has
  using Type = T;
  static constexpr std::size_t columns = 0;
};
template <class T, std::size_t n>
struct Numbers<std::array<T, n>> {
  using Type = T;
  static constexpr std::size_t columns = n;
};

/// [n] or [n, columns]
template <class T>
nb::object array_of(std::vector<T>&& values) {
  using Number = typename Numbers<T>::Type;
  constexpr std::size_t columns = Numbers<T>::columns;
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  const std::array<std::size_t, 2> shape{kept->size(), columns};
  static Number nothing{};
  void* const data = kept->empty() ? static_cast<void*>(&nothing) : kept->data();
  return nb::cast(nb::ndarray<nb::numpy, Number>(data, columns == 0 ? 1 : 2, shape.data(), owner));
}

/// One value of each of the items.
template <class Items, class Member>
nb::object column_of(const Items& items, Member member) {
  using T = std::remove_cvref_t<decltype(std::declval<const typename Items::value_type&>().*member)>;
  std::vector<T> values;
  values.reserve(items.size());
  for (const auto& item : items) { values.push_back(item.*member); }
  return array_of(std::move(values));
}

}  // namespace scree::python
