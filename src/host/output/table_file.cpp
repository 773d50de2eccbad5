#include "host/output/table_file.hpp"

namespace scree {

void TableFile::open() {
  if (file_) { return; }
  file_.emplace(path_, kept_.bytes);
  if (file_->size() == 0) { file_->append(header_); }
}

void TableFile::add(std::string_view rows) {
  if (!waiting_.empty() && !rows.empty()) { waiting_ += "\n"; }
  waiting_ += rows;
}

void TableFile::append() {
  open();
  if (waiting_.empty()) { return; }
  file_->append(waiting_);
  waiting_.clear();
}

void TableFile::sync() {
  if (file_) { file_->sync(); }
}

void TableFile::close() {
  if (file_) { file_->close(); }
}

}  // namespace scree
