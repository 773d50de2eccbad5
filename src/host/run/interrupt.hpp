#pragma once

#include <atomic>
#include <string>

namespace scree {

/// Becomes true at the first SIGINT, SIGTERM, SIGHUP, SIGPIPE or SIGXFSZ after catch_interrupts(). One more, a tenth of
/// a second later or after that, ends the process at once; those that come sooner count as the same, since shells and
/// batch systems often send two. A SIGPIPE or SIGXFSZ that comes of a write of this process counts for nothing: the
/// write reports an error.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

/// Sets the handlers, each but those of SIGINT and SIGTERM only where the signal is not ignored (as nohup does with
/// SIGHUP).
void catch_interrupts();

/// Number of the signal that set the flag; 0: none did.
[[nodiscard]] int interrupt_signal();

/// "SIGTERM"; "signal 64" for those that end no run.
[[nodiscard]] std::string signal_name(int signal_number);

/// For main(). Descriptors 0, 1 and 2 that are closed are opened such that reading and writing fail, so that no file
/// takes their place; a write beyond the limit on the size of files is an error and no death. HDF5 does nothing at
/// exit.
void set_up_process();

}  // namespace scree
