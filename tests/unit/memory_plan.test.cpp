#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "host/output/contact_frame.hpp"
#include "host/run/memory_plan.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/engine.hpp"

namespace scree::test::memory_plan_test {

/// A body-centred lattice of 8^3 cells in a periodic cell under compression: four contacts per particle, and each
/// contact gets one segment per step.
Scene crystal(const ScratchFolder& folder, const std::string& precision, const std::string& law) {
  constexpr int n = 8;
  const double edge = 0.01 * 2 / std::sqrt(3.0), size = n * edge;
  std::string particles = "x,y,z,radius\n";
  for (int i = 0; i < 2 * n * n * n; ++i) {
    const int cell = i / 2;
    const double shift = i % 2 == 0 ? 0.25 : 0.75;
    for (const int k : {cell % n, cell / n % n, cell / (n * n)}) {
      particles += std::to_string((k + shift) * edge) + ",";
    }
    particles += "0.00499\n";
  }
  write_text(folder / "crystal.csv", particles);
  const std::string length = std::to_string(size);
  const std::string text = R"({ "time": { "duration": 1, "step": 1e-5 }, "gravity": [0, 0, 0], "precision": ")" +
                           precision + R"(",
    "materials": { "sand": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
      "restitution": 0.5 } },
    "contacts": [ { "between": ["sand", "sand"], "law": ")" +
                           law + R"(" } ],
    "particles": [ { "material": "sand", "file": "crystal.csv" } ],
    "domain": { "periodic": { "size": [)" +
                           length + ", " + length + ", " + length + R"(] },
      "control": [ { "name": "push", "xx": { "strain_rate": -1 }, "yy": { "strain_rate": -1 },
        "zz": { "strain_rate": -1 } } ] } })";
  SceneReport report;
  return build_scene(parse_case(text, folder.path()), report);
}

std::uint64_t bytes_of(const std::vector<MemoryItem>& items, const std::string& name) {
  for (const MemoryItem& item : items) {
    if (item.name == name) { return item.bytes; }
  }
  return 0;
}

// The plan assumes 2.1 contacts per particle and the crystal has four, so the test plans longer histories with the same
// number of segments in all. The pool grows by an eighth and its ring by factors of two, hence a tolerance of 20 %.
TEST(MemoryPlan, IsWhatARunTakes) {
  ScratchFolder folder;
  for (const std::string precision : {"mixed", "double"}) {
    for (const std::string law : {"jaeger", "mindlin_reversal"}) {
      const Scene scene = crystal(folder, precision, law);
      const auto engine = make_engine(scene, {BackendChoice::host, 1});
      engine->advance(799);
      static_cast<void>(engine->search_neighbours());  // histories are carried over to the new list
      engine->advance(1);
      static_cast<void>(engine->critical_step());
      const EngineCounts counts = engine->counts();
      const MemoryPlan plan(scene, scene.particles.size());
      const auto memory = engine->memory();
      const double histories = double(bytes_of(memory, "load histories"));
      const double all = std::accumulate(memory.begin(), memory.end(), 0.0,
                                         [](double sum, const MemoryItem& item) { return sum + double(item.bytes); });
      EXPECT_NEAR(double(counts.contacts), 4096, 1) << law;
      EXPECT_NEAR(double(plan.bytes()), all - histories, 0.2 * (all - histories)) << precision << law;
      for (const MemoryItem& item : plan.items()) {
        if (item.name == "bodies" || item.name == "contact forces") {
          EXPECT_NEAR(double(item.bytes), double(bytes_of(memory, item.name)), 0.2 * double(item.bytes))
              << precision << law << item.name;
        }
      }
      if (law != "jaeger") { continue; }
      EXPECT_GT(counts.segments, 100 * counts.contacts);
      const double length =
          double(counts.segments) / (MemoryPlan::contacts_per_particle * double(scene.particles.size()));
      EXPECT_NEAR(double(plan.load_histories(length)), histories, 0.2 * histories) << precision;
    }
  }
}

