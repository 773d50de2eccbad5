#include "host/commands/traction_table.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/laws.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using Pair = std::array<double, 2>;

std::string fact(std::string label, const std::string& text) {
  constexpr std::size_t width = 18;
  label.resize(std::max(label.size() + 1, width), ' ');
  return label + text;
}

template <std::size_t n>
std::string vector_text(const std::array<double, n>& vector) {
  std::string text = "(";
  for (std::size_t k = 0; k < n; ++k) { text += (k == 0 ? "" : ", ") + short_number_text(vector[k], 9); }
  return text + ")";
}

double length(const Pair& v) { return std::hypot(v[0], v[1]); }

double over(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string slip_text(const ContactTractions& t) {
  if (t.segments.empty() || !t.segments.back().slips) { return "none, all of the contact sticks"; }
  if (t.segments.size() == 1) { return "all of the contact slides"; }
  const double inner = t.segments[t.segments.size() - 2].radius;
  return "from " + short_number_text(inner, 9) + " m to the rim, " + short_number_text(inner / t.contact_radius, 6) +
         " of the radius on";
}

/// [-] Traction over friction times pressure. At the rim, where both vanish, it is the limit of this ratio.
double mobilised(const ContactTractions& t, std::size_t k) {
  if (t.pressure[k] > 0) { return over(length(t.traction[k]), t.friction * t.pressure[k]); }
  return t.segments.empty() || !(t.friction > 0) ? 0 : length(t.segments.back().slope);
}

}  // namespace

TractionErrors traction_errors(const ContactTractions& t) {
  const double limit = t.friction * t.normal_force;
  Pair by_segments{};
  double before = 0;
  for (const ContactTractions::Segment& segment : t.segments) {
    const double share = segment.radius / t.contact_radius, normal = t.normal_force * share * share * share;
    for (std::size_t k = 0; k < 2; ++k) { by_segments[k] += t.friction * segment.slope[k] * (normal - before); }
    before = normal;
  }
  const auto off = [&](const Pair& sum) {
    return over(length({sum[0] - t.tangential_force[0], sum[1] - t.tangential_force[1]}), limit);
  };
  return {over(std::abs(t.pressure_sum - t.normal_force), t.normal_force), off(t.traction_sum), off(by_segments)};
}

double traction_tolerance(Precision precision) { return precision == Precision::double_ ? 1e-7 : 1e-5; }

std::string no_load_history(LawKind law) {
  return "the law of this contact is " + law_name(law) +
         ", which keeps no load history; tractions follow from that of " +
         names_of_laws([](const LawNeeds& other) { return other.load_history; }) + " only";
}

std::vector<std::string> traction_facts(const ContactTractions& t, const std::string& contact, Precision precision) {
  const double limit = t.friction * t.normal_force;
  const TractionErrors off = traction_errors(t);
  std::vector<std::string> facts = {
      fact("contact", contact),
      fact("contact radius", short_number_text(t.contact_radius, 9) + " m"),
      fact("normal force", short_number_text(t.normal_force, 9) + " N by Hertz, without dashpots"),
      fact("tangential force", vector_text(t.tangential_force) + " N on body 1 by the law, " +
                                   short_number_text(over(length(t.tangential_force), limit), 6) +
                                   " of friction times normal force; without dashpots"),
      fact("pressure", "its integral over the circle is " + short_number_text(t.pressure_sum, 9) + " N, off by " +
                           short_number_text(off.pressure, 2)),
      fact("tractions", "their integral is " + vector_text(t.traction_sum) + " N, off by " +
                            short_number_text(off.tractions, 2) + " of friction times normal force"),
      fact("segments", count_text(t.segments.size()) + ", their sum is off by " + short_number_text(off.segments, 2)),
      fact("slip annulus", slip_text(t)),
      fact("normal", vector_text(t.normal) + " from body 1 to body 2"),
      fact("axis 1", vector_text(t.tangent[0])),
      fact("axis 2", vector_text(t.tangent[1]))};
  const double tolerance = traction_tolerance(precision);
  if (!(off.pressure <= tolerance && off.tractions <= tolerance && off.segments <= tolerance)) {
    facts.push_back("warning: integrals and sum are not the forces to " + number_text(tolerance) +
                    ", as they should be");
  }
  return facts;
}

std::string traction_table(const ContactTractions& t, const std::vector<std::string>& facts) {
  std::string text;
  for (const std::string& line : facts) { text += "# " + line + "\n"; }
  text += "r[m],pressure[Pa],traction_1[Pa],traction_2[Pa],mobilised[]\n";
  for (std::size_t k = 0; k < t.r.size(); ++k) {
    for (const double value : {t.r[k], t.pressure[k], t.traction[k][0], t.traction[k][1]}) {
      text += number_text(value) + ",";
    }
    text += number_text(mobilised(t, k)) + "\n";
    const bool finite = std::isfinite(t.r[k]) && std::isfinite(t.pressure[k]) && std::isfinite(length(t.traction[k])) &&
                        std::isfinite(mobilised(t, k));
    if (!finite) {
      throw KernelFault("the tractions at the distance " + number_text(t.r[k]) + " m from the axis are not finite", 0,
                        {});
    }
  }
  return text;
}

}  // namespace scree
