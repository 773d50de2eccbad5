#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "host/output/run_log.hpp"
#include "host/run/case_run.hpp"

namespace scree::python {

namespace nb = nanobind;

/// Number of materials of the case. Level-set grains have materials of their own, behind these and with their names.
[[nodiscard]] inline std::uint32_t n_case_materials(const Scene& scene) {
  return scene.case_material(static_cast<std::uint32_t>(scene.materials.size()) - 1) + 1;
}

/// What further steps depend on: the state of the engine and of the simulation.
struct SavedState {
  std::uint64_t step = 0;
  EngineState engine;
  SimulationState simulation;
};

/// A run as Python sees it. All calls hold the interpreter's lock but advance(), which releases it while the engine
/// works. Arrays of the engine's own memory are lent: while there are any, the run does not go on.
class Run {
 public:
  Run(const std::string& text, const std::string& folder, const std::vector<std::string>& settings,
      const std::string& name, const std::string& out, const std::string& backend, int threads,
      std::optional<int> device, std::optional<std::uint64_t> steps, bool resume, bool overwrite);

  /// Runs to the step `target` at most. `progress` is None or called with the progress several times a second; signals
  /// are looked at as often, so that Ctrl-C raises KeyboardInterrupt. The run can go on afterwards.
  void advance(std::uint64_t target, const nb::object& progress);
  /// Ends advance() soon, between two steps; from any thread.
  void request_stop() { stop_ = true; }
  void begin();
  void finish(const std::string& why);
  [[nodiscard]] std::string write_checkpoint();
  /// What was said since the last call.
  [[nodiscard]] std::string take_messages();

  [[nodiscard]] SavedState save();
  void restore(const SavedState& state);

  /// The columns of the bodies in the engine's memory, as descriptions.
  [[nodiscard]] BodyColumns bodies() { return engine().bodies(); }
  /// A column as an array of NumPy without a copy (on the host), or an object with __dlpack__ (on a GPU).
  [[nodiscard]] static nb::object lend(nb::handle self, const std::string& name);
  [[nodiscard]] std::size_t lent() const { return *lent_; }
  /// Throws ContractError while arrays are lent.
  void expect_not_lent() const;

  [[nodiscard]] CaseRun& run() { return run_; }
  /// Throws ContractError after a state that did not fit, and while another thread runs the simulation.
  [[nodiscard]] Engine& engine();
  [[nodiscard]] Engine& changed() {  ///< for calls that move bodies in memory, or change them
    expect_not_lent();
    return engine();
  }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  template <class Part>
  void guard(const Part& part);

  std::ostringstream said_;
  RunLog log_;
  CaseRun run_;
  bool begun_ = false, closed_ = false;
  std::atomic<bool> stop_ = false;
  bool running_ = false;  ///< the engine works, without the interpreter's lock
  bool broken_ = false;   ///< a state did not fit, and the engine is of no use any more
  std::shared_ptr<std::size_t> lent_ = std::make_shared<std::size_t>(0);
};

/// The methods that read a run.
void bind_readouts(nb::class_<Run>& type);
/// The methods that steer a run.
void bind_steering(nb::class_<Run>& type);

}  // namespace scree::python
