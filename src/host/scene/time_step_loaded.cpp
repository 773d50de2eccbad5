#include <algorithm>
#include <cmath>
#include <vector>

#include "host/case/laws.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/box_of_most.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/geometry/infinite.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/crowded_step.hpp"
#include "host/scene/time_step.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

using namespace geometry;

/// A sphere or a clump with the springs of its contacts.
struct LoadedBody {
  double mass = 0;                            ///< [kg]
  Real3 inertia{};                            ///< [kg m2]
  Real3 centre{};                             ///< [m]
  clumps::Orientation into_axes{1, 0, 0, 0};  ///< turns the axes of the world into the principal axes
  BodySprings springs{};
};

class LoadedBodies {
 public:
  explicit LoadedBodies(const Scene& scene) : scene_(scene), body_(scene.particles.size(), none) {
    const ParticleSet& all = scene.particles;
    for (const Clump& clump : all.clumps) {
      const ClumpShape& shape = scene.clump_shapes[clump.shape];
      for (std::size_t k = 0; k < shape.radius.size(); ++k) {
        body_[clump.first + k] = shape.grain ? left_out : bodies_.size();
      }
      if (shape.grain) continue;
      const double density = scene.materials[all.material[clump.first]].density, cube = std::pow(clump.size, 3);
      const auto& [w, x, y, z] = clump.orientation;
      bodies_.push_back({density * shape.volume * cube,
                         scaled(shape.inertia, density * cube * clump.size * clump.size),
                         clump.position,
                         {w, -x, -y, -z}});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (body_[i] != none) continue;
      body_[i] = bodies_.size();
      const double mass = sphere_mass(scene.materials[all.material[i]], all.radius[i]),
                   inertia = 0.4 * mass * all.radius[i] * all.radius[i];
      bodies_.push_back({mass, {inertia, inertia, inertia}, all.position[i]});
    }
    frame_ = geometry::frame_of(scene.cell);
  }

  [[nodiscard]] double critical_step() {
    const ParticleSet& all = scene_.particles;
    const double largest = all.radius.empty() ? 0 : *std::max_element(all.radius.begin(), all.radius.end());
    packing::SphereGrid grid = frame_ ? packing::SphereGrid(*frame_, largest, all.size())
                                      : packing::SphereGrid(box_of_most(all.position), largest, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      grid.visit_near(all.position[i], all.radius[i], [&](std::uint32_t j, const Real3& place, double radius) {
        const Real3 way = subtract(place, all.position[i]);
        const double overlap = all.radius[i] + radius - length(way);
        if (overlap > 0 && body_[i] != body_[j] && body_[i] != left_out && body_[j] != left_out) {
          add(i, j, way, overlap);
        }
        return true;
      });
      grid.insert(all.position[i], all.radius[i]);
    }
    double least = infinite;
    for (const LoadedBody& body : bodies_) {
      if (body.springs.stiffness[0][0] > 0) least = body.springs.lowered(least, body.mass, body.inertia);
    }
    return least;
  }

 private:
  void add(std::size_t i, std::size_t j, const Real3& way, double overlap) {
    const ParticleSet& all = scene_.particles;
    const std::uint32_t own = all.material[i], other = all.material[j];
    const MaterialPair& pair = scene_.pair(own, other);
    const LawKind law = pair.law.value_or(scene_.law);
    const ContactSide first{all.radius[i], bodies_[body_[i]].mass}, second{all.radius[j], bodies_[body_[j]].mass};
    ContactSprings springs = needs_of(law).held_by == HeldBy::hertz
                                 ? hertzian(own, other, first, second, overlap)
                                 : linear_springs(scene_.materials[own], first, scene_.materials[other], second, pair,
                                                  needs_of(law).makes_bonds());
    add_liquid(springs, pair, first, second);
    add_rolling(springs, pair.rolling, first, second);
    const double distance = length(way);
    if (!(distance > 0)) return;
    const Real3 normal = scaled(way, 1 / distance);
    add_to(bodies_[body_[i]], i, springs, normal, 0.5 * (distance + all.radius[i] - all.radius[j]));
    add_to(bodies_[body_[j]], j, springs, scaled(normal, -1), 0.5 * (distance + all.radius[j] - all.radius[i]));
  }

  [[nodiscard]] ContactSprings hertzian(std::uint32_t own, std::uint32_t other, const ContactSide& first,
                                        const ContactSide& second, double overlap) const {
    const MaterialPair& pair = scene_.pair(own, other);
    const EffectiveModuli moduli = effective_moduli(scene_.materials[own], scene_.materials[other], pair);
    if (is_widened_by_adhesion(pair.law.value_or(scene_.law), pair)) {
      overlap = overlap_of_same_width(moduli, first, second, pair, overlap);
    }
    return hertz_springs(moduli, first, second, pair, overlap);
  }

  /// Adds a contact to a body. The contact point is `far` [m] from the centre of sphere `i` along the normal.
  void add_to(LoadedBody& body, std::size_t i, const ContactSprings& springs, const Real3& normal, double far) {
    constexpr double weight = 2;  // the other body moves as much
    Real3 from = subtract(scene_.particles.position[i], body.centre);
    if (frame_) from = frame_->shortest(from);
    body.springs.add(weight, springs, clumps::turned(body.into_axes, normal),
                     clumps::turned(body.into_axes, along(from, far, normal)));
  }

  static constexpr std::size_t none = ~std::size_t{0}, left_out = none - 1;
  const Scene& scene_;
  std::vector<std::size_t> body_;  ///< [n_particles] index into bodies_, or left_out
  std::vector<LoadedBody> bodies_;
  std::optional<CellFrame> frame_;
};

}  // namespace

double loaded_step_limit(const Scene& scene) { return LoadedBodies(scene).critical_step(); }

}  // namespace scree
