#pragma once

#include "kernels/neighbours/pair_sweep.hpp"
#include "kernels/neighbours/sweep_keys.hpp"
#include "kernels/state/kept_list.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// Number of pairs that a body can keep from counting to listing. The few bodies with more are swept twice.
inline constexpr offset_t found_per_body = KeptList::most;

/// Counts the later neighbours of each body in its own level, and keeps the first found_per_body of them.
template <class R>
struct PairCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  KeptList found;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      offset_t n = 0;
      const auto keep = [&](index_t met) {
        if (n < found_per_body) { found.at(k, n) = met; }
        ++n;
      };
      sweep.visit_level(static_cast<index_t>(k), cursors, keep);
      sweep.visit_images(static_cast<index_t>(k), keep);
      count[k] = n;
    }
  }
};

/// Adds each larger body, from `first` on, to the neighbours of smaller ones, since a pair is listed by the body that
/// comes first in memory. `parts` threads share a body; each visits every `parts`-th row of columns.
template <class R>
struct PairCountOfLarger {
  PairSweep<R> sweep;
  std::size_t first;
  std::uint32_t parts;
  Span<offset_t> count;
  KeptList found;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(first + i / parts);
      sweep.visit_smaller(k, static_cast<std::uint32_t>(i % parts), parts, cursors, [&](index_t j) {
        const offset_t n = atomic_add(&count[j], offset_t(1));
        if (n < found_per_body) { found.at(j, n) = k; }
      });
    }
  }
};

/// Counts distance tests instead of pairs, for reports.
template <class R>
struct TestCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(i);
      count[k] = sweep.template visit_level<true>(k, cursors, [](index_t) {}) +
                 sweep.template visit_images<true>(k, [](index_t) {}) +
                 sweep.template visit_smaller<true>(k, 0, 1, cursors, [](index_t) {});
    }
  }
};

/// Writes the pairs that each body found.
struct PairRows {
  Span<index_t> id;
  Span<offset_t> start;
  Span<BodyPair> pairs;
  /// [n_pairs] number of a pair among those that others found with its later body, in arbitrary order
  Span<std::uint32_t> rank;
  Span<std::uint32_t> incoming;   ///< [n_bodies] how many pairs others found with a body; zero before
  Span<std::uint8_t> image;       ///< [n_pairs] code of the second body's image; empty without a periodic cell
  Span<std::uint8_t> taken_back;  ///< [n_bodies] SearchPlace::image

  /// Writes a pair with the lower id first.
  SCREE_INLINE void write(offset_t slot, index_t body, index_t met) const {
    index_t other = met;
    if (image.size > 0) {
      other = met & met_mask;
      // The image with which `body` met `other` is, inverted, the image of `other` as seen from `body`.
      const Image seen = image_of(taken_back[body]) - image_of(taken_back[other]) - visitor_of_met(met);
      image[slot] = code_of(id[body] < id[other] ? seen : -seen);
    }
    pairs[slot] = id[body] < id[other] ? BodyPair{body, other} : BodyPair{other, body};
    rank[slot] = atomic_add(&incoming[other], 1u);
  }
};

/// Writes the pairs of the bodies that could keep all of theirs.
struct PairFill {
  PairRows rows;
  KeptList found;
  SCREE_HD void operator()(std::size_t body) const {
    const offset_t begin = rows.start[body];
    const offset_t n = rows.start[body + 1] - begin;
    if (n > found_per_body) { return; }
    for (offset_t k = 0; k < n; ++k) { rows.write(begin + k, static_cast<index_t>(body), found.at(body, k)); }
  }
};

/// Sweeps once more for the other bodies.
template <class R>
struct PairFillAgain {
  PairSweep<R> sweep;
  PairRows rows;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      offset_t slot = rows.start[k];
      if (rows.start[k + 1] - slot <= found_per_body) { continue; }
      const auto list = [&](index_t j) { rows.write(slot++, static_cast<index_t>(k), j); };
      sweep.visit_level(static_cast<index_t>(k), cursors, list);
      sweep.visit_larger(static_cast<index_t>(k), cursors, list);
      sweep.visit_images(static_cast<index_t>(k), list);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