// Each node has a place in memory and a force beside what a sphere has, and each particle a group: 18 of 134 bytes in
// mixed precision, where all particles are nodes. Of a membrane all else is the same as of bonded spheres.
TEST(MemoryPlan, CountsTheNodesOfMembranes) {
  for (const std::string precision : {"mixed", "double"}) {
    SceneReport report;
    const Scene scene = build_scene(
        parse_case(R"({ "time": { "duration": 1, "step": 1e-6 }, "gravity": [0, 0, 0], "precision": ")" + precision +
                       R"(", "materials": { "latex": { "density": 1000, "young_modulus": 3e5, "poisson_ratio": 0.2,
                                                       "friction": 0.2, "restitution": 0.3 } },
      "contacts": [ { "between": ["latex", "latex"], "law": "bonded",
                      "bond": { "tensile_strength": 1e5, "cohesion": 1e9 } } ],
      "particles": [ { "material": "latex", "radius": 0.001, "membrane": { "name": "sleeve", "from": [0, 0, 0],
                       "to": [0, 0, 0.08], "radius": 0.02, "pressure": -100, "ends": "rings" } } ],
      "groups": { "rings": { "fixed": ["x", "y"] } } })",
                   "/nowhere"),
        report);
    ASSERT_GT(scene.particles.size(), 2000U);
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    engine->advance(10);
    const double planned = double(bytes_of(MemoryPlan(scene, scene.particles.size()).items(), "bodies"));
    EXPECT_NEAR(planned, double(bytes_of(engine->memory(), "bodies")), 0.04 * planned) << precision;
  }
}

/// The copies of the arrays of spheres; those of a few other numbers do not count.
TEST(MemoryPlan, FramesInMemoryAreThreeSnapshots) {
  ScratchFolder folder;
  const Scene scene = crystal(folder, "mixed", "mindlin_reversal");
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(1);
  for (const bool all : {false, true}) {
    const Snapshot now =
        engine->snapshot({.force = all, .coordination = all, .damage = all, .fragment = all, .group = all});
    const auto bytes = [](const auto& values) { return values.size() * sizeof(values[0]); };
    const std::uint64_t one = bytes(now.id) + bytes(now.position) + bytes(now.velocity) + bytes(now.angular_velocity) +
                              bytes(now.radius) + bytes(now.material) + bytes(now.force) + bytes(now.coordination) +
                              bytes(now.image) + bytes(now.fluctuation) + bytes(now.damage) + bytes(now.fragment) +
                              bytes(now.group);
    FrameOutput output{.every = 1};
    if (all) { output.fields = {"force", "coordination_number", "damage", "fragment", "group"}; }
    EXPECT_EQ(frames_in_memory(scene, output, now.id.size()), 3 * one) << all;
  }
}

/// The columns of three tables of contacts, and what the engine hands over for one.
TEST(MemoryPlan, ContactsInMemoryAreThreeTables) {
  ScratchFolder folder;
  const Scene scene = crystal(folder, "mixed", "mindlin_reversal");
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(800);
  const ContactTable now = collect_contacts(*engine);
  ASSERT_GT(now.size(), 1000U);
  const auto bytes = [](const auto& values) { return values.size() * sizeof(values[0]); };
  const std::uint64_t one = bytes(now.ends) + bytes(now.first) + bytes(now.second) + bytes(now.with_boundary) +
                            bytes(now.bonded) + bytes(now.point) + bytes(now.normal) + bytes(now.normal_force) +
                            bytes(now.shear_force) + bytes(now.spring) + bytes(now.overlap) + bytes(now.cell_offset);
  const std::uint64_t handed_over = now.size() * (sizeof(TouchingContact) + sizeof(ContactDetail));
  const double contacts = MemoryPlan::contacts_per_particle * double(scene.particles.size());
  const double planned = double(contacts_in_memory(scene, scene.particles.size())) / std::floor(contacts);
  EXPECT_DOUBLE_EQ(planned, double(3 * one + handed_over) / double(now.size()));
}

TEST(MemoryPlan, GrowsWithParticlesAndLengths) {
  ScratchFolder folder;
  Scene scene = crystal(folder, "mixed", "jaeger");
  const MemoryPlan plan(scene, 1000000), twice(scene, 2000000);
  EXPECT_NEAR(double(twice.bytes()), 2 * double(plan.bytes()), 1000);
  EXPECT_EQ(plan.usual_lengths(), (std::vector<double>{100, 260}));
  // 2.1 million contacts with 252 segments in pages of 8 with 136 bytes: 9.0e9 bytes. Half a page for each contact, a
  // free page and 144 bytes for each listed pair, spare pages and the ring add a third.
  EXPECT_GT(plan.load_histories(260), 9.0e9);
  EXPECT_LT(plan.load_histories(260), 1.4 * 9.0e9);
  scene.pairs[0].jaeger.most_segments = 16;
  EXPECT_EQ(MemoryPlan(scene, 10).usual_lengths(), (std::vector<double>{16}));
}

}  // namespace scree::test::memory_plan_test
