#include "kernels/membranes/membranes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "membranes";

}  // namespace

/// Ids between those of two membranes count as nodes that nothing presses.
template <class R>
void Membranes<R>::make(RunState<R>& run) {
  const std::vector<SceneMembrane>& membranes = run.scene.membranes;
  if (membranes.empty()) { return; }
  SCREE_EXPECT(run.groups.any(), "a scene with membranes needs groups");
  SCREE_EXPECT(!run.cell.any(), "a scene with membranes has no periodic cell");
  index_t first = std::numeric_limits<index_t>::max(), end = 0;
  for (const SceneMembrane& membrane : membranes) {
    SCREE_EXPECT(membrane.lattice.around >= 3 && membrane.lattice.rings >= 2, "a membrane has rings");
    SCREE_EXPECT(membrane.first < run.count.start && membrane.lattice.nodes() <= run.count.start - membrane.first,
                 "the nodes of a membrane are particles of the start");
    first = std::min(first, membrane.first);
    end = std::max(end, membrane.first + membrane.lattice.nodes());
  }
  std::vector<SheetIds> sheet_ids;
  for (const SceneMembrane& membrane : membranes) {
    sheets.push_back({membrane.lattice, membrane.first - first, 0, 0});
    sheet_ids.push_back({membrane.first, membrane.first + membrane.lattice.nodes()});
    tables.push_back(membrane.pressure);
  }
  ids.assign(sheet_ids, label);
  const std::size_t nodes = end - first;
  run.groups.first_pressed = first;
  run.groups.pressed.assign(std::vector<Vec3<R>>(nodes), label);
  place.assign(std::vector<index_t>(nodes, no_index), label);
  send_tables();
}

template <class R>
void Membranes<R>::send_tables() {
  TimeTable all;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    sheets[k].row = static_cast<std::uint32_t>(all.size());
    all.insert(all.end(), tables[k].begin(), tables[k].end());
    sheets[k].end_of_rows = static_cast<std::uint32_t>(all.size());
  }
  rows.assign(all, label);
}

template <class R>
void Membranes<R>::set_pressure(std::size_t index, const TimeTable& pressure) {
  if (index >= tables.size()) { throw ContractError("there is no such membrane"); }
  const bool finite = std::all_of(pressure.begin(), pressure.end(),
                                  [](const auto& row) { return std::isfinite(row[0]) && std::isfinite(row[1]); });
  if (pressure.empty() || !finite) { throw ContractError("a pressure needs rows of finite numbers"); }
  tables[index] = pressure;
  send_tables();
}

template <class R>
double Membranes<R>::pressure(std::size_t index, double time) const {
  if (index >= tables.size()) { throw ContractError("there is no such membrane"); }
  return value_at(tables[index], time);
}

template <class R>
void Membranes<R>::find(RunState<R>& run) {
  if (sheets.empty()) { return; }
  run.exec.for_each("search: membranes", place.size(), ForgetNodes{place.view()});
  run.exec.for_each("search: membranes", run.count.bodies,
                    FindNodes{run.bodies.id.view(), place.view(), run.groups.first_pressed});
}

template <class R>
void Membranes<R>::press(RunState<R>& run) {
  for (const Sheet& sheet : sheets) {
    run.exec.for_each(label, sheet.lattice.nodes(),
                      in_step(run, MembranePush<R>{.position = view(run.bodies).position,
                                                   .place = place.view(),
                                                   .rows = rows.view(),
                                                   .force = run.groups.pressed.view(),
                                                   .sheet = sheet,
                                                   .control = run.control.data()}));
  }
}

template struct Membranes<float>;
template struct Membranes<double>;

}  // namespace scree::inline SCREE_BACKEND
