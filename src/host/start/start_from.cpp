#include "host/start/start_from.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "host/case/films.hpp"
#include "host/case/parcels.hpp"
#include "host/geometry/real3.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"
#include "scree/body_access.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

[[noreturn]] void fail(const std::string& message) { throw CaseError("start", message); }

std::filesystem::path checkpoint_file(const Case& input) {
  try {
    return newest_checkpoint(std::filesystem::absolute(input.folder / *input.start).lexically_normal());
  } catch (const StateError& error) { fail(error.what()); }
}

/// Whether a rule of contacts makes bridges take their liquid from films.
bool any_from_films(const Json& contacts) {
  return contacts.is_array() && std::any_of(contacts.begin(), contacts.end(), [](const Json& rule) {
           return rule.is_object() && rule.contains("liquid") && rule["liquid"].is_object() &&
                  rule["liquid"].value("from_films", Json(false)) == Json(true);
         });
}

/// Removes the forms of bonds: the time at which bonds were made no longer matters, and the form "kept" needs a start.
void forget_forms_of_bonds(Json& kept) {
  if (!kept.contains("contacts") || !kept["contacts"].is_array()) return;
  for (Json& rule : kept["contacts"]) {
    if (!rule.is_object() || !rule.contains("bond") || !rule["bond"].is_object()) continue;
    rule["bond"].erase("form"), rule["bond"].erase("form_until");
  }
}

/// The arrays of bodies in a checkpoint that a start uses.
struct BodyRows {
  std::vector<std::uint32_t> id;
  std::vector<double> position, velocity, spin, radius;  ///< [n, 3] each, and [n]
  std::vector<std::uint32_t> material, group;            ///< [n] `group` is 0 without groups
  std::vector<double> temperature, film;                 ///< [n], or empty if they are not used

  /// Throws StateError if an array is missing or the arrays differ in length.
  BodyRows(const EngineState& state, bool heated, bool wet)
      : id(numbers<std::uint32_t>(state, "bodies/id")),
        position(numbers<double>(state, "bodies/position", 3)),
        velocity(numbers<double>(state, "bodies/velocity", 3)),
        spin(numbers<double>(state, "bodies/angular_velocity", 3)),
        radius(numbers<double>(state, "bodies/radius")),
        material(numbers<std::uint32_t>(state, "bodies/material")),
        group(id.size()) {
    if (state.find("bodies/group") != nullptr) { group = numbers<std::uint32_t>(state, "bodies/group"); }
    if (heated) { temperature = numbers<double>(state, "heat/temperature"); }
    if (wet) { film = numbers<double>(state, "bodies/film"); }
    const std::size_t n = id.size();
    const bool same = position.size() == 3 * n && velocity.size() == 3 * n && spin.size() == 3 * n &&
                      radius.size() == n && material.size() == n && group.size() == n &&
                      temperature.size() == (heated ? n : 0) && film.size() == (wet ? n : 0);
    if (!same) { throw StateError("the arrays of bodies differ in length"); }
  }

  /// Throws StateError if a row has numbers that no particle can have.
  void check(std::size_t i) const {
    const auto expect = [&](bool holds, const char* array, const char* rule, double value) {
      if (holds) { return; }
      throw StateError(std::string(array) + " of particle " + std::to_string(id[i]) + " must be " + rule + ", got " +
                       number_text(value));
    };
    const auto expect_finite = [&](const char* array, const Real3& vector) {
      for (const double x : vector) { expect(std::isfinite(x), array, "finite", x); }
    };
    expect_finite("bodies/position", row_of(position, i));
    expect_finite("bodies/velocity", row_of(velocity, i));
    expect_finite("bodies/angular_velocity", row_of(spin, i));
    expect(std::isfinite(radius[i]) && radius[i] > 0, "bodies/radius", "finite and > 0", radius[i]);
    if (!temperature.empty()) { expect(temperature[i] > 0, "heat/temperature", "> 0", temperature[i]); }
    if (!film.empty()) { expect(film[i] >= 0, "bodies/film", ">= 0", film[i]); }
  }

  /// Appends particle i to a set, without its material and group, whose indices are those of another case.
  void append_to(ParticleSet& particles, std::size_t i) const {
    particles.position.push_back(row_of(position, i));
    particles.velocity.push_back(row_of(velocity, i));
    particles.angular_velocity.push_back(row_of(spin, i));
    particles.radius.push_back(radius[i]);
    if (!temperature.empty()) { particles.temperature.push_back(temperature[i]); }
    if (!film.empty()) { particles.film.push_back(film[i]); }
  }
};

