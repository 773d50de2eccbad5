#include "host/scene/build_scene/boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/free_body.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/time_table.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// The shape with a normal of length 1.
BoundaryShape resolved(BoundaryShape shape) {
  if (auto* plane = std::get_if<PlaneBoundary>(&shape)) plane->normal = geometry::unit(plane->normal);
  return shape;
}

/// Gives the direction or the axis of a motion the length 1.
template <class M>
void make_unit(M& motion) {
  if (motion.direction) motion.direction = geometry::unit(*motion.direction);
  if (motion.axis) motion.axis = geometry::unit(*motion.axis);
}

/// Reads the rows of a table from its file, if it names one.
void take_rows(TableMotion& motion, const std::filesystem::path& folder, const std::string& path) {
  const auto read = [&](std::optional<std::string>& file, std::optional<TimeTable>& rows, const std::string& key) {
    if (file) {
      std::vector<InputProblem> problems;
      collect_from_file(problems, path + "." + key + "_file", [&] {
        rows = read_time_table(folder / *file);
        expect_good_table(*rows, "row");
      });
      if (!problems.empty()) throw CaseError(std::move(problems));
      file.reset();
    } else if (rows) {
      expect_good_table(*rows, path + "." + key);
    }
  };
  read(motion.position_file, motion.position, "position");
  read(motion.velocity_file, motion.velocity, "velocity");
}

/// [rad] Largest angle whose sine and cosine are still exact to eight digits.
constexpr double largest_angle = 1e8;

void expect_angle(double angle, const std::string& path) {
  if (std::fabs(angle) <= largest_angle) return;
  throw CaseError(path, "turns the boundary by " + short_number_text(angle) + " rad during the run; at most " +
                            number_text(largest_angle) + " rad are possible");
}

/// Throws CaseError if a motion turns the boundary by more than largest_angle until the end of the run.
void expect_countable_turns(const std::vector<Motion>& motion, double duration, const std::string& key) {
  for (std::size_t m = 0; m < motion.size(); ++m) {
    const std::string path = key + "." + std::to_string(m) + ".";
    const double open = std::max(0.0, std::min(motion[m].until, duration) - motion[m].from);
    if (const auto* rotation = std::get_if<Rotation>(&motion[m].kind))
      expect_angle(rotation->radians_per_second() * open, path + (rotation->rpm ? "rpm" : "rate"));
    if (const auto* swing = std::get_if<Oscillation>(&motion[m].kind)) {
      if (swing->axis) expect_angle(2 * swing->amplitude, path + "amplitude");
    }
    const auto* table = std::get_if<TableMotion>(&motion[m].kind);
    if (table == nullptr || !table->axis) continue;
    for (const auto& row : table->position.value_or(TimeTable{})) expect_angle(row[1], path + "position");
    const TimeTable speeds = table->velocity.value_or(TimeTable{});
    double turned = 0;
    for (std::size_t k = 1; k < speeds.size(); ++k) {
      turned += (speeds[k][0] - speeds[k - 1][0]) * std::max(std::fabs(speeds[k][1]), std::fabs(speeds[k - 1][1]));
    }
    expect_angle(turned, path + "velocity");
  }
}

}  // namespace

std::vector<Motion> resolved_motions(std::vector<Motion> motions, const std::filesystem::path& folder, double duration,
                                     const std::string& key) {
  for (std::size_t m = 0; m < motions.size(); ++m) {
    if (auto* oscillation = std::get_if<Oscillation>(&motions[m].kind)) make_unit(*oscillation);
    if (auto* table = std::get_if<TableMotion>(&motions[m].kind)) {
      make_unit(*table);
      take_rows(*table, folder, key + "." + std::to_string(m));
    }
  }
  expect_countable_turns(motions, duration, key);
  for (Motion& motion : motions) {
    auto* const turn = std::get_if<Rotation>(&motion.kind);
    if (turn != nullptr) *turn = {geometry::unit(turn->axis), turn->origin, turn->radians_per_second()};
  }
  return motions;
}

