#include "host/writers/run_log.hpp"

#include <utility>

namespace scree {

void RunLog::open(const std::filesystem::path& file, std::uint64_t keep) {
  file_.emplace(file, keep);
  for (const auto& text : std::exchange(waiting_, {})) { file_->append(text); }
}

void RunLog::line(const std::string& text) {
  if (!quiet_) { terminal_ << text << '\n' << std::flush; }
  file_line(text);
}

void RunLog::file_line(const std::string& text) {
  if (file_) {
    file_->append(text);
  } else {
    waiting_.push_back(text);
  }
}

void RunLog::close() {
  if (file_) { file_->close(); }
  file_.reset();
}

}  // namespace scree
