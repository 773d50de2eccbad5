#pragma once

#include <algorithm>

#include "kernels/interactions/contact_stiffness.hpp"
#include "kernels/interactions/run_law.hpp"
#include "kernels/interactions/segment_counts.hpp"
#include "kernels/step/boundaries/boundary_contacts.hpp"
#include "kernels/step/boundaries/sphere_on_feature.hpp"
#include "kernels/step/pairs/bonds.hpp"
#include "kernels/step/pairs/deferred_contacts.hpp"
#include "kernels/step/pairs/pair_contacts.hpp"
#include "kernels/step/pairs/sphere_pair.hpp"

namespace scree::inline SCREE_BACKEND {

/// A law as it is used by a run; `index` is its place among the laws of the run.
template <class Law, class R>
class RunLawOf final : public RunLaw<R> {
 public:
  using Params = typename Law::Params;

  /// `params` has the parameters for each ordered pair of classes. With `one_class` all particles have the class `own`.
  /// `is_first`: no earlier law of the run has these geometries.
  RunLawOf(const std::vector<Params>& params, std::uint32_t index, std::size_t n_classes, bool one_class,
           std::uint32_t own, bool is_first)
      : index_(index), one_class_(one_class), is_first_(is_first) {
    params_.assign(params, "contact law");
    if (!params.empty()) { among_particles_ = params.at(own * (n_classes + 1)); }
  }

  [[nodiscard]] std::uint32_t history_size() const override { return HistoryOf<Law>::n_components; }
  [[nodiscard]] std::uint32_t own_history_size() const override {
    return history_size() - std::uint32_t(last_components<Law>);
  }
  [[nodiscard]] bool has_couples() const override { return has_couple<Law>; }
  [[nodiscard]] bool holds_apart() const override { return scree::holds_apart<Law>; }
  [[nodiscard]] bool makes_bonds() const override { return scree::makes_bonds<Law>; }
  [[nodiscard]] bool bonds_nodes() const override { return false; }
  [[nodiscard]] bool has_stack() const override { return scree::has_stack<Law>; }
  [[nodiscard]] bool is_hertzian() const override { return scree::is_hertzian<Law>; }

#if SCREE_ON_CUDA
  void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments) override {
    if constexpr (!has_couple<Law>) {
      if (one_class_) { return launch(exec, n, sphere_pairs<true>(views), moments); }
    }
    launch(exec, n, sphere_pairs<false>(views), moments);
  }
#else
  void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) override {
    if constexpr (!has_couple<Law>) {
      if (one_class_) { return run_selected_range(sphere_pairs<true>(views), begin, end); }
    }
    run_selected_range(sphere_pairs<false>(views), begin, end);
  }
#endif

  void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                         const StepMoments<R>& moments) override {
#if SCREE_ON_CUDA
    if (views.are_plain()) {
      return exec.for_each("boundary contacts", n_rows, launched_in_step(spheres_on_features<true>(views), moments));
    }
#endif
    exec.for_each("boundary contacts", n_rows, launched_in_step(spheres_on_features(views), moments));
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
                  [[maybe_unused]] const PairViews<R>& views, [[maybe_unused]] Span<std::uint32_t> made,
                  [[maybe_unused]] const BondMaking& making, [[maybe_unused]] double now) override {
    if constexpr (scree::makes_bonds<Law>) {
      exec.for_each("make bonds", n, MakeBonds<Law, R, false>{views, params_.view(), index_, made, making, now});
    }
  }
  void make_later_bonds([[maybe_unused]] Exec& exec, [[maybe_unused]] std::size_t n,
                        [[maybe_unused]] const PairViews<R>& views, [[maybe_unused]] const StepMoments<R>& moments,
                        [[maybe_unused]] Span<std::uint32_t> made, [[maybe_unused]] const BondMaking& making) override {
    if constexpr (remembers_bonds<Law>) {
      exec.for_each("make bonds", n,
                    launched_in_step(MakeBonds<Law, R, true>{views, params_.view(), index_, made, making}, moments));
    }
  }

  void find_node_bonds(Exec&, std::size_t, const PairViews<R>&, const BondMaking&, const FoundBonds<R>&) override {}

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

  void take_parameters(RunLaw<R>& other) override {
    auto& same = static_cast<RunLawOf&>(other);
    params_.assign(same.params_.to_vector(), "contact law");
    among_particles_ = same.among_particles_;
  }

  [[nodiscard]] std::optional<ContactTractions> tractions([[maybe_unused]] const ContactRecord<R>& contact,
                                                          [[maybe_unused]] std::size_t points) const override {
    if constexpr (scree::has_stack<Law>) {
      HistoryOf<Law> history{};
      history.each([&](int component, R& value) { value = contact.history[std::size_t(component)]; });
      return tractions_of<R>(own_history(history), contact.deep, params_.element(contact.classes),
                             contact.effective_radius, contact.normal, points);
    } else {
      return std::nullopt;
    }
  }

 private:
  template <bool one_class>
  [[nodiscard]] PairContacts<SpherePair<R>, Law, one_class> sphere_pairs(const PairViews<R>& views) {
    return {views, params_.view(), among_particles_, index_};
  }
  template <bool plain = false>
  [[nodiscard]] BoundaryContacts<SphereOnFeature<R>, Law, plain> spheres_on_features(
      const BoundaryContactViews<R>& views) {
    return {views, params_.view(), index_, is_first_};
  }

#if SCREE_ON_CUDA
  template <class Contacts>
  static void launch(Exec& exec, std::size_t n, const Contacts& contacts, const StepMoments<R>& moments) {
    exec.for_selected("pair contacts", n, launched_in_step(contacts, moments));
    if constexpr (Contacts::keeps_rows) {
      const std::size_t threads = std::min(n, DeferredContacts<Contacts>::most_threads);
      exec.for_each("pair contacts", threads, launched_in_step(DeferredContacts<Contacts>{contacts, threads}, moments));
    }
  }
#endif

  Buffer<Params> params_;
  Params among_particles_{};
  std::uint32_t index_;
  bool one_class_, is_first_;
};

}  // namespace scree::inline SCREE_BACKEND
