#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "case_errors.hpp"
#include "host/commands/contact.hpp"
#include "host/commands/run.hpp"
#include "host/commands/traction.hpp"
#include "host/commands/traction_table.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/text.hpp"
#include "scratch_folder.hpp"

/// `scree contact` with the law jaeger, and tractions over contact circles.
namespace scree::test::traction_test {

using Json = nlohmann::json;

constexpr double radius = 0.1, largest_overlap = 2e-3;  // [m]

/// A reference history (tests/data/jaeger_vectors.json) in other units of length, so that a sphere on a plane can
/// follow it. The model is homogeneous, so units do not matter.
struct History {
  explicit History(const Json& of) : data(of) {
    for (const double z : data.at("expected").at("zeta")) { largest = std::max(largest, z); }
    scale = 0.5 * largest_overlap / largest;
  }
  const Json& data;
  double largest = 0, scale = 1;

  /// The half overlap is zeta; the half displacement is the sum of the movements.
  [[nodiscard]] std::string path() const {
    std::string text = "time,normal,tangential1,tangential2\n0,0,0,0\n";
    double x = 0, y = 0;
    for (std::size_t k = 0; k < data.at("steps").size(); ++k) {
      x += double(data["steps"][k][1]), y += double(data["steps"][k][2]);
      text += std::to_string(k + 1);
      for (const double half : {double(data["expected"]["zeta"][k]), x, y}) {
        text += "," + number_text(2 * scale * half);
      }
      text += "\n";
    }
    return text;
  }
  /// A = (8/3) E* sqrt(2 R), kappa = E* / (4 G*).
  [[nodiscard]] std::string case_text(const std::string& precision) const {
    const double hertz = double(data["A"]) / (scale * std::sqrt(scale)), young = 0.375 * hertz / std::sqrt(2 * radius);
    const Json rule = {{"between", {"*", "*"}},
                       {"law", "jaeger"},
                       {"friction", data["mu"]},
                       {"restitution", 1},
                       {"young_modulus", young},
                       {"shear_modulus", young / (4 * double(data["kappa"]))},
                       {"load_history", {{"merging", double(data["alpha"]) / double(data["mu"])}}}};
    Json material = {{"density", 1000}, {"young_modulus", 1e7}, {"poisson_ratio", 0.2}, {"friction", 0.1}};
    return Json{{"time", {{"duration", 1}}},
                {"precision", precision},
                {"materials", {{"a", material}}},
                {"contacts", {rule}},
                {"particles",
                 {{{"material", "a"}, {"radius", 0.1}, {"fill", {{"box", {{0, 0, 0}, {1, 1, 1}}}, {"count", 1}}}}}}}
        .dump();
  }
};

/// The columns of a CSV file by their header, without comments.
std::map<std::string, std::vector<double>> columns_of(const std::filesystem::path& file) {
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> names;
  for (const std::string& line : lines_of(file)) {
    if (line.starts_with("#")) { continue; }
    std::istringstream cells(line);
    std::string cell;
    const bool header = names.empty();
    for (std::size_t c = 0; std::getline(cells, cell, ','); ++c) {
      if (header) {
        names.push_back(cell);
      } else {
        columns[names.at(c)].push_back(std::stod(cell));
      }
    }
  }
  return columns;
}

class ContactOfJaeger : public testing::Test {
 protected:
  /// Runs the command and returns its table.
  std::map<std::string, std::vector<double>> run(const std::string& case_text, const std::string& path) {
    write_text(folder_ / "case.json", case_text);
    write_text(folder_ / "path.csv", path);
    arguments_.case_file = folder_ / "case.json";
    arguments_.path = folder_ / "path.csv";
    arguments_.between = {"a", "a"};
    arguments_.radii = {radius};
    arguments_.wall = true;
    arguments_.out = folder_ / "answer.csv";
    arguments_.traction = folder_ / "traction.csv";
    EXPECT_EQ(run_contact(arguments_, terminal_), exit_done);
    return columns_of(arguments_.out);
  }
  ScratchFolder folder_;
  ContactArguments arguments_;
  std::ostringstream terminal_;
};

// The command follows every reference history, from paths of few large steps to paths of many small ones. Positions
// round by 1e-17 m, at overlaps of 1e-3 m.
TEST_F(ContactOfJaeger, ReferenceHistories) {
  const Json vectors = Json::parse(std::ifstream(SCREE_SOURCE_DIR "/tests/data/jaeger_vectors.json"));
  for (const std::string precision : {"double", "mixed"}) {
    const double tolerance = precision == "double" ? 1e-9 : 2e-5;  // relative to mu N_max
    double worst = 0;
    for (const Json& data : vectors.at("cases")) {
      const History history(data);
      const Json& expected = data.at("expected");
      const double limit = double(data["mu"]) * double(data["N_max"]);
      if (double(expected["zeta"].back()) <= 0) { continue; }  // ends apart, without tractions to write
      auto table = run(history.case_text(precision), history.path());
      ASSERT_EQ(table["shear_y[N]"].size(), expected["Tx"].size() + 1) << data["name"];
      for (std::size_t k = 0; k < expected["Tx"].size(); ++k) {
        // The force on body 2.
        worst = std::max({worst, std::abs(table["shear_y[N]"][k + 1] + double(expected["Tx"][k])) / limit,
                          std::abs(table["shear_z[N]"][k + 1] + double(expected["Ty"][k])) / limit});
        ASSERT_LT(worst, tolerance) << data["name"] << " step " << k;
        ASSERT_NEAR(table["force_x[N]"][k + 1], double(expected["N"][k]), tolerance * double(data["N_max"]))
            << data["name"];
      }
      const std::string facts = read_text(folder_ / "traction.csv");
      EXPECT_EQ(facts.find("warning"), std::string::npos) << data["name"] << facts;
    }
    std::printf("%s: largest |T - T_ref| / (mu N_max): %.2e\n", precision.c_str(), worst);
  }
}

// The nine movements of the specification leave seven segments. The tractions sum up to the force, to 1e-9.
TEST_F(ContactOfJaeger, TractionsSumUpToTheForce) {
  const Json vectors = Json::parse(std::ifstream(SCREE_SOURCE_DIR "/tests/data/jaeger_vectors.json"));
  for (const Json& data : vectors.at("cases")) {
    if (data["name"] != "nine_movements") { continue; }
    const auto table = run(History(data).case_text("double"), History(data).path());
    std::vector<double> expected{0};
    for (const double n : data["expected"]["nseg"]) { expected.push_back(n); }
    EXPECT_EQ(table.at("segments"), expected);
    const auto profile = columns_of(folder_ / "traction.csv");
    const auto& r = profile.at("r[m]");
    ASSERT_EQ(r.size(), traction_points);
    double force = 0, normal = 0;  // by the trapezoidal rule over the rows
    for (std::size_t k = 1; k < r.size(); ++k) {
      const auto mean = [&](const char* name) {
        return 0.5 * (profile.at(name)[k - 1] * r[k - 1] + profile.at(name)[k] * r[k]);
      };
      force += 2 * 3.141592653589793 * (r[k] - r[k - 1]) * mean("traction_1[Pa]");
      normal += 2 * 3.141592653589793 * (r[k] - r[k - 1]) * mean("pressure[Pa]");
      EXPECT_LE(profile.at("mobilised[]")[k], 1 + 1e-12);
    }
    const double limit = double(data["mu"]) * double(data["expected"]["N"].back());
    EXPECT_NEAR(normal, double(data["expected"]["N"].back()), 3e-3 * normal);
    EXPECT_NEAR(force, double(data["expected"]["Tx"].back()), 3e-3 * limit);
    EXPECT_EQ(profile.at("mobilised[]").back(), 1);  // the rim slips
    EXPECT_EQ(profile.at("traction_2[Pa]").front(), 0);
  }
}

// Closed form of Cattaneo and Mindlin at constant N: q = mu p outside the circle of radius c = a (1 - T/(mu N))^(1/3).
// Inside, the same expression for the small circle is subtracted.
TEST_F(ContactOfJaeger, ProfileOfCattaneoAndMindlin) {
  const Json data = {{"A", 1},
                     {"kappa", 1.2},
                     {"mu", 0.5},
                     {"alpha", 0},
                     {"expected", {{"zeta", {1, 1}}}},
                     {"steps", {{1, 0, 0}, {0, 0.18, -0.24}}}};
  const History history(data);
  static_cast<void>(run(history.case_text("double"), history.path()));
  const double mu = 0.5, normal = 1, share = 1 - std::pow(1 - 0.3 / 0.6, 1.5);  // T over mu N
  const double a = std::sqrt(radius * largest_overlap), c = a * std::cbrt(1 - share);
  const auto profile = columns_of(folder_ / "traction.csv");
  for (std::size_t k = 0; k < traction_points; ++k) {
    const double r = profile.at("r[m]")[k], peak = 1.5 * normal / (3.141592653589793 * a * a);
    const auto bell = [&](double at) { return at > r ? at / a * std::sqrt(1 - r * r / (at * at)) : 0.0; };
    const double q = mu * peak * (bell(a) - bell(c));
    const double tolerance = 1e-7 * peak;  // error of a square root near the rim
    EXPECT_NEAR(profile.at("pressure[Pa]")[k], peak * bell(a), tolerance) << k;
    EXPECT_NEAR(profile.at("traction_1[Pa]")[k], 0.6 * q, tolerance) << k;
    EXPECT_NEAR(profile.at("traction_2[Pa]")[k], -0.8 * q, tolerance) << k;
    if (k + 1 < traction_points) { EXPECT_NEAR(profile.at("mobilised[]")[k], q / (mu * peak * bell(a)), 1e-6) << k; }
  }
  EXPECT_IN("slip annulus      from " + short_number_text(c, 9) + " m to the rim", terminal_.str());
}

TEST_F(ContactOfJaeger, SaysWhyThereAreNoTractions) {
  const Json data = {{"A", 1},
                     {"kappa", 1.2},
                     {"mu", 0.5},
                     {"alpha", 0},
                     {"expected", {{"zeta", {1, 0.5}}}},
                     {"steps", {{1, 0, 0}, {-0.5, 0, 0}}}};
  const History history(data);
  EXPECT_IN("--traction: the bodies do not touch at the end of the path",
            error_of([&] { run(history.case_text("double"), "time,normal\n0,1e-3\n1,-1e-3\n"); }));
  std::string other = history.case_text("double");
  other.replace(other.find("jaeger"), 6, "hertz_mindlin");
  Json plain = Json::parse(other);
  plain["contacts"][0].erase("load_history");
  EXPECT_IN("--traction: the law of this contact is hertz_mindlin, which keeps no load history",
            error_of([&] { run(plain.dump(), history.path()); }));
  arguments_.traction.clear();
  write_text(folder_ / "case.json", plain.dump());
  EXPECT_EQ(run_contact(arguments_, terminal_), exit_done);
  EXPECT_EQ(columns_of(arguments_.out).count("segments"), 0u);
}

/// Two spheres of one material that touch and lie on a floor, one that falls on them, and one far away. The wall has
/// another law.
const char* heap = R"({ "time": { "duration": 0.02, "step": 1e-5 }, "precision": "PRECISION",
  "materials": {
    "sand": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
    "steel": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.3, "restitution": 0.5 } },
  "contacts": [ { "between": ["sand", "sand"], "law": "jaeger" }, { "between": ["*", "*"], "law": "hertz_mindlin" } ],
  "particles": [ { "material": "sand", "file": "spheres.csv" } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "sand" },
    "wall": { "type": "plane", "point": [-0.00999, 0, 0], "normal": [1, 0, 0], "material": "steel" } },
  "output": { "series": { "every": 0.005 }, "checkpoints": { "every": 0.02 } } })";

