#include "kernels/grains/mode_store.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/rearrange.hpp"
#include "kernels/grains/mode_rows.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/modes/mode_ledger.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

void expect_modes(const GrainShape& shape) {
  const GrainModes& modes = shape.modes;
  const std::size_t n = modes.count;
  SCREE_EXPECT(n <= most_modes, "a level-set shape has 32 modes at most");
  SCREE_EXPECT(modes.field.size() == n * shape.points() && modes.at_node.size() == n * shape.node.size(),
               "a mode has a displacement at each point of the grid and at each node");
  SCREE_EXPECT(modes.mass.size() == n * n && modes.stiffness.size() == n * n,
               "modes have a matrix of masses and one of stiffnesses");
  SCREE_EXPECT(modes.table.empty() || n == 1, "a table of forces is that of a single mode");
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const double m = modes.mass[a * n + b], k = modes.stiffness[a * n + b];
      SCREE_EXPECT(a == b ? m > 0 && k >= 0 : m == 0 && k == 0,
                   "an engine needs modes that are orthogonal in mass and in stiffness");
    }
  }
  double before = 0;
  for (const ModeKnot& knot : modes.table) {
    SCREE_EXPECT(knot.amplitude > before && knot.force >= 0, "knots of a table ascend from 0");
    before = knot.amplitude;
  }
  for (const ModeTerm& term : modes.terms) {
    SCREE_EXPECT(
        term.mode.size() >= 3 && std::all_of(term.mode.begin(), term.mode.end(), [n](auto a) { return a < n; }),
        "a term of the energy has three amplitudes or more");
  }
}

double reach_of(const GrainModes& modes, const GrainShape& shape, std::size_t a) {
  double most = 0;
  for (std::size_t k = 0; k < shape.points(); ++k) {
    const auto& u = modes.field[a * shape.points() + k];
    most = std::max(most, norm(Vec3d{double(u[0]), double(u[1]), double(u[2])}));
  }
  for (std::size_t k = 0; k < shape.node.size(); ++k) {
    most = std::max(most, norm(vec(modes.at_node[a * shape.node.size() + k])));
  }
  return 1.0001 * most;
}

/// [1/m] See ModeNumbers. In a cell the slope of trilinear interpolation along an axis lies between those of the edges.
double slope_of(const GrainModes& modes, const GrainShape& shape, std::size_t a) {
  const std::size_t n[3] = {shape.size[0], shape.size[1], shape.size[2]};
  const std::size_t stride[3] = {1, n[0], n[0] * n[1]};
  const auto* const u = &modes.field[a * shape.points()];
  // If the grain has grown, contacts ask for points near its surface that lie outside of the undeformed grain.
  const double outside = 2 * shape.spacing + 0.25 * shape.bounding_radius;
  const auto steepest_of_cell = [&](std::size_t first) {
    double square = 0, nearest = 1e300;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double most = 0;
      for (std::size_t corner = 0; corner < 8; ++corner) {
        const std::size_t at =
            first + (corner & 1) * stride[0] + (corner >> 1 & 1) * stride[1] + (corner >> 2) * stride[2];
        nearest = std::min(nearest, double(shape.phi[at]));
        if ((corner >> axis & 1) != 0) { continue; }
        double change = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          const double d = double(u[at + stride[axis]][c]) - double(u[at][c]);
          change += d * d;
        }
        most = std::max(most, change);
      }
      square += most;
    }
    return nearest < outside ? square : 0;
  };
  double square = 0;
  for (std::size_t k = 0; k + 1 < n[2]; ++k) {
    for (std::size_t j = 0; j + 1 < n[1]; ++j) {
      for (std::size_t i = 0; i + 1 < n[0]; ++i) {
        square = std::max(square, steepest_of_cell(k * stride[2] + j * stride[1] + i));
      }
    }
  }
  return 1.0001 * std::sqrt(square) / shape.spacing;
}

/// Rows of `stride` numbers in a new order.
struct PermuteRows {
  Span<index_t> order;
  Span<double> from;
  double* to;
  std::uint32_t stride;
  SCREE_HD void operator()(std::size_t i) const { to[i] = from[std::size_t(order[i / stride]) * stride + i % stride]; }
};

}  // namespace

