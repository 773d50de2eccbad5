#include "host/run/exit_code.hpp"

#include <new>
#include <ostream>
#include <string>

#include "host/text/printable.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

std::string fault_text(const KernelFault& fault) {
  std::string text = "step " + std::to_string(fault.step());
  if (!fault.ids().empty()) { text += fault.ids().size() == 1 ? ", particle" : ", particles"; }
  for (const auto id : fault.ids()) { text += " " + std::to_string(id); }
  return text + ": " + fault.what();
}

}  // namespace

Failure describe_failure(const std::exception& error) {
  if (const auto* input = dynamic_cast<const CaseError*>(&error)) {
    Failure failure{{}, exit_bad_input};
    for (const auto& problem : input->problems()) { failure.lines.push_back(problem.text()); }
    return failure;
  }
  if (const auto* fault = dynamic_cast<const KernelFault*>(&error)) { return {{fault_text(*fault)}}; }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) { return {{"not enough memory"}}; }
  if (dynamic_cast<const StateError*>(&error) != nullptr) { return {{error.what()}, exit_bad_input}; }
  const bool expected =
      dynamic_cast<const OutputError*>(&error) != nullptr || dynamic_cast<const BackendError*>(&error) != nullptr;
  return {{(expected ? "" : "this is a defect of scree, please report it: ") + std::string(error.what())}};
}

int guarded(const std::function<int()>& command, std::ostream& errors) {
  try {
    return command();
  } catch (const std::exception& error) {
    const Failure failure = describe_failure(error);
    for (const auto& line : failure.lines) { errors << "error: " << printable(line) << '\n'; }
    errors << std::flush;
    return failure.code;
  }
}

}  // namespace scree
