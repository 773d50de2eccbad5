#include "host/run/contact_warnings.hpp"

#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string moment(double step) { return " in step " + count_text(static_cast<std::uint64_t>(step) + 1); }

bool is_too_long(const WatchedStep& step) {
  return step.watch.least_critical > 0 && step.fixed_step > step.watch.least_critical;
}

bool passes(double bound, const ContactWatch& before, const ContactWatch& now) {
  return now.most_overlap > bound && !(before.most_overlap > bound);
}

std::string particle(double id) { return "particle " + std::to_string(static_cast<std::uint64_t>(id)); }

}  // namespace

std::string overlap_text(double overlap) { return short_number_text(100 * overlap, 2) + " %"; }

bool tells_of_overlap(const ContactWatch& before, const ContactWatch& now) {
  return passes(large_overlap, before, now) || passes(far_too_large, before, now);
}

std::vector<std::string> contact_warnings(const WatchedStep& last, const WatchedStep& present,
                                          const std::string& partner, const std::string& stiffer) {
  const ContactWatch &before = last.watch, &now = present.watch;
  std::vector<std::string> texts;
  const std::string overlaps = "particles overlap by " + overlap_text(now.most_overlap) + " of the radius (" +
                               particle(now.most_overlap_particle) + (partner.empty() ? "" : " and " + partner) +
                               moment(now.most_overlap_step) + ")";
  const bool from_start = now.most_overlap_step == 0;  // no load has made it, and no material prevents it
  if (from_start && tells_of_overlap(before, now)) {
    texts.push_back(
        overlaps + ": they overlap so at the start" +
        (passes(far_too_large, before, now) ? ", and results of contacts that stay so deep cannot be trusted" : ""));
  } else if (passes(far_too_large, before, now)) {
    texts.push_back(overlaps +
                    ": the material is far too soft for this load, and results of contacts that stay so deep cannot be "
                    "trusted; " +
                    (stiffer.empty() ? "raise young_modulus (or the stiffness)" : stiffer) +
                    ", or lower speeds and loads");
  } else if (passes(large_overlap, before, now)) {
    texts.push_back(overlaps + ": the material is soft for this load, and contacts are too large; " +
                    (stiffer.empty() ? "a larger young_modulus (or stiffness) helps" : stiffer));
  }
  if (is_too_long(present) && !is_too_long(last)) {
    const double step = rounded_down(0.8 * now.least_critical);
    texts.push_back("the time step " + short_number_text(present.fixed_step, 3) + " s is " +
                    short_number_text(present.fixed_step / now.least_critical, 3) +
                    " of the critical step of the contacts, " + short_number_text(now.least_critical, 3) + " s of " +
                    particle(now.least_critical_particle) + moment(now.least_critical_step) +
                    "; the run may be unstable: give \"time\": {\"step\": " + short_number_text(step, 3) +
                    "} or {\"adaptive\": true}");
  }
  return texts;
}

}  // namespace scree
