#include "host/output/result_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <ostream>
#include <system_error>
#include <thread>

#include "host/storage/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

bool is_standard_output(const struct stat& file) {
  struct stat output {};
  return ::fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino;
}

/// A pipe has no end to write to before somebody reads; that may come a little later.
int open_pipe(const std::filesystem::path& file, const char* option) {
  constexpr int attempts = 500;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) {
      ::fcntl(descriptor, F_SETFL, 0);  // from now on a slow reader is waited for
      return descriptor;
    }
    if (errno != ENXIO && errno != EINTR) { throw_output_error(file, errno); }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw CaseError(option, file.string() + " is a pipe that nobody reads");
}

/// Writes into a file, a pipe or a device that exists, without replacing it.
void write_through(const std::filesystem::path& file, const struct stat& status, std::string_view text,
                   const char* option) {
  const int descriptor =
      S_ISFIFO(status.st_mode)
          ? open_pipe(file, option)
          : ::open(file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | (S_ISREG(status.st_mode) ? O_TRUNC : 0));
  if (descriptor < 0) { throw_output_error(file, errno); }
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is an error of the write
  const int error = write_all(descriptor, text);
  std::signal(SIGPIPE, before);
  const int closed = ::close(descriptor) == 0 ? 0 : errno;
  if (error != 0 || closed != 0) { throw_output_error(file, error != 0 ? error : closed); }
}

}  // namespace

void write_result(const std::filesystem::path& file, std::string_view text, std::ostream& out, const char* option) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    const int error = errno;
    if (error == ENOENT && ::lstat(file.c_str(), &status) == 0) {
      throw CaseError(option, file.string() + " is a link that leads nowhere");
    }
    if (error != ENOENT) { throw_output_error(file, error); }
    write_text_atomically(file, text);
    return;
  }
  if (S_ISDIR(status.st_mode)) { throw CaseError(option, file.string() + " is a folder, a file is needed"); }
  if (is_standard_output(status)) {
    out << text;
    return;
  }
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1) { return write_through(file, status, text, option); }
  if (::access(file.c_str(), W_OK) != 0) { throw_output_error(file, errno); }
  std::error_code error;
  const auto target = std::filesystem::canonical(file, error);  // behind all links
  if (error) { throw_output_error(file, error.value()); }
  write_text_atomically(target, text, status.st_mode & 0777U);
}

void expect_no_input(const std::filesystem::path& file, std::initializer_list<std::filesystem::path> inputs,
                     const char* option) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) { return; }
  for (const std::filesystem::path& input : inputs) {
    if (!std::filesystem::equivalent(file, input, error)) { continue; }
    throw CaseError(option, file.string() + " is a file that this command reads; choose another name");
  }
}

}  // namespace scree
