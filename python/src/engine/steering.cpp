#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "run.hpp"
#include "scree/errors.hpp"

/// What can be changed of a run between two steps.
namespace scree::python {
namespace {

template <std::size_t columns>
using Rows = std::optional<nb::ndarray<const double, nb::shape<-1, columns>, nb::c_contig, nb::device::cpu>>;
using Ids = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <std::size_t columns>
std::vector<std::array<double, columns>> rows_of(const Rows<columns>& rows) {
  std::vector<std::array<double, columns>> values;
  if (!rows) { return values; }
  values.resize(rows->shape(0));
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < columns; ++k) { values[i][k] = rows->data()[i * columns + k]; }
  }
  return values;
}

std::vector<std::uint32_t> ids_of(const Ids& ids) { return {ids.data(), ids.data() + ids.shape(0)}; }

void set_bodies(Run& run, const Ids& ids, const Rows<3>& position, const Rows<3>& velocity, const Rows<3>& spin) {
  run.changed().set_bodies({ids_of(ids), rows_of<3>(position), rows_of<3>(velocity), rows_of<3>(spin)});
}

void set_clumps(Run& run, const Ids& ids, const Rows<3>& position, const Rows<4>& orientation, const Rows<3>& velocity,
                const Rows<3>& spin) {
  run.changed().set_clumps(
      {ids_of(ids), rows_of<3>(position), rows_of<4>(orientation), rows_of<3>(velocity), rows_of<3>(spin)});
}

void join_group(Run& run, std::size_t index, const Ids& ids) { run.changed().join_group(index, ids_of(ids)); }

/// Throws ContractError for a wall whose servo moves it.
void expect_no_servo(Run& run, std::size_t boundary) {
  const auto& boundaries = run.run().scene().boundaries;
  if (boundary < boundaries.size() && boundaries[boundary].servo) {
    throw ContractError("the servo of the boundary moves it; stages can change what it holds, or its speed");
  }
}

void set_translation(Run& run, std::size_t boundary, const Real3& velocity) {
  expect_no_servo(run, boundary);
  run.changed().set_motion(boundary, {{.kind = Translation{.velocity = velocity}, .from = run.engine().time()}},
                           run.engine().time());
}

void set_rotation(Run& run, std::size_t boundary, const Real3& axis, const Real3& origin, double rate) {
  expect_no_servo(run, boundary);
  if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0) { throw ContractError("the axis must not be zero"); }
  run.changed().set_motion(
      boundary, {{.kind = Rotation{.axis = axis, .origin = origin, .rate = rate}, .from = run.engine().time()}},
      run.engine().time());
}

/// Null: no motion.
void set_surface(Run& run, std::size_t boundary, const std::optional<Real3>& velocity, const Real3& axis,
                 const Real3& origin, double rate) {
  const double now = run.engine().time();
  std::vector<Motion> motions;
  if (velocity) { motions.push_back({.kind = Translation{.velocity = *velocity}, .from = now}); }
  if (rate != 0) {
    if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0) { throw ContractError("the axis must not be zero"); }
    motions.push_back({.kind = Rotation{.axis = axis, .origin = origin, .rate = rate}, .from = now});
  }
  run.changed().set_surface_motion(boundary, motions, now);
}

/// Materials are those of the case; what holds for one holds for that of its level-set grains.
void set_friction(Run& run, const std::vector<std::tuple<std::uint32_t, std::uint32_t, double>>& values) {
  const Scene& scene = run.run().scene();
  const auto all = static_cast<std::uint32_t>(scene.materials.size());
  const std::uint32_t own = n_case_materials(scene);
  std::vector<PairFriction> changes;
  for (const auto& [first, second, friction] : values) {
    for (std::uint32_t a = first; a < all; a += own) {
      for (std::uint32_t b = second; b < all; b += own) { changes.push_back({a, b, friction}); }
    }
  }
  run.changed().set_friction(changes);
}

/// `axis`: the group turns about it; none: it does not.
void set_group(Run& run, std::size_t index, std::optional<std::uint32_t> fixed, std::optional<Real3> velocity,
               std::optional<Real3> angular_velocity, std::optional<Real3> axis, const Real3& origin, double rate,
               std::optional<Real3> force, std::optional<Real3> torque, std::optional<double> damping,
               std::optional<bool> gravity) {
  GroupChange change{.fixed = fixed,
                     .velocity = velocity,
                     .angular_velocity = angular_velocity,
                     .force = force,
                     .torque = torque,
                     .damping = damping,
                     .gravity = gravity};
  if (axis) { change.rotation = Rotation{.axis = *axis, .origin = origin, .rate = rate}; }
  run.expect_not_lent();
  static_cast<void>(run.engine());  // which says why where the run cannot go on
  run.run().simulation().set_group(index, change);
}

}  // namespace

void bind_steering(nb::class_<Run>& type) {
  type.def("begin_edit", [](Run& run) { run.changed().begin_edit(); })
      .def("end_edit", [](Run& run) { run.engine().end_edit(); })
      .def("set_bodies", &set_bodies, nb::arg("ids"), nb::arg("position").none(), nb::arg("velocity").none(),
           nb::arg("angular_velocity").none())
      .def("set_clumps", &set_clumps, nb::arg("ids"), nb::arg("position").none(), nb::arg("orientation").none(),
           nb::arg("velocity").none(), nb::arg("angular_velocity").none())
      .def("set_gravity", [](Run& run, const Real3& gravity) { run.changed().set_gravity(gravity); })
      .def("set_group", &set_group, nb::arg("index"), nb::arg("fixed").none(), nb::arg("velocity").none(),
           nb::arg("angular_velocity").none(), nb::arg("axis").none(), nb::arg("origin"), nb::arg("rate"),
           nb::arg("force").none(), nb::arg("torque").none(), nb::arg("damping").none(), nb::arg("gravity").none())
      .def("join_group", &join_group)
      .def("set_translation", &set_translation)
      .def("set_rotation", &set_rotation)
      .def("set_surface", &set_surface, nb::arg("boundary"), nb::arg("velocity").none(), nb::arg("axis"),
           nb::arg("origin"), nb::arg("rate"))
      .def("set_present", [](Run& run, std::size_t index, bool present) { run.changed().set_present(index, present); })
      .def("set_friction", &set_friction)
      .def("set_damping", [](Run& run, double damping, double viscous) { run.changed().set_damping(damping, viscous); })
      .def("set_time_step", [](Run& run, double fixed,
                               double safety) { run.changed().set_time_step(fixed, safety, run.engine().step()); })
      .def("set_drive",
           [](Run& run, std::size_t index, const Real3& force, double torque) {
             expect_no_servo(run, index);
             run.changed().set_drive(index, force, torque);
           })
      .def(
          "set_boundary_heat",
          [](Run& run, std::size_t index, std::optional<double> temperature, std::optional<double> flux) {
            run.changed().set_boundary_heat(index, temperature, flux);
          },
          nb::arg("boundary"), nb::arg("temperature").none(), nb::arg("flux").none());
}

}  // namespace scree::python
