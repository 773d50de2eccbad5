#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/run/inlet.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// The inlets of a run. They are called every `interval` steps, right after such a step is reached and before any
/// output of it. New particles follow from the case and from the places of the present particles: the size of particle
/// number k of an inlet has its own random stream, and so have the places tried in one step. So an InletState is all
/// that a continued run needs.
class Inlets {
 public:
  static constexpr std::uint64_t interval = 100;  ///< [steps]

  /// References must outlive it. Throws CaseError for regions that build_scene would refuse.
  Inlets(const Case& input, const Scene& scene);

  [[nodiscard]] bool any() const { return !inlets_.empty(); }
  /// The next step after `step` in which an inlet may insert particles; the largest number if none will.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step, std::optional<double> time = {}) const;
  /// Inserts the particles that are due and find room. Returns messages for the user. Calls `fed` with the index in
  /// Case::particles after each inlet.
  std::vector<std::string> feed(Engine& engine, const std::function<void(std::uint64_t)>& fed = {});

  /// Changes the inlet of this entry from `time` [s] on. `time` is the present time or, in a resumed run, the time at
  /// which the stage began. Particles that were due before stay due. Changes must be made in the order of their times.
  void change(std::size_t entry, const StagedInlet& change, double time);

  /// Changes a group, whose fixed components decide the velocities of new particles.
  void change_group(std::size_t index, const GroupChange& change);

  [[nodiscard]] std::vector<InletState> states() const;
  void restore(const std::vector<InletState>& states);
  /// The amount that each inlet has inserted, and the amount [particles or kg] that was due until a time, for the log.
  [[nodiscard]] std::vector<InletReport> report(double time) const;

 private:
  const Scene& scene_;
  std::vector<SceneGroup> groups_;  ///< as they are at present
  std::vector<std::unique_ptr<OneInlet>> inlets_;
};

}  // namespace scree
