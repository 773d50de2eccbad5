#pragma once

#include <atomic>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Allocates zeroed memory on the backend; 0 bytes give a null pointer. `what` names the request in the error message.
/// Throws BackendError when memory runs out.
[[nodiscard]] void* allocate_bytes(std::size_t bytes, const char* what);
void free_bytes(void* memory) noexcept;
// The pointers may be null if `bytes` is 0.
void copy_to_backend(void* to, const void* from, std::size_t bytes);
void copy_from_backend(void* to, const void* from, std::size_t bytes);
void copy_within_backend(void* to, const void* from, std::size_t bytes);
void fill_zero(void* memory, std::size_t bytes);

/// How often buffers of this backend have changed their place or length. While this stays the same, so do all views.
inline std::atomic<std::uint64_t>& buffer_changes() {
  static std::atomic<std::uint64_t> count{0};
  return count;
}

/// View of an array, for kernels. Indices are checked where SCREE_CHECKS is on. A prefetch, which may ask for addresses
/// beyond the end, uses `data`.
template <class T>
struct Span {
  T* data = nullptr;
  std::size_t size = 0;
  SCREE_INLINE T& operator[](std::size_t i) const {
    SCREE_ASSERT(i < size);
    return data[i];
  }
};

/// Array that owns memory of the backend and never gives it back by shrinking. New memory is zero, but elements that
/// return when the array grows again within its memory hold old values.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { free_bytes(data_); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] Span<T> view() { return {data_, size_}; }
  operator Span<T>() { return view(); }  // NOLINT: a Buffer stands for its view wherever a kernel is built

  /// Changes the length and keeps the contents.
  void resize(std::size_t size, const char* what = "state") {
    if (size > capacity_) { reallocate(grown(size), what, true); }
    set_size(size);
  }

  /// Changes the length; the contents become undefined.
  void discard_and_resize(std::size_t size, const char* what = "work space") {
    if (size > capacity_) { reallocate(grown(size), what, false); }
    set_size(size);
  }

  void zero() { fill_zero(data_, size_ * sizeof(T)); }

  void assign(const std::vector<T>& values, const char* what = "state") {
    discard_and_resize(values.size(), what);
    if (!values.empty()) { copy_to_backend(data_, values.data(), values.size() * sizeof(T)); }
  }

  [[nodiscard]] std::vector<T> to_vector() const { return to_vector(size_); }
  [[nodiscard]] std::vector<T> to_vector(std::size_t count) const {
    SCREE_ASSERT(count <= size_);
    std::vector<T> values(count);
    if (count > 0) { copy_from_backend(values.data(), data_, count * sizeof(T)); }
    return values;
  }
  [[nodiscard]] T element(std::size_t i) const {
    SCREE_ASSERT(i < size_);
    T value;
    copy_from_backend(&value, data_ + i, sizeof(T));
    return value;
  }
  void set_element(std::size_t i, const T& value) {
    SCREE_ASSERT(i < size_);
    copy_to_backend(data_ + i, &value, sizeof(T));
  }

  void swap(Buffer& other) noexcept {
    buffer_changes().fetch_add(1, std::memory_order_relaxed);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  // The first request is met exactly. Later ones leave room, so that a list whose length varies a little is not moved
  // at every rebuild.
  [[nodiscard]] std::size_t grown(std::size_t size) const { return capacity_ == 0 ? size : size + size / 32 + 16; }

  void set_size(std::size_t size) {
    if (size != size_) { buffer_changes().fetch_add(1, std::memory_order_relaxed); }
    size_ = size;
  }

  void reallocate(std::size_t capacity, const char* what, bool keep) {
    buffer_changes().fetch_add(1, std::memory_order_relaxed);
    if (!keep) {
      free_bytes(std::exchange(data_, nullptr));
      capacity_ = 0;
    }
    T* fresh = static_cast<T*>(allocate_bytes(capacity * sizeof(T), what));
    if (keep && size_ > 0) { copy_within_backend(fresh, data_, size_ * sizeof(T)); }
    free_bytes(std::exchange(data_, fresh));
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
