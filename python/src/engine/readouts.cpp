#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "run.hpp"
#include "scree/errors.hpp"

/// What can be read of a run. All arrays are copies, of which NumPy becomes the owner.
namespace scree::python {
namespace {

nb::tuple vector_of(const Real3& a) { return nb::make_tuple(a[0], a[1], a[2]); }

nb::object matrix_of(const Matrix3& m) { return array_of(std::vector<Real3>(m.begin(), m.end())); }

nb::dict counts(Run& run) {
  const EngineCounts c = run.engine().counts();
  nb::dict values, removed;
  values["particles"] = c.particles, values["clumps"] = c.clumps, values["inserted"] = c.inserted;
  values["candidates"] = c.candidates, values["contacts"] = c.contacts, values["wall_contacts"] = c.boundary_contacts;
  values["rebuilds"] = c.searches, values["bonds"] = c.bonds, values["broken_bonds"] = c.broken_bonds;
  for (std::size_t i = 0; i < c.removed.size(); ++i) {
    removed[run.run().scene().outlet_names[i].c_str()] = nb::make_tuple(c.removed[i], c.removed_mass[i]);
  }
  values["removed"] = removed;
  return values;
}

nb::dict critical_step(Run& run) {
  const CriticalStep c = run.engine().critical_step();
  const Scene& scene = run.run().scene();
  nb::dict values;
  values["value"] = c.value;
  if (c.contacts == 0) { return values; }
  values["particle"] = c.particle, values["rotation"] = c.rotation, values["radius"] = c.radius;
  values["material"] = scene.material_names[c.material], values["contacts"] = c.contacts;
  values["partner"] = c.with_boundary ? nb::cast(scene.boundaries[c.partner].name) : nb::cast(c.partner);
  return values;
}

nb::dict watch(Run& run) {
  const ContactWatch w = run.engine().watch();
  nb::dict values;
  values["step"] = w.step, values["overlap"] = w.overlap, values["most_overlap"] = w.most_overlap;
  values["critical_step"] = w.critical, values["least_critical_step"] = w.least_critical;
  return values;
}

nb::dict energies(Run& run) {
  const EnergyLedger e = run.engine().energies();
  nb::dict values;
  values["kinetic_translation"] = e.kinetic_translation, values["kinetic_rotation"] = e.kinetic_rotation,
  values["elastic"] = e.elastic;
  values["kinetic_modes"] = e.vibration, values["elastic_modes"] = e.deformation;
  values["work_gravity"] = e.gravity, values["work_boundaries"] = e.boundaries, values["work_groups"] = e.groups;
  values["work_cell"] = e.cell, values["work_fluid"] = e.fluid, values["lost_friction"] = e.friction,
  values["lost_viscous"] = e.viscous;
  values["lost_damping"] = e.damping, values["lost_modes"] = e.modes, values["lost_breakage"] = e.breakage;
  values["lost_parting"] = e.parting, values["lost_removed"] = e.removed, values["energy_error"] = e.error;
  return values;
}

nb::dict boundary_loads(Run& run) {
  const auto loads = run.engine().boundary_loads();
  nb::dict all;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const BoundaryLoad& load = loads[i];
    nb::dict values;
    values["force"] = vector_of(load.force), values["torque"] = vector_of(load.torque), values["work"] = load.work;
    values["shift"] = vector_of(load.shift), values["velocity"] = vector_of(load.velocity);
    values["angle"] = load.angle, values["rate"] = load.rate;
    values["growth"] = load.growth, values["growth_rate"] = load.growth_rate;
    values["radial_force"] = load.radial_force;
    all[run.run().scene().boundaries[i].name.c_str()] = values;
  }
  return all;
}

nb::dict contacts(Run& run) {
  const auto list = run.engine().touching_contacts();
  nb::dict arrays;
  arrays["first"] = column_of(list, &TouchingContact::first),
  arrays["second"] = column_of(list, &TouchingContact::second);
  std::vector<std::uint8_t> with_boundary;
  for (const auto& contact : list) { with_boundary.push_back(contact.with_boundary ? 1 : 0); }
  arrays["with_boundary"] = array_of(std::move(with_boundary)).attr("astype")("bool");
  arrays["force"] = column_of(list, &TouchingContact::force),
  arrays["normal"] = column_of(list, &TouchingContact::normal);
  arrays["point"] = column_of(list, &TouchingContact::point),
  arrays["branch"] = column_of(list, &TouchingContact::branch);
  arrays["couple"] = column_of(list, &TouchingContact::couple);
  arrays["cell_offset"] = column_of(list, &TouchingContact::cell_offset);
  return arrays;
}

nb::dict clumps_of(std::vector<SnapshotClump>&& clumps) {
  nb::dict arrays;
  arrays["id"] = column_of(clumps, &SnapshotClump::id), arrays["shape"] = column_of(clumps, &SnapshotClump::shape);
  arrays["first"] = column_of(clumps, &SnapshotClump::first);
  arrays["members"] = column_of(clumps, &SnapshotClump::members),
  arrays["mass"] = column_of(clumps, &SnapshotClump::mass);
  arrays["inertia"] = column_of(clumps, &SnapshotClump::inertia);
  arrays["position"] = column_of(clumps, &SnapshotClump::position);
  arrays["orientation"] = column_of(clumps, &SnapshotClump::orientation);
  arrays["velocity"] = column_of(clumps, &SnapshotClump::velocity);
  arrays["angular_velocity"] = column_of(clumps, &SnapshotClump::angular_velocity);
  nb::list amplitudes;
  for (auto& clump : clumps) { amplitudes.append(array_of(std::move(clump.amplitude))); }
  arrays["amplitude"] = amplitudes;
  return arrays;
}

nb::dict snapshot(Run& run, bool force, bool coordination, bool damage) {
  const bool hot = run.run().scene().heat.has_value();
  const bool lossy = run.run().scene().sums_losses;
  const bool wet = run.run().scene().has_films();
  Snapshot s = run.engine().snapshot({.force = force,
                                      .coordination = coordination,
                                      .damage = damage,
                                      .temperature = hot,
                                      .dissipated = lossy,
                                      .film = wet});
  nb::dict arrays;
  arrays["id"] = array_of(std::move(s.id)), arrays["position"] = array_of(std::move(s.position));
  arrays["velocity"] = array_of(std::move(s.velocity)), arrays["radius"] = array_of(std::move(s.radius));
  arrays["angular_velocity"] = array_of(std::move(s.angular_velocity));
  for (auto& material : s.material) { material = run.run().scene().case_material(material); }
  arrays["material"] = array_of(std::move(s.material));
  if (force) { arrays["force"] = array_of(std::move(s.force)); }
  if (coordination) { arrays["coordination_number"] = array_of(std::move(s.coordination)); }
  if (damage) { arrays["damage"] = array_of(std::move(s.damage)); }
  if (hot) { arrays["temperature"] = array_of(std::move(s.temperature)); }
  if (wet) { arrays["film"] = array_of(std::move(s.film)); }
  if (lossy) { arrays["dissipated_energy"] = array_of(std::move(s.dissipated)); }
  if (run.run().scene().cell) {
    arrays["image"] = array_of(std::move(s.image));
    arrays["fluctuation_velocity"] = array_of(std::move(s.fluctuation));
  }
  arrays["clumps"] = clumps_of(std::move(s.clumps));
  return arrays;
}

nb::object cell(Run& run) {
  const auto state = run.engine().cell();
  if (!state) { return nb::none(); }
  nb::dict values;
  values["edges"] = matrix_of(state->edges), values["origin"] = vector_of(state->origin);
  values["deformation"] = matrix_of(state->deformation),
  values["velocity_gradient"] = matrix_of(state->velocity_gradient);
  values["volume"] = state->volume, values["stage"] = state->stage;
  return values;
}

nb::dict stage_times(Run& run) {
  nb::dict values;
  for (const LaunchTime& launch : run.engine().launch_times()) {
    if (launch.seconds > 0) { values[launch.kind.c_str()] = launch.seconds; }
  }
  return values;
}

nb::dict memory(Run& run) {
  nb::dict values;
  for (const MemoryItem& item : run.engine().memory()) { values[item.name.c_str()] = item.bytes; }
  return values;
}

nb::dict named_units(Run& run) {
  nb::dict units;
  for (const BodyColumn& column : run.bodies().columns) { units[column.name.c_str()] = column.unit; }
  return units;
}

nb::dict description(Run& run, const std::string& name) {
  const BodyColumns all = run.bodies();
  nb::dict values;
  for (const BodyColumn& column : all.columns) {
    if (column.name != name) { continue; }
    values["pointer"] = reinterpret_cast<std::uintptr_t>(column.data);
    values["rows"] = all.rows, values["columns"] = column.columns, values["stride"] = column.stride;
    values["type"] = column.type == ValueType::float64 ? "<f8" : column.type == ValueType::float32 ? "<f4" : "<u4";
  }
  return values;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) { names.push_back(item.name); }
  return names;
}

}  // namespace

