#include "kernels/interactions/attractions.hpp"
#include "kernels/interactions/linear_params.hpp"
#include "kernels/interactions/make_run_law.hpp"
#include "kernels/interactions/rolling_moments.hpp"
#include "scree/meeting_materials.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, LinearForm form>
std::unique_ptr<RunLaw<R>> make(const Scene& scene, const LawPlace& place) {
  return make_run_law<LinearFamily<R, form>, R>(scene, place, linear_params<R, form>);
}

/// The terms that the pairs of a scene with this law need.
LinearForm form_for(const Scene& scene, LawKind kind) {
  const MeetingMaterials meeting = meeting_materials(scene);
  LinearForm form{false, false};
  for (std::size_t a = 0; a < scene.materials.size(); ++a) {
    for (std::size_t b = 0; b < scene.materials.size(); ++b) {
      if (!meeting.can_touch(a, b) || scene.law_of(a, b) != kind) { continue; }
      const LinearSprings& s = scene.pair(a, b).springs;
      form.from_moduli |= s.from_moduli;
      form.damping_ratios |= s.damping_ratio != 0 || s.shear_damping_ratio != 0;
    }
  }
  return form;
}

}  // namespace

template <class R>
std::unique_ptr<RunLaw<R>> make_linear_spring_dashpot(const Scene& scene, const LawPlace& place) {
  if (place.attraction == Attraction::cohesion) { return make_cohesive_linear<R>(scene, place); }
  if (place.attraction == Attraction::liquid) { return make_wet_linear<R>(scene, place); }
  if (place.attraction == Attraction::liquid_rabinovich) { return make_wet_linear_rabinovich<R>(scene, place); }
  if (place.rolling_moment) { return make_rolled_linear<R>(scene, place); }
  const LinearForm form = form_for(scene, place.kind);
  if (form.from_moduli) { return make<R, LinearForm{}>(scene, place); }
  return form.damping_ratios ? make<R, LinearForm{false, true}>(scene, place)
                             : make<R, LinearForm{false, false}>(scene, place);
}

template std::unique_ptr<RunLaw<float>> make_linear_spring_dashpot<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_linear_spring_dashpot<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
