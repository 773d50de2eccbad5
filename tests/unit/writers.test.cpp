#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <limits>

#include "fake_engine.hpp"
#include "host/case/case_io.hpp"
#include "host/output/atomic_file.hpp"
#include "host/output/folder_lock.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/hdf5_file.hpp"
#include "host/output/line_file.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/result_file.hpp"
#include "host/output/run_log.hpp"
#include "host/output/series_writer.hpp"
#include "host/output/vtkhdf.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

namespace scree::test {
namespace {

/// Makes every write beyond `bytes` fail, as a full disk would, for the scope.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// Reads a whole dataset as T; `size` gets its dimensions, `stored` the type in the file.
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

TEST(AtomicFile, ReplacesTheOldContentAndLeavesNoTemporaryFile) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "first");
  write_text_atomically(folder / "a.txt", "second");
  EXPECT_EQ(read_text(folder / "a.txt"), "second");
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, KeepsTheOldContentWhenWritingFails) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "first");
  {
    const SmallFiles full(1000);
    EXPECT_THROW(write_text_atomically(folder / "a.txt", std::string(5000, 'x')), OutputError);
  }
  EXPECT_EQ(read_text(folder / "a.txt"), "first");
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, NamesTheFileAndTheReason) {
  try {
    write_text_atomically("/does/not/exist/a.txt", "text");
    FAIL() << "an error was expected";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/does/not/exist/a.txt: cannot be written: No such file or directory");
  }
}

TEST(LineFile, CutsBackToTheLastWholeLineWhenTheDiskIsFull) {
  const ScratchFolder folder;
  LineFile file(folder / "lines.csv");
  file.append("one");
  {
    const SmallFiles full(6);
    EXPECT_THROW(file.append("twenty-two"), OutputError);
  }
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\n");
  file.append("three");
  file.close();
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\nthree\n");
}

TEST(LineFile, EveryLineIsInTheFileAtOnce) {
  const ScratchFolder folder;
  LineFile file(folder / "lines.csv");
  file.append("one");
  EXPECT_EQ(read_text(folder / "lines.csv"), "one\n");
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
  std::erase_if(fields, needs_cell);
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
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/force")[2], 2);
  EXPECT_EQ(doubles(file, "/VTKHDF/PointData/angular_velocity")[6], 3);
  EXPECT_EQ(doubles(file, "/VTKHDF/FieldData/TimeValue"), std::vector<double>{3 * 0x1p-10});
  EXPECT_EQ(integers(file, "/VTKHDF/FieldData/Step"), std::vector<std::int64_t>{3});
}

// The second and third particle are clump 7, the first one is a single sphere.
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

TEST(FrameWriter, MovingMeshesGetOneFilePerFrameAndOthersOne) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  FrameWriter frames(folder.path(), {.every = 1}, scene);
  frames.write(engine);
  frames.write(engine);  // the same step: nothing new
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

TEST(FrameWriter, UserNamesBecomeFileNames) {
  EXPECT_EQ(file_stems({"wall", "a/b", "a b", "..", ""}),
            (std::vector<std::string>{"wall", "a_b", "a_b_2", "__", "_"}));
  // Neither an ending nor the case of letters may make the files of two names one.
  EXPECT_EQ(file_stems({"gate", "gate.vtkhdf.series", "GATE", "Gate_2", "con", "COM1", "com"}),
            (std::vector<std::string>{"gate", "gate_vtkhdf_series", "GATE_2", "Gate_2_2", "con_", "COM1_", "com"}));
}

TEST(SeriesWriter, HeaderNamesOutletsAndBoundariesWithUnits) {
  Scene scene = small_scene();
  scene.boundaries.resize(1);
  EXPECT_EQ(series_header(scene),
            "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J],overlap_max,overlap_max_so_far,critical_"
            "step[s],removed_bottom,removed_mass_bottom[kg],"
            "force_x_floor[N],force_y_floor[N],force_z_floor[N],"
            "torque_x_floor[N m],torque_y_floor[N m],torque_z_floor[N m],work_floor[J]");
  scene.outlet_names.clear();
  scene.boundaries[0].drive =
      Drive{.translation = DrivenTranslation{.mass = 1, .free = {"z", "x"}}, .rotation = DrivenRotation{}};
  EXPECT_TRUE(
      series_header(scene).ends_with("work_floor[J],shift_x_floor[m],shift_z_floor[m],velocity_x_floor[m/s],"
                                     "velocity_z_floor[m/s],angle_floor[rad],rate_floor[rad/s]"));
  scene.boundaries.clear();
  scene.outlet_names = {"a,\"b\""};
  EXPECT_EQ(
      series_header(scene),
      "time[s],step,particles,contacts,wall_contacts,kinetic_energy[J],overlap_max,overlap_max_so_far,critical_step[s],"
      "\"removed_a,\"\"b\"\"\",\"removed_mass_a,\"\"b\"\"[kg]\"");
}

