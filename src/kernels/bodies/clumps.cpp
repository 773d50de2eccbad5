#include <algorithm>

#include "kernels/archive/state_io.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/bodies/checks.hpp"
#include "kernels/contact/clump_motion.hpp"
#include "kernels/system.hpp"
#include "scree/errors.hpp"
#include "scree/snapshot.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Vec3d vec(const Real3& a) { return {a[0], a[1], a[2]}; }

/// Where each body stands, by its id.
struct PlaceOfId {
  Span<index_t> id, place;
  SCREE_HD void operator()(std::size_t i) const { place[id[i]] = static_cast<index_t>(i); }
};

/// Clumps in the order of their first members, removed ones last.
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

}  // namespace

template <class R>
void System<R>::make_clump_shapes() {
  std::vector<std::uint32_t> start{0};
  std::vector<Vec3d> place;
  for (const ClumpShape& shape : scene_.clump_shapes) {
    SCREE_EXPECT(!shape.position.empty() && shape.position.size() == shape.radius.size(),
                 "a clump has a member at least, each with a radius");
    SCREE_EXPECT(shape.volume > 0 && shape.inertia[0] > 0 && shape.inertia[1] > 0 && shape.inertia[2] > 0,
                 "a clump has a volume");
    for (const Real3& x : shape.position) { place.push_back(vec(x)); }
    start.push_back(static_cast<std::uint32_t>(place.size()));
  }
  shape_start_.assign(start, "clumps");
  shape_place_.assign(place, "clumps");
}

template <class R>
ClumpMembers System<R>::clump_members() {
  return {shape_start_.view(), shape_place_.view(), body_of_id_.view()};
}

/// After the bodies of `particles`, whose ids begin at `first_id`, were appended.
template <class R>
void System<R>::append_clumps(const ParticleSet& particles, std::size_t first_id) {
  const std::size_t first_body = n_bodies_ - particles.size();
  if (!has_clumps()) {
    SCREE_EXPECT(particles.clumps.empty(), "clumps of a scene without shapes");
    return;
  }
  std::vector<index_t> bodies(particles.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) { bodies[i] = static_cast<index_t>(first_body + i); }
  append(body_of_id_, bodies, "clumps");
  std::vector<Vec3d> position, velocity, spin, momentum, inertia;
  std::vector<Quaterniond> orientation;
  std::vector<double> mass, size;
  std::vector<std::uint32_t> shape;
  std::vector<index_t> first, id;
  std::size_t next = 0;
  for (const Clump& clump : particles.clumps) {
    SCREE_EXPECT(clump.shape < scene_.clump_shapes.size() && clump.size > 0 && clump.first >= next,
                 "clumps in order, of known shapes");
    const ClumpShape& form = scene_.clump_shapes[clump.shape];
    next = clump.first + form.radius.size();
    SCREE_EXPECT(next <= particles.size(), "members of a clump that are not there");
    for (std::size_t k = clump.first; k < next; ++k) {
      SCREE_EXPECT(particles.material[k] == particles.material[clump.first] &&
                       (particles.group.empty() || particles.group[k] == particles.group[clump.first]),
                   "members of a clump are of one material and group");
    }
    const double density = scene_.materials[particles.material[clump.first]].density, s = clump.size;
    const auto& q = clump.orientation;
    position.push_back(vec(clump.position));
    velocity.push_back(vec(clump.velocity));
    spin.push_back(vec(clump.angular_velocity));
    momentum.push_back({});
    orientation.push_back(normalised(Quaterniond{q[0], q[1], q[2], q[3]}));
    mass.push_back(density * form.volume * (s * s * s));
    inertia.push_back((density * (s * s * s) * (s * s)) * vec(form.inertia));
    size.push_back(s);
    shape.push_back(clump.shape);
    first.push_back(static_cast<index_t>(first_id + clump.first));
    id.push_back(static_cast<index_t>(n_clumps_made_ + id.size()));
    members_beyond_ += form.radius.size() - 1;
  }
  const std::size_t before = clumps_.mass.size();
  const auto add = [](auto& field, const auto& values) { append(field, values, "clumps"); };
  add(clumps_.position, position), add(clumps_.velocity, velocity), add(clumps_.orientation, orientation);
  add(clumps_.angular_velocity, spin), add(clumps_.angular_momentum, momentum), add(clumps_.inertia, inertia);
  add(clumps_.mass, mass), add(clumps_.size, size), add(clumps_.shape, shape), add(clumps_.first, first),
      add(clumps_.id, id);
  n_clumps_made_ += id.size();
  exec_.for_each("clumps", id.size(), ClumpStart<R>{view(clumps_), clump_members(), view(bodies_), before});
}

