#include <algorithm>

#include "host/clumps/orientation.hpp"
#include "host/geometry/box_of_most.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/grains/grain_overlap.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/placed_group.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// The place of a particle among the groups. Particles that were there before have the number of groups as `group`.
struct Origin {
  std::size_t group, index;
  bool operator==(const Origin&) const = default;
};
/// A sphere, a member of a clump with a given orientation, or the ball about a grain or about a clump with a random
/// orientation.
struct Ball {
  Origin origin;
  Real3 centre{};                              ///< [m]
  double radius = 0;                           ///< [m]
  std::optional<grains::PlacedGrain> grain{};  ///< for a level-set grain with a given orientation
  bool is_around = false;                      ///< it is, or may be, the ball about a body without a given orientation
};

class DeepOverlaps {
 public:
  DeepOverlaps(const Case& input, const Shapes& shapes, const packing::Spheres& standing,
               const std::vector<PlacedGroup>& groups, const std::optional<PeriodicCell>& cell,
               std::vector<InputProblem>& problems)
      : input_(input), shapes_(shapes), standing_(standing), groups_(groups), problems_(problems) {
    if (!cell) { return; }
    given_cell_ = *cell;
    cell_.emplace(*cell);
  }

  void find() {
    std::size_t count = 0;
    double widest = 0;
    for (const PlacedGroup& group : groups_) {
      count += group.size();
      for (const double radius : group.spheres.radius) { widest = std::max(widest, radius); }
    }
    for (const double radius : standing_.radius) { widest = std::max(widest, radius); }
    if (count == 0 || count + standing_.radius.size() < 2 ||
        (cell_ && !is_wide_enough(input_, given_cell_, widest, problems_))) {
      return;
    }
    look(parts());
  }

 private:
  [[nodiscard]] std::vector<Ball> parts() const {
    std::vector<Ball> all;
    for (std::size_t i = 0; i < standing_.radius.size(); ++i) {
      all.push_back({{groups_.size(), i}, standing_.position[i], standing_.radius[i], {}, !shapes_.clumps.empty()});
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const PlacedGroup& group = groups_[g];
      for (std::size_t i = 0; i < group.size(); ++i) {
        const Real3& centre = group.spheres.position[i];
        const auto orientation = given_orientation(input_, shapes_.clumps, group, i);
        if (!orientation) {
          all.push_back({{g, i}, centre, group.spheres.radius[i], {}, group.shape.has_value()});
          continue;
        }
        const ClumpShape& shape = shapes_.clumps[*group.shape];
        const double size = group.spheres.radius[i] / shape.bounding_radius;
        if (shape.grain) {
          const grains::PlacedGrain grain{&shapes_.grains[*shape.grain], centre, *orientation, size};
          all.push_back({{g, i}, centre, group.spheres.radius[i], grain});
          continue;
        }
        for (std::size_t k = 0; k < shape.radius.size(); ++k) {
          const Real3 arm = clumps::turned(*orientation, shape.position[k]);
          all.push_back({{g, i}, geometry::along(centre, size, arm), size * shape.radius[k]});
        }
      }
    }
    return all;
  }

  [[nodiscard]] packing::SphereGrid empty_grid(const std::vector<Ball>& parts) const {
    std::vector<Real3> centres;
    double largest = 0;
    for (const Ball& part : parts) {
      largest = std::max(largest, part.radius);
      centres.push_back(part.centre);
    }
    if (cell_) { return {*cell_, largest, parts.size()}; }
    return {geometry::box_of_most(centres), largest, parts.size()};
  }

  void look(const std::vector<Ball>& parts) {
    constexpr double rounding = 1e-9;  // spheres that just touch may overlap by this
    constexpr std::size_t most_reports = 5,
                          most_counted = 1000;  // if all lie on each other, the number of pairs is quadratic
    packing::SphereGrid grid = empty_grid(parts);
    std::size_t found = 0;
    for (const Ball& part : parts) {
      grid.visit_near(part.centre, part.radius, [&](std::uint32_t other, const Real3& place, double other_radius) {
        const Origin& earlier = parts[other].origin;
        const double smaller = std::min(part.radius, other_radius);
        double overlap = part.radius + other_radius - geometry::length(geometry::subtract(place, part.centre));
        if (earlier == part.origin || is_standing(part.origin) || are_bonded(earlier, part.origin)) { return true; }
        const double most = (allowed(earlier, part.origin) + rounding) * smaller;
        if (overlap > most) { overlap = overlap_at_surfaces(part, parts[other], place).value_or(overlap); }
        if (overlap > most && ++found <= most_reports) { report(earlier, part.origin, overlap / smaller); }
        return found < most_counted;
      });
      if (found == most_counted) { break; }
      grid.insert(part.centre, part.radius);
    }
    if (found > most_reports) {
      problems_.push_back({"particles", "and " + std::string(found == most_counted ? "at least " : "") +
                                            count_text(found - most_reports) + " more pairs overlap like these"});
    }
  }

