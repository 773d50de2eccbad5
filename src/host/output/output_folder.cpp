#include "host/output/output_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "host/output/folder_lock.hpp"
#include "host/storage/atomic_file.hpp"
#include "host/text/input_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// Files of a run beside run.log, complete or half-written.
const std::vector<const char*> result_files{"write_test",
                                            "write_test.tmp",
                                            "case.json",
                                            "series.csv",
                                            "frames.vtkhdf.series",
                                            "fault.vtkhdf",
                                            "grains.vtkhdf.series",
                                            "nodes.vtkhdf.series",
                                            "contacts.vtkhdf.series",
                                            "left.csv",
                                            "broken_bonds.csv",
                                            "broken_particles.csv",
                                            "collisions.csv",
                                            "case.json.tmp",
                                            "frames.vtkhdf.series.tmp",
                                            "grains.vtkhdf.series.tmp",
                                            "nodes.vtkhdf.series.tmp",
                                            "contacts.vtkhdf.series.tmp",
                                            "fault.vtkhdf.tmp"};

/// A folder of a run, and how the files in it end that are its own.
struct ResultFolder {
  const char* name;
  std::vector<const char*> endings;
};
const std::vector<const char*> frame_endings{".vtkhdf", ".vtkhdf.series", ".vtkhdf.tmp", ".series.tmp"};
const std::vector<ResultFolder> result_folders{{"frames", frame_endings},          {"grains", frame_endings},
                                               {"nodes", frame_endings},           {"contacts", frame_endings},
                                               {"fields", frame_endings},          {"boundaries", frame_endings},
                                               {"checkpoints", {".h5", ".h5.tmp"}}};

bool has_no_entries(const fs::path& folder) {
  std::error_code error;
  return fs::directory_iterator(folder, error) == fs::directory_iterator() && !error;
}

bool begins_with(const fs::path& file, const std::string& mark) {
  if (input_file_problem(file, "a file")) { return false; }  // a pipe would not answer
  std::ifstream in(file);
  std::string begin(mark.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == mark;
}

bool is_empty_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(file, error)) && fs::file_size(file, error) == 0 && !error;
}

/// Whether the folder has only what a run leaves when it is killed before it has written a line.
bool holds_nothing_but_beginnings(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool known = name == lock_name || name == "run.log" || name == "write_test" || name == "write_test.tmp";
    if (!known || !is_empty_file(entry.path())) { return false; }
  }
  return !error;
}

/// A run locks the folder first, and run.log begins with a known word. So a folder with one of them is ours to replace.
bool holds_earlier_run(const fs::path& folder) {
  return begins_with(folder / "run.log", run_log_mark) || begins_with(folder / lock_name, lock_mark) ||
         holds_nothing_but_beginnings(folder);
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

/// Whether claim_output_folder() would remove a file, or files in a folder.
bool is_among_results(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(folder, error));
  if (error || inside.empty() || *inside.begin() == "..") { return false; }
  if (inside == ".") { return true; }
  const std::string first = inside.begin()->string();
  const bool is_first = std::next(inside.begin()) == inside.end();
  if (is_first && std::ranges::find(result_files, std::string_view(first)) != result_files.end()) { return true; }
  const auto known = std::ranges::find(result_folders, first, [](const ResultFolder& each) { return each.name; });
  return known != result_folders.end() && (is_first || ends_with_one_of(inside.filename().string(), known->endings));
}

/// Removes our files from a folder, and the folder when nothing else is left.
void remove_results(const fs::path& folder, const std::vector<const char*>& endings) {
  std::error_code error;
  if (fs::is_symlink(folder, error) || !fs::is_directory(folder, error)) { return; }
  std::vector<fs::path> files, folders;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory() && !entry.is_symlink()) {
      folders.push_back(entry.path());
    } else if (ends_with_one_of(entry.path().filename().string(), endings)) {
      files.push_back(entry.path());
    }
  }
  // Lists are removed before the frames that they name, which lie in inner folders. So if this process is killed in
  // between, no list names missing frames.
  for (const auto& file : files) { remove_file(file); }
  for (const auto& inner : folders) { remove_results(inner, endings); }
  fs::remove(folder, error);  // fails when something else is in it, which then stays
}

/// Removes the files that a killed run was writing.
void remove_temporary_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (ends_with_one_of(name, {".vtkhdf.tmp", ".series.tmp", ".h5.tmp", "case.json.tmp"})) {
      files.push_back(entry.path());
    }
  }
  for (const auto& file : files) { remove_file(file); }
}

}  // namespace

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) { throw OutputError(file.string() + ": cannot be removed: " + error.message()); }
}

void make_inner_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) { throw OutputError(folder.string() + ": cannot be made: " + error.message()); }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) { throw OutputError(folder.string() + ": cannot be made: " + error.message()); }
}

fs::path default_output_folder(const fs::path& case_file) { return fs::path("out") / case_file.stem(); }

void inspect_output_folder(const fs::path& folder, const fs::path& case_file, const std::vector<fs::path>& needed) {
  std::error_code error;
  const auto existing = nearest_existing(fs::absolute(folder));
  if (!fs::is_directory(existing, error)) { throw OutputError(existing.string() + ": is a file, not a folder"); }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    throw_output_error(existing, errno);  // no permission, a file system that is read-only
  }
  if (!fs::exists(folder, error)) { return; }
  expect_unlocked(folder);
  if (fs::equivalent(case_file, folder / "case.json", error)) {
    throw OutputError(folder.string() +
                      ": the case file itself would be overwritten; choose another folder with --out");
  }
  if (!has_no_entries(folder) && !holds_earlier_run(folder)) {
    throw OutputError(folder.string() + ": holds files that are not results of an earlier run; choose an empty folder");
  }
  for (const fs::path& path : needed) {
    if (!is_among_results(folder, path)) { continue; }
    throw OutputError(folder.string() + ": holds results that the case needs and the run would remove, " +
                      path.lexically_normal().string() + "; choose another folder with --out");
  }
}

void claim_output_folder(const fs::path& folder) {
  make_folder(folder);
  for (const char* name : result_files) { remove_file(folder / name); }
  for (const ResultFolder& inner : result_folders) { remove_results(folder / inner.name, inner.endings); }
}

void reopen_output_folder(const fs::path& folder) {
  remove_file(folder / "fault.vtkhdf");
  for (const char* inner : {"", "frames", "grains", "nodes", "contacts", "fields", "boundaries", "checkpoints"}) {
    remove_temporary_files(folder / inner);
  }
  std::error_code error;  // there may be none
  for (const char* outer : {"fields", "boundaries"}) {
    for (const auto& entry : fs::directory_iterator(folder / outer, error)) { remove_temporary_files(entry.path()); }
  }
}

void expect_folder_still_there(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / "run.log", error) ||
      (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)) {
    return;
  }
  const bool folder_there = fs::exists(folder, error);
  throw OutputError(folder.string() + (folder_there ? ": run.log" : ": the output folder") +
                    " vanished while the run was writing there");
}

}  // namespace scree