template <class R>
ModeForm ModeStore<R>::add_shape(const GrainShape& shape, std::span<const std::size_t> order) {
  const GrainModes& modes = shape.modes;
  ModeForm form;
  if (modes.count == 0) { return form; }
  expect_modes(shape);
  form.count = static_cast<std::uint32_t>(modes.count);
  form.first = static_cast<std::uint32_t>(numbers_.size());
  form.first_field = field_.size();
  form.first_at_node = at_node_.size();
  form.first_knot = static_cast<std::uint32_t>(knot_.size());
  form.n_knots = static_cast<std::uint32_t>(modes.table.size());
  form.first_term = static_cast<std::uint32_t>(term_.size());
  form.n_terms = static_cast<std::uint32_t>(modes.terms.size());
  form.absolute = modes.absolute ? 1 : 0;
  form.inverse_volume = 1 / shape.volume;
  form.ratio = modes.damping.ratio;
  form.coefficient = modes.damping.coefficient;
  form.by_stiffness = modes.damping.by_stiffness;
  stride_ = std::max(stride_, form.count);
  for (std::size_t a = 0; a < modes.count; ++a) {
    numbers_.push_back({.mass = modes.mass[a * modes.count + a],
                        .stiffness = modes.stiffness[a * modes.count + a],
                        .reach = reach_of(modes, shape, a),
                        .slope = slope_of(modes, shape, a)});
  }
  for (std::size_t k = 0; k < shape.points(); ++k) {
    for (std::size_t a = 0; a < modes.count; ++a) {
      const auto& u = modes.field[a * shape.points() + k];
      field_.push_back(Four<float>::of(u[0], u[1], u[2], 0.0F));
    }
  }
  for (const std::size_t k : order) {
    for (std::size_t a = 0; a < modes.count; ++a) {
      const Real3& u = modes.at_node[a * shape.node.size() + k];
      at_node_.push_back({static_cast<R>(u[0]), static_cast<R>(u[1]), static_cast<R>(u[2])});
    }
  }
  for (const ModeKnot& knot : modes.table) { knot_.push_back({knot.amplitude, knot.force}); }
  coupling_.add_shape(modes, form);
  for (const ModeTerm& term : modes.terms) {
    term_.push_back({.coefficient = term.coefficient,
                     .first = static_cast<std::uint32_t>(term_mode_.size()),
                     .degree = static_cast<std::uint32_t>(term.mode.size())});
    term_mode_.insert(term_mode_.end(), term.mode.begin(), term.mode.end());
  }
  return form;
}

template <class R>
void ModeStore<R>::send_shapes(const Scene& scene) {
  if (!any()) { return; }
  constexpr const char* what = "modes of grains";
  const auto send = [](auto& from, auto& to) {
    to.assign(from, what);
    from = {};
  };
  send(numbers_, numbers_there_), send(field_, field_there_), send(at_node_, at_node_there_);
  send(knot_, knot_there_), send(term_, term_there_), send(term_mode_, term_mode_there_);
  std::vector<double> modulus;
  for (const Material& material : scene.materials) { modulus.push_back(material.young_modulus); }
  modulus_.assign(modulus, what);
  keeps_viscous_ = scene.energies;
  coupling_.send_shapes(scene, stride_);
  levels_.send_shapes(scene, stride_);
  if (const auto iterations = scene.grain_contacts.remap_iterations) {
    remap_ = {.iterations = static_cast<std::uint32_t>(*iterations), .tolerance = 0};
  }
}

template <class R>
ModeViews<R> ModeStore<R>::views(std::size_t n_pairs, std::size_t n_slots) {
  if (!any()) { return {}; }
  constexpr const char* what = "modes of grains";
  const auto make_room = [](Buffer<double>& values, std::size_t n) {
    if (values.size() < n) { values.discard_and_resize(n, what); }
  };
  make_room(pair_force_, n_pairs * 2 * stride_), make_room(slot_force_, n_slots * stride_);
  if (keeps_viscous_) { make_room(pair_viscous_, n_pairs * 2 * stride_), make_room(slot_viscous_, n_slots * stride_); }
  ModeViews<R> views{.numbers = numbers_there_.view(),
                     .field = field_there_.view(),
                     .at_node = at_node_there_.view(),
                     .knot = knot_there_.view(),
                     .term = term_there_.view(),
                     .term_mode = term_mode_there_.view(),
                     .stride = stride_,
                     .amplitude = amplitude_.view(),
                     .rate = rate_.view(),
                     .path = path_.view(),
                     .pair_force = pair_force_.view(),
                     .slot_force = slot_force_.view(),
                     .pair_viscous = pair_viscous_.view(),
                     .slot_viscous = slot_viscous_.view(),
                     .remap = remap_};
  coupling_.show(views);
  levels_.show(views);
  return views;
}

template <class R>
void ModeStore<R>::append_clumps(const ParticleSet& particles) {
  if (!any()) { return; }
  std::vector<double> amplitude, rate;
  for (const Clump& clump : particles.clumps) {
    SCREE_EXPECT(clump.amplitude.size() <= stride_ && clump.amplitude_rate.size() <= stride_,
                 "a clump has more amplitudes than its shape has modes");
    for (std::size_t a = 0; a < stride_; ++a) {
      amplitude.push_back(a < clump.amplitude.size() ? clump.amplitude[a] : 0);
      rate.push_back(a < clump.amplitude_rate.size() ? clump.amplitude_rate[a] : 0);
    }
  }
  append(amplitude_, amplitude, "modes of grains");
  append(rate_, rate, "modes of grains");
  append(path_, std::vector<double>(particles.clumps.size()), "modes of grains");
  append(room_, std::vector<double>(particles.clumps.size()), "modes of grains");
  coupling_.append(particles.clumps.size());
  levels_.append(particles.clumps.size());
}

