#include "host/storage/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "scree/errors.hpp"

namespace scree {
namespace {

/// Open file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags) {
    do { value_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666); } while (value_ < 0 && errno == EINTR);
  }
  ~Descriptor() {
    if (value_ >= 0) { ::close(value_); }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int value() const { return value_; }
  /// Closes the file. Returns 0 or the error number, because network file systems report a full disk only here.
  [[nodiscard]] int close() {
    const int result = ::close(value_);
    value_ = -1;
    return result == 0 || errno == EINTR ? 0 : errno;  // after an interruption the descriptor is closed, too
  }

 private:
  int value_ = -1;
};

void sync_file(const std::filesystem::path& written, const std::filesystem::path& reported) {
  Descriptor file(written, O_RDONLY);
  if (file.value() < 0 || ::fsync(file.value()) != 0) { throw_output_error(reported, errno); }
}

}  // namespace

void sync_folder(const std::filesystem::path& folder) {
  Descriptor directory(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (directory.value() >= 0) { static_cast<void>(::fsync(directory.value())); }
}

void throw_output_error(const std::filesystem::path& file, int error_number) {
  throw OutputError(file.string() + ": cannot be written: " + std::generic_category().message(error_number));
}

std::filesystem::path temporary_name(const std::filesystem::path& file) { return file.string() + ".tmp"; }

void write_atomically(const std::filesystem::path& file,
                      const std::function<void(const std::filesystem::path& temporary)>& write, NameOnDisk name) {
  const auto temporary = temporary_name(file);
  try {
    write(temporary);
    sync_file(temporary, file);
    if (::rename(temporary.c_str(), file.c_str()) != 0) { throw_output_error(file, errno); }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (name == NameOnDisk::at_once) { sync_folder(file.parent_path()); }
}

void write_text_atomically(const std::filesystem::path& file, std::string_view text, std::optional<unsigned> mode,
                           NameOnDisk name) {
  const auto write = [&](const std::filesystem::path& temporary) {
    // Remove the file that a killed run may have left. If it is a link, this leaves its target unchanged.
    if (::unlink(temporary.c_str()) != 0 && errno != ENOENT) { throw_output_error(file, errno); }
    Descriptor out(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (out.value() < 0) { throw_output_error(file, errno); }
    if (mode && ::fchmod(out.value(), *mode) != 0) { throw_output_error(file, errno); }
    if (const int error = write_all(out.value(), text); error != 0) { throw_output_error(file, error); }
    if (const int error = out.close(); error != 0) { throw_output_error(file, error); }
  };
  write_atomically(file, write, name);
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) { continue; }
    if (written < 0) { return errno; }
    if (written == 0) { return EIO; }  // prevents an endless loop
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace scree
