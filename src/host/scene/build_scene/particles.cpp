#include "host/scene/build_scene/particles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/case/films.hpp"
#include "host/case/particle_kinds.hpp"
#include "host/case/scaled_sizes.hpp"
#include "host/clumps/orientation.hpp"
#include "host/packing/clear_region.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice.hpp"
#include "host/packing/mixture.hpp"
#include "host/packing/particle_file.hpp"
#include "host/packing/sizes.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/repeat_boundaries.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/films.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using packing::Spheres;

constexpr double most_of_balls = 0.55;  // solid fraction of balls about clumps; denser takes shaking, not placing

/// The particles of an entry, or those of one part of its mixture.
struct Group {
  std::size_t entry = 0;  ///< index in Case::particles
  std::size_t part = 0;   ///< of the mixture
  ParticleKind kind;      ///< without a material where a file names one in each line
  std::string path;       ///< "particles.0"
  std::uint32_t material = 0;
  std::optional<std::uint32_t> shape;  ///< none: spheres
  double around = 1;                   ///< [-] radius of the ball about a clump over its equivalent radius
  SizeDistribution sizes;              ///< [m] of spheres, or of the balls about clumps
  Spheres spheres;
  std::vector<Real3> velocity, angular_velocity;     ///< of a file; may be empty
  std::vector<QuaternionWxyz> orientation;           ///< of a file of clumps; may be empty
  std::vector<std::size_t> line;                     ///< of a file
  std::vector<std::uint32_t> material_of, group_of;  ///< of a file that names them; may be empty
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
            std::vector<const SceneBoundary*> boundaries, SceneReport& report, std::vector<InputProblem>& problems)
      : case_(input), shapes_(shapes), boundaries_(std::move(boundaries)), report_(report), problems_(problems) {
    for (std::size_t i = 0; i < input.particles.size(); ++i) {
      const ParticleGroup& entry = input.particles[i];
      first_of_.push_back(groups_.size());
      auto kinds = kinds_of(input, entry);
      if (entry.file && !entry.material) kinds = {{1, {}, entry.shape, {}, entry.group}};
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        Group& group = groups_.emplace_back();
        group.entry = i;
        group.part = k;
        group.kind = std::move(kinds[k]);
      }
    }
    first_of_.push_back(groups_.size());
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
    for (std::size_t e = 0; e < case_.particles.size(); ++e) {
      const auto begin = sound.begin() + static_cast<std::ptrdiff_t>(first_of_[e]);
      const auto end = sound.begin() + static_cast<std::ptrdiff_t>(first_of_[e + 1]);
      if (case_.particles[e].fill && std::find(begin, end, false) == end) fill(e);
    }
    return join();
  }

 private:
  /// False where its shape has a problem of its own.
  bool resolve(std::size_t g) {
    Group& group = groups_[g];
    group.path = "particles." + std::to_string(group.entry);
    if (!group.kind.material.empty()) group.material = material_index(case_, group.kind.material);
    if (group.kind.shape != "sphere" && !choose_shape(group)) { return false; }
    if (group.kind.radius) group.sizes = scaled(*group.kind.radius, group.around);
    return true;
  }

  /// With the ball about a clump in place of a sphere.
  bool choose_shape(Group& group) {
    group.shape = shape_index(case_, group.kind.shape);
    const ClumpShape& shape = shapes_.at(*group.shape);
    if (shape.radius.empty()) return false;  // said by make_shapes
    group.around = shape.bounding_radius / equivalent_radius(shape);
    group.sizes = FixedSize{shape.bounding_radius};
    return true;
  }

  void place_given(std::size_t g) {
    Group& group = groups_[g];
    const ParticleGroup& source = case_.particles[group.entry];
    if (source.lattice) {
      collect(problems_, group.path + ".lattice",
              [&] { group.spheres = packing::lattice_spheres(*source.lattice, group.sizes, case_.seed, group.entry); });
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
        take_names(source, table, group);
      });
    }
  }

  /// The materials and groups that a file names.
  void take_names(const ParticleGroup& source, const packing::ParticleTable& table, Group& group) const {
    if (source.material.has_value() == table.material.has_value()) {
      throw CaseError("", table.material ? "has a column \"material\", so the entry must not name one"
                                         : "has no column \"material\"; add one, or name the material in the entry");
    }
    if (source.group && table.group) throw CaseError("", "has a column \"group\", so the entry must not name one");
    const auto look_up = [](const packing::NameColumn& column, const char* what, const std::vector<std::string>& known,
                            bool may_be_empty) {
      std::vector<std::uint32_t> index_of_name;
      for (std::size_t n = 0; n < column.names.size(); ++n) {
        const std::string& name = column.names[n];
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end() && !(may_be_empty && name.empty())) {
          throw CaseError("", "line " + std::to_string(column.line[n]) + ": no " + what + " is called \"" + name +
                                  "\"; " + (known.empty() ? "the case defines none" : suggestion(name, known)));
        }
        index_of_name.push_back(static_cast<std::uint32_t>(found - known.begin()) + (may_be_empty ? 1 : 0));
        if (name.empty()) index_of_name.back() = 0;
      }
      std::vector<std::uint32_t> indices;
      indices.reserve(column.index.size());
      for (const auto n : column.index) indices.push_back(index_of_name[n]);
      return indices;
    };
    const auto names = [](const auto& named) {
      std::vector<std::string> all;
      for (const auto& [name, value] : named) all.push_back(name);
      return all;
    };
    if (table.material) group.material_of = look_up(*table.material, "material", names(case_.materials), false);
    if (table.group) group.group_of = look_up(*table.group, "group", names(case_.groups), true);
  }

  void fill(std::size_t e) {
    const std::size_t first = first_of_[e], end = first_of_[e + 1];
    for (std::size_t g = first; g < end; ++g) {
      // Balls have as many images about them as the cell is smaller than they.
      if (cell_ && !is_wide_enough(case_, given_cell_, packing::largest_size(groups_[g].sizes), problems_)) return;
    }
    collect(problems_, groups_[first].path + ".fill", [&] {
      const Fill& source = *case_.particles[e].fill;
      auto region = packing::make_region(source.region, case_.folder, report_.warnings, cell());
      if (source.keep_clear && !boundaries_.empty()) {
        region = std::make_unique<packing::ClearRegion>(std::move(region), boundaries_, cell());
      }
      Spheres obstacles;
      for (const Group& other : groups_) append(obstacles, other.spheres);
      if (end - first > 1) {
        fill_with_mixture(e, *region, obstacles);
      } else {
        const Fill balls = around(first);
        groups_[first].spheres =
            placed(e, *region, packing::radii_of_fill(*region, balls, groups_[first].sizes, case_.seed, e), obstacles);
      }
      for (std::size_t g = first; g < end; ++g) {
        if (!groups_[g].spheres.radius.empty()) return;
      }
      throw CaseError("", "places no particle: the solid fraction asked for is less than that of one");
    });
  }

  [[nodiscard]] const geometry::CellFrame* cell() const { return cell_ ? &*cell_ : nullptr; }

  /// Spheres of given radii in the region of an entry.
  Spheres placed(std::size_t e, const packing::FillRegion& region, std::vector<double> radii,
                 const Spheres& obstacles) {
    if (!case_.particles[e].fill->dense || radii.empty()) {
      return packing::place_spheres(region, std::move(radii), obstacles, case_.seed, e, cell());
    }
    packing::PackingQuality quality;
    Spheres spheres = packing::pack_densely(region, std::move(radii), obstacles, case_.seed, e, cell(), quality);
    report_.notes.push_back("particles." + std::to_string(e) + ".fill: dense packing of " +
                            count_text(spheres.radius.size()) + " spheres, solid fraction " +
                            short_number_text(quality.solid_fraction, 4) + ", smallest gap " +
                            short_number_text(100 * quality.closest, 2) + " % of the smaller radius, " +
                            short_number_text(quality.coordination, 3) + " neighbours within 1 % of it per sphere");
    return spheres;
  }

  void fill_with_mixture(std::size_t e, const packing::FillRegion& region, const Spheres& obstacles) {
    const Fill& source = *case_.particles[e].fill;
    const std::size_t first = first_of_[e], count = first_of_[e + 1] - first;
    std::vector<packing::FillKind> kinds;
    bool any_clump = false;
    for (std::size_t k = 0; k < count; ++k) {
      const Group& group = groups_[first + k];
      any_clump = any_clump || group.shape.has_value();
      kinds.push_back({group.kind.mass_fraction, case_.materials[group.material].second.density,
                       scaled(group.sizes, 1 / group.around)});
    }
    expect_spheres(source, any_clump);
    const auto drawn = packing::draw_mixture(source, kinds, region.volume(), case_.seed, e);
    std::vector<double> balls, mass(count);
    double volume = 0, total = 0;
    for (const auto& [kind, radius] : drawn) {
      balls.push_back(groups_[first + kind].around * radius);
      volume += 4.0 / 3.0 * std::numbers::pi * balls.back() * balls.back() * balls.back();
      mass[kind] += 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * kinds[kind].density;
      total += 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * kinds[kind].density;
    }
    if (any_clump && volume > most_of_balls * region.volume()) {
      throw CaseError("",
                      "is too dense: clumps are placed by the balls about them, and balls and spheres have a solid "
                      "fraction of " +
                          short_number_text(volume / region.volume(), 3) + "; at most " + number_text(most_of_balls) +
                          " is possible");
    }
    const Spheres spheres = placed(e, region, std::move(balls), obstacles);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      Spheres& own = groups_[first + drawn[i].kind].spheres;
      own.position.push_back(spheres.position[i]);
      own.radius.push_back(spheres.radius[i]);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t number = groups_[first + k].spheres.radius.size();
      report_.notes.push_back("particles." + std::to_string(e) + ".mixture." + std::to_string(k) + ": " +
                              count_text(number) + (number == 1 ? " particle, " : " particles, ") +
                              short_number_text(100 * mass[k] / (total > 0 ? total : 1), 4) + " % of the mass");
    }
  }

  static void expect_spheres(const Fill& fill, bool any_clump) {
    if (fill.dense && any_clump) {
      throw CaseError("dense", "is for spheres; clumps are placed by the balls about them");
    }
  }

  /// The fill as one of the balls about its particles.
  [[nodiscard]] Fill around(std::size_t g) const {
    Fill fill = *case_.particles[groups_[g].entry].fill;
    expect_spheres(fill, groups_[g].shape.has_value());
    if (!fill.solid_fraction || !groups_[g].shape) return fill;
    const double around = groups_[g].around, balls = around * around * around * *fill.solid_fraction;
    if (balls > most_of_balls) {
      throw CaseError(
          "solid_fraction",
          "must be at most " + number_text(std::floor(1000 * most_of_balls / std::pow(groups_[g].around, 3)) / 1000) +
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
    const auto& common = case_.particles[group.entry].orientation;
    if (!group.shape || (group.orientation.empty() && !common)) return std::nullopt;
    return placed_orientation(shapes_[*group.shape],
                              group.orientation.empty() ? *common : group.orientation[clump.index]);
  }
  void give_heat_and_liquid(const ParticleGroup& entry, ParticleSet& all) const;
  [[nodiscard]] std::vector<Part> parts_of_given() const;
  void find_deep_overlaps();
  [[nodiscard]] std::string name_of(const Origin& sphere) const {
    const Group& group = groups_[sphere.group];
    if (group.line.empty()) return (group.shape ? "clump " : "sphere ") + std::to_string(sphere.index + 1);
    return "line " + std::to_string(group.line[sphere.index]);
  }
  /// The overlap that two entries allow each other: the larger one of theirs, as a fraction of the smaller radius.
  [[nodiscard]] double allowed_overlap(std::size_t g, std::size_t h) const {
    const auto of = [&](std::size_t k) {
      return case_.particles[groups_[k].entry].allow_overlap.value_or(default_allowed_overlap);
    };
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
  [[nodiscard]] std::uint32_t material_of(const Group& group, std::size_t i) const {
    return group.material_of.empty() ? group.material : group.material_of[i];
  }
  [[nodiscard]] std::uint32_t group_of(const Group& group, std::size_t i) const {
    return group.group_of.empty() ? group_index(case_, group.kind.group) : group.group_of[i];
  }

  const Case& case_;
  const std::vector<ClumpShape>& shapes_;
  std::vector<const SceneBoundary*> boundaries_;  ///< that are there when the run starts
  SceneReport& report_;
  std::vector<InputProblem>& problems_;
  std::vector<Group> groups_;
  std::vector<std::size_t> first_of_;  ///< in groups_, of each entry; and their number
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
    for (std::size_t i = 0; i < count; ++i) all.material.push_back(material_of(group, i));
    const auto take = [&](std::vector<Real3>& to, const std::vector<Real3>& own, const Real3& common) {
      to.insert(to.end(), own.begin(), own.end());
      to.resize(end, common);
    };
    take(all.velocity, group.velocity, case_.particles[group.entry].velocity);
    take(all.angular_velocity, group.angular_velocity, case_.particles[group.entry].angular_velocity);
    for (std::size_t i = 0; i < count && !case_.groups.empty(); ++i) all.group.push_back(group_of(group, i));
    give_heat_and_liquid(case_.particles[group.entry], all);
  }
  return all;
}

void Placement::join_clumps(std::size_t g, ParticleSet& all) const {
  const Group& group = groups_[g];
  const ParticleGroup& source = case_.particles[group.entry];
  const ClumpShape& shape = shapes_[*group.shape];
  // streams of fills are numbered from 0, inlets beyond
  packing::Random random(case_.seed, (std::uint64_t{1} << 62U) + (std::uint64_t{group.part} << 40U) + group.entry);
  for (std::size_t i = 0; i < group.spheres.radius.size(); ++i) {
    const auto given = given_orientation({g, i});
    append_clump(all, shape, *group.shape, group.spheres.radius[i] / shape.bounding_radius, group.spheres.position[i],
                 given ? *given : clumps::random_orientation(random),
                 group.velocity.empty() ? source.velocity : group.velocity[i],
                 group.angular_velocity.empty() ? source.angular_velocity : group.angular_velocity[i],
                 material_of(group, i));
    if (!case_.groups.empty()) all.group.resize(all.size(), group_of(group, i));
  }
  give_heat_and_liquid(source, all);
}

/// To those that have none yet.
void Placement::give_heat_and_liquid(const ParticleGroup& entry, ParticleSet& all) const {
  if (case_.heat) all.temperature.resize(all.size(), entry.temperature.value_or(case_.heat->temperature));
  if (uses_films(case_)) append_films(entry.film.value_or(0), shapes_, all);
}

}  // namespace

ParticleSet place_particles(const Case& input, const std::vector<ClumpShape>& shapes,
                            const std::optional<PeriodicCell>& cell, const std::vector<SceneBoundary>& boundaries,
                            const std::vector<SceneStage>& stages, SceneReport& report,
                            std::vector<InputProblem>& problems) {
  // In a cell they repeat, as far as they can: what cannot is a problem that repeat_boundaries() names later.
  Scene around;
  around.cell = cell;
  around.boundaries = boundaries;
  std::vector<std::string> ignored;
  std::vector<InputProblem> named_later;
  repeat_boundaries(around, ignored, named_later);
  std::vector<const SceneBoundary*> present;
  for (std::size_t b = 0; b < boundaries.size(); ++b) {
    bool there = boundaries[b].from == 0;
    for (std::size_t k = 0; !stages.empty() && k < stages.front().boundaries.size(); ++k) {
      const SceneStagedBoundary& change = stages.front().boundaries[k];
      if (change.boundary == b) there = change.present.value_or(there);
    }
    if (there) present.push_back(&around.boundaries[b]);
  }
  return Placement(input, shapes, cell, std::move(present), report, problems).place();
}

}  // namespace scree
