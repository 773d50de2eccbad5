#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "busy_scene.hpp"
#include "hot_scene.hpp"

/// The spheres whose stress has reached their strength, beside the same sums over the list of all contacts.
namespace scree::inline SCREE_BACKEND::overloaded_test {

using OverloadedSpheres = BackendTest;

constexpr double unbreakable = std::numeric_limits<double>::infinity();

struct Load {
  std::array<double, 6> moment{};  ///< [N m] xx, yy, zz, yz, xz, xy
  double depth = 0;                ///< [m]

  void add(const Real3& f, const Real3& l, double radius) {
    const auto mixed = [&](int a, int b) { return 0.5 * (f[a] * l[b] + f[b] * l[a]); };
    const std::array<double, 6> more = {mixed(0, 0), mixed(1, 1), mixed(2, 2), mixed(1, 2), mixed(0, 2), mixed(0, 1)};
    for (std::size_t k = 0; k < 6; ++k) { moment[k] += more[k]; }
    depth = std::max(depth, 2 * (radius - std::sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2])));
  }
  [[nodiscard]] double stress(double radius) const {
    const double a = moment[0] - moment[1], b = moment[1] - moment[2], c = moment[2] - moment[0];
    const double off = moment[3] * moment[3] + moment[4] * moment[4] + moment[5] * moment[5];
    const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
    return std::sqrt(a * a + b * b + c * c + 6 * off) / (3 * volume);
  }
};

Real3 minus(const Real3& a, const Real3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// The loads of all spheres, by id.
std::map<std::uint32_t, Load> loads_of(Engine& engine, const Snapshot& now) {
  std::map<std::uint32_t, double> radius;
  std::map<std::uint32_t, Load> loads;
  for (std::size_t i = 0; i < now.id.size(); ++i) { radius[now.id[i]] = now.radius[i], loads[now.id[i]] = {}; }
  std::vector<ContactDetail> details;
  const std::vector<TouchingContact> contacts = engine.touching_contacts(&details);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const TouchingContact& c = contacts[k];
    const Real3& centre = details[k].center;
    Real3 own = centre;
    for (int d = 0; !c.with_boundary && d < 3; ++d) { own[d] += c.branch[d]; }
    loads.at(c.second).add(c.force, minus(c.point, own), radius.at(c.second));
    if (c.with_boundary) { continue; }
    const Real3 back = {-c.force[0], -c.force[1], -c.force[2]};
    loads.at(c.first).add(back, minus(c.point, centre), radius.at(c.first));
  }
  return loads;
}

/// Gives each third sphere with a load its own stress as strength, each third a little more, and the rest none; so the
/// first ones are overloaded, if and only if the stress has the same bits.
void expect_the_right_ones(Engine& engine) {
  const Snapshot now = engine.snapshot({.group = true, .temperature = true});
  const auto loads = loads_of(engine, now);
  std::vector<double> strength(engine.id_count(), unbreakable);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const double stress = loads.at(now.id[i]).stress(now.radius[i]);
    if (!(stress > 0) || now.id[i] % 3 == 2) { continue; }
    const bool breaks = now.id[i] % 3 == 0;
    strength[now.id[i]] = breaks ? stress : std::nextafter(stress, unbreakable);
    if (breaks) { expected.push_back(now.id[i]); }
  }
  const auto half = static_cast<std::ptrdiff_t>(strength.size() / 2);
  engine.set_strengths(0, {strength.begin(), strength.begin() + half});
  engine.set_strengths(static_cast<std::uint32_t>(half), {strength.begin() + half, strength.end()});
  const std::vector<OverloadedSphere> found = engine.overloaded_spheres();
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_GT(found.size(), 20U);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const OverloadedSphere& one = found[k];
    ASSERT_EQ(one.id, expected[k]);
    const std::size_t i = now.place_of(one.id).value();
    EXPECT_EQ(one.stress, strength[one.id]);
    EXPECT_EQ(one.depth, loads.at(one.id).depth);
    EXPECT_EQ(one.position, now.position[i]);
    EXPECT_EQ(one.velocity, now.velocity[i]);
    EXPECT_EQ(one.angular_velocity, now.angular_velocity[i]);
    if (!now.temperature.empty()) { EXPECT_EQ(one.temperature, now.temperature[i]); }
  }
}

// Walls that move, bodies of two sizes, and bodies that have left.
TEST_F(OverloadedSpheres, AreThoseOfTheListOfContacts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const int threads : {1, 3}) {
      const auto engine = make_backend_engine(busy_scene(precision, LawKind::hertz_mindlin, 0.3), threads);
      engine->advance(400);
      ASSERT_GT(engine->counts().removed[0] + engine->counts().removed[1], 0U);
      expect_the_right_ones(*engine);
    }
  }
}

// More than the list of a look has room for at first: all are found.
TEST_F(OverloadedSpheres, MayBeAll) {
  Scene scene = busy_scene(Precision::double_, LawKind::hertz_mindlin, 0.3);
  make_hot(scene);
  const auto engine = make_backend_engine(scene);
  engine->advance(400);
  const auto loads = loads_of(*engine, engine->snapshot());
  engine->set_strengths(0, std::vector<double>(engine->id_count(), 0));
  const auto found = engine->overloaded_spheres();
  EXPECT_EQ(found.size(), loads.size()) << "a strength of 0 is reached without a contact";
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; }));
  EXPECT_GT(found.size(), 256U);
  expect_the_right_ones(*engine);
}

TEST_F(OverloadedSpheres, AreNoneWithoutStrengths) {
  const auto engine = make_backend_engine(busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.3));
  engine->advance(100);
  EXPECT_TRUE(engine->overloaded_spheres().empty());
  EXPECT_THROW(engine->set_strengths(5, {1.0}), ContractError) << "the first five have none";
}

}  // namespace scree::inline SCREE_BACKEND::overloaded_test
