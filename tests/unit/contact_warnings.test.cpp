#include <gtest/gtest.h>

#include "fake_runs.hpp"
#include "host/run/contact_warnings.hpp"
#include "host/run/summary.hpp"
#include "scree/simulation.hpp"

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

/// From step 100 on particles 0 and 1 overlap by 3.6 %; if it `grows`, particle 2 and the floor by 4.1 % from step 200.
/// A bond joins the particles 0 and 3 at a larger overlap, which the watch leaves out.
class SqueezedEngine : public test::FakeEngine {
 public:
  SqueezedEngine(const Scene& scene, bool grows) : FakeEngine(scene), grows_(grows) {}
  ContactWatch watch() override {
    ContactWatch seen;
    seen.critical = seen.least_critical = 1e3;
    if (step() >= 100) { seen.most_overlap = 0.036, seen.most_overlap_step = 99, seen.most_overlap_particle = 0; }
    if (has_grown()) { seen.most_overlap = 0.041, seen.most_overlap_step = 199, seen.most_overlap_particle = 2; }
    seen.overlap = seen.most_overlap;
    return seen;
  }
  std::vector<TouchingContact> touching_contacts(std::vector<ContactDetail>* details = nullptr) override {
    if (details != nullptr) { details->assign({{.overlap = 2e-3, .bonded = true}, {.overlap = 1e-3}}); }
    return {{.first = 0, .second = 3}, {.first = 0, .second = has_grown() ? 2U : 1U, .with_boundary = has_grown()}};
  }

 private:
  [[nodiscard]] bool has_grown() const { return grows_ && step() >= 200; }
  bool grows_;
};

/// The warnings during a run of 400 steps, and those after it.
std::pair<std::vector<std::string>, std::vector<std::string>> warnings_of_run(bool grows) {
  const test::ScratchFolder folder;
  Scene scene = test::small_scene();
  scene.material_names = {"glass"};
  SqueezedEngine engine(scene, grows);
  std::vector<std::string> during, after;
  const auto warn = [&](const std::string& text) { during.push_back(text); };
  const Case input = test::fake_runs::case_for(400 * scene.time_step, 0, 50 * scene.time_step);
  const RunSummary summary = Simulation(input, scene, engine, {.folder = folder.path(), .warn = warn}).run();
  for (const std::string& line : summary_lines(summary, scene, engine)) {
    if (line.starts_with("warning: ")) { after.push_back(line); }
  }
  return {during, after};
}

TEST(ContactWarnings, AnOverlapIsToldOnceInARun) {
  const auto [during, after] = warnings_of_run(false);
  ASSERT_EQ(during.size(), 1U);
  EXPECT_TRUE(during[0].starts_with("particles overlap by 3.6 % of the radius (particle 0 and particle 1 in step 100)"))
      << during[0];
  EXPECT_TRUE(after.empty()) << after.front();
}

TEST(ContactWarnings, ALargerOverlapIsToldAtTheEndWithItsPartnerAndMaterial) {
  const auto [during, after] = warnings_of_run(true);
  EXPECT_EQ(during.size(), 1U);
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0],
            "warning: particles overlap by 4.1 % of the radius (particle 2 and boundary \"floor\" in step 200): the "
            "material is soft for this load, and contacts are too large; raise materials.glass.young_modulus");
}

}  // namespace scree::contact_warnings_test
