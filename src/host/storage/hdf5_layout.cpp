#include "host/storage/hdf5_layout.hpp"

#include <algorithm>
#include <map>

#include "host/storage/hdf5_format.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr std::uint64_t superblock_bytes = 48, alignment = 8;

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

/// An attribute with an ASCII text of fixed length.
std::string attribute_message(const std::string& name, const std::string& text) {
  const std::string shown = text.empty() ? std::string(1, '\0') : text;
  Bytes out;
  out.number(3, 1).number(0, 1).number(name.size() + 1, 2).number(8, 2).number(4, 2).number(0, 1);
  out.add(name).number(0, 1);
  out.number(0x13, 1).number(1, 3).number(shown.size(), 4);  // padded with zeros
  out.number(2, 1).number(0, 1).number(0, 1).number(0, 1);   // a single one
  return message(hdf5::attribute, out.add(shown).text);
}

std::string object(const std::string& messages) {
  Bytes out;
  out.add(hdf5::object_signature).number(2, 1).number(2, 1).number(messages.size(), 4).add(messages);
  return out.number(hdf5_checksum(out.text), 4).text;
}

/// The groups and arrays of a plan as a tree.
struct Node {
  std::map<std::string, Node> children;    ///< members of a group
  const Hdf5Plan::Array* array = nullptr;  ///< null for a group
  std::uint64_t offset = hdf5::undefined, address = 0;
};

std::string link_message(const std::string& name, std::uint64_t address) {
  return message(hdf5::link,
                 Bytes().number(1, 1).number(1, 1).number(name.size(), 2).add(name).number(address, 8).text);
}

std::string header_of(const Node& node, const Hdf5Plan& plan, bool root) {
  if (node.array != nullptr) {
    const Hdf5Plan::Array& array = *node.array;
    std::string all =
        message(hdf5::dataspace, space_message(array)) + message(hdf5::datatype, type_message(array.type));
    all += message(hdf5::fill_value, Bytes().number(3, 1).number(0x0a, 1).text);
    const std::uint64_t offset = array.bytes() == 0 ? hdf5::undefined : node.offset;
    const Bytes layout = Bytes().number(3, 1).number(1, 1).number(offset, 8).number(array.bytes(), 8);
    all += message(hdf5::data_layout, layout.text);
    if (!array.unit.empty()) { all += attribute_message("unit", array.unit); }
    return object(all);
  }
  std::string all =
      message(hdf5::link_info, Bytes().number(0, 2).number(hdf5::undefined, 8).number(hdf5::undefined, 8).text);
  all += message(hdf5::group_info, Bytes().number(0, 2).text);
  for (const auto& [name, child] : node.children) { all += link_message(name, child.address); }
  if (root) {
    for (const auto& [name, text] : plan.attributes) { all += attribute_message(name, text); }
  }
  return object(all);
}

/// Calls visit(node) for a group and then for all its members, in alphabetical order.
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
  walk(root, [&](Node& node) {  // the length of a header does not depend on the addresses in it
    node.address = end;
    end = aligned(end + header_of(node, plan, &node == &root).size());
  });
  Hdf5Layout layout;
  const std::uint64_t head_bytes = end;
  for (const Hdf5Plan::Array& array : plan.arrays) {  // the order in which they are written
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
  out.add(hdf5::signature).number(2, 1).number(8, 1).number(8, 1).number(0, 1);
  out.number(0, 8).number(hdf5::undefined, 8).number(layout.bytes, 8).number(root.address, 8);
  out.number(hdf5_checksum(out.text), 4);
  layout.head = std::move(out.text);
  walk(root, [&](Node& node) {
    layout.head.resize(node.address, '\0');
    layout.head += header_of(node, plan, &node == &root);
  });
  layout.head.resize(head_bytes, '\0');
  return layout;
}

}  // namespace scree
