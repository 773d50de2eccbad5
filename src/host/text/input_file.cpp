#include "host/text/input_file.hpp"

#include <fstream>
#include <system_error>

namespace scree {
namespace {

std::string kind_text(std::filesystem::file_type type) {
  switch (type) {
    case std::filesystem::file_type::directory: return "a folder";
    case std::filesystem::file_type::fifo: return "a pipe";
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block: return "a device";
    case std::filesystem::file_type::socket: return "a socket";
    default: return "not a regular file";
  }
}

/// Whether a regular file begins with the signature of gzip.
bool is_gzip(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return in.get() == 0x1f && in.get() == 0x8b;
}

}  // namespace

std::optional<std::string> input_file_problem(const std::filesystem::path& file, const std::string& what,
                                              bool may_be_gzip) {
  if (file.native().find('\0') != std::string::npos) { return "must not contain the character \\x00 in its name"; }
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) { return "does not exist"; }
  if (error) { return "cannot be read: " + error.message(); }
  if (status.type() == std::filesystem::file_type::regular) {
    if (may_be_gzip || !is_gzip(file)) { return std::nullopt; }
    return "is compressed by gzip, but " + what + " must not be: unpack it first, for instance with gunzip";
  }
  return "is " + kind_text(status.type()) + ", " + what + " is needed";
}

}  // namespace scree
