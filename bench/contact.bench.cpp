#include <benchmark/benchmark.h>

#include "host/bench/settled_bed.hpp"
#include "kernels/laws/cundall_strack.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/turning.hpp"
#include "kernels/shapes/closest.hpp"
#include "scree/engine.hpp"

/// The parts of a contact one by one, and whole steps of the settled bed, which also have everything else of a real
/// run.
namespace scree {

namespace {

template <class R>
ContactState<R> sliding_contact() {
  ContactState<R> contact{};
  contact.n = {R(0), R(0), R(1)};
  contact.overlap = contact.overlap_before = R(1e-6);
  contact.normal_velocity = R(-0.01);
  contact.slip = {R(0.02), R(0), R(0)};
  contact.shear = {R(1e-3), R(2e-3), R(0)};
  contact.radius1 = contact.radius2 = R(1e-3);
  contact.effective_radius = R(5e-4);
  contact.effective_mass = R(5e-6);
  contact.time_step = R(1e-5);
  return contact;
}

template <class Law, class R>
void law(benchmark::State& state) {
  ContactState<R> contact = sliding_contact<R>();
  const typename Law::Params params{R(5e6), R(9e6), R(0.5), R(0.5), R(0.5)};
  for (auto _ : state) {
    const LawResponse<R> response = Law::evaluate(contact, params);
    contact.shear = response.shear;
    benchmark::DoNotOptimize(contact);
  }
}

void closest_point(benchmark::State& state) {
  Vec3d x{0.3, 0.2, 0.1};
  for (auto _ : state) {
    benchmark::DoNotOptimize(x);
    benchmark::DoNotOptimize(closest_on_triangle(x, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  }
}

void settled_step(benchmark::State& state) {
  static const SettledBed bed(0);
  const Scene scene = bed.scene(static_cast<std::uint64_t>(state.range(0)), Precision::mixed);
  const auto engine = make_engine(scene, {BackendChoice::host, static_cast<int>(state.range(1))});
  engine->advance(50);
  for (auto _ : state) { engine->advance(1); }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scene.particles.size()));
}

}  // namespace

BENCHMARK(law<HertzMindlin<double>, double>)->Name("law/hertz_mindlin/double");
BENCHMARK(law<HertzMindlin<float>, float>)->Name("law/hertz_mindlin/float");
BENCHMARK(law<CundallStrack<double>, double>)->Name("law/cundall_strack/double");
BENCHMARK(closest_point)->Name("shape/closest_on_triangle");
BENCHMARK(settled_step)
    ->Name("step/settled_bed")
    ->ArgsProduct({{10000, 100000}, {1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace scree
