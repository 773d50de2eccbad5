#include "host/modes/contact_solver.hpp"

#include <vector>

#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

/// Tolerance of overlaps over the largest overlap, and of forces over the force that removes this overlap.
constexpr double tolerance = 1e-9;

/// A state of the body: contact forces of either sign, loose motions, and values that are linear in them.
struct State {
  Vector force;   ///< [n]
  Vector answer;  ///< [n] matrix . force
  Vector motion;  ///< [motions]

  [[nodiscard]] State toward(const State& other, double part) const {
    return {force + part * (other.force - force), answer + part * (other.answer - answer),
            motion + part * (other.motion - motion)};
  }
};

/// The energy of a body, its weak springs and its skin. The energy is convex, and quadratic while the set of touching
/// contacts does not change. So Newton's method with an exact line search reaches the state of least energy.
class ContactEnergy {
 public:
  ContactEnergy(const Matrix& matrix, const LooseMotions& motions, const Vector& right)
      : matrix_(matrix), motions_(motions), right_(right), overlap_unit_(right.maxCoeff()) {}

  /// Changes any state to the state of least energy.
  void find_lowest(State& state, double skin) const {
    constexpr int most_steps = 500;  // about five are needed
    const double force_unit = overlap_unit_ / (matrix_.diagonal().maxCoeff() + skin);
    for (int step = 0; step < most_steps; ++step) {
      const std::vector<Index> touching = where_positive(overlap(state));
      const State next = lowest_where(touching, skin);
      Vector overlap_elsewhere = overlap(next);
      for (const Index k : touching) overlap_elsewhere[k] = 0;
      const bool none_pulls = next.force.minCoeff() >= -tolerance * force_unit;
      if (none_pulls && overlap_elsewhere.maxCoeff() <= tolerance * overlap_unit_) {
        state = next;
        return;
      }
      state = state.toward(next, best_part(state, next, skin));
    }
    throw ContractError("solve_contact: does not converge; the matrix must not have negative eigenvalues");
  }

  [[nodiscard]] double overlap_unit() const { return overlap_unit_; }

 private:
  [[nodiscard]] Vector overlap(const State& state) const {
    return right_ - state.answer - motions_.at_contact * state.motion;
  }

  static std::vector<Index> where_positive(const Vector& values) {
    std::vector<Index> all;
    for (Index k = 0; k < values.size(); ++k) {
      if (values[k] > 0) all.push_back(k);
    }
    return all;
  }

  /// The state of least energy if exactly these contacts touched, with forces of either sign. Loose motions are
  /// separate unknowns: in the matrix their large entries would hide the differences between neighbours by rounding.
  [[nodiscard]] State lowest_where(const std::vector<Index>& touching, double skin) const {
    Matrix among = matrix_(touching, touching);
    among.diagonal().array() += skin;
    const Eigen::LLT<Matrix> factor(among);
    const Matrix moved = motions_.at_contact(touching, Eigen::all);
    const Matrix answer = factor.solve(moved);
    Matrix held = moved.transpose() * answer;
    held.diagonal().array() += 1 / motions_.compliance;
    const Vector alone = factor.solve(Vector(right_(touching)));
    State state;
    state.motion = held.llt().solve(Vector(moved.transpose() * alone));
    const Vector force = alone - answer * state.motion;
    state.force.setZero(right_.size());
    state.force(touching) = force;
    state.answer = matrix_(Eigen::all, touching) * force;
    return state;
  }

  /// The place of least energy between two states: 0 is the first state, 1 the second.
  [[nodiscard]] double best_part(const State& from, const State& to, double skin) const {
    const Vector force = to.force - from.force, motion = to.motion - from.motion;
    const double slope = from.answer.dot(force) + from.motion.dot(motion) / motions_.compliance;
    const double curvature = (to.answer - from.answer).dot(force) + motion.squaredNorm() / motions_.compliance;
    const Vector before = overlap(from), change = overlap(to) - before;
    const auto slope_at = [&](double part) {
      return slope + part * curvature + (before + part * change).cwiseMax(0).dot(change) / skin;
    };
    if (slope_at(1) <= 0) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (low + high);
      (slope_at(middle) <= 0 ? low : high) = middle;
    }
    return high;
  }

  const Matrix& matrix_;
  const LooseMotions& motions_;
  const Vector& right_;
  double overlap_unit_;
};

}  // namespace

Vector solve_contact(const Matrix& matrix, double skin, const LooseMotions& motions, const Vector& right) {
  const ContactEnergy energy(matrix, motions, right);
  const Index n = right.size();
  State state{Vector::Zero(n), Vector::Zero(n), Vector::Zero(motions.at_contact.cols())};
  if (!(energy.overlap_unit() > 0)) return state.force;  // nothing touches
  // With a thin skin from the start, the set of touching contacts would change for many steps. A thick skin needs few
  // steps, and its solution is a good start for the next thinner one.
  for (double thick = matrix.diagonal().maxCoeff(); thick > skin; thick /= 10) energy.find_lowest(state, thick);
  energy.find_lowest(state, skin);
  return state.force.cwiseMax(0);
}

}  // namespace scree::modes
