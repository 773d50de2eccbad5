#include "host/output/finite.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

template <std::size_t n>
bool finite(const std::array<double, n>& vector) {
  return std::all_of(vector.begin(), vector.end(), [](double x) { return std::isfinite(x); });
}

/// The cell under which the cell number `index` of a row stands; names with commas are quoted.
std::string_view cell_of(std::string_view header, std::size_t index) {
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= header.size(); ++at) {
    if (at < header.size() && header[at] == '"') { quoted = !quoted; }
    if (at < header.size() && (quoted || header[at] != ',')) { continue; }
    if (index-- == 0) { return header.substr(begin, at - begin); }
    begin = at + 1;
  }
  return "a column without a name";
}

template <class R>
bool all_finite(const StateArray& array) {
  for (std::size_t k = 0; k + sizeof(R) <= array.bytes.size(); k += sizeof(R)) {
    R value = 0;
    std::memcpy(&value, array.bytes.data() + k, sizeof(R));
    if (!std::isfinite(value)) { return false; }
  }
  return true;
}

[[noreturn]] void refuse_number(std::string_view text, std::string_view heading, std::uint64_t step) {
  throw KernelFault(std::string(heading).append(" is ").append(text).append(", not a finite number"), step, {});
}

}  // namespace

void expect_finite(const Snapshot& particles) {
  const auto expect = [&](const auto& values, const char* what) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (finite(values[i])) { continue; }
      throw KernelFault(
          std::string("the ") + what + " of particle " + std::to_string(particles.id[i]) + " is not finite",
          particles.step, {particles.id[i]});
    }
  };
  expect(particles.position, "position");
  expect(particles.velocity, "velocity");
  expect(particles.angular_velocity, "angular velocity");
  expect(particles.force, "contact force");
  expect(particles.fluctuation, "fluctuating velocity");
  for (const SnapshotClump& clump : particles.clumps) {
    if (finite(clump.position) && finite(clump.velocity) && finite(clump.angular_velocity) &&
        finite(clump.orientation)) {
      continue;
    }
    throw KernelFault("the motion of clump " + std::to_string(clump.id) + " is not finite", particles.step,
                      {clump.first});
  }
}

void expect_finite(double value, const std::string& heading, std::uint64_t step) {
  if (!std::isfinite(value)) { refuse_number(number_text(value), heading, step); }
}

void expect_finite_row(const std::string& row, const std::string& header, std::uint64_t step) {
  std::string_view rest = row;
  for (std::size_t index = 0;; ++index) {
    const auto comma = rest.find(',');
    std::string_view cell = rest.substr(0, comma);
    if (cell.starts_with('-')) { cell.remove_prefix(1); }
    if (cell.starts_with("nan") || cell.starts_with("inf")) {
      refuse_number(rest.substr(0, comma), cell_of(header, index), step);
    }
    if (comma == std::string_view::npos) { return; }
    rest.remove_prefix(comma + 1);
  }
}

void expect_finite(const CellState& cell, std::uint64_t step) {
  const auto& [a, b, c] = cell.edges;
  const double volume = geometry::dot(a, geometry::cross(b, c));
  if (!(std::fabs(volume) > 0) || !std::isfinite(volume)) {
    throw KernelFault("the periodic cell has a volume of " + short_number_text(volume) + " m3; it deforms too fast",
                      step, {});
  }
}

void expect_finite(const EngineState& state, std::uint64_t step) {
  for (const StateArray& array : state.arrays) {
    const bool fine = array.type == ValueType::float32   ? all_finite<float>(array)
                      : array.type == ValueType::float64 ? all_finite<double>(array)
                                                         : true;
    if (!fine) {
      throw KernelFault("the array " + array.name + " of the state has a number that is not finite", step, {});
    }
  }
}

}  // namespace scree
