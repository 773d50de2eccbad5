#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Which contacts with boundaries go on in cases that start from another run.
namespace scree::test::start_at_boundaries_test {

class StartAtBoundaries : public testing::Test, protected StartRuns {
 protected:
  /// A floor of triangles, in rows of `n`, whose list begins with triangle `first`.
  void write_floor(int n, int first = 0) {
    std::string text;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        text += "v " + std::to_string(0.03 * i / n) + " " + std::to_string(0.03 * j / n) + " 0\n";
      }
    }
    std::vector<std::string> faces;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int a = i * (n + 1) + j + 1, c = a + n + 1;
        const auto number = [](int k) { return " " + std::to_string(k); };
        faces.push_back("f" + number(a) + number(c) + number(c + 1) + "\n");
        faces.push_back("f" + number(a) + number(c + 1) + number(a + 1) + "\n");
      }
    }
    for (std::size_t k = 0; k < faces.size(); ++k) {
      text += faces[(k + static_cast<std::size_t>(first)) % faces.size()];
    }
    write_text(folder_ / "floor.obj", text);
  }
  /// Spheres of glass that slide along a floor of rubber to a wall of steel.
  static std::string text(const std::string& rules, const std::string& more) {
    const auto material = [](const char* name) {
      return "\"" + std::string(name) + R"(": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25,)" +
             R"( "friction": 0.4, "restitution": 0.5 })";
    };
    return R"({ "time": { "duration": 0.04, "step": 1e-5 }, "precision": "double", "gravity": [3, 0, -9.81],
      "materials": { )" +
           material("glass") + ", " + material("rubber") + ", " + material("steel") + R"( },
      "contacts": [ )" +
           rules + R"( { "between": ["*", "*"] } ],
      "boundaries": {
        "floor": { "type": "mesh", "file": "floor.obj", "material": "rubber" },
        "walls": { "type": "box", "min": [0, 0, -1], "max": [0.03, 0.03, 1], "material": "steel" } }, )" +
           more + "}";
  }
  static inline const std::string filled = R"("particles": [ { "material": "glass", "radius": 0.001,
      "velocity": [0, 0, -0.3], "fill": { "box": [[0, 0, 0], [0.03, 0.03, 0.006]], "count": 150 } } ],
      "output": { "checkpoints": { "every": 0.04 } })";
  static inline const std::string from_packing = R"("start": "packing/checkpoints")";

  void SetUp() override {
    write_floor(4);
    write_text(folder_ / "packing.json", text("", filled));
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  /// Contacts with boundaries that go on, and those that begin anew.
  struct Numbers {
    std::size_t lasting = 0, anew = 0;
    bool operator==(const Numbers&) const = default;
  };
  Numbers numbers(const std::string& rules, const std::string& more = from_packing) {
    write_text(folder_ / "case.json", text(rules, more));
    Started next = started();
    Numbers result;
    for (const std::string& note : next.notes) {
      if (note.find("with boundaries go on") != std::string::npos) { result.lasting = std::stoul(note.substr(7)); }
      if (note.find("with boundaries begin anew") != std::string::npos) { result.anew = std::stoul(note.substr(7)); }
    }
    EXPECT_EQ(next.engine->counts().boundary_contacts, result.lasting);
    next.engine->advance(20);
    return result;
  }
};

TEST_F(StartAtBoundaries, TheLawOfParticleAndBoundaryDecides) {
  const Numbers all = numbers("");
  EXPECT_GT(all.lasting, 50U);
  EXPECT_EQ(all.anew, 0U);
  const Numbers floor_of_jkr = numbers(R"({ "between": ["glass", "rubber"], "law": "jkr", "surface_energy": 0.1 },)");
  EXPECT_GT(floor_of_jkr.lasting, 3U) << "those with the walls";
  EXPECT_GT(floor_of_jkr.anew, 20U) << "those with the floor";
  EXPECT_EQ(floor_of_jkr.lasting + floor_of_jkr.anew, all.lasting);
  const std::string plastic = R"({ "between": ["glass", "steel"], "law": "luding", "normal_stiffness": 2000,
      "shear_stiffness": 1000, "plasticity": { "ratio": 0.6, "adhesion": 0.5 } },)";
  EXPECT_EQ(numbers(plastic), (Numbers{floor_of_jkr.anew, floor_of_jkr.lasting}));
  EXPECT_EQ(numbers(R"({ "between": ["glass", "glass"], "law": "cundall_strack" },)"), all)
      << "the law among particles does not matter";
}

TEST_F(StartAtBoundaries, AFloorOfOtherTrianglesIsNotTheSame) {
  const Numbers all = numbers("");
  write_floor(4, 5);
  const Numbers reordered = numbers("");
  EXPECT_GT(reordered.anew, 20U);
  EXPECT_GT(reordered.lasting, 3U) << "the walls are the same";
  EXPECT_EQ(reordered.lasting + reordered.anew, all.lasting);
  write_floor(1);
  EXPECT_EQ(numbers(""), reordered) << "although there are fewer triangles";
  write_floor(10);
  EXPECT_EQ(numbers(""), reordered);
}

// The planes of a boundary that is new come before those of the walls.
TEST_F(StartAtBoundaries, AnotherBoundaryChangesNothingOfTheOthers) {
  const Numbers all = numbers("");
  std::string more = text("", from_packing);
  more.replace(more.find("\"floor\""), 7,
               R"("lid": { "type": "plane", "point": [0, 0, 0.5], "normal": [0, 0, -1], "material": "steel" },
        "post": { "type": "cylinder", "from": [0, 0, 0.6], "to": [0, 0, 0.7], "radius": 0.01, "material": "steel" },
        "floor")");
  write_text(folder_ / "case.json", more);
  Started next = started();
  EXPECT_EQ(next.engine->counts().boundary_contacts, all.lasting);
  write_text(folder_ / "case.json", text("", from_packing));
  Started alone = started();
  next.engine->advance(50), alone.engine->advance(50);
  EXPECT_EQ(next.engine->snapshot().position, alone.engine->snapshot().position);
  EXPECT_EQ(next.engine->snapshot().angular_velocity, alone.engine->snapshot().angular_velocity);
}

}  // namespace scree::test::start_at_boundaries_test
