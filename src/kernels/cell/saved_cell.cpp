#include <algorithm>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/cell/checks.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

/// The periodic cell and its bodies in checkpoints and in the hash.
namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* sides_name = "cell/control_sides";
constexpr const char* reversals_name = "cell/control_reversals";
constexpr const char* low_name = "cell/control_low";
constexpr const char* high_name = "cell/control_high";
constexpr const char* dashpots_name = "cell/dashpot_time";

template <class Visit>
void visit_cell(CellGeometry& geometry, CellControlState& control, Visit& visit) {
  geometry.edges = transpose(geometry.edges);  // edge vectors as rows
  visit("cell/edges", "m", geometry.edges);
  visit("cell/deformation", "1", geometry.deformation);
  visit("cell/gradient", "1/s", geometry.gradient);
  visit("cell/stretch", "1", geometry.stretch);
  visit("cell/strain", "1", geometry.strain);
  visit("cell/control", "of the control", control);
  geometry.edges = transpose(geometry.edges);
}

/// Adds the number of edges by which a body has been taken back to the hash.
struct HashImage {
  PositionColumn position;
  Span<index_t> id;
  Span<Image> of_id;
  SCREE_HD void operator()(std::size_t i, UnorderedHash& sum) const {
    if (is_parked(position[i])) { return; }
    const Image& k = of_id[id[i]];
    sum.add({id[i], std::uint64_t(std::uint32_t(k.a)), std::uint64_t(std::uint32_t(k.b)),
             std::uint64_t(std::uint32_t(k.c))});
  }
};

}  // namespace

/// The scene determines the place of the cell and the edges along which it repeats. Both are saved for cases that start
/// from this checkpoint.
void CellSystem::save(StateWriter& out) const {
  if (!any_) { return; }
  std::array<std::uint64_t, 3> along{};
  for (std::size_t k = 0; k < along.size(); ++k) { along[k] = along_[k] ? 1 : 0; }
  out("cell/origin", "m", origin_);
  out("cell/periodic", "1", along);
  CellGeometry geometry = now_.geometry;
  CellControlState state = now_.control.state();
  visit_cell(geometry, state, out);
  out(sides_name, "1", now_.control.progress().sides);
  out(reversals_name, "1", now_.control.progress().reversals);
  if (!now_.control.has_amplitudes()) { return; }
  out(low_name, "1", now_.control.progress().low);
  out(high_name, "1", now_.control.progress().high);
}

void CellSystem::restore(const Scene& scene, StateReader& in) {
  if (!any_) { return; }
  Vec3d origin{};
  std::array<std::uint64_t, 3> along{};
  in("cell/origin", "m", origin);
  in("cell/periodic", "1", along);
  const auto components = [](const Vec3d& x) { return std::array<double, 3>{x.x, x.y, x.z}; };
  for (std::size_t k = 0; k < along.size(); ++k) {
    const double own = components(origin_)[k], saved = components(origin)[k];
    expect_state(own == saved, [&] {
      return broken_rule("component " + std::to_string(k) + " of cell/origin",
                         value_text(own) + " m as in the scene of the case", saved);
    });
    expect_state((along[k] != 0) == along_[k], [&] {
      return broken_rule("component " + std::to_string(k) + " of cell/periodic",
                         std::string(along_[k] ? "1" : "0") + " as in the scene of the case", along[k]);
    });
  }
  CellGeometry geometry{};
  CellControlState state;
  visit_cell(geometry, state, in);
  StageProgress progress;  // older states have none
  if (in.has(sides_name)) { in(sides_name, "1", progress.sides); }
  if (in.has(reversals_name)) { in(reversals_name, "1", progress.reversals); }
  if (now_.control.has_amplitudes()) { in(low_name, "1", progress.low), in(high_name, "1", progress.high); }
  now_.geometry = geometry;
  now_.control.set_state(state, progress);
  expect_cell(*this, scene.cell->stages.size());
}

void CellSystem::hash(UnorderedHash& sum) const {
  if (!any_) { return; }
  for (const Mat3d* m : {&now_.geometry.edges, &now_.geometry.deformation, &now_.geometry.gradient}) {
    for (const Vec3d* row : {&m->x, &m->y, &m->z}) { sum.add({bits(row->x), bits(row->y), bits(row->z)}); }
  }
}

template <class R>
void BodiesInCell<R>::save(const RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out) const {
  if (!run.cell.any()) { return; }
  out("cell/measure", "Pa, Pa, 1", static_cast<const CellMeasureOfForces&>(measure));
  out(dashpots_name, "s", measure.dashpot_time);
  out("cell/measured", "1", measured_step);
  out("cell/measured_slow", "1", std::uint64_t(measured_slow ? 1 : 0));
  out("cell/bodies_are_out", "1", std::uint64_t(some_are_out ? 1 : 0));
  const auto of_id = image.to_vector();
  out.rows(
      "bodies/image", "1", ids.size(), [&](std::size_t i) -> const auto& { return of_id[ids[i]]; });
}

template <class R>
void BodiesInCell<R>::restore(RunState<R>& run, const std::vector<index_t>& ids, StateReader& in) {
  if (!run.cell.any()) { return; }
  std::uint64_t slow = 0, out = 0;
  in("cell/measure", "Pa, Pa, 1", static_cast<CellMeasureOfForces&>(measure));
  measure.dashpot_time = 0;
  if (in.has(dashpots_name)) { in(dashpots_name, "s", measure.dashpot_time); }  // older states have none
  in("cell/measured", "1", measured_step);
  in("cell/measured_slow", "1", slow);
  in("cell/bodies_are_out", "1", out);
  expect_measure(measure);
  measured_slow = slow != 0;
  some_are_out = out != 0;
  if (measured_step == run.step) { run.cell.ends(run.clock.at(run.step), measure); }
  std::vector<Image> saved(ids.size()), of_id(run.count.ids());
  in.rows(
      "bodies/image", "", saved.size(), [&](std::size_t i) -> auto& { return saved[i]; });
  constexpr std::int32_t far = 1 << 30;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Image& one = saved[i];
    for (const std::int32_t edges : {one.a, one.b, one.c}) {
      expect_state(edges < far && edges > -far, [&] {
        return broken_rule(StateEntry{"bodies/image", "particle", ids[i]}.text(),
                           "within " + std::to_string(far) + " edges", double(edges));
      });
    }
    of_id[ids[i]] = one;
  }
  image.assign(of_id, "periodic cell");
}

template <class R>
void BodiesInCell<R>::hash(RunState<R>& run, UnorderedHash& sum) {
  if (!run.cell.any()) { return; }
  sum.add(sum_of_items<UnorderedHash>(run.exec, "hash", run.count.bodies,
                                      HashImage{run.bodies.position().view(), run.bodies.id.view(), image.view()}));
}

template void BodiesInCell<float>::save(const RunState<float>&, const std::vector<index_t>&, StateWriter&) const;
template void BodiesInCell<double>::save(const RunState<double>&, const std::vector<index_t>&, StateWriter&) const;
template void BodiesInCell<float>::restore(RunState<float>&, const std::vector<index_t>&, StateReader&);
template void BodiesInCell<double>::restore(RunState<double>&, const std::vector<index_t>&, StateReader&);
template void BodiesInCell<float>::hash(RunState<float>&, UnorderedHash&);
template void BodiesInCell<double>::hash(RunState<double>&, UnorderedHash&);

}  // namespace scree::inline SCREE_BACKEND
