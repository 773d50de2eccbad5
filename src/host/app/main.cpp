#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "host/app/command_line.hpp"
#include "host/run/interrupt.hpp"

namespace {

/// Characters per line if standard output is a terminal, else 0.
std::size_t terminal_width() {
  if (isatty(STDOUT_FILENO) == 0) { return 0; }
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// Limits how long waiting OpenMP threads spin. With GCC's runtime they spin for milliseconds by default, which makes a
/// run many times slower on a machine with other work. The runtime reads its environment before main(), so the program
/// sets the variable and starts itself once more.
void limit_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) { return; }
  setenv("GOMP_SPINCOUNT", "4000", 0);  // about 50 microseconds, longer than the gap between two kernels
  execv("/proc/self/exe", argv);        // if this fails, the program continues with the default
}

}  // namespace

int main(int argc, char** argv) {
  scree::set_up_process();
  limit_spinning(argv);
  return scree::run_command_line(argc, argv, std::cout, std::cerr, terminal_width());
}
