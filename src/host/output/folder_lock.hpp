#pragma once

#include <filesystem>
#include <string>

namespace scree {

/// Keeps other runs out of an output folder by a lock on its file run.lock, which names the holder. The lock ends with
/// the process, however that ends. The file is removed with the lock; a file that a killed run has left has no effect.
class FolderLock {
 public:
  /// The folder must exist. Throws OutputError when another run holds the lock (the sentence says which), or when the
  /// file cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// A warning for the user if the file system has no locks; otherwise empty.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  [[nodiscard]] bool try_lock();
  void write_holder();

  std::filesystem::path folder_, file_;
  int descriptor_ = -1;
  std::string warning_;
};

/// Throws OutputError when another run holds the lock of the folder. Changes nothing.
void expect_unlocked(const std::filesystem::path& folder);

/// Name of the file, and what it begins with.
inline constexpr const char* lock_name = "run.lock";
inline constexpr const char* lock_mark = "scree run";

}  // namespace scree
