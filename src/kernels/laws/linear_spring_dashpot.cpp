#include <cmath>

#include "kernels/interactions/make_run_law.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "scree/meeting_materials.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R, LinearForm form>
std::unique_ptr<RunLaw<R>> make(const Scene& scene, const LawPlace& place) {
  using Law = LinearFamily<R, form>;
  const auto real = [](double value) { return static_cast<R>(value); };
  const double shear_factor = std::sqrt(2.0 / 7.0);
  return make_run_law<Law, R>(scene, place, [&](const Material& a, const Material& b, const MaterialPair& pair) {
    const LinearSprings& s = pair.springs;
    const double young1 = s.from_moduli ? 2 * a.young_modulus : 0, young2 = s.from_moduli ? 2 * b.young_modulus : 0;
    return typename Law::Params{.young1 = real(young1),
                                .young2 = real(young2),
                                .shear1 = real(a.poisson_ratio * young1),
                                .shear2 = real(b.poisson_ratio * young2),
                                .stiffness_per_mass = real(s.stiffness_per_mass),
                                .shear_per_mass = real(s.shear_per_mass),
                                .stiffness = real(s.stiffness),
                                .shear_stiffness = real(s.shear_stiffness),
                                .dashpot = real(s.dashpot),
                                .shear_dashpot = real(s.shear_dashpot),
                                .damping = real(2 * s.damping_ratio),
                                .damping_shear = real(2 * shear_factor * s.shear_damping_ratio),
                                .friction = real(pair.friction)};
  });
}

/// What the pairs of a scene that have this law need.
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
  const LinearForm form = form_for(scene, place.kind);
  if (form.from_moduli) { return make<R, LinearForm{}>(scene, place); }
  return form.damping_ratios ? make<R, LinearForm{false, true}>(scene, place)
                             : make<R, LinearForm{false, false}>(scene, place);
}

template std::unique_ptr<RunLaw<float>> make_linear_spring_dashpot<float>(const Scene&, const LawPlace&);
template std::unique_ptr<RunLaw<double>> make_linear_spring_dashpot<double>(const Scene&, const LawPlace&);

}  // namespace scree::inline SCREE_BACKEND
