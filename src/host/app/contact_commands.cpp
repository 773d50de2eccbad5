#include "host/app/command_options.hpp"

namespace scree {

void add_contact(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& contact = arguments.contact;
  auto& command = *app.add_subcommand("contact", "Drive one contact along a path and write its forces and energies");
  command.footer(
      "The path is a CSV file with the columns time [s], normal [m] (approach, positive in contact)\n"
      "and, where wanted, tangential1, tangential2 [m] and rx1, ry1, rz1, rx2, ry2, rz2 [rad].\n"
      "The first body rests at the origin, the normal is x at first. See docs/contact_test.md.");
  add_case_options(command, contact.case_file, contact.settings);
  command.add_option("--between", contact.between, "names of the materials of the two bodies")
      ->required()
      ->expected(2)
      ->type_name("A B");
  command.add_option("--path", contact.path, "path (CSV)")
      ->required()
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
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

}  // namespace scree
