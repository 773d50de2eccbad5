#include <gtest/gtest.h>

#include <sstream>

#include "cell_engine.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/info.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/series_writer.hpp"
#include "host/output/vtkhdf.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scratch_folder.hpp"

namespace scree::test::cell_output_test {

TEST(CellSeries, HasTheColumnsOfTheCell) {
  const ScratchFolder folder;
  Scene scene = cell_scene({{0.1, 0.2, 0.3}, {0.7, 0.9, 0.4}});
  scene.energies = true;
  CellEngine engine(scene);
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  std::stringstream text(read_text(folder / "series.csv"));
  std::string header, row;
  std::getline(text, header);
  std::getline(text, row);
  EXPECT_NE(
      header.find(",volume[m3],void_ratio,strain_xx,strain_yy,strain_zz,strain_yz,strain_xz,strain_xy,stress_xx[Pa],"),
      std::string::npos);
  EXPECT_TRUE(header.ends_with(",coordination,coordination_mechanical,unbalanced_force,stage,work_cell[J]"));
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
  EXPECT_TRUE(row.ends_with(",0,42"));
  scene.cell.reset();
  EXPECT_EQ(series_header(scene).find("volume"), std::string::npos);
}

TEST(CellFrames, TellEdgesOriginAndOwnFields) {
  const ScratchFolder folder;
  Scene scene = cell_scene({{1.25, 0.5, -0.5}});
  scene.cell->edges = {{{1, 0, 0}, {0.25, 1, 0}, {0, 0, 1}}};
  scene.cell->origin = {0.5, 0, 0};
  scene.particles.velocity = {{3, 0, 0}};
  CellEngine engine(scene);
  engine.state.velocity_gradient = {{{0, 2, 0}, {0, 0, 0}, {0, 0, 0}}};
  FrameWriter writer(folder.path(),
                     {.every = 1, .fields = {"velocity", "fluctuation_velocity", "image", "unwrapped_position"}},
                     scene);
  writer.write(engine);
  const auto file = folder / "frames/frame_000000.vtkhdf";
  const Hdf5Reader frame(file);
  const auto doubles = [](const Hdf5Reader& from, const std::string& path) {
    const StateArray array = from.read(path);
    std::vector<double> values;
    for (std::size_t k = 0; k < array.rows() * array.columns; ++k) {
      if (array.type == ValueType::float32) {
        values.push_back(reinterpret_cast<const float*>(array.bytes.data())[k]);
      } else {
        values.push_back(reinterpret_cast<const double*>(array.bytes.data())[k]);
      }
    }
    return values;
  };
  EXPECT_EQ(frame.shape("/VTKHDF/FieldData/cell").columns, 3U);
  EXPECT_EQ(doubles(frame, "/VTKHDF/FieldData/cell"), (std::vector<double>{1, 0, 0, 0.25, 1, 0, 0, 0, 1}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/FieldData/cell_origin"), (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/Points"), (std::vector<double>{1.25, 0.5, 0.5}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/unwrapped_position"), (std::vector<double>{1.25, 0.5, -0.5}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/velocity"), (std::vector<double>{4, 0, 0}));
  EXPECT_EQ(doubles(frame, "/VTKHDF/PointData/fluctuation_velocity"), (std::vector<double>{3, 0, 0}));
  const StateArray image = frame.read("/VTKHDF/PointData/image");
  std::array<std::int32_t, 3> n{};
  ASSERT_EQ(image.bytes.size(), sizeof n);
  std::memcpy(n.data(), image.bytes.data(), sizeof n);
  EXPECT_EQ(n, (std::array<std::int32_t, 3>{0, 0, -1}));
  // The outline of the cell has eight corners, new ones in each frame.
  engine.advance(1);
  engine.state.edges[1] = {0.5, 1, 0};
  writer.write(engine);
  const auto corners = doubles(Hdf5Reader(folder / "boundaries/cell/frame_000001.vtkhdf"), "/VTKHDF/Points");
  ASSERT_EQ(corners.size(), 24U);
  EXPECT_EQ(std::vector<double>(corners.end() - 3, corners.end()), (std::vector<double>{2, 1, 1}));
  EXPECT_TRUE(std::filesystem::exists(folder / "boundaries/cell.vtkhdf.series"));
  std::ostringstream said;
  EXPECT_EQ(run_info(file, said), 0);
  EXPECT_NE(said.str().find("cell edges   (1, 0, 0), (0.25, 1, 0), (0, 0, 1) m\n"), std::string::npos) << said.str();
  EXPECT_NE(said.str().find("1 x 3  int32\n"), std::string::npos) << said.str();  // images count both ways
}

// The same place in the cell, one cell to either side: images count both ways.
TEST(CellFrames, CompareSaysImagesWithTheirSign) {
  const ScratchFolder folder;
  for (const auto& [name, z] : {std::pair{"below", -0.5}, {"above", 1.5}}) {
    const Scene scene = cell_scene({{0.25, 0.5, z}});
    CellEngine engine(scene);
    FrameWriter(folder / name, {.every = 1, .fields = {"id", "image"}}, scene).write(engine);
  }
  const std::string frame = "frames/frame_000000.vtkhdf";
  std::ostringstream said;
  EXPECT_EQ(run_compare(folder / "below" / frame, folder / "above" / frame, said), 3);
  EXPECT_EQ(said.str(), "step 0, PointData/image, particle 0, component 2: -1 and 1\n");
}

}  // namespace scree::test::cell_output_test
