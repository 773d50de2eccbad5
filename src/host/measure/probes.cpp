#include "host/measure/probes.hpp"

#include <algorithm>

#include "host/case/case_files.hpp"
#include "host/case/io/probe_keys.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/meters.hpp"
#include "host/measure/selection.hpp"
#include "host/measure/state_measures.hpp"
#include "host/storage/checksum.hpp"
#include "host/storage/state_columns.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// Tells one probe from another of the same name.
std::string text_of(const ProbeOutput& probe, const std::filesystem::path& folder) {
  std::string text = keys_of(probe);
  for (const CaseFile& file : files_of(probe)) {
    Checksum content;
    content.add(geometry::read_bytes(folder / file.name, "a mesh file"));
    text += "\n" + content.text();
  }
  return text;
}

/// The cell at the moment of the forces, a time dt [s] before `now`: H = (1 + L dt) H before. The iteration is exact to
/// the fourth power of L dt.
CellState cell_of_forces(const CellState& now, double dt) {
  CellState before = now;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t edge = 0; edge < 3; ++edge) {
      Real3 moved{};
      for (std::size_t i = 0; i < 3; ++i) moved[i] = geometry::dot(now.velocity_gradient[i], before.edges[edge]);
      before.edges[edge] = geometry::along(now.edges[edge], -dt, moved);
    }
  }
  return before;
}

}  // namespace

std::string state_group(const std::string& room, const std::string& name) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string group = room + "/";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ' ';
    group += kept ? std::string(1, c) : std::string{'%', digits[byte / 16], digits[byte % 16]};
  }
  constexpr std::size_t longest = 1000;
  if (group.size() > longest) {
    Checksum rest;
    rest.add(group);
    group = group.substr(0, longest) + "%" + rest.text();
  }
  return group + "/";
}

ProbePlace::ProbePlace(const Scene& scene, std::filesystem::path folder)
    : scene_(scene), folder_(std::move(folder)), cell_(geometry::frame_of(scene.cell)) {}

ProbeRegion ProbePlace::region(const Region& described) const {
  std::vector<std::string> ignored;
  try {
    return packing::make_region(described, folder_, ignored, cell_ ? &*cell_ : nullptr);
  } catch (const CaseError& error) {
    throw CaseError("region." + error.problems().front().path, error.problems().front().message);
  }
}

ProbeRegion ProbePlace::region_or_cell(const std::optional<Region>& described) const {
  if (!described && !(scene_.cell && geometry::repeats_everywhere(scene_.cell->periodic))) {
    throw CaseError("region", "is missing; only a case whose cell repeats along x, y and z can leave it out");
  }
  return region(described.value_or(CellRegion{}));
}

Probes::~Probes() = default;
Probes::Probes(Probes&&) noexcept = default;

Probes::Probes(const SeriesOutput& output, const Scene& scene, const std::filesystem::path& folder) {
  const ProbePlace place(scene, folder);
  std::vector<InputProblem> problems;
  for (const auto& [name, probe] : output.probes) {
    try {
      Selection sees(scene, probe.materials, probe.groups);
      probes_.push_back({name, std::visit([&](const auto& keys) { return make_probe(keys, place); }, probe.kind),
                         sees.all() ? nullptr : std::make_unique<Selection>(std::move(sees)), std::nullopt});
      Entry& made = probes_.back();
      made.about = text_of(probe, folder);
      if (!probe.sample_every) continue;
      made.sample_every = *probe.sample_every;
      if (!made.probe->counts()) made.mean.emplace(made.sample_every, made.probe->columns().size());
    } catch (const CaseError& error) {
      const InputProblem& problem = error.problems().front();
      problems.push_back({"output.series.probes." + name + "." + problem.path, problem.message});
    }
  }
  if (!problems.empty()) throw CaseError(std::move(problems));
}

bool Probes::count() const {
  return std::any_of(probes_.begin(), probes_.end(), [](const Entry& entry) { return entry.probe->counts(); });
}

std::vector<std::string> Probes::columns() const {
  std::vector<std::string> names;
  for (const ProbeColumn& column : columns_of_probes()) names.push_back(column.heading());
  return names;
}

std::vector<ProbeColumn> Probes::columns_of_probes() const {
  std::vector<ProbeColumn> all;
  for (const Entry& entry : probes_) {
    for (const std::string& column : entry.probe->columns()) {  // "stress_xx[Pa]", or without a unit
      const std::size_t bracket = std::min(column.find('['), column.size());
      const std::string unit = bracket < column.size() ? column.substr(bracket + 1, column.size() - bracket - 2) : "";
      all.push_back({entry.name, entry.name + "_" + column.substr(0, bracket), unit});
    }
  }
  return all;
}

std::vector<StateArray> Probes::save() const {
  std::vector<StateArray> arrays;
  for (const Entry& entry : probes_) {
    const std::string group = state_group("probes", entry.name);
    const std::size_t before = arrays.size();
    entry.probe->save(group, arrays);
    if (entry.mean) entry.mean->save(group, arrays);
    if (arrays.size() == before) continue;  // it remembers nothing
    const std::vector<char> about(entry.about.begin(), entry.about.end());
    arrays.push_back(array_of(group + "about", "1", ValueType::uint8, 1, about));
  }
  return arrays;
}

