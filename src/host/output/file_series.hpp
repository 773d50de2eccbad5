#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "host/output/continued_output.hpp"

namespace scree {

/// Files of one kind at successive moments, FOLDER/INNER/frame_000000.vtkhdf or step_000001000.vtkhdf, which
/// FOLDER/INNER.vtkhdf.series lists for ParaView.
class FileSeries {
 public:
  FileSeries(std::filesystem::path folder, std::string inner, FileNumbers numbers = FileNumbers::frames);

  /// Inspects the files of an earlier run, to continue behind its files of moments before `resumed_time` [s]. Changes
  /// nothing. With `may_be_none` the earlier run may have left no file.
  void look(double resumed_time, bool may_be_none = false);
  /// Makes the folder, and removes files of the resumed moment and later ones. Throws OutputError.
  void open();
  /// Sentences about files that could not be continued as they were.
  [[nodiscard]] const std::vector<std::string>& notes() const { return kept_.notes; }
  /// One more than the number of the newest file of an earlier run.
  [[nodiscard]] std::size_t next() const { return kept_.next; }
  /// Whether no file is listed.
  [[nodiscard]] bool empty() const { return list_.empty(); }

  /// Where the file with this number lies.
  [[nodiscard]] std::filesystem::path file(std::size_t number) const;
  /// Adds the file with this number, which was written, to the list; `time` [s]. If this throws OutputError, the file
  /// can be written and added again.
  void add(std::size_t number, double time);
  /// The folders in which files get new names; see OutputFiles::folders().
  [[nodiscard]] std::vector<std::filesystem::path> folders() const { return {folder_, folder_ / inner_}; }
  /// Files that were written, with the list.
  [[nodiscard]] std::uint64_t files() const { return files_; }
  /// [bytes] of the newest file that was written; 0 before the first one.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] std::string list_name() const { return inner_ + ".vtkhdf.series"; }

  std::filesystem::path folder_;
  std::string inner_;
  FileNumbers numbers_;
  std::vector<std::pair<std::string, double>> list_;
  KeptFrames kept_;  ///< of a resumed run
  std::uint64_t files_ = 0, bytes_ = 0;
};

}  // namespace scree
