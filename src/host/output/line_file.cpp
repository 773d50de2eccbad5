#include "host/output/line_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "host/storage/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

/// A pipe or a device given as a file cannot be synced, which is no fault of the run.
int sync_error(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) { return errno == EINVAL || errno == EROFS ? 0 : errno; }
  }
  return 0;
}

int open_lines(const std::filesystem::path& path, bool cut) {
  while (true) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | (cut ? O_TRUNC : 0) | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EINTR) { return descriptor; }
  }
}

int truncate_to(int descriptor, std::uint64_t size) {
  while (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    if (errno != EINTR) { return errno; }
  }
  return 0;
}

/// Names that the open file has; some file systems do not count them.
std::uint64_t names_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? status.st_nlink : 0;
}

}  // namespace

LineFile::LineFile(std::filesystem::path path, std::uint64_t keep)
    : path_(std::move(path)), descriptor_(open_lines(path_, keep == 0)), size_(keep) {
  if (descriptor_ < 0) { throw_output_error(path_, errno); }
  if (const int error = keep > 0 ? truncate_to(descriptor_, keep) : 0; error != 0) {
    ::close(std::exchange(descriptor_, -1));
    throw_output_error(path_, error);
  }
  has_name_ = names_of(descriptor_) > 0;
}

void LineFile::expect_still_there() const {
  if (descriptor_ >= 0 && has_name_ && names_of(descriptor_) == 0) {
    throw OutputError(path_.string() + ": was removed while the run was writing it");
  }
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) { ::close(descriptor_); }
}

void LineFile::append(std::string_view line) {
  SCREE_EXPECT(descriptor_ >= 0, "the file is closed");
  expect_still_there();
  std::string text(line);
  text += '\n';
  if (const int error = write_all(descriptor_, text); error != 0) {
    static_cast<void>(truncate_to(descriptor_, size_));
    throw_output_error(path_, error);
  }
  size_ += text.size();
}

void LineFile::sync() {
  SCREE_EXPECT(descriptor_ >= 0, "the file is closed");
  if (const int error = sync_error(descriptor_); error != 0) { throw_output_error(path_, error); }
}

void LineFile::close() {
  if (descriptor_ < 0) { return; }
  sync();  // a file that cannot be synced stays open, so that it can still be told what went wrong
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) { throw_output_error(path_, errno); }
}

}  // namespace scree
