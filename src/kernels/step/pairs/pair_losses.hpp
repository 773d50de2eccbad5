#pragma once

#include <bit>

#include "kernels/step/ledger/body_losses.hpp"
#include "kernels/step/ledger/entry_lanes.hpp"
#include "kernels/step/pairs/sphere_pair_lanes.hpp"

namespace scree::inline SCREE_BACKEND {

/// Finds what each pair loses in a step by slip, breaking and dashpots; after the motion, one thread per pair. See
/// ContactLoss. The ledger has noted the loss by slip and breaking, and the power of the dashpots before the motion. On
/// the host the pairs that touch are packed and computed by vectors, see run_selected_range.
///
/// `flows` is needed in a periodic cell that deforms: its mean flow moves the bodies of a pair apart.
template <class R, bool flows>
struct PairLosses {
  using Scalar = R;
  struct Input {
    LedgerPair<R> motion;     ///< after the forces
    R inverse_masses = R(0);  ///< not used: the stage moves it together with the motion
    R stays = R(1);           ///< 0 if a body of the pair left in this step: the dashpot then has no power any more
    LedgerEntry<R> entry;

    static constexpr int after_motion = 10, first_of_entry = 13, first_of_couple = 21, n_components = 24;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, motion.velocity.x), visit(1, motion.velocity.y), visit(2, motion.velocity.z);
      visit(3, motion.spin1.x), visit(4, motion.spin1.y), visit(5, motion.spin1.z);
      visit(6, motion.spin2.x), visit(7, motion.spin2.y), visit(8, motion.spin2.z), visit(9, inverse_masses);
      visit(10, motion.radius1), visit(11, motion.radius2), visit(12, stays);
      entry.each([&](int component, R& value) { visit(first_of_entry + component, value); });
      Vec3<R>& couple = entry.viscous_couple;
      visit(first_of_couple, couple.x), visit(first_of_couple + 1, couple.y), visit(first_of_couple + 2, couple.z);
    }
  };
  struct Output {
    R power;  ///< [W] of the viscous forces after the motion

    static constexpr int n_components = 1;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, power);
    }
  };
  static constexpr int block_size = 256;

  BodyView<R> bodies;
  LedgerPlace<R> place;
  Span<BodyPair> pairs;
  Span<std::uint8_t> touching;
  Span<R> slip, power_before;  ///< [n_pairs] [J] [W] see ContactLedger
  Span<double> of_pair;        ///< [n_pairs] [J] result; 0 if the pair does not touch
  const Control* control;
  const LedgerMoment* moment = nullptr;
  LedgerFlow flow{};  ///< after the forces; with `flows`

  SCREE_INLINE PairLosses at(const StepMoment<R>& now) const {
    PairLosses bound = *this;
    bound.moment = &now.ledger;
    if constexpr (flows) { bound.flow = LedgerFlow::of(now.ledger, true); }
    return bound;
  }

  SCREE_HD void operator()(std::size_t slot) const {
    if (control->halted != 0) { return; }
    if (touching[slot] == 0) {
      of_pair[slot] = 0;
      return;
    }
    store(slot, evaluate(load(slot)));
  }

  SCREE_INLINE Input load(std::size_t slot) const {
    const BodyPair pair = pairs[slot];
    return {LedgerPair<R>::of(bodies, pair), R(0), stays(pair), place.entry(slot)};
  }
  SCREE_INLINE Output evaluate(const Input& in) const {
    Vec3<R> velocity = in.motion.velocity_at(in.entry);
    if constexpr (flows) { velocity += convert<R>(in.motion.parted_by(flow, in.entry)); }
    return {in.stays * in.entry.template power<true>(velocity, in.motion.spin2 - in.motion.spin1)};
  }
  SCREE_INLINE void store(std::size_t slot, const Output& out) const {
    const double work = 0.5 * moment->last * double(power_before[slot]) + 0.5 * moment->next * double(out.power);
    of_pair[slot] = counted_slip(slip[slot], *moment) - work;
  }

#if !SCREE_ON_CUDA
  static constexpr bool looks_in_lanes = true, packs_lanes = true;

  void work_on(std::size_t begin, std::size_t end) const { run_selected_range(*this, begin, end); }

  /// Finds the pairs that touch.
  template <int n_in>
  SCREE_INLINE std::size_t look_in_lanes(std::size_t first, std::size_t last, std::uint32_t* item,
                                         R (&/*in*/)[n_in][stage_lanes<R>]) const {
    if (control->halted != 0) { return 0; }
    prefetch_bodies(last, last + stage_lanes<R> < pairs.size ? last + stage_lanes<R> : pairs.size);
    for (std::size_t slot = first; slot < last; ++slot) { of_pair[slot] = 0; }
    std::size_t count = 0;
    for (LaneBits left = bits_of_bytes(touching.data + first, last - first); left != 0; left &= left - 1) {
      item[count++] = static_cast<std::uint32_t>(std::countr_zero(left));
    }
    return count;
  }

  template <int n_in>
  SCREE_INLINE void load_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                               R (&in)[n_in][stage_lanes<R>]) const {
    for (std::size_t lane = 0; lane < count; lane += 4) {
      BodyPair pair[4];
      for (std::size_t k = 0; k < 4; ++k) { pair[k] = pairs[first + item[lane + k < count ? lane + k : count - 1]]; }
      load_motion_lanes<0>(bodies, pair, lane, in);
    }
    constexpr int n = Input::after_motion, m = Input::first_of_couple;
    for (std::size_t lane = 0; lane < count; ++lane) {
      const BodyPair pair = pairs[first + item[lane]];
      in[n][lane] = bodies.radius[pair.first], in[n + 1][lane] = bodies.radius[pair.second];
      in[n + 2][lane] = stays(pair);
    }
    load_entry_lanes([&](std::size_t lane) { return place.row(first + item[lane]); }, count,
                     &in[Input::first_of_entry]);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const Vec3<R> couple = place.couple(first + item[lane]);
      in[m][lane] = couple.x, in[m + 1][lane] = couple.y, in[m + 2][lane] = couple.z;
    }
  }

  template <int n_out>
  SCREE_INLINE void store_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                                const R (&out)[n_out][stage_lanes<R>]) const {
    for (std::size_t lane = 0; lane < count; ++lane) { store(first + item[lane], {out[0][lane]}); }
  }
#endif

 private:
  SCREE_INLINE R stays(const BodyPair& pair) const {
    return is_parked(bodies.position[pair.first]) || is_parked(bodies.position[pair.second]) ? R(0) : R(1);
  }

#if !SCREE_ON_CUDA
  /// A hint to the processor: the bodies of the pairs in [begin, end) will soon be read. The first bodies of successive
  /// pairs are neighbours in memory.
  SCREE_INLINE void prefetch_bodies(std::size_t begin, std::size_t end) const {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const index_t second = pairs[slot].second;
      __builtin_prefetch(bodies.place.data + second);
      __builtin_prefetch(bodies.speed.data + second);
    }
  }
#endif
};

}  // namespace scree::inline SCREE_BACKEND
