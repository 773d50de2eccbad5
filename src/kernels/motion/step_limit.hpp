#pragma once

#include <bit>

#include "kernels/motion/body_stiffness.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/grains.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/sheet_ids.hpp"
#include "kernels/step/modes/mode_energy.hpp"
#include "kernels/step/motion/gather.hpp"
#include "kernels/step/nodes/touching_nodes.hpp"

/// A time step that is stable for the contacts that each body has now. Velocities are half a step behind the positions,
/// and dashpots see the velocities of half a step before. Then a step dt is stable if all eigenvalues of
///   M^-1 (dt^2 K + 2 dt C)
/// are below 4, where K and C are the matrices of all springs and dashpots.
///
/// The energy that a contact of stiffness k stores if its ends move by a and b is at most half of
/// (1 + q) k a^2 + (1 + 1/q) k b^2, for any q > 0. So the bound splits into one 6 x 6 matrix per body. A contact with
/// another body counts 1 + q in the one matrix and 1 + 1/q in the other; a contact with a boundary counts 1. The first
/// pass uses q = 1. The second pass uses the frequencies that the first has found: q of a body is the frequency of the
/// other body over its own, to the power 3/2, because the faster body moves more. It visits the contacts of those
/// bodies only that can limit the step.
namespace scree::inline SCREE_BACKEND {

/// Divides a matrix by the masses. Components with a bit in `fixed` become 0. `root` has the square roots of the
/// inverse masses and inverse moments of inertia.
SCREE_HD inline void divide_by_masses(Sym6& m, const double (&root)[6], std::uint32_t fixed) {
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      const bool held = ((fixed >> i | fixed >> j) & 1u) != 0;
      m.entry[Sym6::place(i, j)] = held ? 0.0 : m.at(i, j) * root[i] * root[j];
    }
  }
}

/// [s] The step dt with dt^2 stiffness + 2 dt dashpot = 4; 1e300 if both are 0.
SCREE_HD inline double stable_step(double stiffness, double dashpot) {
  const double bound = dashpot + math::sqrt(dashpot * dashpot + 4 * stiffness);
  return bound > 0 ? 4 / bound : 1e300;
}

/// A bound of the contribution of the modes of a deforming grain to the eigenvalues of a body.
struct MoreEigenvalue {
  double stiffness = 0, dashpot = 0;  ///< [1/s2], [1/s]
};

/// Cheap bounds of the largest eigenvalues: the square roots of the sums of squares of all entries. They make a step up
/// to 1.6 times too short, or 2.5 times if the dashpots dominate.
SCREE_HD inline MoreEigenvalue eigenvalue_bounds(const Sym6& stiffness, const Sym6& dashpot,
                                                 const MoreEigenvalue& more = {}) {
  double squares[2] = {0, 0};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      squares[0] += stiffness.at(i, j) * stiffness.at(i, j);
      squares[1] += dashpot.at(i, j) * dashpot.at(i, j);
    }
  }
  return {math::sqrt(squares[0]) + more.stiffness, math::sqrt(squares[1]) + more.dashpot};
}

/// [s] A close lower bound of the largest stable step: no eigenvalue of dt^2 K + 2 dt C is above 4, and the largest one
/// is near 4.
SCREE_HD inline double stable_step(const Sym6& stiffness, const Sym6& dashpot, const MoreEigenvalue& more = {}) {
  double step = stable_step(largest_eigenvalue(stiffness) + more.stiffness, largest_eigenvalue(dashpot) + more.dashpot);
  if (!(dashpot.trace() > 0) || more.stiffness > 0) { return step; }
  // The largest eigenvalue grows at least in proportion to dt, and at most with its square.
  for (int k = 0; k < 3; ++k) {
    const double largest = largest_eigenvalue(combined(step * step, stiffness, 2 * step, dashpot));
    step *= largest < 4 ? math::sqrt(4 / largest) : 4 / largest;
  }
  return step;
}

/// Whether the stable step of a body is surely longer than `step` [s]: all eigenvalues at 1.2 times this step are
/// below 4. stable_step() starts at no less than 1 / 2.03 of the critical step, and each of its three passes takes the
/// root of 1.014 times what is missing, so its result is no more than 1.11 times too short. This takes a thirtieth of
/// the time of stable_step().
SCREE_HD inline bool is_surely_longer(const Sym6& stiffness, const Sym6& dashpot, double step) {
  const double longer = 1.2 * step;
  return all_below(combined(longer * longer, stiffness, 2 * longer, dashpot), 4);
}

