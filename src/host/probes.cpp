#include "host/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

#include "host/clump_members.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/region.hpp"
#include "host/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;
using Matrix = std::array<Real3, 3>;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 3> axes{"x", "y", "z"};

void add_dyad(Matrix& m, double weight, const Real3& a, const Real3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m[i][j] += weight * a[i] * b[j];
  }
}

void append_all(std::vector<double>& values, const Matrix& m, double factor) {
  for (const Real3& row : m) {
    for (const double component : row) values.push_back(factor * component);
  }
}

void append_symmetric(std::vector<double>& values, const Matrix& m, double factor) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) values.push_back(factor * m[i][j]);
  }
}

std::vector<std::string> tensor_names(const std::string& name, const std::string& unit, bool symmetric) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = symmetric ? i : 0; j < 3; ++j) names.push_back(name + "_" + axes[i] + axes[j] + unit);
  }
  return names;
}

std::optional<Matrix> inverse(const Matrix& m) {
  const Matrix cofactor{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  const double determinant = dot(m[0], cofactor[0]);
  const double scale = length(m[0]) * length(m[1]) * length(m[2]);
  if (!(std::fabs(determinant) > 1e-12 * scale)) return std::nullopt;
  Matrix result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = cofactor[j][i] / determinant;
  }
  return result;
}

template <class T>
StateArray array_of(const std::string& name, const char* unit, ValueType type, const std::vector<T>& values) {
  StateArray array{name, unit, type, 1, std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

template <class T>
bool take(const std::vector<StateArray>& arrays, const std::string& name, std::vector<T>& values) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const StateArray& array) { return array.name == name; });
  if (found == arrays.end() || found->row_bytes() != sizeof(T)) return false;
  values.resize(found->rows());
  if (!values.empty()) std::memcpy(values.data(), found->bytes.data(), found->bytes.size());
  return true;
}

/// A probe that looks at the particles whose centres lie in a region.
class RegionProbe : public Probe {
 public:
  explicit RegionProbe(std::unique_ptr<packing::FillRegion> region) : region_(std::move(region)) {}

 protected:
  [[nodiscard]] bool inside(const Real3& point) const { return region_ == nullptr || region_->holds(point, 0); }
  [[nodiscard]] double volume() const { return region_->volume(); }
  [[nodiscard]] std::vector<std::uint32_t> particles_inside(const ProbeView& view) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < view.position.size(); ++i) {
      if (inside(view.position[i])) found.push_back(i);
    }
    return found;
  }

  /// Sum over the contacts of the particles inside of force on the particle x arm from its centre to the contact [N m].
  [[nodiscard]] Matrix force_moments(const ProbeView& view) const {
    Matrix sum{};
    const auto add = [&](std::uint32_t id, const Real3& point, const Real3& force, double sign) {
      const std::uint32_t i = view.index[id];
      if (i == ProbeView::none || !inside(view.position[i])) return;
      add_dyad(sum, sign, force, subtract(point, view.position[i]));
    };
    for (const TouchingContact& contact : view.contacts) {
      if (!contact.with_boundary) add(contact.first, contact.point, contact.force, -1);
      add(contact.second, contact.point, contact.force, 1);
    }
    return sum;
  }

 private:
  std::unique_ptr<packing::FillRegion> region_;
};

class StressMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override {
    auto names = tensor_names("contact", "[Pa]", false);
    for (auto& name : tensor_names("kinetic", "[Pa]", true)) names.push_back(std::move(name));
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    append_all(values, force_moments(view), 1 / volume());
    const auto all = particles_inside(view);
    double mass = 0;
    Real3 momentum{};
    for (const std::uint32_t i : all) {
      mass += view.mass[i];
      momentum = along(momentum, view.mass[i], view.now.velocity[i]);
    }
    const Real3 mean = mass > 0 ? scaled(momentum, 1 / mass) : Real3{};
    Matrix sum{};
    for (const std::uint32_t i : all) {
      const Real3 v = subtract(view.now.velocity[i], mean);
      add_dyad(sum, view.mass[i], v, v);
    }
    append_symmetric(values, sum, -1 / volume());
  }
};

class FabricMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override {
    auto names = tensor_names("fabric", "", true);
    names.insert(names.begin(), "contacts");
    return names;
  }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    Matrix sum{};
    double count = 0;
    for (const TouchingContact& contact : view.contacts) {
      if (!inside(contact.point)) continue;
      add_dyad(sum, 1, contact.normal, contact.normal);
      ++count;
    }
    values.push_back(count);
    append_symmetric(values, sum, count > 0 ? 1 / count : unknown);
  }
};

class CoordinationMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"mean", "mechanical", "rattlers"}; }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    std::vector<std::uint32_t> contacts(view.position.size());
    const auto count = [&](std::uint32_t id) {
      if (view.index[id] != ProbeView::none) ++contacts[view.index[id]];
    };
    for (const TouchingContact& contact : view.contacts) {
      if (!contact.with_boundary) count(contact.first);
      count(contact.second);
    }
    double sum = 0, single = 0, loose = 0, n = 0;
    for (const std::uint32_t i : particles_inside(view)) {
      sum += contacts[i];
      n += 1;
      single += contacts[i] == 1 ? 1 : 0;
      loose += contacts[i] <= 1 ? 1 : 0;
    }
    values.push_back(n > 0 ? sum / n : unknown);
    values.push_back(n > loose ? (sum - single) / (n - loose) : unknown);
    values.push_back(loose);
  }
};

class PorosityMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"particles", "solid_fraction", "porosity"}; }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    double solid = 0;
    const auto all = particles_inside(view);
    for (const std::uint32_t i : all) {
      const double r = view.now.radius[i];
      solid += 4.0 / 3.0 * std::numbers::pi * (r * r * r);
    }
    values.push_back(static_cast<double>(all.size()));
    values.push_back(solid / volume());
    values.push_back(1 - solid / volume());
  }
};

/// I = rate d sqrt(density / pressure).
class InertialMeter final : public RegionProbe {
 public:
  using RegionProbe::RegionProbe;
  [[nodiscard]] std::vector<std::string> columns() const override { return {"inertial_number", "shear_rate[1/s]", "pressure[Pa]"}; }
  void measure(const ProbeView& view, std::vector<double>& values) override {
    const Matrix moments = force_moments(view);
    const double pressure = -(moments[0][0] + moments[1][1] + moments[2][2]) / (3 * volume());
    const auto all = particles_inside(view);
    double mass = 0, solid = 0, diameter = 0;
    Real3 middle{}, momentum{};
    for (const std::uint32_t i : all) {
      const double r = view.now.radius[i], m = view.mass[i];
      mass += m;
      solid += 4.0 / 3.0 * std::numbers::pi * (r * r * r);
      diameter += 2 * r;
      middle = along(middle, m, view.position[i]);
      momentum = along(momentum, m, view.now.velocity[i]);
    }
    const double rate = all.size() < 4 ? unknown : shear_rate(view, all, scaled(middle, 1 / mass), scaled(momentum, 1 / mass));
    const double count = static_cast<double>(all.size());
    values.push_back(pressure > 0 ? rate * (diameter / count) * std::sqrt(mass / solid / pressure) : unknown);
    values.push_back(rate);
    values.push_back(pressure);
  }

 private:
  /// sqrt(2 D:D) of the deviator of the velocity gradient that fits the particles best.
  static double shear_rate(const ProbeView& view, const std::vector<std::uint32_t>& all, const Real3& middle, const Real3& drift) {
    Matrix spread{}, flux{};
    for (const std::uint32_t i : all) {
      const Real3 x = subtract(view.position[i], middle);
      add_dyad(spread, view.mass[i], x, x);
      add_dyad(flux, view.mass[i], subtract(view.now.velocity[i], drift), x);
    }
    const auto inverted = inverse(spread);
    if (!inverted) return unknown;
    Matrix gradient{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) gradient[i][j] += flux[i][k] * (*inverted)[k][j];
      }
    }
    const double dilation = (gradient[0][0] + gradient[1][1] + gradient[2][2]) / 3;
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double d = 0.5 * (gradient[i][j] + gradient[j][i]) - (i == j ? dilation : 0);
        square += d * d;
      }
    }
    return std::sqrt(2 * square);
  }
};

