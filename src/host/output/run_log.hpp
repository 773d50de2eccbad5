#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "host/output/line_file.hpp"

namespace scree {

/// The lines of a run, as printable() makes them: on the terminal unless it is quiet, and in run.log once that is open.
class RunLog {
 public:
  RunLog(std::ostream& terminal, bool quiet) : terminal_(terminal), quiet_(quiet) {}

  /// Opens the file, behind its first `keep` bytes, and writes the lines so far. Throws OutputError.
  void open(const std::filesystem::path& file, std::uint64_t keep = 0);
  /// One line to both. Throws OutputError.
  void line(const std::string& text);
  /// One line to the file only, for what the terminal shows in another way. Throws OutputError.
  void file_line(const std::string& text);
  /// Throws OutputError when the file was removed since it was opened.
  void expect_still_there() const;
  /// Closes the file. Later lines are only shown. Throws OutputError.
  void close();

  /// Passes text on to the terminal as it is. If the terminal cannot be written to (closed, full), this is noted in the
  /// file once, and later text is dropped.
  void show(const std::string& text);
  [[nodiscard]] bool quiet() const { return quiet_; }

 private:
  /// Writes a line. If the first line could not be written, it is written before: the file is recognised by it.
  void append(const std::string& text);

  std::ostream& terminal_;
  bool quiet_;
  std::vector<std::string> waiting_;  ///< said before the file was open
  std::string first_;                 ///< line of the file
  bool has_begun_ = false;            ///< the file has its first line
  std::optional<LineFile> file_;
  bool closed_ = false;  ///< nothing is kept any more
};

}  // namespace scree
