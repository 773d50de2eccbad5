#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "host/commands/contact_path.hpp"
#include "scree/contact_test.hpp"

namespace scree {

/// Arguments of `scree contact`.
struct ContactArguments {
  std::filesystem::path case_file;
  std::vector<std::string> settings;  ///< PATH=VALUE
  std::vector<std::string> between;   ///< two names of materials
  std::filesystem::path path;         ///< CSV
  std::vector<double> radii;          ///< [m] of both spheres, or one radius for equal spheres or a wall; empty: 0.01
  bool wall = false;                  ///< the first body is a plane
  std::filesystem::path out;          ///< empty: the terminal
  std::filesystem::path traction;     ///< file for the tractions at the end of the path; empty: none
};

/// The steps along a path, one per place; nothing moves in the first step. Throws CaseError if two places follow each
/// other in too short a time.
[[nodiscard]] std::vector<ContactMove> contact_moves(const std::vector<ContactPlace>& path,
                                                     const ContactSetting& setting);

/// `scree contact`: drives one contact along a path and writes forces, history and energies of every step as CSV.
int run_contact(const ContactArguments& arguments, std::ostream& terminal);

}  // namespace scree
