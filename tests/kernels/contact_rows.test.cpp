#include "kernels/state/contact_rows.hpp"

#include "support.hpp"

/// Rows of contacts are handed on completely, and no two rows own the same pages. All comparisons are exact.
namespace scree::inline SCREE_BACKEND::contact_rows_test {

constexpr std::uint32_t width = 3;

/// Three rows that differ in every number, with stacks of 1, 2 and 3 segments.
struct ThreeRows {
  std::vector<float> extra{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<StackEnd<float>> stack;

  ThreeRows() : stack(3) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      stack[i].count = stack[i].held = i + 1;
      stack[i].segment[0].end = 10.0 + i;
    }
  }
  RowViews<float> view(bool with_stacks = true) {
    return {{extra.data(), extra.size()},
            width,
            with_stacks ? Span<StackEnd<float>>{stack.data(), stack.size()} : Span<StackEnd<float>>{}};
  }
};

TEST(ContactRows, CopyLeavesTheSourceAsItIs) {
  ThreeRows from, to;
  to.view().copy(0, from.view(), 2);
  EXPECT_EQ(to.extra, (std::vector<float>{7, 8, 9, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(to.stack[0].count, 3u);
  EXPECT_EQ(to.stack[0].segment[0].end, 12.0);
  EXPECT_EQ(from.stack[2].count, 3u);
}

TEST(ContactRows, TakeLeavesNoStackBehind) {
  ThreeRows rows;
  rows.view().take(1, rows.view(), 2);
  EXPECT_EQ(rows.extra, (std::vector<float>{1, 2, 3, 7, 8, 9, 7, 8, 9}));
  EXPECT_EQ(rows.stack[1].count, 3u);
  EXPECT_EQ(rows.stack[1].segment[0].end, 12.0);
  EXPECT_EQ(rows.stack[2].count, 0u);
}

TEST(ContactRows, SwapExchangesBoth) {
  ThreeRows rows;
  rows.view().swap(0, 1);
  EXPECT_EQ(rows.extra, (std::vector<float>{4, 5, 6, 1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(rows.stack[0].count, 2u);
  EXPECT_EQ(rows.stack[1].count, 1u);
  EXPECT_EQ(rows.stack[0].segment[0].end, 11.0);
}

TEST(ContactRows, ClearForgetsOneRow) {
  ThreeRows rows;
  rows.view().clear(1);
  EXPECT_EQ(rows.extra, (std::vector<float>{1, 2, 3, 0, 0, 0, 7, 8, 9}));
  EXPECT_EQ(rows.stack[1].count, 0u);
  EXPECT_EQ(rows.stack[2].count, 3u);
}

TEST(ContactRows, WithoutStacksOnlyNumbersGo) {
  ThreeRows rows;
  rows.view(false).take(0, rows.view(false), 1);
  EXPECT_EQ(rows.extra, (std::vector<float>{4, 5, 6, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(rows.stack[0].count, 1u);
  EXPECT_EQ(rows.stack[1].count, 2u);
}

}  // namespace scree::inline SCREE_BACKEND::contact_rows_test