class TractionCommand : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string text = heap;
    text.replace(text.find("PRECISION"), 9, GetParam());
    write_text(folder_ / "heap.json", text);
    write_text(folder_ / "spheres.csv",
               "x,y,z,radius\n0,0,0.00999,0.01\n0.01998,0,0.00999,0.01\n0.01,0.001,0.0273,0.01\n0.1,0,0.00999,0.01\n");
    RunArguments run;
    run.case_file = folder_ / "heap.json";
    run.folder = folder_ / "out";
    run.engine = {BackendChoice::host, 1};
    ASSERT_EQ(run_case(run, log_), exit_done);
    arguments_.run = folder_ / "out";
    arguments_.out = folder_ / "traction.csv";
  }
  std::string error() {
    return error_of([&] { run_traction(arguments_, terminal_); });
  }
  ScratchFolder folder_;
  std::ostringstream log_, terminal_;
  TractionArguments arguments_;
};

TEST_P(TractionCommand, WritesTheProfileOfAContactOfTheRun) {
  arguments_.contact = {2, 0};
  arguments_.points = 11;
  ASSERT_EQ(run_traction(arguments_, terminal_), exit_done);
  const auto profile = columns_of(arguments_.out);
  EXPECT_EQ(profile.at("r[m]").size(), 11u);
  EXPECT_GT(profile.at("pressure[Pa]").front(), 0);
  EXPECT_IN("contact           particle 0 (body 1) and particle 2 (body 2) at step 2 000, t = 0.02 s, of ",
            terminal_.str());
  EXPECT_EQ(terminal_.str().find("warning"), std::string::npos) << terminal_.str();
  // A checkpoint given by its name has the same output, also on the terminal.
  std::ostringstream whole;
  arguments_.run = folder_ / "out/checkpoints/step_000002000.h5";
  const std::string first = read_text(arguments_.out);
  arguments_.out.clear();
  ASSERT_EQ(run_traction(arguments_, whole), exit_done);
  EXPECT_EQ(whole.str(), first);
}

