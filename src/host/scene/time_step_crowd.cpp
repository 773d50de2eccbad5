#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "host/case/laws.hpp"
#include "host/geometry/infinite.hpp"
#include "host/packing/exact_math.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/crowded_step.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

// Numbers of contacts of a particle that an automatic step allows for. They were measured; see docs/theory.md. With
// Hertz's force it is the number of contacts, each as stiff as the stiffest one, that would hold a particle as firmly
// as all its contacts do. For clumps the number is per surface of the sphere of the same volume. It is larger than for
// spheres, because a neighbour in a notch touches two members.
constexpr double linear_contacts = 8, hertz_contacts = 5.5, hertz_clump_contacts = 8;
// Adhesive contacts all have about the same stiffness, whatever their load, and pull more neighbours near.
constexpr double adhesive_contacts = 10;
constexpr double boundary_contacts = 3;  // a sphere in the corner of a box touches three walls
// Bonds hold all neighbours, also those at a distance: twelve in a close packing of spheres, or as many as fit into the
// interaction range at the density of that packing. If they lie on one side of the particle, they hold it more firmly.
// The factor `uneven` allows for this: with it, steps are 0.91 to 0.93 of the critical step if dashpots are strong.
constexpr double close_neighbours = 12, close_packing = 0.7405, uneven = 1.1;
constexpr double resting_overlap = 0.05,
                 largest_overlap = 0.2;  // [-] over the radius; above the first value, runs give a warning

/// The smallest particles of a material: spheres, or clumps of one shape.
struct CrowdBody {
  std::size_t material = 0;
  std::optional<std::size_t> shape = {};
  double size = infinite;  ///< [m] radius of a sphere; [-] size of a clump over that of its shape
};

std::vector<CrowdBody> smallest_bodies(const Scene& scene) {
  std::map<std::pair<std::size_t, std::size_t>, CrowdBody> found;  // by material and shape + 1
  const auto note = [&](std::size_t material, std::optional<std::size_t> shape, double size) {
    CrowdBody& body = found.try_emplace({material, shape ? *shape + 1 : 0}, CrowdBody{material, shape}).first->second;
    body.size = std::min(body.size, size);
  };
  const ParticleSet& particles = scene.particles;
  std::vector<bool> is_member(particles.size());
  for (const Clump& clump : particles.clumps) {
    note(particles.material.at(clump.first), clump.shape, clump.size);
    for (std::size_t k = 0; k < scene.clump_shapes.at(clump.shape).radius.size(); ++k) {
      is_member.at(clump.first + k) = true;
    }
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!is_member[i]) note(particles.material[i], {}, particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.shape) {
      note(inlet.material, *inlet.shape, inlet.smallest_clump / equivalent_radius(scene.clump_shapes.at(*inlet.shape)));
    } else {
      note(inlet.material, {}, inlet.smallest_radius);
    }
  }
  visit_fragments(scene.breakage, [&](double radius, std::size_t material) { note(material, {}, radius); });
  std::vector<CrowdBody> bodies;
  bodies.reserve(found.size());
  for (const auto& entry : found) bodies.push_back(entry.second);
  return bodies;
}

/// Order by which the meetings of one material are found.
struct ByMaterial {
  bool operator()(const Meeting& meeting, std::size_t material) const { return meeting.material < material; }
  bool operator()(std::size_t material, const Meeting& meeting) const { return material < meeting.material; }
};

/// The surface of a level-set grain at size 1: its nodes.
std::vector<clumps::SurfacePoint> surface_of_grain(const GrainShape& grain) {
  std::vector<clumps::SurfacePoint> points;
  points.reserve(grain.node.size());
  for (std::size_t k = 0; k < grain.node.size(); ++k) {
    points.push_back({0, grain.node[k], grain.node_normal[k], grain.node_area[k]});
  }
  return points;
}

/// A body that many neighbours touch: particles of one kind and boundaries of one kind.
class Crowd {
 public:
  Crowd(const Scene& scene, const CrowdBody& body, double speed) : scene_(scene), body_(body), speed_(speed) {
    const Material& material = scene.materials[body.material];
    if (!body.shape) {
      radius_ = {body.size};
      mass_ = sphere_mass(material, body.size);
      return;
    }
    const ClumpShape& shape = scene.clump_shapes[*body.shape];
    mass_ = material.density * shape.volume * (body.size * body.size * body.size);
    if (shape.grain) {  // contacts use the radius of the sphere of its volume
      radius_ = {equivalent_radius(shape) * body.size};
      points_ = surface_of_grain(scene.grain_shapes.at(*shape.grain));
    } else {
      for (const double radius : shape.radius) radius_.push_back(radius * body.size);
      points_ = clumps::surface_points(shape);
    }
    if (shape.radius.size() > 1 || shape.grain) {
      double area = 0;
      for (const auto& point : points_) area += point.area;
      const double own = equivalent_radius(shape);
      surface_ = area / (4 * std::numbers::pi * own * own);
    }
  }

