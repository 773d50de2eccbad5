#include <gtest/gtest.h>

#include "host/run/contact_warnings.hpp"

namespace scree::contact_warnings_test {

ContactWatch watch_of(double overlap, double critical) {
  ContactWatch watch;
  watch.step = 300;
  watch.overlap = watch.most_overlap = overlap;
  watch.most_overlap_step = 300;
  watch.most_overlap_particle = 17;
  watch.critical = watch.least_critical = critical;
  watch.least_critical_step = 200;
  watch.least_critical_particle = 4;
  return watch;
}

TEST(ContactWarnings, NothingIsSaidOfGoodRuns) {
  EXPECT_TRUE(contact_warnings({}, {{}, 1e-5}).empty());
  EXPECT_TRUE(contact_warnings({}, {watch_of(0.0299, 1e-5), 1e-5}).empty());
}

TEST(ContactWarnings, OverlapsAreToldAtThreeAndAtFivePercent) {
  constexpr double step = 1e-6;
  const auto soft = contact_warnings({}, {watch_of(0.0323, 1e-5), step});
  ASSERT_EQ(soft.size(), 1u);
  EXPECT_EQ(soft[0],
            "particles overlap by 3.2 % of the radius (particle 17 in step 301): the material is soft for this load, "
            "and contacts are "
            "too large; a larger young_modulus (or stiffness) helps");
  EXPECT_TRUE(contact_warnings({watch_of(0.0323, 1e-5), step}, {watch_of(0.04, 1e-5), step}).empty()) << "it was told";
  const auto far = contact_warnings({watch_of(0.04, 1e-5), step}, {watch_of(0.06, 1e-5), step});
  ASSERT_EQ(far.size(), 1u);
  EXPECT_NE(far[0].find("far too soft"), std::string::npos);
}

TEST(ContactWarnings, NoMaterialIsToBlameForTheStart) {
  ContactWatch watch = watch_of(0.11, 1e-5);
  watch.most_overlap_step = 0;
  const auto told = contact_warnings({}, {watch, 1e-6}, "boundary \"base\"", "raise materials.p.young_modulus");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(
      told[0],
      "particles overlap by 11 % of the radius (particle 17 and boundary \"base\" in step 1): they overlap so at the "
      "start, and results of contacts that stay so deep cannot be trusted");
  EXPECT_EQ(contact_warnings({watch, 1e-6}, {watch, 1e-6}).size(), 0u);
}

TEST(ContactWarnings, AFixedStepAboveTheLimitIsToldOnce) {
  const auto told = contact_warnings({}, {watch_of(0, 1e-5), 2e-5});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0],
            "the time step 2e-05 s is 2 of the critical step of the contacts, 1e-05 s of particle 4 in step 201; the "
            "run may be "
            "unstable: give \"time\": {\"step\": 8e-06} or {\"adaptive\": true}");
  EXPECT_TRUE(contact_warnings({watch_of(0, 1e-5), 2e-5}, {watch_of(0, 5e-6), 2e-5}).empty());
  EXPECT_TRUE(contact_warnings({}, {watch_of(0, 1e-5), 0}).empty()) << "there the step follows";
  EXPECT_EQ(contact_warnings({watch_of(0, 1e-5), 0.5e-5}, {watch_of(0, 1e-5), 2e-5}).size(), 1u)
      << "a stage changed it";
}

}  // namespace scree::contact_warnings_test
