#include "kernels/cell/cell_system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/archive/state_io.hpp"
#include "kernels/contact/cell_measure.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"

/// The periodic cell of a System: what contacts and motion see of it, taking bodies back, and measures for its control.
namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
struct RoundPosition {
  Span<Vec3d> position;
  Vec3d constant;
  SCREE_HD void operator()(std::size_t i) const {
    Vec3d& x = position[i];
    if (is_parked(x)) { return; }
    x = {(x.x + constant.x) - constant.x, (x.y + constant.y) - constant.y, (x.z + constant.z) - constant.z};
  }
};

/// Contacts of a body that is taken back go to the copy of their mesh that is where the body is then.
template <class R>
struct SlotsTakenBack {
  BoundaryView boundaries;
  Span<index_t> row_of_body;  ///< empty: no boundaries
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  std::int32_t copies[3];  ///< along each edge: 3 where it repeats, else 1

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
      if (!there) { continue; }  // no body in the cell is near such a copy
      const auto to = static_cast<std::uint32_t>((a * copies[1] + b) * copies[2] + c);
      slots[k].feature = mesh.first_feature + to * mesh.facets_per_copy + facet % mesh.facets_per_copy;
    }
  }
};

/// Takes single bodies back into the cell.
template <class R>
struct TakeBack {
  CellWrap wrap;
  BodyView<R> bodies;
  Span<Image> image;  ///< by id
  SlotsTakenBack<R> slots;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d x = bodies.position[i];
    if (is_parked(x) || is_member(bodies.inverse_inertia[i])) { return; }
    const Image away = wrap.image(x);
    if (!away.any()) { return; }
    bodies.position[i] = wrap.taken_back(x, away);
    image[bodies.id[i]] = image[bodies.id[i]] + away;
    slots(i, away);
  }
};

/// Takes clumps back, with all their members.
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
      image[clumps.first[c] + k] = image[clumps.first[c] + k] + away;
      slots(body, away);
    }
  }
};

struct TurnImage {
  Mat3d back;
  Span<Image> image;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d k = back * Vec3d{double(image[i].a), double(image[i].b), double(image[i].c)};
    image[i] = {static_cast<std::int32_t>(k.x), static_cast<std::int32_t>(k.y), static_cast<std::int32_t>(k.z)};
  }
};

Matrix3 rows_of(const Mat3d& m) { return {{{m.x.x, m.x.y, m.x.z}, {m.y.x, m.y.y, m.y.z}, {m.z.x, m.z.y, m.z.z}}}; }

}  // namespace

/// At the start and after insertions: positions on the grid of the cell.
template <class R>
void System<R>::enter_cell(std::size_t first) {
  if (!cell_.any()) { return; }
  if (n_bodies_ > met_mask) {
    throw BackendError("a periodic cell holds " + std::to_string(met_mask) + " particles at most, and these are " +
                       std::to_string(n_bodies_));
  }
  cell_shift_.discard_and_resize(n_images, "periodic cell");
  std::vector<Image> image = cell_image_.to_vector();
  image.resize(n_start_ + n_inserted_);
  cell_image_.assign(image, "periodic cell");
  const auto rest = [&](auto span) { return Span<Vec3d>{span.data + first, span.size - first}; };
  exec_.for_each("periodic cell", n_bodies_ - first, RoundPosition<R>{rest(bodies_.position.view()), cell_.rounding()});
}

template <class R>
CellPairs<R> System<R>::cell_pairs() {
  if (!cell_.any()) { return {}; }
  const CellGeometry& g = cell_.geometry();
  exec_.for_each("periodic cell", n_images, ImageShifts{g.edges, cell_shift_.view()});
  return {pairs_.image.view(), cell_shift_.view(), convert<R>(g.gradient * inverse(identity<double>() + g.stretch)),
          convert<R>(spin_of(g.gradient))};
}

template <class R>
CellFlow<R> System<R>::cell_flow() const {
  if (!cell_.any() || !cell_.deforms()) { return {}; }
  const CellGeometry& g = cell_.geometry();
  return {true, cell_.origin(), inverse(identity<double>() + g.stretch), g.gradient, convert<R>(spin_of(g.gradient))};
}

