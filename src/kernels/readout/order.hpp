#pragma once

#include "kernels/backend/collect.hpp"
#include "kernels/state/bodies.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The place of a body in the order by id.
struct RankOfBody {
  static constexpr std::size_t none = ~std::size_t(0);
  PositionColumn position;
  Span<index_t> id;
  Span<offset_t> rank_of_id;  ///< empty: the place is the id
  bool some_are_parked;       ///< whether removed bodies are still in memory

  SCREE_INLINE bool is_removed(std::size_t i) const { return some_are_parked && is_parked(position[i]); }
  /// `none` for a removed body.
  SCREE_INLINE std::size_t operator()(std::size_t i) const {
    if (is_removed(i)) { return none; }
    return rank_of_id.size > 0 ? static_cast<std::size_t>(rank_of_id[id[i]]) : id[i];
  }
};

/// The value of the body at a place in the order.
template <class OfBody>
struct AtRank {
  OfBody of_body;
  Span<index_t> body;
  SCREE_HD auto operator()(std::size_t k) const { return of_body(body[k]); }
};

/// Stores the value of a body at its place in the order; for the host.
template <class OfBody, class Use>
struct UseAtRank {
  RankOfBody rank;
  OfBody of_body;
  Use use;
  void operator()(std::size_t i) const {
    const std::size_t k = rank(i);
    if (k != RankOfBody::none) { use(k, of_body(i)); }
  }
};

/// The bodies of a run that have not been removed, in ascending order of id, for readouts. Valid until the run
/// continues.
template <class R>
class OrderById {
 public:
  explicit OrderById(RunState<R>& run);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether no body has ever been removed. Then the place in the order is the id.
  [[nodiscard]] bool is_whole() const { return size_ == place_.size(); }
  [[nodiscard]] const RankOfBody& rank() const { return rank_of_body_; }

  /// Calls use(k, of_body(i)) for each body, like collect(): i is the position of the body in memory, and k is its
  /// place in the order. The host takes the bodies in the order of memory, which has better locality.
  template <class OfBody, class Use>
  void collect_bodies(Exec& exec, const char* label, const OfBody& of_body, const Use& use) {
#if SCREE_ON_CUDA
    collect(exec, label, size_, AtRank<OfBody>{of_body, is_whole() ? place_.view() : body_.view()}, use);
#else
    exec.for_each(label, n_bodies_, UseAtRank<OfBody, Use>{rank_of_body_, of_body, use});
#endif
  }

 private:
  Buffer<index_t> place_;  ///< [n_ids] position in memory; no_index: removed
  Buffer<offset_t> rank_;
  Buffer<index_t> body_;
  RankOfBody rank_of_body_{};
  std::size_t size_ = 0, n_bodies_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
