#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "scree/contact_test.hpp"

namespace scree {

/// Arguments of `scree contact`.
struct ContactArguments {
  std::filesystem::path case_file;
  std::vector<std::string> settings;  ///< PATH=VALUE
  std::vector<std::string> between;   ///< two names of materials
  std::filesystem::path path;         ///< CSV
  std::vector<double> radii;          ///< [m] of both; one with a wall, or of equal spheres; empty: 0.01
  bool wall = false;                  ///< the first is a plane
  std::filesystem::path out;          ///< empty: the terminal
  std::filesystem::path traction;     ///< of the end of the path; empty: none
};

/// One line of a path: where the contact is then.
struct ContactPlace {
  double time = 0;                    ///< [s]
  Real3 approach{};                   ///< [m] normal (positive: into contact), and of body 2 along y and z
  std::array<Real3, 2> rotation{};    ///< [rad] of body 1 and body 2, each the integral of its angular velocity
};

/// Reads a path from the text of a CSV file; `name` stands in errors. Throws CaseError.
[[nodiscard]] std::vector<ContactPlace> parse_contact_path(const std::string& content, const std::string& name);

/// The steps along a path, one per place; the first stands still.
[[nodiscard]] std::vector<ContactMove> contact_moves(const std::vector<ContactPlace>& path, const ContactSetting& setting);

/// `scree contact`: drives one contact along a path and writes forces, history and energies of every step as CSV.
int run_contact(const ContactArguments& arguments, std::ostream& terminal);

}  // namespace scree
