#include "host/output/continued_output.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "host/output/output_folder.hpp"
#include "host/output/series_list.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// The number in the name of a frame; none: it is not one of ours.
std::optional<std::size_t> frame_number(const std::string& name, FileNumbers naming) {
  const std::size_t prefix = naming == FileNumbers::frames ? 6 : 5;  // "frame_", "step_"
  constexpr std::size_t most = std::size_t{1} << 53U;                // as many steps: the next number is one too
  std::size_t number = 0;
  if (name.size() <= prefix) { return std::nullopt; }
  std::from_chars(name.data() + prefix, name.data() + name.size(), number);
  return number < most && file_name_of(naming, number) == name ? std::optional(number) : std::nullopt;
}

std::map<std::size_t, fs::path> frames_in(const fs::path& folder, FileNumbers naming) {
  std::map<std::size_t, fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (const auto number = frame_number(entry.path().filename().string(), naming)) { found[*number] = entry.path(); }
  }
  return found;
}

std::optional<double> time_of_frame(const fs::path& file) {
  try {
    const StateArray time = Hdf5Reader(file).read("/VTKHDF/FieldData/TimeValue");
    double value = 0;
    if (time.type != ValueType::float64 || time.bytes.size() != sizeof value) { return std::nullopt; }
    std::memcpy(&value, time.bytes.data(), sizeof value);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const StateError&) { return std::nullopt; }
}

/// Numbers of the frames that a list names; none when a name is not one of ours.
std::optional<std::vector<std::size_t>> numbers_of(const std::vector<std::pair<std::string, double>>& list,
                                                   const std::string& inner, FileNumbers naming) {
  std::vector<std::size_t> numbers;
  for (const auto& [name, time] : list) {
    const auto number =
        name.starts_with(inner + "/") ? frame_number(name.substr(inner.size() + 1), naming) : std::nullopt;
    if (!number || (!numbers.empty() && *number <= numbers.back())) { return std::nullopt; }
    numbers.push_back(*number);
  }
  return numbers;
}

/// The step of a row; none for a row that is not complete, as a killed run may leave the last one.
std::optional<std::uint64_t> step_of_row(const std::string& line) {
  const auto comma = line.find(',');
  if (comma == std::string::npos) { return std::nullopt; }
  std::uint64_t step = 0;
  const auto parsed = std::from_chars(line.data() + comma + 1, line.data() + line.size(), step);
  return parsed.ec == std::errc() ? std::optional(step) : std::nullopt;
}

/// The frames that are kept according to the list of frames. None if the list cannot be read, or if it lacks an
/// existing frame of an earlier time: then it is damaged.
std::optional<KeptFrames> frames_by_list(const fs::path& folder, const std::string& list, const std::string& inner,
                                         const std::map<std::size_t, fs::path>& files, double time,
                                         FileNumbers naming) {
  const auto listed = read_file_series(folder / list);
  const auto numbers = listed ? numbers_of(*listed, inner, naming) : std::nullopt;
  if (!numbers) { return std::nullopt; }
  KeptFrames kept;
  std::set<std::size_t> known;
  for (std::size_t k = 0; k < listed->size() && (*listed)[k].second < time; ++k) {
    if (k > 0 && !((*listed)[k].second > (*listed)[k - 1].second)) { return std::nullopt; }
    kept.list.push_back((*listed)[k]);
    kept.next = (*numbers)[k] + 1;
    known.insert((*numbers)[k]);
    const auto file = files.find((*numbers)[k]);
    if (file == files.end()) {
      kept.notes.push_back(list + " names " + (*listed)[k].first + ", which is not there");
      continue;
    }
    // Opening each frame of a long run would take minutes, so only the newest ones are checked.
    constexpr std::size_t looked_at = 20;
    const bool is_old = k + looked_at < listed->size() && (*listed)[k + looked_at].second < time;
    if (is_old) { continue; }
    // Either the frame or the list is damaged, and it is unknown which: the frame stays, and its number is not used
    // again.
    if (const auto own = time_of_frame(file->second); own && *own != (*listed)[k].second) {
      kept.notes.push_back(list + " gives " + (*listed)[k].first + " the time " + number_text((*listed)[k].second) +
                           " s, the file itself " + number_text(*own) + " s; it stays as it is");
    }
  }
  // Frames are listed as soon as they are written, so frames behind the listed ones belong to later moments.
  for (const auto& [number, file] : files) {
    if (known.contains(number)) { continue; }
    if (const auto own = time_of_frame(file); own && *own < time) { return std::nullopt; }
    if (number >= kept.next) { kept.later.push_back(file); }
  }
  kept.list_is_other = kept.list.size() != listed->size();
  return kept;
}

}  // namespace

