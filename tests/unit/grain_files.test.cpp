#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/app/command_line.hpp"
#include "host/grains/grain_cache.hpp"
#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

namespace scree::grains::grain_files_test {

GrainTemplate ball(double radius = 5) { return make_grain(*make_sphere(radius), {1, 0.9}, "ball"); }

std::string state_error_of(const std::filesystem::path& file) {
  try {
    (void)read_grain(file);
  } catch (const StateError& error) { return error.what(); }
  return "no error";
}

TEST(GrainFiles, AreReadBackToTheSameBits) {
  const test::ScratchFolder folder;
  GrainTemplate grain = ball();
  grain.report.source = "sphere, radius 5 m";
  grain.report.warnings = {"one", "and another"};
  write_grain(grain, folder / "a.h5");
  write_grain(grain, folder / "b.h5");
  EXPECT_EQ(test::read_text(folder / "a.h5"), test::read_text(folder / "b.h5"));
  const GrainTemplate back = read_grain(folder / "a.h5");
  EXPECT_EQ(back.shape, grain.shape);
  EXPECT_EQ(back.report.source, grain.report.source);
  EXPECT_EQ(back.report.warnings, grain.report.warnings);
  EXPECT_EQ(back.report.area, grain.report.area);
  EXPECT_EQ(back.report.grid_inertia, grain.report.grid_inertia);
  EXPECT_TRUE(is_grain(folder / "a.h5"));
  const StateArray phi = Hdf5Reader(folder / "a.h5").read("/grid/phi");  // by the HDF5 library
  ASSERT_EQ(phi.rows(), grain.shape.points());
  EXPECT_EQ(std::memcmp(phi.bytes.data(), grain.shape.phi.data(), phi.bytes.size()), 0);
  EXPECT_FALSE(is_grain(folder / "none.h5"));
  // The area of this one has no closed form.
  const GrainTemplate other = make_grain(*make_superellipsoid({5, 4, 4}, 1, 1), {1, 0.9}, "");
  write_grain(other, folder / "c.h5");
  EXPECT_EQ(read_grain(folder / "c.h5").report.area, std::nullopt);
  EXPECT_EQ(read_grain(folder / "c.h5").shape.name, "");
}

TEST(GrainFiles, DamageIsFound) {
  const test::ScratchFolder folder;
  write_grain(ball(), folder / "a.h5");
  const std::string good = test::read_text(folder / "a.h5");
  const auto with = [&](const std::string& content) {
    test::write_text(folder / "bad.h5", content);
    return state_error_of(folder / "bad.h5");
  };
  EXPECT_IN("bad.h5: is not a template of a grain, or is damaged", with("no HDF5"));
  EXPECT_IN("bad.h5: is not a template of a grain, or is damaged", with(good.substr(0, good.size() / 2)));
  GrainTemplate grain = ball();
  grain.shape.phi[grain.shape.points() / 2] -= 0.25F;
  write_grain(grain, folder / "bad.h5");
  EXPECT_IN("bad.h5: is damaged: its numbers do not have the hash that is stored in it",
            state_error_of(folder / "bad.h5"));
  grain.shape.node[3][1] = NAN;
  write_grain(grain, folder / "bad.h5");
  EXPECT_IN("bad.h5: is damaged: node 3 must lie within the bounding radius", state_error_of(folder / "bad.h5"));
  grain = ball();
  grain.shape.size[0] = 0xffffffffU;
  write_grain(grain, folder / "bad.h5");
  EXPECT_IN("bad.h5: is damaged: the grid is too large", state_error_of(folder / "bad.h5"));
  // Any flipped bit is found, but for those between the arrays and in the report.
  const GrainShape shape = ball().shape;
  std::size_t changed = 0;
  for (std::size_t at = 97; at < good.size(); at += good.size() / 60) {
    std::string content = good;
    content[at] = static_cast<char>(content[at] ^ 0x10);
    if (with(content) == "no error") {
      EXPECT_EQ(read_grain(folder / "bad.h5").shape.hash, shape.hash);
    } else {
      ++changed;
    }
  }
  EXPECT_GT(changed, 40u);
}

TEST(GrainCache, KeepsATemplateByItsKey) {
  const test::ScratchFolder folder;
  const auto cache = folder / "cache";
  int made = 0;
  const auto make = [&] {
    ++made;
    return ball();
  };
  const std::string key = cache_key("ball", nullptr, 0);
  EXPECT_EQ(key.size(), 32u);
  EXPECT_NE(key, cache_key("ball ", nullptr, 0));
  EXPECT_NE(key, cache_key("ball", "x", 1));
  const auto first = cached_grain(cache, key, make), second = cached_grain(cache, key, make);
  EXPECT_FALSE(first.was_kept);
  EXPECT_TRUE(second.was_kept);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(first.grain.shape, second.grain.shape);
  EXPECT_EQ(test::files_below(cache), std::vector<std::string>{key + ".h5"});
  // A damaged file is made again, and mended.
  test::write_text(cache / (key + ".h5"), test::read_text(cache / (key + ".h5")).substr(0, 3000));
  EXPECT_FALSE(cached_grain(cache, key, make).was_kept);
  EXPECT_TRUE(cached_grain(cache, key, make).was_kept);
  EXPECT_FALSE(cached_grain(std::nullopt, key, make).was_kept);
  // A folder that cannot be made is no error.
  test::write_text(folder / "file", "");
  EXPECT_FALSE(cached_grain(folder / "file", key, make).was_kept);
}

TEST(GrainCache, LeftoversOfAKilledProcessGoAfterADay) {
  const test::ScratchFolder folder;
  test::write_text(folder / "old-1.unfinished.h5.tmp", "half");
  test::write_text(folder / "new-2.unfinished.h5", "half");
  std::filesystem::last_write_time(folder / "old-1.unfinished.h5.tmp",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  (void)cached_grain(folder.path(), "key", [] { return ball(); });
  EXPECT_EQ(test::files_below(folder.path()), (std::vector<std::string>{"key.h5", "new-2.unfinished.h5"}));
}

// Two processes replace a template again and again while two others read it: nobody reads half a file.
TEST(GrainCache, ServesSeveralProcessesAtOnce) {
  const test::ScratchFolder folder;
  const GrainTemplate grain = ball(3);
  keep_grain(grain, folder.path(), "key");
  std::vector<pid_t> children;
  for (const bool writes : {true, true, false, false}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int faults = 0;
      for (int round = 0; round < 30; ++round) {
        if (writes) keep_grain(grain, folder.path(), "key");
        if (state_error_of(folder / "key.h5") != "no error") ++faults;
      }
      _exit(faults);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "reads that failed";
  }
  EXPECT_EQ(test::files_below(folder.path()), std::vector<std::string>{"key.h5"});
}

TEST(GrainCache, FolderFollowsTheEnvironment) {
  const auto with = [](const char* own, const char* xdg, const char* home) {
    for (const auto& [name, value] : {std::pair{"SCREE_CACHE", own}, {"XDG_CACHE_HOME", xdg}, {"HOME", home}}) {
      value == nullptr ? unsetenv(name) : setenv(name, value, 1);
    }
    return cache_folder();
  };
  const char* const home_before = std::getenv("HOME");
  const std::string home = home_before == nullptr ? "/" : home_before;
  EXPECT_EQ(with("/a", "/b", "/c"), "/a");
  EXPECT_EQ(with("", "/b", "/c"), std::nullopt);
  EXPECT_EQ(with(nullptr, "/b", "/c"), "/b/scree/grains");
  EXPECT_EQ(with(nullptr, "relative", "/c"), "/c/.cache/scree/grains");
  EXPECT_EQ(with(nullptr, nullptr, nullptr), std::nullopt);
  setenv("HOME", home.c_str(), 1);
}

std::pair<int, std::string> command(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"scree"};
  for (const auto& word : words) argv.push_back(word.c_str());
  std::ostringstream out;
  const int code = run_command_line(static_cast<int>(argv.size()), argv.data(), out, out, 0);
  return {code, out.str()};
}

TEST(GrainCommand, MakesATemplateOfAFormula) {
  const test::ScratchFolder folder;
  setenv("SCREE_CACHE", (folder / "cache").c_str(), 1);
  const std::string out = (folder / "e.h5").string();
  const std::vector<std::string> words = {
      "grain", "superellipsoid", "--half-axes", "0.006", "0.005", "0.004", "--exponents", "1",
      "1",     "--spacing",      "0.0005",      "--out", out};
  const auto [code, text] = command(words);
  EXPECT_EQ(code, 0) << text;
  EXPECT_IN("superellipsoid half axes 0.006 0.005 0.004 m, exponents 1 1", text);
  EXPECT_IN("volume 5.02655e-07 m3", text);  // 4 pi/3 abc
  EXPECT_IN("spacing 5e-04 m", text);
  EXPECT_IN("wrote " + out, text);
  const auto [again, kept] = command(words);
  EXPECT_IN("taken from the cache", kept);
  EXPECT_EQ(command({"grain", "sphere", "--radius", "1", "--spacing", "0.2", "--no-cache"}).first, 0);
  EXPECT_EQ(test::files_below(folder / "cache").size(), 1u);
  const auto [info_code, info] = command({"info", out});
  EXPECT_EQ(info_code, 0);
  EXPECT_IN("template     " + out, info);
  EXPECT_IN("superellipsoid half axes 0.006 0.005 0.004 m, exponents 1 1", info);
  unsetenv("SCREE_CACHE");
}

TEST(GrainCommand, MakesATemplateOfAMeshWithHoles) {
  const test::ScratchFolder folder;
  setenv("SCREE_CACHE", (folder / "cache").c_str(), 1);
  TriangleMesh mesh = test::sample_torus(9, 4, 40);
  mesh.triangles.pop_back();
  const std::string file = (folder / "ring.stl").string();
  test::write_stl(file, mesh);
  for (int round = 0; round < 2; ++round) {
    const auto [code, text] = command({"grain", file, "--scale", "0.001", "--spacing", "0.001"});
    EXPECT_EQ(code, 0) << text;
    EXPECT_IN("mesh ring.stl, 3 199 triangles", text);
    EXPECT_IN("is not closed: 3 open edges around 1 hole", text);
    EXPECT_EQ(text.find("taken from the cache") != std::string::npos, round == 1);
  }
  unsetenv("SCREE_CACHE");
}

TEST(GrainCommand, MakesTemplatesOfAllLabelsOfAnImage) {
  const test::ScratchFolder folder;
  setenv("SCREE_CACHE", "", 1);
  // Two cubes of 8 voxels, and a crumb.
  std::string voxels(30 * 14 * 14, '\0');
  const auto fill = [&](int first, int size, char label) {
    for (int k = 3; k < 3 + size; ++k) {
      for (int j = 3; j < 3 + size; ++j) {
        for (int i = first; i < first + size; ++i) { voxels.at(std::size_t(k * 14 + j) * 30 + std::size_t(i)) = label; }
      }
    }
  };
  fill(3, 8, 2);
  fill(16, 8, 5);
  fill(26, 2, 9);
  test::write_text(folder / "scan.raw", voxels);
  test::write_text(folder / "scan.json", R"({ "file": "scan.raw", "size": [30, 14, 14], "type": "uint8" })");
  const std::string image = (folder / "scan.json").string(), out = (folder / "g.h5").string();
  const auto [code, text] = command({"grain", image, "--spacing", "1", "--out", out});
  EXPECT_EQ(code, 0) << text;
  EXPECT_IN("label 2 of scan.json, 512 voxels", text);
  EXPECT_IN("left out: label 9 of scan.json: is too small for a grain", text);
  EXPECT_NEAR(read_grain(folder / "g_2.h5").shape.volume, 512, 15);
  EXPECT_NEAR(read_grain(folder / "g_5.h5").shape.center[0], 19.5, 0.05);
  const auto [one_code, one] = command({"grain", image, "--spacing", "1", "--label", "5", "--out", out});
  EXPECT_EQ(one_code, 0) << one;
  EXPECT_EQ(read_grain(out).shape.hash, read_grain(folder / "g_5.h5").shape.hash);
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"grain", image, "--spacing", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const auto [bad, message] = command(words);
    EXPECT_EQ(bad, 2) << message;
    return message;
  };
  EXPECT_IN("there is no label 4 in ", error({"--label", "4"}));
  EXPECT_IN("--radius: does not apply to ", error({"--radius", "1"}));
  test::write_text(folder / "scan.raw", std::string(voxels.size(), '\0'));
  EXPECT_IN("holds no label: all its voxels are 0", error({}));
  unsetenv("SCREE_CACHE");
}

