#include "kernels/readout/readout.hpp"

#include "kernels/backend/lane_sums.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Adds a body to the hash; removed ones are left out.
template <class R>
struct HashBody {
  BodyView<R> bodies;
  SCREE_HD void operator()(std::size_t i, UnorderedHash& sum) const {
    const Vec3d& x = bodies.position[i];
    if (is_parked(x)) { return; }
    const Vec3<R>&v = bodies.velocity[i], &w = bodies.angular_velocity[i];
    sum.add({bodies.id[i], bits(x.x), bits(x.y), bits(x.z), bits(v.x), bits(v.y), bits(v.z), bits(w.x), bits(w.y),
             bits(w.z)});
    if constexpr (loses_increments<R>) {
      const Vec3<R>&p = bodies.rest[i].velocity, &q = bodies.rest[i].angular_velocity;
      sum.add({bodies.id[i], bits(p.x), bits(p.y), bits(p.z), bits(q.x), bits(q.y), bits(q.z)});
    }
  }
};

}  // namespace

template <class R>
StateHash hash_of(RunState<R>& run) {
  UnorderedHash sum = sum_of_items<UnorderedHash>(run.exec, "hash", run.count.bodies, HashBody<R>{view(run.bodies)});
  run.in_cell.hash(run, sum);
  run.clumps.hash(run, sum);
  run.heat.hash(run, sum);
  run.films.hash(run, sum);
  run.modes.hash(run, sum);
  hash_contacts(run, sum);
  run.cell.hash(sum);
  run.outlets.hash(sum);
  run.boundary.hash(sum);
  run.faces.hash(sum);
  run.clock.hash(sum);
  sum.add(std::initializer_list<std::uint64_t>{run.step});  // nvcc loses the braces around a single value in a template
  return {{sum.words[0], sum.words[1]}};
}

template StateHash hash_of(RunState<float>&);
template StateHash hash_of(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
