#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace scree {

/// The text as a terminal may show it: control characters, bytes that are no UTF-8 and characters that turn the
/// direction of writing are replaced by
/// "\n", "\t", "\x1b" or "\u202e". All else stays, also the backslash.
[[nodiscard]] std::string printable(std::string_view text);

/// A stream that passes lines on to another one as printable() makes them; tabs stay.
class PrintableStream : private std::streambuf, public std::ostream {
 public:
  explicit PrintableStream(std::ostream& target) : std::ostream(this), target_(target) {}
  ~PrintableStream() override { sync(); }
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  void pass_on();

  std::ostream& target_;
  std::string waiting_;  ///< of the line that is not complete
};

}  // namespace scree
