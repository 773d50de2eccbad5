#include "host/commands/contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "host/case/check/problems.hpp"
#include "host/case/laws.hpp"
#include "host/case/parcels.hpp"
#include "host/commands/traction_table.hpp"
#include "host/output/finite.hpp"
#include "host/output/result_file.hpp"
#include "host/scene/build_scene/representable.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/text/csv.hpp"
#include "host/text/text.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

std::uint32_t material_called(const Case& input, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, material] : input.materials) names.push_back(name);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    throw CaseError("--between", "no material is called \"" + wanted + "\"; " + suggestion(wanted, names));
  }
  return static_cast<std::uint32_t>(found - names.begin());
}

/// A scene with the materials of the case and their pairs. Only the pair of the two bodies needs a rule and
/// restitutions.
Scene scene_of(const Case& input, const ContactArguments& arguments) {
  Case pair = as_parcels(input);
  pair.particles = {ParticleGroup{}, ParticleGroup{}};
  pair.boundaries.clear();
  for (std::size_t side = 0; side < 2; ++side) pair.particles[side].material = arguments.between[side];
  if (arguments.wall) {
    pair.particles.erase(pair.particles.begin());
    Boundary wall;
    wall.shape = PlaneBoundary{};
    wall.material = arguments.between[0];
    pair.boundaries.emplace_back("wall", wall);
  }
  std::vector<InputProblem> problems;
  Problems missing(problems);
  check_contacts(pair, missing);
  const ResolvedContacts contacts = resolve_contacts(pair, problems, loss_of_impacts(input));
  if (!problems.empty()) throw CaseError(std::move(problems));
  if (const auto& liquid = contacts.pairs[0].liquid; liquid && liquid->from_films) {
    throw CaseError("contacts",
                    "the bridges of these two take their liquid from films, which the bodies of this command have not; "
                    "set \"from_films\" of their rule to false to see a bridge of its \"volume\"");
  }
  Scene scene;
  scene.precision = input.precision;
  scene.law = contacts.law;
  scene.no_ratcheting = input.no_ratcheting;
  scene.seed = input.seed;
  scene.pairs = contacts.pairs;
  for (const auto& [name, material] : input.materials) {
    scene.materials.push_back(material);
    scene.material_names.push_back(name);
  }
  return scene;
}

/// Throws CaseError if the precision cannot represent masses, stiffnesses or forces of the two bodies.
void expect_representable(Scene scene, const ContactSetting& setting) {
  for (std::size_t body = setting.wall ? 1 : 0; body < 2; ++body) {
    scene.particles.position.push_back({});
    scene.particles.radius.push_back(setting.radius[body]);
    scene.particles.material.push_back(setting.material[body]);
  }
  std::vector<InputProblem> problems;
  check_derived_numbers(scene, problems);
  if (!problems.empty()) throw CaseError(std::move(problems));
}

ContactSetting setting_of(const Case& input, const ContactArguments& arguments) {
  ContactSetting setting;
  setting.wall = arguments.wall;
  for (std::size_t side = 0; side < 2; ++side) setting.material[side] = material_called(input, arguments.between[side]);
  const auto& radii = arguments.radii;
  if (arguments.wall && radii.size() > 1) {
    throw CaseError("--radii", "takes one radius with --wall, that of the sphere");
  }
  const double first = radii.empty() ? 0.01 : radii.front();
  setting.radius = {first, radii.empty() ? first : radii.back()};
  return setting;
}

/// Appends a comma and a number with 17 digits, which read back as the same double.
void append_number(std::string& row, double value) {
  char text[40];
  std::snprintf(text, sizeof text, ",%.17g", value);
  row += text;
}

std::string header_of(const ContactTest& test, bool segments) {
  std::string header = "time[s],touching,overlap[m]";
  const auto vector = [&](const std::string& name, const std::string& unit) {
    for (const char* axis : {"x", "y", "z"}) {
      header.append(",").append(name).append("_").append(axis).append("[").append(unit).append("]");
    }
  };
  vector("normal", "");
  vector("force", "N");
  vector("torque1", "N m");
  vector("torque2", "N m");
  vector("shear", "N");
  for (std::uint32_t c = 0; c < test.history_size(); ++c) header += ",history_" + std::to_string(c);
  if (segments) header += ",segments";
  if (test.has_energies()) header += ",work[J],elastic[J],friction[J],viscous[J],breakage[J],parting[J]";
  return header;
}

std::string row_of(double time, const ContactAnswer& answer, bool segments, bool energies) {
  std::string row;
  append_number(row, time);
  row.erase(0, 1);
  row += answer.touching ? ",1" : ",0";
  append_number(row, answer.overlap);
  for (const Real3& vector : {answer.normal, answer.force, answer.torque[0], answer.torque[1], answer.shear}) {
    for (const double component : vector) append_number(row, component);
  }
  for (const double component : answer.history) append_number(row, component);
  if (segments) row += "," + std::to_string(answer.segments);
  if (energies) {
    for (const double energy :
         {answer.work, answer.elastic, answer.friction, answer.viscous, answer.breakage, answer.parting}) {
      append_number(row, energy);
    }
  }
  return row;
}

