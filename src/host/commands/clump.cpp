#include "host/commands/clump.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "host/clumps/clump.hpp"
#include "host/clumps/clump_file.hpp"
#include "host/clumps/fit_mesh.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/output/result_file.hpp"
#include "host/text/text.hpp"

namespace scree {

constexpr double poor_volume = 0.5;  // [-] spheres with less than this share of the volume of a mesh are a poor model

int run_clump(const ClumpArguments& arguments, std::ostream& terminal) {
  expect_no_input(arguments.out, {arguments.mesh});
  std::vector<std::string> warnings;
  const std::string name = arguments.mesh.string();
  const TriangleMesh mesh = geometry::read_mesh(arguments.mesh, {.scale = arguments.scale}, warnings);
  for (const auto& warning : warnings) terminal << "warning: " << warning << "\n";
  const auto spheres = clumps::fit_spheres(mesh, {arguments.spheres, arguments.resolution}, name);
  const auto solid = clumps::mesh_moments(mesh);
  const auto shape = clumps::principal_frame(solid);
  const auto body = clumps::make_clump(spheres);

  const std::string title =
      counted(spheres.size(), "sphere", "spheres") + " inside " + arguments.mesh.filename().string();
  const std::string volume = "volume " + difference_text(body.volume, solid.volume);
  std::string inertia = "principal moments";
  for (std::size_t k = 0; k < 3; ++k) {
    inertia += (k == 0 ? " " : ", ") + difference_text(body.inertia[k], shape.inertia[k]);
  }
  const double shift = geometry::length(geometry::subtract(body.center, shape.center)) / body.equivalent_radius;

  terminal << title;
  if (spheres.size() < arguments.spheres) terminal << " (more would cover nothing at this resolution)";
  terminal << "\nmesh: volume " << short_number_text(solid.volume, 6) << " m3, principal moments over density "
           << short_number_text(shape.inertia[0], 6) << " " << short_number_text(shape.inertia[1], 6) << " "
           << short_number_text(shape.inertia[2], 6) << " m5\nclump against mesh: " << volume << ", " << inertia
           << ", centre of mass off by " << short_number_text(shift, 3) << " equivalent radii\n"
           << "clump: volume and inertia " << clumps::describe_method(body.method, body.error) << "\n";
  if (const std::string doubt = clumps::doubt_about_mass(body.error); !doubt.empty()) {
    terminal << "warning: " << doubt << "\n";
  }
  if (body.volume < poor_volume * solid.volume) {
    terminal << "warning: the spheres fill only " << short_number_text(100 * body.volume / solid.volume, 2)
             << " % of the mesh, which is thin or has many corners: give more --spheres, or use a level-set grain "
                "(scree grain)\n";
  }
  const std::string text = clumps::clump_text(spheres, title + ": " + volume + ", " + inertia);
  if (arguments.out.empty()) {
    terminal << text;
  } else {
    write_result(arguments.out, text, terminal);
    terminal << "wrote " << arguments.out.string() << "\n";
  }
  return 0;
}

}  // namespace scree
