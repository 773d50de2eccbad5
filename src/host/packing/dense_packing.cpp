#include <algorithm>
#include <cmath>
#include <optional>

#include "host/geometry/sphere_volume.hpp"
#include "host/packing/exact_math.hpp"
#include "host/packing/fill.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

using namespace geometry;

/// Two spheres that are near each other.
struct NearPair {
  std::uint32_t first;   ///< index of a sphere
  std::uint32_t second;  ///< index of an obstacle, or the number of obstacles plus the index of a sphere
  Real3 shift;           ///< [m] from the second sphere to its image near the first
};

/// Moves overlapping spheres by repulsion until none overlap.
class Repulsion {
 public:
  Repulsion(const FillRegion& region, const Spheres& obstacles, const std::vector<double>& radii)
      : region_(region), obstacles_(obstacles), full_(radii), radius_(radii.size()), force_(radii.size()) {
    largest_ = *std::max_element(radii.begin(), radii.end());
  }

  void start(std::vector<Real3> position) { position_ = std::move(position); }
  [[nodiscard]] const std::vector<Real3>& position() const { return position_; }

  /// Sets the radii to `scale` times the full radii and moves the spheres until none overlap. Returns false if overlaps
  /// are left after `most_moves` moves.
  [[nodiscard]] bool relax(double scale, int most_moves) {
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

 private:
  /// Moves a sphere by `way` [m], pulled back into the region. Stops the sphere if it would leave the region even so.
  void move_inside(std::size_t i, const Real3& way, Real3& velocity) {
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

  void find_pairs() {
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

  /// Sets the forces [m]: overlaps of slightly larger radii, along the branch vectors. Returns whether no spheres
  /// overlap with their actual radii.
  bool find_forces() {
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

  const FillRegion& region_;
  const Spheres& obstacles_;
  const std::vector<double>& full_;  ///< [m] radii when fully grown
  std::vector<double> radius_;       ///< [m] at present
  std::vector<Real3> position_, force_, at_search_;
  std::vector<NearPair> pairs_;
  double largest_ = 0;  ///< [m] largest full radius
  double skin_ = 0;     ///< [m] pairs with a smaller gap are known
  double way_ = 0;      ///< [m] longest way of a sphere since the pairs were found
};

/// A region in which a sphere fits if it still fits after its radius has grown by a factor.
class GrownRegion final : public FillRegion {
 public:
  GrownRegion(const FillRegion& region, double factor) : region_(region), factor_(factor) {}
  [[nodiscard]] std::string name() const override { return region_.name(); }
  [[nodiscard]] Bounds bounds() const override { return region_.bounds(); }
  [[nodiscard]] double volume() const override { return region_.volume(); }
  [[nodiscard]] bool holds(const Real3& centre, double radius) const override {
    return region_.holds(centre, factor_ * radius);
  }
  /// Pulls several times, because a sphere that is pulled off one facet of a mesh may then overlap the next facet.
  [[nodiscard]] Real3 pulled_inside(const Real3& centre, double radius) const override {
    constexpr int pulls = 3;
    const double grown = factor_ * radius;
    Real3 inside = region_.pulled_inside(centre, grown);
    for (int k = 1; k < pulls && !region_.holds(inside, grown); ++k) inside = region_.pulled_inside(inside, grown);
    return inside;
  }
  [[nodiscard]] double margin(double radius) const override { return factor_ * radius; }
  [[nodiscard]] Real3 candidate(double radius, Random& random) const override {
    return region_.candidate(factor_ * radius, random);
  }
  [[nodiscard]] const CellFrame* cell() const override { return region_.cell(); }

 private:
  const FillRegion& region_;
  double factor_;
};

/// Scatters the spheres at random with reduced radii, from which the packing grows. Returns the factor of the radii;
/// nothing if no factor that was tried leaves the spheres without overlaps.
std::optional<double> scatter(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles,
                              double fraction, Random& random, std::vector<Real3>& position) {
  double last = 0;
  for (const double first : {0.5, 0.4, 0.3, 0.2}) {
    const double scale = std::min(1.0, exact_cbrt(first / fraction));
    if (scale == last) continue;  // a thin packing starts with its full radii
    last = scale;
    std::vector<double> small = radii;
    for (double& r : small) r *= scale;
    SphereGrid grid = grid_with_obstacles(region, small, obstacles);
    constexpr double rounding = 1 + 1e-12;  // for a radius that was scaled down and up again
    const Scatter result = relax_from_scatter(GrownRegion(region, rounding / scale), small, grid, random, position);
    if (result == Scatter::apart) return scale;
    // Spheres with smaller radii keep the same distance from the borders. So they find more sites only if obstacles are
    // in the way.
    if (result == Scatter::without_sites && obstacles.radius.empty()) break;
  }
  return std::nullopt;
}

PackingQuality quality_of(const FillRegion& region, const Spheres& spheres, const Spheres& obstacles, double fraction) {
  constexpr double near = 0.01;  // gap of neighbours over the smaller radius
  PackingQuality quality;
  quality.solid_fraction = fraction;
  quality.closest = 1;
  const std::size_t fixed = obstacles.radius.size();
  SphereGrid grid = grid_with_obstacles(region, spheres.radius, obstacles);
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) grid.insert(spheres.position[i], spheres.radius[i]);
  std::size_t neighbours = 0;
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    const double r = spheres.radius[i];
    const Real3 centre = spheres.position[i];
    grid.visit_near(centre, (1 + near) * r, [&](std::uint32_t other, const Real3& place, double other_radius) {
      const Real3 branch = subtract(place, centre);
      if (other == fixed + i && squared_length(branch) < r * r) return true;  // itself
      const double gap = (length(branch) - r - other_radius) / std::min(r, other_radius);
      quality.closest = std::min(quality.closest, gap);
      neighbours += gap < near ? 1 : 0;
      return true;
    });
  }
  quality.coordination = static_cast<double>(neighbours) / static_cast<double>(spheres.radius.size());
  return quality;
}

}  // namespace

double grow_from_scatter(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles,
                         double fraction, const GrowthPatience& patience, Random& random,
                         std::vector<Real3>& position) {
  // In a step the solid fraction grows by `coarse`, and from `fine_from` on by `fine`.
  constexpr double coarse = 0.02, fine = 0.005, fine_from = 0.58;
  const auto scale = scatter(region, radii, obstacles, fraction, random, position);
  if (!scale) return 0;
  Repulsion repulsion(region, obstacles, radii);
  repulsion.start(std::move(position));
  double reached = *scale * *scale * *scale * fraction;
  while (reached < fraction) {
    const double next = std::min(fraction, reached + (reached < fine_from ? coarse : fine));
    const bool last = next == fraction;
    if (!repulsion.relax(last ? 1 : exact_cbrt(next / fraction), last ? patience.last_moves : patience.moves)) break;
    reached = next;
  }
  position = repulsion.position();
  if (region.cell() != nullptr) {
    for (Real3& x : position) x = region.cell()->folded(x);
  }
  return reached;
}

Spheres pack_densely(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles, std::uint64_t seed,
                     std::uint64_t group, const CellFrame* cell, PackingQuality& quality) {
  Random random(seed, 2 * group + 1);
  double fraction = 0;
  for (const double r : radii) fraction += sphere_volume(r);
  fraction /= region.volume();
  const Spheres near = region.cell() != nullptr ? obstacles : obstacles_near(region, obstacles, cell);
  Spheres spheres{{}, std::move(radii)};
  const double reached =
      grow_from_scatter(region, spheres.radius, near, fraction, {5000, 20000}, random, spheres.position);
  if (reached < fraction) {
    throw CaseError("", "cannot grow a random packing of solid fraction " + short_number_text(fraction, 4) +
                            " in this " + region.name() + ": growth stopped at about " + short_number_text(reached, 4) +
                            "; ask for less, or for a wider distribution of sizes");
  }
  if (region.cell() == nullptr && cell != nullptr) expect_apart_across_faces(spheres, *cell, region.name());
  quality = quality_of(region, spheres, near, fraction);
  return spheres;
}

}  // namespace scree::packing
