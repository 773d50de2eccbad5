#include "host/commands/modes.hpp"

#include <ostream>

#include "host/commands/grain.hpp"
#include "host/grains/grain_file.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {

int run_modes(const ModesArguments& arguments, std::ostream& terminal) {
  const auto& choice = arguments.choice;
  if (!choice.vibrations && choice.planes.empty() && choice.points.empty() && choice.given.file.empty()) {
    throw CaseError("", "scree modes needs --vibration, --planes, --point or --from");
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(arguments.grain, error)) {
    throw CaseError(arguments.grain.string(), "there is no such file");
  }
  if (!grains::is_grain(arguments.grain)) {
    throw CaseError(arguments.grain.string(), "is no template of a grain; scree grain makes one with --out");
  }
  grains::GrainTemplate grain = grains::read_grain(arguments.grain);
  grain.shape.modes = {};
  const auto progress = [&](const std::string& what) { terminal << "  " << what << " ..." << std::endl; };
  modes::MadeModes made = modes::make_modes(grain.shape, arguments.choice, progress);
  grain.shape.modes = std::move(made.modes);
  grain.shape.hash = grains::hash_of(grain.shape);
  if (const auto fault = grains::fault_of(grain.shape)) {
    throw CaseError(arguments.grain.string(), "its modes cannot be used: " + *fault);
  }
  for (const std::string& line : made.report) terminal << "  " << line << "\n";
  print_modes(grain.shape, terminal);
  if (arguments.out.empty()) return exit_done;
  grains::write_grain(grain, arguments.out);
  terminal << "  wrote " << arguments.out.string() << ", " << bytes_text(std::filesystem::file_size(arguments.out))
           << "\n";
  return exit_done;
}

}  // namespace scree
