#include "host/scene/build_scene/particles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/clumps/orientation.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice.hpp"
#include "host/packing/particle_file.hpp"
#include "host/packing/sizes.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using packing::Spheres;

struct Group {
  std::string path;  ///< "particles.0"
  std::uint32_t material = 0;
  std::optional<std::uint32_t> shape;  ///< none: spheres
  double around = 1;                   ///< [-] radius of the ball about a clump over its equivalent radius
  SizeDistribution sizes;              ///< [m] of spheres, or of the balls about clumps
  Spheres spheres;
  std::vector<Real3> velocity, angular_velocity;  ///< of a file; may be empty
  std::vector<QuaternionWxyz> orientation;        ///< of a file of clumps; may be empty
  std::vector<std::size_t> line;                  ///< of a file
};

/// Where a sphere of files and lattices comes from.
struct Origin {
  std::size_t group, index;
  bool operator==(const Origin&) const = default;
};
/// A sphere, a member of a clump whose orientation is given, or the ball about one that is turned by chance.
struct Part {
  Origin origin;
  Real3 centre{};     ///< [m]
  double radius = 0;  ///< [m]
};

class Placement {
 public:
  Placement(const Case& input, const std::vector<ClumpShape>& shapes, const std::optional<PeriodicCell>& cell,
            std::vector<std::string>& warnings, std::vector<InputProblem>& problems)
      : case_(input), shapes_(shapes), warnings_(warnings), problems_(problems), groups_(input.particles.size()) {
    if (!cell) return;
    given_cell_ = *cell;
    cell_.emplace(*cell);
  }

