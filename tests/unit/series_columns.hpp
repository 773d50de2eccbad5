#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scratch_folder.hpp"

namespace scree::test {

/// The rows of a series as numbers, by the names of columns.
inline std::map<std::string, std::vector<double>> columns_of(const std::filesystem::path& file) {
  std::istringstream text(read_text(file));
  std::string line, word;
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  std::getline(text, line);
  for (std::istringstream words(line); std::getline(words, word, ',');) { names.push_back(word); }
  while (std::getline(text, line)) {
    std::size_t k = 0;
    for (std::istringstream words(line); std::getline(words, word, ',');) {
      columns[names.at(k++)].push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  return columns;
}

}  // namespace scree::test
