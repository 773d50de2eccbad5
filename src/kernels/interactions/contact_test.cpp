#include "kernels/backend/portability.hpp"

// Drives one contact along a path, for `scree contact`. Only the host computes it.
#if !SCREE_ON_CUDA

#include <algorithm>

#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/interactions/run_laws.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/math/sphere.hpp"
#include "kernels/step/pairs/acting_pairs.hpp"
#include "scree/contact_test.hpp"
#include "scree/errors.hpp"

namespace scree {

inline namespace SCREE_BACKEND {

namespace {

/// A scene that contains only the contact.
Scene scene_of(const Scene& scene, const ContactSetting& setting, bool energies) {
  Scene result;
  result.precision = scene.precision;
  result.time_step = 1;
  result.law = scene.law;
  result.materials = scene.materials;
  result.pairs = scene.pairs;
  result.no_ratcheting = scene.no_ratcheting;
  result.seed = scene.seed;
  result.energies = energies;
  for (std::size_t body = setting.wall ? 1 : 0; body < 2; ++body) {
    result.particles.position.push_back({});
    result.particles.velocity.push_back({});
    result.particles.angular_velocity.push_back({});
    result.particles.radius.push_back(setting.radius[body]);
    result.particles.material.push_back(setting.material[body]);
  }
  if (setting.wall) {
    SceneBoundary plane;
    plane.material = setting.material[0];
    plane.shape = PlaneBoundary{{0, 0, 0}, {1, 0, 0}};
    result.boundaries.push_back(plane);
  }
  return result;
}

template <class R>
class ContactTestOf final : public ContactTest {
 public:
  ContactTestOf(const Scene& scene, const ContactSetting& setting, bool energies)
      : setting_(setting),
        scene_(scene_of(scene, setting, energies)),
        exec_(1),
        laws_(make_laws<R>(scene_)),
        boundary_(scene_) {
    classes_ = laws_.table.pair(setting.material[0], setting.material[1]);
    make_bodies();
    control_.assign({Control{}}, "control");
    moment_.assign({StepMoment<R>{}}, "control");
    extra_.assign(std::vector<R>(laws_.history_size), "contact");
    lane_.discard_and_resize(energies ? 1 : 0, "contact");
    normal_energy_.assign(std::vector<R>(energies ? 1 : 0), "contact");
    viscous_couple_.assign(std::vector<Vec3<R>>(energies && laws_.couples ? 1 : 0), "contact");
    pair_.assign({BodyPair{0, 1}}, "contact");
    shear_.assign(std::vector<Vec3<R>>(1), "contact");
    force_.assign(std::vector<PairForce<R>>(1), "contact");
    couple_.assign(std::vector<Vec3<R>>(laws_.couples ? 1 : 0), "contact");
    touching_.assign(std::vector<std::uint8_t>(1), "contact");
    if (laws_.make_bonds()) {
      bonds_made_.assign(std::vector<std::uint32_t>(2), "bonds");
      bonds_broken_.assign(std::vector<std::uint32_t>(2), "bonds");
    }
    body_of_row_.assign({0}, "contact");
    row_start_.assign({0, 1}, "contact");
    slot_.assign(std::vector<BoundarySlot<R>>(1), "contact");
    wrench_.assign(std::vector<Wrench<R>>(1), "contact");
    if (laws_.stacks) {
      stacks_.turn_on();
      stack_.assign(std::vector<StackEnd<R>>(1), "contact");
    }
  }

  [[nodiscard]] bool has_energies() const override { return scene_.energies; }
  [[nodiscard]] std::uint32_t history_size() const override { return laws_.of(classes_).own_history_size(); }

  ContactAnswer step(const ContactMove& move) override {
    add_power(move);  // work of the present force in the first half of the step
    stacks_.reserve(exec_, 1);
    if (steps_ > 0) { time_ += move.time_step; }
    place(move);
    if (setting_.wall) {
      touch_wall(move);
    } else {
      touch_sphere(move);
    }
    ++steps_;
    if (const Control control = control_.element(0); control.fault != no_fault) {
      throw KernelFault("the bodies overlap by more than a radius", steps_, {});
    }
    read_history();
    add_power(move);
    return answer_;
  }

  [[nodiscard]] std::optional<ContactTractions> tractions(std::size_t points) const override {
    if (!laws_.stacks || !answer_.touching) { return std::nullopt; }
    return tractions_with(typename StackStore<R>::Reader(stacks_).segments(stack_.element(0)), points);
  }

 private:
  /// The tractions of the contact, with the segments `deep` below its record.
  [[nodiscard]] std::optional<ContactTractions> tractions_with(std::vector<JaegerSegment<R>> deep,
                                                               std::size_t points) const {
    const double r1 = setting_.radius[0], r2 = setting_.radius[1];
    return laws_.of(classes_).tractions({extra_.to_vector(), std::move(deep), classes_,
                                         setting_.wall ? r2 : r1 * r2 / (r1 + r2), convert<R>(vec(answer_.normal))},
                                        points);
  }

  /// Called in every step. Segments below the record are counted without reading them.
  [[nodiscard]] std::uint64_t count_segments() const {
    if (!answer_.touching) { return 0; }
    const auto record = tractions_with({}, 0);
    return record ? record->segments.size() + stack_.element(0).count : 0;
  }

  void make_bodies() {
    std::vector<BodyPlace<R>> place;
    std::vector<BodySpeed<R>> speed;
    std::vector<index_t> id;
    const std::size_t n = scene_.particles.size();
    for (std::size_t i = 0; i < n; ++i) {
      const double r = scene_.particles.radius[i];
      const double mass = sphere_mass(r, scene_.materials[scene_.particles.material[i]].density);
      place.push_back({{}, static_cast<R>(r)});
      speed.push_back({{}, static_cast<R>(1 / mass), {}, static_cast<R>(2.5 / (mass * r * r))});
      id.push_back(static_cast<index_t>(i));
    }
    bodies_.place.assign(place);
    bodies_.speed.assign(speed);
    bodies_.id.assign(id);
    bodies_.material.assign(scene_.particles.material);
  }

  void place(const ContactMove& move) {
    const std::size_t first = setting_.wall ? 1 : 0;
    for (std::size_t body = first; body < 2; ++body) {
      bodies_.position().set_element(body - first, vec(move.position[body]));
      bodies_.velocity().set_element(body - first, convert<R>(vec(move.velocity[body])));
      bodies_.angular_velocity().set_element(body - first, convert<R>(vec(move.spin[body])));
    }
  }

  /// The moments of this step, as kernels find them in a batch.
  StepMoments<R> moments(const ContactMove& move) {
    StepMoment<R> moment{};
    moment.contacts.time_step = static_cast<R>(move.time_step);
    moment.contacts.lean = static_cast<R>(lean_of_step(steps_));
    moment.begins = time_;
    moment.ledger.last = 1;  // not the first step
    moment_.set_element(0, moment);
    return {moment_.view(), control_.data()};
  }

  /// An empty lane for the losses of the contact in this step.
  ContactLedger<R> ledger_of_step() {
    lane_.zero();
    ContactLedger<R> ledger{lane_.view()};
    ledger.rest = {potential(), viscous_couple_.view()};
    return ledger;
  }

  ContactNumbers<R> potential() {
    return setting_.wall ? ContactNumbers<R>{normal_energy_.data()} : last_of_records(force_);
  }

  /// Bonds the two bodies as a run does: before its first step, and later where the law says so.
  void make_bonds(const PairViews<R>& views, const StepMoments<R>& moments) {
    const BondMaking making{laws_.bond_rules.view(), scene_.seed, 2};
    for (RunLaw<R>* law : laws_.among_particles) {
      if (steps_ == 0) { law->make_bonds(exec_, 1, views, bonds_made_.view(), making, time_); }
      if (laws_.later_bonds) { law->make_later_bonds(exec_, 1, views, moments, bonds_made_.view(), making); }
    }
  }

  /// The part that both kinds of contacts see of a step.
  template <class Views>
  Views views_of_step() {
    Views views{};
    views.bodies = view(bodies_);
    views.extra = extra_.view();
    views.n_extra = laws_.history_size;
    views.couple = couple_.view();
    views.classes = laws_.touch_classes();
    views.control = control_.data();
    views.pool = stacks_.view();
    views.stack = stack_.view();
    views.ledger = ledger_of_step();
    return views;
  }

  void touch_sphere(const ContactMove& move) {
    auto views = views_of_step<PairViews<R>>();
    views.pairs = pair_.view();
    views.shear = shear_.view();
    views.force = force_.view();
    views.touching = touching_.view();
    views.no_ratcheting = scene_.no_ratcheting ? R(1) : R(0);
    views.broken = bonds_broken_.view();
    const StepMoments<R> now = moments(move);
    if (laws_.make_bonds()) { make_bonds(views, now); }
    PairItems<R>{laws_, views, now}.bound().run(0, 1);

    const Vec3d branch = vec(move.position[1]) - vec(move.position[0]);
    const double length = norm(branch);
    answer_.normal = real3((1 / std::max(length, 1e-300)) * branch);
    answer_.overlap = setting_.radius[0] + setting_.radius[1] - length;
    answer_.touching = acts(views);
    const PairForce<R> record = force_.element(0);
    const Vec3d moment{double(record.moment[0]), double(record.moment[1]), double(record.moment[2])};
    const Vec3d couple = laws_.couples ? convert<double>(couple_.element(0)) : Vec3d{0, 0, 0};
    answer_.force = {double(record.force[0]), double(record.force[1]), double(record.force[2])};
    const double half = double(record.half_overlap());
    answer_.torque = {real3((setting_.radius[0] - half) * moment - couple),
                      real3((setting_.radius[1] - half) * moment + couple)};
    answer_.shear = real3(convert<double>(shear_.element(0)));
  }

  /// Whether readouts of a run would show the pair as a contact.
  bool acts(const PairViews<R>& views) const {
    return ActingPairs<R>{views.touching,
                          views.bodies,
                          views.pairs,
                          views.extra,
                          views.n_extra,
                          views.classes,
                          laws_.bits.makes_bonds != 0}(0);
  }

  void touch_wall(const ContactMove& move) {
    auto views = views_of_step<BoundaryContactViews<R>>();
    views.boundaries = boundary_.view();
    views.body_of_row = body_of_row_.view();
    views.row_start = row_start_.view();
    views.slots = slot_.view();
    views.wrench = wrench_.view();
    for (const auto& law : laws_.laws) { law->boundary_contacts(exec_, 1, views, moments(move)); }

    const BoundarySlot<R> slot = slot_.element(0);
    answer_.normal = {1, 0, 0};
    answer_.overlap = setting_.radius[1] - move.position[1][0];
    answer_.touching = slot.touching != 0;
    answer_.force = real3(convert<double>(slot.force));
    answer_.torque = {Real3{}, real3(convert<double>(wrench_.element(0).torque))};
    answer_.shear = real3(convert<double>(slot.shear));
  }

  void read_history() {
    const std::vector<R> all = extra_.to_vector();
    const std::uint32_t own = history_size();
    answer_.history.assign(all.begin(), all.begin() + own);
    if (laws_.stacks) { answer_.segments = count_segments(); }
    entry_ = {};
    if (!scene_.energies) { return; }
    if (answer_.touching) {
      const EntryRest<R> rest{potential(), viscous_couple_.view()};
      entry_ = LedgerPlace<R>{extra_.view(), laws_.history_size, rest}.entry(0);
    }
    answer_.elastic = double(entry_.normal) + double(entry_.stored);
    LedgerLane& lane = lane_.data()[0];
    lane.finish();
    answer_.friction += lane.term[int(LedgerTerm::friction)].value();
    answer_.breakage += lane.term[int(LedgerTerm::breakage)].value();
    gained_ += lane.term[int(LedgerTerm::gained)].value();
    answer_.parting = gained_ - double(entry_.stored);
  }

  /// Adds half of the work of the step, by the present force and the velocities of the step.
  void add_power(const ContactMove& move) {
    if (!scene_.energies || !answer_.touching) { return; }
    const Vec3d n = convert<double>(entry_.n), v1 = vec(move.velocity[0]), v2 = vec(move.velocity[1]);
    const Vec3d w1 = vec(move.spin[0]), w2 = vec(move.spin[1]);
    const double half = 0.5 * double(entry_.overlap);
    const double arm1 = setting_.wall ? 0 : setting_.radius[0] - half, arm2 = setting_.radius[1] - half;
    const Vec3d velocity = v2 - v1 - cross(arm1 * w1 + arm2 * w2, n);
    const Vec3d viscous = convert<double>(entry_.viscous), viscous_couple = convert<double>(entry_.viscous_couple);
    const Vec3d couple = laws_.couples ? convert<double>(couple_.element(0)) : Vec3d{0, 0, 0};
    const double duration = 0.5 * move.time_step;
    answer_.work -= duration * (dot(vec(answer_.force), velocity) + dot(couple, w2 - w1));
    answer_.viscous -= duration * (dot(viscous, velocity) + dot(viscous_couple, w2 - w1));
  }

  ContactSetting setting_;
  Scene scene_;
  Exec exec_;
  RunLaws<R> laws_;
  BoundarySystem boundary_;
  std::size_t classes_ = 0;  ///< the ordered pair of them
  Bodies<R> bodies_;
  Buffer<Control> control_;
  Buffer<StepMoment<R>> moment_;
  Buffer<R> extra_;
  Buffer<BodyPair> pair_;
  Buffer<Vec3<R>> shear_, couple_;
  Buffer<PairForce<R>> force_;
  Buffer<std::uint8_t> touching_;
  Buffer<std::uint32_t> bonds_made_, bonds_broken_;  ///< [n_bodies] empty if the law makes no bonds
  Buffer<index_t> body_of_row_;
  Buffer<offset_t> row_start_;
  Buffer<BoundarySlot<R>> slot_;
  Buffer<Wrench<R>> wrench_;
  StackStore<R> stacks_;
  Buffer<StackEnd<R>> stack_;
  ContactAnswer answer_;
  LedgerEntry<R> entry_{};
  Buffer<R> normal_energy_;         ///< see EntryRest; at a wall
  Buffer<Vec3<R>> viscous_couple_;  ///< likewise
  Buffer<LedgerLane> lane_;
  double gained_ = 0;  ///< [J] sum of the gains of springs without a potential
  std::uint64_t steps_ = 0;
  double time_ = 0;  ///< [s] since the first line
};

template <class R>
std::unique_ptr<ContactTest> make(const Scene& scene, const ContactSetting& setting) {
  try {
    return std::make_unique<ContactTestOf<R>>(scene, setting, true);
  } catch (const CaseError&) {  // the law does not state its energies
    return std::make_unique<ContactTestOf<R>>(scene, setting, false);
  }
}

}  // namespace
}  // namespace SCREE_BACKEND

std::unique_ptr<ContactTest> make_contact_test(const Scene& scene, const ContactSetting& setting) {
  const std::size_t n = scene.materials.size();
  SCREE_EXPECT(setting.material[0] < n && setting.material[1] < n && scene.pairs.size() == n * n,
               "materials of the scene");
  SCREE_EXPECT(setting.radius[1] > 0 && (setting.wall || setting.radius[0] > 0), "radii are positive");
  if (scene.precision == Precision::double_) { return make<double>(scene, setting); }
  return make<float>(scene, setting);
}

}  // namespace scree

#endif
