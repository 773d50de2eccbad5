#include "host/output/field_writer.hpp"

#include <algorithm>
#include <cmath>

#include "host/output/vtkhdf.hpp"
#include "host/storage/state_columns.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// All settings that decide what is summed over a window. Names of any characters are told apart by their lengths.
std::string text_of(const FieldOutput& output) {
  std::string text = "every " + number_text(output.every) + " samples " +
                     number_text(output.sample_every.value_or(output.every)) + " width " + number_text(output.width);
  text += " with ages";  // older windows have no sums of them
  const FieldGrid& grid = output.grid;
  for (const std::uint64_t cells : grid.cells) { text += " in " + std::to_string(cells); }
  const auto vector_text = [](const Real3& x) {
    return " (" + number_text(x[0]) + ", " + number_text(x[1]) + ", " + number_text(x[2]) + ")";
  };
  if (grid.box) { text += " box" + vector_text(grid.box->min) + vector_text(grid.box->max); }
  if (grid.cylinder) {
    text += " cylinder" + vector_text(grid.cylinder->from) + vector_text(grid.cylinder->to) + " of " +
            number_text(grid.cylinder->inner_radius) + " to " + number_text(grid.cylinder->radius);
  }
  if (grid.zero) { text += " zero" + vector_text(*grid.zero); }
  for (const auto* names : {&output.materials, &output.groups}) {
    text += " of " + std::to_string(names->size());
    for (const std::string& name : *names) { text += " " + std::to_string(name.size()) + ":" + name; }
  }
  return text;
}

}  // namespace

FieldWriter::FieldWriter(const std::filesystem::path& folder, std::string name, std::string stem,
                         const FieldOutput& output, const Scene& scene, std::optional<double> resumed_time)
    : name_(std::move(name)),
      about_(text_of(output)),
      samples_follow_(!output.sample_every),
      scene_(scene),
      schedule_(output.every, scene),
      samples_due_(output.sample_every.value_or(output.every), scene),
      sees_(scene, output.materials, output.groups),
      sums_(output.grid, output.width),
      series_(folder / "fields", std::move(stem), FileNumbers::steps) {
  if (!resumed_time) { return; }
  series_.look(*resumed_time, begins_off(scene, name_));
  // In the first window there is nothing to keep; later it is missing.
  if (!series_.empty() || *resumed_time > output.every) { notes_ = series_.notes(); }
}

void FieldWriter::open() {
  if (!std::exchange(open_, true)) { series_.open(); }
}

/// The moment at which a file is due belongs to the window, so that no window is empty.
bool FieldWriter::in_window(const Engine& engine) const { return samples_due_.due(engine) || schedule_.due(engine); }

bool FieldWriter::wants_sample(const Engine& engine, bool final_one) const {
  // No forces are known before the first step.
  if (engine.step() == 0 || sample_step_ == engine.step()) { return false; }
  if (in_window(engine)) { return true; }
  return final_one && schedule_.on() && (samples_ == 0 || over_) && last_step_ != engine.step();
}

void FieldWriter::sample(const Engine& engine, ProbeView& view) {
  if (std::exchange(over_, false)) { sums_.clear(), samples_ = 0; }
  const std::vector<std::uint8_t> chosen = sees_.all() ? std::vector<std::uint8_t>{} : sees_.in(view.now);
  view.chosen = sees_.all() ? nullptr : &chosen;
  sums_.add(view);
  view.chosen = nullptr;
  sampled_[1] = engine.time();
  if (samples_++ == 0) { sampled_[0] = engine.time(); }
  only_of_end_ = !in_window(engine);
  if (!only_of_end_) { sample_step_ = engine.step(); }
}

void FieldWriter::change_schedule(const StagedInterval& change, std::uint64_t step, double time) {
  schedule_.change(change, step, time);
  StagedInterval of_samples = change;
  if (!samples_follow_) { of_samples.every.reset(), of_samples.on = schedule_.on(); }
  samples_due_.change(of_samples, step, time);
  if (!schedule_.on()) { over_ = true; }
}

bool FieldWriter::due(const Engine& engine, bool final_one) const {
  if (samples_ == 0 || engine.step() == 0) { return false; }
  return schedule_.due(engine) || (final_one && !over_ && schedule_.on());
}

