#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/contact/bonds.hpp"
#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/contact_stiffness.hpp"
#include "kernels/contact/deferred_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/contact/segment_counts.hpp"
#include "kernels/contact/sphere_on_feature.hpp"
#include "kernels/contact/sphere_pair.hpp"
#include "kernels/interactions/tractions.hpp"
#include "kernels/laws/energies.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// One contact, copied from wherever it is.
template <class R>
struct ContactRecord {
  std::vector<R> history;              ///< of the law, all components of the slot from the first
  std::vector<JaegerSegment<R>> deep;  ///< segments in pages
  std::size_t materials;               ///< index of the ordered pair
  double effective_radius;             ///< [m]
  Vec3<R> normal;                      ///< from body 1 to body 2
};

/// One contact law of a run, with its parameters for every pair of materials. The choice is made once per launch or, on
/// the host, once per chunk of pairs, never inside a kernel.
template <class R>
class RunLaw {
 public:
  virtual ~RunLaw() = default;

  /// Components of its history beyond the shear.
  [[nodiscard]] virtual std::uint32_t history_size() const = 0;
  /// Those of the law itself; those of the energy ledger, when it is on, stand behind them.
  [[nodiscard]] virtual std::uint32_t own_history_size() const = 0;
  [[nodiscard]] virtual bool has_couples() const = 0;
  [[nodiscard]] virtual bool holds_apart() const = 0;
  [[nodiscard]] virtual bool makes_bonds() const = 0;
  [[nodiscard]] virtual bool has_stack() const = 0;

#if SCREE_ON_CUDA
  virtual void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views) = 0;
#else
  /// Pairs [begin, end), by the calling thread.
  virtual void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) = 0;
#endif
  virtual void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views) = 0;
  /// Stiffness of the contacts that have this law, for the critical time step.
  virtual void pair_stiffness(Exec& exec, std::size_t n, const PairViews<R>& views,
                              Span<ContactStiffness<R>> stiffness) = 0;
  virtual void boundary_stiffness(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                                  Span<ContactStiffness<R>> stiffness) = 0;
  /// After the first search: bonds the listed pairs that are near enough, and counts the bonds of each body in `made`,
  /// by id.
  virtual void make_bonds(Exec& exec, std::size_t n, const PairViews<R>& views, Span<std::uint32_t> made) = 0;
  /// Segments of the load history of each pair and each boundary slot that touches and has this law.
  virtual void count_segments(Exec& exec, std::size_t n, const PairViews<R>& views, std::size_t n_rows,
                              const BoundaryContactViews<R>& near, Span<HistoryCount> of_pair,
                              Span<HistoryCount> of_slot) = 0;
  /// Tractions at so many distances from the axis; none of laws without load histories.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(const ContactRecord<R>& contact,
                                                                  std::size_t points) const = 0;
};

/// A law as it is used by a run; `index` is its place among the laws of the run.
template <class Law, class R>
class RunLawOf final : public RunLaw<R> {
 public:
  using Params = typename Law::Params;

  /// `params` are of each ordered pair of materials. With `one_material` all particles are of material `own`.
  RunLawOf(const std::vector<Params>& params, std::uint32_t index, std::size_t n_materials, bool one_material,
           std::uint32_t own)
      : index_(index), one_material_(one_material) {
    params_.assign(params, "contact law");
    if (!params.empty()) { among_particles_ = params.at(own * (n_materials + 1)); }
  }

  [[nodiscard]] std::uint32_t history_size() const override { return HistoryOf<Law>::n_components; }
  [[nodiscard]] std::uint32_t own_history_size() const override {
    return history_size() - std::uint32_t(last_components<Law>);
  }
  [[nodiscard]] bool has_couples() const override { return has_couple<Law>; }
  [[nodiscard]] bool holds_apart() const override { return scree::holds_apart<Law>; }
  [[nodiscard]] bool makes_bonds() const override { return scree::makes_bonds<Law>; }
  [[nodiscard]] bool has_stack() const override { return scree::has_stack<Law>; }

#if SCREE_ON_CUDA
  void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views) override {
    if constexpr (!has_couple<Law>) {
      if (one_material_) { return launch(exec, n, sphere_pairs<true>(views)); }
    }
    launch(exec, n, sphere_pairs<false>(views));
  }