  [[nodiscard]] bool is_clump() const { return radius_.size() > 1; }

  /// [-] The largest overlap over the radius of a member.
  [[nodiscard]] double overlap(const Meeting& meeting) const {
    double most = 0;
    for (const double radius : radius_) most = std::max(most, overlap(meeting, radius));
    return most;
  }

  /// The number of contacts of a body.
  [[nodiscard]] double contacts(const Meeting& meeting) const {
    const bool grain = body_.shape && scene_.clump_shapes[*body_.shape].grain;
    if (needs_of(meeting.law).makes_bonds() && !grain) {
      const double range = meeting.pair.bond.interaction_range;
      return surface_ * uneven * std::max(close_neighbours, 8 * close_packing * range * range * range - 1);
    }
    if (!is_hertz(meeting)) return surface_ * linear_contacts;
    const double pressed = is_clump() ? hertz_clump_contacts : hertz_contacts;
    return surface_ * (pressed + adhesive_share(meeting) * (adhesive_contacts - pressed));
  }

  /// [s] The critical step. Unless `boundary` is null, `boundary_contacts` of the contacts (per surface) are with it.
  [[nodiscard]] double step(const Meeting& meeting, const Meeting* boundary) const {
    const double walls = boundary != nullptr ? surface_ * boundary_contacts : 0;
    std::vector<std::vector<CrowdContact>> of_member;
    for (const double radius : radius_) {
      // The factor 2 counts that both bodies of a contact move.
      of_member.push_back({{springs(meeting, radius), 2 * (contacts(meeting) - walls)}});
      if (boundary != nullptr) of_member.back().push_back({springs(*boundary, radius), walls});
    }
    if (!body_.shape) return crowded_sphere_step(mass_, body_.size, of_member.front());
    return crowded_clump_step(scene_.clump_shapes[*body_.shape], points_, body_.size,
                              scene_.materials[body_.material].density, of_member);
  }

  /// [-] The part of the overlap of contacts that their adhesion causes.
  [[nodiscard]] double adhesive_share(const Meeting& meeting) const {
    double most = 0;
    for (const double radius : radius_) most = std::max(most, adhesive_overlap(meeting, radius, 0));
    return most / overlap(meeting);
  }

  [[nodiscard]] static bool is_hertz(const Meeting& meeting) { return needs_of(meeting.law).held_by == HeldBy::hertz; }

 private:
  [[nodiscard]] static bool adheres(const Meeting& meeting) {
    return is_widened_by_adhesion(meeting.law, meeting.pair);
  }
  [[nodiscard]] EffectiveModuli moduli(const Meeting& meeting) const {
    return effective_moduli(scene_.materials[body_.material], meeting.partner.material, meeting.pair);
  }
  [[nodiscard]] double overlap(const Meeting& meeting, double radius) const {
    const double pushed =
        std::clamp(impact_overlap(mass_, radius, moduli(meeting).young, speed_), resting_overlap, largest_overlap);
    return adhesive_overlap(meeting, radius, pushed);
  }
  /// [-] The overlap over the radius of a Hertzian contact that is as wide as the adhesive contact (JKR). The load is
  /// the one that makes the overlap `pushed` without adhesion. With the contact radii a of the adhesive contact, h
  /// without adhesion and z without load: z^3 = 9 pi gamma R^2 / E* and a^3 = h^3 + z^3/2 + sqrt(h^3 z^3 + z^6/4). This
  /// is the width that matters in a packing, where the adhesion of its neighbours presses on a contact.
  [[nodiscard]] double adhesive_overlap(const Meeting& meeting, double radius, double pushed) const {
    if (!adheres(meeting)) return pushed;
    const double effective = 0.5 * radius, squared = pushed * radius * effective;
    const double h3 = squared * std::sqrt(squared);
    const double z3 =
        9 * std::numbers::pi * meeting.pair.surface_energy * effective * effective / moduli(meeting).young;
    const double wide = packing::exact_cbrt(h3 + 0.5 * z3 + std::sqrt(h3 * z3 + 0.25 * z3 * z3));
    return wide * wide / effective / radius;
  }
  [[nodiscard]] ContactSprings springs(const Meeting& meeting, double radius) const {
    const Material& own = scene_.materials[body_.material];
    const Partner& partner = meeting.partner;
    const ContactSide side{radius, mass_};
    ContactSide other = side;
    ContactSprings k;
    if (is_hertz(meeting)) {
      if (partner.wall) other.mass = infinite;
      k = hertz_springs(moduli(meeting), side, other, meeting.pair, radius * overlap(meeting, radius));
    } else {
      const bool bonded = needs_of(meeting.law).makes_bonds();
      if (!partner.wall) other.radius = bonded ? std::max(radius, partner.radius) : partner.radius;
      other.mass = partner.wall ? infinite : (body_.shape ? mass_ : sphere_mass(partner.material, partner.radius));
      k = linear_springs(own, side, partner.material, other, meeting.pair, bonded);
      other = {radius, partner.wall ? infinite : mass_};
    }
    add_liquid(k, meeting.pair, side, other);
    add_rolling(k, meeting.pair.rolling, side, other);
    return k;
  }

