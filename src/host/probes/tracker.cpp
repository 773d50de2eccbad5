#include <string>
#include <utility>

#include "host/probes/region_probe.hpp"

namespace scree {
namespace {

using probe::axes;
using probe::unknown;

class Tracker final : public Probe {
 public:
  explicit Tracker(std::vector<std::uint64_t> particles) : particles_(std::move(particles)) {}
  [[nodiscard]] std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const std::uint64_t id : particles_) {
      const std::pair<const char*, const char*> fields[] = {{"position", "[m]"}, {"velocity", "[m/s]"}, {"force", "[N]"}};
      for (const auto& [field, unit] : fields) {
        for (const char* axis : axes) names.push_back(std::to_string(id) + "_" + field + "_" + axis + unit);
      }
    }
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    for (const std::uint64_t id : particles_) {
      const std::uint32_t i = id < view.index.size() ? view.index[id] : ProbeView::none;
      for (const auto* field : {&view.now.position, &view.now.velocity, &view.now.force}) {
        for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(i == ProbeView::none ? unknown : (*field)[i][axis]);
      }
    }
  }

 private:
  std::vector<std::uint64_t> particles_;
};

}  // namespace

std::unique_ptr<Probe> make_tracker(std::vector<std::uint64_t> particles) { return std::make_unique<Tracker>(std::move(particles)); }

}  // namespace scree
