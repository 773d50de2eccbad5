#include "host/run/interrupt.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace scree {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> first_signal{0};
std::atomic<long long> first_moment{0};  ///< [ns] of the monotonic clock
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                  std::atomic<long long>::is_always_lock_free,
              "they are set in a signal handler");

constexpr std::array caught{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};

long long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void end_at_once(int signal_number) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
  raise(signal_number);  // takes effect when the handler returns
}

void on_signal(int signal_number, siginfo_t* info, void*) {
  const int error = errno;
  const bool by_write = signal_number == SIGPIPE || signal_number == SIGXFSZ;
  if (!by_write || info->si_pid != getpid()) {
    constexpr long long together = 100'000'000;  // [ns]
    const long long moment = now();
    int none = 0;
    if (first_signal.compare_exchange_strong(none, signal_number)) {
      first_moment.store(moment);
      interrupted.store(true);
    } else if (moment - first_moment.load() >= together) {
      end_at_once(signal_number);
    }
  }
  errno = error;
}

void set_handler(int signal_number) {
  struct sigaction action {};
  const bool may_be_ignored = signal_number != SIGINT && signal_number != SIGTERM;
  if (may_be_ignored && sigaction(signal_number, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
      action.sa_handler == SIG_IGN) {
    return;
  }
  action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;  // files are written on as if nothing had happened
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() { return interrupted; }

int interrupt_signal() { return first_signal.load(); }

void catch_interrupts() {
  interrupted.store(false);
  first_signal.store(0);
  for (const int signal_number : caught) { set_handler(signal_number); }
}

std::string signal_name(int signal_number) {
  switch (signal_number) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGHUP: return "SIGHUP";
    case SIGPIPE: return "SIGPIPE";
    case SIGXFSZ: return "SIGXFSZ";
    default: return "signal " + std::to_string(signal_number);
  }
}

void set_up_process() {
  // If a file could not be opened, because of a read error for instance, HDF5 1.10 keeps an id on which it crashes
  // during its clean-up at exit. All files are closed before.
  H5dont_atexit();
  struct sigaction action {};
  if (sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, nullptr);
  }
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) { continue; }
    // open() returns the lowest free number, which is this one. The direction is deliberately wrong: reading or writing
    // remains an error, as with the closed descriptor.
    static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace scree
