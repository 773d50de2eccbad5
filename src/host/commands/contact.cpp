#include "host/commands/contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string_view>

#include "host/case_io.hpp"
#include "host/contact_rules.hpp"
#include "host/csv.hpp"
#include "host/text.hpp"
#include "host/traction_table.hpp"
#include "host/writers/result_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

const std::vector<std::string> columns = {"time", "normal", "tangential1", "tangential2", "rx1", "ry1", "rz1", "rx2", "ry2", "rz2"};
constexpr std::size_t needed_columns = 2;

ContactPlace read_place(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& at, const std::string& where) {
  if (cells.size() != at.size()) {
    throw CaseError(where, "has " + std::to_string(cells.size()) + " values, the header has " + std::to_string(at.size()));
  }
  std::array<double, 10> value{};
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto number = geometry::parse_number(cells[c]);
    if (!number || !std::isfinite(*number)) {
      throw CaseError(where, columns[at[c]] + ": \"" + std::string(cells[c]) + "\" is not a finite number");
    }
    value[at[c]] = *number;
  }
  return {value[0], {value[1], value[2], value[3]}, {Real3{value[4], value[5], value[6]}, Real3{value[7], value[8], value[9]}}};
}

std::uint32_t material_called(const Case& input, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, material] : input.materials) names.push_back(name);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) throw CaseError("--between", "no material is called \"" + wanted + "\"; " + suggestion(wanted, names));
  return static_cast<std::uint32_t>(found - names.begin());
}

/// Materials and their pairs; only the pair that is driven needs values.
Scene scene_of(const Case& input, const ContactArguments& arguments) {
  Case pair = input;
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
  const ResolvedContacts contacts = resolve_contacts(pair, problems);
  if (!problems.empty()) throw CaseError(std::move(problems));
  Scene scene;
  scene.precision = input.precision;
  scene.law = contacts.law;
  scene.no_ratcheting = input.no_ratcheting;
  scene.pairs = contacts.pairs;
  for (const auto& material : input.materials) scene.materials.push_back(material.second);
  return scene;
}

ContactSetting setting_of(const Case& input, const ContactArguments& arguments) {
  ContactSetting setting;
  setting.wall = arguments.wall;
  for (std::size_t side = 0; side < 2; ++side) setting.material[side] = material_called(input, arguments.between[side]);
  const auto& radii = arguments.radii;
  if (arguments.wall && radii.size() > 1) throw CaseError("--radii", "takes one radius with --wall, that of the sphere");
  const double first = radii.empty() ? 0.01 : radii.front();
  setting.radius = {first, radii.empty() ? first : radii.back()};
  return setting;
}

/// Seventeen digits: the same double when it is read back.
void append_number(std::string& row, double value) {
  char text[40];
  std::snprintf(text, sizeof text, ",%.17g", value);
  row += text;
}

std::string header_of(const ContactTest& test, bool segments) {
  std::string header = "time[s],touching,overlap[m]";
  const auto vector = [&](const std::string& name, const std::string& unit) {
    for (const char* axis : {"x", "y", "z"}) header += "," + name + "_" + axis + "[" + unit + "]";
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
    for (const double energy : {answer.work, answer.elastic, answer.friction, answer.viscous, answer.breakage, answer.parting}) {
      append_number(row, energy);
    }
  }
  return row;
}

/// Of the contact at the end of the path.
void write_tractions(const ContactArguments& arguments, const ContactTest& test, const Scene& scene, std::ostream& terminal) {
  const auto tractions = test.tractions(traction_points);
  if (!tractions) throw CaseError("--traction", "the bodies do not touch at the end of the path");
  const std::string contact = "\"" + arguments.between[0] + "\" and \"" + arguments.between[1] + "\" at the end of " + arguments.path.string();
  const auto facts = traction_facts(*tractions, contact, scene.precision);
  write_result(arguments.traction, traction_table(*tractions, facts), terminal, "--traction");
  if (!arguments.out.empty()) {
    for (const std::string& fact : facts) terminal << fact << "\n";
  }
}

}  // namespace

std::vector<ContactPlace> parse_contact_path(const std::string& content, const std::string& name) {
  std::vector<ContactPlace> path;
  std::vector<std::size_t> at;
  csv::for_each_line(content, [&](std::size_t line, std::string_view text) {
    const std::string where = name + ": line " + std::to_string(line);
    if (at.empty()) {
      at = csv::read_header(csv::cells_of(text), columns, needed_columns, where);
      return;
    }
    path.push_back(read_place(csv::cells_of(text), at, where));
    if (path.size() > 1 && !(path.back().time > path[path.size() - 2].time)) {
      throw CaseError(where, "time: must be greater than " + number_text(path[path.size() - 2].time) + " of the line before, got " +
                                 number_text(path.back().time));
    }
  });
  if (path.size() < 2) throw CaseError(name, "needs a header line \"time,normal\" and at least two places");
  return path;
}

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
    moves.push_back(move);
  }
  return moves;
}

int run_contact(const ContactArguments& arguments, std::ostream& terminal) {
  const Case input = read_case(arguments.case_file, arguments.settings);
  const ContactSetting setting = setting_of(input, arguments);
  const auto path = parse_contact_path(csv::read_text(arguments.path), arguments.path.string());
  if (arguments.wall) {
    for (const ContactPlace& place : path) {
      if (place.rotation[0] != Real3{}) throw CaseError(arguments.path.string(), "a wall does not turn: rx1, ry1 and rz1 must be 0");
    }
  }
  const Scene scene = scene_of(input, arguments);
  const LawKind law = scene.law_of(setting.material[0], setting.material[1]);
  const bool segments = law == LawKind::jaeger;
  if (!arguments.traction.empty() && !segments) throw CaseError("--traction", no_load_history(law));
  const auto test = make_contact_test(scene, setting);
  std::string text = header_of(*test, segments) + "\n";
  const auto moves = contact_moves(path, setting);
  for (std::size_t k = 0; k < moves.size(); ++k) {
    text += row_of(path[k].time, test->step(moves[k]), segments, test->has_energies()) + "\n";
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