TEST_P(TractionCommand, WritesTheProfileAtABoundary) {
  arguments_.boundary = "floor";
  arguments_.particle = 3;
  ASSERT_EQ(run_traction(arguments_, terminal_), exit_done);
  EXPECT_IN("boundary \"floor\" (body 1) and particle 3 (body 2)", terminal_.str());
  EXPECT_IN("normal            (0, 0, 1) from body 1 to body 2", terminal_.str());
  EXPECT_EQ(terminal_.str().find("warning"), std::string::npos) << terminal_.str();
  EXPECT_GT(columns_of(arguments_.out).at("pressure[Pa]").front(), 0);
}

TEST_P(TractionCommand, SaysWhatTouchesInstead) {
  arguments_.contact = {0, 3};
  EXPECT_IN("--contact: particle 0 (body 1) and particle 3 (body 2) do not touch; particle 0 touches particle",
            error());
  EXPECT_IN("particle 3 touches boundary \"floor\"", error());
  arguments_.contact = {0, 9};
  EXPECT_IN("--contact: there is no particle 9 in the run", error());
  arguments_.contact = {1, 1};
  EXPECT_IN("--contact: a particle does not touch itself", error());
  arguments_.contact.clear();
  EXPECT_IN("--contact: is needed, or --boundary and --particle", error());
  arguments_.particle = 0;
  arguments_.boundary = "flor";
  EXPECT_IN("--boundary: no boundary is called \"flor\"; did you mean \"floor\"?", error());
  arguments_.boundary = "wall";
  EXPECT_IN("--particle: the law of this contact is hertz_mindlin, which keeps no load history", error());
  arguments_.run = folder_ / "nothing";
  EXPECT_IN("there is no file or folder", error());
  arguments_.run = folder_ / "heap.json";
  EXPECT_IN("heap.json: is not a checkpoint", error());
}

TEST_P(TractionCommand, SeriesAndLogTellTheLengthsOfHistories) {
  const auto table = columns_of(folder_ / "out/series.csv");
  EXPECT_EQ(table.at("history_length_max").front(), 0);
  EXPECT_GT(table.at("history_length_max").back(), 1);
  EXPECT_GT(table.at("history_length_mean").back(), 0);
  EXPECT_LE(table.at("history_length_mean").back(), table.at("history_length_max").back());
  EXPECT_IN("\nhistories   ", read_text(folder_ / "out/run.log"));
}

INSTANTIATE_TEST_SUITE_P(Precisions, TractionCommand, testing::Values("mixed", "double"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace scree::test::traction_test
