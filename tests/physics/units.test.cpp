#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "scenes.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// If all lengths and times of a case are a power of two times as long, all results are those of the first case times
/// powers of two, to the last bit: no operation has another rounding. Densities, moduli and velocities stay the same. A
/// constant of the program with a unit, such as a tolerance in metres, would break this.
namespace scree::physics::units_test {

/// Values of a case in JSON. `unit` is that of lengths and times, in units of the first case: forces are in units of
/// its square, surface energies and stiffnesses of springs in units of itself.
struct Values {
  double unit;
  [[nodiscard]] std::string operator()(double value, int power) const {
    std::ostringstream text;
    text.precision(17);
    text << value * std::pow(unit, power);
    return text.str();
  }
  [[nodiscard]] std::string lengths(const Real3& v) const {
    return "[" + (*this)(v[0], 1) + ", " + (*this)(v[1], 1) + ", " + (*this)(v[2], 1) + "]";
  }
};

struct Physics {
  const char* name;
  std::string (*rule)(const Values&);   ///< of all contacts
  std::string (*parts)(const Values&);  ///< further parts of the case
  double bound = 0;  ///< of differences; above 0 for cube roots, whose iterations begin at other roundings
};

std::string none(const Values&) { return ""; }

const Physics all[] = {
    {"hertz_mindlin", [](const Values&) -> std::string { return R"("law": "hertz_mindlin")"; }, none},
    {"linear_spring_dashpot", [](const Values&) -> std::string { return R"("law": "linear_spring_dashpot")"; }, none},
    {"given springs",
     [](const Values& in) {
       return R"("law": "linear_spring_dashpot", "normal_stiffness": )" + in(2e4, 1) + R"(, "shear_stiffness": )" +
              in(1e4, 1) + R"(, "normal_damping": )" + in(0.05, 2) + R"(, "shear_damping": )" + in(0.02, 2);
     },
     none},
    {"cundall_strack", [](const Values&) -> std::string { return R"("law": "cundall_strack")"; }, none},
    {"mindlin_reversal", [](const Values&) -> std::string { return R"("law": "mindlin_reversal")"; }, none},
    {"jaeger", [](const Values&) -> std::string { return R"("law": "jaeger")"; }, none},
    {"dmt", [](const Values& in) { return R"("law": "hertz_mindlin_dmt", "surface_energy": )" + in(0.05, 1); }, none},
    {"luding",
     [](const Values& in) {
       return R"("law": "luding", "surface_energy": )" + in(0.05, 1) + R"(, "plasticity": { "ratio": 0.6 })";
     },
     none},
    {"jkr", [](const Values& in) { return R"("law": "jkr", "surface_energy": )" + in(0.05, 1); }, none, 1e-10},
    {"eepa",
     [](const Values& in) {
       return R"("law": "eepa", "surface_energy": )" + in(0.05, 1) + R"(, "plasticity": { "ratio": 0.6 })";
     },
     none, 1e-10},
    {"rolling and cohesion",
     [](const Values&) -> std::string {
       return R"("law": "hertz_mindlin", "cohesion": { "energy_density": 2e4 }, "rolling": { "stiffness": 0.2,
         "friction": 0.1, "twisting_stiffness": 0.2, "twisting_friction": 0.1, "damping": 0.3 })";
     },
     none},
    {"liquid",
     [](const Values& in) {
       return R"("law": "hertz_mindlin", "liquid": { "surface_tension": )" + in(0.07, 1) + R"(, "volume": )" +
              in(1e-11, 3) + R"(, "viscosity": )" + in(1e-3, 1) + R"(, "roughness": )" + in(1e-6, 1) + "}";
     },
     none},
    {"bonds",
     [](const Values&) -> std::string {
       return R"("law": "bonded", "bond": { "tensile_strength": 2e5, "cohesion": 4e5, "interaction_range": 1.1,
         "strain": "logarithmic" })";
     },
     none},
    {"heat", [](const Values&) -> std::string { return R"("law": "hertz_mindlin")"; },
     [](const Values&) -> std::string { return R"("heat": { "temperature": 300, "dissipation": 1 },)"; }},
};

