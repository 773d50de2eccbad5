#include "host/case/losses.hpp"

namespace scree {

std::vector<std::string> uses_of_losses(const Case& input) {
  std::vector<std::string> paths;
  if (input.output.frames) {
    const auto& fields = input.output.frames->fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] == "dissipated_energy") { paths.push_back("output.frames.fields." + std::to_string(i)); }
    }
  }
  if (!input.output.series) { return paths; }
  for (const auto& [name, probe] : input.output.series->probes) {
    if (std::holds_alternative<DissipationProbe>(probe.kind)) { paths.push_back("output.series.probes." + name); }
  }
  return paths;
}

}  // namespace scree
