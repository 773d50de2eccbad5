#include "kernels/cell/bodies_in_cell.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/neighbours/pair_search.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

/// The bodies of a periodic cell: their views for contacts and motion, the plan of the deformation of the cell, and the
/// move of bodies back into the cell.
namespace scree::inline SCREE_BACKEND {

namespace {

/// Rounds positions to the grid of the cell; one thread per body.
struct RoundPosition {
  PositionColumn position;
  Vec3d constant;  ///< [m] see CellSystem::rounding
  SCREE_HD void operator()(std::size_t i) const {
    Vec3d& x = position[i];
    if (is_parked(x)) { return; }
    x = {(x.x + constant.x) - constant.x, (x.y + constant.y) - constant.y, (x.z + constant.z) - constant.z};
  }
};

/// Finds out whether bodies are far out of the cell; one thread per body.
struct FindFarBodies {
  CellWrap cell;
  PositionColumn position;
  Span<std::uint32_t> any;  ///< [1]
  SCREE_HD void operator()(std::size_t i) const {
    if (!is_parked(position[i]) && cell.is_out(position[i])) { raise_flag(any.data); }
  }
};

/// Moves the contacts of a body that is taken back into the cell to the copy of their mesh at the new place of the
/// body.
template <class R>
struct SlotsTakenBack {
  BoundaryView boundaries;
  Span<index_t> row_of_body;  ///< empty: no boundaries
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  std::int32_t copies[3];  ///< copies of a mesh along each edge of the cell: 3 if the cell repeats there, else 1

  SCREE_HD void operator()(std::size_t body, const Image& away) const {
    const index_t row = row_of_body.size > 0 ? row_of_body[body] : no_index;
    if (row == no_index) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      const BoundaryInfo& mesh = boundaries.info[boundaries.feature[slots[k].feature].boundary];
      if (mesh.facets_per_copy == 0) { continue; }
      const std::uint32_t facet = slots[k].feature - mesh.first_feature;
      const auto copy = static_cast<std::int32_t>(facet / mesh.facets_per_copy);
      const std::int32_t a = copy / (copies[1] * copies[2]) - away.a;
      const std::int32_t b = copy / copies[2] % copies[1] - away.b, c = copy % copies[2] - away.c;
      const bool there = a >= 0 && a < copies[0] && b >= 0 && b < copies[1] && c >= 0 && c < copies[2];
      if (!there) { continue; }  // the old feature is out of reach at the new place: the next search drops it
      const auto to = static_cast<std::uint32_t>((a * copies[1] + b) * copies[2] + c);
      slots[k].feature = mesh.first_feature + to * mesh.facets_per_copy + facet % mesh.facets_per_copy;
    }
  }
};

/// Takes single bodies back into the cell; one thread per body. Their clearance becomes unknown: beyond the outermost
/// copy of a mesh the old place may have had more free room than the new one.
template <class R>
struct TakeBack {
  CellWrap wrap;
  BodyView<R> bodies;
  Span<Image> image;  ///< [n_ids] see BodiesInCell
  SlotsTakenBack<R> slots;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d x = bodies.position[i];
    if (is_parked(x) || is_member(bodies.inverse_inertia[i])) { return; }
    const Image away = wrap.image(x);
    if (!away.any()) { return; }
    bodies.position[i] = wrap.taken_back(x, away);
    bodies.clearance[i] = R(0);
    image[bodies.id[i]] = image[bodies.id[i]] + away;
    slots(i, away);
  }
};

/// Takes clumps and all their members back into the cell; one thread per clump.
template <class R>
struct TakeClumpBack {
  CellWrap wrap;
  BodyView<R> bodies;
  ClumpView clumps;
  ClumpMembers members;
  Span<Image> image;
  SlotsTakenBack<R> slots;
  SCREE_HD void operator()(std::size_t c) const {
    if (clumps.mass[c] == 0) { return; }
    const Image away = wrap.image(clumps.position[c]);
    if (!away.any()) { return; }
    clumps.position[c] = wrap.taken_back(clumps.position[c], away);
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    for (std::uint32_t k = 0; k < n; ++k) {
      const index_t body = members.body_of_id[clumps.first[c] + k];
      bodies.position[body] = wrap.taken_back(bodies.position[body], away);
      bodies.clearance[body] = R(0);
      image[clumps.first[c] + k] = image[clumps.first[c] + k] + away;
      slots(body, away);
    }
  }
};