/// Net number and mass that went through a plane, in the direction of its normal, since the start.
class FlowMeter final : public Probe {
 public:
  explicit FlowMeter(const FlowPlane& plane) : point_(plane.point), normal_(unit(plane.normal)) {}
  [[nodiscard]] std::vector<std::string> columns() const override { return {"count", "mass[kg]"}; }

  void measure(const ProbeView& view, std::vector<double>& values) override {
    std::vector<std::int8_t> side(view.index.size(), 0);
    for (std::size_t i = 0; i < view.now.position.size(); ++i) {
      const std::int8_t here = height(view.now.position[i]) > 0 ? 1 : -1;
      side[view.now.id[i]] = here;
    }
    for (std::uint32_t id = 0; id < side.size(); ++id) {
      const int before = id < side_.size() ? side_[id] : 0;
      if (before == 0) continue;  // was not there
      const std::uint32_t i = view.index[id];
      // A particle that was removed on its way is taken to have gone on as it last moved.
      const bool beyond = last_height_[id] + (view.now.time - last_time_) * last_speed_[id] > 0;
      const int now = side[id] != 0 ? side[id] : (beyond ? 1 : -1);
      if (now == before) continue;
      const double sign = now > before ? 1 : -1;
      count_ += sign;
      mass_ += sign * (i != ProbeView::none ? view.mass[i] : last_mass_[id]);
    }
    remember(view, std::move(side));
    values.push_back(count_);
    values.push_back(mass_);
  }

  void save(const std::string& prefix, std::vector<StateArray>& arrays) const override {
    arrays.push_back(array_of(prefix + "count_mass_time", "1, kg, s", ValueType::float64, std::vector<double>{count_, mass_, last_time_}));
    arrays.push_back(array_of(prefix + "side", "1", ValueType::uint8, side_));
    arrays.push_back(array_of(prefix + "height", "m", ValueType::float64, last_height_));
    arrays.push_back(array_of(prefix + "speed", "m/s", ValueType::float64, last_speed_));
    arrays.push_back(array_of(prefix + "particle_mass", "kg", ValueType::float64, last_mass_));
  }
  void restore(const std::string& prefix, const std::vector<StateArray>& arrays) override {
    std::vector<double> sums;
    if (!take(arrays, prefix + "count_mass_time", sums)) return;
    const bool all = take(arrays, prefix + "side", side_) && take(arrays, prefix + "height", last_height_) &&
                     take(arrays, prefix + "speed", last_speed_) && take(arrays, prefix + "particle_mass", last_mass_);
    const std::size_t n = side_.size();
    if (!all || sums.size() != 3 || last_height_.size() != n || last_speed_.size() != n || last_mass_.size() != n) {
      throw StateError("the state of the probe " + prefix + " is not complete");
    }
    count_ = sums[0];
    mass_ = sums[1];
    last_time_ = sums[2];
  }

 private:
  [[nodiscard]] double height(const Real3& x) const { return dot(subtract(x, point_), normal_); }
  void remember(const ProbeView& view, std::vector<std::int8_t> side) {
    side_ = std::move(side);
    last_height_.resize(side_.size());
    last_speed_.resize(side_.size());
    last_mass_.resize(side_.size());
    for (std::size_t i = 0; i < view.now.position.size(); ++i) {
      const std::uint32_t id = view.now.id[i];
      last_height_[id] = height(view.now.position[i]);
      last_speed_[id] = dot(view.now.velocity[i], normal_);
      last_mass_[id] = view.mass[i];
    }
    last_time_ = view.now.time;
  }

  Real3 point_, normal_;
  std::vector<std::int8_t> side_;  ///< by id: 1 beyond the plane, -1 before it, 0 not there
  std::vector<double> last_height_, last_speed_, last_mass_;
  double last_time_ = 0, count_ = 0, mass_ = 0;
};

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

