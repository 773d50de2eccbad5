#include "host/writers/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "host/writers/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {

LineFile::LineFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) { throw_output_error(path_, errno); }
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

void LineFile::close() {
  if (descriptor_ < 0) { return; }
  // A pipe or a device given as a file cannot be synced, which is no fault of the run.
  const int synced = ::fsync(descriptor_) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  const int closed = ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  if (synced != 0 || closed != 0) { throw_output_error(path_, synced != 0 ? synced : closed); }
}

}  // namespace scree
