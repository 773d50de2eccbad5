#include "kernels/grains/mode_coupling.hpp"

#include "kernels/backend/rearrange.hpp"
#include "kernels/grains/mode_rows.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* modes_label = "modes of grains";

Moments moments(const std::array<double, 6>& m) { return {m[0], m[1], m[2], m[3], m[4], m[5]}; }

}  // namespace

template <class R>
void ModeCoupling<R>::add_shape(const GrainModes& modes, ModeForm& form) {
  if (!modes.inertia) { return; }
  const ModeInertia& inertia = *modes.inertia;
  const std::size_t n = modes.count;
  SCREE_EXPECT(!modes.absolute, "modes that couple to the rotation have the mass of their grain");
  SCREE_EXPECT(inertia.slope.size() == n && inertia.curve.size() == n * n && inertia.swirl.size() == n * n,
               "modes that couple to the rotation have all their integrals");
  form.couples = 1;
  form.first_slope = slope_.size();
  form.first_curve = curve_.size();
  for (std::size_t a = 0; a < n; ++a) {
    slope_.push_back(moments(inertia.slope[a]));
    for (std::size_t b = 0; b < n; ++b) {
      const Real3 &there = inertia.swirl[a * n + b], &back = inertia.swirl[b * n + a];
      SCREE_EXPECT(there[0] == -back[0] && there[1] == -back[1] && there[2] == -back[2] &&
                       inertia.curve[a * n + b] == inertia.curve[b * n + a],
                   "second derivatives of the inertia are symmetric, and swirls antisymmetric");
      curve_.push_back(moments(inertia.curve[a * n + b]));
      swirl_.push_back(vec(there));
    }
  }
}

template <class R>
void ModeCoupling<R>::send_shapes(const Scene& scene, std::uint32_t stride) {
  if (slope_.empty()) { return; }
  stride_ = stride;
  const auto send = [](auto& from, auto& to) {
    to.assign(from, modes_label);
    from = {};
  };
  send(slope_, slope_there_), send(curve_, curve_there_), send(swirl_, swirl_there_);
  std::vector<std::uint8_t> holds;
  for (const ClumpShape& shape : scene.clump_shapes) {
    holds.push_back(shape.grain && scene.grain_shapes[*shape.grain].modes.inertia ? 1 : 0);
  }
  holds_.assign(holds, modes_label);
}

template <class R>
void ModeCoupling<R>::show(ModeViews<R>& views) {
  views.momentum = momentum_.view();
  views.slope = slope_there_.view();
  views.curve = curve_there_.view();
  views.swirl = swirl_there_.view();
}

template <class R>
void ModeCoupling<R>::append(std::size_t n) {
  if (!any()) { return; }
  scree::append(momentum_, std::vector<double>(n * stride_), modes_label);
}

template <class R>
void ModeCoupling<R>::start(RunState<R>& run, std::size_t first) {
  if (!any()) { return; }
  const std::size_t n = run.clumps.size();
  lean_.discard_and_resize(n * stride_, modes_label);
  held_.discard_and_resize(n, modes_label);
  run.exec.for_each("modes", n - first,
                    CoupledStart<R>{.grains = run.grains.grains_of(run), .lean = lean_.view(), .first = first});
}

template <class R>
void ModeCoupling<R>::restart(RunState<R>& run, Span<index_t> clumps) {
  if (!any()) { return; }
  lean_.discard_and_resize(run.clumps.size() * stride_, modes_label);
  run.exec.for_each(
      "modes", clumps.size,
      CoupledStart<R>{.grains = run.grains.grains_of(run), .lean = lean_.view(), .first = 0, .chosen = clumps});
}

template <class R>
void ModeCoupling<R>::move(RunState<R>& run, Span<double> force, Span<double> room, Span<ClumpStep> clump_steps,
                           Span<ModeStep> steps, Span<ModeEnergy> energies) {
  if (!any()) { return; }
  const std::size_t n = run.clumps.size();
  lean_.discard_and_resize(n * stride_, modes_label);
  scratch_.discard_and_resize(n * stride_ * CoupledModes<R>::scratch_per_mode, modes_label);
  run.exec.for_each(
      "modes", n,
      in_step(run, CoupledModes<R>{.watch = {run.grains.views(), view(run.bodies), room, run.control.data()},
                                   .clumps = view(run.clumps.fields),
                                   .members = run.clumps.members(),
                                   .held = held_.view(),
                                   .modulus = run.modes.moduli(),
                                   .force = force,
                                   .scratch = scratch_.view(),
                                   .lean = lean_.view(),
                                   .steps = steps,
                                   .energies = energies,
                                   .clump_steps = clump_steps}));
}

template <class R>
void ModeCoupling<R>::save(const RunState<R>& run, StateWriter& out) const {
  if (!any()) { return; }
  save_mode_rows(run.clumps.places_by_id(), out, "modes/momentum", "kg m/s", momentum_, stride_);
}

template <class R>
void ModeCoupling<R>::restore(const RunState<R>& run, StateReader& in) {
  if (!any()) { return; }
  const std::size_t n = run.clumps.size();
  restore_mode_rows(n, in, "modes/momentum", momentum_, stride_);
  held_.discard_and_resize(n, modes_label);
}

template <class R>
std::uint64_t ModeCoupling<R>::bytes() const {
  return slope_there_.bytes() + curve_there_.bytes() + swirl_there_.bytes() + holds_.bytes() + momentum_.bytes() +
         held_.bytes() + scratch_.bytes() + lean_.bytes();
}

template class ModeCoupling<float>;
template class ModeCoupling<double>;

}  // namespace scree::inline SCREE_BACKEND