#else
  void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) override {
    if constexpr (!has_couple<Law>) {
      if (one_material_) { return run_selected_range(sphere_pairs<true>(views), begin, end); }
    }
    run_selected_range(sphere_pairs<false>(views), begin, end);
  }
#endif

  void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views) override {
    exec.for_each("boundary contacts", n_rows, spheres_on_features(views));
  }

  void pair_stiffness(Exec& exec, std::size_t n, const PairViews<R>& views,
                      Span<ContactStiffness<R>> stiffness) override {
    exec.for_each("time step", n, PairStiffness<SpherePair<R>, Law>{sphere_pairs<false>(views), stiffness});
  }
  void boundary_stiffness(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                          Span<ContactStiffness<R>> stiffness) override {
    exec.for_each("time step", n_rows,
                  BoundaryStiffness<SphereOnFeature<R>, Law>{spheres_on_features(views), stiffness});
  }

  void make_bonds([[maybe_unused]] Exec& exec, [[maybe_unused]] std::size_t n,
                  [[maybe_unused]] const PairViews<R>& views, [[maybe_unused]] Span<std::uint32_t> made) override {
    if constexpr (scree::makes_bonds<Law>) {
      exec.for_each("make bonds", n, MakeBonds<Law, R>{views, params_.view(), index_, made});
    }
  }

  void count_segments([[maybe_unused]] Exec& exec, [[maybe_unused]] std::size_t n,
                      [[maybe_unused]] const PairViews<R>& views, [[maybe_unused]] std::size_t n_rows,
                      [[maybe_unused]] const BoundaryContactViews<R>& near, [[maybe_unused]] Span<HistoryCount> of_pair,
                      [[maybe_unused]] Span<HistoryCount> of_slot) override {
    if constexpr (scree::has_stack<Law>) {
      exec.for_each("count segments", n, PairSegments<SpherePair<R>, Law>{sphere_pairs<false>(views), of_pair});
      exec.for_each("count segments", n_rows,
                    BoundarySegments<SphereOnFeature<R>, Law>{spheres_on_features(near), of_slot});
    }
  }

  [[nodiscard]] std::optional<ContactTractions> tractions([[maybe_unused]] const ContactRecord<R>& contact,
                                                          [[maybe_unused]] std::size_t points) const override {
    if constexpr (scree::has_stack<Law>) {
      HistoryOf<Law> history{};
      history.each([&](int component, R& value) { value = contact.history[std::size_t(component)]; });
      return tractions_of<R>(own_history(history), contact.deep, params_.element(contact.materials),
                             contact.effective_radius, contact.normal, points);
    } else {
      return std::nullopt;
    }
  }

 private:
  template <bool one_material>
  [[nodiscard]] PairContacts<SpherePair<R>, Law, one_material> sphere_pairs(const PairViews<R>& views) {
    return {views, params_.view(), among_particles_, index_};
  }
  [[nodiscard]] BoundaryContacts<SphereOnFeature<R>, Law> spheres_on_features(const BoundaryContactViews<R>& views) {
    return {views, params_.view(), index_};
  }

#if SCREE_ON_CUDA
  template <class Contacts>
  static void launch(Exec& exec, std::size_t n, const Contacts& contacts) {
    exec.for_selected("pair contacts", n, contacts);
    if constexpr (Contacts::keeps_rows) {
      exec.for_each("pair contacts", n, DeferredContacts<Contacts>{contacts});
      exec.for_each("pair contacts", 1, NoneDeferred{contacts.of.pool.counters});
    }
  }
#endif

  Buffer<Params> params_;
  Params among_particles_{};
  std::uint32_t index_;
  bool one_material_;
};

