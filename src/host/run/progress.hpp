#pragma once

#include <cstddef>
#include <string>

#include "host/output/run_log.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// "7.5 s", "3 min 20 s", "2 h 05 min", "4 d 3 h".
[[nodiscard]] std::string duration_text(double seconds);

/// A rate with its power of thousand: "12.3 M", "950".
[[nodiscard]] std::string rate_text(double per_second);

/// One plain line: percent, step, times, speed and contacts.
[[nodiscard]] std::string progress_text(const RunProgress& progress);

/// A shorter line for a live terminal of `width` characters, with a bar if there is room.
[[nodiscard]] std::string progress_bar_text(const RunProgress& progress, std::size_t width);

/// Shows the progress of a run: a line that is updated in place on a live terminal, plain lines every few seconds
/// elsewhere and in the log file.
class ProgressDisplay {
 public:
  /// `width` is the number of characters of a live terminal; 0 if the output is none.
  ProgressDisplay(RunLog& log, std::size_t width) : log_(log), width_(width) {}

  void show(const RunProgress& progress);
  /// Clears the live line, so that other lines can follow.
  void finish();

 private:
  RunLog& log_;
  std::size_t width_;
  double last_live_ = -1, last_plain_ = 0;  ///< [s] wall time of the run
  bool line_open_ = false;
};

}  // namespace scree
