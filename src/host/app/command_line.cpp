#include "host/app/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <thread>

#include <CLI/CLI.hpp>

#include "host/app/exit_code.hpp"
#include "host/bench/bench_law.hpp"
#include "host/bench/deformable.hpp"
#include "host/commands/bench.hpp"
#include "host/commands/check.hpp"
#include "host/commands/clump.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/contact.hpp"
#include "host/commands/doctor.hpp"
#include "host/commands/grain.hpp"
#include "host/commands/info.hpp"
#include "host/commands/modes.hpp"
#include "host/commands/python.hpp"
#include "host/commands/run.hpp"
#include "host/commands/schema.hpp"
#include "host/commands/traction.hpp"
#include "host/commands/version.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"

namespace scree {
namespace {

/// Everything the commands may be given; each add_...() fills its part and says what to do.
struct Arguments {
  RunArguments run;
  BenchArguments bench;
  ContactArguments contact;
  ClumpArguments clump;
  GrainArguments grain;
  ModesArguments modes;
  TractionArguments traction;
  std::filesystem::path case_file;
  std::vector<std::string> settings;
  std::filesystem::path doctor_folder = "out";
  std::optional<int> doctor_device;
  std::filesystem::path first, second;  ///< of info and compare
};
using Command = std::function<int()>;

constexpr long long most_steps = 1'000'000'000'000'000, most_ids = std::numeric_limits<std::uint32_t>::max();

/// Checks for a whole number from `least` to `most`; the library would let "-1" wrap around.
CLI::Validator whole_number(long long least, long long most) {
  const auto check = [least, most](const std::string& text) {
    const bool digits = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
    const long long value = digits ? std::stoll(text) : -1;
    if (value >= least && value <= most) { return std::string(); }
    return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", got " + text;
  };
  return {check, "", ""};
}

/// More threads than these only wait for each other; the system may refuse to start them, which ends the program.
CLI::Validator thread_count() { return whole_number(1, std::max(256U, 4 * std::thread::hardware_concurrency())); }

/// Checks for a number from `least` to `most`.
CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto value = geometry::parse_number(text);
    if (value && *value >= least && *value <= most) { return std::string(); }
    return "must be a number from " + number_text(least) + " to " + number_text(most) + ", got " + text;
  };
  return {check, "", ""};
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) {
    std::string known;
    for (const auto& name : names) {
      if (name == text) { return std::string(); }
      known += (known.empty() ? "" : ", ") + name;
    }
    return "must be one of " + known + ", got " + text;
  };
  return {check, "", ""};
}

void add_case_options(CLI::App& command, std::filesystem::path& case_file, std::vector<std::string>& settings) {
  command.add_option("CASE", case_file, "case file (JSON)")->required()->type_name("");
  auto* set =
      command.add_option("--set", settings, "replace a value of the case, as contacts.0.friction=0.3; repeatable");
  set->type_name("PATH=VALUE")->expected(1)->take_all();
}

void add_device(CLI::App& command, std::optional<int>& device) {
  command.add_option("--device", device, "number of the GPU, as scree doctor lists them (default: 0)")
      ->check(whole_number(0, 1'000'000))
      ->type_name("N");
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
  backend->check(one_of({"auto", "host", "cuda"}))->type_name("NAME");
  auto* threads =
      command.add_option("--threads", run.engine.threads, "threads of the host backend (default: all cores)");
  threads->check(thread_count())->type_name("N");
  add_device(command, run.engine.device);
  command.add_flag("--resume", run.resume, "go on from the newest checkpoint in the output folder");
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
  auto& command = *app.add_subcommand("check", "Do everything short of running a case and say what was chosen");
  add_case_options(command, arguments.case_file, arguments.settings);
  command.callback([&] { chosen = [&] { return run_check(arguments.case_file, arguments.settings, out); }; });
}

void add_contact(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& contact = arguments.contact;
  auto& command = *app.add_subcommand("contact", "Drive one contact along a path and write what its law answers");
  command.footer(
      "The path is a CSV file with the columns time [s], normal [m] (approach, positive in contact)\n"
      "and, where wanted, tangential1, tangential2 [m] and rx1, ry1, rz1, rx2, ry2, rz2 [rad].\n"
      "The first body rests at the origin, the normal is x at first. See docs/contact_test.md.");
  add_case_options(command, contact.case_file, contact.settings);
  command.add_option("--between", contact.between, "names of the materials of the two bodies")
      ->required()
      ->expected(2)
      ->type_name("A B");
  command.add_option("--path", contact.path, "path (CSV)")->required()->check(CLI::ExistingFile)->type_name("FILE");
  command.add_option("--radii", contact.radii, "radii in metres (default: 0.01); with --wall that of the sphere")
      ->check(number_between(1e-15, 1e9))
      ->expected(1, 2)
      ->type_name("R1 R2");
  command.add_flag("--wall", contact.wall, "the first body is a plane");
  command.add_option("--out", contact.out, "CSV file (default: the terminal)")->type_name("FILE");
  command
      .add_option("--traction", contact.traction,
                  "CSV file for the tractions over the contact circle at the end (law jaeger)")
      ->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_contact(arguments.contact, out); }; });
}

