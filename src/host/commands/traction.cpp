#include "host/commands/traction.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "host/case/laws.hpp"
#include "host/checkpoint/restore_run.hpp"
#include "host/output/result_file.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The contact that the user asks for; `first`, `second` and `with_boundary` as in Engine::tractions().
struct Wanted {
  std::uint32_t first = 0, second = 0;
  bool with_boundary = false;
  std::string option;  ///< the option of the command line that names it, for errors
  std::array<std::uint32_t, 2> material{};
};

std::string particle_text(std::uint32_t id) { return "particle " + std::to_string(id); }

/// The materials of all particles in the run, by id.
std::map<std::uint32_t, std::uint32_t> materials_of(Engine& engine) {
  const Snapshot now = engine.snapshot();
  std::map<std::uint32_t, std::uint32_t> materials;
  for (std::size_t i = 0; i < now.id.size(); ++i) { materials[now.id[i]] = now.material[i]; }
  return materials;
}

std::uint32_t boundary_called(const Scene& scene, const std::string& wanted) {
  std::vector<std::string> names;
  for (const SceneBoundary& boundary : scene.boundaries) { names.push_back(boundary.name); }
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    throw CaseError("--boundary", "no boundary is called \"" + wanted + "\"; " + suggestion(wanted, names));
  }
  return static_cast<std::uint32_t>(found - names.begin());
}

Wanted wanted_contact(const TractionArguments& arguments, const Scene& scene, Engine& engine) {
  const auto materials = materials_of(engine);
  const auto material = [&](std::uint32_t id, const char* option) {
    const auto found = materials.find(id);
    if (found == materials.end()) { throw CaseError(option, "there is no " + particle_text(id) + " in the run"); }
    return found->second;
  };
  if (!arguments.contact.empty()) {
    const auto [low, high] = std::minmax(arguments.contact.at(0), arguments.contact.at(1));
    if (low == high) { throw CaseError("--contact", "a particle does not touch itself"); }
    return {low, high, false, "--contact", {material(low, "--contact"), material(high, "--contact")}};
  }
  if (!arguments.particle) { throw CaseError("--contact", "is needed, or --boundary and --particle"); }
  const std::uint32_t boundary = boundary_called(scene, arguments.boundary),
                      own = material(*arguments.particle, "--particle");
  return {boundary, *arguments.particle, true, "--particle", {scene.boundaries[boundary].material, own}};
}

std::string contact_text(const Wanted& wanted, const Scene& scene) {
  const std::string first =
      wanted.with_boundary ? "boundary \"" + scene.boundaries[wanted.first].name + "\"" : particle_text(wanted.first);
  return first + " (body 1) and " + particle_text(wanted.second) + " (body 2)";
}

/// A sentence about the partners that a particle touches, at most ten of them.
std::string touched_by(std::uint32_t id, const Scene& scene, const std::vector<TouchingContact>& contacts) {
  constexpr std::size_t most = 10;
  std::vector<std::string> others;
  for (const TouchingContact& contact : contacts) {
    std::string other;
    if (contact.with_boundary) {
      if (contact.second == id) { other = "boundary \"" + scene.boundaries[contact.first].name + "\""; }
    } else if (contact.first == id || contact.second == id) {
      other = particle_text(contact.first == id ? contact.second : contact.first);
    }
    if (!other.empty() && std::find(others.begin(), others.end(), other) == others.end()) { others.push_back(other); }
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(others.size(), most); ++k) { text += (k == 0 ? "" : ", ") + others[k]; }
  if (others.size() > most) { text += " and " + std::to_string(others.size() - most) + " more"; }
  return particle_text(id) + " touches " + (others.empty() ? "nothing" : text);
}

[[noreturn]] void not_touching(const Wanted& wanted, const Scene& scene, Engine& engine) {
  const auto contacts = engine.touching_contacts();
  std::string text = contact_text(wanted, scene) + " do not touch; ";
  if (!wanted.with_boundary) { text += touched_by(wanted.first, scene, contacts) + "; "; }
  throw CaseError(wanted.option, text + touched_by(wanted.second, scene, contacts));
}

}  // namespace

int run_traction(const TractionArguments& arguments, std::ostream& terminal) {
  expect_no_input(arguments.out, {arguments.run});
  const RestoredRun run = restore_run(arguments.run);
  for (const std::string& warning : run.warnings) { terminal << "# warning: " << warning << "\n"; }
  const Wanted wanted = wanted_contact(arguments, run.scene, *run.engine);
  const LawKind law = run.scene.law_of(wanted.material[0], wanted.material[1]);
  if (!needs_of(law).load_history) { throw CaseError(wanted.option, no_load_history(law)); }
  const auto tractions = run.engine->tractions(wanted.first, wanted.second, wanted.with_boundary, arguments.points);
  if (!tractions) { not_touching(wanted, run.scene, *run.engine); }
  const std::string contact = contact_text(wanted, run.scene) + " at step " + count_text(run.engine->step()) +
                              ", t = " + short_number_text(run.engine->time(), 6) + " s, of " + run.file.string();
  const auto facts = traction_facts(*tractions, contact, run.scene.precision);
  const std::string table = traction_table(*tractions, facts);
  if (arguments.out.empty()) {
    terminal << table;
    return exit_done;
  }
  write_result(arguments.out, table, terminal);
  for (const std::string& fact : facts) { terminal << fact << "\n"; }
  return exit_done;
}

}  // namespace scree
