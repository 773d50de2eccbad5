#include "kernels/bodies/removal.hpp"

#include "kernels/backend/rearrange.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/motion/ledger_motion.hpp"

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
  Buffer<index_t> parked;
  parked.assign(places, "outlets");
  const auto place = elements_at(run.exec, "outlets", parked.view(), run.bodies.place);
  const auto speed = elements_at(run.exec, "outlets", parked.view(), run.bodies.speed);
  for (std::size_t k = 0; k < places.size(); ++k) {
    run.outlets.count(outlet, ledger_mass(speed[k].inverse_mass, speed[k].inverse_inertia, place[k].radius));
  }
  run.heat.remove(run, places);
  run.exec.for_each("outlets", places.size(), ParkBodies<R>{parked.view(), view(run.bodies)});
  run.lists.spent = true;
}

template void remove_bodies(RunState<float>&, const std::vector<index_t>&, std::uint32_t);
template void remove_bodies(RunState<double>&, const std::vector<index_t>&, std::uint32_t);

}  // namespace scree::inline SCREE_BACKEND
