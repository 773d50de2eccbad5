#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>
#include <regex>
#include <set>
#include <sstream>

#include "host/app/command_line.hpp"
#include "host/commands/doctor.hpp"
#include "host/commands/python.hpp"
#include "host/commands/version.hpp"
#include "runs_case.hpp"
#include "scree/errors.hpp"

namespace scree::test::cli_test {

template <class Error>
std::pair<int, std::string> outcome(const Error& error) {
  std::ostringstream errors;
  const int code = guarded([&]() -> int { throw error; }, errors);
  return {code, errors.str()};
}

TEST(ExitCode, FollowsWhatWentWrong) {
  EXPECT_EQ(outcome(CaseError("a.b", "must be positive, got -1")),
            std::pair(2, std::string("error: a.b: must be positive, got -1\n")));
  EXPECT_EQ(outcome(OutputError("x: disk full")), std::pair(3, std::string("error: x: disk full\n")));
  EXPECT_EQ(outcome(BackendError("no GPU")), std::pair(3, std::string("error: no GPU\n")));
  EXPECT_EQ(outcome(KernelFault("too deep", 7, {3, 9})),
            std::pair(3, std::string("error: step 7, particles 3 9: too deep\n")));
  EXPECT_EQ(outcome(std::bad_alloc()), std::pair(3, std::string("error: not enough memory\n")));
  EXPECT_EQ(outcome(ContractError("f: rule")).first, 3);
}

TEST(ExitCode, EveryProblemHasALine) {
  const CaseError error(std::vector<InputProblem>{{"a", "one"}, {"", "two"}});
  EXPECT_EQ(outcome(error).second, "error: a: one\nerror: two\n");
}

TEST(ExitCode, OfTheCommandWhenNothingWentWrong) {
  std::ostringstream errors;
  EXPECT_EQ(guarded([] { return 130; }, errors), 130);
  EXPECT_EQ(errors.str(), "");
}

std::string drop_of_three_spheres() {
  return R"({ "title": "Three spheres", "time": { "duration": 0.01, "step": 1e-4 },
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.8 } },
    "particles": [ { "material": "glass", "file": "spheres.csv" } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } },
    "output": { "frames": { "every": 0.005 }, "series": { "every": 0.001 } } })";
}

class RunCommand : public testing::Test, protected RunsCase {
 protected:
  void SetUp() override {
    write_text(folder_ / "drop.json", drop_of_three_spheres());
    write_text(folder_ / "spheres.csv", "x,y,z,radius\n0,0,0.01,0.01\n0.03,0,0.02,0.01\n0.06,0,0.03,0.01\n");
  }
};

TEST_F(RunCommand, LeavesACompleteOutputFolder) {
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(files_below(folder_ / "out"),
            (std::vector<std::string>{"case.json", "checkpoints/step_000000100.h5", "frames.vtkhdf.series",
                                      "frames/frame_000000.vtkhdf", "frames/frame_000001.vtkhdf",
                                      "frames/frame_000002.vtkhdf", "run.log", "series.csv"}));
  EXPECT_EQ(lines_of(folder_ / "out/series.csv").size(), 12U);
  const std::string log = read_text(folder_ / "out/run.log"), shown = terminal_.str();
  EXPECT_NE(log.find("files       8\n"), std::string::npos) << log;
  // Up to the end both say the same. Then the log has what programs read, and the terminal what users want first.
  const std::size_t end = log.find("\ndone ");
  ASSERT_NE(end, std::string::npos) << log;
  EXPECT_EQ(shown.substr(0, end), log.substr(0, end));
  EXPECT_TRUE(shown.ends_with(log.substr(log.rfind("state hash")))) << shown;
  EXPECT_NE(shown.find("in " + (folder_ / "out").string()), std::string::npos) << shown;
  EXPECT_EQ(shown.find("time per stage"), std::string::npos) << shown;
}

