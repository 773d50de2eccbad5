#include "host/case/films.hpp"

#include <algorithm>

#include "host/case/frame_fields.hpp"

namespace scree {
namespace {

bool from_films(const ContactRule& rule) { return rule.liquid && rule.liquid->from_films; }

}  // namespace

bool uses_films(const Case& input) { return std::any_of(input.contacts.begin(), input.contacts.end(), from_films); }

void check_films(const Case& input, Problems& problems) {
  if (uses_films(input)) {
    const bool any = std::any_of(input.particles.begin(), input.particles.end(), [](const ParticleGroup& entry) {
      return entry.film.has_value() || entry.file.has_value();  // a file may have a column
    });
    if (any || input.start) { return; }
    for (std::size_t i = 0; i < input.contacts.size(); ++i) {
      if (!from_films(input.contacts[i])) { continue; }
      problems.add("contacts." + std::to_string(i) + ".liquid.from_films",
                   "finds no liquid: no entry of \"particles\" has a \"film\"");
    }
    return;
  }
  const auto needless = [&](bool given, const std::string& path) {
    if (given) { problems.add(path, "has no effect unless a rule of contacts has \"liquid\" with \"from_films\""); }
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    needless(input.particles[i].film.has_value(), "particles." + std::to_string(i) + ".film");
  }
  for (const auto& path : paths_of_frame_fields(input, FieldNeeds::films)) { needless(true, path); }
}

}  // namespace scree