  ParticleSet place() {
    std::vector<bool> sound(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) sound[g] = resolve(g);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (sound[g]) place_given(g);
    }
    find_deep_overlaps();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (sound[g] && case_.particles[g].fill) fill(g);
    }
    return join();
  }

 private:
  /// False where its shape has a problem of its own.
  bool resolve(std::size_t g) {
    const ParticleGroup& source = case_.particles[g];
    Group& group = groups_[g];
    group.path = "particles." + std::to_string(g);
    group.material = material_index(case_, source.material);
    if (source.shape != "sphere" && !choose_shape(group, source)) { return false; }
    if (source.radius) group.sizes = scaled(*source.radius, group.around);
    return true;
  }

  /// With the ball about a clump in place of a sphere.
  bool choose_shape(Group& group, const ParticleGroup& source) {
    group.shape = shape_index(case_, source);
    const ClumpShape& shape = shapes_.at(*group.shape);
    if (shape.radius.empty()) return false;  // said by make_shapes
    group.around = shape.bounding_radius / equivalent_radius(shape);
    group.sizes = FixedSize{shape.bounding_radius};
    return true;
  }

  void place_given(std::size_t g) {
    const ParticleGroup& source = case_.particles[g];
    Group& group = groups_[g];
    if (source.lattice) {
      collect(problems_, group.path + ".lattice",
              [&] { group.spheres = packing::lattice_spheres(*source.lattice, group.sizes, case_.seed, g); });
    }
    if (source.file) {
      collect_from_file(problems_, group.path + ".file", [&] {
        auto table = packing::read_particles(case_.folder / *source.file);
        group.spheres = {std::move(table.position), std::move(table.radius)};
        group.velocity = std::move(table.velocity);
        group.angular_velocity = std::move(table.angular_velocity);
        group.orientation = std::move(table.orientation);
        group.line = std::move(table.line);
        if (!group.shape && !group.orientation.empty())
          throw CaseError("", "spheres have no orientation: leave out qw, qx, qy, qz");
        for (double& radius : group.spheres.radius) radius *= group.around;  // equivalent radii of clumps
      });
    }
  }

  void fill(std::size_t g) {
    const ParticleGroup& source = case_.particles[g];
    // Balls have as many images about them as the cell is smaller than they.
    if (cell_ && !is_wide_enough(case_, given_cell_, packing::largest_size(groups_[g].sizes), problems_)) return;
    collect(problems_, groups_[g].path + ".fill", [&] {
      const auto region = packing::make_region(source.fill->region, case_.folder, warnings_, cell_ ? &*cell_ : nullptr);
      Spheres obstacles;
      for (const Group& other : groups_) append(obstacles, other.spheres);
      groups_[g].spheres = packing::fill_region(*region, around(g), groups_[g].sizes, obstacles, case_.seed, g,
                                                cell_ ? &*cell_ : nullptr);
      if (groups_[g].spheres.radius.empty()) {
        throw CaseError("", "places no particle: the solid fraction asked for is less than that of one");
      }
    });
  }

  /// The fill as one of the balls about its particles.
  [[nodiscard]] Fill around(std::size_t g) const {
    Fill fill = *case_.particles[g].fill;
    if (!fill.solid_fraction || !groups_[g].shape) return fill;
    constexpr double most = 0.55;  // of balls; denser takes shaking, not placing
    const double around = groups_[g].around, balls = around * around * around * *fill.solid_fraction;
    if (balls > most) {
      throw CaseError(
          "solid_fraction",
          "must be at most " + number_text(std::floor(1000 * most / std::pow(groups_[g].around, 3)) / 1000) +
              ", since clumps are placed by the balls about them, got " + number_text(*fill.solid_fraction));
    }
    fill.solid_fraction = balls;
    return fill;
  }

  static void append(Spheres& all, const Spheres& more) {
    all.position.insert(all.position.end(), more.position.begin(), more.position.end());
    all.radius.insert(all.radius.end(), more.radius.begin(), more.radius.end());
  }

  /// The orientation of the principal axes of a clump. None where the case gives no orientation: it is random then.
  [[nodiscard]] std::optional<QuaternionWxyz> given_orientation(const Origin& clump) const {
    const Group& group = groups_[clump.group];
    const auto& common = case_.particles[clump.group].orientation;
    if (!group.shape || (group.orientation.empty() && !common)) return std::nullopt;
    return placed_orientation(shapes_[*group.shape],
                              group.orientation.empty() ? *common : group.orientation[clump.index]);
  }
  [[nodiscard]] std::vector<Part> parts_of_given() const;
  void find_deep_overlaps();
  [[nodiscard]] std::string name_of(const Origin& sphere) const {
    const Group& group = groups_[sphere.group];
    if (group.line.empty()) return (group.shape ? "clump " : "sphere ") + std::to_string(sphere.index + 1);
    return "line " + std::to_string(group.line[sphere.index]);
  }
  /// The overlap that two entries allow each other: the larger one of theirs, as a fraction of the smaller radius.
  [[nodiscard]] double allowed_overlap(std::size_t g, std::size_t h) const {
    const auto of = [&](std::size_t k) { return case_.particles[k].allow_overlap.value_or(default_allowed_overlap); };
    return std::max(of(g), of(h));
  }
  void report_overlap(const Origin& first, const Origin& second, double depth) {
    const Group &earlier = groups_[first.group], &later = groups_[second.group];
    const bool same = first.group == second.group;
    problems_.push_back({later.path + (later.line.empty() ? ".lattice" : ".file"),
                         name_of(second) + " overlaps " + name_of(first) + (same ? "" : " of " + earlier.path) +
                             " by " + short_number_text(100 * depth, 3) + " % of the smaller radius; at most " +
                             short_number_text(100 * allowed_overlap(first.group, second.group), 3) +
                             " % is allowed, which " + later.path + ".allow_overlap can change"});
  }

  ParticleSet join();
  void join_clumps(std::size_t g, ParticleSet& all) const;

  const Case& case_;
  const std::vector<ClumpShape>& shapes_;
  std::vector<std::string>& warnings_;
  std::vector<InputProblem>& problems_;
  std::vector<Group> groups_;
  std::optional<geometry::CellFrame> cell_;
  PeriodicCell given_cell_{};
};

std::vector<Part> Placement::parts_of_given() const {
  std::vector<Part> parts;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    for (std::size_t i = 0; i < group.spheres.radius.size(); ++i) {
      const Real3& centre = group.spheres.position[i];
      const auto orientation = given_orientation({g, i});
      if (!orientation) {
        parts.push_back({{g, i}, centre, group.spheres.radius[i]});
        continue;
      }
      const ClumpShape& shape = shapes_[*group.shape];
      const double size = group.spheres.radius[i] / shape.bounding_radius;
      for (std::size_t k = 0; k < shape.radius.size(); ++k) {
        const Real3 arm = clumps::turned(*orientation, shape.position[k]);
        parts.push_back({{g, i}, geometry::along(centre, size, arm), size * shape.radius[k]});
      }
    }
  }
  return parts;
}

