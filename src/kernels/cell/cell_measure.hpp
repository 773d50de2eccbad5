#pragma once

#include "kernels/laws/stiffness.hpp"
#include "kernels/math/double_bits.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/step/motion/gather.hpp"
#include "kernels/step/pairs/acting_pairs.hpp"

/// Stress, stiffness and unbalanced force of a periodic cell. The kernels sum integers, in units that follow from the
/// largest term, so the sums do not depend on the order of the terms. Therefore each kernel runs twice: the first pass
/// finds the largest terms, and the second pass sums.
namespace scree::inline SCREE_BACKEND {

/// The kinds of terms. Each kind has a unit of its own.
enum class CellTerm { moment, momentum_flux, stiffness, dashpot, force, net_force };
inline constexpr int n_cell_terms = 6;

/// A lane of SumLanes. In the first pass it has the largest term of each kind, in the second pass the sums in
/// CellUnits.
struct CellLane {
  static constexpr std::size_t n_largest = n_cell_terms;
  double largest[n_cell_terms];
  std::int64_t moment[6], momentum_flux[6], stiffness[6];  ///< xx, yy, zz, yz, xz, xy
  std::int64_t dashpot, force, net_force;
  std::uint64_t contacts, bodies, at_walls;  ///< counted in the first pass
};

/// The inverse of the unit of each kind of term, a power of two. The units are so large that the sum of all terms fits
/// into an integer of 64 bits.
struct CellUnits {
  double inverse[n_cell_terms];

  /// Chooses the units from the largest terms that the first pass found. It counts contacts and bodies, not listed
  /// pairs, because the units must not depend on the length of the neighbour lists.
  SCREE_HD void choose(const CellLane& found) {
    const int room = 61 - exponent_of(double(2 + found.contacts + found.bodies + found.at_walls));
    for (int t = 0; t < n_cell_terms; ++t) {
      const double largest = found.largest[t];
      const bool any = largest > 0 && exponent_of(largest) < 1024;  // false for infinities and NaN
      const int exponent = any ? math::max(-900, math::min(900, exponent_of(largest) + 1 - room)) : 0;
      inverse[t] = power_of_two(-exponent);
    }
  }
  [[nodiscard]] SCREE_HD double value(CellTerm term, std::int64_t sum) const {
    return double(sum) * (1 / inverse[static_cast<int>(term)]);
  }
  SCREE_HD std::int64_t of(CellTerm term, double value) const {
    return static_cast<std::int64_t>(value * inverse[static_cast<int>(term)]);
  }
};

/// The results of both passes: the host reads them, and the second pass uses those of the first.
struct CellSums {
  CellLane found, sums;
  CellUnits units;
};

/// Ends the first pass: chooses the units. One thread.
struct ChooseCellUnits {
  const CellLane* found;
  Span<CellSums> result;
  SCREE_HD void operator()(std::size_t) const {
    result[0].found = *found;
    result[0].units.choose(*found);
  }
};

/// Ends the second pass: keeps the sums. One thread.
struct KeepCellSums {
  const CellLane* sums;
  Span<CellSums> result;
  SCREE_HD void operator()(std::size_t) const { result[0].sums = *sums; }
};

/// Notes a term of the first pass.
SCREE_HD inline void note_largest(CellLane& sum, CellTerm term, double value) {
  double& largest = sum.largest[static_cast<int>(term)];
  largest = math::max(largest, value);
}

/// Calls visit(component, value) for the six components of the symmetric part of the dyad of a and b.
template <class Visit>
SCREE_HD void visit_dyad(const Vec3d& a, const Vec3d& b, Visit&& visit) {
  visit(0, a.x * b.x), visit(1, a.y * b.y), visit(2, a.z * b.z);
  visit(3, 0.5 * (a.y * b.z + a.z * b.y));
  visit(4, 0.5 * (a.x * b.z + a.z * b.x));
  visit(5, 0.5 * (a.x * b.y + a.y * b.x));
}

/// Adds the contact of a pair to the sums. The branch vectors belong to the moment of the forces, one step ago. If the
/// bodies are members of clumps, the branch of the moment joins the centres of mass of the clumps.
template <class R>
struct CellContacts {
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<PairForce<R>> force;
  ActingPairs<R> acts;
  CellPairs<R> cell;
  Mat3d back;        ///< (1 + L dt)^-1 of the last step
  double time_step;  ///< [s] of the last step
  ClumpView clumps;
  Span<index_t> clump_of;               ///< [n_bodies] empty without clumps
  Span<ContactStiffness<R>> stiffness;  ///< [n_pairs] empty if the stiffness is not wanted
  const CellSums* chosen;               ///< result of the first pass; null: this is the first pass

