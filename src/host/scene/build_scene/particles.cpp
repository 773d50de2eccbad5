#include "host/scene/build_scene/particles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/case/describe_goals.hpp"
#include "host/case/particle_kinds.hpp"
#include "host/case/scaled_sizes.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/clear_region.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice.hpp"
#include "host/packing/membrane_nodes.hpp"
#include "host/packing/mixture.hpp"
#include "host/packing/sizes.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/membranes.hpp"
#include "host/scene/build_scene/placed_group.hpp"
#include "host/scene/build_scene/places_at_start.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/repeat_boundaries.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/build_scene/solids.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using packing::Spheres;

constexpr double most_of_balls = 0.55;  // [-] largest solid fraction that random placing of balls about clumps reaches

bool lies_outside(const geometry::Bounds& bounds, const BoxBoundary& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (bounds.upper[k] <= box.min[k] || bounds.lower[k] >= box.max[k]) { return true; }
  }
  return false;
}

/// Throws CaseError if a whole region lies behind a plane, usually because the normal of the plane points the wrong
/// way, or outside of a box.
void expect_in_front(const packing::FillRegion& region, const std::vector<const SceneBoundary*>& boundaries) {
  const geometry::Bounds box = region.bounds();
  for (const SceneBoundary* boundary : boundaries) {
    if (const auto* const side = std::get_if<BoxBoundary>(&boundary->shape); side && lies_outside(box, *side)) {
      throw CaseError("", "all of its " + region.name() + " lies outside of the boundary \"" + boundary->name +
                              "\", a box, where no particle can be");
    }
    const auto* const plane = std::get_if<PlaneBoundary>(&boundary->shape);
    if (plane == nullptr) { continue; }
    double farthest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double n = plane->normal[k], at = plane->point[k];
      farthest += std::max(n * (box.lower[k] - at), n * (box.upper[k] - at));
    }
    if (farthest > 0) { continue; }
    throw CaseError("", "all of its " + region.name() + " lies behind the plane \"" + boundary->name +
                            "\", where no particle can be; does the \"normal\" of the plane point to the particles?");
  }
}

/// A sentence about a fill that places no particle. `radius` [m] is that of its smallest particle.
std::string empty_fill_text(double radius, const packing::FillRegion& region) {
  const bool huge = geometry::sphere_volume(radius) > region.volume();
  return "places no particle: the solid fraction asked for is less than half of one, of radius " +
         short_number_text(radius) + " m" + (huge ? "; are all lengths in metres?" : "");
}

