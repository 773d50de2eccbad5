#include <algorithm>
#include <string>
#include <utility>

#include "host/storage/hdf5_format.hpp"
#include "host/storage/hdf5_layout.hpp"
#include "scree/errors.hpp"

// Reads the plan of a file that lay_out() has made.
namespace scree {
namespace {

[[noreturn]] void refuse() { throw StateError("is not an HDF5 file with the layout of checkpoints"); }

/// Takes numbers from bytes. Throws StateError at their end.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::uint64_t first)
      : left_(first <= bytes.size() ? bytes.substr(first) : std::string_view()) {}
  std::string_view take(std::uint64_t count) {
    if (count > left_.size()) { refuse(); }
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  std::uint64_t number(std::uint64_t bytes) {
    std::uint64_t value = 0;
    std::uint64_t shift = 0;
    for (const char c : take(bytes)) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << (8 * shift++);
    }
    return value;
  }
  [[nodiscard]] bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

constexpr int most_levels = 8;

/// Reads the parts of headers that determine the plan. read_plan() compares all other bytes afterwards.
class PlanReader {
 public:
  PlanReader(std::string_view begin, std::uint64_t file_bytes) : begin_(begin), file_bytes_(file_bytes) {}

  Hdf5Plan read() {
    Cursor superblock(begin_, 0);
    if (superblock.take(hdf5::signature.size()) != hdf5::signature) { refuse(); }
    superblock.take(4 + 8 + 8 + 8);
    read_object(superblock.number(8), "", 0);
    return std::move(plan_);
  }

 private:
  void read_object(std::uint64_t address, const std::string& path, int level) {
    if (level > most_levels) { refuse(); }
    Cursor head(begin_, address);
    if (head.take(hdf5::object_signature.size()) != hdf5::object_signature) { refuse(); }
    head.take(2);
    const std::uint64_t length = head.number(4);
    // In a correct file each header has one place in the tree. This check bounds the work for a forged file, which may
    // link a header several times.
    headers_ += hdf5::object_signature.size() + 2 + 4 + length;
    if (headers_ > begin_.size()) { refuse(); }
    Cursor messages(head.take(length), 0);
    Hdf5Plan::Array array{path, "", ValueType::uint8, 0, 1};
    bool is_array = false;
    while (!messages.empty()) {
      const std::uint64_t kind = messages.number(1), size = messages.number(2);
      messages.take(1);
      Cursor content(messages.take(size), 0);
      if (kind == hdf5::link) {
        content.take(2);
        const std::string name(content.take(content.number(2)));
        if (name.empty() || name.find('/') != std::string::npos) { refuse(); }
        read_object(content.number(8), path.empty() ? name : path + "/" + name, level + 1);
      } else if (kind == hdf5::attribute) {
        read_attribute(content, path, array);
      } else if (kind == hdf5::dataspace) {
        is_array = true;
        content.take(1);
        const bool table = content.number(1) == 2;
        content.take(2);
        array.rows = content.number(8);
        if (table) { array.columns = content.number(8); }
      } else if (kind == hdf5::datatype) {
        array.type = read_type(content);
      }
    }
    if (is_array) { accept(std::move(array)); }
  }

  void read_attribute(Cursor& content, const std::string& path, Hdf5Plan::Array& array) {
    content.take(2);
    const std::uint64_t name_bytes = content.number(2);
    content.take(5);
    std::string name(content.take(name_bytes));
    if (name.empty()) { refuse(); }
    name.pop_back();
    content.take(4);
    const std::uint64_t length = content.number(4);
    content.take(4);
    std::string text(content.take(length));
    if (text == std::string(1, '\0')) { text.clear(); }
    if (path.empty()) {
      plan_.attributes.emplace_back(std::move(name), std::move(text));
    } else {
      array.unit = std::move(text);
    }
  }

  static ValueType read_type(Cursor& content) {
    const bool real = content.number(1) == 0x11;
    content.take(3);
    switch (content.number(4)) {
      case 1: return ValueType::uint8;
      case 4: return real ? ValueType::float32 : ValueType::uint32;
      case 8: return real ? ValueType::float64 : ValueType::uint64;
      default: refuse();
    }
  }

  /// Adds an array. Refuses arrays that together are longer than the file, so that no number overflows and memory is
  /// limited by the size of the file.
  void accept(Hdf5Plan::Array array) {
    std::uint64_t numbers = 0, bytes = 0;
    if (__builtin_mul_overflow(array.rows, array.columns, &numbers) ||
        __builtin_mul_overflow(numbers, size_of(array.type), &bytes) ||
        __builtin_add_overflow(bytes_, bytes, &bytes_) || bytes_ > file_bytes_ || array.columns == 0) {
      refuse();
    }
    plan_.arrays.push_back(std::move(array));
  }

  std::string_view begin_;
  std::uint64_t file_bytes_, bytes_ = 0;
  std::uint64_t headers_ = 0;  ///< [bytes] total length of the headers that were read
  Hdf5Plan plan_;
};

}  // namespace

Hdf5Plan read_plan(std::string_view begin, std::uint64_t file_bytes) {
  Hdf5Plan plan = PlanReader(begin, file_bytes).read();
  const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  if (!std::is_sorted(plan.arrays.begin(), plan.arrays.end(), by_path)) {
    std::sort(plan.arrays.begin(), plan.arrays.end(), by_path);
  }
  const auto same = [](const auto& a, const auto& b) { return a.path == b.path; };
  if (std::adjacent_find(plan.arrays.begin(), plan.arrays.end(), same) != plan.arrays.end()) { refuse(); }
  try {
    const Hdf5Layout layout = lay_out(plan);
    if (layout.bytes != file_bytes || layout.head.size() > begin.size() ||
        begin.substr(0, layout.head.size()) != layout.head) {
      refuse();
    }
  } catch (const ContractError&) { refuse(); }
  return plan;
}

}  // namespace scree