/// Converts images to those that count the edges after a flip; one thread per image.
struct TurnImage {
  Mat3d back;  ///< see CellSystem::flip
  Span<Image> image;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d k = back * Vec3d{double(image[i].a), double(image[i].b), double(image[i].c)};
    image[i] = {static_cast<std::int32_t>(k.x), static_cast<std::int32_t>(k.y), static_cast<std::int32_t>(k.z)};
  }
};

}  // namespace

template <class R>
void BodiesInCell<R>::enter(RunState<R>& run, std::size_t first) {
  if (!run.cell.any()) { return; }
  if (run.count.bodies > met_mask) {
    throw BackendError("a periodic cell holds " + std::to_string(met_mask) + " particles at most, and these are " +
                       std::to_string(run.count.bodies));
  }
  shift.discard_and_resize(n_images, "periodic cell");
  std::vector<Image> images = image.to_vector();
  images.resize(run.count.ids());
  image.assign(images, "periodic cell");
  round_positions(run, first);
  // A program may place bodies anywhere. The first search can only find images that are near.
  Buffer<std::uint32_t> far;
  far.assign({0}, "periodic cell");
  run.exec.for_each("periodic cell", run.count.bodies - first,
                    FindFarBodies{run.cell.wrap(), run.bodies.position().view().from(first), far.view()});
  some_are_out = some_are_out || far.element(0) != 0;
}

template <class R>
void BodiesInCell<R>::round_positions(RunState<R>& run, std::size_t first) {
  run.exec.for_each("periodic cell", run.count.bodies - first,
                    RoundPosition{run.bodies.position().view().from(first), run.cell.rounding()});
}

template <class R>
CellPairs<R> cell_pairs(RunState<R>& run) {
  if (!run.cell.any()) { return {}; }
  run.exec.for_each("periodic cell", n_images, ImageShifts{run.cell.geometry().edges, run.in_cell.shift.view()});
  return cell_pairs_of_steps(run).in(cell_flow_step<R>(run.cell));
}

template <class R>
CellPairs<R> cell_pairs_of_steps(RunState<R>& run) {
  if (!run.cell.any()) { return {}; }
  return {run.contacts.pairs.image.view(), run.in_cell.shift.view(), {}, {}};
}

template <class R>
CellFlow<R> cell_flow(const RunState<R>& run) {
  const CellFlow<R> flow = cell_flow_of_steps(run);
  return flow.any ? flow.in(cell_flow_step<R>(run.cell)) : flow;
}

template <class R>
CellFlow<R> cell_flow_of_steps(const RunState<R>& run) {
  if (!run.cell.any() || !run.cell.deforms()) { return {}; }
  return {.any = true, .origin = run.cell.origin()};
}

template <class R>
CellFlowStep<R> cell_flow_step(const CellSystem& cell) {
  if (!cell.any()) { return {}; }
  const CellGeometry& g = cell.geometry();
  const Mat3d back = inverse(identity<double>() + g.stretch);
  return {g.edges, back, g.gradient, convert<R>(g.gradient * back), convert<R>(spin_of(g.gradient))};
}

template <class R>
void BodiesInCell<R>::begin_plan(const CellSystem& cell) {
  ahead.assign(1, cell.moment());
  planned = cell;
}

