#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace scree {

/// A text file that grows by whole lines. A killed process leaves a file that ends with a complete line, and after a
/// full disk the file is cut back to its last complete line.
class LineFile {
 public:
  /// Creates the file, or cuts it to its first `keep` bytes. Throws OutputError.
  explicit LineFile(std::filesystem::path path, std::uint64_t keep = 0);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Appends one line (without its end) in one system call. Throws OutputError.
  void append(std::string_view line);
  /// Throws OutputError if the file was removed since it was opened, since appended lines would be lost.
  void expect_still_there() const;
  /// Returns once everything appended is on the disk. Throws OutputError.
  void sync();
  /// Syncs and closes; nothing may be appended any more. Throws OutputError.
  void close();

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }  ///< [bytes]

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool has_name_ = false;   ///< the file system counts the names of a file
  std::uint64_t size_ = 0;  ///< [bytes] of complete lines
};

}  // namespace scree