  SCREE_HD void operator()(std::size_t slot, CellLane& sum) const {
    if (acts(slot)) { add(slot, sum); }
  }

 private:
  SCREE_HD void add(std::size_t slot, CellLane& sum) const {
    const auto [i, j] = pairs[slot];
    if (is_parked(bodies.position[i]) || is_parked(bodies.position[j])) { return; }
    const PairForce<R>& record = force[slot];
    const Vec3d f{double(record.force[0]), double(record.force[1]), double(record.force[2])};
    const Vec3d now = cell.branch(slot, bodies.position[i], bodies.position[j]);
    const Vec3d branch = back * (now - time_step * convert<double>(bodies.velocity[j] - bodies.velocity[i]));
    const Vec3d joint = is_member(i) || is_member(j) ? joint_of(i, j, now) : branch;
    if (chosen == nullptr) {
      note_largest(sum, CellTerm::moment, norm(f) * norm(joint));
      note_largest(sum, CellTerm::force, norm(f));
      ++sum.contacts;
    } else {
      visit_dyad(f, joint, [&](int k, double value) { sum.moment[k] += chosen->units.of(CellTerm::moment, value); });
      sum.force += chosen->units.of(CellTerm::force, norm(f));
    }
    if (stiffness.size > 0) { add_stiffness(stiffness[slot], (1 / norm(branch)) * branch, joint, sum); }
  }

  SCREE_HD bool is_member(index_t body) const { return clump_of.size > 0 && clump_of[body] != no_index; }

  /// [m] The branch between the centres of the two particles, one step ago. `now` [m] is the present branch between the
  /// two bodies. Bodies may be members of clumps, which turn; the centres of particles moved along straight lines.
  SCREE_HD Vec3d joint_of(index_t i, index_t j, const Vec3d& now) const {
    return back * ((now + arm(i) - arm(j)) - time_step * (velocity_of_centre(j) - velocity_of_centre(i)));
  }
  /// [m] From the centre of mass of its clump to a body; 0 for single bodies.
  SCREE_HD Vec3d arm(index_t body) const {
    return is_member(body) ? bodies.position[body] - clumps.position[clump_of[body]] : Vec3d{0, 0, 0};
  }
  SCREE_HD Vec3d velocity_of_centre(index_t body) const {
    return is_member(body) ? clumps.velocity[clump_of[body]] : convert<double>(Vec3<R>(bodies.velocity[body]));
  }

  /// Adds the contribution of the contact to the stiffness of the packing, if all particles moved with a strain E. With
  /// the branch `joint` [m] between the centres of mass and the normal n of the contact, u = E joint, the contribution
  /// is K_N (n.u)^2 + K_T (|u|^2 - (n.u)^2). Dashpots add their mean over all directions, for a normal component.
  SCREE_HD void add_stiffness(const ContactStiffness<R>& k, const Vec3d& n, const Vec3d& joint, CellLane& sum) const {
    const double normal = double(k.normal), shear = double(k.shear), square = dot(joint, joint);
    const double dashpot = square * ((3 * double(k.normal_dashpot) + 2 * double(k.shear_dashpot)) / 15);
    if (chosen == nullptr) {
      note_largest(sum, CellTerm::stiffness, square * math::max(normal, shear));
      note_largest(sum, CellTerm::dashpot, dashpot);
      return;
    }
    sum.dashpot += chosen->units.of(CellTerm::dashpot, dashpot);
    const auto add_one = [&](int c, double along, double all) {
      const double part = along * along;
      sum.stiffness[c] += chosen->units.of(CellTerm::stiffness, normal * part + shear * math::max(all - part, 0.0));
    };
    const Vec3d s{joint.x * joint.x, joint.y * joint.y, joint.z * joint.z};
    add_one(0, n.x * joint.x, s.x), add_one(1, n.y * joint.y, s.y), add_one(2, n.z * joint.z, s.z);
    add_one(3, 0.5 * (n.y * joint.z + n.z * joint.y), 0.25 * (s.y + s.z));
    add_one(4, 0.5 * (n.x * joint.z + n.z * joint.x), 0.25 * (s.x + s.z));
    add_one(5, 0.5 * (n.x * joint.y + n.y * joint.x), 0.25 * (s.x + s.y));
  }
};

/// Adds the contacts of a body with walls, in a cell that repeats along some axes only. Such a contact adds the part of
/// a branch from the wall to the centre of the particle.
template <class R>
struct CellWalls {
  BodyView<R> bodies;
  ClumpView clumps;
  Span<index_t> clump_of;  ///< [n_bodies] empty without clumps
  Span<index_t> row_of_body;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slot;
  CellFlow<R> flow;        ///< of the last step
  double time_step;        ///< [s] of the last step
  const CellSums* chosen;  ///< as in CellContacts

