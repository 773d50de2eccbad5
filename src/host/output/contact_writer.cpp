#include "host/output/contact_writer.hpp"

#include <utility>

#include "host/output/vtkhdf.hpp"
#include "scree/errors.hpp"

namespace scree {

ContactWriter::ContactWriter(std::filesystem::path folder, const ContactOutput& output, const Scene& scene,
                             std::optional<double> resumed_time)
    : precision_(scene.precision),
      of_grains_(!scene.grain_shapes.empty()),
      schedule_(output.every, scene),
      series_(std::move(folder), "contacts", FileNumbers::steps) {
  if (resumed_time) { series_.look(*resumed_time, begins_off(scene, &StagedOutput::contacts)); }
}

void ContactWriter::open() {
  if (!std::exchange(open_, true)) { series_.open(); }
}

std::optional<ContactTable> ContactWriter::collect(Engine& engine) {
  if (last_step_ == engine.step()) { return std::nullopt; }
  ContactTable contacts = collect_contacts(engine, of_grains_);
  last_step_ = contacts.step;
  return contacts;
}

void ContactWriter::write(Engine& engine) {
  open();
  if (const auto contacts = collect(engine)) { write(*contacts); }
}

void ContactWriter::write(const ContactTable& contacts) {
  SCREE_EXPECT(open_, "open() comes first");
  write_contact_frame(series_.file(contacts.step), contacts, precision_);
  series_.add(contacts.step, contacts.time);
  frame_bytes_ = series_.bytes();
}

}  // namespace scree