  /// [m] The overlap of a grain with a given orientation and another such grain or a sphere; none for other pairs.
  /// `place` [m] is the position of the near image of `other`.
  [[nodiscard]] static std::optional<double> overlap_at_surfaces(const Ball& ball, const Ball& other,
                                                                 const Real3& place) {
    std::optional<grains::PlacedGrain> there = other.grain;
    if (there) { there->centre = place; }
    if (ball.grain && there) { return grains::overlap_of(*ball.grain, *there); }
    if (ball.grain && !other.is_around) { return grains::overlap_of(*ball.grain, place, other.radius); }
    if (there && !ball.is_around) { return grains::overlap_of(*there, ball.centre, ball.radius); }
    return std::nullopt;
  }

  /// Whether the sphere was there before any entry was placed.
  [[nodiscard]] bool is_standing(const Origin& sphere) const { return sphere.group == groups_.size(); }

  /// Whether both spheres are nodes of one membrane: their bonds have no force at the start.
  [[nodiscard]] bool are_bonded(const Origin& earlier, const Origin& later) const {
    return earlier.group == later.group && groups_[later.group].lattice;
  }

  /// [-] The overlap over the smaller radius that two particles may have: the larger one of the values of their
  /// entries. A sphere that was there before has no value of its own.
  [[nodiscard]] double allowed(const Origin& earlier, const Origin& later) const {
    const auto of = [&](const Origin& sphere) {
      return input_.particles[groups_[sphere.group].entry].allow_overlap.value_or(default_allowed_overlap);
    };
    return is_standing(earlier) ? of(later) : std::max(of(earlier), of(later));
  }

  [[nodiscard]] std::string name_of(const Origin& sphere) const {
    const PlacedGroup& group = groups_[sphere.group];
    if (group.line.empty()) {
      return (!group.shape                         ? "sphere "
              : shapes_.clumps[*group.shape].grain ? "grain "
                                                   : "clump ") +
             std::to_string(sphere.index + 1);
    }
    return "line " + std::to_string(group.line[sphere.index]);
  }

  void report(const Origin& first, const Origin& second, double depth) {
    const PlacedGroup& later = groups_[second.group];
    std::string other;
    if (is_standing(first)) {
      other = "particle " + std::to_string(first.index) + " of the start";
    } else {
      other = name_of(first) + (first.group == second.group ? "" : " of " + groups_[first.group].path);
    }
    const ParticleGroup& entry = input_.particles[later.entry];
    const char* const source = entry.file       ? ".file"
                               : entry.lattice  ? ".lattice"
                               : entry.membrane ? ".membrane"
                                                : ".positions";
    problems_.push_back({later.path + source,
                         name_of(second) + " overlaps " + other + " by " + short_number_text(100 * depth, 3) +
                             " % of the smaller radius; at most " + short_number_text(100 * allowed(first, second), 3) +
                             " % is allowed, which " + later.path + ".allow_overlap can change"});
  }

  const Case& input_;
  Shapes shapes_;
  const packing::Spheres& standing_;
  const std::vector<PlacedGroup>& groups_;
  std::vector<InputProblem>& problems_;
  std::optional<geometry::CellFrame> cell_;
  PeriodicCell given_cell_{};
};

}  // namespace

void find_deep_overlaps(const Case& input, const Shapes& shapes, const packing::Spheres& standing,
                        const std::vector<PlacedGroup>& groups, const std::optional<PeriodicCell>& cell,
                        std::vector<InputProblem>& problems) {
  DeepOverlaps(input, shapes, standing, groups, cell, problems).find();
}

}  // namespace scree