/// The index of a name in a named list; none if it is not in the list.
template <class T>
std::optional<std::uint32_t> index_in(const Named<T>& named, const std::string& name) {
  const auto found = std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == name; });
  return found == named.end() ? std::optional<std::uint32_t>() : static_cast<std::uint32_t>(found - named.begin());
}

}  // namespace

StartPoint::StartPoint(const Case& input) : file_(checkpoint_file(input)) {
  try {
    checkpoint_ = read_checkpoint(file_);
    if (checkpoint_.version != SCREE_VERSION) {
      warnings_.push_back("start: " + file_.string() + " was written by scree " + checkpoint_.version);
    }
    std::vector<InputProblem> ignored;
    Json there;
    if (!try_parse_json(checkpoint_.case_text, there, ignored)) { throw StateError("its case cannot be read"); }
    read_names(there, input);
    read_boundaries(there);
    read_places();
    take_particles(input);
    read_membranes(there);
    take_membranes(input);
    note_other_nodes(input);
    take_clumps(input);
    take_cell();
    measure_bonds(input);
    note_moved_walls(input);
  } catch (const StateError& error) {
    const std::string text = error.what();
    fail(text.starts_with(file_.string()) ? text : file_.string() + ": " + text);
  }
}

std::string StartPoint::text() const {
  const auto members = static_cast<std::size_t>(std::count(member_.begin(), member_.end(), true));
  return count_text(particles_.size() - members + particles_.clumps.size()) + " particles of " + file_.string() +
         ", step " + count_text(checkpoint_.step) + ", t = " + short_number_text(checkpoint_.time, 6) + " s";
}

/// Reads the parts of the case in the checkpoint that determine the meaning of the state. Other parts may name files
/// that are gone.
void StartPoint::read_names(const Json& there, const Case& input) {
  if (!there.is_object() || !there.contains("materials") || !there["materials"].is_object()) {
    throw StateError("its case has no materials");
  }
  Json kept = Json::object();
  for (const char* key : {"time", "parcels", "materials", "contacts", "integration", "groups"}) {
    if (there.contains(key)) kept[key] = there[key];
  }
  for (const char* key : {"two_pass", "by_area"}) {  // other keys of grain_contacts may need shapes
    if (there.contains("grain_contacts") && there["grain_contacts"].contains(key)) {
      kept["grain_contacts"][key] = there["grain_contacts"][key];
    }
  }
  forget_forms_of_bonds(kept);
  // The films come from the state, but a case with such bridges must have an entry with a film.
  const bool wet = kept.contains("contacts") && any_from_films(kept["contacts"]);
  std::vector<std::string> names;
  for (const auto& [name, value] : there["materials"].items()) names.push_back(name);
  read_shapes(there);
  kept["particles"] = Json::array();
  std::set<std::uint32_t> used;
  for (const auto m : numbers<std::uint32_t>(checkpoint_.state, "bodies/material")) {
    used.insert(old_material(m, names.size()));
  }
  if (used.empty()) fail(file_.string() + " holds no particle");
  for (const auto m : used) {
    const auto known = std::any_of(input.materials.begin(), input.materials.end(),
                                   [&](const auto& own) { return own.first == names[m]; });
    if (!known) {
      fail("particles of " + file_.string() + " are of \"" + names[m] + "\", but \"materials\" has none of this name");
    }
    const Json fill{{"box", {{0, 0, 0}, {1, 1, 1}}}, {"count", 1}};
    kept["particles"].push_back(Json{{"material", names[m]}, {"radius", 1}, {"fill", fill}});
    if (wet) kept["particles"].back()["film"] = 0;
  }
  try {
    const Case grains = parse_case(kept.dump(), "/");
    note_other_scale(grains.parcels, input.parcels);
    origin_ = as_parcels(grains);
  } catch (const CaseError& error) { fail(file_.string() + ": its case cannot be read: " + error.what()); }
}

/// Reads the names of the shapes and the layouts of the nodes of level-set grains.
void StartPoint::read_shapes(const Json& there) {
  if (!there.contains("shapes") || !there["shapes"].is_object()) return;
  for (const auto& [name, value] : there["shapes"].items()) {
    shape_names_.push_back(name);
    const auto spacing = [&, &shape = value](const char* key) {
      const auto found = shape.find(key);
      return found != shape.end() && found->is_number() ? std::optional(found->template get<double>()) : std::nullopt;
    };
    node_layouts_.push_back({spacing("grid_spacing"), spacing("node_spacing")});
  }
}

