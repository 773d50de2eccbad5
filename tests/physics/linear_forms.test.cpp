#include <gtest/gtest.h>

#include <cstring>

#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "scenes.hpp"

// Laws whose pairs of materials leave terms out are compiled without them. They must give the bits of the general form.
namespace scree::physics::linear_forms_test {

template <class R>
R some(Numbers& random, double low, double high) {
  return static_cast<R>(random.between(low, high));
}
template <class R>
Vec3<R> some_vector(Numbers& random, double size) {
  const R x = some<R>(random, -size, size), y = some<R>(random, -size, size), z = some<R>(random, -size, size);
  return {x, y, z};
}

/// Contacts that touch or are apart, at rest or sliding, of bodies that may be fixed.
template <class R>
ContactState<R> some_contact(Numbers& random, int k) {
  ContactState<R> c{};
  c.n = {R(0), R(0), R(1)};
  c.overlap = k % 5 == 0 ? R(0) : some<R>(random, -1e-6, 1e-5);
  c.normal_velocity = k % 7 == 0 ? R(0) : some<R>(random, -0.1, 0.1);
  c.slip = k % 3 == 0 ? Vec3<R>{} : some_vector<R>(random, 0.1);
  c.shear = k % 11 == 0 ? Vec3<R>{} : some_vector<R>(random, 1e-2);
  c.radius1 = some<R>(random, 1e-3, 2e-3), c.radius2 = some<R>(random, 1e-3, 2e-3);
  c.effective_radius = c.radius1 * c.radius2 / (c.radius1 + c.radius2);
  c.effective_mass = k % 13 == 0 ? R(0) : some<R>(random, 1e-6, 1e-4);
  c.time_step = R(1e-5);
  c.lean = k % 2 == 0 ? R(1) : R(-1);
  return c;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class R>
bool same_response(const LawResponse<R>& a, const LawResponse<R>& b) {
  return same_bits(a.normal, b.normal) && same_bits(a.tangential, b.tangential) && same_bits(a.shear, b.shear);
}

template <class R, LinearForm form>
void expect_bits_of_the_general_form(Numbers& random, int n) {
  using General = LinearSpringDashpot<R>;
  using Law = LinearFamily<R, form>;
  for (int k = 0; k < n; ++k) {
    typename General::Params all{};
    if (k % 2 == 0) {
      all.stiffness = some<R>(random, 100, 1e4), all.shear_stiffness = some<R>(random, 10, 1e4);
    } else {
      all.stiffness_per_mass = some<R>(random, 1e6, 1e8), all.shear_per_mass = some<R>(random, 1e6, 1e8);
    }
    if (form.damping_ratios) {
      all.damping = some<R>(random, 0, 1), all.damping_shear = k % 4 == 0 ? R(0) : some<R>(random, 0, 1);
    } else if (k % 5 != 0) {
      all.dashpot = some<R>(random, 0, 1), all.shear_dashpot = some<R>(random, 0, 1);
    }
    all.friction = k % 17 == 0 ? R(0) : some<R>(random, 0, 1);
    typename Law::Params own{};
    own.stiffness_per_mass = all.stiffness_per_mass, own.shear_per_mass = all.shear_per_mass;
    own.stiffness = all.stiffness, own.shear_stiffness = all.shear_stiffness;
    own.dashpot = all.dashpot, own.shear_dashpot = all.shear_dashpot;
    own.damping = all.damping, own.damping_shear = all.damping_shear, own.friction = all.friction;

    const ContactState<R> c = some_contact<R>(random, k);
    const LawResponse<R> response = Law::evaluate(c, own), expected = General::evaluate(c, all);
    ASSERT_TRUE(same_response(response, expected)) << k;
    const ContactStiffness<R> stiffness = Law::stiffness(c, own), of_general = General::stiffness(c, all);
    ASSERT_TRUE(same_bits(stiffness.normal, of_general.normal) && same_bits(stiffness.shear, of_general.shear)) << k;
    ASSERT_TRUE(same_bits(stiffness.normal_dashpot, of_general.normal_dashpot)) << k;
    ASSERT_TRUE(same_bits(stiffness.shear_dashpot, of_general.shear_dashpot)) << k;
    const LawEnergies<R> energies = Law::energies(c, own, response, R(0)),
                         of_all = General::energies(c, all, expected, R(0));
    ASSERT_TRUE(same_bits(energies.normal, of_all.normal) && same_bits(energies.stored, of_all.stored)) << k;
    ASSERT_TRUE(same_bits(energies.friction, of_all.friction)) << k;
  }
}

TEST(LinearForms, HaveTheBitsOfTheGeneralForm) {
  Numbers random(7);
  expect_bits_of_the_general_form<float, LinearForm{false, true}>(random, 20000);
  expect_bits_of_the_general_form<float, LinearForm{false, false}>(random, 20000);
  expect_bits_of_the_general_form<double, LinearForm{false, true}>(random, 20000);
  expect_bits_of_the_general_form<double, LinearForm{false, false}>(random, 20000);
}

/// A scene of two materials far from each other, one pair of spheres of each.
Scene two_pairs(const LinearSprings& first, const LinearSprings& second) {
  const Substance any{1e6, 0.3, 2500};
  MaterialPair one, two;
  one.friction = two.friction = 0.5;
  one.springs = first, two.springs = second;
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, any, any, one, 1e-5);
  scene.pairs[3] = two;
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t k = 0; k < 2; ++k) {
      add_sphere(scene, {double(m), 0.0199 * double(k), 0}, 0.01, {0.01 * double(k), -0.05 * double(k), 0.02}, {},
                 static_cast<std::uint32_t>(m));
    }
  }
  return scene;
}

