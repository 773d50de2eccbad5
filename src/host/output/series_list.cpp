#include "host/output/series_list.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "host/storage/atomic_file.hpp"
#include "host/text/text.hpp"

namespace scree {

void write_file_series(const std::filesystem::path& file,
                       const std::vector<std::pair<std::string, double>>& name_and_time) {
  std::string text = "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [";
  for (std::size_t i = 0; i < name_and_time.size(); ++i) {
    const auto& [name, time] = name_and_time[i];
    text += (i == 0 ? "\n" : ",\n");
    text += "    { \"name\": " + nlohmann::json(name).dump() + ", \"time\": " + number_text(time) + " }";
  }
  write_text_atomically(file, text + "\n  ]\n}\n", {}, NameOnDisk::after_sync_folder);
}

std::optional<std::vector<std::pair<std::string, double>>> read_file_series(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) { return std::nullopt; }
  std::vector<std::pair<std::string, double>> entries;
  for (const auto& entry : json["files"]) {
    if (!entry.is_object() || !entry.contains("name") || !entry.contains("time")) { return std::nullopt; }
    if (!entry["name"].is_string() || !entry["time"].is_number()) { return std::nullopt; }
    entries.emplace_back(entry["name"].get<std::string>(), entry["time"].get<double>());
  }
  return entries;
}

}  // namespace scree
