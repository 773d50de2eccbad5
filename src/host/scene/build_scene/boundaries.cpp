#include "host/scene/build_scene/boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/outlines.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/time_table.hpp"

namespace scree {
namespace {

Real3 checked_unit(const Real3& vector, const std::string& path) {
  const Real3 direction = geometry::unit(vector);
  if (direction == Real3{}) throw CaseError(path, "must be finite and not zero");
  return direction;
}

void expect_finite(const Real3& vector, const std::string& path) {
  if (!geometry::is_finite(vector)) throw CaseError(path, "must be finite");
}

void take_shape(const PlaneBoundary& plane, SceneBoundary& boundary) {
  expect_finite(plane.point, "point");
  boundary.kind = SceneBoundary::Kind::plane;
  boundary.plane = {plane.point, checked_unit(plane.normal, "normal")};
}

void take_shape(const CylinderBoundary& cylinder, SceneBoundary& boundary) {
  expect_finite(cylinder.from, "from");
  expect_finite(cylinder.to, "to");
  if (cylinder.from == cylinder.to) throw CaseError("to", "must differ from \"from\"");
  if (!std::isfinite(cylinder.radius) || !(cylinder.radius > 0)) {
    throw CaseError("radius", "must be > 0, got " + number_text(cylinder.radius));
  }
  boundary.kind = SceneBoundary::Kind::cylinder;
  boundary.cylinder = cylinder;
}

void take_shape(const BoxBoundary& box, SceneBoundary& boundary) {
  expect_finite(box.min, "min");
  expect_finite(box.max, "max");
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(box.min[k] < box.max[k])) {
      throw CaseError("max." + std::to_string(k), "must be greater than " + number_text(box.min[k]) +
                                                      " of the lowest corner, got " + number_text(box.max[k]));
    }
  }
  boundary.kind = SceneBoundary::Kind::box;
  boundary.box = box;
}

void take_shape(const ConeBoundary& cone, SceneBoundary& boundary) {
  expect_finite(cone.from, "from");
  expect_finite(cone.to, "to");
  if (cone.from == cone.to) throw CaseError("to", "must differ from \"from\"");
  const auto expect_radius = [](double radius, const std::string& path) {
    if (!std::isfinite(radius) || !(radius >= 0)) throw CaseError(path, "must be >= 0, got " + number_text(radius));
  };
  expect_radius(cone.radius_from, "radius_from");
  expect_radius(cone.radius_to, "radius_to");
  if (cone.radius_from == 0 && cone.radius_to == 0) {
    throw CaseError("radius_to", "must be > 0 where \"radius_from\" is 0, got 0");
  }
  boundary.kind = SceneBoundary::Kind::cone;
  boundary.cone = cone;
}

void take_shape(const SphereBoundary& sphere, SceneBoundary& boundary) {
  expect_finite(sphere.center, "center");
  if (!std::isfinite(sphere.radius) || !(sphere.radius > 0)) {
    throw CaseError("radius", "must be > 0, got " + number_text(sphere.radius));
  }
  boundary.kind = SceneBoundary::Kind::sphere;
  boundary.sphere = sphere;
}

void take_shape(const MeshBoundary&, SceneBoundary&) {}  // read from its file

/// Unit direction or axis.
template <class M>
void make_unit(M& motion, const std::string& path) {
  if (motion.direction.has_value() == motion.axis.has_value()) {
    throw CaseError(path, "must have exactly one of \"direction\", \"axis\"");
  }
  if (motion.direction) motion.direction = checked_unit(*motion.direction, path + ".direction");
  if (motion.axis) motion.axis = checked_unit(*motion.axis, path + ".axis");
  expect_finite(motion.origin, path + ".origin");
}

/// A table with its rows in place of the name of a file.
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
  if (motion.position.has_value() == motion.velocity.has_value()) {
    throw CaseError(path, "must have exactly one of \"position\", \"velocity\", \"position_file\", \"velocity_file\"");
  }
}

std::optional<Drive> checked_drive(std::optional<Drive> drive) {
  if (!drive) return drive;
  const auto expect_above_zero = [](double value, const std::string& path) {
    if (!std::isfinite(value) || !(value > 0)) throw CaseError(path, "must be > 0, got " + number_text(value));
  };
  if (!drive->translation && !drive->rotation) {
    throw CaseError("drive", "must have \"translation\", \"rotation\" or both");
  }
  if (drive->translation) {
    expect_above_zero(drive->translation->mass, "drive.translation.mass");
    expect_finite(drive->translation->force, "drive.translation.force");
    expect_finite(drive->translation->velocity, "drive.translation.velocity");
  }
  if (drive->rotation) {
    expect_above_zero(drive->rotation->inertia, "drive.rotation.inertia");
    drive->rotation->axis = checked_unit(drive->rotation->axis, "drive.rotation.axis");
    expect_finite(drive->rotation->origin, "drive.rotation.origin");
  }
  return drive;
}