TEST(SeriesWriter, LengthsOfLoadHistoriesWhereALawKeepsThem) {
  Scene scene = small_scene();
  EXPECT_EQ(series_header(scene).find("history_length"), std::string::npos);
  scene.pairs[0].law = LawKind::jaeger;
  ScratchFolder folder;
  FakeEngine engine(scene);
  SeriesWriter series(folder.path(), {.every = scene.time_step}, scene);
  engine.advance(6);  // then 6 contacts and 2 with boundaries share 48 segments
  series.write(engine);
  series.close();
  const auto lines = lines_of(folder / "series.csv");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find(",critical_step[s],history_length_mean,history_length_max,removed_bottom,"),
            std::string::npos)
      << lines[0];
  EXPECT_NE(lines[1].find(",6,6,6,0.6"), std::string::npos) << lines[1];
}

TEST(SeriesWriter, KineticEnergyHasTranslationAndRotation) {
  Scene scene = small_scene();
  FakeEngine engine(scene);
  const double pi = 3.14159265358979323846;
  const auto mass = [&](double r) { return 2000 * 4.0 / 3.0 * pi * r * r * r; };
  const double expected =
      0.5 * mass(0.1) + 0.2 * mass(0.1) * 0.01 + 0.5 * mass(0.2) + 0.5 * mass(0.3) * 0.09 + 0.2 * mass(0.3) * 0.09 * 9;
  EXPECT_NEAR(kinetic_energy(engine.snapshot(), scene), expected, 1e-12 * expected);
}

TEST(SeriesWriter, NumbersReadBackExactly) {
  const ScratchFolder folder;
  Scene scene = small_scene();
  scene.boundaries.resize(1);
  scene.boundaries[0].drive =
      Drive{.translation = DrivenTranslation{.mass = 1, .free = {"y", "z"}}, .rotation = DrivenRotation{}};
  FakeEngine engine(scene);
  engine.advance(3);
  SeriesWriter series(folder.path(), {.every = 1}, scene);
  series.write(engine);
  series.write(engine);  // the same step: nothing new
  const auto lines = lines_of(folder / "series.csv");
  ASSERT_EQ(lines.size(), 2U);
  std::vector<double> values;
  std::stringstream row(lines[1]);
  for (std::string cell; std::getline(row, cell, ',');) { values.push_back(std::stod(cell)); }
  EXPECT_EQ(values,
            (std::vector<double>{3 * 0x1p-10, 3,         3,   3,  2,         kinetic_energy(engine.snapshot(), scene),
                                 0x1p-10,     0x1p-9,    1e3, 3,  0.1 * 3.0, 1,
                                 2,           1.0 / 3.0, 4,   5,  6,         0.5,
                                 8,           9,         11,  12, 13,        14}));
}

TEST(OutputFolder, TakesItsNameFromTheCase) {
  EXPECT_EQ(default_output_folder("configs/hopper.json"), std::filesystem::path("out/hopper"));
}

TEST(OutputFolder, EmptyAndAbsentFoldersAreFine) {
  const ScratchFolder folder;
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json"));
  EXPECT_NO_THROW(inspect_output_folder(folder / "a/b/c", "case.json"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  claim_output_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  EXPECT_TRUE(files_below(folder.path()).empty());
}

TEST(OutputFolder, RefusesWhatIsNoResultOfARun) {
  const ScratchFolder folder;
  write_text(folder / "notes/thesis.tex", "text");
  EXPECT_THROW(inspect_output_folder(folder / "notes", "case.json"), OutputError);
  EXPECT_THROW(inspect_output_folder(folder / "notes/thesis.tex", "case.json"), OutputError);
  EXPECT_THROW(inspect_output_folder(folder / "notes/thesis.tex/out", "case.json"), OutputError);
  write_text(folder / "other/run.log", "log of another program\n");
  write_text(folder / "other/case.json", "{}");
  EXPECT_THROW(inspect_output_folder(folder / "other", "case.json"), OutputError);
}

TEST(OutputFolder, RefusesToOverwriteTheCaseItself) {
  const ScratchFolder folder;
  write_text(folder / "run.log", "scree 0.1.0\n");
  write_text(folder / "case.json", "{}");
  EXPECT_THROW(inspect_output_folder(folder.path(), folder / "case.json"), OutputError);
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), folder / "other.json"));
}

TEST(OutputFolder, RemovesEarlierResultsAndNothingElse) {
  const ScratchFolder folder;
  for (const char* name :
       {"case.json", "series.csv", "frames.vtkhdf.series", "fault.vtkhdf", "frames/frame_000000.vtkhdf",
        "frames/frame_000001.vtkhdf.tmp", "boundaries/rotor/frame_000000.vtkhdf", "boundaries/rotor.vtkhdf.series"}) {
    write_text(folder / name, "old");
  }
  write_text(folder / "run.log", "scree 0.1.0\n");
  write_text(folder / "plot.py", "mine");
  write_text(folder / "frames/view.pvsm", "mine");
  inspect_output_folder(folder.path(), "case.json");
  claim_output_folder(folder.path());
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"frames/view.pvsm", "plot.py", "run.log"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "boundaries"));
}

