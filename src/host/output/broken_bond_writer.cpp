#include "host/output/broken_bond_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <tuple>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/storage/state_columns.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* header =
    "time[s],step,first,second,x[m],y[m],z[m],normal_x,normal_y,normal_z,normal_force[N],shear_force[N],"
    "bending_moment[N m],twisting_moment[N m],kind";
constexpr const char* ids_name = "broken_bonds/ids";
constexpr const char* values_name = "broken_bonds/values";
constexpr const char* kinds_name = "broken_bonds/kinds";
using IdsRow = std::array<std::uint32_t, 2>;
using ValuesRow = std::array<double, 11>;       // point, normal, normal force, shear force, two moments, strength
using KindsRow = std::array<std::uint64_t, 3>;  // tension, shear, unclear

}  // namespace

BrokenBondWriter::BrokenBondWriter(const std::filesystem::path& folder, const BrokenBondOutput& output,
                                   const Scene& scene, const Engine* resumed)
    : scene_(scene), table_(folder / "broken_bonds.csv", header), schedule_(output.every, scene) {
  if (resumed != nullptr) { table_.continue_before(resumed->step() + (due(*resumed) ? 1 : 0), true); }
}

RunTarget BrokenBondWriter::next(const Engine& engine) const {
  return engine.step() == 0 ? RunTarget{1} : schedule_.next(engine);
}

void BrokenBondWriter::look(Engine& engine, bool final_one) {
  open();
  if (engine.step() > 0 && engine.step() != last_step_ && (final_one || due(engine))) {
    std::vector<Bond> now = bonds_of(engine);
    kinds_ = kinds_of_due_;
    table_.add(rows_of_broken(now, engine, kinds_));
    // An extra look at an interruption changes nothing, so that a resumed run has the same rows as one without
    // interruption.
    if (due(engine)) {
      whole_ = std::move(now);
      kinds_of_due_ = kinds_;
    }
    last_step_ = engine.step();
  }
  table_.append();
}

std::vector<BrokenBondWriter::Bond> BrokenBondWriter::bonds_of(Engine& engine) {
  std::vector<ContactDetail> details;
  const std::vector<TouchingContact> contacts = engine.touching_contacts(&details);
  std::vector<Bond> bonds;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const TouchingContact& contact = contacts[c];
    if (contact.with_boundary || !details[c].bonded) { continue; }
    const double pressure = geometry::dot(contact.force, contact.normal);
    const double shear = geometry::length(geometry::along(contact.force, -pressure, contact.normal));
    const double twisting = geometry::dot(details[c].moment, contact.normal);
    const double bending = geometry::length(geometry::along(details[c].moment, -twisting, contact.normal));
    bonds.push_back({contact.first, contact.second, contact.point, contact.normal, pressure, shear, bending,
                     std::fabs(twisting), details[c].strength});
  }
  return bonds;
}

std::string BrokenBondWriter::rows_of_broken(const std::vector<Bond>& now, Engine& engine, BrokenKinds& kinds) const {
  std::vector<Bond> gone;
  std::set_difference(whole_.begin(), whole_.end(), now.begin(), now.end(), std::back_inserter(gone),
                      [](const Bond& a, const Bond& b) { return a.key() < b.key(); });
  if (gone.empty()) { return {}; }
  // A bond that leaves with a body does not break.
  const Snapshot bodies = engine.snapshot();
  const std::string moment = number_text(engine.time()) + "," + std::to_string(engine.step());
  std::string rows;
  for (const Bond& bond : gone) {
    if (!bodies.place_of(bond.first) || !bodies.place_of(bond.second)) { continue; }
    rows += (rows.empty() ? "" : "\n") + moment + "," + std::to_string(bond.first) + "," + std::to_string(bond.second);
    for (const Real3* vector : {&bond.point, &bond.normal}) {
      for (const double component : *vector) { rows += "," + number_text(component); }
    }
    rows += "," + number_text(bond.pressure) + "," + number_text(bond.shear) + "," + kind_of(bond, bodies, kinds);
  }
  return rows;
}

