#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "host/command_line.hpp"

namespace {

/// Characters per line of a live terminal; 0 when standard output is none.
std::size_t terminal_width() {
  if (isatty(STDOUT_FILENO) == 0) { return 0; }
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

int main(int argc, char** argv) { return scree::run_command_line(argc, argv, std::cout, std::cerr, terminal_width()); }
