#include "host/checkpoint/restore_run.hpp"

#include "host/breakage/saved_totals.hpp"
#include "host/case/parcels.hpp"
#include "host/checkpoint/check_state.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/files_hash.hpp"
#include "host/checkpoint/inlet_arrays.hpp"
#include "host/checkpoint/membrane_arrays.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

Case case_of(const Checkpoint& checkpoint, const std::string& file) {
  try {
    return parse_case(checkpoint.case_text, "/");
  } catch (const CaseError& error) { throw CaseError(file, std::string("its case cannot be read: ") + error.what()); }
}

}  // namespace

SimulationState restore_checked(Engine& engine, const Case& input, const Scene& scene, Checkpoint& checkpoint) {
  SimulationState beside{take_inlets(checkpoint.state),
                         take_group(checkpoint.state, "stages/"),
                         {.probes = take_group(checkpoint.state, "probes/"),
                          .fields = take_group(checkpoint.state, "fields/"),
                          .left = take_group(checkpoint.state, "left/"),
                          .bonds = take_group(checkpoint.state, "broken_bonds/")}};
  take_membranes(checkpoint.state, scene.membranes);
  expect_possible_inlets(as_parcels(input), scene, beside.inlets, checkpoint.state, checkpoint.time,
                         scene.breakage ? breakage::saved_totals(beside.stages).fragments : 0);
  const EngineState start = engine.save();
  engine.restore(checkpoint.state);
  expect_possible_particles(scene, start, checkpoint.state);
  if (engine.step() != checkpoint.step || engine.time() != checkpoint.time ||
      engine.hash().text() != checkpoint.state_hash) {
    throw StateError("its state does not have the step, time and hash in its attributes");
  }
  return beside;
}

RestoredRun restore_run(const std::filesystem::path& path) {
  RestoredRun run;
  std::string name = path.string();
  try {
    run.file = newest_checkpoint(path);
    name = run.file.string();
    Checkpoint checkpoint = read_checkpoint(run.file);
    if (checkpoint.version != SCREE_VERSION) {
      run.warnings.push_back(name + " was written by scree " + checkpoint.version);
    }
    run.input = case_of(checkpoint, name);
    SceneReport report;
    run.scene = build_scene(run.input, report);
    if (const auto changed = changed_files(checkpoint, "its run", run.input, run.scene)) {
      throw CaseError(name, *changed);
    }
    run.engine = make_engine(run.scene, {BackendChoice::host, 0});
    static_cast<void>(restore_checked(*run.engine, run.input, run.scene, checkpoint));
  } catch (const StateError& error) {
    const std::string text = error.what();
    throw CaseError(name, text.starts_with(name + ": ") ? text.substr(name.size() + 2) : text);
  }
  return run;
}

}  // namespace scree
