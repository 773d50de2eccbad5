#include "scree/case_file.hpp"

#include <fstream>
#include <sstream>

#include "host/text/input_file.hpp"
#include "scree/errors.hpp"

namespace scree {

// parse_case is in io/read.cpp, write_case in io/write.cpp, case_schema in schema.cpp, frame_field_names in
// frame_fields.cpp.

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  const auto unusable = input_file_problem(file, "a case file");
  if (unusable) {
    throw CaseError(file.string(), *unusable == "does not exist" ? "there is no such case file" : *unusable);
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw CaseError(file.string(), "the case file cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    return parse_case(text.str(), folder, settings);
  } catch (const CaseError& error) {
    std::vector<InputProblem> problems = error.problems();
    for (InputProblem& problem : problems) {
      if (problem.path.empty()) problem.path = file.string();
    }
    throw CaseError(std::move(problems));
  }
}

}  // namespace scree
