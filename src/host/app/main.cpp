#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "host/app/command_line.hpp"
#include "host/run/interrupt.hpp"

namespace {

/// Characters per line of a live terminal; 0 when standard output is none.
std::size_t terminal_width() {
  if (isatty(STDOUT_FILENO) == 0) { return 0; }
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// Waiting OpenMP threads of GCC's runtime spin for milliseconds by default, which on a machine with other work makes a
/// run many times slower. The runtime reads its environment before main, so the program starts itself anew, once.
void limit_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) { return; }
  setenv("GOMP_SPINCOUNT", "4000", 0);  // some 50 microseconds: longer than the gap between two kernels
  execv("/proc/self/exe", argv);        // where that fails, the program just goes on
}

}  // namespace

int main(int argc, char** argv) {
  scree::set_up_process();
  limit_spinning(argv);
  return scree::run_command_line(argc, argv, std::cout, std::cerr, terminal_width());
}