TEST_F(RunCommand, TheCaseWrittenBackGivesTheSameBits) {
  ASSERT_EQ(run(), exit_done);
  const auto first = hash();
  ASSERT_EQ(first.size(), 43U);
  arguments_.case_file = folder_ / "out/case.json";
  arguments_.folder = folder_ / "again";
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), first);
  EXPECT_EQ(read_text(folder_ / "again/series.csv"), read_text(folder_ / "out/series.csv"));
  EXPECT_EQ(read_text(folder_ / "again/case.json"), read_text(folder_ / "out/case.json"));
}

TEST_F(RunCommand, StepsAreKeptInTheCaseWrittenBack) {
  arguments_.steps = 37;
  ASSERT_EQ(run(), exit_done);
  const auto first = hash();
  arguments_.steps.reset();
  arguments_.case_file = folder_ / "out/case.json";
  arguments_.folder = folder_ / "again";
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), first);
}

TEST_F(RunCommand, ReplacesTheResultsOfAnEarlierRun) {
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(read_text(folder_ / "out/run.log").find("replaces"), std::string::npos) << "there was nothing";
  arguments_.steps = 10;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(files_below(folder_ / "out/frames").size(), 2U);
  const auto says = [&](const std::string& words) {
    const std::regex line("\nreplaces    the run of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d" + words + "\n");
    const std::string log = read_text(folder_ / "out/run.log");
    EXPECT_TRUE(std::regex_search(log, line)) << log;
    EXPECT_TRUE(std::regex_search(terminal_.str(), line)) << terminal_.str();
  };
  says(" that made 100 steps, to t = 0\\.01 s");
  ASSERT_EQ(run(), exit_done);
  says(" that made 10 steps, to t = 0\\.001 s");
  write_text(folder_ / "out/run.log", "scree 0.1.0\ncase        drop.json\n");  // as a killed run leaves it
  arguments_.overwrite = true;
  ASSERT_EQ(run(), exit_done);
  says(", which did not come to its end");
}

TEST_F(RunCommand, EnergiesAndProbesStandInTheSeriesAndChangeNothing) {
  ASSERT_EQ(run(), 0);
  const std::string plain = hash();
  arguments_.settings = {
      "output.series.energies=true",
      R"(output.series.probes={"out":{"type":"flow","plane":{"point":[0,0,0.015],"normal":[0,0,-1]}},)"
      R"("all":{"type":"stress","region":{"box":[[-1,-1,-1],[1,1,1]]}},"z":{"type":"coordination"},)"
      R"("one":{"type":"track","particles":[2]}})"};
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(hash(), plain);
  std::ifstream series(folder_ / "out/series.csv");
  std::string header, row;
  std::getline(series, header);
  for (const char* column :
       {"elastic[J]", "energy_error[J]", "out_count", "all_contact_xz[Pa]", "z_mean", "one_2_force_z[N]"}) {
    EXPECT_NE(header.find(column), std::string::npos) << column;
  }
  const auto cells = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  int rows = 0;
  for (; std::getline(series, row); ++rows) { EXPECT_EQ(cells(row), cells(header)); }
  EXPECT_EQ(rows, 11);
  // The written case is read again.
  arguments_.case_file = folder_ / "out/case.json";
  arguments_.folder = folder_ / "again";
  arguments_.settings.clear();
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(hash(), plain);
}

TEST_F(RunCommand, WrongProbesAreNamed) {
  arguments_.settings = {R"(output.series.probes={"a":{"type":"flux"},"b":{"type":"stress"}})"};
  EXPECT_EQ(run("output.series.probes.a.type"), 2);
  arguments_.settings = {R"(output.series.probes={"one":{"type":"track","particles":[3]}})"};
  EXPECT_EQ(run("output.series.probes.one.particles.0: must be the id of a particle, below 3, got 3"), 2);
  arguments_.settings = {"output.series.energies=1"};
  EXPECT_EQ(run("output.series.energies: must be true or false"), 2);
}