TEST(GrainCommand, SaysWhatIsWrong) {
  setenv("SCREE_CACHE", "", 1);
  const auto error = [](std::vector<std::string> words) {
    words.insert(words.begin(), "grain");
    const auto [code, message] = command(words);
    EXPECT_EQ(code, 2) << message;
    return message;
  };
  EXPECT_IN("--spacing", error({"sphere", "--radius", "1"}));
  EXPECT_IN("--radius: is missing: a sphere needs it", error({"sphere", "--spacing", "1"}));
  EXPECT_IN("--half-axes: does not apply to sphere",
            error({"sphere", "--radius", "1", "--half-axes", "1", "1", "1", "--spacing", "0.1"}));
  EXPECT_IN("did you mean \"sphere\"?", error({"spere", "--spacing", "1"}));
  EXPECT_IN("must be a number from", error({"sphere", "--radius", "nan", "--spacing", "1"}));
  EXPECT_IN("must be a number from", error({"sphere", "--radius", "1", "--spacing", "-1"}));
  EXPECT_IN("the grid is too coarse", error({"sphere", "--radius", "1", "--spacing", "1"}));
  EXPECT_IN("the grid is too fine", error({"sphere", "--radius", "1", "--spacing", "1e-3"}));
  EXPECT_IN("--minor-radius: must be less than the major radius",
            error({"torus", "--major-radius", "1", "--minor-radius", "2", "--spacing", "0.1"}));
  EXPECT_IN("--exponents: must be from 0.1 to 2",
            error({"superellipsoid", "--half-axes", "1", "1", "1", "--exponents", "1", "3", "--spacing", "0.1"}));
  EXPECT_IN("none.stl: does not exist", error({"none.stl", "--spacing", "1"}));
  unsetenv("SCREE_CACHE");
}

}  // namespace scree::grains::grain_files_test
