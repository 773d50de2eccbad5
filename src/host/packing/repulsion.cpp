#include "host/packing/repulsion.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/real3.hpp"

namespace scree::packing {

using namespace geometry;

Repulsion::Repulsion(const FillRegion& region, const Spheres& obstacles, const std::vector<double>& radii)
    : region_(region), obstacles_(obstacles), full_(radii), radius_(radii.size()), force_(radii.size()) {
  largest_ = *std::max_element(radii.begin(), radii.end());
}

bool Repulsion::relax(double scale, int most_moves) {
  for (std::size_t i = 0; i < full_.size(); ++i) radius_[i] = scale * full_[i];
  find_pairs();
  // FIRE: the spheres move without damping, in longer and longer steps, while the energy falls; otherwise they stop.
  constexpr double first_step = 0.1, longest_step = 0.4, first_mix = 0.1;
  constexpr int wait = 5;
  std::vector<Real3> velocity(position_.size(), Real3{});
  double step = first_step, mix = first_mix;
  int downhill = 0;
  for (int move = 0; move < most_moves; ++move) {
    if (find_forces()) return true;
    double power = 0, speed = 0, force = 0;
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      power += dot(velocity[i], force_[i]);
      speed += squared_length(velocity[i]);
      force += squared_length(force_[i]);
    }
    if (power < 0) {
      velocity.assign(velocity.size(), Real3{});
      step *= 0.5, mix = first_mix, downhill = 0;
    } else {
      const double turn = force > 0 ? mix * std::sqrt(speed / force) : 0;
      for (std::size_t i = 0; i < velocity.size(); ++i) {
        velocity[i] = along(scaled(velocity[i], 1 - mix), turn, force_[i]);
      }
      if (++downhill > wait) step = std::min(1.1 * step, longest_step), mix *= 0.99;
    }
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      velocity[i] = along(velocity[i], step, force_[i]);
      move_inside(i, scaled(velocity[i], step), velocity[i]);
    }
    if (way_ > 0.5 * skin_) find_pairs();
  }
  return false;
}

/// Moves a sphere by `way` [m], pulled back into the region. Stops the sphere if it would leave the region even so.
void Repulsion::move_inside(std::size_t i, const Real3& way, Real3& velocity) {
  Real3 next = add(position_[i], way);
  // The sphere keeps the distance from the border that it needs when fully grown, because not every region can push
  // back a growing sphere.
  const Real3 inside = region_.pulled_inside(next, full_[i]);
  const Real3 pull =
      region_.cell() != nullptr ? region_.cell()->shortest(subtract(inside, next)) : subtract(inside, next);
  // A smaller pull is only rounding from folding into the periodic cell.
  if (squared_length(pull) > 1e-20 * radius_[i] * radius_[i]) next = add(next, pull);
  if (!region_.holds(next, full_[i])) {
    velocity = Real3{};
    return;
  }
  const double moved = length(subtract(next, at_search_[i]));
  way_ = std::max(way_, moved);
  position_[i] = next;
}

void Repulsion::find_pairs() {
  skin_ = 0.3 * largest_;
  const std::size_t fixed = obstacles_.radius.size();
  SphereGrid grid = grid_with_obstacles(region_, full_, obstacles_);
  for (std::size_t i = 0; i < position_.size(); ++i) {
    if (region_.cell() != nullptr) position_[i] = region_.cell()->folded(position_[i]);
    grid.insert(position_[i], radius_[i]);
  }
  pairs_.clear();
  for (std::size_t i = 0; i < position_.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(fixed + i);
    grid.visit_near(position_[i], radius_[i] + skin_, [&](std::uint32_t other, const Real3& place, double) {
      // In a small cell a sphere may be near its own image. That pair never changes, because the image moves with it.
      if (other < number) {
        const Real3& own = other < fixed ? obstacles_.position[other] : position_[other - fixed];
        pairs_.push_back({static_cast<std::uint32_t>(i), other, subtract(place, own)});
      }
      return true;
    });
  }
  at_search_ = position_;
  way_ = 0;
}

/// Sets the forces [m]: overlaps of slightly larger radii, along the branch vectors. Returns whether no spheres overlap
/// with their actual radii.
bool Repulsion::find_forces() {
  constexpr double larger = 1.001;
  force_.assign(force_.size(), Real3{});
  const auto fixed = static_cast<std::uint32_t>(obstacles_.radius.size());
  bool apart = true;
  for (const NearPair& pair : pairs_) {
    const bool is_fixed = pair.second < fixed;
    const std::uint32_t j = is_fixed ? pair.second : pair.second - fixed;
    const Real3& other = is_fixed ? obstacles_.position[j] : position_[j];
    const double touch = radius_[pair.first] + (is_fixed ? obstacles_.radius[j] : radius_[j]);
    const Real3 branch = subtract(add(other, pair.shift), position_[pair.first]);
    const double squared = squared_length(branch), reach = larger * touch;
    if (squared >= reach * reach) continue;
    const double distance = std::sqrt(squared);
    apart = apart && distance >= touch;
    const Real3 normal = distance > 0 ? scaled(branch, 1 / distance) : Real3{1, 0, 0};
    force_[pair.first] = along(force_[pair.first], distance - reach, normal);
    if (!is_fixed) force_[j] = along(force_[j], reach - distance, normal);
  }
  return apart;
}

}  // namespace scree::packing
