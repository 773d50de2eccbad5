#include "host/output/field_outputs.hpp"

#include <algorithm>

#include "host/geometry/real3.hpp"
#include "host/measure/clump_members.hpp"
#include "host/output/finite.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/output_queue.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

void expect_finite(const std::vector<TouchingContact>& contacts, std::uint64_t step) {
  const auto wrong = std::find_if(contacts.begin(), contacts.end(), [](const TouchingContact& contact) {
    return !geometry::is_finite(contact.force) || !geometry::is_finite(contact.point);
  });
  if (wrong == contacts.end()) { return; }
  throw KernelFault("a contact of particle " + std::to_string(wrong->second) + " is not finite", step, {wrong->second});
}

std::uint64_t cells_of(const FieldOutput& output) {
  return output.grid.cells[0] * output.grid.cells[1] * output.grid.cells[2];
}
bool selects(const FieldOutput& output) { return !output.materials.empty() || !output.groups.empty(); }

}  // namespace

FieldOutputs::FieldOutputs(const std::filesystem::path& folder, const Named<FieldOutput>& outputs, const Scene& scene,
                           std::optional<double> resumed_time)
    : scene_(scene) {
  std::vector<std::string> names;
  for (const auto& [name, output] : outputs) { names.push_back(name); }
  const std::vector<std::string> stems = file_stems(names);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    writers_.push_back(
        std::make_unique<FieldWriter>(folder, names[k], stems[k], outputs[k].second, scene, resumed_time));
  }
}

void FieldOutputs::open() {
  for (const auto& writer : writers_) { writer->open(); }
}

std::vector<std::string> FieldOutputs::notes() const {
  std::vector<std::string> all;
  for (const auto& writer : writers_) { all.insert(all.end(), writer->notes().begin(), writer->notes().end()); }
  return all;
}

void FieldOutputs::sample(Engine& engine, const Insertions& insertions, bool final_one) {
  MeasureNeeds needs{.forces = false, .contacts = true};
  bool any = false;
  for (const auto& writer : writers_) {
    if (!writer->wants_sample(engine, final_one)) { continue; }
    any = true;
    needs.groups = needs.groups || writer->needs_groups();
  }
  if (!any) { return; }
  const MeasuredState state(engine, needs);
  expect_finite(state.spheres);
  expect_finite(state.contacts, engine.step());
  if (state.cell) { expect_finite(*state.cell, engine.step()); }
  const ParticlesOf whole(state.spheres, scene_, state.cell);
  ProbeView view = view_of(state, whole.particles(), scene_);
  view.age.reserve(view.now.id.size());
  for (const std::uint32_t id : view.now.id) { view.age.push_back(insertions.age(id, view.now.time)); }
  for (const auto& writer : writers_) {
    if (writer->wants_sample(engine, final_one)) { writer->sample(engine, view); }
  }
}

RunTarget FieldOutputs::next(const Engine& engine) const {
  RunTarget next;
  for (const auto& writer : writers_) { next = sooner(next, writer->next(engine)); }
  return next;
}

std::vector<std::filesystem::path> FieldOutputs::folders() const {
  std::vector<std::filesystem::path> all;
  for (const auto& writer : writers_) {
    for (auto& folder : writer->folders()) { all.push_back(std::move(folder)); }
  }
  return all;
}

std::uint64_t FieldOutputs::files() const {
  std::uint64_t all = 0;
  for (const auto& writer : writers_) { all += writer->files(); }
  return all;
}

std::uint64_t FieldOutputs::frame_bytes() const {
  std::uint64_t all = 0;
  for (const auto& writer : writers_) { all += writer->frame_bytes(); }
  return all;
}

std::vector<StateArray> FieldOutputs::save(std::uint64_t step) const {
  std::vector<StateArray> arrays;
  for (const auto& writer : writers_) { writer->save(step, arrays); }
  return arrays;
}

void FieldOutputs::restore(const std::vector<StateArray>& arrays) {
  for (const auto& writer : writers_) { writer->restore(arrays); }
}

std::uint64_t field_file_bytes(const FieldOutput& output, Precision precision) {
  constexpr std::uint64_t file_itself = 9000;
  const std::uint64_t real = precision == Precision::double_ ? 8 : 4;
  const std::uint64_t sectors = output.grid.cells[1];
  if (!output.grid.cylinder || sectors == 1) {
    return file_itself + real * FieldTable::numbers_per_cell(selects(output)) * cells_of(output);
  }
  // As in cylinder_cells(): hexahedra, whose corners and lists compress.
  const std::uint64_t pieces = sectors >= 12 ? 1 : (11 + sectors) / sectors, shown = pieces * cells_of(output);
  return file_itself + (real * FieldTable::numbers_per_cell(selects(output)) + 24) * shown;
}

std::uint64_t fields_in_memory(const Named<FieldOutput>& outputs) {
  std::uint64_t bytes = 0;
  for (const auto& [name, output] : outputs) {
    const std::uint64_t waiting = (OutputQueue::most_waiting + 1) * FieldTable::numbers_per_cell(selects(output));
    bytes += sizeof(double) * (FieldSums::quantities + waiting) * cells_of(output);
  }
  return bytes;
}

std::uint64_t fields_in_checkpoint(const Named<FieldOutput>& outputs) {
  std::uint64_t bytes = 0;
  for (const auto& [name, output] : outputs) { bytes += sizeof(double) * FieldSums::quantities * cells_of(output); }
  return bytes;
}

}  // namespace scree
