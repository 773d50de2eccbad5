#pragma once

#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/laws/stiffness.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/groups.hpp"

/// The largest stable time step of each body under the contacts that it has now. Diagonal stiffness over its six degrees of
/// freedom, in the axes of the world (n^2 component by component, l the arm of the body):
///   K = sum (K_N - K_T) n^2 + K_T,  K_rot = sum l^2 K_T (1 - n^2) + (K_tw - K_r) n^2 + K_r,
/// the latter of a contact in the line of the centre; else K_N acts on the lever of the normal, too;
/// and C, C_rot of the dashpots in the same way. The partner may move against the body, so w^2 = 2 K / m (Gershgorin), and
///   dt = (2/w) (sqrt(1 + z^2) - z),  z w = C / m,
/// for the velocity of a dashpot lags by half a step. The least of the six holds.
namespace scree::inline SCREE_BACKEND {

/// Stiffness of the listed pairs that touch and have one law; one thread per pair.
template <class Law, class R>
struct PairStiffness {
  PairContacts<Law, R, false> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    if (!contacts.is_mine(contacts.of.pairs[slot])) { return; }
    const auto geometry = contacts.look(slot);
    if (!geometry.chosen) {
      stiffness[slot] = {};
      return;
    }
    const auto in = contacts.load(slot, geometry);
    ContactState<R> state{};
    state.overlap = geometry.square_gap / (geometry.radius1 + geometry.radius2 + norm(geometry.branch));
    state.radius1 = geometry.radius1;
    state.radius2 = geometry.radius2;
    state.effective_radius = geometry.radius1 * geometry.radius2 / (geometry.radius1 + geometry.radius2);
    state.effective_mass = in.inverse_mass > R(0) ? R(1) / in.inverse_mass : R(0);
    stiffness[slot] = law_stiffness<Law>(state, in.params, in.history);
  }
};

/// The same of contacts with boundaries, whose forces of this step are known; one thread per row.
template <class Law, class R>
struct BoundaryStiffness {
  BoundaryContacts<Law, R> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    const index_t body = of.body_of_row[row];
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (contacts.law_at(k, body) != contacts.law) { continue; }
      stiffness[k] = {};
      if (of.slots[k].touching == 0) { continue; }
      const R radius = of.bodies.radius[body], inverse_mass = of.bodies.inverse_mass[body];
      ContactState<R> state{};
      // The contact point lies in the middle of the overlap.
      state.overlap = static_cast<R>(2 * (double(radius) - norm(of.bodies.position[body] - of.slots[k].point)));
      state.radius1 = state.radius2 = state.effective_radius = radius;
      state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
      HistoryOf<Law> history;
      history.each([&](int component, R& value) { value = of.extra[history_place<Law>(k, component, of.n_extra)]; });
      stiffness[k] = law_stiffness<Law>(state, contacts.params[contacts.materials_at(k, body)], history);
      if (of.slots[k].weight != 0) {  // it makes so much more of every movement, and then of every force
        const R square = static_cast<R>(of.slots[k].weight) * static_cast<R>(of.slots[k].weight);
        ContactStiffness<R>& s = stiffness[k];
        s.normal *= square, s.shear *= square, s.normal_dashpot *= square, s.shear_dashpot *= square;
      }
    }
  }
};

/// Sums over the contacts of one body.
struct BodyStiffness {
  Vec3d along{0, 0, 0}, along_dashpot{0, 0, 0};  ///< [N/m], [N s/m]
  Vec3d about{0, 0, 0}, about_dashpot{0, 0, 0};  ///< [N m], [N m s]
  std::uint32_t contacts = 0;

  /// `arm` [m] goes from the centre of mass to the contact. A turn about e moves it by e x arm.
  template <class R>
  SCREE_HD void add(const ContactStiffness<R>& k, const Vec3d& n, const Vec3d& arm) {
    const Vec3d square{n.x * n.x, n.y * n.y, n.z * n.z}, rest{1 - square.x, 1 - square.y, 1 - square.z};
    along += double(k.normal) * square + double(k.shear) * rest;
    along_dashpot += double(k.normal_dashpot) * square + double(k.shear_dashpot) * rest;
    const Vec3d lever = cross(arm, n);  // n . (e x arm) = e . (arm x n)
    const Vec3d lever_square{lever.x * lever.x, lever.y * lever.y, lever.z * lever.z};
    const double arm_square = dot(arm, arm);
    const Vec3d across{arm_square - arm.x * arm.x - lever_square.x, arm_square - arm.y * arm.y - lever_square.y,
                       arm_square - arm.z * arm.z - lever_square.z};
    about += double(k.twisting) * square + double(k.rolling) * rest + double(k.normal) * lever_square + double(k.shear) * across;
    about_dashpot += double(k.twisting_dashpot) * square + double(k.rolling_dashpot) * rest + double(k.normal_dashpot) * lever_square +
                     double(k.shear_dashpot) * across;
    ++contacts;
  }
};

/// Largest stable step [s] of an inertia under a stiffness and a dashpot; infinite without them.
SCREE_HD inline double stable_step(double inverse_inertia, double stiffness, double dashpot) {
  const double rate = dashpot * inverse_inertia;
  const double bound = math::sqrt(2 * stiffness * inverse_inertia + rate * rate) + rate;
  return bound > 0 ? 2 / bound : 1e300;
}