/// Deforms the cell over the step and tells bodies how to move in it.
template <class R>
CellMotion<R> System<R>::advance_cell(const StepTimes& times) {
  const Mat3d gradient_before = cell_.geometry().gradient;
  cell_.advance(times, cell_measure_);
  const CellGeometry& g = cell_.geometry();
  const Mat3d one = identity<double>(), half = (0.5 * times.kick()) * g.gradient, fraction = inverse(g.edges);
  // G^-1: what the deformation since the search does to a branch, read backwards.
  const Mat3d back = list_edges_ * fraction, square = transpose(back) * back;
  const auto sum = [](const Vec3d& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); };
  // A bound of the spectral norm.
  const double longest = std::sqrt(std::max({sum(square.x), sum(square.y), sum(square.z)}));
  CellMotion<R> motion{};
  motion.stretch = g.stretch;
  motion.origin = cell_.origin();
  motion.rounding = cell_.rounding();
  motion.half_kick = convert<R>(half);
  motion.lag = convert<R>(inverse(one + half));
  motion.travel = convert<R>(times.next * back);
  motion.loss = static_cast<R>(1.0001 * range_ * std::max(longest - 1, 0.0));
  motion.fraction = fraction;
  motion.gradient = g.gradient;
  motion.gradient_before = gradient_before;
  motion.watch = times.step % 16 == 0;
  for (int k = 0; k < 3; ++k) { motion.along[k] = cell_.along(k); }
  cell_ahead_.push_back(cell_.moment());
  return motion;
}

/// Before a step, while contacts still have the forces of the last: measures what the control asks for, takes other
/// edges and takes bodies back where that is due.
template <class R>
void System<R>::prepare_cell() {
  measure_cell();
  if (cell_.wants_flip()) {
    exec_.for_each("periodic cell", cell_image_.size(), TurnImage{cell_.flip(), cell_image_.view()});
    bodies_are_out_ = true;
  }
  if (!bodies_are_out_) { return; }
  const auto copies = [&](int k) { return cell_.along(k) ? 3 : 1; };
  const SlotsTakenBack<R> slots{boundary_.view(),
                                boundary_.any() && rebuilds_ > 0 ? near_boundary_.row_of_body.view() : Span<index_t>{},
                                near_boundary_.row_start.view(),
                                near_boundary_.slot.view(),
                                {copies(0), copies(1), copies(2)}};
  exec_.for_each("periodic cell", n_bodies_, TakeBack<R>{cell_.wrap(), view(bodies_), cell_image_.view(), slots});
  const TakeClumpBack<R> take_clump{cell_.wrap(),    view(bodies_),      view(clumps_),
                                    clump_members(), cell_image_.view(), slots};
  exec_.for_each("periodic cell", clumps_.mass.size(), take_clump);
  bodies_are_out_ = false;
  list_spent_ = true;
}

template <class R>
std::optional<CellState> System<R>::cell_state() const {
  if (!cell_.any()) { return std::nullopt; }
  const CellGeometry& g = cell_.geometry();
  CellState state;
  state.edges = rows_of(transpose(g.edges));
  state.origin = {cell_.origin().x, cell_.origin().y, cell_.origin().z};
  for (int k = 0; k < 3; ++k) { state.periodic[static_cast<std::size_t>(k)] = cell_.along(k); }
  state.deformation = rows_of(g.deformation);
  state.velocity_gradient = rows_of(g.gradient);
  state.strain = g.strain;
  state.volume = cell_.volume();
  state.stage = static_cast<std::uint32_t>(cell_.control().state().stage);
  return state;
}

template void System<float>::enter_cell(std::size_t);
template void System<double>::enter_cell(std::size_t);
template CellPairs<float> System<float>::cell_pairs();
template CellPairs<double> System<double>::cell_pairs();
template CellFlow<float> System<float>::cell_flow() const;
template CellFlow<double> System<double>::cell_flow() const;
template CellMotion<float> System<float>::advance_cell(const StepTimes&);
template CellMotion<double> System<double>::advance_cell(const StepTimes&);
template void System<float>::prepare_cell();
template void System<double>::prepare_cell();
template std::optional<CellState> System<float>::cell_state() const;
template std::optional<CellState> System<double>::cell_state() const;

}  // namespace scree::inline SCREE_BACKEND
