#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "host/output/continued_output.hpp"
#include "host/output/line_file.hpp"

namespace scree {

/// A file of comma-separated values that grows by whole rows during a run, and with it when the run is resumed.
class TableFile {
 public:
  /// Changes nothing yet.
  TableFile(std::filesystem::path path, std::string header) : path_(std::move(path)), header_(std::move(header)) {}

  /// Continues behind the rows of the steps before this one. With `may_be_none` a missing row is not reported. Throws
  /// OutputError if the columns of the file differ.
  void continue_before(std::uint64_t step, bool may_be_none) {
    kept_ = look_at_rows(path_, header_, step, may_be_none);
  }
  /// The rows of the earlier run that stay. Its notes say which rows could not be continued.
  [[nodiscard]] KeptRows& kept() { return kept_; }
  [[nodiscard]] const KeptRows& kept() const { return kept_; }

  /// Creates the file with its header, or cuts off the rows that are not kept. Throws OutputError.
  void open();
  /// Rows for the next call of append(), divided by ends of lines; may be empty.
  void add(std::string_view rows);
  /// Appends all rows that were added. Throws OutputError; the next call then appends them.
  void append();
  /// Returns when the appended rows are on the disk. Throws OutputError.
  void sync();
  /// Syncs and closes the file. Throws OutputError.
  void close();

 private:
  std::filesystem::path path_;
  std::string header_;
  KeptRows kept_;
  std::optional<LineFile> file_;  ///< once it is open
  std::string waiting_;           ///< rows that are not in the file yet
};

}  // namespace scree
