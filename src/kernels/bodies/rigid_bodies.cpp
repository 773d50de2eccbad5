#include "kernels/bodies/rigid_bodies.hpp"

#include <algorithm>

#include "kernels/backend/rearrange.hpp"
#include "kernels/bodies/clump_start.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/motion/clump_motion.hpp"
#include "scree/errors.hpp"
#include "scree/snapshot.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Stores the position in memory of each body by its id.
struct PlaceOfId {
  Span<index_t> id, place;
  SCREE_HD void operator()(std::size_t i) const { place[id[i]] = static_cast<index_t>(i); }
};

/// Sort key of clumps: the order of their first members, removed clumps last.
struct ClumpKey {
  ClumpView clumps;
  Span<index_t> place_of_id;
  Span<std::uint64_t> key;
  Span<index_t> order;
  Span<std::uint8_t> there;
  SCREE_HD void operator()(std::size_t c) const {
    order[c] = static_cast<index_t>(c);
    there[c] = clumps.mass[c] != 0 ? 1 : 0;
    key[c] = there[c] != 0 ? std::uint64_t(place_of_id[clumps.first[c]]) : ~std::uint64_t(0);
  }
};

struct ClumpOfBody {
  ClumpView clumps;
  ClumpMembers members;
  Span<index_t> clump_of;
  SCREE_HD void operator()(std::size_t c) const {
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    for (std::uint32_t k = 0; k < n; ++k) {
      clump_of[members.body_of_id[clumps.first[c] + k]] = static_cast<index_t>(c);
    }
  }
};

struct NoClump {
  Span<index_t> clump_of;
  SCREE_HD void operator()(std::size_t i) const { clump_of[i] = no_clump; }
};

/// Sorts a field of `n` clumps in the order of the entries of `space`, and keeps the first `n_left`.
template <class R, class T>
void reorder(RunState<R>& run, Buffer<T>& field, const SortSpace& space, std::size_t n, std::size_t n_left) {
  SCREE_EXPECT(space.scratch_bytes >= n * sizeof(T), "room to reorder clumps");
  T* const kept = static_cast<T*>(space.scratch);
  run.exec.for_each("search: clumps", n, Permute<T>{space.entries.view(), field.view(), kept});
  if (n > 0) { copy_within_backend(field.data(), kept, n * sizeof(T)); }
  field.resize(n_left);
}

/// Throws ContractError unless all members of a clump exist and are of one material and group.
void check_members(const ParticleSet& particles, const Clump& clump, std::size_t end) {
  SCREE_EXPECT(end <= particles.size(), "members of a clump that are not there");
  for (std::size_t k = clump.first; k < end; ++k) {
    SCREE_EXPECT(particles.material[k] == particles.material[clump.first] &&
                     (particles.group.empty() || particles.group[k] == particles.group[clump.first]),
                 "members of a clump are of one material and group");
  }
}

template <class T>
using HostArray = std::vector<T>;
using NewClumps = ClumpFields<HostArray>;

/// Adds a clump, but for its ids. Its angular momentum follows later, see ClumpStart.
void add_clump(NewClumps& to, const Clump& clump, const ClumpShape& form, double density) {
  const double s = clump.size;
  const auto& q = clump.orientation;
  to.position.push_back(vec(clump.position));
  to.velocity.push_back(vec(clump.velocity));
  to.angular_velocity.push_back(vec(clump.angular_velocity));
  to.angular_momentum.push_back({});
  to.orientation.push_back(normalised(Quaterniond{q[0], q[1], q[2], q[3]}));
  to.mass.push_back(density * form.volume * (s * s * s));
  to.inertia.push_back((density * (s * s * s) * (s * s)) * vec(form.inertia));
  to.size.push_back(s);
  to.shape.push_back(clump.shape);
}

}  // namespace

template <class R>
void RigidBodies<R>::set_shapes(const Scene& scene) {
  std::vector<std::uint32_t> start{0};
  std::vector<Vec3d> place;
  for (const ClumpShape& shape : scene.clump_shapes) {
    SCREE_EXPECT(!shape.position.empty() && shape.position.size() == shape.radius.size(),
                 "a clump has a member at least, each with a radius");
    SCREE_EXPECT(shape.volume > 0 && shape.inertia[0] > 0 && shape.inertia[1] > 0 && shape.inertia[2] > 0,
                 "a clump has a volume");
    for (const Real3& x : shape.position) { place.push_back(vec(x)); }
    start.push_back(static_cast<std::uint32_t>(place.size()));
  }
  shape_start.assign(start, "clumps");
  shape_place.assign(place, "clumps");
}

