#include "host/commands/compare.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstring>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/run/exit_code.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/text/csv.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// The arrays and texts of a file, and the step to which they belong.
struct Content {
  std::uint64_t step = 0;
  bool checkpoint = false;
  std::vector<StateArray> arrays;
  std::set<std::string> signed_arrays;  ///< names of arrays of signed integers; StateArray keeps only their bits
  std::map<std::string, std::string> texts;

  [[nodiscard]] const StateArray* find(const std::string& name) const {
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& array) { return array.name == name; });
    return found == arrays.end() ? nullptr : &*found;
  }
};

template <class T>
T element(const StateArray& array, std::size_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// An unsigned integer, or the signed integer with the same bits.
template <class T>
std::string integer_text(const StateArray& array, std::size_t index, bool has_sign) {
  return has_sign ? std::to_string(element<std::make_signed_t<T>>(array, index))
                  : std::to_string(element<T>(array, index));
}

std::string element_text(const StateArray& array, std::size_t index, bool has_sign) {
  switch (array.type) {
    case ValueType::float32: return number_text(double(element<float>(array, index)));
    case ValueType::float64: return number_text(element<double>(array, index));
    case ValueType::uint8: return integer_text<std::uint8_t>(array, index, has_sign);
    case ValueType::uint32: return integer_text<std::uint32_t>(array, index, has_sign);
    case ValueType::uint64: return integer_text<std::uint64_t>(array, index, has_sign);
  }
  return "";
}

Content read_content(const fs::path& file) {
  Content content;
  content.checkpoint = is_checkpoint(file);
  if (content.checkpoint) {
    Checkpoint checkpoint = read_checkpoint(file);
    content.step = checkpoint.step;
    content.arrays = std::move(checkpoint.state.arrays);
    return content;
  }
  const Hdf5Reader hdf(file);
  for (const auto& path : hdf.datasets("/VTKHDF")) {
    const std::string name = path.substr(std::string("/VTKHDF/").size());
    if (hdf.is_text(path)) {
      content.texts[name] = hdf.text(path);
      continue;
    }
    StateArray array = hdf.read(path);
    array.name = name;
    if (hdf.shape(path).has_sign) { content.signed_arrays.insert(name); }
    if (array.name == "FieldData/Step" && array.type == ValueType::uint64 && array.rows() == 1) {
      content.step = element<std::uint64_t>(array, 0);
    }
    content.arrays.push_back(std::move(array));
  }
  return content;
}

/// Names the particle to which a row of an array belongs, by the ids in the same group; without ids, names the row.
std::string row_owner(const Content& content, const std::string& name, std::size_t row) {
  const std::string group = name.substr(0, name.find('/'));
  const std::string frame_ids = "PointData/id";
  for (const std::string& ids_name :
       content.checkpoint ? std::vector{group + "/id", group + "/ids"} : std::vector{frame_ids}) {
    const StateArray* ids = content.find(ids_name);
    if (ids == nullptr || row >= ids->rows()) { continue; }
    std::string text = ids->columns == 1 ? "particle " : "particles ";
    for (std::size_t c = 0; c < ids->columns; ++c) {
      text += (c > 0 ? " and " : "") + element_text(*ids, row * ids->columns + c, false);
    }
    return text;
  }
  return "row " + std::to_string(row);
}

/// Describes the first difference; empty when there is none.
std::string first_difference(const Content& a, const Content& b) {
  const auto in_order = [](const Content& content) {
    std::vector<const StateArray*> arrays;  // ids first: if they differ, comparing other rows is pointless
    for (const auto& array : content.arrays) { arrays.push_back(&array); }
    std::stable_partition(arrays.begin(), arrays.end(), [](const auto* array) {
      return array->name.ends_with("/id") || array->name.ends_with("/ids");
    });
    return arrays;
  };
  for (const StateArray* array : in_order(a)) {
    const StateArray* other = b.find(array->name);
    if (other == nullptr) { return array->name + ": only in the first"; }
    if (array->type != other->type || array->columns != other->columns) { return array->name + ": of different types"; }
    const std::size_t width = size_of(array->type), rows = std::min(array->rows(), other->rows());
    const auto end = array->bytes.begin() + static_cast<std::ptrdiff_t>(rows * array->row_bytes());
    const auto at = std::mismatch(array->bytes.begin(), end, other->bytes.begin()).first;
    if (at != end) {
      const auto index = static_cast<std::size_t>(at - array->bytes.begin()) / width;
      return array->name + ", " + row_owner(a, array->name, index / array->columns) +
             (array->columns > 1 ? ", component " + std::to_string(index % array->columns) : "") + ": " +
             element_text(*array, index, a.signed_arrays.contains(array->name)) + " and " +
             element_text(*other, index, b.signed_arrays.contains(array->name));
    }
    if (array->rows() != other->rows()) {
      return array->name + ": " + std::to_string(array->rows()) + " and " + std::to_string(other->rows()) + " rows";
    }
  }
  for (const StateArray& array : b.arrays) {
    if (a.find(array.name) == nullptr) { return array.name + ": only in the second"; }
  }
  for (const auto& [name, text] : a.texts) {
    const auto other = b.texts.find(name);
    if (other == b.texts.end()) { return name + ": only in the first"; }
    if (other->second != text) {
      return name + ": \"" + printable(text) + "\" and \"" + printable(other->second) + "\"";
    }
  }
  for (const auto& [name, text] : b.texts) {
    if (!a.texts.contains(name)) { return name + ": only in the second"; }
  }
  return "";
}

/// The key by which the files of a run are ordered: first by step; at one step first frames and other results, then the
/// checkpoint.
struct FileKey {
  std::uint64_t step = 0;
  double time = 0;  ///< [s] for files that do not contain their step; else 0
  bool is_checkpoint = false;
  std::string folder = {};                           ///< relative to that of the run: "frames", "fields/profile"
  auto operator<=>(const FileKey&) const = default;  // NOLINT(modernize-use-nullptr)
};
using Files = std::map<FileKey, fs::path>;

/// The name of a file in messages, such as "step 150, frame".
std::string name_of(const FileKey& key) {
  const std::string moment =
      key.time > 0 ? "t = " + short_number_text(key.time, 6) + " s" : "step " + std::to_string(key.step);
  return moment + ", " +
         (key.is_checkpoint        ? "checkpoint"
          : key.folder == "frames" ? "frame"
                                   : "file of " + key.folder);
}

void add_files(const fs::path& run, const std::string& inner, Files& files) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / inner, error)) {
    if (entry.path().extension() != ".vtkhdf") { continue; }
    const Hdf5Reader hdf(entry.path());
    const auto about = hdf.datasets("/VTKHDF/FieldData");
    const bool tells_step = std::find(about.begin(), about.end(), "/VTKHDF/FieldData/Step") != about.end();
    const StateArray moment = hdf.read(tells_step ? "/VTKHDF/FieldData/Step" : "/VTKHDF/FieldData/TimeValue");
    if (moment.type != (tells_step ? ValueType::uint64 : ValueType::float64) || moment.rows() * moment.columns != 1) {
      throw StateError(entry.path().string() + ": does not tell its step");
    }
    FileKey key{.folder = inner};
    if (tells_step) {
      key.step = element<std::uint64_t>(moment, 0);
    } else {
      key.time = element<double>(moment, 0);
    }
    files[std::move(key)] = entry.path();
  }
}