class Placement {
 public:
  Placement(const Case& input, const Scene& scene, std::vector<const SceneBoundary*> boundaries, SceneReport& report,
            std::vector<InputProblem>& problems)
      : case_(input),
        shapes_(scene.clump_shapes),
        grain_shapes_(scene.grain_shapes),
        standing_{scene.particles.position, scene.particles.radius},
        boundaries_(std::move(boundaries)),
        report_(report),
        problems_(problems) {
    for (std::size_t i = 0; i < input.particles.size(); ++i) {
      const ParticleGroup& entry = input.particles[i];
      first_of_.push_back(groups_.size());
      const bool goes_on =
          std::ranges::any_of(scene.membranes, [&](const auto& started) { return started.entry == i; });
      auto kinds = goes_on ? std::vector<ParticleKind>() : kinds_of(input, entry);
      if (entry.file && !entry.material) kinds = {{1, {}, entry.shape, {}, entry.group}};
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        PlacedGroup& group = groups_.emplace_back();
        group.entry = i;
        group.part = k;
        group.kind = std::move(kinds[k]);
      }
    }
    first_of_.push_back(groups_.size());
    if (!scene.cell) return;
    given_cell_ = *scene.cell;
    cell_.emplace(given_cell_);
  }

  PlacedParticles place() {
    std::vector<bool> sound(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) sound[g] = resolve(g);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (sound[g]) place_given(g);
    }
    find_deep_overlaps(case_, {shapes_, grain_shapes_}, standing_, groups_,
                       cell_ ? std::optional(given_cell_) : std::nullopt, problems_);
    for (std::size_t e = 0; e < case_.particles.size(); ++e) {
      const auto begin = sound.begin() + static_cast<std::ptrdiff_t>(first_of_[e]);
      const auto end = sound.begin() + static_cast<std::ptrdiff_t>(first_of_[e + 1]);
      if (case_.particles[e].fill && std::find(begin, end, false) == end) fill(e);
    }
    return {joined(case_, shapes_, groups_, problems_), membranes()};
  }

 private:
  /// Sets path, material, shape and sizes of a group. Returns false if its shape could not be made.
  bool resolve(std::size_t g) {
    PlacedGroup& group = groups_[g];
    group.path = "particles." + std::to_string(group.entry);
    if (!group.kind.material.empty()) group.material = material_index(case_, group.kind.material);
    if (group.kind.shape != "sphere" && !choose_shape(group)) { return false; }
    if (group.kind.radius) group.sizes = scaled(*group.kind.radius, group.around);
    return true;
  }

  /// Sets the shape of a group, and the ratio of the ball around it to its equivalent radius. Returns false if the
  /// shape could not be made.
  bool choose_shape(PlacedGroup& group) {
    group.shape = shape_index(case_, group.kind.shape);
    const ClumpShape& shape = shapes_.at(*group.shape);
    if (shape.radius.empty()) return false;  // make_shapes() has reported the problem
    group.around = shape.bounding_radius / equivalent_radius(shape);
    group.sizes = FixedSize{shape.bounding_radius};
    return true;
  }

  void place_given(std::size_t g) {
    PlacedGroup& group = groups_[g];
    const ParticleGroup& source = case_.particles[group.entry];
    if (source.lattice) {
      collect(problems_, group.path + ".lattice", [&] {
        group.spheres =
            packing::lattice_spheres(*source.lattice, group.sizes, case_.seed, group.entry, group.shape.has_value());
      });
    }
    if (!source.positions.empty()) {
      packing::Random random(case_.seed, 2 * group.entry);  // as for a lattice
      const packing::SizeSampler sampler(group.sizes);
      group.spheres.position = source.positions;
      for (std::size_t i = 0; i < source.positions.size(); ++i) group.spheres.radius.push_back(sampler.draw(random));
    }
    if (source.membrane) {
      collect(problems_, group.path + ".membrane", [&] { place_membrane(group, *source.membrane); });
    }
    if (source.file) {
      collect_from_file(problems_, group.path + ".file", [&] {
        const std::string note = read_file_particles(case_, group);
        if (!note.empty()) { report_.notes.push_back(group.path + ".file: " + note); }
      });
    }
  }

  void place_membrane(PlacedGroup& group, const Membrane& source) {
    packing::MembraneNodes nodes = packing::membrane_nodes(source, packing::largest_size(group.sizes));
    report_.notes.push_back(membrane_text(group.path, nodes.lattice, source, packing::largest_size(group.sizes)));
    if (source.ends) {
      group.group_of.assign(nodes.lattice.nodes(), group_index(case_, group.kind.group));
      const std::uint32_t of_ends = group_index(case_, source.ends);
      std::fill_n(group.group_of.begin(), nodes.lattice.around, of_ends);
      std::fill_n(group.group_of.rbegin(), nodes.lattice.around, of_ends);
    }
    group.lattice = nodes.lattice;
    group.spheres = std::move(nodes.spheres);
  }

  [[nodiscard]] std::vector<SceneMembrane> membranes() const {
    std::vector<SceneMembrane> all;
    std::size_t first = 0;
    for (const PlacedGroup& group : groups_) {
      if (group.lattice) {
        const Membrane& source = *case_.particles[group.entry].membrane;
        all.push_back(
            {source.name, group.entry, static_cast<std::uint32_t>(first), *group.lattice, rows_of(source.pressure)});
      }
      first += group.size() * (group.shape ? shapes_[*group.shape].radius.size() : 1);
    }
    return all;
  }

  void fill(std::size_t e) {
    const std::size_t first = first_of_[e], end = first_of_[e + 1];
    for (std::size_t g = first; g < end; ++g) {
      // A ball in a smaller cell would have so many images around it that placing it takes forever.
      if (cell_ && !is_wide_enough(case_, given_cell_, packing::largest_size(groups_[g].sizes), problems_)) return;
    }
    collect(problems_, groups_[first].path + ".fill", [&] {
      const Fill& source = *case_.particles[e].fill;
      auto region = packing::make_region(source.region, case_.folder, report_.warnings, cell());
      const std::vector<const SceneBoundary*> solids = solids_of(source.keep_out_of, boundaries_);
      const std::vector<const SceneBoundary*> clear = source.keep_clear ? boundaries_ : solids;
      expect_in_front(*region, clear);
      if (!clear.empty()) { region = std::make_unique<packing::ClearRegion>(std::move(region), clear, solids, cell()); }
      Spheres obstacles = standing_;
      for (const PlacedGroup& other : groups_) append(obstacles, other.spheres);
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
      double smallest = std::numeric_limits<double>::infinity();
      for (std::size_t g = first; g < end; ++g) {
        smallest = std::min(smallest, packing::smallest_size(groups_[g].sizes));
      }
      throw CaseError("", empty_fill_text(smallest, *region));
    });
  }

  [[nodiscard]] const geometry::CellFrame* cell() const { return cell_ ? &*cell_ : nullptr; }

  /// Places spheres of given radii [m] in the region of entry `e`.
  Spheres placed(std::size_t e, const packing::FillRegion& region, std::vector<double> radii,
                 const Spheres& obstacles) {
    if (!case_.particles[e].fill->dense || radii.empty()) {
      packing::FillMethod method{};
      Spheres spheres = packing::place_spheres(region, std::move(radii), obstacles, case_.seed, e, cell(), &method);
      if (method == packing::FillMethod::lattice) warn_of_lattice(e);
      return spheres;
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

  void warn_of_lattice(std::size_t e) {
    const auto begin = groups_.begin() + static_cast<std::ptrdiff_t>(first_of_[e]);
    const auto end = groups_.begin() + static_cast<std::ptrdiff_t>(first_of_[e + 1]);
    const bool spheres = std::none_of(begin, end, [](const PlacedGroup& group) { return group.shape.has_value(); });
    report_.warnings.push_back(
        "particles." + std::to_string(e) +
        ".fill: its places stand on a face-centred lattice with jitter, since no random packing "
        "as dense as this was found; for random places " +
        (spheres ? R"(use "dense": true, which tries longer, or ask for less)" : "ask for less"));
  }

  void fill_with_mixture(std::size_t e, const packing::FillRegion& region, const Spheres& obstacles) {
    const Fill& source = *case_.particles[e].fill;
    const std::size_t first = first_of_[e], count = first_of_[e + 1] - first;
    std::vector<packing::FillKind> kinds;
    bool any_clump = false;
    for (std::size_t k = 0; k < count; ++k) {
      const PlacedGroup& group = groups_[first + k];
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
      volume += geometry::sphere_volume(balls.back());
      const double drawn_mass = geometry::sphere_volume(radius) * kinds[kind].density;
      mass[kind] += drawn_mass;
      total += drawn_mass;
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
                              counted(number, "particle", "particles") + ", " +
                              short_number_text(100 * mass[k] / (total > 0 ? total : 1), 4) + " % of the mass");
    }
  }

  static void expect_spheres(const Fill& fill, bool any_clump) {
    if (fill.dense && any_clump) {
      throw CaseError("dense", "is for spheres; clumps are placed by the balls about them");
    }
  }

  /// The fill of an entry, with the solid fraction of the balls around its particles instead of the particles.
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

  const Case& case_;
  const std::vector<ClumpShape>& shapes_;
  const std::vector<GrainShape>& grain_shapes_;
  Spheres standing_;
  std::vector<const SceneBoundary*> boundaries_;  ///< boundaries that are present when the run starts
  SceneReport& report_;
  std::vector<InputProblem>& problems_;
  std::vector<PlacedGroup> groups_;
  std::vector<std::size_t> first_of_;  ///< [n_entries + 1] index in groups_ of the first group of each entry
  std::optional<geometry::CellFrame> cell_;
  PeriodicCell given_cell_{};
};

}  // namespace

PlacedParticles place_particles(const Case& input, const Scene& scene, SceneReport& report,
                                std::vector<InputProblem>& problems) {
  // In a cell boundaries repeat. Problems are ignored here, because fit_cell() repeats the boundaries again and reports
  // them.
  Scene around;
  around.cell = scene.cell;
  around.boundaries = placed_at_start(scene.boundaries);
  std::vector<std::string> ignored;
  std::vector<InputProblem> named_later;
  repeat_boundaries(around, ignored, named_later);
  std::vector<const SceneBoundary*> present;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    if (is_there_at_start(scene.boundaries, scene.stages, b)) present.push_back(&around.boundaries[b]);
  }
  return Placement(input, scene, std::move(present), report, problems).place();
}

}  // namespace scree
