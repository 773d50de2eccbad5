#include <gtest/gtest.h>

#include <cstddef>

#include "kernels/backend/buffer.hpp"

namespace scree::checked_arrays_test {

#if SCREE_CHECKS  // on in the second build of .ci/run, which checks indices

/// An index beyond the end of an array prints the broken condition and ends the program.
TEST(CheckedArrays, AnIndexBeyondTheEndEndsTheProgram) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // other threads of OpenMP may exist
  int values[3] = {1, 2, 3};
  const Span<int> span{values, 3};
  EXPECT_EQ(span[2], 3);
  EXPECT_DEATH(static_cast<void>(span[3]), "buffer.hpp:[0-9]+: SCREE_ASSERT\\(i < size\\) does not hold");
  const Span<int> empty;
  EXPECT_DEATH(static_cast<void>(empty[0]), "SCREE_ASSERT");
}

#endif

}  // namespace scree::checked_arrays_test
