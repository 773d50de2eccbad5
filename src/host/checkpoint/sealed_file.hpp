#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "host/storage/checksum.hpp"

namespace scree {

/// The format of the checkpoints that this version of scree writes and reads.
inline constexpr unsigned checkpoint_format = 2;

/// Writes a checkpoint piece by piece. Its last line, the seal, has the format, the length and a checksum of all before
/// it. All methods throw OutputError if the file cannot be written.
class SealedFile {
 public:
  /// `named` is the name of the file in errors.
  SealedFile(const std::filesystem::path& file, std::filesystem::path named);
  ~SealedFile();
  SealedFile(const SealedFile&) = delete;
  SealedFile& operator=(const SealedFile&) = delete;

  void add(const void* data, std::size_t size);
  /// Appends zeros up to a place in the file.
  void fill_up_to(std::uint64_t place);
  /// Writes the seal and closes the file.
  void finish();

 private:
  void write(std::string_view text);

  std::filesystem::path named_;
  int descriptor_;
  Checksum sum_;
  std::uint64_t written_ = 0;
};

/// Whether a file ends with the seal of a checkpoint of its length, of any format.
[[nodiscard]] bool has_seal(std::ifstream& in);

/// Returns the length [bytes] of the content before the seal, and sets the file to its beginning. Throws StateError if
/// the file has no seal or the checksum is wrong, and FormatError if it has the format of another version.
[[nodiscard]] std::uint64_t verify_seal(std::ifstream& in, const std::filesystem::path& file);

}  // namespace scree
