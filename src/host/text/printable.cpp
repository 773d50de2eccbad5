#include "host/text/printable.hpp"

#include <cstdint>
#include <cstdio>

namespace scree {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< length in UTF-8; 0: not UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) { return {lead, 1}; }
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) { return {}; }
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) { return {}; }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[bytes] || code > 0x10ffff || surrogate ? Character{} : Character{code, bytes};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

/// Whether a character is invisible and may hide or reorder the text after it.
bool hides_text(std::uint32_t code) {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xfeff;
}

std::string escaped(std::uint32_t code, bool is_byte) {
  if (code == '\n') { return "\\n"; }
  if (code == '\t') { return "\\t"; }
  if (code == '\r') { return "\\r"; }
  char text[16];
  std::snprintf(text, sizeof text, is_byte || code < 0x80 ? "\\x%02x" : "\\u%04x", code);
  return text;
}

std::string shown(std::string_view text, bool keep_tabs) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    if (next.bytes == 0) {
      result += escaped(static_cast<unsigned char>(text.front()), true);
    } else if ((is_control(next.code) && !(keep_tabs && next.code == '\t')) || hides_text(next.code)) {
      result += escaped(next.code, false);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }

void PrintableStream::pass_on() {
  const std::string text = shown(waiting_, true);
  waiting_.clear();
  target_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  std::string_view rest(text, static_cast<std::size_t>(size));
  while (!rest.empty()) {
    const auto eol = rest.find('\n');
    waiting_ += rest.substr(0, eol);
    if (eol == std::string_view::npos) { break; }
    pass_on();
    target_.put('\n');
    rest.remove_prefix(eol + 1);
  }
  return target_ ? size : 0;
}

int PrintableStream::overflow(int character) {
  if (character == std::char_traits<char>::eof()) { return 0; }
  const char c = static_cast<char>(character);
  return xsputn(&c, 1) == 1 ? character : std::char_traits<char>::eof();
}

int PrintableStream::sync() {
  pass_on();
  target_.flush();
  return target_ ? 0 : -1;
}

}  // namespace scree