void bind_readouts(nb::class_<Run>& type) {
  type.def_prop_ro("step", [](Run& run) { return run.engine().step(); })
      .def_prop_ro("time", [](Run& run) { return run.engine().time(); })
      .def_prop_ro("last_step", [](Run& run) { return run.run().simulation().last_step(); })
      .def_prop_ro("over", [](Run& run) { return run.run().simulation().over(); })
      .def_prop_ro("closed", &Run::closed)
      .def_prop_ro("time_step", [](Run& run) { return run.run().scene().time_step; })
      .def_prop_ro("adaptive", [](Run& run) { return run.run().scene().adaptive.has_value(); })
      .def_prop_ro("time_step_reason", [](Run& run) { return run.run().report().time_step_reason; })
      .def_prop_ro("gravity", [](Run& run) { return vector_of(run.engine().gravity()); })
      .def_prop_ro("backend", [](Run& run) { return run.engine().backend(); })
      .def_prop_ro("case_text", [](Run& run) { return run.run().case_text(); })
      .def_prop_ro("damping",
                   [](Run& run) {
                     const Integration motion = run.engine().integration();
                     return nb::make_tuple(motion.damping, motion.viscous_damping);
                   })
      .def_prop_ro("material_names",
                   [](Run& run) {
                     const Scene& scene = run.run().scene();
                     std::vector<std::string> names = scene.material_names;
                     names.resize(n_case_materials(scene));
                     return names;
                   })
      .def_prop_ro("boundary_names", [](Run& run) { return names_of(run.run().scene().boundaries); })
      .def_prop_ro("group_names", [](Run& run) { return names_of(run.run().scene().groups); })
      .def_prop_ro("on_gpu", [](Run& run) { return run.bodies().on_gpu; })
      .def_prop_ro("device", [](Run& run) { return run.bodies().device; })
      .def("hash", [](Run& run) { return run.engine().hash().text(); })
      .def("counts", &counts)
      .def("critical_step", &critical_step)
      .def("watch", &watch)
      .def("energies", &energies)
      .def("fluid_force",
           [](Run& run) {
             if (!run.run().scene().fluid) { throw ContractError("the case has no fluid"); }
             return vector_of(run.engine().fluid_force());
           })
      .def("boundary_loads", &boundary_loads)
      .def("boundary_vertices",
           [](Run& run, std::size_t index) { return array_of(run.engine().boundary_vertices(index)); })
      .def("contacts", &contacts)
      .def("snapshot", &snapshot, nb::arg("force"), nb::arg("coordination"), nb::arg("damage"))
      .def("cell", &cell)
      .def("stage_times", &stage_times)
      .def("memory", &memory)
      .def("body_units", &named_units)
      .def("body_column", &description)
      .def("lend", [](nb::handle self, const std::string& name) { return Run::lend(self, name); })
      .def_prop_ro("lent", &Run::lent);
}

}  // namespace scree::python