/// Limit of each body by its contacts [s], 1e300 without one, and the square of its speed; one thread per body.
template <class R>
struct BodyStepLimit {
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> boundary_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<ContactStiffness<R>> of_pair, of_slot;
  GroupTable<R> groups;
  CellPairs<R> cell;
  Span<double> limit, square_speed;
  Span<std::uint8_t> component;  ///< that limits: 0 to 5 for x, y, z and the rotations about them

  SCREE_HD void operator()(std::size_t i) const {
    limit[i] = 1e300;
    square_speed[i] = 0;
    component[i] = 0;
    if (is_parked(bodies.position[i])) { return; }
    const Vec3d v = convert<double>(bodies.velocity[i]);
    square_speed[i] = dot(v, v);
    if (is_member(bodies.inverse_inertia[i])) { return; }
    BodyStiffness sum;
    add_contacts(i, bodies.position[i], [](const Vec3d& same) { return same; }, sum);
    const double inverse_inertia = double(bodies.inverse_inertia[i]);
    note_least(i, sum, double(bodies.inverse_mass[i]), {inverse_inertia, inverse_inertia, inverse_inertia}, fixed_of(i));
  }

  SCREE_HD std::uint32_t fixed_of(std::size_t i) const { return groups.rules.size > 0 ? groups.rule_of(bodies.id[i]).fixed : 0u; }

  /// `fixed` has a bit per component that does not count.
  SCREE_HD void note_least(std::size_t i, const BodyStiffness& sum, double inverse_mass, const Vec3d& inverse_inertia,
                           std::uint32_t fixed) const {
    if (sum.contacts == 0) { return; }
    const auto meet = [&](std::uint8_t c, double inverse, double k, double dashpot) {
      const double step = (fixed >> c & 1u) != 0 ? 1e300 : stable_step(inverse, k, dashpot);
      if (step < limit[i]) {
        limit[i] = step;
        component[i] = c;
      }
    };
    meet(0, inverse_mass, sum.along.x, sum.along_dashpot.x);
    meet(1, inverse_mass, sum.along.y, sum.along_dashpot.y);
    meet(2, inverse_mass, sum.along.z, sum.along_dashpot.z);
    meet(3, inverse_inertia.x, sum.about.x, sum.about_dashpot.x);
    meet(4, inverse_inertia.y, sum.about.y, sum.about_dashpot.y);
    meet(5, inverse_inertia.z, sum.about.z, sum.about_dashpot.z);
  }

  /// Those of a body, about `centre`, in the axes that turned(v) gives the components of v in. First boundaries, then pairs in
  /// ascending order of the other's id: an order that nothing changes.
  template <class Turned>
  SCREE_HD void add_contacts(std::size_t i, const Vec3d& centre, Turned&& turned, BodyStiffness& sum) const {
    const Vec3d x = bodies.position[i];
    const double radius = double(bodies.radius[i]);
    const index_t row = boundary_row.size > 0 ? boundary_row[i] : no_index;
    if (row != no_index) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching != 0) { sum.add(of_slot[k], turned(convert<double>(slots[k].normal)), turned(slots[k].point - centre)); }
      }
    }
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      const ContactStiffness<R>& stiffness = of_pair[entry >> 1];
      if (!(stiffness.normal > R(0))) { continue; }
      const BodyPair pair = pairs[entry >> 1];
      const index_t other = (entry & 1u) != 0 ? pair.first : pair.second;
      const bool second = (entry & 1u) != 0;  // then the branch goes the other way
      const Vec3d along = cell.branch(entry >> 1, second ? bodies.position[other] : x, second ? x : bodies.position[other]);
      const Vec3d branch = second ? -along : along;
      const double length = norm(branch);
      // l1 + l2 = l with the contact point in the middle of the overlap.
      const Vec3d n = (1 / length) * branch;
      const Vec3d arm = (x - centre) + (0.5 * (length + radius - double(bodies.radius[other]))) * n;
      sum.add(stiffness, turned(n), turned(arm));
    }
  }
};

/// The same of clumps, in their principal axes, told at their first members. Components that a group fixes are those of the world,
/// so they are left out only where all three are fixed.
template <class R>
struct ClumpStepLimit {
  BodyStepLimit<R> of;
  ClumpView clumps;
  ClumpMembers members;

  SCREE_HD void operator()(std::size_t c) const {
    if (clumps.mass[c] == 0) { return; }
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    const Quaterniond q = clumps.orientation[c];
    const auto turned = [&](const Vec3d& a) { return rotate_back(q, a); };
    BodyStiffness sum;
    for (std::uint32_t k = 0; k < n; ++k) { of.add_contacts(members.body_of_id[clumps.first[c] + k], clumps.position[c], turned, sum); }
    const index_t first = members.body_of_id[clumps.first[c]];
    const std::uint32_t fixed = of.fixed_of(first);
    const std::uint32_t all_fixed = ((fixed & 7u) == 7u ? 7u : 0u) | ((fixed & 56u) == 56u ? 56u : 0u);
    const Vec3d inertia = clumps.inertia[c];
    of.note_least(first, sum, 1 / clumps.mass[c], {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, all_fixed);
  }
};

}  // namespace scree::inline SCREE_BACKEND
