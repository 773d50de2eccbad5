#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "host/storage/hdf5_handle.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scree/errors.hpp"

// The trial of a file in a child process, before the library reads it.
namespace scree {
namespace {

constexpr unsigned longest_trial = 60;  // [s]

/// Properties of a file that change when it is replaced or written.
struct FileIdentity {
  dev_t device = 0;
  ino_t node = 0;
  off_t size = -1;
  timespec changed{};

  explicit FileIdentity(const std::filesystem::path& name) {
    struct stat status {};
    if (stat(name.c_str(), &status) != 0) { return; }
    device = status.st_dev, node = status.st_ino, size = status.st_size, changed = status.st_mtim;
  }
  FileIdentity() = default;
  bool operator==(const FileIdentity& other) const {
    return size >= 0 && device == other.device && node == other.node && size == other.size &&
           changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
  }
};

}  // namespace

void Hdf5Reader::try_in_a_child() const {
  thread_local FileIdentity last_good;  // avoids a second trial, because commands open a file several times
  const FileIdentity now(name_);
  if (now == last_good) { return; }
  const pid_t child = fork();
  if (child < 0) { return; }  // no further process is possible, so the library must be trusted
  if (child == 0) {
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) { std::signal(fault, SIG_DFL); }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(longest_trial);
    try {
      const Hdf5Reader trial(name_, Trial::is_this);
      trial.read_all_but_numbers();
    } catch (...) {}  // the parent meets the same error if it reads the damaged part
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) { return; }
  }
  checked(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1);
  last_good = now;
}

void Hdf5Reader::read_all_but_numbers() const {
  for (const std::string& path : datasets("/")) {
    try {
      if (is_text(path)) {
        static_cast<void>(text(path));
        continue;
      }
      static_cast<void>(shape(path));
      const Hdf5Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
      const hsize_t first = 0;
      hsize_t bytes = 0;
      H5Dget_chunk_storage_size(dataset, &first, &bytes);  // reads the table of chunks, if there is one
    } catch (const StateError&) {}
  }
}

}  // namespace scree