std::uint32_t StartPoint::old_material(std::uint32_t material, std::size_t n_materials) const {
  const bool grains = checkpoint_.state.find("pair_nodes/count") != nullptr;
  if (material >= (grains ? 2 : 1) * n_materials) {
    throw StateError("a particle has a material that is not in its case");
  }
  return static_cast<std::uint32_t>(material % n_materials);
}

void StartPoint::take_particles(const Case& input) {
  const EngineState& state = checkpoint_.state;
  const bool has_films = state.find("bodies/film") != nullptr;
  if (!uses_films(input) && has_films) {
    warnings_.push_back("start: the liquid of " + file_.string() +
                        " is left behind, since no rule of contacts of this case has \"from_films\"");
  }
  const BodyRows rows(state, input.heat && state.find("heat/temperature") != nullptr, uses_films(input) && has_films);
  for (std::size_t i = 0; i < rows.id.size(); ++i) {
    if (i > 0 && rows.id[i] <= rows.id[i - 1]) throw StateError("bodies/id are not in ascending order");
    const bool there = !is_removed(row_of(rows.position, i));
    new_id_.emplace_back(rows.id[i], there ? static_cast<std::uint32_t>(particles_.size()) : gone);
    if (!there) continue;
    rows.check(i);
    rows.append_to(particles_, i);
    const std::uint32_t of_old = old_material(rows.material[i], origin_.materials.size());
    particles_.material.push_back(*index_in(input.materials, origin_.materials[of_old].first));
    if (!input.groups.empty()) {
      const std::uint32_t group = rows.group[i];
      if (group > origin_.groups.size()) throw StateError("a particle has a group that is not in its case");
      const auto own = group > 0 ? index_in(input.groups, origin_.groups[group - 1].first) : std::nullopt;
      particles_.group.push_back(own ? *own + 1 : 0);
    }
    old_material_.push_back(of_old);
    grain_.push_back(of_old != rows.material[i]);
    row_.push_back(static_cast<std::uint32_t>(i));
  }
  if (particles_.size() == 0) fail(file_.string() + " holds no particle");
}

std::uint32_t StartPoint::new_id(std::uint32_t old, const char* what) const {
  const auto found = std::lower_bound(new_id_.begin(), new_id_.end(), std::pair<std::uint32_t, std::uint32_t>{old, 0});
  if (found == new_id_.end() || found->first != old) {
    throw StateError(std::string(what) + " name a particle that does not exist");
  }
  return found->second;
}

void StartPoint::take_cell() {
  const EngineState& state = checkpoint_.state;
  if (state.find("cell/edges") == nullptr) return;
  PeriodicCell cell;
  const auto rows_of = [&](const std::string& name) {
    StateArray array = array_of(state, name);
    array.columns = 3;  // a matrix is one row of nine numbers
    return numbers<double>(array, 3);
  };
  const auto edges = rows_of("cell/edges"), origin = rows_of("cell/origin");
  const auto periodic = numbers<std::uint64_t>(state, "cell/periodic", 3);
  if (edges.size() != 9 || origin.size() != 3 || periodic.size() != 3) {
    throw StateError("the arrays of the cell have wrong lengths");
  }
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(edges.begin(), edges.end(), is_finite) || !std::all_of(origin.begin(), origin.end(), is_finite)) {
    throw StateError("the cell has numbers that are not finite");
  }
  for (std::size_t k = 0; k < 3; ++k) cell.edges[k] = row_of(edges, k);
  cell.origin = row_of(origin, 0);
  for (std::size_t k = 0; k < 3; ++k) cell.periodic[k] = periodic[k] != 0;
  cell_ = cell;
}

Case StartPoint::with_entries(Case input) const {
  constexpr std::uint32_t sphere = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> shape(particles_.size(), sphere);
  for (const Clump& clump : particles_.clumps) {
    if (grain_[clump.first]) shape[clump.first] = clump.shape;  // its modes depend on the Poisson's ratio of the entry
  }
  std::set<std::array<std::uint32_t, 3>> kinds;
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    kinds.insert({particles_.material[i], particles_.group.empty() ? 0 : particles_.group[i], shape[i]});
  }
  for (const auto& [material, group, of_shape] : kinds) {
    ParticleGroup& entry = input.particles.emplace_back();
    entry.material = input.materials[material].first;
    if (group > 0) entry.group = input.groups[group - 1].first;
    if (of_shape != sphere) entry.shape = input.shapes.at(of_shape).first;
  }
  place_boundaries(input);
  for (ContactRule& rule : input.contacts) {
    if (!rule.bond || rule.bond->form != BondForm::kept) continue;
    rule.bond->interaction_range = std::max(rule.bond->interaction_range, longest_bond_);
  }
  return input;
}

}  // namespace scree
