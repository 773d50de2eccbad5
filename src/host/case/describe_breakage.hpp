#pragma once

#include "host/case/describe.hpp"
#include "host/geometry/fragment_pattern.hpp"
#include "host/text/text.hpp"

namespace scree {

inline auto describe(Of<BreakageRule>) {
  return object(
      "How the spheres of a material break: a sphere is replaced by smaller spheres when its octahedral shear stress "
      "reaches its strength.",
      required("stress", &BreakageRule::stress, "Pa",
               "Octahedral shear stress that 37 % of the spheres of the diameter at_diameter survive.", above(0)),
      required("at_diameter", &BreakageRule::at_diameter, "m", "Diameter to which the stress belongs.", above(0)),
      field("size_exponent", &BreakageRule::size_exponent, "",
            "Exponent n: strengths are proportional to diameter^-n; left out: 3 / weibull_modulus, or 0 without "
            "weibull_modulus.",
            from_up_to(0, 10)),
      field("weibull_modulus", &BreakageRule::weibull_modulus, "",
            "Weibull modulus of the scatter of strengths; left out: no scatter.", at_least(1)),
      field("fragments", &BreakageRule::fragments, "", "Number of spheres that replace a broken sphere."),
      required("smallest_radius", &BreakageRule::smallest_radius, "m",
               "A sphere does not break if a fragment would be smaller.", above(0)));
}
inline void check(const BreakageRule& rule, Complaints& complaints) {
  if (geometry::has_pattern(rule.fragments)) { return; }
  complaints.add("fragments", "must be " + geometry::pattern_sizes_text() + ", got " + std::to_string(rule.fragments));
}

inline auto describe(Of<Breakage>) {
  return object(
      "Spheres that break under load.",
      field("every", &Breakage::every, "s",
            "Time between two checks of the stresses in all spheres; left out: 100 steps.", above(0)),
      field("most_particles", &Breakage::most_particles, "",
            "Largest number of particles; the run ends before breakage makes more."),
      field("materials", &Breakage::materials, "", "Rules of breakage, by the name of the material.", some_items()));
}

inline void check(const Breakage& breakage, Complaints& complaints) {
  if (breakage.most_particles == 0) { complaints.add("most_particles", "must be at least 1, got 0"); }
}

static_assert(lists_every_member<BreakageRule> && lists_every_member<Breakage>);

}  // namespace scree