std::vector<std::string> Probes::restore(const std::vector<StateArray>& arrays) {
  std::vector<std::string> anew;
  for (Entry& entry : probes_) {
    const std::string group = state_group("probes", entry.name);
    std::vector<StateArray> own;
    for (const StateArray& array : arrays) {
      if (array.name.starts_with(group)) own.push_back(array);
    }
    // Older versions did not tell whose state it is: it is taken to be that of this probe.
    if (const StateArray* const about = find_array(own, group + "about")) {
      const auto text = rows_of<char>(*about, ValueType::uint8);
      if (std::string(text.begin(), text.end()) != entry.about) own.clear();
    }
    const bool counts = entry.probe->restore(group, own);
    const bool averages = !entry.mean || entry.mean->restore(group, own);
    if (!counts || !averages) anew.push_back(entry.name);
  }
  return anew;
}

template <class Choice>
MeasureNeeds Probes::needs_of(const Choice& chosen) const {
  MeasureNeeds all{.forces = false, .contacts = false};
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    if (!chosen(i)) continue;
    all = all | probes_[i].probe->needs();
    const Selection* const sees = probes_[i].sees.get();
    all.groups = all.groups || (sees != nullptr && sees->needs_groups());
  }
  return all;
}

MeasureNeeds Probes::needs() const {
  return needs_of([](std::size_t) { return true; });
}

MeasureNeeds Probes::needs(const std::vector<std::size_t>& probes) const {
  return needs_of([&](std::size_t i) { return std::find(probes.begin(), probes.end(), i) != probes.end(); });
}

std::vector<std::pair<std::size_t, double>> Probes::sampled() const {
  std::vector<std::pair<std::size_t, double>> all;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    if (probes_[i].sample_every > 0) all.emplace_back(i, probes_[i].sample_every);
  }
  return all;
}

bool Probes::has_sample_of(std::size_t probe, std::uint64_t step) const {
  return probes_.at(probe).mean && probes_[probe].mean->has_sample_of(step);
}

void Probes::forget_samples() {
  for (Entry& entry : probes_) {
    if (entry.mean) entry.mean->end_window();
  }
}

ProbeView view_of(const MeasuredState& state, const Snapshot& now, const Scene& scene) {
  ProbeView view{scene, now, now.position, state.contacts, {}, {}, {}, state.cell, {}};
  view.gravity = state.gravity;
  view.loads = state.loads;
  view.contacts_known = state.contacts_known;
  view.boundaries_known = state.boundaries_known;
  const double dt =
      scene.precision == Precision::double_ ? now.step_length : double(static_cast<float>(now.step_length));
  if (state.cell) view.frame.emplace(cell_of_forces(*state.cell, now.step > 0 ? dt : 0));
  std::uint32_t last = 0;
  for (const std::uint32_t id : now.id) last = std::max(last, id);
  view.index.assign(std::max<std::size_t>(scene.particles.size(), std::size_t(last) + 1), ProbeView::none);
  for (std::uint32_t i = 0; i < now.id.size(); ++i) {
    if (now.step > 0) view.position[i] = geometry::along(now.position[i], -dt, now.velocity[i]);
    view.mass.push_back(sphere_mass(now, i, scene));
    view.index[now.id[i]] = i;
  }
  for (const SnapshotClump& clump : now.clumps) {
    if (view.index.size() < std::size_t(clump.first) + clump.members) {
      view.index.resize(std::size_t(clump.first) + clump.members, ProbeView::none);
    }
    for (std::uint32_t k = 1; k < clump.members; ++k) view.index[clump.first + k] = view.index[clump.first];
  }
  view.ends.reserve(state.contacts.size());
  for (const TouchingContact& contact : state.contacts) {
    view.ends.push_back(
        {contact.with_boundary ? ProbeView::none : view.index[contact.first], view.index[contact.second]});
  }
  return view;
}

std::vector<double> Probes::values_of(Entry& entry, ProbeView& view, Look look) {
  const std::vector<std::uint8_t> chosen = entry.sees ? entry.sees->in(view.now) : std::vector<std::uint8_t>{};
  view.chosen = entry.sees ? &chosen : nullptr;
  std::vector<double> values;
  entry.probe->measure(view, values);
  if (look != Look::once_more) { entry.probe->note(view, look == Look::row); }
  view.chosen = nullptr;
  return values;
}

std::vector<double> Probes::measure(const MeasuredState& state, const Scene& scene, bool ends_window) {
  const ParticlesOf whole(state.spheres, scene, state.cell);
  ProbeView view = view_of(state, whole.particles(), scene);
  const std::uint64_t step = view.now.step;
  std::vector<double> all;
  for (Entry& entry : probes_) {
    std::vector<double> values;
    if (entry.mean && (entry.mean->has_sample_of(step) || (!ends_window && !entry.mean->empty()))) {
      values = entry.mean->mean();
    } else {
      values = values_of(entry, view, ends_window ? Look::row : Look::once_more);
      if (entry.mean && ends_window) {
        entry.mean->add(step, values);
        values = entry.mean->mean();
      }
    }
    if (entry.mean && ends_window) entry.mean->end_window();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void Probes::sample(const MeasuredState& state, const Scene& scene, const std::vector<std::size_t>& probes) {
  const ParticlesOf whole(state.spheres, scene, state.cell);
  ProbeView view = view_of(state, whole.particles(), scene);
  for (const std::size_t i : probes) {
    const std::vector<double> values = values_of(probes_.at(i), view, Look::sample);
    if (probes_[i].mean) probes_[i].mean->add(view.now.step, values);
  }
}

}  // namespace scree