/// Must be called after the bodies of `particles`, whose ids begin at `first_id`, were appended.
template <class R>
void RigidBodies<R>::append_clumps(RunState<R>& run, const ParticleSet& particles, std::size_t first_id) {
  const std::size_t first_body = run.count.bodies - particles.size();
  if (!any()) {
    SCREE_EXPECT(particles.clumps.empty(), "clumps of a scene without shapes");
    return;
  }
  std::vector<index_t> bodies(particles.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) { bodies[i] = static_cast<index_t>(first_body + i); }
  append(body_of_id, bodies, "clumps");
  NewClumps made;
  std::size_t next = 0;
  for (const Clump& clump : particles.clumps) {
    SCREE_EXPECT(clump.shape < run.scene.clump_shapes.size() && clump.size > 0 && clump.first >= next,
                 "clumps in order, of known shapes");
    const ClumpShape& form = run.scene.clump_shapes[clump.shape];
    next = clump.first + form.radius.size();
    check_members(particles, clump, next);
    add_clump(made, clump, form, run.scene.materials[particles.material[clump.first]].density);
    made.first.push_back(static_cast<index_t>(first_id + clump.first));
    made.id.push_back(static_cast<index_t>(n_made + made.id.size()));
    members_beyond += form.radius.size() - 1;
  }
  const std::size_t before = size(), n = made.id.size();
  const auto add = [](auto& field, const auto& values) { append(field, values, "clumps"); };
  add(fields.position, made.position), add(fields.velocity, made.velocity);
  add(fields.orientation, made.orientation), add(fields.angular_velocity, made.angular_velocity);
  add(fields.angular_momentum, made.angular_momentum), add(fields.inertia, made.inertia), add(fields.mass, made.mass);
  add(fields.size, made.size), add(fields.shape, made.shape), add(fields.first, made.first), add(fields.id, made.id);
  n_made += n;
  run.modes.append_clumps(particles);
  run.exec.for_each("clumps", n, ClumpStart<R>{view(fields), members(), view(run.bodies), before});
  run.modes.start(run, before);
}

/// Contacts see the mass of the clump at each member. Members have no moment of inertia of their own.
template <class R>
void RigidBodies<R>::set_member_masses(const Scene& scene, const ParticleSet& particles, std::vector<R>& inverse_mass,
                                       std::vector<R>& inverse_inertia) const {
  for (const Clump& clump : particles.clumps) {
    const ClumpShape& form = scene.clump_shapes.at(clump.shape);
    const double density = scene.materials[particles.material.at(clump.first)].density;
    const double mass = density * form.volume * (clump.size * clump.size * clump.size);
    for (std::size_t k = clump.first; k < clump.first + form.radius.size(); ++k) {
      inverse_mass.at(k) = static_cast<R>(1 / mass);
      inverse_inertia[k] = R(0);
    }
  }
}

/// Must be called after the bodies were sorted.
template <class R>
void RigidBodies<R>::sort(RunState<R>& run, const SortSpace& space) {
  if (!any()) { return; }
  run.exec.for_each("search: clumps", run.count.bodies, PlaceOfId{run.bodies.id.view(), body_of_id.view()});
  const std::size_t n = size();
  space.keys.discard_and_resize(n, "clumps");
  space.entries.discard_and_resize(n, "clumps");
  Buffer<std::uint8_t> there;
  there.discard_and_resize(n, "clumps");
  run.exec.for_each("search: clumps", n,
                    ClumpKey{view(fields), body_of_id.view(), space.keys.view(), space.entries.view(), there.view()});
  run.exec.timed("search: clumps", [&] { run.primitives.sort_by_key(space.keys, space.entries, n, 33); });
  const std::size_t n_left = n > 0 ? run.primitives.sum(there.view(), n) : 0;
  run.modes.sort(run, space.entries, n_left);
  std::apply([&](auto&... field) { (reorder(run, field, space, n, n_left), ...); }, fields.all());
  clump_of.discard_and_resize(run.count.bodies, "clumps");
  run.exec.for_each("search: clumps", run.count.bodies, NoClump{clump_of.view()});
  run.exec.for_each("search: clumps", n_left, ClumpOfBody{view(fields), members(), clump_of.view()});
}

