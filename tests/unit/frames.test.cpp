#include <gtest/gtest.h>
#include <hdf5.h>

#include <limits>

#include "fake_engine.hpp"
#include "host/case/frame_fields.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/hdf5_file.hpp"
#include "host/output/particle_fields.hpp"
#include "host/output/vtkhdf.hpp"
#include "scratch_folder.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "small_files.hpp"

namespace scree::test::frames_test {

/// Reads a whole dataset as T. `size` gets its dimensions, `stored` its type in the file.
template <class T>
std::vector<T> dataset(const std::filesystem::path& file, const char* name, hid_t type,
                       std::vector<hsize_t>* size = nullptr, H5T_class_t* stored_class = nullptr,
                       std::size_t* stored_bytes = nullptr) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(id, name, H5P_DEFAULT);
  EXPECT_GE(data, 0) << name;
  const hid_t space = H5Dget_space(data), stored = H5Dget_type(data);
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, dimensions.data(), nullptr);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
  if (size != nullptr) { *size = dimensions; }
  if (stored_class != nullptr) { *stored_class = H5Tget_class(stored); }
  if (stored_bytes != nullptr) { *stored_bytes = H5Tget_size(stored); }
  H5Tclose(stored);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(id);
  return values;
}

std::vector<double> doubles(const std::filesystem::path& file, const char* name) {
  return dataset<double>(file, name, H5T_NATIVE_DOUBLE);
}
std::vector<std::int64_t> integers(const std::filesystem::path& file, const char* name) {
  return dataset<std::int64_t>(file, name, H5T_NATIVE_INT64);
}

std::string type_attribute(const std::filesystem::path& file) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen_by_name(id, "/VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  EXPECT_FALSE(H5Tis_variable_str(type));
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  std::string text(H5Tget_size(type), '\0');
  H5Aread(attribute, type, text.data());
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(id);
  return text;
}

TEST(Hdf5File, FullDiskIsAnErrorThatNamesTheFile) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.particles.position.assign(20000, {1, 2, 3});
  scene.particles.velocity.assign(20000, {1, 2, 3});
  scene.particles.angular_velocity.assign(20000, {1, 2, 3});
  scene.particles.radius.assign(20000, 1);
  scene.particles.material.assign(20000, 0);
  FakeEngine engine(scene);
  for (const rlim_t bytes : {100, 2000, 100000, 500000}) {
    try {
      const SmallFiles full(bytes);
      write_particle_frame(folder / "frame.vtkhdf", engine.snapshot(), {"velocity"}, Precision::double_);
      FAIL() << "an error was expected with " << bytes << " bytes";
    } catch (const OutputError& error) {
      EXPECT_EQ(std::string(error.what()), (folder / "frame.vtkhdf").string() + ": cannot be written: File too large");
    }
    EXPECT_TRUE(files_below(folder.path()).empty());
  }
  write_particle_frame(folder / "frame.vtkhdf", engine.snapshot(), {"velocity"}, Precision::double_);
  EXPECT_EQ(doubles(folder / "frame.vtkhdf", "/VTKHDF/Points").size(), 60000U);
}

