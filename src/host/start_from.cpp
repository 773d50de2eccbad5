#include "host/start_from.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "host/build_scene/groups.hpp"
#include "host/case_io.hpp"
#include "host/case_io/json.hpp"
#include "host/contact_rules.hpp"
#include "host/text.hpp"
#include "scree/errors.hpp"
#include "scree/version.hpp"

namespace scree {
namespace {

[[noreturn]] void fail(const std::string& message) { throw CaseError("start", message); }

/// The file itself, or the newest checkpoint of a folder or of the run in it.
std::filesystem::path checkpoint_file(const Case& input) {
  const auto path = std::filesystem::absolute(input.folder / *input.start).lexically_normal();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) fail("there is no file or folder \"" + path.string() + "\"");
  if (!std::filesystem::is_directory(path, ignored)) return path;
  for (const auto& folder : {path, path / "checkpoints"}) {
    const auto present = checkpoints_in(folder);
    if (!present.empty()) return present.back().second;
  }
  fail("there is no checkpoint in the folder \"" + path.string() + "\"");
}

const StateArray& array_of(const EngineState& state, const std::string& name) {
  const StateArray* array = state.find(name);
  if (array == nullptr) throw StateError("the array " + name + " is missing");
  return *array;
}

/// Numbers of an array, row after row.
template <class T>
std::vector<T> numbers(const StateArray& array, std::size_t columns) {
  constexpr ValueType type = std::is_same_v<T, double>          ? ValueType::float64
                             : std::is_same_v<T, std::uint32_t> ? ValueType::uint32
                                                                : ValueType::uint64;
  const StateArray same = converted(array, type);
  if (same.columns != columns) throw StateError("the array " + array.name + " has not " + std::to_string(columns) + " columns");
  std::vector<T> values(same.rows() * columns);
  if (!values.empty()) std::memcpy(values.data(), same.bytes.data(), same.bytes.size());
  return values;
}
template <class T>
std::vector<T> numbers(const EngineState& state, const std::string& name, std::size_t columns = 1) {
  return numbers<T>(array_of(state, name), columns);
}

Real3 row_of(const std::vector<double>& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

/// Of a wider or narrower array the first columns: there stands what laws keep.
void copy_row(const StateArray& from, std::size_t from_row, StateArray& to, std::size_t to_row) {
  const std::size_t bytes = std::min(from.row_bytes(), to.row_bytes());
  if (bytes > 0) std::memcpy(to.bytes.data() + to_row * to.row_bytes(), from.bytes.data() + from_row * from.row_bytes(), bytes);
}

StateArray& mutable_array(EngineState& state, const std::string& name) {
  for (StateArray& array : state.arrays) {
    if (array.name == name) return array;
  }
  throw StateError("the array " + name + " is missing");
}

/// Fills the arrays of a group, such as "pairs/", with rows of the same arrays of another state. What that state has not is 0.
template <class Take>
void fill_rows(EngineState& state, const std::string& group, std::size_t rows, const EngineState& from, Take&& take) {
  for (StateArray& array : state.arrays) {
    if (!array.name.starts_with(group)) continue;
    array.bytes.assign(rows * array.row_bytes(), std::byte{});
    const StateArray* old = from.find(array.name);
    if (old == nullptr) continue;
    const StateArray same = converted(*old, array.type);
    if (same.columns != array.columns && !array.name.ends_with("/history")) {
      throw StateError("the array " + array.name + " has other columns");
    }
    take(same, array);
  }
}

void write_ids(StateArray& array, const std::vector<std::uint32_t>& ids) {
  SCREE_EXPECT(array.type == ValueType::uint32 && array.bytes.size() == ids.size() * sizeof(std::uint32_t), "ids have 32 bits");
  if (!ids.empty()) std::memcpy(array.bytes.data(), ids.data(), array.bytes.size());
}

}  // namespace

StateArray converted(StateArray array, ValueType type) {
  if (array.type == type) return array;
  const auto change = [&]<class From, class To>(From, To) {
    std::vector<std::byte> bytes(array.bytes.size() / sizeof(From) * sizeof(To));
    for (std::size_t k = 0; k < array.bytes.size() / sizeof(From); ++k) {
      From value{};
      std::memcpy(&value, array.bytes.data() + k * sizeof(From), sizeof(From));
      const To same = static_cast<To>(value);
      std::memcpy(bytes.data() + k * sizeof(To), &same, sizeof(To));
    }
    array.bytes = std::move(bytes);
    array.type = type;
  };
  if (array.type == ValueType::float32 && type == ValueType::float64) {
    change(float{}, double{});
  } else if (array.type == ValueType::float64 && type == ValueType::float32) {
    change(double{}, float{});
  } else {
    throw StateError("the array " + array.name + " is not of the type that is expected");
  }
  return array;
}

StartPoint::StartPoint(const Case& input) : file_(checkpoint_file(input)) {
  try {
    checkpoint_ = read_checkpoint(file_);
    if (checkpoint_.version != SCREE_VERSION) {
      warnings_.push_back("start: " + file_.string() + " was written by scree " + checkpoint_.version);
    }
    read_names(input);
    take_particles(input);
    take_cell();
  } catch (const StateError& error) {
    const std::string text = error.what();
    fail(text.starts_with(file_.string()) ? text : file_.string() + ": " + text);
  }
}

std::string StartPoint::text() const {
  return count_text(particles_.size()) + " particles of " + file_.string() + ", step " + count_text(checkpoint_.step) +
         ", t = " + short_number_text(checkpoint_.time, 6) + " s";
}

/// Of the case that the checkpoint tells, only what says what the state means: files that it names may be gone.
void StartPoint::read_names(const Case& input) {
  std::vector<InputProblem> ignored;
  Json root;
  if (!try_parse_json(checkpoint_.case_text, root, ignored)) throw StateError("its case cannot be read");
  Json kept = Json::object();
  for (const char* key : {"time", "materials", "contacts", "groups"}) {
    if (root.contains(key)) kept[key] = root[key];
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : root["materials"].items()) names.push_back(name);
  kept["particles"] = Json::array();
  std::set<std::uint32_t> used;
  for (const auto m : numbers<std::uint32_t>(checkpoint_.state, "bodies/material")) used.insert(m);
  if (used.empty()) fail(file_.string() + " holds no particle");
  for (const auto m : used) {
    if (m >= names.size()) throw StateError("a particle is of a material that its case has not");
    const auto known = std::any_of(input.materials.begin(), input.materials.end(), [&](const auto& own) { return own.first == names[m]; });
    if (!known) fail("particles of " + file_.string() + " are of \"" + names[m] + "\", but \"materials\" has none of this name");
    kept["particles"].push_back(Json{{"material", names[m]}, {"radius", 1}, {"fill", Json{{"box", {{0, 0, 0}, {1, 1, 1}}}, {"count", 1}}}});
  }
  try {
    origin_ = parse_case(kept.dump(), "/");
  } catch (const CaseError& error) { fail(file_.string() + ": its case cannot be read: " + error.what()); }
}

void StartPoint::take_particles(const Case& input) {
  const EngineState& state = checkpoint_.state;
  if (const StateArray* clumps = state.find("clumps/id"); clumps != nullptr && clumps->rows() > 0) {
    fail(file_.string() + " holds clumps; a start is possible with spheres alone");
  }
  constexpr double far_away = 1e29;  // there the removed are parked
  const auto id = numbers<std::uint32_t>(state, "bodies/id");
  const auto position = numbers<double>(state, "bodies/position", 3), velocity = numbers<double>(state, "bodies/velocity", 3);
  const auto spin = numbers<double>(state, "bodies/angular_velocity", 3), radius = numbers<double>(state, "bodies/radius");
  const auto material = numbers<std::uint32_t>(state, "bodies/material");
  const auto group = state.find("bodies/group") != nullptr ? numbers<std::uint32_t>(state, "bodies/group") : std::vector<std::uint32_t>(id.size());
  const std::size_t n = id.size();
  if (position.size() != 3 * n || velocity.size() != 3 * n || spin.size() != 3 * n || radius.size() != n || material.size() != n || group.size() != n) {
    throw StateError("the arrays of bodies are not of one length");
  }
  const auto index_in = [](const auto& named, const std::string& name) {
    const auto found = std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == name; });
    return found == named.end() ? std::optional<std::uint32_t>() : static_cast<std::uint32_t>(found - named.begin());
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (id[i] >= new_id_.size()) new_id_.resize(std::size_t{id[i]} + 1, gone);
    if (!(std::abs(position[3 * i]) < far_away)) continue;
    new_id_[id[i]] = static_cast<std::uint32_t>(particles_.size());
    particles_.position.push_back(row_of(position, i));
    particles_.velocity.push_back(row_of(velocity, i));
    particles_.angular_velocity.push_back(row_of(spin, i));
    particles_.radius.push_back(radius[i]);
    particles_.material.push_back(*index_in(input.materials, origin_.materials[material[i]].first));
    if (!input.groups.empty()) {
      if (group[i] > origin_.groups.size()) throw StateError("a particle is of a group that its case has not");
      const auto own = group[i] > 0 ? index_in(input.groups, origin_.groups[group[i] - 1].first) : std::nullopt;
      particles_.group.push_back(own ? *own + 1 : 0);
    }
    old_material_.push_back(material[i]);
    row_.push_back(static_cast<std::uint32_t>(i));
  }
  if (particles_.size() == 0) fail(file_.string() + " holds no particle");
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
  if (edges.size() != 9 || origin.size() != 3 || periodic.size() != 3) throw StateError("the arrays of the cell are not of three rows");
  for (std::size_t k = 0; k < 3; ++k) cell.edges[k] = row_of(edges, k);
  cell.origin = row_of(origin, 0);
  for (std::size_t k = 0; k < 3; ++k) cell.periodic[k] = periodic[k] != 0;
  cell_ = cell;
}

