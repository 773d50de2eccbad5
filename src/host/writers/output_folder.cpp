#include "host/writers/output_folder.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "host/writers/atomic_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

bool has_no_entries(const fs::path& folder) {
  std::error_code error;
  return fs::directory_iterator(folder, error) == fs::directory_iterator() && !error;
}

/// run.log is the first file of a run and begins with a known word: one that has it is ours to replace.
bool holds_earlier_run(const fs::path& folder) {
  std::ifstream log(folder / "run.log");
  const std::string mark = run_log_mark;
  std::string begin(mark.size(), '\0');
  return log.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == mark;
}

fs::path nearest_existing(fs::path path) {
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_parent_path() && path.parent_path() != path) {
    path = path.parent_path();
  }
  return path;
}

bool ends_with_one_of(const std::string& name, const std::vector<const char*>& endings) {
  for (const char* ending : endings) {
    if (name.ends_with(ending)) { return true; }
  }
  return false;
}

/// Removes our files from a folder, and the folder when nothing else is left.
void remove_results(const fs::path& folder, const std::vector<const char*>& endings) {
  std::error_code error;
  if (fs::is_symlink(folder, error) || !fs::is_directory(folder, error)) { return; }
  std::vector<fs::path> files, folders;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory() && !entry.is_symlink()) {
      folders.push_back(entry.path());
    } else if (ends_with_one_of(entry.path().filename().string(),
                                endings)) {
      files.push_back(entry.path());
    }
  }
  for (const auto& inner : folders) { remove_results(inner, endings); }
  for (const auto& file : files) { remove_file(file); }
  fs::remove(folder, error);  // fails when something else is in it, which then stays
}

/// What a killed run was writing.
void remove_temporary_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (ends_with_one_of(name, {".vtkhdf.tmp", ".series.tmp", ".h5.tmp", "case.json.tmp"})) { files.push_back(entry.path()); }
  }
  for (const auto& file : files) { remove_file(file); }
}

void prove_writable(const fs::path& folder) {
  make_folder(folder);
  write_text_atomically(folder / "write_test", "");
  remove_file(folder / "write_test");
}

}  // namespace

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) { throw OutputError(file.string() + ": cannot be removed: " + error.message()); }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) { throw OutputError(folder.string() + ": cannot be made: " + error.message()); }
}

fs::path default_output_folder(const fs::path& case_file) { return fs::path("out") / case_file.stem(); }

void inspect_output_folder(const fs::path& folder, const fs::path& case_file) {
  std::error_code error;
  const auto existing = nearest_existing(fs::absolute(folder));
  if (!fs::is_directory(existing, error)) { throw OutputError(existing.string() + ": is a file, not a folder"); }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    throw OutputError(existing.string() + ": no permission to write here");
  }
  if (!fs::exists(folder, error)) { return; }
  if (fs::equivalent(case_file, folder / "case.json", error)) {
    throw OutputError(folder.string() +
                      ": the case file itself would be overwritten; choose another folder with --out");
  }
  if (!has_no_entries(folder) && !holds_earlier_run(folder)) {
    throw OutputError(folder.string() + ": holds files that are not results of an earlier run; choose an empty folder");
  }
}

void claim_output_folder(const fs::path& folder) {
  prove_writable(folder);
  for (const char* name : {"case.json", "series.csv", "frames.vtkhdf.series", "fault.vtkhdf", "case.json.tmp",
                           "frames.vtkhdf.series.tmp", "fault.vtkhdf.tmp"}) {
    remove_file(folder / name);
  }
  const std::vector<const char*> frames{".vtkhdf", ".vtkhdf.series", ".vtkhdf.tmp", ".series.tmp"};
  remove_results(folder / "frames", frames);
  remove_results(folder / "boundaries", frames);
  remove_results(folder / "checkpoints", {".h5", ".h5.tmp"});
}

void reopen_output_folder(const fs::path& folder) {
  prove_writable(folder);
  remove_file(folder / "fault.vtkhdf");
  for (const char* inner : {"", "frames", "boundaries", "checkpoints"}) { remove_temporary_files(folder / inner); }
}

}  // namespace scree