TEST_F(RunCommand, AProfileIsTheWholeWallTime) {
  arguments_.profile = true;
  ASSERT_EQ(run(), exit_done);
  const std::string shown = terminal_.str();
  const std::size_t begin = shown.find("  time per stage");
  ASSERT_NE(begin, std::string::npos) << shown;
  double shares = 0;
  std::set<std::string> stages;
  std::istringstream lines(shown.substr(begin, shown.find("state hash") - begin));
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    ASSERT_TRUE(std::regex_match(
        line, found, std::regex(R"( +(?:time per stage)? +(\S.*?) +([0-9.]+) % +\S+ ns per particle-step, \S+ s.*)")))
        << line;
    stages.insert(found[1]);
    shares += std::stod(found[2]);
  }
  // each share is rounded to a tenth
  EXPECT_NEAR(shares, 100, 0.05 * static_cast<double>(stages.size()) + 1e-9) << shown;
  for (const char* stage : {"search", "contacts", "boundaries", "motion", "output", "other"}) {
    EXPECT_TRUE(stages.contains(stage)) << stage << '\n' << shown;
  }
}

TEST_F(RunCommand, QuietSaysNothing) {
  arguments_.quiet = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(terminal_.str(), "");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/run.log"));
}

TEST_F(RunCommand, WrongInputWritesNothing) {
  arguments_.settings = {"materials.glass.density=-1"};
  EXPECT_EQ(run("materials.glass.density"), exit_bad_input);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  arguments_.settings.clear();
  arguments_.case_file = folder_ / "absent.json";
  EXPECT_EQ(run("absent.json"), exit_bad_input);
}

TEST_F(RunCommand, AForeignFolderIsRefusedAndLeftAlone) {
  write_text(folder_ / "out/thesis.tex", "text");
  EXPECT_EQ(run("holds files that are not results of an earlier run"), exit_bad_input);
  EXPECT_EQ(files_below(folder_ / "out"), std::vector<std::string>{"thesis.tex"});
}

struct Outcome {
  int code;
  std::string out, errors;
};

Outcome command_line(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "scree");
  std::ostringstream out, errors;
  const int code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out, errors, 0);
  return {code, out.str(), errors.str()};
}

TEST(CommandLine, HelpNamesEveryCommand) {
  const auto help = command_line({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.errors, "");
  for (const char* name : {"run", "check", "contact", "clump", "bench", "info", "compare", "schema", "doctor",
                           "version", "render", "report", "sweep", "calibrate", "watch", "Exit codes"}) {
    EXPECT_NE(help.out.find(name), std::string::npos) << name;
  }
  const auto alone = command_line({});
  EXPECT_EQ(alone.code, exit_bad_input) << "a script that forgot the command did not run it";
  EXPECT_EQ(alone.out, help.out);
  EXPECT_EQ(alone.errors, "");
  const auto run = command_line({"run", "--help"});
  EXPECT_EQ(run.code, 0);
  for (const char* name :
       {"CASE", "--out", "--backend", "--threads", "--device", "--set", "--steps", "--resume", "--quiet", "--watch"}) {
    EXPECT_NE(run.out.find(name), std::string::npos) << name;
  }
}

TEST(CommandLine, WrongArgumentsAreExplained) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> examples{
      {{"run"}, "CASE is required"},
      {{"run", "a.json", "--steps", "-3"}, "--steps: must be a whole number from 0 to 1000000000000000, got -3"},
      {{"run", "a.json", "--steps", "1.5"}, "--steps: must be a whole number from 0 to 1000000000000000, got 1.5"},
      {{"run", "a.json", "--threads", "0"}, "--threads: must be a whole number from 1 to "},
      {{"run", "a.json", "--threads", "100000"}, ", got 100000"},
      {{"runn", "a.json"}, "there is no command \"runn\"; did you mean \"run\"?"},
      {{"simulate"}, "there is no command \"simulate\"; known are \"run\", \"check\""},
      {{"run", "a.json", "--backend", "gpu"}, "--backend: must be one of auto, host, cuda, got gpu"},
      {{"run", "a.json", "--fast"}, "scree run has no option --fast\nTry: scree run --help"},
      {{"run", "a.json", "--output", "x"}, "scree run has no option --output; did you mean --out?"},
      {{"run", "--theads=2", "a.json"}, "scree run has no option --theads; did you mean --threads?"},
      {{"bench", "settle", "--sizs", "100"}, "scree bench has no option --sizs; did you mean --sizes?"},
      {{"info", "a", "b"}, "The following argument was not expected: b\nTry: scree info --help"},
      {{"contact", "a.json", "--between", "a"}, "--between"},
      {{"clump", "a.stl", "--scale", "nan"}, "--scale: must be a number from 1e-30 to 1e+30, got nan"},
      {{"clump", "a.stl", "--spheres", "99999999999999999999"},
       "--spheres: must be a whole number from 1 to 100000, got 99999999999999999999"},
      {{"traction", "out", "--contact", "1", "99999999999"},
       "--contact: must be a whole number from 0 to 4294967295, got 99999999999"},
      {{"bench", "hopper"}, "must be one of"},
      {{"bench", "--law", "hertz"}, "--law: must be one of hertz_mindlin, cundall_strack"},
      {{"bench", "--law", "jkr+twisting"}, "luding+rolling, got jkr+twisting"},
      {{"bench", "neighbours", "--ratios", "0.5"}, "--ratios: must be a number from 1 to 1e+06, got 0.5"},
      {{"bench", "neighbours", "--distributions", "normal"}, "--distributions: must be one of power_law, bidisperse"}};
  for (const auto& [arguments, expected] : examples) {
    const auto outcome = command_line(arguments);
    EXPECT_EQ(outcome.code, exit_bad_input) << expected;
    EXPECT_EQ(outcome.out, "") << expected;
    EXPECT_TRUE(outcome.errors.starts_with("error: ")) << outcome.errors;
    EXPECT_NE(outcome.errors.find(expected), std::string::npos) << outcome.errors;
  }
}

