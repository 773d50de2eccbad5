#include "host/output/column_names.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/output/series_columns.hpp"
#include "scree/errors.hpp"

namespace scree {

void check_column_names(const Scene& scene, const Probes& probes, bool has_kinds) {
  using NameAndPath = std::pair<std::string, std::string>;  // the path is empty for a name that all runs use
  std::vector<NameAndPath> columns;
  for (const SeriesColumn& column : series_columns(scene, has_kinds)) { columns.emplace_back(column.name, column.of); }
  for (const ProbeColumn& column : probes.columns_of_probes()) {
    columns.emplace_back(column.name, "output.series.probes." + column.probe);
  }
  std::map<std::string, std::string> path_of_name;
  std::set<std::pair<std::string, std::string>> told;  // one problem for two names, which may share many columns
  std::vector<InputProblem> problems;
  for (const auto& [name, path] : columns) {
    const auto [first, is_new] = path_of_name.try_emplace(name, path);
    if (is_new) { continue; }
    const auto& [changed, kept] = path.empty() ? std::pair(first->second, path) : std::pair(path, first->second);
    SCREE_EXPECT(!changed.empty(), "columns of all runs have different names");
    if (!told.insert({changed, kept}).second) { continue; }
    problems.push_back({changed, "makes a second column \"" + name + "\" in series.csv, beside that of " +
                                     (kept.empty() ? "the run itself" : kept) + "; choose another name"});
  }
  if (!problems.empty()) { throw CaseError(std::move(problems)); }
}

}  // namespace scree
