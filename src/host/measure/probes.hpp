#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/measure/measured_state.hpp"
#include "host/measure/probe_mean.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/engine_state.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The data of a probe: the particles, and the contacts at the moment of the last forces, in ascending order of ids.
struct ProbeView {
  const Scene& scene;
  const Snapshot& now;                           ///< with forces, if a probe needs them
  std::vector<Real3> position;                   ///< [m] of now, where the forces acted
  const std::vector<TouchingContact>& contacts;  ///< if a probe needs them
  std::vector<double> mass;                      ///< [kg]
  /// [n_ids] index in `now` of the particle with an id; `none` if it was removed. A clump is one particle, and each of
  /// its members has its index
  std::vector<std::uint32_t> index;
  /// [n_contacts] indices in `now` of the two particles; none for a boundary, and for particles that are not there
  std::vector<std::array<std::uint32_t, 2>> ends;
  static constexpr std::uint32_t none = 0xffffffffu;
  std::optional<CellState> cell = {};                   ///< the periodic cell, if there is one; positions lie in it
  std::optional<geometry::CellFrame> frame = {};        ///< at the moment of the last forces
  const std::vector<std::uint8_t>* chosen = nullptr;    ///< [n_particles] 1: the probe sees it; null: it sees all
  std::vector<double> age{};                            ///< [s] of particles since they came in; empty: not asked for
  Real3 gravity = scene.gravity;                        ///< [m/s2] the present one
  std::span<const BoundaryLoad> loads{};                ///< [n_boundaries] if a probe needs them
  bool contacts_known = true, boundaries_known = true;  ///< see MeasuredState

  /// [m] The shortest image of a way from one point to another.
  [[nodiscard]] Real3 shortest(const Real3& way) const { return frame ? frame->shortest(way) : way; }
  /// Whether the group of a particle fixes its centre. Throws ContractError if no probe needs to know.
  [[nodiscard]] bool is_held(std::uint32_t i) const {
    SCREE_EXPECT(now.held.size() == now.id.size(), "a probe needs to know which particles are held");
    return now.held[i] != 0;
  }
  [[nodiscard]] bool sees(std::uint32_t i) const { return chosen == nullptr || (*chosen)[i] != 0; }
  /// Whether it sees one of the two particles of a contact.
  [[nodiscard]] bool sees_contact(std::size_t c) const {
    if (chosen == nullptr) return true;
    return std::any_of(ends[c].begin(), ends[c].end(), [&](std::uint32_t i) { return i != none && sees(i); });
  }
};

/// "ROOM/NAME/", where checkpoints keep what is known by a name. Users choose the name: what would mean something in
/// the path of an array becomes %XX.
[[nodiscard]] std::string state_group(const std::string& room, const std::string& name);

/// What probes see of a state; `particles` has a clump in place of its members. Refers to all three.
[[nodiscard]] ProbeView view_of(const MeasuredState& state, const Snapshot& particles, const Scene& scene);

/// One named entry of output.series.probes.
class Probe {
 public:
  virtual ~Probe() = default;
  [[nodiscard]] virtual MeasureNeeds needs() const { return {.forces = false, .contacts = true}; }
  /// names with units, without the probe's own
  [[nodiscard]] virtual std::vector<std::string> columns() const = 0;
  /// Appends the values of all columns. Changes nothing that note() remembers, because the last row of an interrupted
  /// run is measured without a call of note().
  virtual void measure(const ProbeView& view, std::vector<double>& values) = 0;
  /// After measure(), for a sample or a row: remembers what it saw. `ends_window`: the next samples belong to another
  /// row. A resumed run notes the state of its checkpoint once more.
  virtual void note(const ProbeView& /*view*/, bool /*ends_window*/) {}
  /// Whether it counts events between one look and the next. If such a probe is sampled, rows have its counts and not
  /// means.
  [[nodiscard]] virtual bool counts() const { return false; }
  /// What it remembers from row to row, for checkpoints; names begin with `prefix`.
  virtual void save(const std::string& /*prefix*/, std::vector<StateArray>& /*arrays*/) const {}
  /// Returns false if nothing was saved although the probe remembers something; the probe then begins anew. Throws
  /// StateError.
  virtual bool restore(const std::string& /*prefix*/, const std::vector<StateArray>& /*arrays*/) { return true; }
};

class Selection;

/// A column of a series that a probe makes.
struct ProbeColumn {
  std::string probe;  ///< name of the probe
  std::string name;   ///< of the column, which begins with that of the probe
  std::string unit;   ///< may be empty

  /// Name and unit as in the header: "push_stress_xx[Pa]".
  [[nodiscard]] std::string heading() const { return unit.empty() ? name : name + "[" + unit + "]"; }
};

/// All probes of a series.
class Probes {
 public:
  /// Mesh regions are looked for relative to `folder`. Throws CaseError with the path in the case file.
  Probes(const SeriesOutput& output, const Scene& scene, const std::filesystem::path& folder);
  ~Probes();
  Probes(Probes&&) noexcept;

  [[nodiscard]] bool empty() const { return probes_.empty(); }
  /// Whether one of them counts events between one look and the next.
  [[nodiscard]] bool count() const;
  [[nodiscard]] std::vector<ProbeColumn> columns_of_probes() const;
  /// Their headings: the names with their units.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// What any of the probes needs.
  [[nodiscard]] MeasureNeeds needs() const;
  /// Values for all columns. Of probes that are sampled these are means over the samples since the last call;
  /// `ends_window`: a sample of this state belongs to them, and the next one begins new means.
  [[nodiscard]] std::vector<double> measure(const MeasuredState& state, const Scene& scene, bool ends_window = true);

  /// The probes that are sampled: the number of each in the case, and its interval [s].
  [[nodiscard]] std::vector<std::pair<std::size_t, double>> sampled() const;
  /// Whether a probe has a sample of this step.
  [[nodiscard]] bool has_sample_of(std::size_t probe, std::uint64_t step) const;
  /// What these probes need.
  [[nodiscard]] MeasureNeeds needs(const std::vector<std::size_t>& probes) const;
  /// Takes samples of these probes.
  void sample(const MeasuredState& state, const Scene& scene, const std::vector<std::size_t>& probes);
  /// Drops the samples taken so far: they count in no mean.
  void forget_samples();
  [[nodiscard]] std::vector<StateArray> save() const;
  /// Returns the names of probes that begin anew, since nothing was saved of them, or of others under their names.
  /// Throws StateError.
  std::vector<std::string> restore(const std::vector<StateArray>& arrays);

 private:
  struct Entry {
    std::string name;
    std::unique_ptr<Probe> probe;
    std::unique_ptr<Selection> sees;  ///< null: all particles
    std::optional<ProbeMean> mean;    ///< of a probe that is sampled, and does not count
    double sample_every = 0;          ///< [s] 0: it is not sampled
    std::string about{};              ///< everything that decides what it remembers
  };
  template <class Choice>
  [[nodiscard]] MeasureNeeds needs_of(const Choice& chosen) const;
  enum class Look { once_more, sample, row };
  static std::vector<double> values_of(Entry& entry, ProbeView& view, Look look);

  std::vector<Entry> probes_;
};

}  // namespace scree