TEST(CommandLine, ReachesTheCommands) {
  const std::string version = command_line({"version"}).out;
  EXPECT_TRUE(version.starts_with("scree "));
  for (const char* flag : {"--version", "-V"}) {
    const auto answer = command_line({flag});
    EXPECT_EQ(answer.out, version);
    EXPECT_EQ(answer.code, exit_done);
  }
  EXPECT_TRUE(command_line({"schema"}).out.starts_with("{"));
  EXPECT_NE(command_line({"doctor"}).out.find("HDF5"), std::string::npos);
  const auto absent = command_line({"run", "does-not-exist.json"});
  EXPECT_EQ(absent.code, exit_bad_input);
  EXPECT_NE(absent.errors.find("does-not-exist.json"), std::string::npos);
}

TEST(CommandLine, HandsCommandsToPythonOrSaysWhyNot) {
  ::setenv("SCREE_PYTHON", "/does/not/exist", 1);
  for (const auto& [name, text] : python_commands()) {
    const auto outcome = command_line({name, "--help"});
    EXPECT_EQ(outcome.code, exit_bad_input);
    EXPECT_TRUE(outcome.errors.starts_with(std::string("error: scree ") + name +
                                           " needs Python: the interpreter "
                                           "/does/not/exist cannot be started: "))
        << outcome.errors;
  }
  EXPECT_NE(start_watching("out").find("/does/not/exist cannot be started"), std::string::npos);
  ::unsetenv("SCREE_PYTHON");
  EXPECT_EQ(python_call({"render", "out/a b"}).front(), "python3");
  EXPECT_EQ(python_call({"render", "out/a b"}).back(), "out/a b");
}

TEST(CommandLine, AGpuThatIsNotThereIsAWrongArgument) {
  for (const char* command : {"doctor", "bench"}) {
    const auto outcome = command_line({command, "--device", "999999"});
    EXPECT_EQ(outcome.code, exit_bad_input) << command;
    // With a GPU the sentence says how many there are, without one why.
    EXPECT_TRUE(outcome.errors.starts_with("error: --device 999999: this machine has ") ||
                outcome.errors.starts_with("error: --device 999999: the CUDA backend cannot run: "))
        << outcome.errors;
  }
  const auto on_host = command_line({"bench", "budget", "--backend", "host", "--device", "0"});
  EXPECT_EQ(on_host.code, exit_bad_input);
  EXPECT_EQ(on_host.errors, "error: --device 0: the host backend uses no GPU\n");
}

