#include "kernels/backend/exec.hpp"

#include "kernels/backend/last_block.hpp"
#include "kernels/state/control.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::exec_test {

class ExecTest : public BackendTest {};

/// Control word and counters of pages before and after the end of a step.
struct StepEndCase {
  Buffer<Control> control;
  Buffer<PoolCounters> pages;

  Control after(const Control& before, std::uint64_t free_pages, std::uint64_t least_pages) {
    control.assign({before});
    pages.assign({PoolCounters{.taken = 7, .given = 7 + free_pages, .waiting = 5}});
    Exec(1).for_each("end of step", 1, StepEnd{control.data(), pages.data(), least_pages});
    return control.element(0);
  }
};

TEST_F(ExecTest, AStepThatLeavesTooFewPagesHaltsTheBatch) {
  StepEndCase end;
  const Control enough = end.after({}, 40, 40);
  EXPECT_EQ(enough.halted, 0u);
  EXPECT_EQ(enough.completed, 1u);
  EXPECT_EQ(enough.free_pages, 40u);
  EXPECT_EQ(end.pages.element(0).waiting, 0u);
  const Control few = end.after({}, 39, 40);
  EXPECT_EQ(few.halted, 1u);
  EXPECT_EQ(few.short_of_pages, 1u);
  EXPECT_EQ(few.completed, 1u);  // the step itself was made
  EXPECT_EQ(end.after({}, 0, 0).halted, 0u);
}

TEST_F(ExecTest, TheEndOfAStepDoesNothingInAHaltedBatch) {
  Control halted;
  halted.halted = 1, halted.completed = 3, halted.free_pages = 100;
  StepEndCase end;
  const Control after = end.after(halted, 10, 40);
  EXPECT_EQ(after.completed, 3u);
  EXPECT_EQ(after.free_pages, 100u);
  EXPECT_EQ(after.short_of_pages, 0u);
}

#if SCREE_ON_CUDA

/// Counts, and raises the flag in one of the items.
struct CountAndFlag {
  std::size_t flagged;
  std::uint32_t* flag;
  std::uint64_t* count;
  SCREE_HD void operator()(std::size_t i) const {
    atomic_add(count, std::uint64_t(1));
    if (i == flagged) { raise_flag(flag); }
  }
};
/// Notes what is there when all items are done.
struct NoteBoth {
  const std::uint32_t* flag;
  const std::uint64_t* count;
  std::uint64_t* seen;  ///< [3]
  SCREE_HD void operator()(std::size_t) const {
    seen[0] = *flag, seen[1] = *count;
    ++seen[2];
  }
};

TEST_F(ExecTest, TheLastBlockComesOnceAfterAllItems) {
  Exec exec(1);
  Buffer<std::uint32_t> ended, flag;
  Buffer<std::uint64_t> count, seen;
  ended.assign({0});
  for (const std::size_t n : {1, 127, 128, 129, 5000}) {
    for (const std::size_t flagged : {std::size_t(0), n / 2, n - 1, n}) {
      SCOPED_TRACE(std::to_string(n) + " items, flag in " + std::to_string(flagged));
      flag.assign({0});
      count.assign({0});
      seen.assign({0, 0, 0});
      for_each_then(exec, "test", n, CountAndFlag{flagged, flag.data(), count.data()},
                    NoteBoth{flag.data(), count.data(), seen.data()}, ended.view());
      EXPECT_EQ(seen.to_vector(), (std::vector<std::uint64_t>{flagged < n ? 1u : 0u, n, 1}));
      EXPECT_EQ(ended.element(0), 0u);
    }
  }
}

/// A functor for for_selected: each item is chosen, rejected or left alone, and stores what it was made from.
struct ChooseItems {
  using Scalar = float;
  struct Look {
    float index = 0, square = 0;
    bool chosen = false;
    static constexpr int n_components = 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, index), visit(1, square);
    }
  };
  struct Input {
    Look look;
    std::size_t item;
  };
  static constexpr int block_size = 256;

  Span<std::uint8_t> kind;  ///< 0: neither, 1: chosen, 2: to be rejected
  Span<float> result;

  SCREE_INLINE Look look(std::size_t i) const { return {float(i), float(i) * float(i), kind[i] == 1}; }
  SCREE_INLINE bool must_reject(std::size_t i) const { return kind[i] == 2; }
  SCREE_INLINE void reject(std::size_t i) const { result[i] = -1; }
  SCREE_INLINE Input load(std::size_t i, const Look& look) const { return {look, i}; }
  SCREE_INLINE float evaluate(const Input& in) const {
    return in.look.chosen && in.look.index == float(in.item) ? in.look.square : -2;
  }
  SCREE_INLINE void store(std::size_t i, float value) const { result[i] = value; }
};

TEST_F(ExecTest, ChosenItemsArePackedWithTheirOwnLooks) {
  Exec exec(1);
  Buffer<std::uint8_t> kind;
  Buffer<float> result;
  for (const std::size_t n : {1, 31, 256, 257, 3000}) {
    for (const std::uint64_t chosen_of_8 : {0, 1, 4, 8}) {
      SCOPED_TRACE(std::to_string(n) + " items, chosen " + std::to_string(chosen_of_8) + "/8");
      Random random(n + chosen_of_8);
      std::vector<std::uint8_t> kinds(n);
      std::vector<float> expected(n, 5);
      for (std::size_t i = 0; i < n; ++i) {
        kinds[i] = random.whole(8) < chosen_of_8 ? 1 : static_cast<std::uint8_t>(2 * random.whole(2));
        if (kinds[i] == 1) { expected[i] = float(i) * float(i); }
        if (kinds[i] == 2) { expected[i] = -1; }
      }
      kind.assign(kinds);
      result.assign(std::vector<float>(n, 5));
      exec.for_selected("test", n, ChooseItems{kind.view(), result.view()});
      EXPECT_EQ(result.to_vector(), expected);
    }
  }
}

#endif

}  // namespace scree::inline SCREE_BACKEND::exec_test
