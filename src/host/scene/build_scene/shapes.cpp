#include "host/scene/build_scene/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "host/clumps/clump_file.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Throws CaseError for spheres whose size would overflow volume and inertia, which are proportional to the third and
/// the fifth power of lengths, and for too many spheres.
void expect_measurable(const std::vector<clumps::ClumpSphere>& spheres, const std::string& path) {
  constexpr double least = 1e-50, most = 1e9;
  constexpr std::size_t most_members = 10'000;
  if (spheres.size() > most_members) {
    throw CaseError(
        path, "must be at most " + std::to_string(most_members) + " spheres, got " + std::to_string(spheres.size()));
  }
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    const std::string sphere = "sphere " + std::to_string(k + 1);
    if (!(spheres[k].radius >= least && spheres[k].radius <= most)) {
      throw CaseError(path, "the radius of " + sphere + " must be from " + number_text(least) + " to " +
                                number_text(most) + " m, got " + number_text(spheres[k].radius));
    }
    for (const double x : spheres[k].center) {
      if (!(std::fabs(x) <= most)) {
        throw CaseError(
            path, "the centre of " + sphere + " must be within " + number_text(most) + " m, got " + number_text(x));
      }
    }
  }
}

std::vector<clumps::ClumpSphere> spheres_of(const ClumpTemplate& source, const std::filesystem::path& folder) {
  std::vector<clumps::ClumpSphere> spheres;
  if (source.file) {
    spheres = clumps::read_clump(folder / *source.file);
  } else {
    for (const MemberSphere& s : source.spheres) { spheres.push_back({s.center, s.radius}); }
  }
  for (auto& sphere : spheres) {
    for (double& x : sphere.center) { x *= source.scale; }
    sphere.radius *= source.scale;
  }
  expect_measurable(spheres, source.file ? "file" : "spheres");
  return spheres;
}

/// Warns of members that nearly coincide: both touch the same neighbours, so that contacts are twice as stiff.
void warn_of_coincident(const std::string& name, const std::vector<double>& radius, const std::vector<Real3>& position,
                        std::vector<std::string>& warnings) {
  constexpr double near = 0.01;  // of the radius, the magnitude of overlaps of contacts
  std::vector<std::size_t> order(radius.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(position[a][0], a) < std::pair(position[b][0], b); });
  std::size_t count = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::size_t a = order[i], b = order[j];
      const double allowed = near * std::min(radius[a], radius[b]);
      if (position[b][0] - position[a][0] > near * radius[a]) break;
      if (geometry::length(geometry::subtract(position[b], position[a])) + std::fabs(radius[b] - radius[a]) > allowed) {
        continue;
      }
      if (count++ == 0) first = std::min(a, b), second = std::max(a, b);
      break;
    }
  }
  if (count == 0) return;
  warnings.push_back("shapes." + name + ": sphere " + std::to_string(second + 1) + " lies on sphere " +
                     std::to_string(first + 1) +
                     (count > 1 ? ", and " + std::to_string(count - 1) + " more lie on others" : std::string()) +
                     "; each of them touches what the other touches, so contacts there are as many times stiffer");
}

}  // namespace

std::vector<ClumpShape> make_shapes(const Case& input, std::vector<GrainShape>& grains, std::vector<std::string>& notes,
                                    std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  std::vector<ClumpShape> shapes;
  for (const auto& [name, source] : input.shapes) {
    ClumpShape shape;
    shape.name = name;
    collect(problems, "shapes." + name, [&, &name = name, &source = source] {
      if (const auto* grain = std::get_if<LevelSetTemplate>(&source.kind)) {
        grains.push_back(make_grain_shape(*grain, name, input.folder, warnings));
        give_modes(grains.back(), *grain, input, notes, warnings);
        shape = shape_of(grains.back(), static_cast<std::uint32_t>(grains.size() - 1));
        notes.push_back("shape " + name + ": level set of " + count_text(grains.back().points()) + " points, " +
                        count_text(grains.back().node.size()) + " nodes, volume " + short_number_text(shape.volume, 5) +
                        " m3, equivalent radius " + short_number_text(grains.back().equivalent_radius, 4) + " m");
        return;
      }
      const auto& clump = std::get<ClumpTemplate>(source.kind);
      const auto body =
          clumps::make_clump(spheres_of(clump, input.folder), {static_cast<unsigned>(clump.resolution.value_or(0))});
      shape = shape_of(body, name);
      warn_of_coincident(name, shape.radius, shape.position, warnings);
      if (const std::string doubt = clumps::doubt_about_mass(body.error); !doubt.empty()) {
        const std::string finer = clump.resolution ? "a larger \"resolution\", or none" : "a \"resolution\"";
        warnings.push_back("shapes." + name + ": " + doubt + "; give " + finer);
      }
      notes.push_back("shape " + name + ": " + std::to_string(shape.radius.size()) + " spheres, volume " +
                      short_number_text(body.volume, 5) + " m3, equivalent radius " +
                      short_number_text(body.equivalent_radius, 4) + " m; " +
                      clumps::describe_method(body.method, body.error));
    });
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

ClumpShape shape_of(const clumps::ClumpBody& body, const std::string& name) {
  ClumpShape shape;
  shape.name = name;
  for (const auto& member : body.members) {
    shape.position.push_back(member.center);
    shape.radius.push_back(member.radius);
  }
  shape.volume = body.volume;
  shape.inertia = body.inertia;
  shape.bounding_radius = body.bounding_radius;
  shape.to_template = clumps::orientation_of(body.axes);
  return shape;
}

std::optional<std::uint32_t> shape_index(const Case& input, const std::string& name) {
  for (std::size_t i = 0; i < input.shapes.size(); ++i) {
    if (input.shapes[i].first == name) { return static_cast<std::uint32_t>(i); }
  }
  return std::nullopt;
}

double equivalent_radius(const ClumpShape& shape) {
  return packing::exact_cbrt(0.75 * shape.volume / std::numbers::pi);
}

QuaternionWxyz placed_orientation(const ClumpShape& shape, const QuaternionWxyz& orientation) {
  return clumps::unit_orientation(clumps::product(clumps::unit_orientation(orientation), shape.to_template));
}

void append_clump(ParticleSet& set, const ClumpShape& shape, std::uint32_t material, Clump clump) {
  clump.first = static_cast<std::uint32_t>(set.size());
  for (std::size_t k = 0; k < shape.radius.size(); ++k) {
    Real3 x = clumps::turned(clump.orientation, shape.position[k]);
    for (std::size_t c = 0; c < 3; ++c) { x[c] = clump.position[c] + clump.size * x[c]; }
    set.position.push_back(x);
    set.velocity.push_back(clump.velocity);
    set.angular_velocity.push_back(clump.angular_velocity);
    set.radius.push_back(clump.size * shape.radius[k]);
    set.material.push_back(material);
  }
  set.clumps.push_back(std::move(clump));
}

}  // namespace scree