void add_traction(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& traction = arguments.traction;
  auto& command =
      *app.add_subcommand("traction", "Write the tractions over the circle of one contact of the law jaeger");
  command.footer("Give --contact, or --boundary and --particle. See docs/contact_test.md.");
  command.add_option("RUN", traction.run, "output folder of a run with checkpoints, or a checkpoint")
      ->required()
      ->type_name("");
  auto* contact = command.add_option("--contact", traction.contact, "ids of the two particles");
  contact->check(whole_number(0, most_ids))->expected(2)->type_name("ID1 ID2");
  auto* boundary =
      command.add_option("--boundary", traction.boundary, "name of the boundary that the particle touches");
  auto* particle = command.add_option("--particle", traction.particle, "id of the particle");
  boundary->type_name("NAME")->needs(particle)->excludes(contact);
  particle->check(whole_number(0, most_ids))->type_name("ID")->needs(boundary)->excludes(contact);
  command.add_option("--points", traction.points, "rows, from the middle of the contact to its rim (default: 101)")
      ->check(whole_number(2, 1'000'000))
      ->type_name("N");
  command.add_option("--out", traction.out, "CSV file (default: the terminal)")->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_traction(arguments.traction, out); }; });
}

void add_bench(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& bench = arguments.bench;
  auto& command = *app.add_subcommand("bench", "Measure standard cases");
  command.footer(
      "settle: steps per second of a dense bed at rest, also law by law.\n"
      "clumps: the same of clumps of three spheres, and of as many single spheres.\n"
      "level_set: the same of level-set grains, and the work on their nodes.\n"
      "deformable: contacts of deformed level-set grains, by each way to find their level sets, beside rigid grains.\n"
      "budget: launches and copies per step and per search, which cost time on a GPU.\n"
      "roofline: speed and time per kernel beside what memory traffic and launches allow.\n"
      "readouts: what snapshots, hashes, contacts and rows of the series cost, in steps.\n"
      "ledger: the time of a step with and without the energy ledger, at rest and on a slope.\n"
      "neighbours: what a search for neighbours costs in dense assemblies of equal and of very unequal spheres, per\n"
      "particle and per stage, how that grows with their number, and its share in a dense flow. Scenes are made of "
      "whole\n"
      "tiles, so sizes are met as near as those allow.");
  command.add_option("CASE", bench.cases, "roofline, readouts or ledger (default: settle)")
      ->check(one_of(bench_names()))
      ->type_name("");
  command
      .add_option("--sizes", bench.sizes,
                  "numbers of particles (default: 10000 100000 1000000, of clumps 3000 300000, of grains 100 10000)")
      ->check(whole_number(1, most_ids))
      ->type_name("N");
  command.add_option("--ratios", bench.ratios, "neighbours: largest to smallest radius (default: 1 5 50)")
      ->check(number_between(1, 1e6))
      ->type_name("X");
  command
      .add_option("--distributions", bench.distributions,
                  "neighbours: power_law (equal volume in each octave of size), bidisperse or both (default)")
      ->check(one_of({"power_law", "bidisperse"}))
      ->type_name("NAME");
  command
      .add_option("--law", bench.laws,
                  "settle: contact laws by their words in case files, with \"+rolling\" behind for rolling resistance; "
                  "gives each a "
                  "line (default: hertz_mindlin)")
      ->check(one_of(bench_law_names()))
      ->type_name("NAME");
  command.add_option("--nodes", bench.nodes, "level_set: numbers of nodes of a grain (default: 400 1600)")
      ->check(whole_number(100, 100'000))
      ->type_name("N");
  command
      .add_option("--field-update", bench.field_updates,
                  "deformable: ways to find level sets, by their words in case files (default: all)")
      ->check(one_of(field_update_names()))
      ->type_name("NAME");
  command.add_option("--precision", bench.precisions, "mixed, double or both (default: both, for neighbours mixed)")
      ->check(one_of({"mixed", "double", "both"}))
      ->type_name("NAME");
  command.add_option("--threads", bench.threads, "thread counts (default: 1 and all cores, for neighbours all cores)")
      ->check(thread_count())
      ->type_name("N");
  command.add_option("--backend", bench.backend, "auto, host or cuda")
      ->check(one_of({"auto", "host", "cuda"}))
      ->type_name("NAME");
  add_device(command, bench.device);
  command.add_option("--repeats", bench.repeats, "measurements, of which the median counts")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  command
      .add_option("--write-bed", bench.write_bed,
                  "settle, shear: write the particles of the first size as a particle file (CSV)")
      ->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_bench(arguments.bench, out); }; });
}