/// Members have neither mass nor inertia of their own: contacts see the mass of their clump.
template <class R>
void System<R>::set_member_masses(const ParticleSet& particles, std::vector<R>& inverse_mass,
                                  std::vector<R>& inverse_inertia) const {
  for (const Clump& clump : particles.clumps) {
    const ClumpShape& form = scene_.clump_shapes.at(clump.shape);
    const double density = scene_.materials[particles.material.at(clump.first)].density;
    const double mass = density * form.volume * (clump.size * clump.size * clump.size);
    for (std::size_t k = clump.first; k < clump.first + form.radius.size(); ++k) {
      inverse_mass.at(k) = static_cast<R>(1 / mass);
      inverse_inertia[k] = R(0);
    }
  }
}

/// After the bodies were sorted: the same order for clumps, and who is whose member.
template <class R>
void System<R>::sort_clumps() {
  if (!has_clumps()) { return; }
  exec_.for_each("search: clumps", n_bodies_, PlaceOfId{bodies_.id.view(), body_of_id_.view()});
  const std::size_t n = clumps_.mass.size();
  row_keys_.discard_and_resize(n, "clumps");
  row_entries_.discard_and_resize(n, "clumps");
  Buffer<std::uint8_t> there;
  there.discard_and_resize(n, "clumps");
  exec_.for_each("search: clumps", n,
                 ClumpKey{view(clumps_), body_of_id_.view(), row_keys_.view(), row_entries_.view(), there.view()});
  exec_.timed("search: clumps", [&] { primitives_.sort_by_key(row_keys_, row_entries_, n, 33); });
  const std::size_t n_left = n > 0 ? primitives_.sum(there.view(), n) : 0;
  std::apply(
      [&](auto&... field) {
        (
            [&] {
              using T = std::remove_reference_t<decltype(*field.data())>;
              T* const kept = reinterpret_cast<T*>(scratch_.data());
              SCREE_EXPECT(scratch_.size() * sizeof(std::uint64_t) >= n * sizeof(T), "room to reorder clumps");
              exec_.for_each("search: clumps", n, Permute<T>{row_entries_.view(), field.view(), kept});
              if (n > 0) { copy_within_backend(field.data(), kept, n * sizeof(T)); }
              field.resize(n_left);
            }(),
            ...);
      },
      clumps_.all());
  clump_of_.discard_and_resize(n_bodies_, "clumps");
  exec_.for_each("search: clumps", n_bodies_, NoClump{clump_of_.view()});
  exec_.for_each("search: clumps", n_left, ClumpOfBody{view(clumps_), clump_members(), clump_of_.view()});
}

template <class R>
template <bool grouped, bool periodic>
void System<R>::move_clumps(const BodyMotion<R, grouped, true, periodic>& motion, const StepTimes& times) {
  // as bodies and contacts have them
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  const Leapfrog<double> scheme{single(times.next), single(times.kick()), single(scene_.damping)};
  const Vec3d gravity{single(scene_.gravity[0]), single(scene_.gravity[1]), single(scene_.gravity[2])};
  if (ledger_.on) { ledger_.clump_steps.discard_and_resize(clumps_.mass.size(), "energy ledger"); }
  const auto move = [&]<class Integrator>(Integrator) {
    exec_.for_each("clumps", clumps_.mass.size(),
                   ClumpMotion<R, Integrator, grouped, periodic>{view(clumps_), clump_members(), member_wrench_.view(),
                                                                 motion, scheme, gravity, ledger_.clump_steps.view()});
  };
  switch (scene_.rotation) {
    case RotationScheme::spiral: move(Spiral<double>{}); break;
    case RotationScheme::omelyan: move(Omelyan<double>{}); break;
    case RotationScheme::fincham: move(Fincham<double>{}); break;
  }
}

