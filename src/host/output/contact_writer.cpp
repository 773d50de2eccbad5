#include "host/output/contact_writer.hpp"

#include <utility>

#include "host/output/output_folder.hpp"
#include "host/output/vtkhdf.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char *contact_list = "contacts.vtkhdf.series", *contact_folder = "contacts";

}  // namespace

ContactWriter::ContactWriter(std::filesystem::path folder, const ContactOutput& output, const Scene& scene,
                             std::optional<double> resumed_time)
    : folder_(std::move(folder)), precision_(scene.precision), schedule_(output.every, scene) {
  if (!resumed_time) { return; }
  kept_ = look_at_frames(folder_, contact_list, contact_folder, *resumed_time, FileNumbers::steps);
  list_ = kept_.list;
}

void ContactWriter::open() {
  if (std::exchange(open_, true)) { return; }
  make_folder(folder_ / contact_folder);
  keep_frames(folder_ / contact_list, kept_);
}

std::optional<ContactTable> ContactWriter::collect(Engine& engine) {
  if (last_step_ == engine.step()) { return std::nullopt; }
  ContactTable contacts = collect_contacts(engine);
  last_step_ = contacts.step;
  return contacts;
}

void ContactWriter::write(Engine& engine) {
  open();
  if (const auto contacts = collect(engine)) { write(*contacts); }
}

void ContactWriter::write(const ContactTable& contacts) {
  SCREE_EXPECT(open_, "open() comes first");
  const std::string name = std::string(contact_folder) + "/" + contact_file_name(contacts.step);
  write_contact_frame(folder_ / name, contacts, precision_);
  const bool is_new = list_.empty() || list_.back().first != name;  // else the file is written again
  if (is_new) { list_.emplace_back(name, contacts.time); }
  try {
    write_file_series(folder_ / contact_list, list_);
  } catch (...) {
    if (is_new) { list_.pop_back(); }
    throw;
  }
  if (is_new) { files_ += list_.size() == 1 ? 2 : 1; }
  std::error_code error;
  const auto size = std::filesystem::file_size(folder_ / name, error);
  frame_bytes_ = error ? 0 : size;
}

}  // namespace scree
