#include "host/text/printable.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace scree::printable_test {

TEST(Printable, KeepsTextAndReplacesWhatTerminalsObey) {
  EXPECT_EQ(printable("plain text, \\ and \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "plain text, \\ and \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("a\x1b[31mb\x07\x7f"), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  // Control characters of the second set, marks of text direction, and marks of zero width.
  EXPECT_EQ(printable("\xc2\x9b|\xe2\x80\xae|\xe2\x80\x8b|\xef\xbb\xbf"), "\\u009b|\\u202e|\\u200b|\\ufeff");
  // A byte of another encoding, an incomplete sequence, an overlong sequence, a surrogate, and a value beyond the last
  // character.
  EXPECT_EQ(printable("\x9b|\xe2\x82|\xc0\x8a|\xed\xa0\x80|\xf5\x80\x80\x80"),
            "\\x9b|\\xe2\\x82|\\xc0\\x8a|\\xed\\xa0\\x80|\\xf5\\x80\\x80\\x80");
  EXPECT_EQ(printable(""), "");
}

TEST(PrintableStream, PassesLinesOnAndKeepsTabs) {
  std::ostringstream target;
  {
    PrintableStream stream(target);
    stream << "a\tb\x1b" << '\n' << "second " << 2 << '\xc3';
    EXPECT_EQ(target.str(), "a\tb\\x1b\n");
    stream << '\xa4';
  }
  EXPECT_EQ(target.str(), "a\tb\\x1b\nsecond 2\xc3\xa4") << "a character may come in parts";
}

TEST(PrintableStream, FailsWithItsTarget) {
  std::ostringstream target;
  PrintableStream stream(target);
  target.setstate(std::ios::badbit);
  stream << "text\n" << std::flush;
  EXPECT_FALSE(stream);
}

}  // namespace scree::printable_test
