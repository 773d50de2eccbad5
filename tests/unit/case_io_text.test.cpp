#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "host/text/text.hpp"

namespace scree::case_io_text_test {

TEST(Text, NumbersAreShortest) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(2500), "2500");
  EXPECT_EQ(number_text(1e22), "1e+22");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(short_number_text(0.00253456), "0.002535");
  EXPECT_EQ(short_number_text(0.0000123, 2), "1.2e-05");
  EXPECT_EQ(short_number_text(2617, 2), "2600");
  EXPECT_EQ(short_number_text(-12734.5, 3), "-12700");
  EXPECT_EQ(short_number_text(999999, 2), "1000000");
  EXPECT_EQ(short_number_text(1e6, 2), "1e+06");
  EXPECT_EQ(short_number_text(12345.6, 6), "12345.6");
  EXPECT_EQ(short_number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(difference_text(27.17, 1), "+2620 %");
  EXPECT_EQ(count_text(1), "1");
  EXPECT_EQ(count_text(1000), "1 000");
  EXPECT_EQ(count_text(1234567), "1 234 567");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(3 * 1024 * 1024 / 2), "1.5 MiB");
}

TEST(Text, NearestNameForgivesSmallMistakes) {
  const std::vector<std::string> keys = {"density", "young_modulus", "poisson_ratio", "friction", "restitution"};
  EXPECT_EQ(nearest_name("densty", keys), "density");
  EXPECT_EQ(nearest_name("Density", keys), "density");
  EXPECT_EQ(nearest_name("dnesity", keys), "density");
  EXPECT_EQ(nearest_name("modulus", keys), "young_modulus");
  EXPECT_EQ(nearest_name("poisson", keys), "poisson_ratio");
  EXPECT_EQ(nearest_name("gals", {"glass", "steel"}), "glass");
  EXPECT_EQ(nearest_name("yx", {"xx", "yy", "zz", "yz", "xz", "xy"}), "xy");
  EXPECT_EQ(nearest_name("colour", keys), std::nullopt);
  EXPECT_EQ(nearest_name("", keys), std::nullopt);
  EXPECT_EQ(nearest_name("x", {"y"}), std::nullopt);
}

TEST(Text, SuggestionListsNamesWhenNoneIsNear) {
  EXPECT_EQ(suggestion("wood", {"glass", "steel"}), "known are \"glass\", \"steel\"");
  EXPECT_EQ(suggestion("glas", {"glass", "steel"}), "did you mean \"glass\"?");
  EXPECT_EQ(suggestion("glas", {}), "none is known");
}

}  // namespace scree::case_io_text_test