std::vector<SceneBoundary> make_boundaries(const Case& input, std::vector<std::string>& warnings,
                                           std::vector<InputProblem>& problems) {
  std::vector<SceneBoundary> boundaries;
  for (const auto& [name, source] : input.boundaries) {
    const std::string path = "boundaries." + name;
    SceneBoundary boundary;
    boundary.name = name;
    boundary.material = material_index(input, source.material);
    boundary.shape = resolved(source.shape);
    if (const auto* mesh = std::get_if<MeshBoundary>(&source.shape)) {
      boundary.facet_loads = mesh->facets;
      collect_from_file(problems, path + ".file", [&] {
        boundary.mesh = geometry::read_mesh(input.folder / mesh->file,
                                            {mesh->scale, mesh->rotate, mesh->translate, mesh->part}, warnings);
      });
    } else {
      boundary.mesh = geometry::outline(boundary.shape);
    }
    boundary.temperature = source.temperature;
    boundary.heat_flux = source.heat_flux;
    boundary.from = source.from;
    boundary.until = source.until;
    boundary.drive = source.drive;
    if (boundary.drive && boundary.drive->rotation) {
      boundary.drive->rotation->axis = geometry::unit(boundary.drive->rotation->axis);
    }
    if (boundary.drive && boundary.drive->body) {
      collect(problems, path + ".drive.body", [&] { resolve_free_body(*boundary.drive->body, boundary.mesh); });
    }
    collect(problems, path, [&, &source = source] {
      boundary.motion = resolved_motions(source.motion, input.folder, input.time.duration);
      boundary.surface_motion = resolved_surface_motions(source.surface_motion, input, boundary);
      const auto& drive = boundary.drive;
      if (drive && drive->rotation) expect_angle(drive->rotation->rate * input.time.duration, "drive.rotation.rate");
    });
    boundaries.push_back(std::move(boundary));
  }
  return boundaries;
}

namespace {

/// Adds the regions that delete particles. set_deletion_steps() sets their steps once the time step is known.
void make_deletions(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  for (const auto& [name, source] : input.domain.delete_in) {
    const std::string path = "domain.delete_in." + name;
    if (std::find(scene.outlet_names.begin(), scene.outlet_names.end(), name) != scene.outlet_names.end() ||
        (name == "outside" && input.domain.remove_outside)) {
      problems.push_back({path, "the name is taken by an outlet"});
    }
    SceneDeletion deletion;
    deletion.region = source.region;
    deletion.counter = static_cast<std::uint32_t>(scene.outlet_names.size());
    scene.deletions.push_back(deletion);
    scene.outlet_names.push_back(name);
  }
}

}  // namespace

void make_outlets(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  const std::string outside = "outside";
  for (const auto& [name, outlet] : input.domain.outlets) {
    const std::string path = "domain.outlets." + name;
    if (name == outside && input.domain.remove_outside) {
      problems.push_back({path, "the name is taken by what \"remove_outside\" removes"});
    }
    const auto counter = static_cast<std::uint32_t>(scene.outlet_names.size());
    scene.outlets.push_back({outlet.point, geometry::unit(outlet.normal), counter});
    scene.outlet_names.push_back(name);
  }
  make_deletions(input, scene, problems);
  if (!input.domain.remove_outside) return;
  const BoxRegion& box = *input.domain.remove_outside;
  const auto counter = static_cast<std::uint32_t>(scene.outlet_names.size());
  scene.outlet_names.push_back(outside);
  for (std::size_t k = 0; k < 3; ++k) {
    Real3 normal{};
    normal[k] = -1;
    scene.outlets.push_back({box.min, normal, counter});
    normal[k] = 1;
    scene.outlets.push_back({box.max, normal, counter});
  }
}

}  // namespace scree
