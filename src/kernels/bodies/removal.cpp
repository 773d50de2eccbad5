#include "kernels/bodies/removal.hpp"

#include "kernels/contact/ledger_motion.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
struct ParkBodies {
  Span<index_t> place;
  BodyView<R> bodies;
  SCREE_HD void operator()(std::size_t k) const { park_body(bodies, place[k]); }
};

}  // namespace

template <class R>
void remove_bodies(RunState<R>& run, const std::vector<index_t>& places, std::uint32_t outlet) {
  const auto inverse_mass = run.bodies.inverse_mass().to_vector(),
             inverse_inertia = run.bodies.inverse_inertia().to_vector(), radius = run.bodies.radius().to_vector();
  for (const index_t i : places) {
    run.outlets.count(outlet, ledger_mass(inverse_mass[i], inverse_inertia[i], radius[i]));
  }
  run.heat.remove(run, places);
  Buffer<index_t> parked;
  parked.assign(places, "outlets");
  run.exec.for_each("outlets", places.size(), ParkBodies<R>{parked.view(), view(run.bodies)});
  run.lists.spent = true;
}

template void remove_bodies(RunState<float>&, const std::vector<index_t>&, std::uint32_t);
template void remove_bodies(RunState<double>&, const std::vector<index_t>&, std::uint32_t);

}  // namespace scree::inline SCREE_BACKEND
