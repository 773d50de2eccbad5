#include <cstring>
#include <tuple>

#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/jkr.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "kernels/laws/mindlin_reversal.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "kernels/step/boundaries/boundary_contacts.hpp"
#include "kernels/step/boundaries/sphere_on_feature.hpp"
#include "support.hpp"

/// Contacts with boundaries that are computed side by side on the host have the same bits as those that are computed
/// one by one.
#if !SCREE_ON_CUDA
namespace scree::inline SCREE_BACKEND::boundary_lanes_test {

using BoundaryLanesTest = BackendTest;

/// n spheres that touch planes, an uneven sheet, whose facets continue each other, and a cylinder.
Scene spheres_at_boundaries(std::uint64_t n, Precision precision) {
  Scene scene = glass_scene(precision);
  scene.time_step = 1e-6;
  Random random(n);
  const double size = 20 * bead;
  add_plane(scene, {0, 0, 0}, {0.1, 0, 1});
  add_plane(scene, {0, 0, 0}, {0, 1, 0});
  TriangleMesh waves = sheet({size, 0, 0}, {size, 0, 0}, {0, size, 0}, 24);
  for (Real3& v : waves.vertices) { v[2] += random(-0.05, 0.05) * bead; }
  add_mesh(scene, waves);
  add_cylinder(scene, {0, -2 * size, 0}, {size, -2 * size, 0}, 3 * bead);
  for (std::uint64_t i = 0; i < n; ++i) {
    const double radius = random(0.8, 1.2) * bead, height = random(0.93, 1.01) * radius;
    const double x = random(0, size), y = random(0.9, 8) * bead;
    Real3 place{x, y, height - 0.1 * x};
    if (i % 3 == 1) { place = {size + x, 2 * bead + 0.8 * x, height}; }
    if (i % 7 == 2) { place = {0.1 * size + 0.8 * x, -2 * size, 3 * bead - height}; }
    add_body(scene, place, radius, {random(-1, 1), random(-1, 1), random(-1, 1)});
  }
  return scene;
}

/// All that contacts with boundaries write.
template <class R>
struct Written {
  std::vector<BoundarySlot<R>> slots;
  std::vector<Wrench<R>> wrench;
  std::vector<R> extra;
  std::vector<Vec3<R>> couple;
  std::vector<R> normal_energy;
  std::vector<Vec3<R>> viscous_couple;
  std::vector<R> losses;
  std::vector<ExactSum> sums;  ///< of the ledger
};

/// What surfaces and a periodic cell do in a scene.
struct Surroundings {
  bool moves, slides, grows, flows;
};

/// An energy ledger of the contacts with boundaries, in steps of uneven lengths.
template <class R>
struct Ledger {
  Buffer<R> normal_energy, losses;
  Buffer<Vec3<R>> viscous_couple;
  Buffer<Pose> last_pose;
  Buffer<LedgerLane> lanes;
  StepMoment<R> moment{};

  Ledger(std::size_t n_slots, const Span<Pose>& pose, bool couples, const Surroundings& has) {
    normal_energy.assign(std::vector<R>(n_slots));
    losses.assign(std::vector<R>(n_slots));
    viscous_couple.assign(std::vector<Vec3<R>>(couples ? n_slots : 0));
    std::vector<Pose> before(pose.data, pose.data + pose.size);
    for (Pose& last : before) {
      if (has.moves) { last.velocity.x += 0.05, last.spin.y -= 0.3; }
    }
    last_pose.assign(before);
    lanes.assign(std::vector<LedgerLane>(1));
    moment.ledger.last = 1e-6, moment.ledger_before.next = 0.9e-6;
    if (has.flows) {
      for (LedgerMoment* m : {&moment.ledger, &moment.ledger_before}) {
        m->flows = 1, m->gradient_before.x = {10, -20, 5}, m->gradient_after.x = {11, -19, 4};
      }
    }
  }
  [[nodiscard]] ContactLedger<R> view() {
    ContactLedger<R> ledger{lanes.view(), last_pose.view()};
    ledger.moment = &moment, ledger.losses = losses.view();
    ledger.rest = {{normal_energy.data()}, viscous_couple.view()};
    return ledger;
  }
  void clear() { normal_energy.zero(), losses.zero(), viscous_couple.zero(), lanes.zero(); }
  [[nodiscard]] std::vector<ExactSum> sums() {
    LedgerLane lane = lanes.to_vector()[0];
    lane.finish();
    return {std::begin(lane.term), std::end(lane.term)};
  }
};

template <class T>
void expect_same_bytes(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (!a.empty()) { EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(T))) << what; }
}

