#include "host/output/file_series.hpp"

#include "host/output/output_folder.hpp"
#include "host/output/series_list.hpp"

namespace scree {

FileSeries::FileSeries(std::filesystem::path folder, std::string inner, FileNumbers numbers)
    : folder_(std::move(folder)), inner_(std::move(inner)), numbers_(numbers) {}

void FileSeries::look(double resumed_time, bool may_be_none) {
  kept_ = look_at_frames(folder_, list_name(), inner_, resumed_time, numbers_, may_be_none);
  list_ = kept_.list;
}

void FileSeries::open() {
  make_folder(folder_ / inner_);
  keep_frames(folder_ / list_name(), kept_);
}

std::filesystem::path FileSeries::file(std::size_t number) const {
  return folder_ / inner_ / file_name_of(numbers_, number);
}

void FileSeries::add(std::size_t number, double time) {
  const std::string name = inner_ + "/" + file_name_of(numbers_, number);
  const bool is_new = list_.empty() || list_.back().first != name;  // else the file was written again
  if (is_new) { list_.emplace_back(name, time); }
  try {
    write_file_series(folder_ / list_name(), list_);
  } catch (...) {
    if (is_new) { list_.pop_back(); }
    throw;
  }
  if (is_new) { files_ += list_.size() == 1 ? 2 : 1; }
  std::error_code error;
  const auto size = std::filesystem::file_size(file(number), error);
  bytes_ = error ? 0 : size;
}

}  // namespace scree
