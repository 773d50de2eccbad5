#include "host/commands/run.hpp"

#include <ostream>

#include "host/commands/python.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/run_log.hpp"
#include "host/run/case_run.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/interrupt.hpp"
#include "host/run/progress.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

RunSummary simulate(Simulation& simulation, ProgressDisplay& display, const ProgressFunction& show,
                    const std::filesystem::path& folder) {
  try {
    const RunSummary summary = simulation.run(show);
    display.finish();
    return summary;
  } catch (const KernelFault& fault) {
    display.finish();
    throw with_frame(fault, folder);
  } catch (...) {
    display.finish();
    throw;
  }
}

/// Runs to the end or to an interrupt, with progress and log. Returns the exit code.
int run_and_report(CaseRun& run, ProgressDisplay& display) {
  const auto show = [&](const RunProgress& progress) {
    run.expect_folder_still_there();
    display.show(progress);
  };
  const RunSummary summary = simulate(run.simulation(), display, show, run.folder());
  run.conclude(summary, signal_name(interrupt_signal()));
  return summary.interrupted ? exit_by_signal + interrupt_signal() : int{exit_done};
}

}  // namespace

int run_case(const RunArguments& arguments, std::ostream& terminal) {
  RunLog log(terminal, arguments.quiet);
  ProgressDisplay display(log, arguments.terminal_width);
  CaseRun run(read_case(arguments.case_file, arguments.settings),
              {.case_file = arguments.case_file,
               .folder = arguments.folder.empty() ? default_output_folder(arguments.case_file) : arguments.folder,
               .engine = arguments.engine,
               .steps = arguments.steps,
               .resume = arguments.resume,
               .overwrite = arguments.overwrite,
               .profile = arguments.profile,
               .stop = &interrupt_flag(),
               .when_ready = catch_interrupts,
               .before_warning = [&display] { display.finish(); }},
              log);
  try {
    if (arguments.watch) {
      if (const auto problem = start_watching(run.folder()); !problem.empty()) { log.line("warning: " + problem); }
    }
    return run_and_report(run, display);
  } catch (const std::exception& error) {
    run.note_failure(error);
    throw;
  }
}

}  // namespace scree
