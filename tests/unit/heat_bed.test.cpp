// first, since it says how Eigen is compiled
#include "host/modes/linear_algebra.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <numbers>

#include "../physics/scenes.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/region.hpp"
#include "host/scene/heat.hpp"

// Conduction through a random bed, against the network of its contacts, which is solved here, and against bounds.
namespace scree::physics::heat_bed_test {

constexpr double conductivity = 2, hot = 400, cold = 300;
constexpr double side = 14e-3, height = 18e-3;  // [m] of a box with adiabatic sides

/// A random packing in a box, whose spheres were grown by 2 % after it was made: most neighbours touch.
Scene bed() {
  Scene scene = hertz_scene({1e8, 0.2, 2500}, {0, 0}, 1e-6);
  scene.groups.resize(1);
  scene.groups[0].fixed = 63;
  for (Material& material : scene.materials) { material.thermal = Thermal{conductivity, 1, 1, {}}; }
  std::vector<std::string> notes;
  const auto region = packing::make_region(BoxRegion{{0, 0, 0}, {side, side, height}}, {}, notes, nullptr);
  std::vector<double> radii;
  Numbers numbers(5);
  const double mean = 4.0 / 3 * std::numbers::pi * 1e-9;
  while (double(radii.size()) * mean < 0.535 * side * side * height) {
    radii.push_back(1e-3 * numbers.between(0.95, 1.05));
  }
  packing::PackingQuality quality;
  const packing::Spheres spheres = packing::pack_densely(*region, radii, {}, 7, 0, nullptr, quality);
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    add_sphere(scene, spheres.position[i], 1.02 * spheres.radius[i]);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, height}, {0, 0, -1});
  add_plane(scene, {0, 0, 0}, {1, 0, 0});
  add_plane(scene, {side, 0, 0}, {-1, 0, 0});
  add_plane(scene, {0, 0, 0}, {0, 1, 0});
  add_plane(scene, {0, side, 0}, {0, -1, 0});
  scene.boundaries[0].temperature = hot, scene.boundaries[1].temperature = cold;
  Case input;
  input.heat = HeatSettings{.temperature = 350};
  resolve_heat(input, scene);
  return scene;
}

/// The contacts as a network of conductors 2 k a between spheres and the two plates.
struct Network {
  struct Edge {
    std::size_t i, j;
    double conductance;  ///< [W/K]
    double along;        ///< [m] height of j above i
    double length;       ///< [m]
  };
  std::vector<Edge> edges;                      ///< between spheres
  std::vector<std::array<double, 2>> to_plate;  ///< [W/K] of each sphere, to the hot and the cold plate

  explicit Network(const ParticleSet& p) : to_plate(p.size()) {
    const auto conductance = [](double radius, double overlap) {
      return overlap > 0 ? 2 * conductivity * std::sqrt(radius * overlap) : 0;
    };
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double r = p.radius[i], z = p.position[i][2];
      to_plate[i] = {conductance(r, r - z), conductance(r, r - (height - z))};
      for (std::size_t j = i + 1; j < p.size(); ++j) {
        const Real3 way = p.position[j] - p.position[i];
        const double d = std::sqrt(dot(way, way)), r2 = p.radius[j];
        const double h = conductance(r * r2 / (r + r2), r + r2 - d);
        if (h > 0) { edges.push_back({i, j, h, way[2], d}); }
      }
    }
  }

  /// [K] Steady temperatures.
  [[nodiscard]] std::vector<double> solved() const {
    const auto n = static_cast<Eigen::Index>(to_plate.size());
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd given(n);
    std::vector<double> total(to_plate.size());
    for (std::size_t i = 0; i < to_plate.size(); ++i) {
      total[i] = to_plate[i][0] + to_plate[i][1];
      given[static_cast<Eigen::Index>(i)] = to_plate[i][0] * hot + to_plate[i][1] * cold;
    }
    for (const Edge& edge : edges) {
      total[edge.i] += edge.conductance, total[edge.j] += edge.conductance;
      entries.emplace_back(int(edge.i), int(edge.j), -edge.conductance);
      entries.emplace_back(int(edge.j), int(edge.i), -edge.conductance);
    }
    for (std::size_t i = 0; i < total.size(); ++i) {
      if (total[i] == 0) { given[static_cast<Eigen::Index>(i)] = 350; }  // it touches nobody and stays as it was
      entries.emplace_back(int(i), int(i), total[i] > 0 ? total[i] : 1);
    }
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd t = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(given);
    return {t.data(), t.data() + n};
  }
  /// [W] from the hot plate.
  [[nodiscard]] double flow(const std::vector<double>& t) const {
    double sum = 0;
    for (std::size_t i = 0; i < t.size(); ++i) { sum += to_plate[i][0] * (hot - t[i]); }
    return sum;
  }
  [[nodiscard]] double largest_sum() const {
    std::vector<double> sum(to_plate.size());
    for (std::size_t i = 0; i < sum.size(); ++i) { sum[i] = to_plate[i][0] + to_plate[i][1]; }
    for (const Edge& edge : edges) { sum[edge.i] += edge.conductance, sum[edge.j] += edge.conductance; }
    return *std::max_element(sum.begin(), sum.end());
  }
};