std::vector<Motion> checked_motion(std::vector<Motion> motion, const std::filesystem::path& folder) {
  for (std::size_t m = 0; m < motion.size(); ++m) {
    const std::string path = "motion." + std::to_string(m);
    if (!(motion[m].until > motion[m].from)) {
      throw CaseError(path + ".until", "must be greater than \"from\" " + number_text(motion[m].from) + ", got " +
                                           number_text(motion[m].until));
    }
    if (auto* rotation = std::get_if<Rotation>(&motion[m].kind)) {
      rotation->axis = checked_unit(rotation->axis, path + ".axis");
    }
    if (auto* oscillation = std::get_if<Oscillation>(&motion[m].kind)) make_unit(*oscillation, path);
    if (auto* table = std::get_if<TableMotion>(&motion[m].kind)) {
      make_unit(*table, path);
      take_rows(*table, folder, path);
    }
  }
  return motion;
}

/// Angles whose sine and cosine are still right in all digits that matter.
constexpr double largest_angle = 1e8;  // [rad]

void expect_angle(double angle, const std::string& path) {
  if (std::fabs(angle) <= largest_angle) return;
  throw CaseError(path, "turns the boundary by " + short_number_text(angle) + " rad during the run; at most " +
                            number_text(largest_angle) + " rad are possible");
}

/// How far each motion turns the boundary until the end of the run.
void expect_countable_turns(const std::vector<Motion>& motion, const std::optional<Drive>& drive, double duration) {
  for (std::size_t m = 0; m < motion.size(); ++m) {
    const std::string path = "motion." + std::to_string(m) + ".";
    const double open = std::max(0.0, std::min(motion[m].until, duration) - motion[m].from);
    if (const auto* rotation = std::get_if<Rotation>(&motion[m].kind))
      expect_angle(rotation->rate * open, path + "rate");
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
  if (drive && drive->rotation) expect_angle(drive->rotation->rate * duration, "drive.rotation.rate");
}

}  // namespace

std::vector<SceneBoundary> make_boundaries(const Case& input, std::vector<std::string>& warnings,
                                           std::vector<InputProblem>& problems) {
  std::vector<SceneBoundary> boundaries;
  for (const auto& [name, source] : input.boundaries) {
    const std::string path = "boundaries." + name;
    SceneBoundary boundary;
    boundary.name = name;
    const auto material = find_material(input.materials, source.material, path + ".material", problems);
    boundary.material = material.value_or(0);
    if (const auto* mesh = std::get_if<MeshBoundary>(&source.shape)) {
      boundary.kind = SceneBoundary::Kind::mesh;
      collect_from_file(problems, path + ".file", [&] {
        boundary.mesh = geometry::read_mesh(input.folder / mesh->file, mesh->scale, mesh->translate, warnings);
      });
    } else {
      collect(problems, path, [&, &source = source] {
        std::visit([&](const auto& shape) { take_shape(shape, boundary); }, source.shape);
        boundary.mesh = geometry::outline(boundary);
      });
    }
    collect(problems, path, [&, &source = source] { boundary.motion = checked_motion(source.motion, input.folder); });
    collect(problems, path, [&, &source = source] {
      boundary.drive = checked_drive(source.drive);
      expect_countable_turns(boundary.motion, boundary.drive, input.time.duration);
    });
    boundaries.push_back(std::move(boundary));
  }
  return boundaries;
}

namespace {

/// Their steps are set once the time step is known.
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
    collect(problems, path, [&, &name = name, &outlet = outlet] {
      expect_finite(outlet.point, "point");
      const auto counter = static_cast<std::uint32_t>(scene.outlet_names.size());
      scene.outlets.push_back({outlet.point, checked_unit(outlet.normal, "normal"), counter});
      scene.outlet_names.push_back(name);
    });
  }
  make_deletions(input, scene, problems);
  if (!input.domain.remove_outside) return;
  const BoxRegion& box = *input.domain.remove_outside;
  const auto counter = static_cast<std::uint32_t>(scene.outlet_names.size());
  scene.outlet_names.push_back(outside);
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(box.min[k] < box.max[k]) || !std::isfinite(box.min[k]) || !std::isfinite(box.max[k])) {
      problems.push_back({"domain.remove_outside.box.1." + std::to_string(k),
                          "must be greater than " + number_text(box.min[k]) + " of the lowest corner, got " +
                              number_text(box.max[k])});
    }
    Real3 normal{};
    normal[k] = -1;
    scene.outlets.push_back({box.min, normal, counter});
    normal[k] = 1;
    scene.outlets.push_back({box.max, normal, counter});
  }
}

}  // namespace scree