  const Scene& scene_;
  const CrowdBody& body_;
  double speed_;
  double mass_ = 0;
  std::vector<double> radius_;  ///< [m] radii of the members
  /// [-] surface of the body over that of the sphere of the same volume; the number of contacts is proportional to it
  double surface_ = 1;
  std::vector<clumps::SurfacePoint> points_;
};

/// Describes the critical step of a body: "critical step of glass spheres of radius 1 mm with 5.5 contacts ...".
std::string crowd_text(const Scene& scene, const std::vector<std::string>& names, const CrowdBody& body,
                       const Crowd& crowd, double speed, const Meeting& meeting, const Meeting* boundary) {
  const bool clump = body.shape.has_value();
  const double radius = clump ? body.size * equivalent_radius(scene.clump_shapes[*body.shape]) : body.size;
  const std::string kind = !clump ? " spheres" : scene.clump_shapes[*body.shape].grain ? " grains \"" : " clumps \"";
  std::string text = "critical step of " + names[body.material] + kind +
                     (clump ? scene.clump_shapes[*body.shape].name + "\"" : "") + " of radius " + length_text(radius) +
                     " with " + short_number_text(crowd.contacts(meeting), 2) + " contacts";
  if (Crowd::is_hertz(meeting)) {
    const double overlap = crowd.overlap(meeting);
    text += " that overlap by " + short_number_text(100 * overlap, 2) + " % of " +
            (crowd.is_clump() ? "the radius of a member" : "the radius");
    if (crowd.adhesive_share(meeting) >= 0.5) {
      text += " by their adhesion";
    } else if (overlap > resting_overlap) {
      text += " on impact at " + short_number_text(speed, 2) + " m/s";
    }
  }
  return boundary != nullptr ? text + ", some with boundary \"" + boundary->boundary->name + "\"" : text;
}

}  // namespace

TimeStepLimit crowded_step_limit(const Scene& scene, const std::vector<std::string>& names, double speed) {
  TimeStepLimit limit{infinite, "nothing"};
  const std::vector<Meeting> all = meetings(scene);
  for (const CrowdBody& body : smallest_bodies(scene)) {
    const Crowd crowd(scene, body, speed);
    // First finds the partner among the particles that makes the step shortest, then the boundary that makes it
    // shortest in addition.
    const Meeting* partner = nullptr;
    const Meeting* boundary = nullptr;
    double least = infinite;
    const auto look_at = [&](const Meeting* with, const Meeting* wall) {
      const double value = crowd.step(*with, wall);
      if (!(value < least)) return;
      least = value, partner = with, boundary = wall;
    };
    const auto [begin, end] = std::equal_range(all.begin(), all.end(), body.material, ByMaterial{});
    for (auto meeting = begin; meeting != end; ++meeting) {
      if (meeting->boundary == nullptr) look_at(&*meeting, nullptr);
    }
    if (partner == nullptr) continue;
    const Meeting* among = partner;
    std::vector<bool> seen(scene.materials.size());
    for (auto meeting = begin; meeting != end; ++meeting) {
      if (meeting->boundary == nullptr || seen[meeting->partner_material]) continue;
      seen[meeting->partner_material] = true;
      look_at(among, &*meeting);
    }
    if (least < limit.value) limit = {least, crowd_text(scene, names, body, crowd, speed, *partner, boundary)};
  }
  return limit;
}

}  // namespace scree
