#pragma once

#include "kernels/state/boundaries.hpp"
#include "kernels/step/ledger/ledger_place.hpp"
#include "kernels/step/modes/mode_ledger.hpp"

/// Reads the energies of a ledger: kernels sum the present energies, merge the lanes and round the sums, so that only a
/// few numbers leave the backend.
namespace scree::inline SCREE_BACKEND {

/// Energies of clumps and modes; one thread per lane.
struct LedgerOfClumps {
  Span<KineticEnergy> clumps;
  Span<ModeEnergy> modes;
  Span<StateLane> lanes;

  SCREE_HD void operator()(std::size_t lane) const {
    StateLane& sums = lanes[lane];
    visit_items_of(lane, lanes.size, clumps.size, [&](std::size_t c) {
      sums.add(LedgerState::translation, clumps[c].translation);
      sums.add(LedgerState::rotation, clumps[c].rotation);
    });
    visit_items_of(lane, lanes.size, modes.size, [&](std::size_t c) {
      sums.add(LedgerState::vibration, modes[c].vibration);
      sums.add(LedgerState::deformation, modes[c].elastic);
    });
  }
};

/// Adds the energies in the springs of contacts that touch; one thread per lane. `touches(contact)` tells whether a
/// contact touches.
template <class R, class Touches>
struct LedgerSprings {
  LedgerPlace<R> place;
  Touches touches;
  std::size_t n;
  Span<StateLane> lanes;

  SCREE_HD void operator()(std::size_t lane) const {
    StateLane& sums = lanes[lane];
    visit_items_of(lane, lanes.size, n, [&](std::size_t contact) {
      if (!touches(contact)) { return; }
      const LedgerEntry<R> entry = place.entry(contact);
      sums.add(LedgerState::normal, double(entry.normal));
      sums.add(LedgerState::stored, double(entry.stored));
    });
  }
};
struct PairTouches {
  Span<std::uint8_t> touching;
  SCREE_INLINE bool operator()(std::size_t slot) const { return touching[slot] != 0; }
};
template <class R>
struct SlotTouches {
  Span<BoundarySlot<R>> slots;
  SCREE_INLINE bool operator()(std::size_t slot) const { return slots[slot].touching != 0; }
};

/// Moves all waiting numbers of a lane into its sums; one thread per lane.
template <class Lane>
struct FinishLane {
  Span<Lane> lanes;
  SCREE_HD void operator()(std::size_t lane) const { lanes[lane].finish(); }
};

/// Adds up one digit of one sum over finished lanes; one thread per digit of all sums. The digits fit into 63 bits, as
/// there are fewer than 2^31 lanes.
template <class Lane>
struct MergeTerms {
  Span<Lane> lanes;
  Span<ExactSum> merged;
  SCREE_HD void operator()(std::size_t item) const {
    const std::size_t term = item / words, word = item % words;
    std::int64_t sum = 0;
    for (std::size_t lane = 0; lane < lanes.size; ++lane) {
      const ExactSum& from = lanes[lane].term[term];
      sum += word < ExactSum::n_digits ? from.digit[word] : from.not_finite;
    }
    ExactSum& to = merged[term];
    (word < ExactSum::n_digits ? to.digit[word] : to.not_finite) = sum;
  }
  static constexpr std::size_t words = ExactSum::n_digits + 1;
};

}  // namespace scree::inline SCREE_BACKEND
