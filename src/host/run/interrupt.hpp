#pragma once

#include <atomic>
#include <string>

namespace scree {

/// Becomes true at the first SIGINT, SIGTERM, SIGHUP, SIGPIPE or SIGXFSZ after catch_interrupts(). A second signal ends
/// the process at once, unless it comes within a tenth of a second: shells and batch systems often send two. A SIGPIPE
/// or SIGXFSZ due to a write of this process is ignored, because the write reports an error.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

/// Sets the handlers. Except for SIGINT and SIGTERM, a signal that is ignored stays ignored (nohup ignores SIGHUP).
void catch_interrupts();

/// The number of the signal that set the flag; 0: none.
[[nodiscard]] int interrupt_signal();

/// "SIGTERM"; "signal 64" for those that end no run.
[[nodiscard]] std::string signal_name(int signal_number);

/// For main(). If descriptors 0, 1 or 2 are closed, opens them so that reading and writing fail and no file takes their
/// place. Makes a write beyond the limit on the size of files an error that does not end the process. Switches off the
/// clean-up of HDF5 at exit.
void set_up_process();

}  // namespace scree
