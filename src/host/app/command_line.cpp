#include "host/app/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>

#include "host/app/command_options.hpp"
#include "host/app/unknown_words.hpp"
#include "host/commands/check.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/doctor.hpp"
#include "host/commands/info.hpp"
#include "host/commands/python.hpp"
#include "host/commands/schema.hpp"
#include "host/commands/version.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Adds the option --threads. OMP_NUM_THREADS is not its default: machines often set that variable for all programs,
/// while the best number of threads depends on the case.
void add_threads(CLI::App& command, int& threads) {
  auto* option = command.add_option("--threads", threads,
                                    "threads of the host backend (default: all cores, fewer for few particles)");
  option->check(thread_count())->type_name("N");
}

void add_run(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  static const std::map<std::string, BackendChoice> backends{
      {"auto", BackendChoice::automatic}, {"host", BackendChoice::host}, {"cuda", BackendChoice::cuda}};
  auto& run = arguments.run;
  auto& command = *app.add_subcommand("run", "Run a case");
  add_case_options(command, run.case_file, run.settings);
  command.add_option("--out", run.folder, "output folder (default: out/<name of the case file>)")->type_name("DIR");
  const auto choose = [&run](const std::string& name) { run.engine.backend = backends.at(name); };
  auto* backend = command.add_option_function<std::string>(
      "--backend", choose, "auto, host or cuda (default: auto, the GPU when there is one)");
  backend->check(word_among({"auto", "host", "cuda"}))->type_name("NAME");
  add_threads(command, run.engine.threads);
  add_device(command, run.engine.device);
  auto* resume = command.add_flag("--resume", run.resume, "go on from the newest checkpoint in the output folder");
  command.add_flag("--overwrite", run.overwrite, "begin anew although an interrupted run is in the output folder")
      ->excludes(resume);
  auto* steps = command.add_option("--steps", run.steps, "end after step N instead of the duration of the case");
  steps->check(whole_number(0, most_steps))->type_name("N");
  command.add_flag("--quiet", run.quiet, "print errors only");
  command.add_flag("--profile", run.profile, "show the time per stage at the end (a GPU waits after each launch)");
  command.add_flag("--watch", run.watch, "show the run on a local page while it goes on (Python)");
  command.footer(
      "At its end a run shows particles, flows, energies, overlaps, the time step and its speed.\n"
      "run.log has more. See docs/output.md.");
  command.callback([&] { chosen = [&] { return run_case(arguments.run, out); }; });
}

void add_check(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& command = *app.add_subcommand("check", "Check a case without running it, and say what a run would do");
  add_case_options(command, arguments.case_file, arguments.settings);
  add_threads(command, arguments.run.engine.threads);
  command.callback([&] {
    chosen = [&] { return run_check(arguments.case_file, arguments.settings, out, arguments.run.engine.threads); };
  });
}

void add_small_commands(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& info = *app.add_subcommand("info", "Say what is in a checkpoint, a frame or a template of a grain");
  info.add_option("FILE", arguments.first, "file of an output folder, or a template")->required()->type_name("");
  info.callback([&] { chosen = [&] { return run_info(arguments.first, out); }; });
  auto& compare = *app.add_subcommand("compare", "Find the first step, array and particle in which two runs differ");
  compare.add_option("A", arguments.first, "output folder, checkpoint or frame")->required()->type_name("");
  compare.add_option("B", arguments.second, "the other one")->required()->type_name("");
  compare.callback([&] { chosen = [&] { return run_compare(arguments.first, arguments.second, out); }; });
  app.add_subcommand("schema", "Print the JSON schema of case files")->callback([&] {
    chosen = [&] { return run_schema(out); };
  });
  auto& doctor = *app.add_subcommand("doctor", "Say what the program and this machine can do");
  doctor.add_option("--out", arguments.doctor_folder, "folder whose disk is looked at (default: out)")
      ->type_name("DIR");
  add_device(doctor, arguments.doctor_device);
  doctor.callback([&] { chosen = [&] { return run_doctor(arguments.doctor_folder, arguments.doctor_device, out); }; });
  app.add_subcommand("version", "Print the version")->callback([&] { chosen = [&] { return run_version(out); }; });
}

/// Lists the commands of the Python package in --help.
void add_python_commands(CLI::App& app) {
  for (const auto& [name, text] : python_commands()) { app.add_subcommand(name, text); }
}

bool is_python_command(const std::string& word) {
  const auto commands = python_commands();
  return std::any_of(commands.begin(), commands.end(),
                     [&](const PythonCommand& command) { return command.name == word; });
}

/// Flushes `out`. If that fails, prints an error, and returns exit_run_failed in place of exit_done.
int with_output_written(int code, std::ostream& out, std::ostream& errors) {
  errno = 0;
  out.flush();
  if (out) { return code; }
  const std::string reason = errno == 0 ? "it is closed or full" : std::generic_category().message(errno);
  errors << "error: standard output cannot be written: " << reason << std::endl;
  return code == exit_done ? int{exit_run_failed} : code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& errors,
                     std::size_t terminal_width) {
  if (argc > 1 && is_python_command(argv[1])) {  // the package reads the arguments of its commands
    return become_python({argv + 1, argv + argc}, errors);
  }
  CLI::App app("scree: discrete element engine for granular matter", "scree");
  app.footer("Exit codes: 0 done, 2 the input is wrong, 3 the run failed, 128 + n stopped by signal n (130: Ctrl-C).");
  app.require_subcommand(1);
  app.set_version_flag("-V,--version", version_text(), "Print the version and exit");
  Arguments arguments;
  arguments.run.terminal_width = terminal_width;
  Command chosen;
  PrintableStream shown(out);
  add_run(app, arguments, out, chosen);
  add_check(app, arguments, shown, chosen);
  add_bench(app, arguments, shown, chosen);
  add_contact(app, arguments, shown, chosen);
  add_clump(app, arguments, shown, chosen);
  add_grain(app, arguments, shown, chosen);
  add_modes(app, arguments, shown, chosen);
  add_traction(app, arguments, shown, chosen);
  add_small_commands(app, arguments, shown, chosen);
  add_python_commands(app);
  if (argc < 2) {
    shown << app.help();
    return with_output_written(exit_bad_input, shown, errors);
  }
  if (const auto wrong = unknown_word(app, argc, argv)) {
    errors << "error: " << printable(wrong->problem) << "\nTry: " << wrong->help << '\n';
    return exit_bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help, shown, errors);
    return with_output_written(exit_done, shown, errors);
  } catch (const CLI::ParseError& error) {
    const CLI::App* called = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
    errors << "error: " << printable(error.what()) << "\nTry: scree "
           << (called == &app ? "" : called->get_name() + " ") << "--help\n";
    return exit_bad_input;
  }
  const int code = guarded(chosen, errors);
  // A run succeeds even if its terminal is closed, because its results are files.
  return app.got_subcommand("run") ? code : with_output_written(code, shown, errors);
}

}  // namespace scree
