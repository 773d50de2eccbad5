#include <bit>

#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
std::vector<RemovedParticle> removed_particles(RunState<R>& run) {
  const bool adaptive = run.scene.adaptive.has_value();
  const auto real3 = [](const Vec3d& a) { return Real3{a.x, a.y, a.z}; };
  const std::vector<RemovedBody> all = run.outlets.take();
  std::vector<RemovedParticle> result;
  if (all.empty()) { return result; }
  const std::vector<std::uint16_t> group_of_id = run.groups.of_id.to_vector();
  for (const RemovedBody& body : all) {
    Vec3d place = body.position;
    if (run.cell.any()) {
      const CellWrap wrap = run.cell.wrap();
      place = wrap.taken_back(place, wrap.image(place));
    }
    result.push_back({.step = body.step,
                      .time = adaptive ? std::bit_cast<double>(body.moment) : double(body.step) * run.scene.time_step,
                      .id = body.id,
                      .outlet = body.counter,
                      .material = body.material,
                      .group = group_of_id.empty() ? 0U : group_of_id[body.id],
                      .mass = body.mass,
                      .position = real3(place),
                      .velocity = real3(body.velocity),
                      .temperature = body.temperature,
                      .film = body.film});
  }
  return result;
}

template std::vector<RemovedParticle> removed_particles(RunState<float>&);
template std::vector<RemovedParticle> removed_particles(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
