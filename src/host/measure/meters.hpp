#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/measure/probes.hpp"
#include "host/packing/region.hpp"

/// The kinds of probes; what they measure stands in docs/output.md.
namespace scree {

using ProbeRegion = std::unique_ptr<packing::FillRegion>;

[[nodiscard]] std::unique_ptr<Probe> make_stress_meter(ProbeRegion region);
[[nodiscard]] std::unique_ptr<Probe> make_fabric_meter(ProbeRegion region);
[[nodiscard]] std::unique_ptr<Probe> make_coordination_meter(ProbeRegion region);  ///< null: everywhere
[[nodiscard]] std::unique_ptr<Probe> make_porosity_meter(ProbeRegion region);
[[nodiscard]] std::unique_ptr<Probe> make_inertial_meter(ProbeRegion region);
[[nodiscard]] std::unique_ptr<Probe> make_flow_meter(const FlowPlane& plane);
[[nodiscard]] std::unique_ptr<Probe> make_tracker(std::vector<std::uint64_t> particles);

}  // namespace scree
