#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/laws/energies.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

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

#if SCREE_ON_CUDA
  virtual void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views) = 0;
#else
  /// Pairs [begin, end), by the calling thread.
  virtual void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) = 0;
#endif
  virtual void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views) = 0;
};

template <class Law>
struct ledger_size : std::integral_constant<std::uint32_t, 0> {};
template <class Law, class R>
struct ledger_size<WithLedger<Law, R>> : std::integral_constant<std::uint32_t, LedgerEntry<R>::n_components> {};

/// A law as it is used by a run; `index` is its place among the laws of the run.
template <class Law, class R>
class RunLawOf final : public RunLaw<R> {
 public:
  using Params = typename Law::Params;

  /// `params` are of each ordered pair of materials. With `one_material` all particles are of material `own`.
  RunLawOf(const std::vector<Params>& params, std::uint32_t index, std::size_t n_materials, bool one_material, std::uint32_t own)
      : index_(index), one_material_(one_material) {
    params_.assign(params, "contact law");
    if (!params.empty()) { among_particles_ = params.at(own * (n_materials + 1)); }
  }

  [[nodiscard]] std::uint32_t history_size() const override { return HistoryOf<Law>::n_components; }
  [[nodiscard]] std::uint32_t own_history_size() const override { return history_size() - ledger_size<Law>::value; }
  [[nodiscard]] bool has_couples() const override { return has_couple<Law>; }
  [[nodiscard]] bool holds_apart() const override { return scree::holds_apart<Law>; }

#if SCREE_ON_CUDA
  void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views) override {
    if (one_material_) {
      exec.for_selected("pair contacts", n, PairContacts<Law, R, true>{views, params_.view(), among_particles_, index_});
    } else {
      exec.for_selected("pair contacts", n, PairContacts<Law, R, false>{views, params_.view(), among_particles_, index_});
    }
  }
#else
  void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) override {
    if (one_material_) {
      run_selected_range(PairContacts<Law, R, true>{views, params_.view(), among_particles_, index_}, begin, end);
    } else {
      run_selected_range(PairContacts<Law, R, false>{views, params_.view(), among_particles_, index_}, begin, end);
    }
  }
#endif

  void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views) override {
    exec.for_each("boundary contacts", n_rows, BoundaryContacts<Law, R>{views, params_.view(), index_});
  }

 private:
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
  Buffer<std::uint32_t> law_of;     ///< [n_materials^2]; empty when there is only one law
  std::uint32_t history_size = 0;   ///< largest of all laws
  std::uint32_t own_history_size = 0;  ///< the same without the energy ledger
  std::uint32_t holding = 0;        ///< one bit for each law whose contacts may last while bodies are apart
  bool couples = false;
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

/// How each law is made from a scene; one per unit system_law_*.cpp.
struct LawPlace {
  std::uint32_t index;   ///< among the laws of the run
  bool one_material;     ///< all particles are of one material: `own`
  std::uint32_t own;
};
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_hertz_mindlin(const Scene& scene, const LawPlace& place);
template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_cundall_strack(const Scene& scene, const LawPlace& place);

/// Makes a law whose parameters follow from two materials and what is known of their pair.
template <class Law, class R, class ParamsOf>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_run_law(const Scene& scene, const LawPlace& place, ParamsOf&& params_of) {
  const std::size_t n = scene.materials.size();
  std::vector<typename Law::Params> all;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) { all.push_back(params_of(scene.materials[a], scene.materials[b], scene.pair(a, b))); }
  }
  if (!scene.energies) { return std::make_unique<RunLawOf<Law, R>>(all, place.index, n, place.one_material, place.own); }
  if constexpr (StatesEnergies<Law, R>) {
    return std::make_unique<RunLawOf<WithLedger<Law, R>, R>>(all, place.index, n, place.one_material, place.own);
  } else {
    throw CaseError("output.series.energies", "a contact law of this case does not state its energies");
  }
}

/// The laws that pairs of materials of this scene have.
template <class R>
[[nodiscard]] RunLaws<R> make_laws(const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
