#include "kernels/boundaries/facet_meter.hpp"

#include "kernels/archive/state_io.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {
namespace {

/// Carries the digits of sums, so that their bits depend only on their values.
std::vector<FacetSums> carried(std::vector<FacetSums> loads) {
  for (FacetSums& load : loads) {
    FacetSums::each_sum(load, [](WindowSum& sum) { sum.carry(); });
  }
  return loads;
}

}  // namespace

FacetMeter::FacetMeter(const Scene& scene) {
  std::vector<std::uint32_t> first(scene.boundaries.size(), no_index);
  std::uint32_t n_faces = 0;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    if (!boundary.facet_loads) { continue; }
    SCREE_EXPECT(boundary.is_mesh(), "only meshes have facets");
    const auto all = static_cast<std::uint32_t>(boundary.mesh.triangles.size());
    first[b] = n_faces;
    boundary_.push_back(static_cast<std::uint32_t>(b));
    n_facets_.push_back(boundary.facets_per_copy > 0 ? boundary.facets_per_copy : all);
    n_faces += n_facets_.back();
  }
  if (n_faces == 0) { return; }
  first_face_.assign(first, "facets");
  before_.resize(n_faces);
  face_.assign(before_, "facets");
}

template <class R>
void FacetMeter::note_lists(RunState<R>& run) {
  if (!any()) { return; }
  auto& slots = run.contacts.near.slot;
  touched_.discard_and_resize(slots.size(), "facets");
  run.exec.for_each("facets", slots.size(), NoteTouched<R>{slots.view(), touched_.view()});
}

template <class R>
void FacetMeter::carry_in_time(RunState<R>& run) {
  if (any() && end_ >= 0) {
    before_ = carried(face_.to_vector());
    since_ = end_;
    end_ = goes_on;
  }
  // WindowSum allows 2^31 numbers in a digit. A step adds at most one for each listed contact. The digits are carried
  // when half of that number may be reached; the steps of a batch stay below the other half if there are fewer than
  // 2^24 contacts.
  if (!any() || (run.step - carried_) * run.contacts.near.slot.size() < std::uint64_t(1) << 30) { return; }
  run.exec.for_each("facets", face_.size(), CarryFacetSums{face_.view()});
  carried_ = run.step;
}

template <class R>
void FacetMeter::add(RunState<R>& run) {
  if (!any()) { return; }
  auto& near = run.contacts.near;
  run.exec.for_each("facets", near.body_of_row.size(),
                    in_step(run, AddFacetLoads<R>{.bodies = view(run.bodies),
                                                  .boundaries = run.boundary.view(),
                                                  .body_of_row = near.body_of_row.view(),
                                                  .row_start = near.row_start.view(),
                                                  .slots = near.slot.view(),
                                                  .touched = touched_.view(),
                                                  .first_face = first_face_.view(),
                                                  .face = face_.view(),
                                                  .control = run.control.data()}));
}

std::vector<FacetLoads> FacetMeter::read(double time, bool begin_interval) {
  std::vector<FacetLoads> result;
  const std::vector<FacetSums> now = carried(face_.to_vector());
  std::size_t first = 0;
  for (std::size_t m = 0; m < boundary_.size(); ++m) {
    FacetLoads loads;
    loads.boundary = boundary_[m];
    loads.since = since_;
    for (std::size_t k = first; k < first + n_facets_[m]; ++k) {
      loads.normal_impulse.push_back(now[k].normal_impulse.minus(before_[k].normal_impulse));
      loads.shear_impulse.push_back(now[k].shear_impulse.minus(before_[k].shear_impulse));
      loads.sliding.push_back(now[k].sliding.value());
      loads.friction_work.push_back(now[k].friction_work.value());
      loads.impact_energy.push_back(now[k].impact_energy.value());
      loads.cutting.push_back(now[k].cutting.value());
      loads.impacts.push_back(now[k].impacts);
    }
    first += n_facets_[m];
    result.push_back(std::move(loads));
  }
  if (begin_interval && any()) { end_ = time; }
  return result;
}

void FacetMeter::save(StateWriter& out) const {
  if (!any()) { return; }
  const std::vector<FacetSums> now = carried(face_.to_vector());
  out.rows("facets/sums", "1", now.size(), [&](std::size_t k) -> const FacetSums& { return now[k]; });
  out.rows("facets/before", "1", before_.size(), [&](std::size_t k) -> const FacetSums& { return before_[k]; });
  out("facets/since", "s", since_);
  out("facets/end", "s", end_);
}

void FacetMeter::restore(StateReader& in) {
  if (!any()) { return; }
  in("facets/sums", "1", face_);
  in.rows("facets/before", "1", before_.size(), [&](std::size_t k) -> FacetSums& { return before_[k]; });
  in("facets/since", "s", since_);
  end_ = goes_on;
  if (in.has("facets/end")) { in("facets/end", "s", end_); }  // older states have none
  carried_ = 0;
}

void FacetMeter::hash(UnorderedHash& sum) const {
  std::uint64_t index = 0;
  for (const FacetSums& load : face_.to_vector()) {
    FacetSums::each_sum(load, [&](const WindowSum& one) { sum.add({++index, bits(one.value())}); });
    sum.add({++index, load.impacts});
  }
}

template void FacetMeter::note_lists(RunState<float>&);
template void FacetMeter::note_lists(RunState<double>&);
template void FacetMeter::carry_in_time(RunState<float>&);
template void FacetMeter::carry_in_time(RunState<double>&);
template void FacetMeter::add(RunState<float>&);
template void FacetMeter::add(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
