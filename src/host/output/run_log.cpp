#include "host/output/run_log.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include "host/text/printable.hpp"

namespace scree {

void RunLog::open(const std::filesystem::path& file, std::uint64_t keep) {
  file_.emplace(file, keep);
  closed_ = false;
  has_begun_ = keep > 0;
  first_.clear();
  for (const auto& text : std::exchange(waiting_, {})) { append(text); }
}

/// A disk that is full at the first line may have room for the second one.
void RunLog::append(const std::string& text) {
  if (!has_begun_) {
    if (first_.empty()) {
      first_ = text;
    } else {
      file_->append(first_);
      has_begun_ = true;
    }
  }
  file_->append(text);
  has_begun_ = true;
}

void RunLog::line(const std::string& text) {
  file_line(text);  // first: the log begins with the word by which it is known
  show(printable(text) + '\n');
}

void RunLog::show(const std::string& text) {
  if (quiet_) { return; }
  errno = 0;
  terminal_ << text << std::flush;
  if (terminal_) { return; }
  const int error = errno;
  quiet_ = true;
  file_line("warning: standard output cannot be written any more" +
            (error == 0 ? std::string() : ": " + std::generic_category().message(error)) +
            "; the run goes on, and what it says stands here");
}

void RunLog::file_line(const std::string& text) {
  if (closed_) { return; }
  if (file_) {
    append(printable(text));
  } else {
    waiting_.push_back(printable(text));
  }
}

void RunLog::expect_still_there() const {
  if (file_) { file_->expect_still_there(); }
}

void RunLog::close() {
  closed_ = true;
  if (file_) { file_->close(); }
  file_.reset();
}

}  // namespace scree