/// Writes the tractions of the contact at the end of the path.
void write_tractions(const ContactArguments& arguments, const ContactTest& test, const Scene& scene,
                     std::ostream& terminal) {
  const auto tractions = test.tractions(traction_points);
  if (!tractions) throw CaseError("--traction", "the bodies do not touch at the end of the path");
  const std::string contact =
      "\"" + arguments.between[0] + "\" and \"" + arguments.between[1] + "\" at the end of " + arguments.path.string();
  const auto facts = traction_facts(*tractions, contact, scene.precision);
  write_result(arguments.traction, traction_table(*tractions, facts), terminal, "--traction");
  if (!arguments.out.empty()) {
    for (const std::string& fact : facts) terminal << fact << "\n";
  }
}

}  // namespace

std::vector<ContactMove> contact_moves(const std::vector<ContactPlace>& path, const ContactSetting& setting) {
  std::vector<ContactMove> moves;
  const double reach = setting.wall ? setting.radius[1] : setting.radius[0] + setting.radius[1];
  for (std::size_t k = 0; k < path.size(); ++k) {
    const ContactPlace &now = path[k], &before = path[k == 0 ? 0 : k - 1];
    ContactMove move;
    move.time_step = k == 0 ? path[1].time - path[0].time : now.time - before.time;
    move.position[1] = {reach - now.approach[0], now.approach[1], now.approach[2]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double way = now.approach[axis] - before.approach[axis];
      move.velocity[1][axis] = (axis == 0 ? -way : way) / move.time_step;
      for (std::size_t body = 0; body < 2; ++body) {
        move.spin[body][axis] = (now.rotation[body][axis] - before.rotation[body][axis]) / move.time_step;
      }
    }
    // A time step of 1e-300 s makes infinite speeds, and in single precision it is 0.
    constexpr double fastest = 1e30, shortest = 1e-35;
    double largest = 0;
    for (const Real3& vector : {move.velocity[1], move.spin[0], move.spin[1]}) {
      for (const double x : vector) largest = std::isnan(x) ? x : std::max(largest, std::fabs(x));
    }
    if (k > 0 && (!(move.time_step >= shortest) || !(largest <= fastest))) {
      throw CaseError("", "place " + std::to_string(k + 1) + ": time: the step from " + number_text(before.time) +
                              " s to " + number_text(now.time) + " s is too short: it must be at least " +
                              number_text(shortest) + " s, and speeds within " + number_text(fastest));
    }
    moves.push_back(move);
  }
  return moves;
}

namespace {

/// The moves along a path. Errors name the file first.
std::vector<ContactMove> moves_of(const std::vector<ContactPlace>& path, const ContactSetting& setting,
                                  const std::string& file) {
  try {
    return contact_moves(path, setting);
  } catch (const CaseError& error) { throw CaseError(file, error.problems().front().message); }
}

}  // namespace

int run_contact(const ContactArguments& arguments, std::ostream& terminal) {
  expect_no_input(arguments.out, {arguments.case_file, arguments.path});
  expect_no_input(arguments.traction, {arguments.case_file, arguments.path}, "--traction");
  const Case input = read_case(arguments.case_file, arguments.settings);
  const ContactSetting setting = setting_of(input, arguments);
  const auto path = parse_contact_path(csv::read_text(arguments.path), arguments.path.string());
  if (arguments.wall) {
    for (const ContactPlace& place : path) {
      if (place.rotation[0] != Real3{}) {
        throw CaseError(arguments.path.string(), "a wall does not turn: rx1, ry1 and rz1 must be 0");
      }
    }
  }
  const Scene scene = scene_of(input, arguments);
  const LawKind law = scene.law_of(setting.material[0], setting.material[1]);
  const bool segments = needs_of(law).load_history;
  if (!arguments.traction.empty() && !segments) throw CaseError("--traction", no_load_history(law));
  expect_representable(scene, setting);
  const auto test = make_contact_test(scene, setting);
  const std::string header = header_of(*test, segments);
  std::string text = header + "\n";
  const auto moves = moves_of(path, setting, arguments.path.string());
  for (std::size_t k = 0; k < moves.size(); ++k) {
    const std::string row = row_of(path[k].time, test->step(moves[k]), segments, test->has_energies());
    expect_finite_row(row, header, k);
    text += row + "\n";
  }
  if (arguments.out.empty()) {
    terminal << text;
  } else {
    write_result(arguments.out, text, terminal);
  }
  if (!arguments.traction.empty()) write_tractions(arguments, *test, scene, terminal);
  return 0;
}

}  // namespace scree
