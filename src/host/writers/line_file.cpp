#include "host/writers/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "host/writers/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

/// A pipe or a device given as a file cannot be synced, which is no fault of the run.
int sync_error(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

}  // namespace

LineFile::LineFile(std::filesystem::path path, std::uint64_t keep)
    : path_(std::move(path)),
      descriptor_(
          ::open(path_.c_str(), O_WRONLY | O_CREAT | (keep == 0 ? O_TRUNC : 0) | O_APPEND | O_CLOEXEC, 0666)),
      size_(keep) {
  if (descriptor_ < 0) { throw_output_error(path_, errno); }
  if (keep > 0 && ::ftruncate(descriptor_, static_cast<off_t>(keep)) != 0) {
    const int error = errno;
    ::close(std::exchange(descriptor_, -1));
    throw_output_error(path_, error);
  }
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) { ::close(descriptor_); }
}

void LineFile::append(std::string_view line) {
  SCREE_EXPECT(descriptor_ >= 0, "the file is closed");
  std::string text(line);
  text += '\n';
  if (const int error = write_all(descriptor_, text); error != 0) {
    static_cast<void>(::ftruncate(descriptor_, static_cast<off_t>(size_)));
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
  const int synced = sync_error(descriptor_);
  const int closed = ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  if (synced != 0 || closed != 0) { throw_output_error(path_, synced != 0 ? synced : closed); }
}

}  // namespace scree