void add_clump(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& clump = arguments.clump;
  auto& command = *app.add_subcommand("clump", "Fill a closed surface mesh with spheres and write a clump template");
  command.footer("See docs/clumps.md.");
  command.add_option("MESH", clump.mesh, "closed surface (STL, OBJ, PLY or VTK)")->required()->type_name("");
  command.add_option("--spheres", clump.spheres, "number of spheres, at most (default: 10)")
      ->check(whole_number(1, 100'000))
      ->type_name("N");
  command.add_option("--scale", clump.scale, "factor from the units of the file to metres (default: 1)")
      ->check(number_between(1e-30, 1e30))
      ->type_name("X");
  command.add_option("--resolution", clump.resolution, "points on the longest edge of the mesh (default: 48)")
      ->check(whole_number(4, 400))
      ->type_name("N");
  command.add_option("--out", clump.out, "CSV file (default: the terminal)")->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_clump(arguments.clump, out); }; });
}

/// Options of the formulas that grains are made of.
void add_grain_lengths(CLI::App& command, grains::GrainSource& source) {
  const auto length = number_between(1e-50, 1e30);
  const auto add = [&](const char* name, std::optional<double>& value, const char* text) {
    command.add_option(name, value, text)->check(length)->type_name("X");
  };
  add("--radius", source.radius, "of a sphere, capsule or cylinder [m]");
  add("--half-length", source.half_length, "of a capsule, between the centre and that of an end [m]");
  add("--half-height", source.half_height, "of a cylinder [m]");
  add("--major-radius", source.major_radius, "of a torus, of the circle in its middle [m]");
  add("--minor-radius", source.minor_radius, "of a torus, of its tube [m]");
  command.add_option("--half-edges", source.half_edges, "of a box [m]")->check(length)->type_name("X Y Z");
  command.add_option("--half-axes", source.half_axes, "of a superellipsoid [m]")->check(length)->type_name("X Y Z");
  command.add_option("--exponents", source.exponents, "of a superellipsoid: 1 1 for an ellipsoid, less for a box")
      ->check(length)
      ->type_name("E1 E2");
}

void add_grain(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& grain = arguments.grain;
  auto& command = *app.add_subcommand("grain", "Make the template of a level-set grain of any shape");
  command.footer("See docs/level_sets.md.");
  command
      .add_option(
          "SOURCE", grain.source.name,
          "sphere, box, capsule, cylinder, torus, superellipsoid, a closed mesh (STL, OBJ, PLY, VTK) or an image of "
          "labels (NRRD, JSON)")
      ->required()
      ->type_name("");
  command.add_option("--spacing", grain.choice.spacing, "of the grid [m]")
      ->required()
      ->check(number_between(1e-50, 1e30))
      ->type_name("H");
  add_grain_lengths(command, grain.source);
  command.add_option("--scale", grain.source.scale, "factor from the units of a file to metres (default: 1)")
      ->check(number_between(1e-30, 1e30))
      ->type_name("X");
  command.add_option("--label", grain.source.label, "of an image: only this grain (default: all)")
      ->check(whole_number(1, most_ids))
      ->type_name("N");
  command
      .add_option("--node-spacing", grain.choice.node_spacing,
                  "of the nodes on flat faces, in spacings of the grid (default: 0.9)")
      ->check(number_between(grains::least_node_spacing, grains::most_node_spacing))
      ->type_name("X");
  command.add_option("--out", grain.out, "HDF5 file; with all labels of an image the label is put before its ending")
      ->type_name("FILE");
  const auto leave_cache = [&grain](std::int64_t) { grain.use_cache = false; };
  command.add_flag_function("--no-cache", leave_cache, "neither take the template from the cache nor keep it there");
  command.callback([&] { chosen = [&] { return run_grain(arguments.grain, out); }; });
}

