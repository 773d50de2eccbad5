#include "kernels/readout/readout.hpp"

#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
void hash_bodies(RunState<R>& run, UnorderedHash& sum) {
  const auto position = run.bodies.position().to_vector();
  const auto velocity = run.bodies.velocity().to_vector();
  const auto spin = run.bodies.angular_velocity().to_vector();
  const auto id = run.bodies.id.to_vector();
  for (std::size_t i = 0; i < run.count.bodies; ++i) {
    if (is_parked(position[i])) { continue; }
    sum.add({id[i], bits(position[i].x), bits(position[i].y), bits(position[i].z), bits(velocity[i].x),
             bits(velocity[i].y), bits(velocity[i].z), bits(spin[i].x), bits(spin[i].y), bits(spin[i].z)});
  }
  if constexpr (loses_increments<R>) {
    const auto rest = run.bodies.rest.to_vector();
    for (std::size_t i = 0; i < run.count.bodies; ++i) {
      if (is_parked(position[i])) { continue; }
      const Vec3<R>&v = rest[i].velocity, &w = rest[i].angular_velocity;
      sum.add({id[i], bits(v.x), bits(v.y), bits(v.z), bits(w.x), bits(w.y), bits(w.z)});
    }
  }
}

}  // namespace

template <class R>
StateHash hash_of(RunState<R>& run) {
  UnorderedHash sum;
  hash_bodies(run, sum);
  run.in_cell.hash(run, sum);
  run.clumps.hash(run, sum);
  run.modes.hash(run, sum);
  hash_contacts(run, sum);
  run.cell.hash(sum);
  run.outlets.hash(sum);
  run.boundary.hash(sum);
  run.clock.hash(sum);
  sum.add(std::initializer_list<std::uint64_t>{run.step});  // nvcc loses the braces around a single value in a template
  return {sum.words};
}

template StateHash hash_of(RunState<float>&);
template StateHash hash_of(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
