// Reads a case file, makes an engine from it, advances it, and prints the number of contacts and the state hash, which
// is the one that `scree run CASE --steps N` prints. Files of frames and series are the business of scree::Simulation.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: run_a_case CASE STEPS\n");
    return 2;
  }
  try {
    const scree::Case input = scree::read_case(argv[1]);
    scree::SceneReport report;
    const scree::Scene scene = scree::build_scene(input, report);
    for (const std::string& warning : report.warnings) { std::fprintf(stderr, "warning: %s\n", warning.c_str()); }
    const auto engine = scree::make_engine(scene, {});
    for (const std::string& note : scree::continue_contacts(report, input, scene, *engine)) {
      std::fprintf(stderr, "%s\n", note.c_str());
    }
    engine->advance(std::strtoull(argv[2], nullptr, 10));
    std::printf("step %.3g s: %s\n", scene.time_step, report.time_step_reason.c_str());
    std::printf("contacts %llu\n", static_cast<unsigned long long>(engine->counts().contacts));
    std::printf("state hash %s\n", engine->hash().text().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