void add_modes(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  modes::ModesChoice& choice = arguments.modes.choice;
  auto& command = *app.add_subcommand("modes", "Give the template of a level-set grain modes of deformation");
  command.footer(
      "Give --vibration, or loads: --planes, --point or both, or --from. The file of --from has displacements at the\n"
      "points of a mesh (legacy VTK, .vtk, or HDF5) or of a regular grid (HDF5). See docs/deformable.md.");
  command.add_option("GRAIN", arguments.modes.grain, "template that scree grain wrote (HDF5)")
      ->required()
      ->type_name("");
  command.add_option("--poisson", choice.poisson_ratio, "Poisson's ratio of the material")
      ->required()
      ->check(number_between(0, 0.499))
      ->type_name("X");
  auto* vibration =
      command.add_option("--vibration", choice.vibrations, "the N lowest free vibrations, in whole groups");
  vibration->check(whole_number(1, most_modes))->type_name("N");
  auto* planes = command.add_option("--planes", choice.planes,
                                    "load cases: pairs of planes press along these axes at once; xyz are six planes");
  planes->check(one_of({"x", "y", "z", "xy", "xz", "yz", "xyz"}))->type_name("AXES")->excludes(vibration);
  const auto add_point = [&choice](const std::vector<double>& numbers) {
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3) {
      choice.points.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
    }
  };
  auto* point = command.add_option_function<std::vector<double>>(
      "--point", add_point,
      "load case: two opposite forces on the line through the centre with this direction; repeatable");
  point->expected(3)->take_all()->check(number_between(-1e30, 1e30))->type_name("X Y Z")->excludes(vibration);
  auto* from = command.add_option("--from", choice.given.file, "modes of this file: on a mesh or on a grid");
  from->type_name("FILE")->excludes(vibration)->excludes(planes)->excludes(point);
  command.add_option("--scale", choice.given.scale, "from lengths of that file to metres (default: 1)")
      ->check(number_between(1e-30, 1e30))
      ->type_name("X")
      ->needs(from);
  const auto set_frame = [&choice](const std::string& frame) { choice.given.in_body_frame = frame == "body"; };
  command
      .add_option_function<std::string>("--frame", set_frame,
                                        "frame of that file: of the source of the template (default), or of its body")
      ->check(one_of({"source", "body"}))
      ->type_name("FRAME")
      ->needs(from);
  command.add_option("--levels", choice.levels, "of each load case of planes (default: 8)")
      ->check(whole_number(1, 100))
      ->type_name("N")
      ->needs(planes);
  command
      .add_option("--largest", choice.largest, "indentation of the loads over the equivalent radius (default: 0.15)")
      ->check(number_between(1e-4, 0.5))
      ->type_name("X")
      ->excludes(vibration)
      ->excludes(from);
  command.add_option("--keep", choice.keep, "modes of the loads that are kept (default: all, at most 8)")
      ->check(whole_number(1, most_modes))
      ->type_name("N")
      ->excludes(vibration)
      ->excludes(from);
  command.add_flag("--quartic", choice.quartic, "fit quartic terms of the energy of several modes")
      ->excludes(vibration)
      ->excludes(from);
  command.add_option("--out", arguments.modes.out, "HDF5 file: the template with its modes")->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_modes(arguments.modes, out); }; });
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
  auto& doctor = *app.add_subcommand("doctor", "Say what this executable and this machine can do");
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

/// What was printed has arrived, or the exit code says that it has not.
int with_output_written(int code, std::ostream& out, std::ostream& errors) {
  errno = 0;
  out.flush();
  if (out) { return code; }
  const std::string reason = errno == 0 ? "it is closed or full" : std::generic_category().message(errno);
  errors << "error: standard output cannot be written: " << reason << std::endl;
  return code == exit_done ? int{exit_run_failed} : code;
}

/// What is wrong with the first word, where it is neither an option nor a command; the library would only miss a
/// command.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word.front() == '-') { return std::nullopt; }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) { names.push_back(command->get_name()); }
  if (std::find(names.begin(), names.end(), word) != names.end()) { return std::nullopt; }
  return "there is no command \"" + word + "\"; " + suggestion(word, names);
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
  if (const auto wrong = unknown_command(app, argc, argv)) {
    errors << "error: " << printable(*wrong) << "\nTry: scree --help\n";
    return exit_bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help, shown, errors);
    return with_output_written(exit_done, shown, errors);
  } catch (const CLI::ParseError& error) {
    errors << "error: " << printable(error.what()) << "\nTry: scree --help\n";
    return exit_bad_input;
  }
  const int code = guarded(chosen, errors);
  // A run goes on without a terminal: its files matter.
  return app.got_subcommand("run") ? code : with_output_written(code, shown, errors);
}

}  // namespace scree