std::unique_ptr<Probe> make_probe(const ProbeKind& kind, const Scene& scene, const std::filesystem::path& folder) {
  std::vector<std::string> warnings;
  const auto region = [&](const Region& described) {
    try {
      return packing::make_region(described, folder, warnings);
    } catch (const CaseError& error) {
      throw CaseError("region." + error.problems().front().path, error.problems().front().message);
    }
  };
  if (const auto* flow = std::get_if<FlowProbe>(&kind)) return std::make_unique<FlowMeter>(flow->plane);
  if (const auto* stress = std::get_if<StressProbe>(&kind)) return std::make_unique<StressMeter>(region(stress->region));
  if (const auto* fabric = std::get_if<FabricProbe>(&kind)) return std::make_unique<FabricMeter>(region(fabric->region));
  if (const auto* porosity = std::get_if<PorosityProbe>(&kind)) return std::make_unique<PorosityMeter>(region(porosity->region));
  if (const auto* inertial = std::get_if<InertialProbe>(&kind)) return std::make_unique<InertialMeter>(region(inertial->region));
  if (const auto* contacts = std::get_if<CoordinationProbe>(&kind)) {
    return std::make_unique<CoordinationMeter>(contacts->region ? region(*contacts->region) : nullptr);
  }
  const auto& track = std::get<TrackProbe>(kind);
  for (std::size_t k = 0; k < track.particles.size(); ++k) {
    if (track.particles[k] >= scene.particles.size() && scene.inlets.empty()) {
      throw CaseError("particles." + std::to_string(k), "must be the id of a particle, below " +
                                                            std::to_string(scene.particles.size()) + ", got " +
                                                            std::to_string(track.particles[k]));
    }
  }
  return std::make_unique<Tracker>(track.particles);
}

}  // namespace

Probes::Probes(const SeriesOutput& output, const Scene& scene, const std::filesystem::path& folder) {
  std::vector<InputProblem> problems;
  for (const auto& [name, probe] : output.probes) {
    try {
      probes_.emplace_back(name, make_probe(probe.kind, scene, folder));
    } catch (const CaseError& error) {
      const InputProblem& problem = error.problems().front();
      problems.push_back({"output.series.probes." + name + "." + problem.path, problem.message});
    }
  }
  if (!problems.empty()) throw CaseError(std::move(problems));
}

std::vector<std::string> Probes::columns() const {
  std::vector<std::string> names;
  for (const auto& [name, probe] : probes_) {
    for (const auto& column : probe->columns()) names.push_back(name + "_" + column);
  }
  return names;
}

std::vector<StateArray> Probes::save() const {
  std::vector<StateArray> arrays;
  for (const auto& [name, probe] : probes_) probe->save("probes/" + name + "/", arrays);
  return arrays;
}

void Probes::restore(const std::vector<StateArray>& arrays) {
  for (const auto& [name, probe] : probes_) probe->restore("probes/" + name + "/", arrays);
}

std::vector<double> Probes::measure(Engine& engine, const Scene& scene) {
  const Snapshot now = clumps_as_particles(engine.snapshot({.force = true}), scene);
  const std::vector<TouchingContact> contacts = engine.touching_contacts();
  ProbeView view{scene, now, now.position, contacts, {}, {}};
  const double dt = scene.precision == Precision::double_ ? now.last_step : double(static_cast<float>(now.last_step));
  std::uint32_t last = 0;
  for (const std::uint32_t id : now.id) last = std::max(last, id);
  view.index.assign(std::max<std::size_t>(scene.particles.size(), std::size_t(last) + 1), ProbeView::none);
  for (std::uint32_t i = 0; i < now.id.size(); ++i) {
    if (engine.step() > 0) view.position[i] = along(now.position[i], -dt, now.velocity[i]);
    const double r = now.radius[i];
    view.mass.push_back(scene.materials[now.material[i]].density * (4.0 / 3.0 * std::numbers::pi) * (r * r * r));
    view.index[now.id[i]] = i;
  }
  for (const SnapshotClump& clump : now.clumps) {
    if (view.index.size() < std::size_t(clump.first) + clump.members) view.index.resize(std::size_t(clump.first) + clump.members, ProbeView::none);
    for (std::uint32_t k = 1; k < clump.members; ++k) view.index[clump.first + k] = view.index[clump.first];
  }
  std::vector<double> values;
  for (const auto& [name, probe] : probes_) probe->measure(view, values);
  return values;
}

}  // namespace scree
