#include "host/run/servo_text.hpp"

#include "host/text/text.hpp"

namespace scree {

std::vector<std::pair<std::string, std::string>> servo_lines(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SceneBoundary& wall : scene.boundaries) {
    if (!wall.servo) { continue; }
    lines.emplace_back("servo", wall.name +
                                    (wall.changes_radius() ? ": its radius falls" : ": moves towards the particles") +
                                    " by at most " + short_number_text(wall.servo->most_speed) +
                                    R"( m/s while it holds its goal, as "inertial_number" says)");
  }
  return lines;
}

}  // namespace scree
