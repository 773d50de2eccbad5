#include "host/output/contact_writer.hpp"

#include <utility>

#include "host/output/contact_frame.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/vtkhdf.hpp"

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

void ContactWriter::write(Engine& engine) {
  if (last_step_ == engine.step()) { return; }
  open();
  const ContactFrame contacts = collect_contacts(engine);
  const std::string name = std::string(contact_folder) + "/" + contact_file_name(contacts.step);
  write_contact_frame(folder_ / name, contacts, precision_);
  list_.emplace_back(name, contacts.time);
  files_ += list_.size() == 1 ? 2 : 1;
  write_file_series(folder_ / contact_list, list_);
  last_step_ = contacts.step;
}

}  // namespace scree