RunTarget FieldWriter::next(const Engine& engine) const {
  return sooner(schedule_.next(engine), samples_due_.next(engine));
}

std::optional<FieldTable> FieldWriter::collect(const Engine& engine) {
  if (last_step_ == engine.step()) { return std::nullopt; }
  FieldTable table;
  table.step = engine.step();
  table.time = engine.time();
  table.samples = samples_;
  table.sampled = sampled_;
  for (std::size_t k = 0; k < 3; ++k) {
    const spline::Axis& axis = sums_.axes()[k];
    table.origin[k] = axis.low, table.spacing[k] = axis.edge, table.cells[k] = axis.cells;
  }
  if (const CylinderPlace* const place = sums_.cylinder()) { table.cylinder = *place; }
  table.fields = field_means(sums_, samples_, !sees_.all());
  over_ = only_of_end_ || schedule_.due(engine);
  if (std::exchange(only_of_end_, false)) { samples_ = 0; }
  last_step_ = engine.step();
  return table;
}

void FieldWriter::write(const Engine& engine) {
  open();
  if (const auto table = collect(engine)) { write(*table); }
}

void FieldWriter::write(const FieldTable& table) {
  SCREE_EXPECT(open_, "open() comes first");
  write_field_frame(series_.file(table.step), table, scene_.precision);
  series_.add(table.step, table.time);
  frame_bytes_ = series_.bytes();
}

void FieldWriter::save(std::uint64_t step, std::vector<StateArray>& arrays) const {
  const bool any = samples_ > 0 && (!over_ || sample_step_ == step);
  const std::string prefix = state_group("fields", name_);
  arrays.push_back(
      array_of(prefix + "about", "1", ValueType::uint8, 1, std::vector<char>(about_.begin(), about_.end())));
  arrays.push_back(array_of(prefix + "counts", "1", ValueType::uint64, 1,
                            any ? std::vector<std::uint64_t>{samples_, sample_step_.value_or(0), over_ ? 1U : 0U}
                                : std::vector<std::uint64_t>(3)));
  const std::array<double, 2> sampled = any ? sampled_ : std::array<double, 2>{};
  arrays.push_back(
      array_of(prefix + "sampled", "s", ValueType::float64, 1, std::vector<double>(sampled.begin(), sampled.end())));
  // Before the first sample all of them are zero.
  arrays.push_back(array_of(prefix + "sums", "1", ValueType::float64, 1, any ? sums_.all() : std::vector<double>{}));
}

void FieldWriter::restore(const std::vector<StateArray>& arrays) {
  const std::string prefix = state_group("fields", name_);
  const StateArray *about = find_array(arrays, prefix + "about"), *counts = find_array(arrays, prefix + "counts"),
                   *sampled = find_array(arrays, prefix + "sampled"), *sums = find_array(arrays, prefix + "sums");
  if (about == nullptr) {
    notes_.push_back("the checkpoint knows nothing of the fields \"" + name_ + "\": their means begin at this step");
    return;
  }
  if (counts == nullptr || sampled == nullptr || sums == nullptr) {
    throw StateError("the state of the fields " + name_ + " is not complete");
  }
  const auto text = rows_of<char>(*about, ValueType::uint8);
  if (std::string(text.begin(), text.end()) != about_) {
    notes_.push_back("the fields \"" + name_ + "\" are others in the checkpoint: their means begin at this step");
    return;
  }
  const auto numbers = rows_of<std::uint64_t>(*counts, ValueType::uint64);
  const auto times = rows_of<double>(*sampled, ValueType::float64);
  auto saved = rows_of<double>(*sums, ValueType::float64);
  const bool fits = numbers.size() == 3 && times.size() == 2 && numbers[2] <= 1 && numbers[0] < (1ULL << 53U) &&
                    saved.size() == (numbers[0] > 0 ? sums_.all().size() : 0);
  const auto finite = [](const std::vector<double>& all) {
    return std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
  };
  if (!fits || !finite(times) || !finite(saved)) {
    throw StateError("the state of the fields " + name_ + " holds numbers that cannot be");
  }
  samples_ = numbers[0];
  if (samples_ == 0) { return; }
  sample_step_ = numbers[1];
  over_ = numbers[2] == 1;
  sampled_ = {times[0], times[1]};
  sums_.restore(std::move(saved));
}

}  // namespace scree
