#pragma once

#include "kernels/interactions/node_stiffness.hpp"
#include "kernels/interactions/run_law.hpp"
#include "kernels/step/nodes/find_bonds.hpp"
#include "kernels/step/nodes/nodes_in_field.hpp"
#include "kernels/step/nodes/nodes_on_feature.hpp"

namespace scree::inline SCREE_BACKEND {

/// A law that acts at the nodes of level-set grains, as it is used by a run: joined with the geometries NodesInField
/// and NodesOnFeature. `index` is its place among the interactions of the run. `is_first`: no earlier interaction of
/// the run is one of nodes.
template <class Law, class R>
class RunNodeLawOf final : public RunLaw<R> {
 public:
  using Params = typename Law::Params;

  /// `params` are those of each ordered pair of classes.
  RunNodeLawOf(const std::vector<Params>& params, std::uint32_t index, bool is_first)
      : index_(index), is_first_(is_first) {
    params_.assign(params, "contact law");
  }

  /// Nodes keep their histories in rows of their own. A contact as a whole has an entry of the energy ledger.
  [[nodiscard]] std::uint32_t history_size() const override { return std::uint32_t(last_components<Law>); }
  [[nodiscard]] std::uint32_t own_history_size() const override { return 0; }
  [[nodiscard]] bool has_couples() const override { return true; }
  [[nodiscard]] bool holds_apart() const override { return false; }
  [[nodiscard]] bool makes_bonds() const override { return false; }
  [[nodiscard]] bool bonds_nodes() const override { return scree::bonds_nodes<Law>; }
  [[nodiscard]] bool has_stack() const override { return false; }
  [[nodiscard]] bool is_hertzian() const override { return scree::is_hertzian<Law>; }

#if SCREE_ON_CUDA
  void pair_contacts(Exec& exec, std::size_t n, const PairViews<R>& views, const StepMoments<R>& moments) override {
    exec.for_each("node contacts", n, launched_in_step(NodesInField<R, Law>{views, params_.view(), index_}, moments));
  }
#else
  void pair_contacts(std::size_t begin, std::size_t end, const PairViews<R>& views) override {
    const NodesInField<R, Law> contacts{views, params_.view(), index_};
    for (std::size_t slot = begin; slot < end; ++slot) { contacts(slot); }
  }
#endif
  void boundary_contacts(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                         const StepMoments<R>& moments) override {
    exec.for_each("boundary contacts", n_rows, launched_in_step(on_features(views), moments));
  }
  void pair_stiffness(Exec& exec, std::size_t n, const PairViews<R>& views,
                      Span<ContactStiffness<R>> stiffness) override {
    exec.for_each("time step", n, NodePairStiffness<R, Law>{{views, params_.view(), index_}, stiffness});
  }
  void boundary_stiffness(Exec& exec, std::size_t n_rows, const BoundaryContactViews<R>& views,
                          Span<ContactStiffness<R>> stiffness) override {
    exec.for_each("time step", n_rows, NodeBoundaryStiffness<R, Law>{on_features(views), stiffness});
  }
  void make_bonds(Exec&, std::size_t, const PairViews<R>&, Span<std::uint32_t>, const BondMaking&, double) override {}
  void make_later_bonds(Exec&, std::size_t, const PairViews<R>&, const StepMoments<R>&, Span<std::uint32_t>,
                        const BondMaking&) override {}
  void find_node_bonds([[maybe_unused]] Exec& exec, [[maybe_unused]] std::size_t n,
                       [[maybe_unused]] const PairViews<R>& views, [[maybe_unused]] const BondMaking& making,
                       [[maybe_unused]] const FoundBonds<R>& found) override {
    if constexpr (scree::bonds_nodes<Law>) {
      exec.for_each("make bonds", n, FindNodeBonds<R, Law>{views, params_.view(), index_, making, found});
    }
  }
  void count_segments(Exec&, std::size_t, const PairViews<R>&, std::size_t, const BoundaryContactViews<R>&,
                      Span<HistoryCount>, Span<HistoryCount>) override {}
  void take_parameters(RunLaw<R>& other) override {
    params_.assign(static_cast<RunNodeLawOf&>(other).params_.to_vector(), "contact law");
  }
  [[nodiscard]] std::optional<ContactTractions> tractions(const ContactRecord<R>&, std::size_t) const override {
    return std::nullopt;
  }

 private:
  [[nodiscard]] NodesOnFeature<R, Law> on_features(const BoundaryContactViews<R>& views) {
    return {views, params_.view(), index_, is_first_};
  }

  Buffer<Params> params_;
  std::uint32_t index_;
  bool is_first_;
};

}  // namespace scree::inline SCREE_BACKEND
