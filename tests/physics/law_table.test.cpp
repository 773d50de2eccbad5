#include <gtest/gtest.h>

#include "host/case/laws.hpp"
#include "kernels/laws/bonded.hpp"
#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/elasto_plastic.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/jaeger.hpp"
#include "kernels/laws/jkr.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "kernels/laws/mindlin_reversal.hpp"
#include "kernels/laws/with_rolling.hpp"

/// The host's table of laws must agree with what the functors state about themselves: time step, memory plan and checks
/// of a case use the table, kernels use the functors.
namespace scree::law_table_test {

/// A law around a law has its traits.
template <class Around, class Law>
void expect_traits_of() {
  EXPECT_EQ(holds_apart<Around>, holds_apart<Law>);
  EXPECT_EQ(makes_bonds<Around>, makes_bonds<Law>);
  EXPECT_EQ(is_hertzian<Around>, is_hertzian<Law>);
}

template <class Law, class R>
void expect_alike(LawKind kind) {
  const LawNeeds& needs = needs_of(kind);
  SCOPED_TRACE(needs.name);
  EXPECT_EQ(needs.makes_bonds(), makes_bonds<Law>);
  EXPECT_EQ(needs.holds_apart || needs.makes_bonds(), holds_apart<Law>) << "a bond holds bodies apart, too";
  EXPECT_EQ(needs.load_history, has_stack<Law>);
  EXPECT_EQ(needs.held_by == HeldBy::hertz, is_hertzian<Law>);
  expect_traits_of<WithLedger<Law, R>, Law>();
  EXPECT_EQ(needs.load_history, (has_stack<WithLedger<Law, R>>));
  if constexpr (tells_shear_stiffness<Law, R>) { expect_traits_of<WithRolling<Law, R>, Law>(); }
  EXPECT_FALSE(has_couple<Law>) << "the plan of memory counts couples of rolling resistance alone";
}

template <class R>
void expect_all_alike() {
  static_assert(laws::all.size() == 11, "a new law is compared with its line of the table here");
  expect_alike<HertzMindlin<R>, R>(LawKind::hertz_mindlin);
  expect_alike<CundallStrack<R>, R>(LawKind::cundall_strack);
  expect_alike<HertzMindlinRescaled<R>, R>(LawKind::hertz_mindlin_rescaled);
  expect_alike<HertzMindlinDmt<R>, R>(LawKind::hertz_mindlin_dmt);
  expect_alike<MindlinReversal<R>, R>(LawKind::mindlin_reversal);
  expect_alike<Jkr<R>, R>(LawKind::jkr);
  expect_alike<LinearSpringDashpot<R>, R>(LawKind::linear_spring_dashpot);
  expect_alike<Bonded<R>, R>(LawKind::bonded);
  expect_alike<Jaeger<R>, R>(LawKind::jaeger);
  expect_alike<Eepa<R>, R>(LawKind::eepa);
  expect_alike<Luding<R>, R>(LawKind::luding);
}

TEST(LawTable, SaysWhatTheFunctorsState) {
  expect_all_alike<float>();
  expect_all_alike<double>();
}

}  // namespace scree::law_table_test