/// Numbers of contacts at the end of the steps.
struct Contacts {
  std::size_t all = 0, joined = 0, at_facets = 0;
};

/// Compares three steps of a law at the contacts of a scene. Boundaries have velocities, the surfaces of some of them
/// slide if asked for, bodies move in between, and some are removed before the last step. Positive numbers of a
/// reasonable size are the parameters of the law.
template <class Law, class R>
Contacts expect_same_steps(const Scene& scene, const Surroundings& has) {
  System<R> system(scene, 1);
  static_cast<void>(system.search_neighbours());
  RunState<R>& run = system.run();
  typename Law::Params params{};
  params.each([](int component, R& value) { value = component < 2 ? R(1e7) : R(0.2) + R(0.03) * R(component); });
  Buffer<typename Law::Params> all;
  all.assign(std::vector<typename Law::Params>(9, params));
  BoundaryContactViews<R> views = boundary_contact_views(run);
  const std::size_t n_slots = views.slots.size, n_rows = views.body_of_row.size;
  Buffer<R> extra;
  Buffer<Vec3<R>> couple;
  extra.assign(std::vector<R>(n_slots * HistoryOf<Law>::n_components));
  couple.assign(std::vector<Vec3<R>>(has_couple<Law> ? n_slots : 0));
  views.n_extra = HistoryOf<Law>::n_components, views.extra = extra.view(), views.couple = couple.view();

  views.time_step = R(1e-6), views.lean = R(0.3);
  views.classes.bits.holds_apart = holds_apart<Law> ? 1 : 0;
  for (std::size_t b = 0; b < views.boundaries.pose.size; ++b) {
    if (has.moves) {
      views.boundaries.pose[b].velocity = {0.1 * double(b), -0.2, 0.3};
      views.boundaries.pose[b].spin = {3, 0.5 * double(b), -1};
    }
    if (has.slides && b > 0) {
      views.boundaries.pose[b].surface_velocity = {0.3, 0.1 * double(b), -0.2};
      views.boundaries.pose[b].surface_spin = {-2, 1, 0.7 * double(b)};
    }
  }
  views.boundaries.slides = has.slides ? 1 : 0;
  if (has.grows) {
    views.boundaries.grows = 1;
    for (std::size_t f = 0; f < views.boundaries.feature.size; ++f) {
      Feature& feature = views.boundaries.feature[f];
      if (feature.kind != FeatureKind::cylinder) { continue; }
      feature.c = 1;
      views.boundaries.pose[feature.boundary].growth_rate = 0.4;
    }
  }
  Ledger<R> ledger(n_slots, views.boundaries.pose, has_couple<Law>, has);
  if constexpr (keeps_ledger<Law>) { views.ledger = ledger.view(); }

  const std::vector<BoundarySlot<R>> start = copy_of(views.slots);
  const std::vector<BodyPlace<R>> places = copy_of(views.bodies.place);
  const BoundaryContacts<SphereOnFeature<R>, Law> both{views, all.view(), 0, true};
  const auto steps = [&](bool in_lanes) {
    copy_to_backend(views.slots.data, start.data(), n_slots * sizeof(BoundarySlot<R>));
    copy_to_backend(views.bodies.place.data, places.data(), places.size() * sizeof(BodyPlace<R>));
    extra.zero(), couple.zero(), ledger.clear();
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        views.bodies.place[i].position.z += (i % 4 == 0 ? 3e-2 : 1e-3) * bead;
        if (step == 2 && i % 97 == 5) { views.bodies.place[i].position = parked_position(index_t(i)); }
      }
      if (in_lanes) {
        both.work_on(0, n_rows);
      } else {
        for (std::size_t row = 0; row < n_rows; ++row) { both(row); }
      }
    }
    return Written<R>{copy_of(views.slots),
                      copy_of(views.wrench),
                      extra.to_vector(),
                      couple.to_vector(),
                      ledger.normal_energy.to_vector(),
                      ledger.viscous_couple.to_vector(),
                      ledger.losses.to_vector(),
                      ledger.sums()};
  };
  const Written<R> one_by_one = steps(false), lanes = steps(true);
  expect_same_bytes(one_by_one.slots, lanes.slots, "slots");
  expect_same_bytes(one_by_one.wrench, lanes.wrench, "wrenches");
  expect_same_bytes(one_by_one.extra, lanes.extra, "histories");
  expect_same_bytes(one_by_one.couple, lanes.couple, "couples");
  expect_same_bytes(one_by_one.normal_energy, lanes.normal_energy, "potentials");
  expect_same_bytes(one_by_one.viscous_couple, lanes.viscous_couple, "viscous couples");
  expect_same_bytes(one_by_one.losses, lanes.losses, "losses");
  expect_same_bytes(one_by_one.sums, lanes.sums, "sums of the ledger");
  if (keeps_ledger<Law> && scene.particles.size() >= 300) {
    const auto is_there = [&](LedgerTerm term) { return lanes.sums[std::size_t(term)].value() != 0; };
    for (const LedgerTerm term : {LedgerTerm::friction, LedgerTerm::viscous, LedgerTerm::removed, LedgerTerm::gained}) {
      EXPECT_TRUE(is_there(term)) << int(term);
    }
    EXPECT_EQ(is_there(LedgerTerm::boundaries), has.moves || has.slides || has.grows);
    EXPECT_EQ(is_there(LedgerTerm::cell), has.flows);
  }
  Contacts contacts;
  for (const BoundarySlot<R>& slot : lanes.slots) {
    contacts.all += slot.touching;
    contacts.joined += slot.touching != 0 && slot.weight != 0 ? 1 : 0;
    contacts.at_facets += slot.touching != 0 && slot.feature >= views.boundaries.first_facet ? 1 : 0;
  }
  return contacts;
}

