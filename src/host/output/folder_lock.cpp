#include "host/output/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "host/storage/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// Another run may hold the lock for a moment, only to check it. A run that keeps the lock has written its name by the
/// end of these attempts.
constexpr int attempts = 20;
constexpr std::chrono::milliseconds pause{10};

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

/// Value behind `key ` in a line of the file; "?" when it is not there.
std::string value_of(std::string_view text, std::string_view key) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with(key) && line.size() > key.size() + 1) { return std::string(line.substr(key.size() + 1)); }
    begin = end + 1;
  }
  return "?";
}

[[noreturn]] void throw_in_use(const std::filesystem::path& folder, int descriptor) {
  std::array<char, 1000> text{};
  const auto size = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  throw OutputError(folder.string() + ": another run writes here: process " + value_of(holder, "process") + " on " +
                    value_of(holder, "host") + ", since " + value_of(holder, "since") +
                    "; wait until it has ended, or choose another folder with --out");
}

bool has_no_locks(int error) {
  constexpr int not_supported = 524;  // ENOTSUPP, an error of Linux itself that some network file systems let through
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL || error == not_supported;
}

/// Locks the file. Returns 0 or the error number.
int lock(int descriptor, int kind) {
  while (::flock(descriptor, kind | LOCK_NB) != 0) {
    if (errno != EINTR) { return errno; }
  }
  return 0;
}

bool is_still(int descriptor, const std::filesystem::path& file) {
  struct stat ours {};
  struct stat there {};
  return ::fstat(descriptor, &ours) == 0 && ::lstat(file.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder), file_(folder / lock_name) {
  for (int attempt = 1; !try_lock(); ++attempt) {
    if (attempt == attempts) {
      const int descriptor = std::exchange(descriptor_, -1);
      try {
        throw_in_use(folder_, descriptor);
      } catch (...) {
        ::close(descriptor);
        throw;
      }
    }
    ::close(std::exchange(descriptor_, -1));
    std::this_thread::sleep_for(pause);
  }
  try {
    write_holder();
  } catch (...) {
    ::unlink(file_.c_str());
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
}

/// Opens and locks the file; false when another process has the lock, or has just removed the file that was opened.
bool FolderLock::try_lock() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) { throw_output_error(file_, errno); }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(std::exchange(descriptor_, -1));
    throw OutputError(file_.string() + ": is no regular file, so the folder cannot be locked");
  }
  const int error = lock(descriptor_, LOCK_EX);
  if (error == EWOULDBLOCK) { return false; }
  if (has_no_locks(error)) {
    warning_ = folder_.string() + ": this file system knows no locks (" + std::generic_category().message(error) +
               "); see to it that no other run writes here";
    return true;
  }
  if (error != 0) {
    ::close(std::exchange(descriptor_, -1));
    throw_output_error(file_, error);
  }
  return is_still(descriptor_, file_);
}

void FolderLock::write_holder() {
  const std::string text = std::string(lock_mark) + "\nprocess " + std::to_string(::getpid()) + "\nhost " +
                           host_name() + "\nsince " + time_now() + "\n";
  if (::ftruncate(descriptor_, 0) != 0) { throw_output_error(file_, errno); }
  if (const int error = write_all(descriptor_, text); error != 0) { throw_output_error(file_, error); }
}

FolderLock::~FolderLock() {
  // While the lock is held no other run can take the file, so the file is ours.
  if (is_still(descriptor_, file_)) { ::unlink(file_.c_str()); }
  ::close(descriptor_);
}

void expect_unlocked(const std::filesystem::path& folder) {
  const auto file = folder / lock_name;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) { return; }  // whether it can be written is found out later
  try {
    for (int attempt = 1; lock(descriptor, LOCK_SH) == EWOULDBLOCK; ++attempt) {
      if (attempt == attempts) { throw_in_use(folder, descriptor); }
      std::this_thread::sleep_for(pause);
    }
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

}  // namespace scree
