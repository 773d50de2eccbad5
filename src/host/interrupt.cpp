#include "host/interrupt.hpp"

#include <csignal>

namespace scree {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is set in a signal handler");

void set_handler(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // files are written on as if nothing had happened
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

void on_interrupt(int) {
  interrupted.store(true);
  set_handler(SIGINT, SIG_DFL);
  set_handler(SIGTERM, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() { return interrupted; }

void catch_interrupts() {
  interrupted.store(false);
  set_handler(SIGINT, on_interrupt);
  set_handler(SIGTERM, on_interrupt);
}

}  // namespace scree