Case StartPoint::with_entries(Case input) const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> kinds;
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    kinds.insert({particles_.material[i], particles_.group.empty() ? 0 : particles_.group[i]});
  }
  for (const auto& [material, group] : kinds) {
    ParticleGroup& entry = input.particles.emplace_back();
    entry.material = input.materials[material].first;
    if (group > 0) entry.group = input.groups[group - 1].first;
  }
  return input;
}

/// Boundaries are numbered as they stand, and their parts with them. What moves is elsewhere at time 0.
bool StartPoint::same_boundaries(const Case& input) const {
  std::vector<InputProblem> ignored;
  Json there, here;
  if (!try_parse_json(checkpoint_.case_text, there, ignored) || !try_parse_json(write_case(input), here, ignored)) return false;
  const bool move = std::any_of(input.boundaries.begin(), input.boundaries.end(),
                                [](const auto& boundary) { return !boundary.second.motion.empty() || boundary.second.drive; });
  return !move && there.contains("boundaries") && here.contains("boundaries") && there["boundaries"] == here["boundaries"];
}

/// Which rows of the contacts of pairs go on, and under which ids.
StartPoint::Contacts StartPoint::lasting_pairs(const Scene& scene) const {
  std::vector<InputProblem> ignored;
  const ResolvedContacts old = resolve_contacts(origin_, ignored);
  const std::size_t n_old = origin_.materials.size();
  const auto goes_on = [&](std::uint32_t i, std::uint32_t j) {
    const MaterialPair& before = old.pairs[old_material_[i] * n_old + old_material_[j]];
    const MaterialPair& now = scene.pair(particles_.material[i], particles_.material[j]);
    const LawKind law = now.law.value_or(scene.law);
    // Bonds are made by every start, of what is near.
    return law != LawKind::bonded && law == before.law.value_or(old.law) && now.rolling.acts() == before.rolling.acts();
  };
  const auto ids = numbers<std::uint32_t>(checkpoint_.state, "pairs/ids", 2);
  Contacts contacts;
  for (std::size_t k = 0; 2 * k < ids.size(); ++k) {
    if (ids[2 * k] >= new_id_.size() || ids[2 * k + 1] >= new_id_.size()) throw StateError("pairs name a particle that is not there");
    const std::uint32_t i = new_id_[ids[2 * k]], j = new_id_[ids[2 * k + 1]];
    if (i == gone || j == gone) continue;
    if (!goes_on(i, j)) {
      ++contacts.begin_anew;
      continue;
    }
    contacts.row.push_back(k);
    contacts.ids.insert(contacts.ids.end(), {i, j});
  }
  return contacts;
}

