#include "host/checkpoint/sealed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/storage/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The last line of a checkpoint, up to the checksum. Its length is always the same.
std::string ending_begin(unsigned version, std::uint64_t bytes) {
  char line[80];
  std::snprintf(line, sizeof line, "\nscree checkpoint format %04u, %016llu bytes, checksum ", version,
                static_cast<unsigned long long>(bytes));
  return line;
}
/// The last line of a checkpoint. Its checksum covers the HDF5 image and this line up to the checksum; in format 1 it
/// covers only the image.
std::string ending_line(unsigned version, std::uint64_t bytes, Checksum sum) {
  const std::string begin = ending_begin(version, bytes);
  if (version != 1) { sum.add(begin); }
  return begin + sum.text() + "\n";
}

struct Ending {
  bool present = false;
  unsigned version = 0;
  std::uint64_t bytes = 0;  ///< length of the HDF5 image
  std::string line;
};

Ending read_ending(std::ifstream& in) {
  const std::size_t length = ending_line(0, 0, Checksum()).size();
  Ending ending;
  ending.line.resize(length);
  in.seekg(0, std::ios::end);
  const auto size = in.tellg();
  if (size < static_cast<std::streamoff>(length)) { return ending; }
  in.seekg(size - static_cast<std::streamoff>(length));
  in.read(ending.line.data(), static_cast<std::streamsize>(length));
  unsigned long long bytes = 0;
  ending.present = in &&
                   std::sscanf(ending.line.c_str(), "\nscree checkpoint format %4u, %16llu bytes, checksum ",
                               &ending.version, &bytes) == 2 &&
                   ending.line.starts_with("\nscree checkpoint format ");
  ending.bytes = bytes;
  ending.present = ending.present && ending.bytes + length == static_cast<std::uint64_t>(size);
  return ending;
}

}  // namespace

SealedFile::SealedFile(const std::filesystem::path& file, std::filesystem::path named)
    : named_(std::move(named)), descriptor_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) { throw_output_error(named_, errno); }
}

SealedFile::~SealedFile() {
  if (descriptor_ >= 0) { ::close(descriptor_); }
}

void SealedFile::add(const void* data, std::size_t size) {
  sum_.add(data, size);
  write({static_cast<const char*>(data), size});
  written_ += size;
}

void SealedFile::fill_up_to(std::uint64_t place) {
  const std::string zeros(place - written_, '\0');
  add(zeros.data(), zeros.size());
}

void SealedFile::finish() {
  write(ending_line(checkpoint_format, written_, sum_));
  if (::close(std::exchange(descriptor_, -1)) != 0) { throw_output_error(named_, errno); }
}

/// Writes piece by piece, so that one long call does not delay other work of the process.
void SealedFile::write(std::string_view text) {
  constexpr std::size_t most = std::size_t{1} << 24U;
  for (; !text.empty(); text.remove_prefix(std::min(most, text.size()))) {
    if (const int error = write_all(descriptor_, text.substr(0, most)); error != 0) {
      throw_output_error(named_, error);
    }
  }
}

bool has_seal(std::ifstream& in) { return read_ending(in).present; }

std::uint64_t verify_seal(std::ifstream& in, const std::filesystem::path& file) {
  if (!in) { throw StateError(file.string() + ": cannot be opened"); }
  const Ending ending = read_ending(in);
  if (!ending.present) {
    throw StateError(file.string() + ": is not a checkpoint of scree, or not all of it is there");
  }
  in.clear();
  in.seekg(0);
  Checksum sum;
  std::vector<char> piece(std::size_t{1} << 20U);
  for (std::uint64_t left = ending.bytes; left > 0;) {
    const auto size = std::min<std::uint64_t>(left, piece.size());
    if (!in.read(piece.data(), static_cast<std::streamsize>(size))) { break; }
    sum.add(piece.data(), size);
    left -= size;
  }
  if (ending_line(ending.version, ending.bytes, sum) != ending.line) {
    throw StateError(file.string() + ": is damaged: its checksum is wrong");
  }
  if (ending.version != checkpoint_format) {
    throw FormatError(file.string() + ": is a checkpoint of format " + std::to_string(ending.version) +
                      ", this version of scree reads format " + std::to_string(checkpoint_format));
  }
  in.clear();
  in.seekg(0);
  return ending.bytes;
}

}  // namespace scree
