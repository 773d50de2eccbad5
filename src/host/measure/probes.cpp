#include "host/measure/probes.hpp"

#include <algorithm>

#include "host/checkpoint/checksum.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/meters.hpp"
#include "host/measure/selection.hpp"
#include "host/measure/state_measures.hpp"
#include "scree/errors.hpp"

namespace scree {

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

ProbePlace::ProbePlace(const Scene& scene, std::filesystem::path folder) : scene_(scene), folder_(std::move(folder)) {
  if (scene.cell) cell_.emplace(*scene.cell);
}

ProbeRegion ProbePlace::region(const Region& described) const {
  std::vector<std::string> ignored;
  try {
    return packing::make_region(described, folder_, ignored, cell_ ? &*cell_ : nullptr);
  } catch (const CaseError& error) {
    throw CaseError("region." + error.problems().front().path, error.problems().front().message);
  }
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
                         sees.all() ? nullptr : std::make_unique<Selection>(std::move(sees))});
    } catch (const CaseError& error) {
      const InputProblem& problem = error.problems().front();
      problems.push_back({"output.series.probes." + name + "." + problem.path, problem.message});
    }
  }
  if (!problems.empty()) throw CaseError(std::move(problems));
}

std::vector<std::string> Probes::columns() const {
  std::vector<std::string> names;
  for (const auto& [name, probe, sees] : probes_) {
    for (const auto& column : probe->columns()) names.push_back(name + "_" + column);
  }
  return names;
}

std::vector<StateArray> Probes::save() const {
  std::vector<StateArray> arrays;
  for (const auto& [name, probe, sees] : probes_) probe->save(state_group("probes", name), arrays);
  return arrays;
}

std::vector<std::string> Probes::restore(const std::vector<StateArray>& arrays) {
  std::vector<std::string> anew;
  for (const auto& [name, probe, sees] : probes_) {
    if (!probe->restore(state_group("probes", name), arrays)) anew.push_back(name);
  }
  return anew;
}

MeasureNeeds Probes::needs() const {
  MeasureNeeds all{.forces = false, .contacts = false};
  for (const auto& [name, probe, sees] : probes_) {
    const MeasureNeeds one = probe->needs();
    all = {all.forces || one.forces, all.contacts || one.contacts, all.fragments || one.fragments,
           all.groups || one.groups || (sees && sees->needs_groups())};
  }
  return all;
}

ProbeView view_of(const MeasuredState& state, const Snapshot& now, const Scene& scene) {
  ProbeView view{scene, now, now.position, state.contacts, {}, {}, {}, state.cell, {}};
  if (state.cell) view.frame.emplace(*state.cell);
  const double dt = scene.precision == Precision::double_ ? now.last_step : double(static_cast<float>(now.last_step));
  std::uint32_t last = 0;
  for (const std::uint32_t id : now.id) last = std::max(last, id);
  view.index.assign(std::max<std::size_t>(scene.particles.size(), std::size_t(last) + 1), ProbeView::none);
  for (std::uint32_t i = 0; i < now.id.size(); ++i) {
    if (now.step > 0) view.position[i] = geometry::along(now.position[i], -dt, now.velocity[i]);
    view.mass.push_back(sphere_mass(now, i, scene));
    view.index[now.id[i]] = i;
  }
  for (const SnapshotClump& clump : now.clumps) {
    if (view.index.size() < std::size_t(clump.first) + clump.members)
      view.index.resize(std::size_t(clump.first) + clump.members, ProbeView::none);
    for (std::uint32_t k = 1; k < clump.members; ++k) view.index[clump.first + k] = view.index[clump.first];
  }
  view.ends.reserve(state.contacts.size());
  for (const TouchingContact& contact : state.contacts) {
    view.ends.push_back(
        {contact.with_boundary ? ProbeView::none : view.index[contact.first], view.index[contact.second]});
  }
  return view;
}

std::vector<double> Probes::measure(const MeasuredState& state, const Scene& scene) {
  const ParticlesOf whole(state.spheres, scene, state.cell);
  ProbeView view = view_of(state, whole.particles(), scene);
  std::vector<double> values;
  for (const auto& [name, probe, sees] : probes_) {
    const std::vector<std::uint8_t> chosen = sees ? sees->in(view) : std::vector<std::uint8_t>{};
    view.chosen = sees ? &chosen : nullptr;
    probe->measure(view, values);
  }
  return values;
}

}  // namespace scree
