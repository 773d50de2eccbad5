#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "host/storage/hdf5_layout.hpp"
#include "scree/errors.hpp"

namespace scree::test::hdf5_layout_test {

/// A link in the header of a group, up to the address to which it leads.
std::string link_to(const std::string& name) {
  return std::string{'\x01', '\x01', static_cast<char>(name.size()), '\0'} + name;
}

/// Seven groups, one in another, of which each leads to the next one many times: a hundred times as many ways with
/// every level. A reader that went all of them would never end.
TEST(Hdf5Layout, AForgedTreeIsNotWalkedForEver) {
  constexpr std::size_t address_bytes = 8;
  Hdf5Plan plan;
  std::string group;
  for (int level = 0; level < 7; ++level) {
    for (int k = 10; k < 100; ++k) { plan.arrays.push_back({group + "y" + std::to_string(k), "", {}, 0, 1}); }
    group += "g/";
  }
  plan.arrays.push_back({group + "end", "", {}, 0, 1});
  std::sort(plan.arrays.begin(), plan.arrays.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  const Hdf5Layout layout = lay_out(plan);
  EXPECT_EQ(read_plan(layout.head, layout.bytes).arrays, plan.arrays);
  std::string forged = layout.head;
  const std::string to_group = link_to("g");
  int groups = 0;
  for (std::size_t at = forged.find(to_group); at != std::string::npos;) {
    const std::string address = forged.substr(at + to_group.size(), address_bytes);
    const std::size_t next = forged.find(to_group, at + 1);
    for (int k = 10; k < 100; ++k) {
      const std::string to_array = link_to("y" + std::to_string(k));
      const std::size_t link = forged.find(to_array, at);
      ASSERT_LT(link, next);
      forged.replace(link + to_array.size(), address_bytes, address);
    }
    at = next;
    ++groups;
  }
  EXPECT_EQ(groups, 7);
  EXPECT_THROW(static_cast<void>(read_plan(forged, layout.bytes)), StateError);
}

}  // namespace scree::test::hdf5_layout_test