std::string BrokenBondWriter::kind_of(const Bond& bond, const Snapshot& bodies, BrokenKinds& kinds) const {
  const std::size_t one = *bodies.place_of(bond.first), two = *bodies.place_of(bond.second);
  if (scene_.is_of_grains(bodies.material[one])) { return "nan,nan,"; }  // its nodes break one by one
  const MaterialPair& pair = scene_.pair(bodies.material[one], bodies.material[two]);
  const double radius = std::min(bodies.radius[one], bodies.radius[two]), area = std::numbers::pi * radius * radius;
  // The ratio of each stress in the bond to its strength, as the law compares them.
  const double by_moments = pair.bond.moment_contribution / (area * radius);
  const double tension = -bond.pressure / area + 4 * by_moments * bond.bending;
  const double shear = bond.shear / area + 2 * by_moments * bond.twisting;
  const double bears_tension = bond.strength * pair.bond.tensile_strength;
  const double bears_shear = std::max(0.0, bond.strength * pair.bond.cohesion + pair.friction * bond.pressure / area);
  // The larger of the two ratios tells which strength the bond was closer to.
  const bool by_tension = tension * bears_shear >= shear * bears_tension;
  // Far from both strengths, the stresses at this look do not tell why the bond broke.
  const bool is_clear = tension >= 0.5 * bears_tension || shear >= 0.5 * bears_shear;
  const char* const kind = !is_clear ? ",unclear" : by_tension ? ",tension" : ",shear";
  ++(!is_clear ? kinds.unclear : by_tension ? kinds.tension : kinds.shear);
  return number_text(bond.bending) + "," + number_text(bond.twisting) + kind;
}

std::vector<StateArray> BrokenBondWriter::save() const {
  std::vector<IdsRow> ids;
  std::vector<ValuesRow> values;
  for (const Bond& bond : whole_) {
    ids.push_back({bond.first, bond.second});
    const auto &x = bond.point, &n = bond.normal;
    values.push_back(
        {x[0], x[1], x[2], n[0], n[1], n[2], bond.pressure, bond.shear, bond.bending, bond.twisting, bond.strength});
  }
  return {array_of(ids_name, "1", ValueType::uint32, std::tuple_size_v<IdsRow>, ids),
          array_of(values_name, "m, 1, N, N m, 1", ValueType::float64, std::tuple_size_v<ValuesRow>, values),
          array_of(kinds_name, "1", ValueType::uint64, std::tuple_size_v<KindsRow>,
                   std::vector<KindsRow>{{kinds_of_due_.tension, kinds_of_due_.shear, kinds_of_due_.unclear}})};
}

void BrokenBondWriter::restore(const std::vector<StateArray>& arrays) {
  if (const StateArray* const saved_kinds = find_array(arrays, kinds_name)) {  // not with older versions
    const auto rows = rows_of<KindsRow>(*saved_kinds, ValueType::uint64);
    if (rows.size() != 1) { throw StateError("broken_bonds/kinds has not one row"); }
    kinds_of_due_ = kinds_ = {rows[0][0], rows[0][1], rows[0][2]};
  } else if (!arrays.empty()) {
    table_.kept().notes.emplace_back(
        "series.csv: the checkpoint does not tell the kinds of the bonds that had broken: they count from this step");
  }
  const StateArray* const saved_ids = find_array(arrays, ids_name);
  const StateArray* const saved_values = find_array(arrays, values_name);
  if (saved_ids == nullptr || saved_values == nullptr) {
    table_.kept().notes.emplace_back(
        "broken_bonds.csv: the checkpoint does not tell which bonds were whole: those that break before the next look "
        "are missing");
    return;
  }
  const auto ids = rows_of<IdsRow>(*saved_ids, ValueType::uint32);
  const auto values = rows_of<ValuesRow>(*saved_values, ValueType::float64);
  if (ids.size() != values.size()) {
    throw StateError("the arrays broken_bonds/ do not have the same number of bonds");
  }
  whole_.clear();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const ValuesRow& v = values[k];
    whole_.push_back({ids[k][0], ids[k][1], {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6], v[7], v[8], v[9], v[10]});
    if (k > 0 && whole_[k].key() <= whole_[k - 1].key()) {
      throw StateError("the bonds of broken_bonds/ are not in the order of their ids");
    }
  }
}

}  // namespace scree
