#include "errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "host/run/exit_code.hpp"
#include "host/text/printable.hpp"
#include "scree/errors.hpp"

namespace scree::python {

namespace nb = nanobind;

namespace {

/// The sentences that the command line prints, one per line.
std::string text_of(const std::exception& error) {
  std::string text;
  for (const std::string& line : describe_failure(error).lines) {
    text += (text.empty() ? "" : "\n") + printable(line);
  }
  return text;
}

/// Raises an exception of the module scree.errors.
template <class... Arguments>
void raise(const char* name, const Arguments&... arguments) {
  const nb::object type = nb::module_::import_("scree.errors").attr(name);
  const nb::object error = type(nb::cast(arguments)...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const CaseError& error) {
    nb::list pairs;
    for (const InputProblem& problem : error.problems()) {
      pairs.append(nb::make_tuple(problem.path, problem.message));
    }
    const nb::object type = nb::module_::import_("scree.errors").attr("CaseError");
    PyErr_SetObject(type.ptr(), type(text_of(error), pairs).ptr());
  } catch (const KernelFault& error) {
    raise("FaultError", text_of(error), error.step(), error.ids());
  } catch (const BackendError& error) { raise("BackendError", text_of(error)); } catch (const OutputError& error) {
    raise("OutputError", text_of(error));
  } catch (const StateError& error) { raise("StateError", text_of(error)); } catch (const ContractError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace

void translate_errors() { nb::register_exception_translator(translate, nullptr); }

}  // namespace scree::python
