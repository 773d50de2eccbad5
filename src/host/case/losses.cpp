#include "host/case/losses.hpp"

#include "host/case/frame_fields.hpp"

namespace scree {

std::vector<std::string> uses_of_losses(const Case& input) {
  std::vector<std::string> paths = paths_of_frame_fields(input, FieldNeeds::losses);
  if (!input.output.series) { return paths; }
  for (const auto& [name, probe] : input.output.series->probes) {
    if (std::holds_alternative<DissipationProbe>(probe.kind)) { paths.push_back("output.series.probes." + name); }
  }
  return paths;
}

}  // namespace scree