template <class R>
void ModeStore<R>::sort(RunState<R>& run, const Buffer<index_t>& order, std::size_t n) {
  if (!any()) { return; }
  const auto bring = [&](Buffer<double>& values, std::uint32_t stride) {
    Buffer<double> sorted;
    sorted.discard_and_resize(n * stride, "modes of grains");
    run.exec.for_each("search: clumps", n * stride,
                      PermuteRows{const_cast<Buffer<index_t>&>(order).view(), values.view(), sorted.data(), stride});
    values = std::move(sorted);
  };
  bring(amplitude_, stride_), bring(rate_, stride_), bring(path_, 1), bring(room_, 1);
  coupling_.sort(bring);
  levels_.sort(bring);
}

template <class R>
void ModeStore<R>::move(RunState<R>& run, Span<ModeStep> steps, Span<ModeEnergy> energies) {
  if (!any()) { return; }
  force_.discard_and_resize(amplitude_.size(), "modes of grains");
  run.exec.for_each(
      "modes", run.clumps.size(),
      in_step(run, ModeMotion<R>{.watch = {run.grains.views(), view(run.bodies), room_.view(), run.control.data()},
                                 .clumps = view(run.clumps.fields),
                                 .members = run.clumps.members(),
                                 .contacts = {.incident_start = run.contacts.pairs.incident_start.view(),
                                              .incident = run.contacts.pairs.incident.view(),
                                              .touching = run.contacts.pairs.touching.view(),
                                              .boundary_row = run.contacts.near.row_of_body.view(),
                                              .row_start = run.contacts.near.row_start.view(),
                                              .slots = run.contacts.near.slot.view()},
                                 .modulus = modulus_.view(),
                                 .force = force_.view(),
                                 .steps = steps,
                                 .energies = energies}));
}

template <class R>
void ModeStore<R>::turn(RunState<R>& run, Span<ClumpStep> clump_steps, Span<ModeStep> steps,
                        Span<ModeEnergy> energies) {
  coupling_.move(run, force_.view(), room_.view(), clump_steps, steps, energies);
}

template <class R>
std::vector<ModeEnergy> ModeStore<R>::energies(RunState<R>& run, std::size_t first) {
  const std::size_t n = run.clumps.size() - first;
  if (!any() || n == 0) { return {}; }
  Buffer<ModeEnergy> result;
  result.discard_and_resize(n, "modes of grains");
  run.exec.for_each("modes", n,
                    ModeEnergies<R>{.grains = run.grains.grains_of(run),
                                    .members = run.clumps.members(),
                                    .material = run.bodies.material.view(),
                                    .modulus = modulus_.view(),
                                    .result = result.view(),
                                    .first = first});
  return result.to_vector();
}

template <class R>
std::size_t ModeStore<R>::count_of(const Scene& scene, std::uint32_t shape) {
  const auto& grain = scene.clump_shapes[shape].grain;
  return grain ? scene.grain_shapes[*grain].modes.count : 0;
}

template <class R>
void ModeStore<R>::hash(const RunState<R>& run, UnorderedHash& sum) const {
  if (!any()) { return; }
  const auto id = run.clumps.fields.id.to_vector();
  const auto amplitude = amplitudes(), rate = rates();
  constexpr std::uint64_t mark = std::uint64_t(1) << 59;  // distinguishes modes from the other numbers of a clump
  for (const std::size_t c : run.clumps.places_by_id()) {
    for (std::size_t a = 0; a < stride_; ++a) {
      sum.add({mark + id[c], a, bits(amplitude[c * stride_ + a]), bits(rate[c * stride_ + a])});
    }
  }
  levels_.hash(run.clumps.places_by_id(), id, sum);
}

template <class R>
void ModeStore<R>::save(const RunState<R>& run, StateWriter& out) const {
  if (!any()) { return; }
  const std::vector<std::size_t> order = run.clumps.places_by_id();
  save_mode_rows(order, out, "modes/amplitude", "m", amplitude_, stride_);
  save_mode_rows(order, out, "modes/rate", "m/s", rate_, stride_);
  coupling_.save(run, out);
  levels_.save(order, out);
}

template <class R>
void ModeStore<R>::restore(const RunState<R>& run, StateReader& in) {
  if (!any()) { return; }
  const std::size_t n = run.clumps.size();
  restore_mode_rows(n, in, "modes/amplitude", amplitude_, stride_);
  restore_mode_rows(n, in, "modes/rate", rate_, stride_);
  coupling_.restore(run, in);
  levels_.restore(n, in);
  path_.assign(std::vector<double>(n), "modes of grains");
  room_.assign(std::vector<double>(n), "modes of grains");
}

template <class R>
std::uint64_t ModeStore<R>::bytes() const {
  return numbers_there_.bytes() + field_there_.bytes() + at_node_there_.bytes() + knot_there_.bytes() +
         term_there_.bytes() + term_mode_there_.bytes() + modulus_.bytes() + amplitude_.bytes() + rate_.bytes() +
         path_.bytes() + room_.bytes() + pair_force_.bytes() + slot_force_.bytes() + force_.bytes() +
         pair_viscous_.bytes() + slot_viscous_.bytes() + coupling_.bytes() + levels_.bytes();
}

template class ModeStore<float>;
template class ModeStore<double>;

}  // namespace scree::inline SCREE_BACKEND
