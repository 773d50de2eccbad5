#include <functional>

#include "jaeger_cases.hpp"
#include "support.hpp"

/// Follows the reference histories step by step on the backend under test.
namespace scree::inline SCREE_BACKEND::jaeger_vectors_test {

using JaegerVectors = BackendTest;

struct Answer {
  double normal;
  Vec2<double> force;
  std::uint32_t segments;
  JaegerEvent event;
};

/// Computes one history per index.
template <class R>
struct RunHistories {
  Span<JaegerValues<R>> values;
  Span<std::uint32_t> first_step;  ///< [n + 1]
  Span<double> zeta;
  Span<Vec2<R>> movement;
  Span<JaegerSegment<R>> memory;  ///< [steps + 1] for each history, the room for its stack
  Span<Answer> answers;
  Span<std::uint32_t> segments;  ///< [n] number of segments at the end
  SCREE_HD void operator()(std::size_t i) const {
    JaegerSpan<R> stack{memory.data + first_step[i] + i};
    Vec2<double> force{0, 0};
    for (std::uint32_t k = first_step[i]; k < first_step[i + 1]; ++k) {
      const JaegerStep<R> step =
          jaeger_step<R, all_jaeger_options_but_sliding>(stack, force, values[i], zeta[k], movement[k]);
      answers[k] = {double(step.normal), double(values[i].friction) * force, stack.size(), step.event};
    }
    segments[i] = stack.size();
  }
  static constexpr JaegerOptions all_jaeger_options_but_sliding{.merges = true, .caps = true};
};

template <class R>
struct Histories {
  std::vector<std::uint32_t> first_step{0};
  std::vector<Answer> answers;
  std::vector<JaegerSegment<R>> memory;
  std::vector<std::uint32_t> segments;
};

template <class R>
Histories<R> run_histories() {
  Histories<R> all;
  std::vector<JaegerValues<R>> values;
  std::vector<double> zeta;
  std::vector<Vec2<R>> movement;
  for (const JaegerCase& c : jaeger_cases()) {
    values.push_back(jaeger_values<R>(c.hertz, c.kappa, c.friction));
    values.back().merging = R(c.merging / c.friction);
    zeta.insert(zeta.end(), c.zeta.begin(), c.zeta.end());
    for (const auto& m : c.movement) { movement.push_back(convert<R>(m)); }
    all.first_step.push_back(std::uint32_t(zeta.size()));
  }
  Exec exec(1);
  Buffer<JaegerValues<R>> of;
  Buffer<std::uint32_t> first_step, segments;
  Buffer<double> overlap;
  Buffer<Vec2<R>> moves;
  Buffer<JaegerSegment<R>> memory;
  Buffer<Answer> answers;
  of.assign(values), first_step.assign(all.first_step), overlap.assign(zeta), moves.assign(movement);
  memory.resize(zeta.size() + values.size()), answers.resize(zeta.size()), segments.resize(values.size());
  exec.for_each("histories", values.size(),
                RunHistories<R>{of.view(), first_step.view(), overlap.view(), moves.view(), memory.view(),
                                answers.view(), segments.view()});
  all.answers = answers.to_vector(), all.memory = memory.to_vector(), all.segments = segments.to_vector();
  return all;
}

JaegerEvent event_of(const std::string& name) {
  const std::array<const char*, 7> names{"none", "elastic", "slip", "unload", "full", "retrace", "separated"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (name == names[k]) { return JaegerEvent(k); }
  }
  throw ContractError("unknown event " + name);
}

/// Largest error of the tangential forces over mu N_max, and of N over N_max.
template <class R>
void expect_reference_forces(const std::function<double(const JaegerCase&)>& tolerance, double tolerance_of_normal) {
  const Histories<R> got = run_histories<R>();
  double worst = 0;
  ASSERT_EQ(jaeger_cases().size(), 25u);
  for (std::size_t i = 0; i < jaeger_cases().size(); ++i) {
    const JaegerCase& c = jaeger_cases()[i];
    double error = 0;
    for (std::size_t k = 0; k < c.zeta.size(); ++k) {
      const Answer& answer = got.answers[got.first_step[i] + k];
      error = std::max(error, norm(answer.force - c.force[k]) / (c.friction * c.largest_normal));
      ASSERT_NEAR(answer.normal, c.normal[k], tolerance_of_normal * c.largest_normal) << c.name << " step " << k;
    }
    EXPECT_LT(error, tolerance(c)) << c.name;
    worst = std::max(worst, error);
  }
  std::printf("largest |T - T_ref| / (mu N_max): %.2e\n", worst);
}

// The double version of the reference itself deviates by up to 4e-15 from the one with 50 digits.
TEST_F(JaegerVectors, ForcesInDouble) {
  expect_reference_forces<double>([](const JaegerCase&) { return 1e-12; }, 1e-14);
}

// Slopes and normal forces are computed in float, everything else in double. The reference allows float an error of
// 2e-4.
TEST_F(JaegerVectors, ForcesInMixedPrecision) {
  expect_reference_forces<float>([](const JaegerCase& c) { return std::min(c.tolerance_of_float, 1e-5); }, 3e-7);
}

// Compares the stacks themselves in histories where no step lies on the limit between two branches.
TEST_F(JaegerVectors, EventsAndStacks) {
  const Histories<double> got = run_histories<double>();
  for (std::size_t i = 0; i < jaeger_cases().size(); ++i) {
    const JaegerCase& c = jaeger_cases()[i];
    if (c.name == "circle_partial_slip" || c.name == "special_steps") { continue; }
    for (std::size_t k = 0; k < c.zeta.size(); ++k) {
      const Answer& answer = got.answers[got.first_step[i] + k];
      ASSERT_EQ(answer.segments, c.segments[k]) << c.name << " step " << k;
      ASSERT_EQ(int(answer.event), int(event_of(c.event[k]))) << c.name << " step " << k;
    }
    ASSERT_EQ(got.segments[i], c.final_stack.size()) << c.name;
    for (std::size_t n = 0; n < c.final_stack.size(); ++n) {
      const JaegerSegment<double> segment = got.memory[got.first_step[i] + i + n];
      const auto& [end, bx, by] = c.final_stack[n];
      ASSERT_NEAR(segment.end(), end, 1e-11 * c.final_stack.back()[0]) << c.name;
      // The slope of a thin segment is the quotient of two small differences.
      const double thick = end - (n > 0 ? c.final_stack[n - 1][0] : 0.0);
      const double tolerance = 1e-12 * c.final_stack.back()[0] / thick;
      ASSERT_NEAR(c.friction * segment.slope().x, bx, tolerance) << c.name;
      ASSERT_NEAR(c.friction * segment.slope().y, by, tolerance) << c.name;
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_vectors_test