template <template <class> class Law>
void expect_same_bits() {
  const Surroundings moves{true, false, false, false}, slides{true, true, false, false},
      grows{true, false, true, false}, flows{true, true, false, true}, rests{};
  const std::tuple<std::uint64_t, Surroundings> scenes[] = {{1, moves},    {2, slides},  {7, moves},   {8, slides},
                                                            {9, moves},    {40, flows},  {64, rests},  {65, grows},
                                                            {300, slides}, {300, grows}, {300, flows}, {300, rests}};
  for (const auto& [n, has] : scenes) {
    SCOPED_TRACE(testing::Message() << n << has.moves << has.slides << has.grows << has.flows);
    const Contacts contacts = expect_same_steps<Law<float>, float>(spheres_at_boundaries(n, Precision::mixed), has);
    static_cast<void>(expect_same_steps<Law<double>, double>(spheres_at_boundaries(n, Precision::double_), has));
    if (n < 300) { continue; }
    EXPECT_GT(contacts.all, 200u);
    EXPECT_GT(contacts.at_facets, 50u);
    EXPECT_GT(contacts.joined, 3u);
    EXPECT_GT(contacts.at_facets, contacts.joined);
  }
}

template <class R>
using Linear = LinearFamily<R, LinearForm{}>;
template <class R>
using Rolling = WithRolling<HertzMindlin<R>, R>;
template <class R>
using LedgerOfHertz = WithLedger<HertzMindlin<R>, R>;
template <class R>
using LedgerOfRolling = WithLedger<Rolling<R>, R>;

TEST_F(BoundaryLanesTest, HertzMindlin) { expect_same_bits<HertzMindlin>(); }
TEST_F(BoundaryLanesTest, LinearSprings) { expect_same_bits<Linear>(); }
TEST_F(BoundaryLanesTest, LawsWithAHistory) { expect_same_bits<MindlinReversal>(); }
TEST_F(BoundaryLanesTest, LawsThatHoldBodiesApart) { expect_same_bits<Jkr>(); }
TEST_F(BoundaryLanesTest, Couples) { expect_same_bits<Rolling>(); }
TEST_F(BoundaryLanesTest, EntriesOfTheLedger) {
  expect_same_bits<LedgerOfHertz>();
  expect_same_bits<LedgerOfRolling>();
}

}  // namespace scree::inline SCREE_BACKEND::boundary_lanes_test
#endif
