#include "host/app/command_options.hpp"

#include <algorithm>
#include <thread>

#include "host/text/text.hpp"
#include "host/text/text_lines.hpp"

namespace scree {

CLI::Validator whole_number(long long least, long long most) {
  const auto check = [least, most](const std::string& text) {
    const bool digits = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
    const long long value = digits ? std::stoll(text) : -1;
    if (value >= least && value <= most) { return std::string(); }
    return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", got " + text;
  };
  return {check, "", ""};
}

CLI::Validator thread_count() { return whole_number(1, std::max(256U, 4 * std::thread::hardware_concurrency())); }

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto value = geometry::parse_number(text);
    if (value && *value >= least && *value <= most) { return std::string(); }
    return "must be a number from " + number_text(least) + " to " + number_text(most) + ", got " + text;
  };
  return {check, "", ""};
}

CLI::Validator word_among(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) {
    std::string known;
    for (const auto& name : names) {
      if (name == text) { return std::string(); }
      known += (known.empty() ? "" : ", ") + name;
    }
    return "must be one of " + known + ", got " + text;
  };
  return {check, "", ""};
}

void add_case_options(CLI::App& command, std::filesystem::path& case_file, std::vector<std::string>& settings) {
  command.add_option("CASE", case_file, "case file (JSON)")->required()->type_name("");
  auto* set =
      command.add_option("--set", settings, "replace a value of the case, as contacts.0.friction=0.3; repeatable");
  set->type_name("PATH=VALUE")->expected(1)->take_all();
}

void add_device(CLI::App& command, std::optional<int>& device) {
  command.add_option("--device", device, "number of the GPU, as scree doctor lists them (default: 0)")
      ->check(whole_number(0, 1'000'000))
      ->type_name("N");
}

}  // namespace scree
