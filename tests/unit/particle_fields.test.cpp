#include "host/output/particle_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cell_engine.hpp"
#include "host/case/frame_fields.hpp"
#include "host/checkpoint/hdf5_reader.hpp"
#include "host/output/vtkhdf.hpp"
#include "scratch_folder.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::test::particle_fields_test {

/// The request is for this field alone, so it must name the part of the snapshot that the field needs.
TEST(ParticleFields, EachIsWrittenFromTheSnapshotThatItAsksFor) {
  const ScratchFolder folder;
  CellEngine engine(cell_scene({{0.25, 0.5, 0.5}, {0.75, 0.5, 0.5}}));
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const std::string& field : frame_field_names()) {
      const auto file = folder / (field + ".vtkhdf");
      write_particle_frame(file, engine.snapshot(snapshot_request({field})), {field}, precision, engine.cell());
      const StateArray values = Hdf5Reader(file).read("/VTKHDF/PointData/" + field);
      EXPECT_EQ(values.rows(), 2U) << field;
      if (field == "clump") { continue; }  // it is compressed
      EXPECT_EQ(values.bytes.size(), 2 * bytes_per_particle(field, precision)) << field;
    }
  }
}

TEST(ParticleFields, ThoseOfASceneAreThoseThatItCanFill) {
  Scene scene = small_scene();
  const auto has = [&](const std::string& field) {
    const auto fields = frame_fields_of(scene);
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  };
  EXPECT_TRUE(has("velocity"));
  for (const char* field : {"image", "temperature", "dissipated_energy", "film"}) { EXPECT_FALSE(has(field)) << field; }
  scene.cell.emplace();
  EXPECT_TRUE(has("image") && has("fluctuation_velocity") && has("unwrapped_position"));
  scene.heat.emplace();
  EXPECT_TRUE(has("temperature"));
  scene.sums_losses = true;
  EXPECT_TRUE(has("dissipated_energy"));
  scene.pairs[0].liquid.emplace();
  EXPECT_FALSE(has("film"));
  scene.pairs[0].liquid->from_films = true;
  EXPECT_TRUE(has("film"));
  EXPECT_EQ(frame_fields_of(scene), frame_field_names());
}

TEST(ParticleFields, AnotherNameIsADefect) {
  EXPECT_THROW((void)snapshot_request({"colour"}), ContractError);
  EXPECT_THROW((void)bytes_per_particle("colour", Precision::mixed), ContractError);
}

TEST(ParticleFields, OneOfACellNeedsACell) {
  const ScratchFolder folder;
  CellEngine engine(cell_scene({{0.25, 0.5, 0.5}}));
  for (const std::string& field : frame_field_names()) {
    if (needs_of_field(field) != FieldNeeds::cell) { continue; }
    EXPECT_THROW(write_particle_frame(folder / "a.vtkhdf", engine.snapshot(), {field}, Precision::mixed), ContractError)
        << field;
  }
}

TEST(ParticleFields, ThePageOfOutputHasARowForEach) {
  const std::string page = read_text(std::filesystem::path(SCREE_SOURCE_DIR) / "docs/output.md");
  for (const std::string& field : frame_field_names()) {
    EXPECT_NE(page.find("\n| `PointData/" + field + "` |"), std::string::npos) << field;
  }
}

}  // namespace scree::test::particle_fields_test
