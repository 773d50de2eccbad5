#include "host/storage/hdf5_layout.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view object_signature = "OHDR";
constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t superblock_bytes = 48, alignment = 8;
constexpr std::uint8_t link_info = 0x02, group_info = 0x0a, link = 0x06, dataspace = 0x01, datatype = 0x03,
                       // kinds of messages in object headers
    fill_value = 0x05, data_layout = 0x08, attribute = 0x0c;

constexpr std::uint32_t rotated(std::uint32_t x, unsigned bits) { return (x << bits) | (x >> (32 - bits)); }

/// Appends numbers in little-endian order.
class Bytes {
 public:
  Bytes& number(std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) { text.push_back(static_cast<char>((value >> (8 * k)) & 0xffU)); }
    return *this;
  }
  Bytes& add(std::string_view more) {
    text += more;
    return *this;
  }
  std::string text;
};

std::string type_message(ValueType type) {
  const std::uint64_t size = size_of(type);
  Bytes out;
  if (type == ValueType::float32 || type == ValueType::float64) {
    const bool wide = type == ValueType::float64;
    out.number(0x11, 1).number(0x20, 1).number(wide ? 63 : 31, 1).number(0, 1).number(size, 4);
    out.number(0, 2)
        .number(8 * size, 2)
        .number(wide ? 52 : 23, 1)
        .number(wide ? 11 : 8, 1)
        .number(0, 1)
        .number(wide ? 52 : 23, 1);
    return out.number(wide ? 1023 : 127, 4).text;
  }
  return out.number(0x10, 1).number(0, 3).number(size, 4).number(0, 2).number(8 * size, 2).text;
}

std::string space_message(const Hdf5Plan::Array& array) {
  Bytes out;
  const bool table = array.columns != 1;
  out.number(2, 1).number(table ? 2 : 1, 1).number(0, 1).number(1, 1).number(array.rows, 8);
  if (table) { out.number(array.columns, 8); }
  return out.text;
}

std::string message(std::uint8_t kind, const std::string& content) {
  SCREE_EXPECT(content.size() <= 0xffff, "a message of an HDF5 header has 65535 bytes at most");
  return Bytes().number(kind, 1).number(content.size(), 2).number(0, 1).add(content).text;
}

/// Text of fixed length, in ASCII.
std::string attribute_message(const std::string& name, const std::string& text) {
  const std::string shown = text.empty() ? std::string(1, '\0') : text;
  Bytes out;
  out.number(3, 1).number(0, 1).number(name.size() + 1, 2).number(8, 2).number(4, 2).number(0, 1);
  out.add(name).number(0, 1);
  out.number(0x13, 1).number(1, 3).number(shown.size(), 4);  // padded with zeros
  out.number(2, 1).number(0, 1).number(0, 1).number(0, 1);   // a single one
  return message(attribute, out.add(shown).text);
}

std::string object(const std::string& messages) {
  Bytes out;
  out.add(object_signature).number(2, 1).number(2, 1).number(messages.size(), 4).add(messages);
  return out.number(hdf5_checksum(out.text), 4).text;
}

/// The groups and arrays of a plan as a tree.
struct Node {
  std::map<std::string, Node> children;    ///< of a group
  const Hdf5Plan::Array* array = nullptr;  ///< of a leaf
  std::uint64_t offset = undefined, address = 0;
};

std::string link_message(const std::string& name, std::uint64_t address) {
  return message(link, Bytes().number(1, 1).number(1, 1).number(name.size(), 2).add(name).number(address, 8).text);
}

std::string header_of(const Node& node, const Hdf5Plan& plan, bool root) {
  if (node.array != nullptr) {
    const Hdf5Plan::Array& array = *node.array;
    std::string all = message(dataspace, space_message(array)) + message(datatype, type_message(array.type));
    all += message(fill_value, Bytes().number(3, 1).number(0x0a, 1).text);
    const bool empty = array.bytes() == 0;
    all += message(
        data_layout,
        Bytes().number(3, 1).number(1, 1).number(empty ? undefined : node.offset, 8).number(array.bytes(), 8).text);
    if (!array.unit.empty()) { all += attribute_message("unit", array.unit); }
    return object(all);
  }
  std::string all = message(link_info, Bytes().number(0, 2).number(undefined, 8).number(undefined, 8).text);
  all += message(group_info, Bytes().number(0, 2).text);
  for (const auto& [name, child] : node.children) { all += link_message(name, child.address); }
  if (root) {
    for (const auto& [name, text] : plan.attributes) { all += attribute_message(name, text); }
  }
  return object(all);
}

/// Calls visit(node) for a group and all in it, itself first, in alphabetical order.
template <class Visit>
void walk(Node& node, Visit&& visit) {
  visit(node);
  for (auto& [name, child] : node.children) { walk(child, visit); }
}

