#include "host/bench/search_cost.hpp"

#include <algorithm>
#include <string_view>

#include "host/bench/machine.hpp"

namespace scree {

namespace {

constexpr std::string_view prefix = "search: ";

/// The mean time, calls and bytes of the stages of one search, from the totals before and after `searches` searches.
std::vector<LaunchTime> stages_between(const SearchTotals& before, const SearchTotals& after, std::uint64_t searches) {
  std::vector<LaunchTime> stages;
  for (LaunchTime stage : after.stages) {
    for (const LaunchTime& old : before.stages) {
      if (old.kind != stage.kind) { continue; }
      stage.seconds -= old.seconds;
      stage.calls -= old.calls;
      stage.bytes -= old.bytes;
    }
    if (stage.calls == 0) { continue; }
    stage.seconds /= static_cast<double>(searches);
    stage.calls /= searches;
    stage.bytes /= searches;
    stages.push_back(stage);
  }
  return stages;
}

/// The number of searches between two totals: the number of new calls of the stage with the fewest calls. Asking the
/// engine for its counts would take so long that an automatic Verlet distance would count it as the cost of steps.
std::uint64_t searches_between(const SearchTotals& before, const SearchTotals& after) {
  std::uint64_t fewest = 0;
  for (const LaunchTime& stage : stages_between(before, after, 1)) {
    fewest = fewest == 0 ? stage.calls : std::min(fewest, stage.calls);
  }
  return fewest;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void set_flowing(Scene& scene) {
  ParticleSet& particles = scene.particles;
  double top = 0;
  for (const Real3& x : particles.position) { top = std::max(top, x[2]); }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    particles.velocity[i] = {top > 0 ? 0.5 * particles.position[i][2] / top : 0.0, 0, 0};
  }
  scene.gravity = {9.81 * 0.5, 0, -9.81 * 0.8660254037844386};
  scene.verlet_auto = true;
}

}  // namespace

SearchTotals search_totals(Engine& engine) {
  SearchTotals totals;
  for (LaunchTime stage : engine.launch_times()) {
    if (!stage.kind.starts_with(prefix)) { continue; }
    totals.seconds += stage.seconds;
    totals.bytes += stage.bytes;
    stage.kind.erase(0, prefix.size());
    totals.stages.push_back(std::move(stage));
  }
  return totals;
}

SearchCost measure_search(const Scene& scene, const EngineOptions& options, int repeats) {
  const auto engine = make_engine(scene, options);
  engine->advance(1);
  SearchReport report = engine->search_neighbours();  // not measured: sorts the bodies and warms the caches
  SearchCost cost;
  cost.particles = report.particles;
  const auto n = static_cast<double>(report.particles);
  const auto at_once = static_cast<std::uint64_t>(std::clamp(1e6 / n, 1.0, 20.0));  // short searches are timed together
  std::vector<double> seconds;
  const SearchTotals start = search_totals(*engine);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double before = search_totals(*engine).seconds;
    for (std::uint64_t k = 0; k < at_once; ++k) { report = engine->search_neighbours(); }
    seconds.push_back((search_totals(*engine).seconds - before) / (n * static_cast<double>(at_once)));
  }
  const std::uint64_t searches = at_once * static_cast<std::uint64_t>(repeats);
  const SearchTotals end = search_totals(*engine);
  cost.stages = stages_between(start, end, searches);
  cost.seconds = median(seconds);
  cost.bytes = static_cast<double>(end.bytes - start.bytes) / (n * static_cast<double>(searches));
  cost.tests = static_cast<double>(report.tests) / n;
  cost.pairs = static_cast<double>(report.pairs) / n;
  cost.contacts = static_cast<double>(engine->counts().contacts) / n;
  return cost;
}

FlowCost measure_flow(Scene scene, const EngineOptions& options) {
  constexpr std::uint64_t chunk = 16, most_steps = 20000, searches_wanted = 10;
  set_flowing(scene);
  const auto n = static_cast<double>(scene.particles.size());
  const auto engine = make_engine(scene, options);
  scene = {};
  engine->advance(static_cast<std::uint64_t>(std::clamp(2e8 / n, 50.0, 200.0)));
  const std::uint64_t searches_before = engine->counts().searches;
  const SearchTotals before = search_totals(*engine);
  SearchTotals after = before;
  double seconds = 0;
  std::uint64_t steps = 0;
  while (searches_between(before, after) < searches_wanted && steps < most_steps) {
    const auto start = BenchClock::now();
    steps += engine->advance(chunk);
    seconds += seconds_since(start);
    after = search_totals(*engine);
  }
  const std::uint64_t searches = engine->counts().searches - searches_before;
  return {1000 * static_cast<double>(searches) / static_cast<double>(steps),
          (after.seconds - before.seconds) / seconds};
}

}  // namespace scree