Files files_of(const fs::path& run) {
  Files files;
  for (const auto& [step, file] : checkpoints_in(run / "checkpoints")) {
    files[{.step = step, .is_checkpoint = true}] = file;
  }
  for (const char* inner : {"frames", "grains", "nodes", "contacts"}) { add_files(run, inner, files); }
  std::error_code error;
  for (const std::string outer : {"boundaries", "fields"}) {
    for (const auto& entry : fs::directory_iterator(run / outer, error)) {
      if (entry.is_directory(error)) { add_files(run, outer + "/" + entry.path().filename().string(), files); }
    }
  }
  return files;
}

/// The rows of a table in a CSV file, by the value of their column "step".
struct Table {
  std::vector<std::string> columns;
  std::map<std::uint64_t, std::vector<std::string>> rows;

  explicit Table(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line)) { return; }
    columns = csv::row_cells(line);
    const auto at = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), "step") - columns.begin());
    while (std::getline(in, line)) {
      std::vector<std::string> cells = csv::row_cells(line);
      std::uint64_t step = 0;
      if (cells.size() != columns.size() || at == columns.size()) { continue; }
      if (std::from_chars(cells[at].data(), cells[at].data() + cells[at].size(), step).ec == std::errc()) {
        rows[step] = std::move(cells);
      }
    }
  }
};