  SCREE_HD void operator()(std::size_t body, CellLane& sum) const {
    const index_t row = row_of_body[body];
    if (row == no_index || is_parked(bodies.position[body])) { return; }
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      if (slot[k].touching != 0) { add(slot[k], body, sum); }
    }
  }

 private:
  SCREE_HD void add(const BoundarySlot<R>& contact, std::size_t body, CellLane& sum) const {
    const Vec3d force = convert<double>(contact.force), way = centre_of(body) - contact.point;
    if (chosen == nullptr) {
      note_largest(sum, CellTerm::moment, norm(force) * norm(way));
      ++sum.at_walls;
      return;
    }
    visit_dyad(force, way, [&](int k, double value) { sum.moment[k] += chosen->units.of(CellTerm::moment, value); });
  }

  /// [m] The centre of a particle at the moment of the forces, one step ago.
  [[nodiscard]] SCREE_HD Vec3d centre_of(std::size_t body) const {
    const index_t clump = clump_of.size > 0 ? clump_of[body] : no_index;
    if (clump != no_index) { return flow.place_before(clumps.position[clump], clumps.velocity[clump], time_step); }
    return flow.place_before(bodies.position[body], convert<double>(Vec3<R>(bodies.velocity[body])), time_step);
  }
};

/// Adds the momentum flux and the net force of a body or of a clump to the sums. Item n_bodies + c is clump c. A body
/// or clump with a fixed centre adds neither of the two, but its contacts count.
template <class R>
struct CellBodies {
  BodyView<R> bodies;
  WrenchGather<R> gather;
  Vec3d gravity;
  GroupTable<R> groups;  ///< no rules: no groups
  ClumpView clumps;
  ClumpMembers members;
  bool forces;             ///< whether net forces are summed
  const CellSums* chosen;  ///< as in CellContacts
  std::size_t n_bodies;

  SCREE_HD void operator()(std::size_t item, CellLane& sum) const {
    if (item < n_bodies) {
      add_body(item, sum);
    } else if (const std::size_t c = item - n_bodies; clumps.mass[c] != 0 && !is_held(c)) {
      add(clumps.mass[c], clumps.velocity[c], forces ? force_on(c) : Vec3d{0, 0, 0}, sum);
    }
  }

 private:
  SCREE_HD void add_body(std::size_t i, CellLane& sum) const {
    const R inverse_mass = bodies.inverse_mass[i];
    if (is_parked(bodies.position[i]) || inverse_mass == R(0) || is_member(bodies.inverse_inertia[i])) { return; }
    const double mass = 1 / double(inverse_mass);
    const Vec3d force =
        forces ? unbalanced(bodies.id[i], mass, convert<double>(gather(i, bodies.radius[i]).force)) : Vec3d{0, 0, 0};
    add(mass, convert<double>(bodies.velocity[i]), force, sum);
  }

  SCREE_HD bool is_held(std::size_t c) const {
    return bodies.inverse_mass[members.body_of_id[clumps.first[c]]] == R(0);
  }

  SCREE_HD Vec3d force_on(std::size_t c) const {
    const std::uint32_t count = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    Vec3d sum{0, 0, 0};
    for (std::uint32_t k = 0; k < count; ++k) {
      const index_t body = members.body_of_id[clumps.first[c] + k];
      sum += convert<double>(gather(body, bodies.radius[body]).force);
    }
    return unbalanced(clumps.first[c], clumps.mass[c], sum);
  }

  /// [N] What moves a particle: the forces of its contacts, gravity and its group, without the components that the
  /// group fixes.
  SCREE_HD Vec3d unbalanced(index_t id, double mass, const Vec3d& contacts) const {
    const GroupPull pull = pull_on(id, mass, gravity, groups);
    const Vec3d all = contacts + pull.weight + pull.force;
    return {(pull.fixed & 1u) != 0 ? 0.0 : all.x, (pull.fixed & 2u) != 0 ? 0.0 : all.y,
            (pull.fixed & 4u) != 0 ? 0.0 : all.z};
  }

  SCREE_HD void add(double mass, const Vec3d& velocity, const Vec3d& force, CellLane& sum) const {
    if (chosen == nullptr) {
      note_largest(sum, CellTerm::momentum_flux, mass * dot(velocity, velocity));
      note_largest(sum, CellTerm::net_force, norm(force));
      ++sum.bodies;
      return;
    }
    visit_dyad(velocity, velocity, [&](int k, double value) {
      sum.momentum_flux[k] += chosen->units.of(CellTerm::momentum_flux, mass * value);
    });
    sum.net_force += chosen->units.of(CellTerm::net_force, norm(force));
  }
};

}  // namespace scree::inline SCREE_BACKEND