TEST(Vtkhdf, ParticlesAreVerticesWithTheirFields) {
  const ScratchFolder folder;
  FakeEngine engine(small_scene());
  engine.advance(3);
  const auto file = folder / "frame.vtkhdf";
  auto fields = frame_field_names();
  std::erase_if(fields, [](const std::string& field) { return needs_of_field(field) == FieldNeeds::cell; });
  const Snapshot state = engine.snapshot(snapshot_request(fields));
  write_particle_frame(file, state, fields, Precision::mixed);

  EXPECT_EQ(type_attribute(file), "UnstructuredGrid");
  EXPECT_EQ(integers(file, "/VTKHDF/NumberOfPoints"), std::vector<std::int64_t>{3});
  EXPECT_EQ(integers(file, "/VTKHDF/NumberOfCells"), std::vector<std::int64_t>{3});
  EXPECT_EQ(integers(file, "/VTKHDF/NumberOfConnectivityIds"), std::vector<std::int64_t>{3});
  EXPECT_EQ(integers(file, "/VTKHDF/Connectivity"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(integers(file, "/VTKHDF/Offsets"), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(integers(file, "/VTKHDF/Types"), (std::vector<std::int64_t>{1, 1, 1}));
  const auto points = doubles(file, "/VTKHDF/Points");
  ASSERT_EQ(points.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) { EXPECT_EQ(points[i], state.position[i / 3][i % 3]); }
  const auto velocity = doubles(file, "/VTKHDF/PointData/velocity");
  for (std::size_t i = 0; i < 9; ++i) { EXPECT_EQ(velocity[i], static_cast<float>(state.velocity[i / 3][i % 3])); }
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/radius"), (std::vector<double>{0.1F, 0.2F, 0.3F}));
  EXPECT_EQ(integers(file, "/VTKHDF/PointData/id"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(integers(file, "/VTKHDF/PointData/material"), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(integers(file, "/VTKHDF/PointData/coordination_number"), (std::vector<std::int64_t>{3, 3, 3}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/damage"), (std::vector<double>{0.25, 0.25, 0.25}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/temperature"), (std::vector<double>{350, 350, 350}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/dissipated_energy"), (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/film"), (std::vector<double>{1e-12, 1e-12, 1e-12}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/force")[2], 2);
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/angular_velocity")[6], 3);
  EXPECT_EQ(doubles(file, "/VTKHDF/FieldData/TimeValue"), std::vector<double>{3 * 0x1p-10});
  EXPECT_EQ(integers(file, "/VTKHDF/FieldData/Step"), std::vector<std::int64_t>{3});
}

// The second and third particles are members of clump 7; the first is a single sphere.
TEST(Vtkhdf, MembersTellOfTheirClump) {
  const ScratchFolder folder;
  FakeEngine engine(small_scene());
  Snapshot state = engine.snapshot();
  SnapshotClump clump;
  clump.id = 7;
  clump.first = 1;
  clump.members = 2;
  clump.velocity = {4, 5, 6};
  clump.orientation = {0.5, -0.5, 0.5, -0.5};
  state.clumps = {clump};
  const auto file = folder / "frame.vtkhdf";
  write_particle_frame(file, state, {"clump", "orientation", "clump_velocity"}, Precision::double_);
  EXPECT_EQ(integers(file, "/VTKHDF/PointData/clump"), (std::vector<std::int64_t>{-1, 7, 7}));
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/orientation"),
            (std::vector<double>{1, 0, 0, 0, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5}));
  std::vector<double> velocity(state.velocity[0].begin(), state.velocity[0].end());
  velocity.insert(velocity.end(), {4, 5, 6, 4, 5, 6});
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/clump_velocity"), velocity);
}

TEST(Vtkhdf, TypesFollowThePrecision) {
  const ScratchFolder folder;
  FakeEngine engine(small_scene());
  for (const auto precision : {Precision::mixed, Precision::double_}) {
    write_particle_frame(folder / "a.vtkhdf", engine.snapshot(), {"velocity"}, precision);
    std::vector<hsize_t> size;
    H5T_class_t stored_class{};
    std::size_t bytes = 0;
    dataset<double>(folder / "a.vtkhdf", "/VTKHDF/PointData/velocity", H5T_NATIVE_DOUBLE, &size, &stored_class, &bytes);
    EXPECT_EQ(size, (std::vector<hsize_t>{3, 3}));
    EXPECT_EQ(stored_class, H5T_FLOAT);
    EXPECT_EQ(bytes, precision == Precision::mixed ? 4U : 8U);
    dataset<double>(folder / "a.vtkhdf", "/VTKHDF/Points", H5T_NATIVE_DOUBLE, &size, &stored_class, &bytes);
    EXPECT_EQ(bytes, 8U);
  }
}

TEST(Vtkhdf, EqualStatesGiveEqualBytes) {
  const ScratchFolder folder;
  FakeEngine engine(small_scene());
  write_particle_frame(folder / "a.vtkhdf", engine.snapshot(), {"velocity", "radius"}, Precision::mixed);
  write_particle_frame(folder / "b.vtkhdf", engine.snapshot(), {"velocity", "radius"}, Precision::mixed);
  EXPECT_EQ(read_text(folder / "a.vtkhdf"), read_text(folder / "b.vtkhdf"));
}

TEST(Vtkhdf, AFrameWithoutParticlesIsComplete) {
  const ScratchFolder folder;
  write_particle_frame(folder / "a.vtkhdf", Snapshot{}, {"velocity", "id"}, Precision::mixed);
  EXPECT_TRUE(doubles(folder / "a.vtkhdf", "/VTKHDF/Points").empty());
  EXPECT_EQ(integers(folder / "a.vtkhdf", "/VTKHDF/Offsets"), std::vector<std::int64_t>{0});
}

TEST(Vtkhdf, AFieldThatTheSnapshotLacksIsADefect) {
  const ScratchFolder folder;
  FakeEngine engine(small_scene());
  EXPECT_THROW(write_particle_frame(folder / "a.vtkhdf", engine.snapshot(), {"force"}, Precision::mixed),
               ContractError);
  EXPECT_THROW(write_particle_frame(folder / "a.vtkhdf", engine.snapshot(), {"colour"}, Precision::mixed),
               ContractError);
  EXPECT_TRUE(files_below(folder.path()).empty());
}

TEST(Vtkhdf, SurfacesAreTriangles) {
  const ScratchFolder folder;
  const auto mesh = small_scene().boundaries[1].mesh;
  write_surface_frame(folder / "a.vtkhdf", mesh, mesh.vertices, 0.5);
  EXPECT_EQ(integers(folder / "a.vtkhdf", "/VTKHDF/Connectivity"), (std::vector<std::int64_t>{0, 1, 2, 0, 1, 3}));
  EXPECT_EQ(integers(folder / "a.vtkhdf", "/VTKHDF/Offsets"), (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(integers(folder / "a.vtkhdf", "/VTKHDF/Types"), (std::vector<std::int64_t>{5, 5}));
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/Points").size(), 12U);
}

TEST(Vtkhdf, FacetsHaveMeansAndDepths) {
  SceneBoundary wall = small_scene().boundaries[1];  // two right triangles with an area of 1/2
  wall.facet_loads = FacetOutput{.archard = 1e-3, .finnie = 0};
  const FacetLoads loads{.boundary = 1,
                         .since = 1,
                         .normal_impulse = {3, 0},
                         .shear_impulse = {0, 1},
                         .sliding = {5, 0},
                         .friction_work = {0, 0},
                         .impact_energy = {0, 7},
                         .cutting = {1, 1},
                         .impacts = {0, 2}};
  const ScratchFolder folder;
  write_surface_frame(folder / "a.vtkhdf", wall.mesh, wall.mesh.vertices, 4, facet_fields(wall, loads, 4));
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/CellData/pressure"), (std::vector<double>{2, 0}));
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/CellData/shear")[1], 2.0 / 3.0);
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/CellData/archard_depth"), (std::vector<double>{10e-3, 0}));
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/CellData/impacts"), (std::vector<double>{0, 4}));
  EXPECT_EQ(doubles(folder / "a.vtkhdf", "/VTKHDF/CellData/impact_energy"), (std::vector<double>{0, 14}));
  // In the first frame no time has passed.
  EXPECT_EQ(facet_fields(wall, loads, 1).at(0).values, (std::vector<double>{0, 0}));
  EXPECT_EQ(facet_fields(wall, loads, 1).back().name, "archard_depth");
}

TEST(FrameWriter, MovingMeshesGetOneFilePerFrameAndOthersOne) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  FrameWriter frames(folder.path(), {.every = 1}, scene);
  frames.write(engine);
  frames.write(engine);  // the same step: no new frame
  engine.advance(1024);
  frames.write(engine);
  const std::vector<std::string> expected{"boundaries/funnel.vtkhdf",
                                          "boundaries/rotor.vtkhdf.series",
                                          "boundaries/rotor/frame_000000.vtkhdf",
                                          "boundaries/rotor/frame_000001.vtkhdf",
                                          "frames.vtkhdf.series",
                                          "frames/frame_000000.vtkhdf",
                                          "frames/frame_000001.vtkhdf"};
  EXPECT_EQ(files_below(folder.path()), expected);
  EXPECT_EQ(frames.files(), expected.size());
  EXPECT_EQ(doubles(folder / "boundaries/rotor/frame_000001.vtkhdf", "/VTKHDF/Points")[0], 1);
  EXPECT_EQ(read_text(folder / "frames.vtkhdf.series"),
            "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n"
            "    { \"name\": \"frames/frame_000000.vtkhdf\", \"time\": 0 },\n"
            "    { \"name\": \"frames/frame_000001.vtkhdf\", \"time\": 1 }\n  ]\n}\n");
}

TEST(FrameWriter, AFrameThatFailedCanBeWrittenAgain) {
  const ScratchFolder folder, whole;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  FrameWriter frames(folder.path(), {.every = 1}, scene), others(whole.path(), {.every = 1}, scene);
  frames.write(engine), others.write(engine);
  engine.advance(1);
  const auto frame = frames.collect(engine);
  ASSERT_TRUE(frame.has_value());
  EXPECT_FALSE(frames.collect(engine).has_value()) << "once per step";
  engine.advance(1);  // the frame is a copy
  for (const char* part : {"frames", "boundaries/rotor", "frames.vtkhdf.series"}) {
    std::filesystem::rename(folder / part, folder / "away");
    if (std::string(part).ends_with(".series")) {
      std::filesystem::create_directories(folder / part / "in the way");
    } else {
      write_text(folder / part, "");
    }
    EXPECT_THROW(frames.write(*frame), OutputError) << part;
    std::filesystem::remove_all(folder / part);
    std::filesystem::rename(folder / "away", folder / part);
  }
  frames.write(*frame);
  FakeEngine again(scene);
  again.advance(1);
  others.write(again);
  EXPECT_EQ(frames.files(), others.files());
  EXPECT_GT(frames.frame_bytes(), 1000u);
  ASSERT_EQ(files_below(folder.path()), files_below(whole.path()));
  for (const auto& name : files_below(folder.path())) {
    EXPECT_EQ(read_text(folder / name), read_text(whole / name)) << name;
  }
}

TEST(FrameWriter, UserNamesBecomeFileNames) {
  EXPECT_EQ(file_stems({"wall", "a/b", "a b", "..", ""}),
            (std::vector<std::string>{"wall", "a_b", "a_b_2", "__", "_"}));
  // Names that differ only by an ending or by upper case must still get different files.
  EXPECT_EQ(file_stems({"gate", "gate.vtkhdf.series", "GATE", "Gate_2", "con", "COM1", "com"}),
            (std::vector<std::string>{"gate", "gate_vtkhdf_series", "GATE_2", "Gate_2_2", "con_", "COM1_", "com"}));
}

}  // namespace scree::test::frames_test
