#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace scree {

/// A text that is safe for a terminal. Control characters, bytes that are not UTF-8 and characters that change the
/// direction of text become escapes such as "\n", "\x1b" or "\u202e". Everything else stays, also the backslash.
[[nodiscard]] std::string printable(std::string_view text);

/// A stream that passes its lines through printable() to another stream. Tabs stay.
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
  std::string waiting_;  ///< beginning of a line that is not complete yet
};

}  // namespace scree
