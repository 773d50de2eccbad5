#include "kernels/motion/outlets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "kernels/archive/state_io.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/math/sphere.hpp"
#include "kernels/state/state_hash.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// [kg] A mass that a run may be expected to remove: the particles of the start, and for each inlet 2^31 particles of
/// the largest size. A program may insert more.
double expected_mass(const Scene& scene) {
  double mass = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    mass += sphere_mass(scene.particles.radius[i], scene.materials[scene.particles.material[i]].density);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    mass += 0x1p31 * sphere_mass(inlet.largest_radius, scene.materials[inlet.material].density);
  }
  return mass;
}

OutletRegion outlet_region(const SceneDeletion& deletion, bool adaptive) {
  OutletRegion region{};
  region.counter = deletion.counter;
  region.first = adaptive ? std::bit_cast<std::uint64_t>(deletion.from) : deletion.first_step;
  region.end = adaptive ? std::bit_cast<std::uint64_t>(deletion.until) : deletion.end_step;
  if (const auto* box = std::get_if<BoxRegion>(&deletion.region)) {
    region.kind = OutletRegion::Kind::box;
    region.a = vec(box->min);
    region.b = vec(box->max);
  } else if (const auto* ball = std::get_if<SphereRegion>(&deletion.region)) {
    region.kind = OutletRegion::Kind::ball;
    region.a = vec(ball->center);
    region.radius = ball->radius;
  } else {
    const auto& cylinder = std::get<CylinderRegion>(deletion.region);
    region.kind = OutletRegion::Kind::cylinder;
    region.a = vec(cylinder.from);
    region.b = vec(cylinder.to) - region.a;
    region.length = norm(region.b);
    region.b = (1 / region.length) * region.b;
    region.radius = cylinder.radius;
    region.inner_radius = cylinder.inner_radius;
  }
  return region;
}

}  // namespace

OutletSystem::OutletSystem(const Scene& scene) {
  std::vector<OutletPlane> all_planes;
  for (const SceneOutlet& outlet : scene.outlets) {
    SCREE_EXPECT(outlet.counter < scene.outlet_names.size(), "an outlet without a name");
    all_planes.push_back({{outlet.point[0], outlet.point[1], outlet.point[2]},
                          {outlet.normal[0], outlet.normal[1], outlet.normal[2]},
                          outlet.counter});
  }
  planes.assign(all_planes, "outlets");
  std::vector<OutletRegion> all_regions;
  for (const SceneDeletion& deletion : scene.deletions) {
    SCREE_EXPECT(deletion.counter < scene.outlet_names.size(), "a deletion region without a name");
    all_regions.push_back(outlet_region(deletion, scene.adaptive.has_value()));
  }
  regions.assign(all_regions, "outlets");
  counts.assign(std::vector<OutletCount>(scene.outlet_names.size()), "outlets");
  const double total_mass = expected_mass(scene);
  quanta_per_mass = std::exp2(61 - (total_mass > 0 ? std::ilogb(total_mass) : 0));
  lists = scene.lists_removed && !scene.outlet_names.empty();
  if (lists) { n_removed.assign({0}, "outlets"); }
}

void OutletSystem::count(std::uint32_t counter, double mass) {
  OutletCount sum = counts.element(counter);
  sum.add(mass * quanta_per_mass);
  counts.set_element(counter, sum);
}

void OutletSystem::reserve(std::size_t n_bodies) {
  if (lists) { removed.resize(n_removed.element(0) + n_bodies, "outlets"); }
}

std::vector<RemovedBody> OutletSystem::take() {
  if (!lists) { return {}; }
  std::vector<RemovedBody> all = removed.to_vector(n_removed.element(0));
  if (all.empty()) { return all; }
  n_removed.set_element(0, 0);
  std::sort(all.begin(), all.end(), [](const RemovedBody& a, const RemovedBody& b) {
    return std::tuple(a.step, a.id) < std::tuple(b.step, b.id);
  });
  return all;
}

void OutletSystem::save(StateWriter& out) const {
  out("totals/quanta_per_mass", "1/kg", quanta_per_mass);
  std::vector<std::uint64_t> numbers;
  for (const OutletCount& count : counts.to_vector()) {
    numbers.insert(numbers.end(), {count.bodies, count.parts, count.ones, count.many});
  }
  out.rows(
      "totals/outlets", "1", counts.size(), [&](std::size_t k) -> const std::uint64_t& { return numbers[4 * k]; }, 4);
}

void OutletSystem::restore(StateReader& in) {
  double saved = 0;
  in("totals/quanta_per_mass", "1/kg", saved);
  expect_state(saved == quanta_per_mass, [&] {
    return broken_rule("totals/quanta_per_mass", value_text(quanta_per_mass) + " as in the scene of the case", saved);
  });
  std::vector<std::uint64_t> numbers(4 * counts.size());
  in.rows(
      "totals/outlets", "1", counts.size(), [&](std::size_t k) -> std::uint64_t& { return numbers[4 * k]; }, 4);
  std::vector<OutletCount> all;
  for (std::size_t k = 0; k < numbers.size(); k += 4) {
    all.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  }
  counts.assign(all, "outlets");
  if (lists) { n_removed.set_element(0, 0); }
}

void OutletSystem::hash(UnorderedHash& sum) const {
  for (const OutletCount& count : counts.to_vector()) { sum.add({count.bodies, count.whole_quanta()}); }
}

}  // namespace scree::inline SCREE_BACKEND