/// Spheres of several sizes, which fall onto a floor in a tube and slide there.
Scene bed(const Physics& physics, double unit, Precision precision) {
  const Values in{unit};
  Numbers numbers(11);
  const auto material = [&](double friction) {
    return R"({ "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "restitution": 0.6, "friction": )" +
           std::to_string(friction) + R"(, "thermal": { "conductivity": )" + in(40, 1) +
           R"(, "heat_capacity": 385 } })";
  };
  std::string particles;
  for (int k = 0; k < 64; ++k) {
    const Real3 cell{double(k % 4) - 1.5, double(k / 4 % 4) - 1.5, double(k / 16) + 0.5};
    particles += (k == 0 ? "" : ", ") + std::string(R"({ "material": "a", "radius": )") +
                 in(1e-3 - 2e-5 * double(k % 3), 1) + R"(, "velocity": [0.3, 0.2, -0.8], "allow_overlap": 0.1,
                 "positions": [)" +
                 in.lengths(1.93e-3 * cell + numbers.in_cube(1e-5)) + "] }";
  }
  const std::string rule = physics.rule(in);
  const std::string text = R"({ "time": { "duration": )" + in(1, 1) + R"(, "step": )" + in(2e-6, 1) + R"( },
    "precision": ")" + (precision == Precision::mixed ? "mixed" : "double") +
                           R"(", "gravity": [0, 0, )" + in(-9.81, -1) + "], " + physics.parts(in) + R"(
    "materials": { "a": )" +
                           material(0.4) + R"(, "w": )" + material(0.2) + R"( },
    "contacts": [ { "between": ["a", "a"], )" +
                           rule + R"( }, { "between": ["a", "w"], "law": "hertz_mindlin" } ],
    "particles": [ )" + particles +
                           R"( ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "w" },
      "tube": { "type": "cylinder", "from": )" +
                           in.lengths({0, 0, -0.01}) + R"(, "to": )" + in.lengths({0, 0, 0.05}) + R"(, "radius": )" +
                           in(5.05e-3, 1) + R"(, "material": "w" } } })";
  SceneReport report;
  return build_scene(parse_case(text, "/nowhere"), report);
}

constexpr std::uint64_t steps = 600;

// 64 spheres, pressed together at the start. In double precision micrometres and metres are compared with millimetres.
// Single precision has fewer exponents: below some 5 micrometres products of small numbers lose bits, which shows in
// the last place.
TEST(Units, OfLengthAndTimeDoNotMatter) {
  const double small = 1.0 / 4096, large = 4096;
  for (const Physics& physics : all) {
    for (const Precision precision : {Precision::double_, Precision::mixed}) {
      const auto first = start(bed(physics, 1, precision));
      std::uint64_t contacts = 0, with_boundaries = 0;
      for (std::uint64_t step = 0; step < steps; step += 50) {
        first->advance(50);
        contacts = std::max(contacts, first->counts().contacts);
        with_boundaries = std::max(with_boundaries, first->counts().boundary_contacts);
      }
      const Snapshot one = first->snapshot({.force = true});
      EXPECT_GT(contacts, 50u) << physics.name;
      EXPECT_GT(with_boundaries, 10u) << physics.name;
      for (const double unit : {precision == Precision::mixed ? 1.0 / 64 : small, large}) {
        const auto second = start(bed(physics, unit, precision));
        second->advance(steps);
        const Snapshot other = second->snapshot({.force = true});
        double worst = 0, most_force = 0;
        for (std::size_t i = 0; i < one.id.size(); ++i) { most_force = std::max(most_force, norm(one.force[i])); }
        for (std::size_t i = 0; i < one.id.size(); ++i) {
          worst = std::max({worst, norm(1 / unit * other.position[i] - one.position[i]) / 1e-3,
                            norm(other.velocity[i] - one.velocity[i]),
                            norm(unit * other.angular_velocity[i] - one.angular_velocity[i]) * 1e-3,
                            norm(1 / (unit * unit) * other.force[i] - one.force[i]) / most_force});
        }
        const double bound = precision == Precision::mixed ? 1e6 * physics.bound : physics.bound;
        EXPECT_LE(worst, bound) << physics.name << ", times " << unit
                                << (precision == Precision::mixed ? ", mixed" : ", double");
        EXPECT_EQ(second->counts().contacts, first->counts().contacts) << physics.name << ", times " << unit;
      }
    }
  }
}

}  // namespace scree::physics::units_test
