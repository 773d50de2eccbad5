#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "case_problems.hpp"
#include "host/commands/contact.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/text.hpp"
#include "scratch_folder.hpp"

/// `scree contact` bonds its two bodies as a run does.
namespace scree::test::contact_bonds_test {

// The first number of the history is the strength of the bond, or 0. Gaps up to 0.4 mm are in range. The form "near"
// also bonds on the way. A wall has no bonds.
TEST(ContactOfBonds, AreMadeInTheirRange) {
  ScratchFolder folder;
  const std::string text = R"({ "time": { "duration": 1 }, "precision": "double",
    "materials": { "clay": { "density": 2000, "young_modulus": 5e6, "poisson_ratio": 0.25, "friction": 0.5 } },
    "contacts": [ { "between": ["*", "*"], "law": "bonded", "bond": { "tensile_strength": 1e6, "cohesion": 1e6,
      "interaction_range": 1.2, "form": "FORM" } } ],
    "particles": [ { "material": "clay", "radius": 1e-3, "positions": [[0, 0, 0]] } ] })";
  const auto column = [&](const std::string& form, const std::string& places, bool wall, const std::string& name) {
    write_text(folder / "case.json", replaced(text, "FORM", form));
    write_text(folder / "path.csv", "time,normal\n" + places);
    ContactArguments arguments;
    arguments.case_file = folder / "case.json";
    arguments.path = folder / "path.csv";
    arguments.between = {"clay", "clay"};
    arguments.radii = {1e-3};
    arguments.wall = wall;
    std::ostringstream terminal;
    EXPECT_EQ(run_contact(arguments, terminal), exit_done);
    std::istringstream lines(terminal.str());
    std::string line, values;
    std::size_t place = 0;
    for (bool header = true; std::getline(lines, line); header = false) {
      std::istringstream cells(line);
      std::string cell;
      for (std::size_t k = 0; std::getline(cells, cell, ','); ++k) {
        if (header && cell == name) { place = k; }
        if (!header && k == place) { values += (values.empty() ? "" : " ") + cell; }
      }
    }
    return values;
  };
  const std::string near = "0,-1e-4\n1e-3,-1e-4\n", later = "0,-5e-4\n1e-3,-1e-4\n", away = "0,-5e-4\n1e-3,-4.5e-4\n";
  for (const char* name : {"history_0", "touching"}) {
    EXPECT_EQ(column("start", near, false, name), "1 1");
    EXPECT_EQ(column("near", near, false, name), "1 1");
    EXPECT_EQ(column("start", later, false, name), "0 0");
    EXPECT_EQ(column("near", later, false, name), "0 1");
    EXPECT_EQ(column("near", away, false, name), "0 0");
    EXPECT_EQ(column("near", near, true, name), "0 0");
  }
}

}  // namespace scree::test::contact_bonds_test
