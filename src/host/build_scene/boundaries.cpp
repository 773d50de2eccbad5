#include "host/build_scene/boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "host/build_scene/problems.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"

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

std::vector<Motion> checked_motion(std::vector<Motion> motion) {
  for (std::size_t m = 0; m < motion.size(); ++m) {
    const std::string path = "motion." + std::to_string(m);
    if (!(motion[m].until > motion[m].from)) {
      throw CaseError(path + ".until", "must be greater than \"from\" " + number_text(motion[m].from) + ", got " +
                                           number_text(motion[m].until));
    }
    if (auto* rotation = std::get_if<Rotation>(&motion[m].kind)) {
      rotation->axis = checked_unit(rotation->axis, path + ".axis");
    }
  }
  return motion;
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
      collect(problems, path, [&] {
        if (const auto* plane = std::get_if<PlaneBoundary>(&source.shape)) take_shape(*plane, boundary);
        if (const auto* cylinder = std::get_if<CylinderBoundary>(&source.shape)) take_shape(*cylinder, boundary);
      });
    }
    collect(problems, path, [&] { boundary.motion = checked_motion(source.motion); });
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
    collect(problems, path, [&] {
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