template <class R>
CellStep<R> BodiesInCell<R>::deform(const RunState<R>& run, const StepTimes& times) {
  CellSystem& cell = *planned;
  const Mat3d gradient_before = cell.geometry().gradient;
  cell.advance(times, measure);
  const CellGeometry& g = cell.geometry();
  const Mat3d one = identity<double>(), half = (0.5 * times.kick()) * g.gradient, fraction = inverse(g.edges);
  // G^-1, where G is the deformation since the lists were made: it turns a present branch into that of the search.
  const Mat3d back = list_edges * fraction, square = transpose(back) * back;
  const auto sum = [](const Vec3d& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); };
  // A bound of the spectral norm of G^-1: the largest row sum bounds the eigenvalues of `square`.
  const double longest = std::sqrt(std::max({sum(square.x), sum(square.y), sum(square.z)}));
  ahead.push_back(cell.moment());
  return {.stretch = g.stretch,
          .rounding = cell.rounding(),
          .half_kick = convert<R>(half),
          .lag = convert<R>(inverse(one + half)),
          .travel = convert<R>(times.next * back),
          .loss = static_cast<R>(1.0001 * run.laws.ranges.largest_of_pairs() * std::max(longest - 1, 0.0)),
          .fraction = fraction,
          .gradient = g.gradient,
          .gradient_before = gradient_before,
          .watch = times.step % 16 == 0};
}

template <class R>
CellMotion<R> BodiesInCell<R>::motion(const CellSystem& cell) const {
  CellMotion<R> motion{};
  motion.origin = cell.origin();
  for (int k = 0; k < 3; ++k) { motion.along[k] = cell.along(k); }
  return motion;
}

template <class R>
void BodiesInCell<R>::prepare(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness) {
  look(run, pair_stiffness);
  if (run.cell.wants_flip()) {
    run.exec.for_each("periodic cell", image.size(), TurnImage{run.cell.flip(), image.view()});
    some_are_out = true;
  }
  if (!some_are_out) { return; }
  const auto copies = [&](int k) { return run.cell.along(k) ? 3 : 1; };
  const SlotsTakenBack<R> slots{
      run.boundary.view(),
      run.boundary.any() && run.lists.rebuilds > 0 ? run.contacts.near.row_of_body.view() : Span<index_t>{},
      run.contacts.near.row_start.view(),
      run.contacts.near.slot.view(),
      {copies(0), copies(1), copies(2)}};
  run.exec.for_each("periodic cell", run.count.bodies,
                    TakeBack<R>{run.cell.wrap(), view(run.bodies), image.view(), slots});
  const TakeClumpBack<R> take_clump{run.cell.wrap(),      view(run.bodies), view(run.clumps.fields),
                                    run.clumps.members(), image.view(),     slots};
  run.exec.for_each("periodic cell", run.clumps.size(), take_clump);
  some_are_out = false;
  run.lists.spent = true;
}

template <class R>
double BodiesInCell<R>::flow_travel(const RunState<R>& run, std::size_t n_steps) const {
  double travel = 0;
  for (std::size_t k = 0; k < n_steps; ++k) { travel += flow_travel_in(run, k); }
  return travel;
}

template <class R>
double BodiesInCell<R>::flow_travel_in(const RunState<R>& run, std::size_t k) const {
  if (!run.cell.any() || !run.cell.deforms() || run.cell.fully_periodic() || !run.boundary.any()) { return 0; }
  return CellSystem::fastest_strain(ahead[k + 1].geometry.gradient) * 2 * run.lists.reach * run.clock.next();
}

template <class R>
bool BodiesInCell<R>::look_for_end(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness) {
  if (!run.cell.any()) { return false; }
  for (bool begun = false;; begun = true) {
    look(run, pair_stiffness, begun);
    const std::uint64_t stage = run.cell.control().state().stage;
    if (run.cell.ends(run.clock.at(run.step), measure)) { return true; }
    if (run.cell.control().state().stage == stage) { return false; }
  }
}

template struct BodiesInCell<float>;
template struct BodiesInCell<double>;
template CellPairs<float> cell_pairs(RunState<float>&);
template CellPairs<double> cell_pairs(RunState<double>&);
template CellPairs<float> cell_pairs_of_steps(RunState<float>&);
template CellPairs<double> cell_pairs_of_steps(RunState<double>&);
template CellFlow<float> cell_flow(const RunState<float>&);
template CellFlow<double> cell_flow(const RunState<double>&);
template CellFlow<float> cell_flow_of_steps(const RunState<float>&);
template CellFlow<double> cell_flow_of_steps(const RunState<double>&);
template CellFlowStep<float> cell_flow_step(const CellSystem&);
template CellFlowStep<double> cell_flow_step(const CellSystem&);

}  // namespace scree::inline SCREE_BACKEND