// A contact has the same bits whether its form of the law fits only it, or also those of other materials.
TEST(LinearForms, DoNotDependOnOtherPairsOfMaterials) {
  const LinearSprings moduli{.damping_ratio = 0.2, .shear_damping_ratio = 0.1};
  const LinearSprings given{.from_moduli = false, .stiffness = 1e4, .shear_stiffness = 5e3, .dashpot = 0.3};
  const LinearSprings timed{
      .from_moduli = false, .stiffness_per_mass = 1e6, .shear_per_mass = 3e5, .damping_ratio = 0.2};
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto after = [&](const LinearSprings& first, const LinearSprings& second) {
      Scene scene = two_pairs(first, second);
      scene.precision = precision;
      const auto engine = start(scene);
      engine->advance(200);
      return std::vector<Real3>{read(*engine, 0).velocity, read(*engine, 0).spin, read(*engine, 1).position};
    };
    for (const LinearSprings& springs : {given, timed}) {
      const auto alone = after(springs, springs);
      EXPECT_NE(norm(alone[0]), 0);
      EXPECT_EQ(alone, after(springs, moduli));
      EXPECT_EQ(alone, after(springs, timed));
      EXPECT_EQ(alone, after(springs, given));
    }
  }
}

template <class Law, class R>
void expect_bits_of_shared_values(const typename Law::Params& params) {
  Numbers random(3);
  for (int k = 0; k < 5000; ++k) {
    const ContactState<R> c = some_contact<R>(random, k);
    HistoryOf<Law> history{};
    ASSERT_TRUE(same_response(evaluate_law<Law>(c, params, of_contact<Law>(c, params), history),
                              evaluate_law<Law>(c, params, history)));
  }
}

// Nodes of a contact share what radii and masses determine.
TEST(LinearForms, NodesShareWhatTheContactDetermines) {
  expect_bits_of_shared_values<LinearSpringDashpot<float>, float>(
      {2e6F, 1e6F, 6e5F, 3e5F, 0, 0, 0, 0, 0, 0, 0.3F, 0.1F, 0.5F});
  expect_bits_of_shared_values<CundallStrack<float>, float>({2e6F, 1e6F, 0.3F, 0.2F, 0.5F});
}

}  // namespace scree::physics::linear_forms_test