/// Imposed velocities are those of the case.
void StartPoint::put_bodies(const Scene& scene, EngineState& state) const {
  const auto put = [&](const std::string& name, auto&& wanted) {
    const StateArray* old = checkpoint_.state.find(name);
    if (old == nullptr || state.find(name) == nullptr) return;
    StateArray& array = mutable_array(state, name);
    const StateArray same = converted(*old, array.type);
    if (array.rows() != row_.size() || same.columns != array.columns) throw StateError("the array " + name + " is not as it was");
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (wanted(i)) copy_row(same, row_[i], array, i);
    }
  };
  const auto always = [](std::size_t) { return true; };
  put("bodies/position", always);
  put("bodies/image", always);
  put("bodies/velocity", [&](std::size_t i) { return scene.particles.velocity[i] == particles_.velocity[i]; });
  put("bodies/angular_velocity", [&](std::size_t i) { return scene.particles.angular_velocity[i] == particles_.angular_velocity[i]; });
}

/// Where bodies stand to the cell, and the stress that a control begins with: what was measured in the last steps.
void StartPoint::put_cell(EngineState& state) const {
  const EngineState& from = checkpoint_.state;
  if (state.find("cell/measure") == nullptr) return;
  constexpr std::uint64_t recent = 100;  // steps
  const bool measured = numbers<std::uint64_t>(from, "cell/measured").at(0) + recent >= checkpoint_.step;
  for (const char* name : {"cell/bodies_are_out", "cell/measure"}) {
    StateArray& array = mutable_array(state, name);
    const StateArray& old = array_of(from, name);
    if (old.bytes.size() != array.bytes.size()) throw StateError("the array " + array.name + " is not as it was");
    if (measured || name == std::string("cell/bodies_are_out")) array.bytes = old.bytes;
  }
}