// The steady state is that of the network, to the rounding of many steps. By Dirichlet's principle no other field of
// temperatures carries less: the linear field is an upper bound of the flow.
TEST(HeatBed, ARandomBedConductsAsTheNetworkOfItsContacts) {
  Scene scene = bed();
  const ParticleSet& p = scene.particles;
  const Network network(p);
  const double smallest = sphere_mass(*std::min_element(p.radius.begin(), p.radius.end()), 2500);
  scene.time_step = 0.9 * smallest / network.largest_sum();
  const auto engine = start(scene);
  engine->advance(6000);
  const std::vector<double> expected = network.solved(), t = engine->snapshot({.temperature = true}).temperature;
  for (std::size_t i = 0; i < t.size(); ++i) { EXPECT_NEAR(t[i], expected[i], 1e-6) << i; }
  const double flow = network.flow(expected);
  EXPECT_NEAR(engine->heat().flow[0], flow, 1e-9 * flow);
  EXPECT_NEAR(engine->heat().flow[1], -flow, 1e-9 * flow);

  double linear = 0;
  const auto field = [](double z) { return hot + (cold - hot) * z / height; };
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double own = field(p.position[i][2]);
    linear += network.to_plate[i][0] * (hot - own) * (hot - own) + network.to_plate[i][1] * (own - cold) * (own - cold);
  }
  for (const Network::Edge& edge : network.edges) {
    const double difference = (hot - cold) / height * edge.along;
    linear += edge.conductance * difference * difference;
  }
  linear /= hot - cold;
  EXPECT_LT(flow, linear);
  EXPECT_GT(flow, 0.7 * linear);

  // Within the bed, away from the plates: the linear field carries sum H z^2 / V, which for an isotropic packing of
  // equal spheres is phi Z H / (pi d). The bed carries somewhat less, with the gradient that fits its temperatures.
  constexpr double low = 4e-3, high = height - 4e-3, volume = side * side * (high - low);
  double along = 0, all_ways = 0;
  for (const Network::Edge& edge : network.edges) {
    const double z = p.position[edge.i][2] + 0.5 * edge.along;
    if (z < low || z > high) { continue; }
    along += edge.conductance * edge.along * edge.along / volume;
    all_ways += edge.conductance * edge.length * edge.length / 3 / volume;
  }
  EXPECT_NEAR(along, all_ways, 0.1 * all_ways) << "no direction is preferred";
  double n = 0, sz = 0, szz = 0, st = 0, szt = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double z = p.position[i][2];
    if (z < low || z > high) { continue; }
    n += 1, sz += z, szz += z * z, st += t[i], szt += z * t[i];
  }
  const double gradient = (n * szt - sz * st) / (n * szz - sz * sz), effective = -flow / (side * side) / gradient;
  EXPECT_LT(effective, along);
  EXPECT_GT(effective, 0.8 * along);
}

}  // namespace scree::physics::heat_bed_test
