#include "host/run/earlier_run.hpp"

#include <sys/stat.h>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>

#include "host/output/output_folder.hpp"

namespace scree {
namespace {

/// Reads only the end of a log. It contains all lines of interest, and many lines of progress may precede it.
std::string end_of_log(std::ifstream& file) {
  constexpr std::streamoff most = 1 << 18;
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  file.seekg(size > most ? size - most : 0);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "2026-11-30 05:03"; empty: not known.
std::string moment_text(std::time_t time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&time, &parts) == nullptr) { return {}; }
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

/// The text after the label in the last line that has it, up to a mark; empty without such a line.
std::string last_labelled(const std::string& log, const std::string& label, const std::string& mark) {
  const std::size_t line = log.rfind("\n" + label + " ");
  if (line == std::string::npos) { return {}; }
  const std::size_t begin = log.find_first_not_of(' ', line + 1 + label.size()), end = log.find(mark, begin);
  return end > log.find('\n', begin) ? std::string() : log.substr(begin, end - begin);
}

}  // namespace

std::optional<std::string> earlier_run_text(const std::filesystem::path& folder) {
  const std::filesystem::path name = folder / "run.log";
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) { return std::nullopt; }
  std::ifstream file(name);
  std::string first(std::string(run_log_mark).size(), '\0');
  if (!file.read(first.data(), static_cast<std::streamsize>(first.size())) || first != run_log_mark) {
    return std::nullopt;
  }
  const std::string log = end_of_log(file), when = moment_text(status.st_mtime);
  const std::string done = last_labelled(log, "done", " s, wall"), cut = last_labelled(log, "interrupted", " s, wall");
  const std::string ending = done.empty() ? cut : done;  // "20 000 steps, t = 0.5"
  const std::string run = (done.empty() && !cut.empty() ? "the interrupted run" : "the run") +
                          (when.empty() ? std::string() : " of " + when);
  const std::size_t comma = ending.find(", t = ");
  if (comma == std::string::npos) { return run + ", which did not come to its end"; }
  // The last line of a run that was resumed counts the steps since then.
  const std::string time = ending.substr(comma + 2) + " s";
  if (log.find("\nresumed ") != std::string::npos) { return run + " that came to " + time; }
  return run + " that made " + ending.substr(0, comma) + ", to " + time;
}

}  // namespace scree