void Placement::find_deep_overlaps() {
  constexpr double rounding = 1e-9;  // of spheres that touch
  constexpr std::size_t most_reports = 5,
                        most_counted = 1000;  // where all lie on each other, pairs are as many as squares
  constexpr double inf = std::numeric_limits<double>::infinity();
  geometry::Bounds box{{inf, inf, inf}, {-inf, -inf, -inf}};
  double largest = 0, widest = 0;
  std::size_t count = 0;
  for (const Group& group : groups_) {
    count += group.spheres.radius.size();
    for (const double radius : group.spheres.radius) widest = std::max(widest, radius);
  }
  if (count < 2 || (cell_ && !is_wide_enough(case_, given_cell_, widest, problems_))) return;
  const std::vector<Part> parts = parts_of_given();
  for (const Part& part : parts) {
    largest = std::max(largest, part.radius);
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], part.centre[k]);
      box.upper[k] = std::max(box.upper[k], part.centre[k]);
    }
  }
  packing::SphereGrid grid =
      cell_ ? packing::SphereGrid(*cell_, largest, parts.size()) : packing::SphereGrid(box, largest, parts.size());
  std::size_t found = 0;
  for (const Part& part : parts) {
    grid.visit_near(part.centre, part.radius, [&](std::uint32_t other, const Real3& place, double other_radius) {
      const Origin& earlier = parts[other].origin;
      const double smaller = std::min(part.radius, other_radius);
      const double overlap = part.radius + other_radius - geometry::length(geometry::subtract(place, part.centre));
      const bool deep = overlap > (allowed_overlap(earlier.group, part.origin.group) + rounding) * smaller;
      if (deep && !(earlier == part.origin) && ++found <= most_reports)
        report_overlap(earlier, part.origin, overlap / smaller);
      return found < most_counted;
    });
    if (found == most_counted) break;
    grid.insert(part.centre, part.radius);
  }
  if (found > most_reports) {
    problems_.push_back({"particles", "and " + std::string(found == most_counted ? "at least " : "") +
                                          count_text(found - most_reports) + " more pairs overlap like these"});
  }
}

ParticleSet Placement::join() {
  std::uint64_t total = 0;
  for (const Group& group : groups_) {
    total += group.spheres.radius.size() * (group.shape ? shapes_[*group.shape].radius.size() : 1);
  }
  if (total > packing::most_particles) {
    problems_.push_back({"particles", "are " + count_text(total) + ", more than the " +
                                          count_text(packing::most_particles) + " that ids can tell apart"});
    return {};
  }
  ParticleSet all;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.shape) {
      join_clumps(g, all);
      continue;
    }
    const std::size_t count = group.spheres.radius.size(), end = all.size() + count;
    all.position.insert(all.position.end(), group.spheres.position.begin(), group.spheres.position.end());
    all.radius.insert(all.radius.end(), group.spheres.radius.begin(), group.spheres.radius.end());
    all.material.resize(end, group.material);
    const auto take = [&](std::vector<Real3>& to, const std::vector<Real3>& own, const Real3& common) {
      to.insert(to.end(), own.begin(), own.end());
      to.resize(end, common);
    };
    take(all.velocity, group.velocity, case_.particles[g].velocity);
    take(all.angular_velocity, group.angular_velocity, case_.particles[g].angular_velocity);
    if (!case_.groups.empty()) all.group.resize(end, group_index(case_, g));
  }
  return all;
}

void Placement::join_clumps(std::size_t g, ParticleSet& all) const {
  const Group& group = groups_[g];
  const ParticleGroup& source = case_.particles[g];
  const ClumpShape& shape = shapes_[*group.shape];
  // streams of fills are numbered from 0, inlets beyond
  packing::Random random(case_.seed, (std::uint64_t{1} << 62U) + g);
  for (std::size_t i = 0; i < group.spheres.radius.size(); ++i) {
    const auto given = given_orientation({g, i});
    append_clump(all, shape, *group.shape, group.spheres.radius[i] / shape.bounding_radius, group.spheres.position[i],
                 given ? *given : clumps::random_orientation(random),
                 group.velocity.empty() ? source.velocity : group.velocity[i],
                 group.angular_velocity.empty() ? source.angular_velocity : group.angular_velocity[i], group.material);
  }
  if (!case_.groups.empty()) all.group.resize(all.size(), group_index(case_, g));
}

}  // namespace

ParticleSet place_particles(const Case& input, const std::vector<ClumpShape>& shapes,
                            const std::optional<PeriodicCell>& cell, std::vector<std::string>& warnings,
                            std::vector<InputProblem>& problems) {
  return Placement(input, shapes, cell, warnings, problems).place();
}

}  // namespace scree