TEST(OutputFolder, TakesWhatAKillInTheFirstMomentsHasLeft) {
  for (const char* name : {"write_test.tmp", "write_test", "run.lock", "run.log"}) {
    const ScratchFolder folder;
    write_text(folder / name, "");
    EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json")) << name;
    write_text(folder / "thesis.tex", "text");
    EXPECT_THROW(inspect_output_folder(folder.path(), "case.json"), OutputError) << name;
  }
  const ScratchFolder folder;
  write_text(folder / "run.lock", "scree run\nprocess 1\n");
  write_text(folder / "plot.py", "mine");
  EXPECT_NO_THROW(inspect_output_folder(folder.path(), "case.json")) << "a run was there";
}

TEST(FolderLock, OneRunHoldsItAndSaysWho) {
  const ScratchFolder folder;
  {
    const FolderLock lock(folder.path());
    EXPECT_TRUE(lock.warning().empty());
    const auto text_of_error = [&](const auto& function) {
      try {
        function();
      } catch (const OutputError& error) { return std::string(error.what()); }
      return std::string();
    };
    const std::string second = text_of_error([&] { const FolderLock other(folder.path()); });
    EXPECT_NE(second.find("another run writes here: process " + std::to_string(::getpid()) + " on "), std::string::npos)
        << second;
    EXPECT_EQ(text_of_error([&] { inspect_output_folder(folder.path(), "case.json"); }), second);
  }
  EXPECT_TRUE(files_below(folder.path()).empty()) << "the file goes with the lock";
  EXPECT_NO_THROW(FolderLock{folder.path()});
}

TEST(LineFile, NoticesThatItWasRemoved) {
  const ScratchFolder folder;
  LineFile file(folder / "lines");
  file.append("one");
  std::filesystem::remove(folder / "lines");
  EXPECT_THROW(file.append("two"), OutputError);
}

TEST(WriteResult, FollowsLinksAndReplacesNothingElse) {
  const ScratchFolder folder;
  std::ostringstream out;
  write_result(folder / "new", "text", out);
  EXPECT_EQ(read_text(folder / "new"), "text");
  std::filesystem::create_symlink("new", folder / "link");
  write_result(folder / "link", "other", out);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "new"), "other");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(write_result(folder / "dangling", "text", out), CaseError);
  EXPECT_THROW(write_result(folder.path(), "text", out), CaseError);
  write_result("/dev/null", "text", out);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(write_result("/dev/full", "text", out), OutputError);
}

TEST(RunLog, GoesOnWithoutATerminal) {
  const ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log(terminal, false);
  log.open(folder / "run.log");
  log.line("one\x1b[31m");
  terminal.setstate(std::ios::badbit);
  log.line("two");
  log.line("three");
  log.close();
  EXPECT_EQ(terminal.str(), "one\\x1b[31m\n");
  const std::string text = read_text(folder / "run.log");
  EXPECT_TRUE(text.starts_with("one\\x1b[31m\ntwo\nwarning: standard output cannot be written any more")) << text;
  EXPECT_TRUE(text.ends_with("stands here\nthree\n")) << text;
}

TEST(RunLog, KeepsWhatWasSaidBeforeTheFileWasOpen) {
  const ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log(terminal, false);
  log.line("early");
  log.open(folder / "run.log");
  log.line("late");
  log.file_line("only here");
  log.close();
  EXPECT_EQ(terminal.str(), "early\nlate\n");
  EXPECT_EQ(read_text(folder / "run.log"), "early\nlate\nonly here\n");
}

TEST(RunLog, KeepsNothingOnceItIsClosed) {
  const ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log(terminal, false);
  log.open(folder / "run.log");
  log.line("in the run");
  log.close();
  log.line("afterwards");
  EXPECT_EQ(terminal.str(), "in the run\nafterwards\n");
  log.open(folder / "next.log");
  log.line("in the next");
  EXPECT_EQ(lines_of(folder / "run.log"), std::vector<std::string>{"in the run"});
  EXPECT_EQ(lines_of(folder / "next.log"), std::vector<std::string>{"in the next"});
}

TEST(RunLog, QuietSaysNothingButWritesTheFile) {
  const ScratchFolder folder;
  std::ostringstream terminal;
  RunLog log(terminal, true);
  log.open(folder / "run.log");
  log.line("text");
  EXPECT_EQ(terminal.str(), "");
  EXPECT_EQ(read_text(folder / "run.log"), "text\n");
}

}  // namespace
}  // namespace scree::test