/// The laws of a run, and which pair of materials has which.
template <class R>
struct RunLaws {
  std::vector<std::unique_ptr<RunLaw<R>>> laws;
  std::vector<RunLaw<R>*> among_particles;  ///< those that pairs of particles can have
  Buffer<std::uint32_t> law_of;             ///< [n_materials^2]; empty when there is only one law
  std::uint32_t history_size = 0;           ///< largest of all laws
  std::uint32_t own_history_size = 0;       ///< the same without the energy ledger
  std::uint32_t holding = 0;                ///< one bit for each law whose contacts may last while bodies are apart
  std::uint32_t hertzian = 0;               ///< one bit for each law on Hertz's force
  std::uint32_t bonding = 0;                ///< one bit for each law that makes bonds
  bool couples = false;
  bool stacks = false;  ///< some law has histories of any length

  [[nodiscard]] RowShape row_shape() const { return {history_size, own_history_size, couples, stacks}; }
  /// Boundary contacts of all rows, each by the law of its materials.
  void touch_boundaries(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views) const {
    for (const auto& law : laws) { law->boundary_contacts(exec, n_rows, views); }
  }
};

/// The contacts of all listed pairs, as items of Exec::for_items_then_each.
template <class R>
struct PairItems {
  const RunLaws<R>& laws;
  PairViews<R> views;

#if SCREE_ON_CUDA
  void launch(Exec& exec, std::size_t n) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(exec, n, views); }
  }
#else
  void run(std::size_t begin, std::size_t end) const {
    for (RunLaw<R>* law : laws.among_particles) { law->pair_contacts(begin, end, views); }
  }
#endif
};

/// The place of a law in a run.
struct LawPlace {
  LawKind kind;
  std::uint32_t index;  ///< among the laws of the run
  bool one_material;    ///< all particles are of one material: `own`
  std::uint32_t own;
  bool rolling;  ///< with rolling and twisting resistance
};

// make_NAME(scene, place) for every law; laws/NAME.cpp defines it.
#define SCREE_LAW(name, ...) \
  template <class R>         \
  [[nodiscard]] std::unique_ptr<RunLaw<R>> make_##name(const Scene& scene, const LawPlace& place);
#include "scree/laws.def"

/// A law as it is, or with the energy ledger where the scene asks for it.
template <class Law, class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_with_ledger(const Scene& scene,
                                                          const std::vector<typename Law::Params>& params,
                                                          const LawPlace& place, bool one_material) {
  const std::size_t n = scene.materials.size();
  if (!scene.energies) { return std::make_unique<RunLawOf<Law, R>>(params, place.index, n, one_material, place.own); }
  if constexpr (StatesEnergies<Law, R>) {
    return std::make_unique<RunLawOf<WithLedger<Law, R>, R>>(params, place.index, n, one_material, place.own);
  } else {
    throw CaseError("output.series.energies", "a contact law of this case does not state its energies");
  }
}

/// Makes a law whose parameters follow from two materials and what is known of their pair.
template <class Law, class R, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_run_law(const Scene& scene, const LawPlace& place, ParamsOf&& params_of) {
  const std::size_t n = scene.materials.size();
  std::vector<typename Law::Params> all;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      all.push_back(params_of(scene.materials[a], scene.materials[b], scene.pair(a, b)));
    }
  }
  if (!place.rolling) { return make_with_ledger<Law, R>(scene, all, place, place.one_material); }
  if constexpr (tells_shear_stiffness<Law, R>) {
    using Rolling = WithRolling<Law, R>;
    const auto real = [](double value) { return static_cast<R>(value); };
    std::vector<typename Rolling::Params> with;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const RollingResistance& rolling = scene.pairs[k].rolling;
      with.push_back({all[k], real(rolling.stiffness), real(rolling.twisting_stiffness), real(rolling.friction),
                      real(rolling.twisting_friction), real(2 * rolling.damping)});
    }
    return make_with_ledger<Rolling, R>(scene, with, place, false);  // one kernel less per law
  } else {
    throw ContractError("this contact law takes no rolling resistance");
  }
}

/// The laws that pairs of materials of this scene have.
template <class R>
[[nodiscard]] RunLaws<R> make_laws(const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
