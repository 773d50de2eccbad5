#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "arrays.hpp"
#include "errors.hpp"
#include "run.hpp"
#include "scree/body_access.hpp"
#include "scree/case_file.hpp"
#include "scree/machine.hpp"
#include "scree/version.hpp"

/// The module scree._engine: what scree/simulation.py and scree/case.py are made of. Users do not import it.
namespace scree::python {
namespace {

nb::object array_of_state(const StateArray& array) {
  const std::size_t rows = array.rows();
  const auto copy = [&]<class T>(T) -> nb::object {
    std::vector<T> values(rows * array.columns);
    if (!values.empty()) { std::memcpy(values.data(), array.bytes.data(), array.bytes.size()); }
    nb::object flat = array_of(std::move(values));
    return array.columns == 1 ? flat : flat.attr("reshape")(rows, array.columns);
  };
  switch (array.type) {
    case ValueType::float32: return copy(float{});
    case ValueType::float64: return copy(double{});
    case ValueType::uint8: return copy(std::uint8_t{});
    case ValueType::uint32: return copy(std::uint32_t{});
    case ValueType::uint64: return copy(std::uint64_t{});
  }
  return nb::none();
}

nb::list backends() {
  nb::list all;
  for (const BackendStatus& status : backend_status()) {
    nb::dict values;
    values["name"] = status.name, values["compiled"] = status.compiled, values["usable"] = status.usable;
    values["detail"] = status.detail, values["devices"] = status.devices;
    all.append(values);
  }
  return all;
}

}  // namespace
}  // namespace scree::python

NB_MODULE(_engine, module) {
  namespace nb = nanobind;
  using namespace scree;
  using namespace scree::python;
  translate_errors();
  nb::set_leak_warnings(false);  // a run that lives until the interpreter ends is no leak
  module.attr("version") = SCREE_VERSION;
  module.attr("removed_place") = removed_place;
  module.def("schema", &case_schema);
  module.def("backends", &backends);
  module.def("granted_cores", [] { return granted_cores(); });
  module.def("resolve",
             [](const std::string& text, const std::string& folder, const std::vector<std::string>& settings) {
               return write_case(parse_case(text, folder, settings));
             });

  nb::class_<SavedState>(module, "SavedState")
      .def_ro("step", &SavedState::step)
      .def_prop_ro("names",
                   [](const SavedState& state) {
                     std::vector<std::string> names;
                     for (const StateArray& array : state.engine.arrays) { names.push_back(array.name); }
                     return names;
                   })
      .def("__getitem__", [](const SavedState& state, const std::string& name) {
        const StateArray* array = state.engine.find(name);
        if (array == nullptr) { throw nb::key_error(name.c_str()); }
        return array_of_state(*array);
      });

  nb::class_<Run> type(module, "Run");
  type.def(nb::init<const std::string&, const std::string&, const std::vector<std::string>&, const std::string&,
                    const std::string&, const std::string&, int, std::optional<int>, std::optional<std::uint64_t>, bool,
                    bool>(),
           nb::arg("text"), nb::arg("folder"), nb::arg("settings"), nb::arg("name"), nb::arg("out"), nb::arg("backend"),
           nb::arg("threads"), nb::arg("device").none(), nb::arg("steps").none(), nb::arg("resume"),
           nb::arg("overwrite"))
      .def("advance", &Run::advance, nb::arg("target"), nb::arg("progress").none())
      .def("request_stop", &Run::request_stop)
      .def("begin", &Run::begin)
      .def("finish", &Run::finish)
      .def("write_checkpoint", &Run::write_checkpoint)
      .def("take_messages", &Run::take_messages)
      .def("save", &Run::save)
      .def("restore", &Run::restore);
  bind_readouts(type);
  bind_steering(type);
}