template <class R>
template <bool grouped, bool periodic>
void RigidBodies<R>::move(RunState<R>& run, const BodyMotion<R, grouped, true, periodic>& motion,
                          Span<ClumpStep> steps) {
  // rounded as in the kernels of bodies and contacts
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  const Leapfrog<double> scheme{0, 0, single(run.scene.integration.damping)};
  const Vec3d gravity{single(run.scene.gravity[0]), single(run.scene.gravity[1]), single(run.scene.gravity[2])};
  const auto move = [&]<class Integrator>(Integrator) {
    run.exec.for_each("clumps", size(),
                      in_step(run, ClumpMotion<R, Integrator, grouped, periodic>{
                                       view(fields), members(), member_wrench.view(), motion, scheme, gravity, steps,
                                       run.modes.coupling().holds(), run.modes.coupling().held()}));
  };
#define SCREE_ROTATION_SCHEME(name, Integrator, ...)                                         \
  static_assert(Integrator<double>::keeps_momentum == keeps_momentum(RotationScheme::name)); \
  if (run.scene.integration.rotation == RotationScheme::name) { move(Integrator<double>{}); }
#include "scree/rotation_schemes.def"
}

/// All clumps that have not been removed, by id.
template <class R>
std::vector<SnapshotClump> RigidBodies<R>::snapshot(const RunState<R>& run) const {
  const auto position = fields.position.to_vector(), velocity = fields.velocity.to_vector(),
             spin = fields.angular_velocity.to_vector();
  const auto inertia = fields.inertia.to_vector();
  const auto orientation = fields.orientation.to_vector();
  const auto mass = fields.mass.to_vector();
  const auto shape = fields.shape.to_vector();
  const auto first = fields.first.to_vector(), id = fields.id.to_vector();
  const auto amplitude = run.modes.amplitudes(), rate = run.modes.rates();
  std::vector<SnapshotClump> result;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] == 0) { continue; }
    const Quaterniond& q = orientation[c];
    result.push_back({.id = id[c],
                      .shape = shape[c],
                      .first = first[c],
                      .members = static_cast<std::uint32_t>(run.scene.clump_shapes[shape[c]].radius.size()),
                      .mass = mass[c],
                      .inertia = real3(inertia[c]),
                      .position = real3(position[c]),
                      .velocity = real3(velocity[c]),
                      .fluctuation = real3(velocity[c]),
                      .angular_velocity = real3(spin[c]),
                      .orientation = {q.w, q.x, q.y, q.z}});
    const auto begin = static_cast<std::ptrdiff_t>(c * run.modes.stride());
    const auto n = static_cast<std::ptrdiff_t>(run.modes.count_of(run.scene, shape[c]));
    result.back().amplitude.assign(amplitude.begin() + begin, amplitude.begin() + begin + n);
    result.back().amplitude_rate.assign(rate.begin() + begin, rate.begin() + begin + n);
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return result;
}

template struct RigidBodies<float>;
template struct RigidBodies<double>;
template void RigidBodies<float>::move(RunState<float>&, const BodyMotion<float, false, true, false>&, Span<ClumpStep>);
template void RigidBodies<float>::move(RunState<float>&, const BodyMotion<float, false, true, true>&, Span<ClumpStep>);
template void RigidBodies<float>::move(RunState<float>&, const BodyMotion<float, true, true, false>&, Span<ClumpStep>);
template void RigidBodies<float>::move(RunState<float>&, const BodyMotion<float, true, true, true>&, Span<ClumpStep>);
template void RigidBodies<double>::move(RunState<double>&, const BodyMotion<double, false, true, false>&,
                                        Span<ClumpStep>);
template void RigidBodies<double>::move(RunState<double>&, const BodyMotion<double, false, true, true>&,
                                        Span<ClumpStep>);
template void RigidBodies<double>::move(RunState<double>&, const BodyMotion<double, true, true, false>&,
                                        Span<ClumpStep>);
template void RigidBodies<double>::move(RunState<double>&, const BodyMotion<double, true, true, true>&,
                                        Span<ClumpStep>);

}  // namespace scree::inline SCREE_BACKEND