/// Of all clumps that are there, by id.
template <class R>
std::vector<SnapshotClump> System<R>::clump_snapshot() {
  const auto position = clumps_.position.to_vector(), velocity = clumps_.velocity.to_vector(),
             spin = clumps_.angular_velocity.to_vector();
  const auto inertia = clumps_.inertia.to_vector();
  const auto orientation = clumps_.orientation.to_vector();
  const auto mass = clumps_.mass.to_vector();
  const auto shape = clumps_.shape.to_vector();
  const auto first = clumps_.first.to_vector(), id = clumps_.id.to_vector();
  const auto real3 = [](const Vec3d& a) { return Real3{a.x, a.y, a.z}; };
  std::vector<SnapshotClump> result;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] == 0) { continue; }
    const Quaterniond& q = orientation[c];
    result.push_back({id[c],
                      shape[c],
                      first[c],
                      static_cast<std::uint32_t>(scene_.clump_shapes[shape[c]].radius.size()),
                      mass[c],
                      real3(inertia[c]),
                      real3(position[c]),
                      real3(velocity[c]),
                      real3(spin[c]),
                      {q.w, q.x, q.y, q.z}});
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return result;
}

template <class R>
void System<R>::save_clumps(StateWriter& out) {
  if (!has_clumps()) { return; }
  const auto mass = clumps_.mass.to_vector();
  const auto id = clumps_.id.to_vector();
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] != 0) { order.push_back(c); }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    const FieldNote note = ClumpView::notes()[k++];
    const auto values = field.to_vector();
    out.rows(
        std::string("clumps/") + note.name, note.unit,
        order.size(), [&](std::size_t i) -> const auto& { return values[order[i]]; });
  };
  std::apply([&](auto&... field) { (each(field), ...); }, clumps_.all());
}

/// After the bodies.
template <class R>
void System<R>::restore_clumps(StateReader& in) {
  if (!has_clumps()) { return; }
  const std::size_t n = in.count("clumps/id");
  std::size_t k = 0;
  const auto each = [&](auto& field) {
    using T = std::remove_reference_t<decltype(*field.data())>;
    const FieldNote note = ClumpView::notes()[k++];
    std::vector<T> values(n);
    in.rows(std::string("clumps/") + note.name, "", n, [&](std::size_t i) -> T& { return values[i]; });
    field.assign(values);
  };
  std::apply([&](auto&... field) { (each(field), ...); }, clumps_.all());
  std::vector<std::uint32_t> size_of_shape;
  for (const ClumpShape& shape : scene_.clump_shapes) {
    size_of_shape.push_back(static_cast<std::uint32_t>(shape.radius.size()));
  }
  expect_clumps(clumps_, bodies_, size_of_shape, n_clumps_made_);
  body_of_id_.assign(std::vector<index_t>(n_start_ + n_inserted_), "clumps");
  exec_.for_each("clumps", n_bodies_, PlaceOfId{bodies_.id.view(), body_of_id_.view()});
}

template void System<float>::make_clump_shapes();
template void System<double>::make_clump_shapes();
template ClumpMembers System<float>::clump_members();
template ClumpMembers System<double>::clump_members();
template void System<float>::append_clumps(const ParticleSet&, std::size_t);
template void System<double>::append_clumps(const ParticleSet&, std::size_t);
template void System<float>::set_member_masses(const ParticleSet&, std::vector<float>&, std::vector<float>&) const;
template void System<double>::set_member_masses(const ParticleSet&, std::vector<double>&, std::vector<double>&) const;
template void System<float>::sort_clumps();
template void System<double>::sort_clumps();
template std::vector<SnapshotClump> System<float>::clump_snapshot();
template std::vector<SnapshotClump> System<double>::clump_snapshot();
template void System<float>::save_clumps(StateWriter&);
template void System<double>::save_clumps(StateWriter&);
template void System<float>::restore_clumps(StateReader&);
template void System<double>::restore_clumps(StateReader&);
template void System<float>::move_clumps(const BodyMotion<float, false, true, false>&, const StepTimes&);
template void System<float>::move_clumps(const BodyMotion<float, false, true, true>&, const StepTimes&);
template void System<float>::move_clumps(const BodyMotion<float, true, true, false>&, const StepTimes&);
template void System<float>::move_clumps(const BodyMotion<float, true, true, true>&, const StepTimes&);
template void System<double>::move_clumps(const BodyMotion<double, false, true, false>&, const StepTimes&);
template void System<double>::move_clumps(const BodyMotion<double, false, true, true>&, const StepTimes&);
template void System<double>::move_clumps(const BodyMotion<double, true, true, false>&, const StepTimes&);
template void System<double>::move_clumps(const BodyMotion<double, true, true, true>&, const StepTimes&);

}  // namespace scree::inline SCREE_BACKEND
