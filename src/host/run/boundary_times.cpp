#include "host/run/boundary_times.hpp"

#include <algorithm>

#include "host/run/put_back.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {

BoundaryTimes::BoundaryTimes(const Scene& scene) : scene_(scene) {
  const auto step_of = [&](double time) { return first_step_at(time, scene.time_step); };
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    if (!boundary.has_times()) { continue; }
    timed_.push_back({b, step_of(boundary.from), step_of(boundary.until), moment_of_steps(boundary.from),
                      moment_of_steps(boundary.until)});
  }
}

bool BoundaryTimes::is_present(const Timed& timed, const Engine& engine) const {
  if (scene_.adaptive) { return engine.time() >= timed.from && engine.time() < timed.until; }
  return engine.step() >= timed.first_step && engine.step() < timed.end_step;
}

RunTarget BoundaryTimes::next(const Engine& engine) const {
  RunTarget next;
  for (const Timed& timed : timed_) {
    if (scene_.adaptive) {
      for (const double time : {timed.from, timed.until}) {
        if (time > engine.time()) { next.time = std::min(next.time, time); }
      }
    } else {
      for (const std::uint64_t step : {timed.first_step, timed.end_step}) {
        if (step > engine.step()) { next.step = std::min(next.step, step); }
      }
    }
  }
  return next;
}

std::vector<std::string> BoundaryTimes::look(Engine& engine) {
  std::vector<std::string> lines;
  for (Timed& timed : timed_) {
    const bool present = is_present(timed, engine);
    if (present == timed.present) { continue; }
    if (present) {
      const std::string warning = put_back(engine, scene_, timed.boundary);
      if (!warning.empty()) { warnings_.push_back(warning); }
    } else {
      engine.set_present(timed.boundary, false);
    }
    timed.present = present;
    if (engine.step() == 0) { continue; }
    lines.push_back("step " + std::to_string(engine.step()) + ", t = " + short_number_text(engine.time(), 6) +
                    " s: boundary \"" + scene_.boundaries[timed.boundary].name + "\" " +
                    (present ? "appears" : "is gone"));
  }
  return lines;
}

}  // namespace scree
