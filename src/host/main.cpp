#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "host/commands/check.hpp"
#include "host/commands/doctor.hpp"
#include "host/commands/run.hpp"
#include "host/commands/schema.hpp"
#include "host/commands/version.hpp"
#include "host/exit_code.hpp"

namespace {

/// Characters per line of a live terminal; 0 when standard output is none.
std::size_t terminal_width() {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void add_case_options(CLI::App& command, std::filesystem::path& case_file, std::vector<std::string>& settings) {
  command.add_option("CASE", case_file, "case file (JSON)")->required();
  command.add_option("--set", settings, "replace a value of the case, as contacts.0.friction=0.3; may be repeated")
      ->type_name("PATH=VALUE")->expected(1)->take_all();
}

CLI::App& add_run(CLI::App& app, scree::RunArguments& arguments) {
  using scree::BackendChoice;
  static const std::map<std::string, BackendChoice> backends{
      {"auto", BackendChoice::automatic}, {"host", BackendChoice::host}, {"cuda", BackendChoice::cuda}};
  auto& run = *app.add_subcommand("run", "Run a case");
  add_case_options(run, arguments.case_file, arguments.settings);
  run.add_option("--out", arguments.folder, "output folder (default: out/<name of the case file>)")->type_name("DIR");
  run.add_option_function<std::string>("--backend", [&](const std::string& name) {
       arguments.engine.backend = backends.at(name);
     }, "where to run: auto (the GPU when there is one), host or cuda")
      ->check(CLI::IsMember({"auto", "host", "cuda"}))->type_name("NAME");
  run.add_option("--threads", arguments.engine.threads, "threads of the host backend (default: all cores)")
      ->check(CLI::PositiveNumber)->type_name("N");
  run.add_option("--steps", arguments.steps, "run N steps instead of the duration of the case")->type_name("N");
  run.add_flag("--quiet", arguments.quiet, "print errors only");
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("scree: discrete element engine for granular matter", "scree");
  app.footer("Exit codes: 0 done, 2 the input is wrong, 3 the run failed, 130 interrupted.");
  app.require_subcommand(1);
  scree::RunArguments run_arguments;
  run_arguments.terminal_width = terminal_width();
  std::filesystem::path case_file;
  std::vector<std::string> settings;
  std::filesystem::path doctor_folder = "out";

  const CLI::App& run = add_run(app, run_arguments);
  CLI::App& check = *app.add_subcommand("check", "Do everything short of running a case and say what was chosen");
  add_case_options(check, case_file, settings);
  // `scree bench` is added here: one subcommand with its options, and one line in the dispatch below.
  const CLI::App& schema = *app.add_subcommand("schema", "Print the JSON schema of case files");
  CLI::App& doctor = *app.add_subcommand("doctor", "Say what this executable and this machine can do");
  doctor.add_option("--out", doctor_folder, "folder whose disk is looked at (default: out)")->type_name("DIR");
  app.add_subcommand("version", "Print the version");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << "error: " << error.what() << "\nTry: scree --help\n";
    return scree::exit_bad_input;
  }
  const auto command = [&] {
    if (run) return scree::run_case(run_arguments, std::cout);
    if (check) return scree::run_check(case_file, settings, std::cout);
    if (schema) return scree::run_schema(std::cout);
    if (doctor) return scree::run_doctor(doctor_folder, std::cout);
    return scree::run_version(std::cout);
  };
  return scree::guarded(command, std::cerr);
}
