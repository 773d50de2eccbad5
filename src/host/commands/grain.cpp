#include "host/commands/grain.hpp"

#include <ostream>
#include <string>

#include "host/grains/grain_file.hpp"
#include "host/output/result_file.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string three_text(const Real3& values) {
  return short_number_text(values[0], 6) + " " + short_number_text(values[1], 6) + " " +
         short_number_text(values[2], 6);
}

/// "out.h5" becomes "out_7.h5" for the label 7.
std::filesystem::path file_of_label(const std::filesystem::path& file, std::uint32_t label) {
  return file.parent_path() / (file.stem().string() + "_" + std::to_string(label) + file.extension().string());
}

}  // namespace

void print_grain(const grains::GrainTemplate& grain, std::ostream& terminal) {
  const auto& [shape, report] = grain;
  const double h = shape.spacing;
  terminal << report.source << "\n";
  for (const auto& warning : report.warnings) terminal << "  warning: " << warning << "\n";
  terminal << "  grain    volume " << short_number_text(shape.volume, 6) << " m3, principal moments over density "
           << three_text(shape.inertia) << " m5, " << report.mass_method << "\n"
           << "           centre of mass " << three_text(shape.center) << " m, equivalent radius "
           << short_number_text(shape.equivalent_radius, 6) << " m, bounding radius "
           << short_number_text(shape.bounding_radius, 6) << " m\n"
           << "  grid     " << shape.size[0] << " x " << shape.size[1] << " x " << shape.size[2] << " points, spacing "
           << number_text(h) << " m, " << bytes_text(grains::memory_of(shape)) << " with the nodes\n"
           << "  nodes    " << count_text(shape.node.size()) << ", " << short_number_text(report.node_distance / h, 3)
           << " spacings apart, areas sum to " << short_number_text(report.node_area, 6) << " m2";
  if (report.area) terminal << ", " << difference_text(report.node_area, *report.area) << " against the surface";
  terminal << "\n  errors   phi at the nodes " << short_number_text(report.surface_rms / h, 3)
           << " spacings (root mean square), at most " << short_number_text(report.surface_max / h, 3)
           << "\n           on the grid volume " << difference_text(report.grid_volume, shape.volume)
           << ", principal moments";
  for (std::size_t k = 0; k < 3; ++k) {
    terminal << (k == 0 ? " " : ", ") << difference_text(report.grid_inertia[k], shape.inertia[k]);
  }
  terminal << "\n  hash     " << shape.hash << "\n";
  print_modes(shape, terminal);
}

void print_modes(const GrainShape& shape, std::ostream& terminal) {
  const GrainModes& modes = shape.modes;
  if (modes.count == 0) return;
  terminal << "  modes    " << modes.count << ": " << modes.source << "; Poisson's ratio "
           << number_text(modes.poisson_ratio) << ", " << bytes_text(modes.field.size() * sizeof modes.field[0])
           << " on the grid\n";
  if (!modes.table.empty()) terminal << "           table of the force: " << modes.table.size() << " knots\n";
  if (!modes.terms.empty()) terminal << "           terms of the energy: " << modes.terms.size() << "\n";
  terminal << "           mass over density and volume, stiffness over Young's modulus and radius, largest amplitude "
              "over radius\n";
  for (std::size_t k = 0; k < modes.count; ++k) {
    const std::size_t diagonal = k * (modes.count + 1);
    terminal << "           " << k << ": " << short_number_text(modes.mass[diagonal] / shape.volume) << ", "
             << short_number_text(modes.stiffness[diagonal] / shape.equivalent_radius) << ", "
             << (modes.largest[k] > 0 ? short_number_text(modes.largest[k] / shape.equivalent_radius) : "not known")
             << "\n";
  }
}

int run_grain(const GrainArguments& arguments, std::ostream& terminal) {
  expect_no_input(arguments.out, {arguments.source.name});
  const auto take = [&](const grains::MadeGrain& made) {
    print_grain(made.grain, terminal);
    if (made.was_kept) terminal << "  taken from the cache\n";
    if (arguments.out.empty()) return;
    const bool is_one_of_many = made.label && !arguments.source.label;
    const auto file = is_one_of_many ? file_of_label(arguments.out, *made.label) : arguments.out;
    grains::write_grain(made.grain, file);
    terminal << "  wrote " << file.string() << ", " << bytes_text(std::filesystem::file_size(file)) << "\n";
  };
  const auto left_out = [&](const std::string& why) { terminal << "left out: " << why << "\n"; };
  const auto cache = arguments.use_cache ? grains::cache_folder() : std::nullopt;
  grains::make_grains(arguments.source, arguments.choice, cache, take, left_out);
  return exit_done;
}

}  // namespace scree
