#include "host/app/command_options.hpp"

namespace scree {

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

namespace {

/// Adds the options for the lengths of grains that formulas describe.
void add_grain_lengths(CLI::App& command, grains::GrainSource& source) {
  const auto length = number_between(1e-50, 1e30);
  const auto add = [&](const char* name, std::optional<double>& value, const char* text) {
    command.add_option(name, value, text)->check(length)->type_name("X");
  };
  add("--radius", source.radius, "radius of a sphere, capsule or cylinder [m]");
  add("--half-length", source.half_length, "distance from the centre of a capsule to the centre of an end [m]");
  add("--half-height", source.half_height, "half of the height of a cylinder [m]");
  add("--major-radius", source.major_radius, "radius of the circle in the middle of a torus [m]");
  add("--minor-radius", source.minor_radius, "radius of the tube of a torus [m]");
  command.add_option("--half-edges", source.half_edges, "half of the edges of a box [m]")
      ->check(length)
      ->type_name("X Y Z");
  command.add_option("--half-axes", source.half_axes, "half axes of a superellipsoid [m]")
      ->check(length)
      ->type_name("X Y Z");
  command
      .add_option("--exponents", source.exponents,
                  "exponents of a superellipsoid: 1 1 for an ellipsoid, smaller ones for a box-like shape")
      ->check(length)
      ->type_name("E1 E2");
}

}  // namespace

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
  command.add_option("--spacing", grain.choice.spacing, "distance of the points of the grid [m]")
      ->required()
      ->check(number_between(1e-50, 1e30))
      ->type_name("H");
  add_grain_lengths(command, grain.source);
  command.add_option("--scale", grain.source.scale, "factor from the units of a file to metres (default: 1)")
      ->check(number_between(1e-30, 1e30))
      ->type_name("X");
  command
      .add_option("--label", grain.source.label,
                  "make only the grain of an image with this label (default: all grains)")
      ->check(whole_number(1, most_ids))
      ->type_name("N");
  command
      .add_option("--node-spacing", grain.choice.node_spacing,
                  "distance of the nodes on flat faces, in spacings of the grid (default: 0.9)")
      ->check(number_between(grains::least_node_spacing, grains::most_node_spacing))
      ->type_name("X");
  command.add_option("--out", grain.out, "HDF5 file; with all labels of an image the label is put before its ending")
      ->type_name("FILE");
  const auto leave_cache = [&grain](std::int64_t) { grain.use_cache = false; };
  command.add_flag_function("--no-cache", leave_cache, "neither take the template from the cache nor keep it there");
  command.callback([&] { chosen = [&] { return run_grain(arguments.grain, out); }; });
}

namespace {

/// The options of `scree modes` that say where modes come from.
struct ModeSources {
  CLI::Option *vibration, *planes, *point, *from;
};

ModeSources add_mode_sources(CLI::App& command, modes::ModesChoice& choice) {
  auto* vibration =
      command.add_option("--vibration", choice.vibrations, "the N lowest free vibrations, in whole groups");
  vibration->check(whole_number(1, most_modes))->type_name("N");
  auto* planes = command.add_option("--planes", choice.planes,
                                    "load cases: pairs of planes press along these axes at once; xyz are six planes");
  planes->check(word_among({"x", "y", "z", "xy", "xz", "yz", "xyz"}))->type_name("AXES")->excludes(vibration);
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
  return {vibration, planes, point, from};
}

/// Adds the options of the file of --from.
void add_mode_file_options(CLI::App& command, modes::ModesChoice& choice, const ModeSources& sources) {
  command
      .add_option("--scale", choice.given.scale, "factor from the lengths of the file of --from to metres (default: 1)")
      ->check(number_between(1e-30, 1e30))
      ->type_name("X")
      ->needs(sources.from);
  const auto set_frame = [&choice](const std::string& frame) { choice.given.in_body_frame = frame == "body"; };
  command
      .add_option_function<std::string>("--frame", set_frame,
                                        "frame of the file of --from: source (the frame of the source of the template, "
                                        "default) or body (the frame of its principal axes)")
      ->check(word_among({"source", "body"}))
      ->type_name("FRAME")
      ->needs(sources.from);
}

/// Adds the options of the loads of --planes and --point.
void add_load_options(CLI::App& command, modes::ModesChoice& choice, const ModeSources& sources) {
  command.add_option("--levels", choice.levels, "number of load levels of each load case of planes (default: 8)")
      ->check(whole_number(1, 100))
      ->type_name("N")
      ->needs(sources.planes);
  command
      .add_option("--largest", choice.largest, "indentation of the loads over the equivalent radius (default: 0.15)")
      ->check(number_between(1e-4, 0.5))
      ->type_name("X")
      ->excludes(sources.vibration)
      ->excludes(sources.from);
  command.add_option("--keep", choice.keep, "modes of the loads that are kept (default: all, at most 8)")
      ->check(whole_number(1, most_modes))
      ->type_name("N")
      ->excludes(sources.vibration)
      ->excludes(sources.from);
  command.add_flag("--quartic", choice.quartic, "fit quartic terms of the energy of several modes")
      ->excludes(sources.vibration)
      ->excludes(sources.from);
}

}  // namespace

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
  const ModeSources sources = add_mode_sources(command, choice);
  add_mode_file_options(command, choice, sources);
  add_load_options(command, choice, sources);
  command.add_option("--out", arguments.modes.out, "HDF5 file: the template with its modes")->type_name("FILE");
  command.callback([&] { chosen = [&] { return run_modes(arguments.modes, out); }; });
}

}  // namespace scree