Node tree_of(const Hdf5Plan& plan) {
  Node root;
  for (const Hdf5Plan::Array& array : plan.arrays) {
    Node* node = &root;
    std::size_t begin = 0;
    for (;;) {
      const std::size_t slash = std::min(array.path.find('/', begin), array.path.size());
      const std::string name = array.path.substr(begin, slash - begin);
      SCREE_EXPECT(!name.empty() && name != "." && node->array == nullptr,
                   "a path of HDF5 names groups and, at its end, an array");
      node = &node->children[name];
      if (slash == array.path.size()) { break; }
      begin = slash + 1;
    }
    SCREE_EXPECT(node->array == nullptr && node->children.empty(), "every array has a path of its own");
    node->array = &array;
  }
  return root;
}

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// --- reading -----------------------------------------------------------------------------------------------------

[[noreturn]] void refuse() { throw StateError("is no HDF5 file as checkpoints are"); }

/// Takes numbers from bytes and never goes beyond them.
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

/// Reads what it knows of each header. What it does not look at is compared in the end.
class PlanReader {
 public:
  PlanReader(std::string_view begin, std::uint64_t file_bytes) : begin_(begin), file_bytes_(file_bytes) {}

  Hdf5Plan read() {
    Cursor superblock(begin_, 0);
    if (superblock.take(signature.size()) != signature) { refuse(); }
    superblock.take(4 + 8 + 8 + 8);
    read_object(superblock.number(8), "", 0);
    return std::move(plan_);
  }

 private:
  void read_object(std::uint64_t address, const std::string& path, int level) {
    if (level > most_levels) { refuse(); }
    Cursor head(begin_, address);
    if (head.take(object_signature.size()) != object_signature) { refuse(); }
    head.take(2);
    const std::uint64_t length = head.number(4);
    // Each header lies in one place of the tree: however a forged file links them, no more is read than there is.
    headers_ += object_signature.size() + 2 + 4 + length;
    if (headers_ > begin_.size()) { refuse(); }
    Cursor messages(head.take(length), 0);
    Hdf5Plan::Array array{path, "", ValueType::uint8, 0, 1};
    bool is_array = false;
    while (!messages.empty()) {
      const std::uint64_t kind = messages.number(1), size = messages.number(2);
      messages.take(1);
      Cursor content(messages.take(size), 0);
      if (kind == link) {
        content.take(2);
        const std::string name(content.take(content.number(2)));
        if (name.empty() || name.find('/') != std::string::npos) { refuse(); }
        read_object(content.number(8), path.empty() ? name : path + "/" + name, level + 1);
      } else if (kind == attribute) {
        read_attribute(content, path, array);
      } else if (kind == dataspace) {
        is_array = true;
        content.take(1);
        const bool table = content.number(1) == 2;
        content.take(2);
        array.rows = content.number(8);
        if (table) { array.columns = content.number(8); }
      } else if (kind == datatype) {
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

  /// Refuses arrays that together are longer than the file. So no number overflows, and no more memory is asked for
  /// than the file has bytes.
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
  std::uint64_t headers_ = 0;  ///< [bytes] of all headers that were read
  Hdf5Plan plan_;
};

}  // namespace

std::uint32_t hdf5_checksum(std::string_view bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto word = [&](std::size_t first) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4 && first + k < bytes.size(); ++k) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[first + k])) << (8 * k);
    }
    return value;
  };
  std::size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= rotated(c, 4), c += b;
    b -= a, b ^= rotated(a, 6), a += c;
    c -= b, c ^= rotated(b, 8), b += a;
    a -= c, a ^= rotated(c, 16), c += b;
    b -= a, b ^= rotated(a, 19), a += c;
    c -= b, c ^= rotated(b, 4), b += a;
  }
  if (at == bytes.size()) { return c; }
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= rotated(b, 14);
  a ^= c, a -= rotated(c, 11);
  b ^= a, b -= rotated(a, 25);
  c ^= b, c -= rotated(b, 16);
  a ^= c, a -= rotated(c, 4);
  b ^= a, b -= rotated(a, 14);
  c ^= b, c -= rotated(b, 24);
  return c;
}

Hdf5Layout lay_out(const Hdf5Plan& plan) {
  Node root = tree_of(plan);
  std::uint64_t end = superblock_bytes;
  walk(root, [&](Node& node) {  // headers are as long whatever the addresses in them are
    node.address = end;
    end = aligned(end + header_of(node, plan, &node == &root).size());
  });
  Hdf5Layout layout;
  const std::uint64_t head_bytes = end;
  for (const Hdf5Plan::Array& array : plan.arrays) {  // in their order, in which they are written
    layout.offset.push_back(end);
    end = aligned(end + array.bytes());
  }
  walk(root, [&](Node& node) {
    if (node.array != nullptr) {
      node.offset = layout.offset[static_cast<std::size_t>(node.array - plan.arrays.data())];
    }
  });
  layout.bytes = end;
  Bytes out;
  out.add(signature).number(2, 1).number(8, 1).number(8, 1).number(0, 1);
  out.number(0, 8).number(undefined, 8).number(layout.bytes, 8).number(root.address, 8);
  out.number(hdf5_checksum(out.text), 4);
  layout.head = std::move(out.text);
  walk(root, [&](Node& node) {
    layout.head.resize(node.address, '\0');
    layout.head += header_of(node, plan, &node == &root);
  });
  layout.head.resize(head_bytes, '\0');
  return layout;
}

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
