#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "case_errors.hpp"
#include "case_problems.hpp"
#include "host/commands/contact.hpp"
#include "host/run/exit_code.hpp"
#include "scratch_folder.hpp"

/// `scree contact` has no films from which a bridge could take its liquid.
namespace scree::test::contact_films_test {

TEST(ContactOfFilms, IsRefusedInsteadOfDry) {
  ScratchFolder folder;
  const std::string wet = R"({ "time": { "duration": 1 },
    "materials": { "salt": { "density": 2000, "young_modulus": 5e6, "poisson_ratio": 0.25, "friction": 0.5,
                             "restitution": 0.5 } },
    "contacts": [ { "between": ["*", "*"], "liquid": { "surface_tension": 0.072, "contact_angle": 0.3,
                                                       "volume_fraction": 0.02, "from_films": true } } ],
    "particles": [ { "material": "salt", "radius": 1e-3, "film": 0.05, "positions": [[0, 0, 0]] } ] })";
  write_text(folder / "path.csv", "time,normal\n0,-1e-6\n0.001,1e-6\n");
  ContactArguments arguments;
  arguments.case_file = folder / "case.json";
  arguments.path = folder / "path.csv";
  arguments.between = {"salt", "salt"};
  arguments.radii = {1e-3};
  arguments.out = folder / "answer.csv";
  std::ostringstream terminal;
  write_text(folder / "case.json", wet);
  EXPECT_IN("contacts: the bridges of these two take their liquid from films",
            error_of([&] { (void)run_contact(arguments, terminal); }));
  const std::string without =
      replaced(replaced(wet, R"("from_films": true)", R"("from_films": false)"), R"("film": 0.05, )", "");
  write_text(folder / "case.json", without);
  EXPECT_EQ(run_contact(arguments, terminal), exit_done);
}

}  // namespace scree::test::contact_films_test