/// The passes over all bodies, see above. The second pass has two parts: first the bodies whose limits of the first
/// pass are near the least one, then the others. Most of these need no computation, since the least limit is nearly
/// known.
enum class LimitPass { first, nearly_least, others };

/// Computes the stable step of each body and the square of its speed; one thread per body, once for each pass. Members
/// of clumps are left to ClumpStepLimit.
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
  LimitPass pass;
  Span<double> first;            ///< [n_bodies] [s] limits of the first pass; 1e300 without contacts
  Span<double> first_dashpot;    ///< [n_bodies] [1/s] bound of the eigenvalues of the dashpots in the first pass
  Span<double> limit;            ///< [n_bodies] [s] 1e300 without contacts or if it is surely not the least of all
  Span<double> square_speed;     ///< [n_bodies] [m2/s2]
  Span<std::uint8_t> component;  ///< [n_bodies] component that limits: 0 to 5 for x, y, z and rotations about them
  Span<double> overlap;          ///< [n_bodies] [-] largest overlap over the smaller radius
  std::uint64_t* least_first;    ///< bits of the least limit of the first pass
  std::uint64_t* least;          ///< bits of the least limit of the second pass so far
  BoundaryView boundaries;
  const NodeViews<R>* nodes;  ///< null without level-set grains
  Span<SheetIds> sheets{};    ///< [n_membranes]

  SCREE_HD void operator()(std::size_t i) const {
    begin(i);
    if (is_parked(bodies.position[i]) || is_member(bodies.inverse_inertia[i]) || is_left_out(i)) { return; }
    SphereStiffness sums;
    add_contacts(
        i, bodies.position[i], [](const Vec3d& same) { return same; }, sums);
    if (sums.contacts == 0) { return; }
    BodyStiffness sum = sums.whole();
    const double inverse_inertia = double(bodies.inverse_inertia[i]);
    note(i, sum, double(bodies.inverse_mass[i]), {inverse_inertia, inverse_inertia, inverse_inertia}, fixed_of(i));
  }

  /// Whether body i is skipped in this pass. In the second pass no contact weighs more than `most` times its weight in
  /// the first, so the eigenvalues grow by at most this factor.
  SCREE_HD bool is_left_out(std::size_t i) const {
    if (pass == LimitPass::first) { return false; }
    const double lowest = std::bit_cast<double>(load(least_first));
    const bool near = first[i] <= 1.05 * lowest;
    if (near == (pass == LimitPass::others) || !(first[i] < 1e300)) { return true; }
    if (near) { return false; }
    const double slower = math::min(first[i] / lowest, most_slower);
    const double most = 0.5 * (1 + slower * math::sqrt(slower));
    const double rate = 4 / first[i], dashpot = most * first_dashpot[i];  // see stable_step()
    const double springs = most * math::max(rate * (rate - 2 * first_dashpot[i]), 0.0);
    constexpr double rounding = 1e-6;
    return (1 - rounding) * 4 / (dashpot + math::sqrt(dashpot * dashpot + springs)) >
           std::bit_cast<double>(load(least));
  }

  /// Components of the motion of body i that its group fixes, one bit each.
  SCREE_HD std::uint32_t fixed_of(std::size_t i) const {
    return groups.rules.size > 0 ? groups.rule_of(bodies.id[i]).fixed : 0u;
  }

  /// Stores the limit of body i from the sums over its contacts. `fixed` has a bit for each component that does not
  /// count.
  SCREE_HD void note(std::size_t i, BodyStiffness& sum, double inverse_mass, const Vec3d& inverse_inertia,
                     std::uint32_t fixed, const MoreEigenvalue& more = {}) const {
    const double m = math::sqrt(inverse_mass);
    const double root[6] = {
        m, m, m, math::sqrt(inverse_inertia.x), math::sqrt(inverse_inertia.y), math::sqrt(inverse_inertia.z)};
    divide_by_masses(sum.stiffness, root, fixed);
    divide_by_masses(sum.dashpot, root, fixed);
    const MoreEigenvalue bounds = eigenvalue_bounds(sum.stiffness, sum.dashpot, more);
    double step = stable_step(bounds.stiffness, bounds.dashpot);
    if (pass == LimitPass::first) {
      overlap[i] = sum.overlap;
      first[i] = step;
      first_dashpot[i] = bounds.dashpot;
      atomic_min(least_first, std::bit_cast<std::uint64_t>(step));  // positive numbers sort like their bits
      return;
    }
    // The exact limit of a body is not needed if its lower bound is above the least limit so far. Which bodies are
    // skipped may depend on the order of threads, but the least of all limits does not: its body is never skipped.
    const std::uint64_t least_yet = load(least);
    const bool rigid = !(more.stiffness > 0) && !(more.dashpot > 0);
    if (std::bit_cast<std::uint64_t>(step) > least_yet ||
        (rigid && is_surely_longer(sum.stiffness, sum.dashpot, std::bit_cast<double>(least_yet)))) {
      return;
    }
    step = math::max(step, stable_step(sum.stiffness, sum.dashpot, more));
    atomic_min(least, std::bit_cast<std::uint64_t>(step));
    limit[i] = step;
    double most = 0;
    for (int c = 0; c < 6; ++c) {
      const double share = step * sum.stiffness.at(c, c) + 2 * sum.dashpot.at(c, c);
      if (share > most) {
        most = share;
        component[i] = static_cast<std::uint8_t>(c);
      }
    }
  }

  static constexpr double most_slower = 4;  ///< [-] larger ratios of the frequencies of two bodies count as this

  /// Sets the results of the pass to those of a body without contacts.
  SCREE_HD void begin(std::size_t i) const {
    if (pass == LimitPass::first) {
      const Vec3d v = convert<double>(bodies.velocity[i]);
      square_speed[i] = is_parked(bodies.position[i]) ? 0 : dot(v, v);
      overlap[i] = 0;
      first[i] = 1e300;
      first_dashpot[i] = 0;
    } else if (pass == LimitPass::nearly_least) {
      limit[i] = 1e300;
      component[i] = 0;
    }
  }

  /// Reads a word that other threads may be changing.
  SCREE_HD static std::uint64_t load(const std::uint64_t* word) {
#if defined(__CUDA_ARCH__)
    return *reinterpret_cast<const volatile std::uint64_t*>(word);
#else
    return __atomic_load_n(word, __ATOMIC_RELAXED);
#endif
  }

  /// Weight 1 + q of a contact with body `other` in the sums of body i.
  SCREE_HD double weight(std::size_t i, index_t other) const {
    if (pass == LimitPass::first) { return 2; }
    const double slower = math::min(math::max(first[i] / first[other], 1 / most_slower), most_slower);
    return 1 + slower * math::sqrt(slower);
  }

  /// Adds the contacts of body i to `sum`, with arms from `centre`. turned(v) gives the components of v along the axes
  /// of the sum. Boundaries come first, then pairs in ascending order of the other body's id, so the order of the
  /// additions does not depend on memory or threads.
  template <class Turned, class Sums>
  SCREE_HD void add_contacts(std::size_t i, const Vec3d& centre, Turned&& turned, Sums& sum) const {
    const Vec3d x = bodies.position[i];
    const double radius = double(bodies.radius[i]);
    const index_t row = boundary_row.size > 0 ? boundary_row[i] : no_index;
    if (row != no_index) {
      for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        if (slots[k].touching == 0) { continue; }
        if (nodes != nullptr && nodes->of_slot[k].count > 0) {
          TouchingNodes<R>{*nodes, bodies}.each_of_slot(
              boundaries, slots[k], k, static_cast<index_t>(i), [&](double share, const Vec3d& n, const Vec3d& arm) {
                sum.add(of_slot[k], share, turned(n), turned((x - centre) + arm));
              });
          continue;
        }
        sum.add(of_slot[k], 1, turned(convert<double>(slots[k].normal)), turned(slots[k].point - centre));
      }
    }
    for (offset_t k = incident_start[i]; k < incident_start[i + 1]; ++k) {
      const std::uint32_t entry = incident[k];
      ContactStiffness<R> stiffness = of_pair[entry >> 1];
      if (!(stiffness.normal + stiffness.normal_dashpot > R(0))) { continue; }  // viscous bridges have no springs
      const BodyPair pair = pairs[entry >> 1];
      const index_t other = (entry & 1u) != 0 ? pair.first : pair.second;
      if (are_of_one_sheet(i, other)) { stiffness.overlap = R(0); }
      const bool second = (entry & 1u) != 0;  // the branch goes from the first body to the second
      const Vec3d along =
          cell.branch(entry >> 1, second ? bodies.position[other] : x, second ? x : bodies.position[other]);
      if (nodes != nullptr && nodes->of_pair[entry >> 1].count > 0) {
        const Vec3d from = (x - centre) - (second ? along : Vec3d{0, 0, 0});
        TouchingNodes<R>{*nodes, bodies}.each_of_pair(
            entry >> 1, pair, along, [&](double share, const Vec3d& n, const Vec3d& arm) {
              sum.add(stiffness, share * weight(i, other), turned(n), turned(from + arm));
            });
        continue;
      }
      const Vec3d branch = second ? -along : along;
      const double length = norm(branch);
      // The contact point lies in the middle of the overlap: l1 + l2 = l.
      const Vec3d n = (1 / length) * branch;
      const Vec3d arm = (x - centre) + (0.5 * (length + radius - double(bodies.radius[other]))) * n;
      sum.add(stiffness, weight(i, other), turned(n), turned(arm));
    }
  }

 private:
  /// Whether two bodies are nodes of one membrane. Where it folds, nodes press into each other, as they are thicker
  /// than the sheet that they stand for and as soft as it. So how deep that is tells nothing of the grains.
  SCREE_HD bool are_of_one_sheet(std::size_t i, index_t other) const {
    for (std::size_t k = 0; k < sheets.size; ++k) {
      if (sheets[k].has(bodies.id[i])) { return sheets[k].has(bodies.id[other]); }
    }
    return false;
  }
};

