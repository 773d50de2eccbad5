#include "host/modes/make_modes.hpp"

#include <cmath>
#include <numbers>

#include "host/modes/mode_fields.hpp"
#include "host/modes/vibration.hpp"
#include "host/text/text.hpp"

namespace scree::modes {
namespace {

MadeModes of_vibrations(const GrainShape& shape, const ElasticBody& body, const ModesChoice& choice,
                        const Progress& progress) {
  const Vibrations found = find_vibrations(body, *choice.vibrations, most_modes, shape.name, progress);
  MadeModes made;
  made.modes = modes_of_template(shape, body, found.mode, choice.poisson_ratio);
  const std::string count = std::to_string(made.modes.count);
  made.modes.source = count + " lowest free vibrations";
  if (made.modes.count > found.asked) {
    made.report.push_back(count + " modes are kept, " + std::to_string(found.asked) +
                          " were asked for: a group of equal frequencies is kept whole, since parts of it would prefer "
                          "some directions");
  }
  std::string line = "angular frequencies times sqrt(density / Young's modulus) times the equivalent radius:";
  for (const double value : found.eigenvalue) {
    line += " " + short_number_text(std::sqrt(value) * shape.equivalent_radius / shape.spacing, 4);
  }
  made.report.push_back(line + "; the next one " +
                        short_number_text(std::sqrt(found.next) * shape.equivalent_radius / shape.spacing, 4));
  return made;
}

}  // namespace

MadeModes make_modes(const GrainShape& shape, const ModesChoice& choice, const Progress& progress) {
  progress("finite elements");
  const ElasticBody body(shape, choice.poisson_ratio);
  MadeModes made = of_vibrations(shape, body, choice, progress);
  made.report.insert(made.report.begin(), count_text(body.cells().corner.size()) + " cells, " +
                                              count_text(static_cast<std::uint64_t>(body.unknowns())) +
                                              " unknowns, factored by " + solver_name());
  return made;
}

}  // namespace scree::modes
