#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"

namespace scree {

/// The files of one kind of output. Each kind has its own functions that write; this class has the functions that all
/// kinds share.
class OutputFiles {
 public:
  OutputFiles() = default;
  virtual ~OutputFiles() = default;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  /// Sentences about files that could not be continued as they were.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
  /// Creates the files or folders, or removes the parts that a resumed run writes again. Throws OutputError.
  virtual void open() = 0;
  /// The next step or time at which something is due; by default there is none.
  [[nodiscard]] virtual RunTarget next(const Engine& /*engine*/) const { return {}; }
  /// Returns once all lines written are on the disk. Throws OutputError.
  virtual void sync() {}
  /// The folders of whole files. The contents of these files are on the disk once they are written, but their names are
  /// so only after sync_folder(), which comes before each checkpoint and at the end. For any thread.
  [[nodiscard]] virtual std::vector<std::filesystem::path> folders() const { return {}; }
  /// Syncs and closes the files that stay open. Throws OutputError.
  virtual void close() {}
  [[nodiscard]] virtual std::uint64_t files() const { return 1; }  ///< written so far
  /// [bytes] of the newest file or files that are copies of the state; 0 before the first one. For any thread.
  [[nodiscard]] virtual std::uint64_t frame_bytes() const { return 0; }
};

}  // namespace scree
