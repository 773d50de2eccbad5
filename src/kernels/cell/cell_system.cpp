#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cell/cell_system.hpp"
#include "kernels/math/cube_root.hpp"
#include "kernels/math/real3.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Mat3d from_rows(const Matrix3& rows) { return {vec(rows[0]), vec(rows[1]), vec(rows[2])}; }

double largest(const Vec3d& a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

double sum_of(const Vec3d& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

/// Mean diameter [m], mean density [kg/m3], least Young's modulus [Pa] and volume [m3] of the particles of a scene. A
/// clump or a level-set grain counts as one particle, by the sphere of its volume.
struct Grains {
  double diameter = 0, density = 0, modulus = 0, volume = 0;
};
Grains grains_of(const Scene& scene) {
  constexpr double sphere = 4.18879020478639098462;  // volume over the cube of the radius
  const ParticleSet& particles = scene.particles;
  std::vector<double> radius = particles.radius;  // 0: a member of a clump, but for the first of each
  std::size_t n = particles.size();
  for (const Clump& clump : particles.clumps) {
    const ClumpShape& shape = scene.clump_shapes[clump.shape];
    const std::size_t members = shape.radius.size();
    std::fill_n(radius.begin() + clump.first, members, 0.0);
    radius[clump.first] = clump.size * math::cbrt(shape.volume / sphere);
    n -= members - 1;
  }
  Grains grains;
  double volume = 0, mass = 0;  // without the factor of a sphere
  bool first = true;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double r = radius[i];
    if (!(r > 0)) { continue; }
    grains.diameter += 2 * r / double(n);
    volume += r * r * r;
    const Material& material = scene.materials[particles.material[i]];
    mass += r * r * r * material.density;
    grains.modulus = first ? material.young_modulus : std::min(grains.modulus, material.young_modulus);
    first = false;
  }
  grains.density = volume > 0 ? mass / volume : 0;
  grains.volume = sphere * volume;
  return grains;
}

CellControl control_of(const Scene& scene) {
  if (!scene.cell) { return CellControl(PeriodicCell{}, 0, 0); }
  const Grains grains = grains_of(scene);
  return CellControl(*scene.cell, grains.diameter, grains.density, grains.modulus, grains.volume);
}

/// The cell takes other edges if the component of an edge along another one exceeds this share of that edge. The share
/// is above one half, so that the next step does not undo the change.
constexpr double most_skew = 0.51;

/// The components [-] of a vector a along the vectors b and c, in multiples of b and c.
struct Skew {
  double of_b, of_c;
};
Skew skew(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d normal = cross(b, c);
  const double area = dot(normal, normal);
  return {dot(cross(a, c), normal) * (1 / area), dot(cross(b, a), normal) * (1 / area)};
}

}  // namespace

CellSystem::CellSystem(const Scene& scene)
    : now_{{identity<double>(), identity<double>(), Mat3d{}, Mat3d{}, {}}, control_of(scene)} {
  if (!scene.cell) { return; }
  const PeriodicCell& cell = *scene.cell;
  any_ = cell.periodic[0] || cell.periodic[1] || cell.periodic[2];
  for (int k = 0; k < 3; ++k) { along_[k] = cell.periodic[static_cast<std::size_t>(k)]; }
  deforms_ = !cell.stages.empty();
  returns_at_stages_ = cell.returns_at_stages;
  for (const Real3& row : cell.velocity_gradient) { deforms_ = deforms_ || row[0] != 0 || row[1] != 0 || row[2] != 0; }
  origin_ = {cell.origin[0], cell.origin[1], cell.origin[2]};
  now_.geometry.edges = transpose(from_rows(cell.edges));
  SCREE_EXPECT(volume() > 0, "the edges of a periodic cell are right-handed and not in one plane");
  const double q = grid_spacing();
  const auto round = [q](const Vec3d& a) {
    return Vec3d{std::round(a.x / q) * q, std::round(a.y / q) * q, std::round(a.z / q) * q};
  };
  Mat3d& h = now_.geometry.edges;
  h = {round(h.x), round(h.y), round(h.z)};
  origin_ = round(origin_);
}

/// Positions stay below four times the sum of the edges, so sums and differences of two positions stay below 2^53
/// spacings.
double CellSystem::grid_spacing() const {
  Vec3d reach{0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    const Vec3d edge = now_.geometry.edges.column(k);
    if (along_[k]) { reach += Vec3d{std::abs(edge.x), std::abs(edge.y), std::abs(edge.z)}; }
  }
  const double size = largest(reach) + largest(origin_);
  int exponent = 0;
  std::frexp(size, &exponent);  // size < 2^exponent
  return std::ldexp(1.0, exponent - 50);
}