void StartPoint::put_pairs(const Contacts& contacts, EngineState& state) const {
  fill_rows(state, "pairs/", contacts.row.size(), checkpoint_.state, [&](const StateArray& old, StateArray& array) {
    for (std::size_t k = 0; k < contacts.row.size(); ++k) copy_row(old, contacts.row[k], array, k);
  });
  write_ids(mutable_array(state, "pairs/ids"), contacts.ids);
}

/// The slots of the particles that are there, and the bodies that have them.
void StartPoint::put_boundary_contacts(EngineState& state) const {
  for (const std::string group : {"boundary_contacts", "boundary_forces"}) {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> ids;
    const auto old_ids = numbers<std::uint32_t>(checkpoint_.state, group + "/id");
    for (std::size_t k = 0; k < old_ids.size(); ++k) {
      if (old_ids[k] >= new_id_.size()) throw StateError(group + " name a particle that is not there");
      if (new_id_[old_ids[k]] == gone) continue;
      rows.push_back(k);
      ids.push_back(new_id_[old_ids[k]]);
    }
    fill_rows(state, group + "/", rows.size(), checkpoint_.state, [&](const StateArray& old, StateArray& array) {
      for (std::size_t k = 0; k < rows.size(); ++k) copy_row(old, rows[k], array, k);
    });
    write_ids(mutable_array(state, group + "/id"), ids);
  }
}

std::vector<std::string> StartPoint::give_contacts(const Case& input, const Scene& scene, Engine& engine) const {
  std::vector<std::string> notes;
  const auto plural = [](std::size_t count) { return count_text(count) + (count == 1 ? " contact" : " contacts"); };
  try {
    EngineState state = engine.save();
    put_bodies(scene, state);
    put_cell(state);
    const Contacts pairs = lasting_pairs(scene);
    put_pairs(pairs, state);
    notes.push_back("start: " + plural(pairs.row.size()) + " among particles go on");
    if (pairs.begin_anew > 0) {
      notes.push_back("start: " + plural(pairs.begin_anew) + " among particles begin anew, without shear: their law is another one");
    }
    const std::size_t at_boundaries = array_of(checkpoint_.state, "boundary_contacts/id").rows();
    if (at_boundaries > 0) {
      const bool go_on = pairs.begin_anew == 0 && same_boundaries(input);
      if (go_on) put_boundary_contacts(state);
      notes.push_back("start: " + plural(at_boundaries) + " with boundaries " +
                      (go_on ? "go on" : "begin anew, without shear: boundaries or laws are others, or boundaries move"));
    }
    engine.restore(state);
  } catch (const StateError& error) { fail(file_.string() + " does not fit this case: " + error.what()); }
  return notes;
}

}  // namespace scree