TEST(CommandLine, ContactDrivesAPath) {
  const ScratchFolder folder;
  write_text(folder / "drop.json", drop_of_three_spheres());
  write_text(folder / "spheres.csv", "x,y,z,radius\n0,0,0.01,0.01\n");
  write_text(folder / "path.csv", "time,normal\n0,0\n1,1e-5\n2,-1e-5\n");
  const std::string file = (folder / "drop.json").string(), path = (folder / "path.csv").string();
  const auto outcome =
      command_line({"contact", file.c_str(), "--between", "glass", "glass", "--path", path.c_str(), "--wall"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(outcome.out.starts_with("time[s],touching,overlap[m],normal_x[],")) << outcome.out;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4);
  EXPECT_NE(outcome.out.find("\n1,1,"), std::string::npos);
  EXPECT_NE(outcome.out.find("\n2,0,"), std::string::npos);
  for (const char* radius : {"nan", "inf", "-1", "0", "1e300", "x"}) {
    const auto wrong = command_line(
        {"contact", file.c_str(), "--between", "glass", "glass", "--path", path.c_str(), "--radii", radius});
    EXPECT_EQ(wrong.code, exit_bad_input) << radius;
    EXPECT_NE(wrong.errors.find("--radii: must be a number from 1e-15 to 1e+09, got " + std::string(radius)),
              std::string::npos)
        << wrong.errors;
  }
  const auto unknown = command_line({"contact", file.c_str(), "--between", "glass", "glas", "--path", path.c_str()});
  EXPECT_EQ(unknown.code, exit_bad_input);
  EXPECT_NE(unknown.errors.find("did you mean \"glass\"?"), std::string::npos) << unknown.errors;
}

TEST(CommandLine, BenchNeighboursPrintsItsTables) {
  const auto outcome =
      command_line({"bench", "neighbours", "--sizes", "200", "600", "--ratios", "1", "3", "--distributions",
                    "power_law", "--backend", "host", "--threads", "1", "--repeats", "1"});
  ASSERT_EQ(outcome.code, exit_done) << outcome.errors;
  for (const char* expected :
       {"\nassemblies", "\nneighbours: mixed precision, host, 1 thread", "\ngrowth: time of a search",
        "\nstages of a search: equal, ratio 1, 600 particles", "\nstages of a search: power_law, ratio 3",
        "\nequal, loose", "times the search time per particle of equal spheres"}) {
    EXPECT_NE(("\n" + outcome.out).find(expected), std::string::npos) << expected << "\n" << outcome.out;
  }
  // Two sizes for each kind of spheres, with numbers in every column.
  std::istringstream lines(outcome.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string spheres;
    double ratio = 0, particles = 0, tests = 0, pairs = 0, contacts = 0, time = 0, bytes = 0, searches = 0, share = 0;
    if (!(cells >> spheres >> ratio >> particles >> tests >> pairs >> contacts >> time >> bytes >> searches >> share)) {
      continue;
    }
    ++rows;
    EXPECT_TRUE(pairs > 1 && contacts > 0.5 && contacts < pairs && time > 1 && searches > 0 && share > 0 && share < 100)
        << line;
    EXPECT_TRUE(tests >= pairs && bytes > 1) << line;
  }
  EXPECT_EQ(rows, 4) << outcome.out;
}

TEST(Doctor, LooksAtEverythingARunNeeds) {
  const ScratchFolder folder;
  std::ostringstream out;
  EXPECT_EQ(run_doctor(folder / "not/yet/there", {}, out), 0);
  for (const char* topic : {"scree", "build", "processor", "threads", "memory", "backend", "HDF5", "disk"}) {
    EXPECT_NE(out.str().find(topic), std::string::npos) << topic << "\n" << out.str();
  }
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("ok    ") || line.starts_with("warn  ")) << line;
  }
}

TEST(Version, IsOneLine) {
  std::ostringstream out;
  EXPECT_EQ(run_version(out), 0);
  EXPECT_TRUE(out.str().starts_with("scree "));
  EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
}

}  // namespace scree::test::cli_test