Vec3d CellSystem::rounding() const {
  const double constant = 1.5 * 0x1p52 * grid_spacing();
  return {along_[0] ? constant : 0, along_[1] ? constant : 0, along_[2] ? constant : 0};
}

void CellSystem::advance(const StepTimes& times, const CellMeasure& measure) {
  CellGeometry& g = now_.geometry;
  g.gradient = from_rows(now_.control.gradient(times, g.strain, measure));
  g.stretch = times.next * g.gradient;
  if (!deforms_) { return; }
  const Matrix3 rows{{{g.gradient.x.x, g.gradient.x.y, g.gradient.x.z},
                      {g.gradient.y.x, g.gradient.y.y, g.gradient.y.z},
                      {g.gradient.z.x, g.gradient.z.y, g.gradient.z.z}}};
  const CellTensor increment = CellControl::strain_increment(rows, times.next);
  for (std::size_t k = 0; k < n_cell_components; ++k) { g.strain[k] += increment[k]; }
  const Mat3d change = identity<double>() + g.stretch;
  g.deformation = change * g.deformation;
  g.edges = g.edges + g.stretch * g.edges;
  const double constant = 1.5 * 0x1p52 * grid_spacing();
  const auto rounded = [constant](const Vec3d& a) {
    return Vec3d{(a.x + constant) - constant, (a.y + constant) - constant, (a.z + constant) - constant};
  };
  g.edges = {rounded(g.edges.x), rounded(g.edges.y), rounded(g.edges.z)};
}

bool CellSystem::wants_flip() const {
  if (!any_ || !deforms_) { return false; }
  const Mat3d t = transpose(now_.geometry.edges);
  const Vec3d edge[3] = {t.x, t.y, t.z};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Skew s = skew(edge[i], edge[j], edge[k]);
    if (along_[i] && ((along_[j] && std::abs(s.of_b) > most_skew) || (along_[k] && std::abs(s.of_c) > most_skew))) {
      return true;
    }
  }
  return false;
}

Mat3d CellSystem::flip() {
  const Mat3d t = transpose(now_.geometry.edges);
  Vec3d edge[3] = {t.x, t.y, t.z};
  const Mat3d one = identity<double>();
  Vec3d back[3] = {one.x, one.y, one.z};  // rows of G^-1
  for (int round = 0; round < 8; ++round) {
    bool changed = false;
    for (int i = 2; i >= 0; --i) {  // the first edge comes last, so that a triangular cell stays triangular
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Skew s = skew(edge[i], edge[j], edge[k]);
      const double of_j = along_[i] && along_[j] && std::abs(s.of_b) > 0.5 ? std::round(s.of_b) : 0;
      const double of_k = along_[i] && along_[k] && std::abs(s.of_c) > 0.5 ? std::round(s.of_c) : 0;
      if (of_j == 0 && of_k == 0) { continue; }
      changed = true;
      edge[i] = edge[i] - of_j * edge[j] - of_k * edge[k];
      // An image that counts edge i once must now count edges j and k more often.
      back[j] += of_j * back[i];
      back[k] += of_k * back[i];
    }
    if (!changed) { break; }
  }
  now_.geometry.edges = transpose(Mat3d{edge[0], edge[1], edge[2]});
  return {back[0], back[1], back[2]};
}

CellWrap CellSystem::wrap() const {
  return {now_.geometry.edges, inverse(now_.geometry.edges), origin_, {along_[0], along_[1], along_[2]}};
}

void CellSystem::set_bounds(Vec3d& low, Vec3d& high) const {
  const auto set = [&](double Vec3d::*axis, bool along) {
    if (!along) { return; }
    low.*axis = high.*axis = origin_.*axis;
    for (int k = 0; k < 3; ++k) {
      const double part = now_.geometry.edges.column(k).*axis;
      if (along_[k]) { (part < 0 ? low : high).*axis += part; }
    }
  };
  set(&Vec3d::x, along_[0]), set(&Vec3d::y, along_[1]), set(&Vec3d::z, along_[2]);
}

Vec3d CellSystem::inverse_widths() const {
  const Mat3d fraction = inverse(now_.geometry.edges);
  return {norm(fraction.x), norm(fraction.y), norm(fraction.z)};
}

double CellSystem::largest_inverse_width() const {
  const Vec3d w = inverse_widths();
  return std::max({along_[0] ? w.x : 0, along_[1] ? w.y : 0, along_[2] ? w.z : 0});
}

double CellSystem::fastest_strain(const Mat3d& gradient) {
  const Mat3d d = 0.5 * (gradient + transpose(gradient));
  return std::max({sum_of(d.x), sum_of(d.y), sum_of(d.z)});  // Gershgorin
}

}  // namespace scree::inline SCREE_BACKEND