std::string file_name_of(FileNumbers numbers, std::size_t number) {
  char name[40];
  std::snprintf(name, sizeof name, numbers == FileNumbers::frames ? "frame_%06zu.vtkhdf" : "step_%09zu.vtkhdf", number);
  return name;
}

KeptFrames look_at_frames(const fs::path& folder, const std::string& list, const std::string& inner, double time,
                          FileNumbers naming, bool may_be_none) {
  const auto files = frames_in(folder / inner, naming);
  if (auto kept = frames_by_list(folder, list, inner, files, time, naming)) { return *kept; }
  KeptFrames kept;
  std::error_code ignored;
  const bool there = fs::exists(folder / list, ignored);
  const std::string state = there ? " is damaged" : " is not there";
  if (files.empty()) {
    if (there || (time > 0 && !may_be_none)) {
      kept.notes.push_back(list + state + ", and no frame is: frames begin at this step");
    }
    return kept;
  }
  for (const auto& [number, file] : files) {
    const auto own = time_of_frame(file);
    if (own && !(*own < time)) {
      kept.later.push_back(file);
      continue;
    }
    kept.next = number + 1;
    if (own) {
      kept.list.emplace_back(inner + "/" + file_name_of(naming, number), *own);
    } else {
      kept.notes.push_back(inner + "/" + file_name_of(naming, number) +
                           " does not tell its time: it stays, but is not listed any more");
    }
  }
  kept.list_is_other = true;
  kept.notes.push_back(list + state + ": it is made anew of " + counted(kept.list.size(), "frame", "frames") +
                       " of before this step");
  return kept;
}

void keep_frames(const fs::path& list, const KeptFrames& frames) {
  if (frames.list_is_other) {
    if (frames.list.empty()) {
      remove_file(list);
    } else {
      write_file_series(list, frames.list);
    }
  }
  for (const auto& file : frames.later) { remove_file(file); }
}

KeptRows look_at_rows(const fs::path& file, const std::string& header, std::uint64_t step, bool may_be_none) {
  KeptRows kept;
  const std::string name = file.filename().string();
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || in.eof()) {
    if (step > 0 && !may_be_none) {
      kept.notes.push_back(name + (in.is_open() ? " is empty" : " is not there") + ": its rows begin at this step");
    }
    return kept;
  }
  if (line != header) {
    throw OutputError(file.string() +
                      ": has other columns than this run would write; move it away, or resume without a series");
  }
  std::uint64_t end = line.size() + 1;
  std::size_t rows = 0, others = 0, others_kept = 0;
  kept.bytes = end;
  while (std::getline(in, line) && !in.eof()) {
    end += line.size() + 1;
    const auto of = step_of_row(line);
    if (of && *of >= step) { break; }
    others += of ? 0 : 1;
    if (!of) { continue; }
    kept.rows = ++rows;
    kept.bytes = end;
    others_kept = others;
  }
  if (rows == 0 && step > 0 && !may_be_none) { kept.notes.push_back(name + " has no row of before this step"); }
  if (others_kept > 0) {
    kept.notes.push_back(name + " has " + counted(others_kept, "line", "lines") + " that " +
                         (others_kept == 1 ? "is no row" : "are no rows"));
  }
  return kept;
}

}  // namespace scree