/// Describes the first difference of rows of the same steps, in columns that both tables have; empty if there is none.
/// Adds the number of compared rows to `compared`.
std::string first_difference(const Table& a, const Table& b, std::size_t& compared) {
  for (const auto& [step, row] : a.rows) {
    const auto other = b.rows.find(step);
    if (other == b.rows.end()) { continue; }
    ++compared;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto same = std::find(b.columns.begin(), b.columns.end(), a.columns[k]);
      if (same == b.columns.end()) { continue; }
      const std::string& value = other->second[static_cast<std::size_t>(same - b.columns.begin())];
      if (value != row[k]) {
        return "step " + std::to_string(step) + ", series.csv, " + a.columns[k] + ": " + printable(row[k]) + " and " +
               printable(value);
      }
    }
  }
  return {};
}

/// Names the files and rows that only one of two runs has: "4 files and 12 rows of out/b"; empty if there are none.
std::string only_in(const fs::path& run, std::size_t files, std::size_t rows) {
  if (files + rows == 0) { return {}; }
  const std::string both = files > 0 && rows > 0 ? " and " : "";
  return (files > 0 ? counted(files, "file", "files") : "") + both + (rows > 0 ? counted(rows, "row", "rows") : "") +
         " of " + run.string();
}

int compare_folders(const fs::path& first, const fs::path& second, std::ostream& out) {
  const Files a = files_of(first), b = files_of(second);
  std::size_t compared = 0;
  bool beyond_start = false;  // something of a later step than 0 was compared
  for (const auto& [key, file] : a) {
    const auto other = b.find(key);
    if (other == b.end()) { continue; }
    ++compared;
    beyond_start = beyond_start || key.step > 0 || key.time > 0;
    const std::string difference = first_difference(read_content(file), read_content(other->second));
    if (difference.empty()) { continue; }
    out << name_of(key) << ", " << difference << '\n';
    return exit_run_failed;
  }
  std::size_t rows = 0;
  const Table of_first(first / "series.csv"), of_second(second / "series.csv");
  const std::string difference = first_difference(of_first, of_second, rows);
  if (!difference.empty()) {
    out << difference << '\n';
    return exit_run_failed;
  }
  if (compared + rows == 0) {
    throw CaseError(first.string() + " and " + second.string(), "have no files and no rows of the same steps");
  }
  for (const auto& [step, row] : of_first.rows) {
    beyond_start = beyond_start || (step > 0 && of_second.rows.contains(step));
  }
  const std::string rest_of_first = only_in(first, a.size() - compared, of_first.rows.size() - rows),
                    rest_of_second = only_in(second, b.size() - compared, of_second.rows.size() - rows);
  const bool all = rest_of_first.empty() && rest_of_second.empty();
  if (!beyond_start && !all) {
    out << "only step 0 is common to both, and it does not differ; ";
  } else {
    out << "no difference in " << counted(compared, "file", "files") << " and " << counted(rows, "row", "rows")
        << " of series.csv of the same steps" << (all ? "\n" : "; ");
  }
  if (!all) {
    out << "not compared: " << rest_of_first << (rest_of_first.empty() || rest_of_second.empty() ? "" : ", ")
        << rest_of_second << '\n';
  }
  return beyond_start || all ? exit_done : exit_run_failed;
}

}  // namespace

int run_compare(const fs::path& first, const fs::path& second, std::ostream& out) {
  std::error_code error;
  for (const auto& path : {first, second}) {
    if (!fs::exists(path, error)) { throw CaseError(path.string(), "is not there"); }
  }
  if (fs::is_directory(first, error) != fs::is_directory(second, error)) {
    throw CaseError(first.string() + " and " + second.string(), "are a folder and a file");
  }
  if (fs::is_directory(first, error)) { return compare_folders(first, second, out); }
  const Content a = read_content(first), b = read_content(second);
  if (a.step != b.step) {
    out << "different steps: " << a.step << " and " << b.step << '\n';
    return exit_run_failed;
  }
  const std::string difference = first_difference(a, b);
  out << (difference.empty() ? "no difference" : "step " + std::to_string(a.step) + ", " + difference) << '\n';
  return difference.empty() ? exit_done : exit_run_failed;
}

}  // namespace scree
