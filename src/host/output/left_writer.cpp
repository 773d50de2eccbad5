#include "host/output/left_writer.hpp"

#include <algorithm>
#include <cmath>

#include "host/checkpoint/state_columns.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* header =
    "time[s],step,id,outlet,material,mass[kg],x[m],y[m],z[m],velocity_x[m/s],velocity_y[m/s],velocity_z[m/s],"
    "inserted[s]";

template <class T>
std::vector<T> values_of(const std::vector<StateArray>& arrays, const std::string& name, ValueType type) {
  const StateArray* const found = find_array(arrays, name);
  if (found == nullptr) { throw StateError("the state does not hold " + name); }
  return rows_of<T>(*found, type);
}

}  // namespace

LeftWriter::LeftWriter(const std::filesystem::path& folder, const Scene& scene, std::optional<std::uint64_t> resumed_at)
    : scene_(scene), path_(folder / "left.csv"), known_ids_(scene.particles.size()) {
  if (!resumed_at) { return; }
  kept_ = look_at_rows(path_, header, *resumed_at + 1);  // the rows of its own step were written before it
}

void LeftWriter::open() {
  if (file_) { return; }
  file_.emplace(path_, kept_.bytes);
  if (file_->size() == 0) { file_->append(header); }
}

void LeftWriter::note_inserted(const Engine& engine) {
  if (engine.ids() <= known_ids_) { return; }
  first_id_.push_back(known_ids_);
  time_.push_back(engine.time());
  known_ids_ = engine.ids();
}

void LeftWriter::write(Engine& engine) {
  note_inserted(engine);
  for (const RemovedParticle& particle : engine.take_removed()) {
    waiting_ += (waiting_.empty() ? "" : "\n") + row_of(particle);
  }
  open();
  if (waiting_.empty()) { return; }
  file_->append(waiting_);
  waiting_.clear();
}

std::string LeftWriter::row_of(const RemovedParticle& particle) const {
  const std::uint32_t material = scene_.case_material(particle.material);
  std::string row = number_text(particle.time) + "," + std::to_string(particle.step) + "," +
                    std::to_string(particle.id) + "," + csv::quoted(scene_.outlet_names.at(particle.outlet)) + "," +
                    csv::quoted(material < scene_.material_names.size() ? scene_.material_names[material] : "") + "," +
                    number_text(particle.mass);
  for (const Real3* vector : {&particle.position, &particle.velocity}) {
    for (const double component : *vector) { row += "," + number_text(component); }
  }
  return row + "," + inserted(particle.id);
}

/// Particles of the start came in at 0.
std::string LeftWriter::inserted(std::uint64_t id) const {
  if (id < scene_.particles.size()) { return "0"; }
  const auto next = std::upper_bound(first_id_.begin(), first_id_.end(), id);
  if (next == first_id_.begin() || id >= known_ids_) { return "nan"; }
  return number_text(time_[static_cast<std::size_t>(next - first_id_.begin()) - 1]);
}

std::vector<StateArray> LeftWriter::save() const {
  return {array_of("left/known_ids", "1", ValueType::uint64, 1, std::vector<std::uint64_t>{known_ids_}),
          array_of("left/first_id", "1", ValueType::uint64, 1, first_id_),
          array_of("left/inserted_at", "s", ValueType::float64, 1, time_)};
}

void LeftWriter::restore(const std::vector<StateArray>& arrays, const Engine& engine, std::uint64_t removed) {
  notes_ = kept_.notes;
  std::erase_if(notes_, [](const std::string& note) { return note.find("has no row of before") != std::string::npos; });
  if (arrays.empty()) {
    if (engine.ids() > known_ids_) {
      notes_.emplace_back(
          "left.csv: the checkpoint does not tell when the particles of inlets came in: \"nan\" stands "
          "for those of before this step");
    }
    // first_id_ begins behind them, so they are not found there
    known_ids_ = engine.ids();
  } else {
    const auto known = values_of<std::uint64_t>(arrays, "left/known_ids", ValueType::uint64);
    first_id_ = values_of<std::uint64_t>(arrays, "left/first_id", ValueType::uint64);
    time_ = values_of<double>(arrays, "left/inserted_at", ValueType::float64);
    const bool fits = known.size() == 1 && first_id_.size() == time_.size() &&
                      std::is_sorted(first_id_.begin(), first_id_.end()) && known[0] <= engine.ids() &&
                      (first_id_.empty() || first_id_.back() < known[0]) &&
                      std::all_of(time_.begin(), time_.end(), [](double t) { return std::isfinite(t); });
    if (!fits) { throw StateError("the arrays left/ tell of particles that cannot be"); }
    known_ids_ = known[0];
  }
  if (kept_.rows < removed) {
    notes_.push_back("left.csv lacks " + std::to_string(removed - kept_.rows) + " of the " + std::to_string(removed) +
                     " particles that had left before this step");
  }
}

}  // namespace scree