/// The same for clumps, in their principal axes; one thread per clump. All members get the limit of their clump. The
/// components that a group fixes are components in the world, so they are left out only if all three are fixed.
template <class R>
struct ClumpStepLimit {
  BodyStepLimit<R> of;
  ClumpView clumps;
  ClumpMembers members;
  bool any_modes = false;  ///< whether grains deform
  Span<double> modulus{};  ///< [n_materials] [Pa] with modes

  SCREE_HD void operator()(std::size_t c) const {
    if (clumps.mass[c] == 0) { return; }
    const index_t first = members.body_of_id[clumps.first[c]];
    if (of.is_left_out(first)) { return; }
    const std::uint32_t n = members.shape_start[clumps.shape[c] + 1] - members.shape_start[clumps.shape[c]];
    const Quaterniond q = clumps.orientation[c];
    const auto turned = [&](const Vec3d& a) { return rotate_back(q, a); };
    BodyStiffness sum;
    for (std::uint32_t k = 0; k < n; ++k) {
      of.add_contacts(members.body_of_id[clumps.first[c] + k], clumps.position[c], turned, sum);
    }
    const std::uint32_t fixed = of.fixed_of(first);
    const std::uint32_t all_fixed = ((fixed & 7u) == 7u ? 7u : 0u) | ((fixed & 56u) == 56u ? 56u : 0u);
    const MoreEigenvalue more = of_modes(c, first, sum);
    if (sum.contacts == 0 && !(more.stiffness > 0)) { return; }
    const Vec3d inertia = clumps.inertia[c];
    of.note(first, sum, 1 / clumps.mass[c], {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, all_fixed, more);
    const Span<double> limits = of.pass == LimitPass::first ? of.first : of.limit;
    for (std::uint32_t k = 1; k < n; ++k) { limits[members.body_of_id[clumps.first[c] + k]] = limits[first]; }
  }

 private:
  /// The largest eigenvalue of a sum of matrices is at most the sum of their largest eigenvalues: one for the modes
  /// alone, and one for all contacts on the modes. The dashpots of modes are stable by themselves.
  SCREE_HD MoreEigenvalue of_modes(std::size_t c, index_t body, const BodyStiffness& sum) const {
    if (!any_modes) { return {}; }
    const GrainViews<R>& grains = of.nodes->grains;
    const ModeForm* const form = grains.modes_of_clump(c);
    if (form == nullptr) { return {}; }
    const auto resistance =
        ModeResistance<R>::of(grains.modes, *form, clumps.size[c], modulus[of.bodies.material[body]], clumps.mass[c]);
    double own = 0, mobility = 0;
    for (std::uint32_t a = 0; a < form->count; ++a) {
      const double mass = resistance.mass(a);
      own = math::max(own, resistance.steepest(&grains.modes.amplitude[c * grains.modes.stride], a) / mass);
      mobility += math::square(resistance.numbers(a).reach) / mass;
    }
    return {own + mobility * sum.all_springs, mobility * sum.all_dashpots};
  }
};

}  // namespace scree::inline SCREE_BACKEND
