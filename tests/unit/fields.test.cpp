#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>

#include "host/measure/clump_members.hpp"
#include "host/measure/field_means.hpp"
#include "host/measure/selection.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "state_by_hand.hpp"

/// Means over grids, against closed forms and what other measures say.
namespace scree::test::fields_test {

using Sums = FieldSums;

TEST(Fields, TheKernelIsTheCubicSpline) {
  EXPECT_DOUBLE_EQ(spline::tail(0), 0.5);
  EXPECT_DOUBLE_EQ(spline::tail(1), 1.0 / 24);
  EXPECT_EQ(spline::tail(2), 0);
  EXPECT_DOUBLE_EQ(spline::value(0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(spline::value(1), 1.0 / 6);
  // The tail is minus the integral: compared with Simpson's rule, whose error is that of rounding for cubics.
  for (double u = 0; u < 2; u += 0.125) {
    const double h = 0.125, mean = (spline::value(u) + 4 * spline::value(u + h / 2) + spline::value(u + h)) / 6;
    EXPECT_NEAR(spline::between(u, u + h), h * mean, 1e-15);
    EXPECT_NEAR(spline::between(-u - h, -u), h * mean, 1e-15);
  }
  EXPECT_NEAR(spline::between(-3, 0.3) + spline::between(0.3, 5), 1, 1e-15);
  const spline::Axis axis{-1, 0.1, 20, 0.4};  // the variance is width^2 / 12, and that of a cell beside it
  const auto reach = axis.reach(0.03, 0.03);
  std::vector<double> share;
  axis.shares(0.03, reach, share);
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double x = axis.at(reach.first + i) + 0.05 - 0.03;
    sum += share[i], square += share[i] * x * x;
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_NEAR(square, 0.4 * 0.4 / 12 + 0.1 * 0.1 / 12, 1e-12);
}

/// Two spheres that press each other with 7 N: along their axis the stress, integrated over the cross-section, is
/// -f times the share of the way that the kernel sees. The cells are one across, so that is a closed form.
TEST(Fields, StressOfTwoSpheresIsThatOfTheLineBetweenThem) {
  ByHand state;
  const double force = 7, gap = 0.9, width = 0.8;
  state.add({-gap / 2, 0, 0}, {}, 1);
  state.add({gap / 2, 0, 0}, {}, 1);
  state.contacts.push_back({0, 1, false, {force, 0, 0}, {1, 0, 0}, {0.05, 0, 0}, {gap, 0, 0}, {}});
  state.ends = {{0, 1}};
  FieldSums sums({BoxRegion{{-2, -2, -2}, {2, 2, 2}}, {80, 1, 1}}, width);
  sums.add(state.view());
  EXPECT_NEAR(total(sums, Sums::moment), -force * gap, 1e-14);
  const double h = width / 2;
  // Integral of the tail from u to 2, by the antiderivative of (2 - u)^4 / 24 and of the inner part.
  const auto inner = [](double u) { return 0.5 * u - u * u / 3 + std::pow(u, 4) / 12 - std::pow(u, 5) / 40; };
  const auto tail_sum = [&](double u) {
    return u >= 2 ? 0 : u >= 1 ? std::pow(2 - u, 5) / 120 : 1.0 / 120 + inner(1) - inner(u);
  };
  // Integral from -infinity to x of the distribution function of the spline about 0.
  const auto ramp = [&](double x) { return x >= 0 ? x + h * tail_sum(x / h) : h * tail_sum(-x / h); };
  double largest = 0, error = 0;
  for (std::size_t c = 0; c < 80; ++c) {
    const double low = -2 + 0.05 * static_cast<double>(c), high = low + 0.05;
    const auto over_cell = [&](double from) { return ramp(high - from) - ramp(low - from); };
    const double expected = -force * (over_cell(-gap / 2) - over_cell(gap / 2));
    largest = std::fmax(largest, std::fabs(expected));
    error = std::fmax(error, std::fabs(sums.of(Sums::moment, c) - expected));
  }
  EXPECT_LT(error, 1e-3 * largest) << "the Gauss rule of the line";  // measured: 2e-4
  for (std::size_t k = 1; k < 9; ++k) { EXPECT_EQ(total(sums, Sums::moment + k), 0); }
  EXPECT_EQ(total(sums, Sums::boundary_force), 0);
}

TEST(Fields, ShearHasItsVelocityGradientAndTheAgitationOfTheKernel) {
  ByHand state;
  const double rate = 3, width = 0.6;
  const Real3 drift{10, -20, 5};
  for (int i = 0; i < 21 * 21 * 21; ++i) {
    const int row = i / 21, layer = i / 441;
    const Real3 x{0.1 * (i % 21 - 10), 0.1 * (row % 21 - 10), 0.1 * (layer - 10)};
    state.add(x, {drift[0] + rate * x[2], drift[1], drift[2]}, 0.001);
  }
  FieldSums sums({BoxRegion{{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}, {1, 1, 1}}, width);
  sums.add(state.view());
  sums.add(state.view());
  const auto fields = field_means(sums, 2, false);
  const auto& velocity = named(fields, "velocity").values;
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(velocity[k], drift[k], 1e-12) << "the cell is in the middle"; }
  // Independently: the weight of each particle is its share, and the variance of heights follows.
  double weight = 0, square = 0;
  for (int k = -10; k <= 10; ++k) {
    const double z = 0.1 * k, share = spline::between((-0.1 - z) / 0.3, (0.1 - z) / 0.3);
    weight += share, square += share * z * z;
  }
  const double variance = square / weight;
  EXPECT_NEAR(variance, width * width / 12 + 0.2 * 0.2 / 12, 1e-3) << "as docs/output.md says";
  // Squares of a velocity of 23 m/s, 525 m2/s2, are known to some 1e-14 of them.
  EXPECT_NEAR(named(fields, "granular_temperature").values[0], rate * rate * variance / 3, 1e-11);
  EXPECT_NEAR(named(fields, "kinetic_stress").values[0],
              -named(fields, "mass_density").values[0] * rate * rate * variance, 1e-8);
  EXPECT_NEAR(named(fields, "mass_density").values[0], 1, 1e-3) << "1 g in each 0.1^3 m3";
  const auto& gradient = named(fields, "velocity_gradient").values;
  // d/dz of (sum of m v phi) / (sum of m phi): the lattice makes ripples of some 1e-3 in it.
  for (std::size_t k = 0; k < 9; ++k) { EXPECT_NEAR(gradient[k], k == 2 ? rate : 0, k == 2 ? 5e-3 * rate : 1e-10); }
}

Case heap_case(const std::string& extra = "") {
  return parse_case(R"({ "time": { "duration": 0.3, "step": 2e-5 }, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e6, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.5 },
                   "lead": { "density": 11000, "young_modulus": 1e6, "poisson_ratio": 0.25, "friction": 0.4,
                             "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": { "uniform": [0.003, 0.005] }, "velocity": [0, 0, -1],
                     "fill": { "box": [[0, 0, 0], [0.05, 0.05, 0.05]], "count": 120 } },
                   { "material": "lead", "radius": 0.004, "fill": { "box": [[0, 0, 0.05], [0.05, 0.05, 0.07]],
                     "count": 30 } } ],
    "boundaries": { "box": { "type": "box", "min": [0, 0, 0], "max": [0.05, 0.05, 0.2], "material": "glass" } })" +
                        extra + "}",
                    "/");
}

class Heap : public testing::Test {
 protected:
  Heap()
      : input_(heap_case()),
        scene_(build_scene(input_, report_)),
        engine_(make_engine(scene_, {BackendChoice::host, 2})) {
    engine_->advance(4000);
    state_.emplace(*engine_, MeasureNeeds{.forces = false, .contacts = true, .held = true});
    view_.emplace(view_of(*state_, state_->spheres, scene_));
  }
  Case input_;
  SceneReport report_;
  Scene scene_;
  std::unique_ptr<Engine> engine_;
  std::optional<MeasuredState> state_;
  std::optional<ProbeView> view_;
  FieldGrid large_{BoxRegion{{-0.1, -0.1, -0.1}, {0.15, 0.15, 0.25}}, {25, 20, 30}};
};

TEST_F(Heap, IntegralsOverAllSpaceAreSumsOverTheParticles) {
  FieldSums sums(large_, 0.016);
  sums.add(*view_);
  double mass = 0;
  for (const double m : view_->mass) { mass += m; }
  EXPECT_NEAR(total(sums, Sums::mass), mass, 1e-13 * mass);
  EXPECT_NEAR(total(sums, Sums::number), 150, 1e-11);
  ASSERT_GT(view_->contacts.size(), 200U);
  // The stress probe of a region that has all particles gives the same, over the volume of the region.
  SeriesOutput probe;
  probe.every = 1;
  probe.probes = {{"p", {StressProbe{BoxRegion{{-0.1, -0.1, -0.1}, {0.15, 0.15, 0.25}}}}}};
  const auto stress = Probes(probe, scene_, {}).measure(*state_, scene_);
  const double volume = 0.25 * 0.25 * 0.35;
  double largest = 0;
  for (std::size_t k = 0; k < 9; ++k) { largest = std::fmax(largest, std::fabs(stress[k])); }
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(total(sums, Sums::moment + k) / volume, stress[k], 1e-12 * largest);
  }
  const Real3 load = engine_->boundary_loads()[0].force;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(total(sums, Sums::boundary_force + k), -load[k], 1e-12 * std::fabs(load[2]));
    EXPECT_EQ(total(sums, Sums::other_force + k), 0);
  }
}

/// In each layer of cells that spans the heap the sum of the forces on the particles, seen by the kernel, is the
/// difference of the stresses above and below and the forces of boundaries. Layers are thin, so differences of means of
/// cells stand for those at faces.
TEST_F(Heap, MomentumBalancesAtEveryHeight) {
  const std::size_t n = 400;
  const double width = 0.012, low = -0.02, edge = 0.12 / n;
  FieldSums sums({BoxRegion{{-0.1, -0.1, low}, {0.15, 0.15, low + 0.12}}, {1, 1, n}}, width);
  sums.add(*view_);
  std::vector<Real3> force(view_->position.size());
  for (std::size_t c = 0; c < view_->ends.size(); ++c) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t i = view_->ends[c][side];
      if (i == ProbeView::none) { continue; }
      for (std::size_t k = 0; k < 3; ++k) { force[i][k] += (side == 1 ? 1 : -1) * view_->contacts[c].force[k]; }
    }
  }
  double largest = 0, error = 0;
  for (std::size_t c = 2; c + 2 < n; ++c) {
    for (std::size_t a = 0; a < 3; ++a) {
      double on_particles = 0;
      for (std::size_t i = 0; i < force.size(); ++i) {
        const double z = low + edge * static_cast<double>(c) - view_->position[i][2];
        on_particles += force[i][a] * spline::between(2 * z / width, 2 * (z + edge) / width);
      }
      const auto moment = [&](std::size_t cell) { return sums.of(Sums::moment + 3 * a + 2, cell) / edge; };
      const double divergence = 0.5 * (moment(c + 1) - moment(c - 1));
      const double boundary = sums.of(Sums::boundary_force + a, c);
      largest = std::fmax(largest, std::fabs(divergence) + std::fabs(boundary));
      error = std::fmax(error, std::fabs(on_particles - divergence - boundary));
    }
  }
  EXPECT_LT(error, 0.01 * largest) << "of central differences over 1/20 of the width, and of the Gauss rule";
}

TEST_F(Heap, ThreadsDoNotMatter) {
  const int before = omp_get_max_threads();
  std::vector<double> of[2];
  for (const int threads : {1, 5}) {
    omp_set_num_threads(threads);
    FieldSums sums(large_, 0.016);
    sums.add(*view_);
    of[threads == 1 ? 0 : 1] = sums.all();
  }
  omp_set_num_threads(before);
  EXPECT_EQ(of[0], of[1]);
}

/// What one kind has and what the other has add up; the forces between them are opposite.
TEST_F(Heap, KindsAddUpToAll) {
  FieldSums all(large_, 0.016), glass(large_, 0.016), lead(large_, 0.016);
  all.add(*view_);
  for (FieldSums* sums : {&glass, &lead}) {
    const auto chosen = Selection(scene_, {sums == &glass ? "glass" : "lead"}, {}).in(view_->now);
    view_->chosen = &chosen;
    sums->add(*view_);
    view_->chosen = nullptr;
  }
  for (std::size_t q = 0; q < Sums::other_force; ++q) {
    double largest = 1e-300;
    for (std::size_t c = 0; c < all.cells(); ++c) { largest = std::fmax(largest, std::fabs(all.of(q, c))); }
    for (std::size_t c = 0; c < all.cells(); ++c) {
      ASSERT_NEAR(glass.of(q, c) + lead.of(q, c), all.of(q, c), 1e-13 * largest) << q;
    }
  }
  ASSERT_NE(total(glass, Sums::other_force + 2), 0);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(total(glass, Sums::other_force + k), -total(lead, Sums::other_force + k), 1e-13);
  }
}

/// A pile of spheres one above the other, at rest.
TEST(Fields, AColumnCarriesTheWeightAbove) {
  const Case input = parse_case(R"({ "time": { "duration": 1, "step": 2e-5 }, "precision": "double",
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0,
                              "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": 0.005, "group": "column",
      "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.01, 0.01, 0.4]], "spacing": 0.01 } } ],
    "groups": { "column": { "fixed": ["x", "y", "rx", "ry", "rz"], "damping": 0.5 } },
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } } })",
                                "/");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  ASSERT_EQ(scene.particles.size(), 40U);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(40000);
  const MeasuredState state(*engine, {.forces = false, .contacts = true});
  const std::size_t n = 90;
  FieldSums sums({BoxRegion{{-0.02, -0.02, -0.03}, {0.03, 0.03, 0.42}}, {1, 1, n}}, 0.02);
  sums.add(view_of(state, state.spheres, scene));
  const double weight = 9.81 * total(sums, Sums::mass);
  EXPECT_NEAR(total(sums, Sums::boundary_force + 2), weight, 1e-6 * weight) << "it is at rest";
  double above = weight;
  for (std::size_t c = 0; c < n; ++c) {
    const double own = 9.81 * sums.of(Sums::mass, c), z = -0.03 + 0.005 * (static_cast<double>(c) + 0.5);
    const double pressure = -sums.of(Sums::moment + 8, c) / 0.005;  // over the area of the cells
    above -= own;
    // One width above the floor no boundary force is left.
    if (z > 0.025) { EXPECT_NEAR(pressure, above + own / 2, 0.01 * weight) << z; }
  }
}

/// Every image of a cell that repeats counts, also in a flow.
TEST(Fields, ACellThatRepeatsFillsItsGrid) {
  const Case input = parse_case(R"({ "time": { "duration": 0.01, "step": 1e-5 }, "precision": "double",
    "gravity": [0, 0, 0],
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.5 } },
    "particles": [ { "material": "glass", "radius": { "uniform": [0.003, 0.005] },
                     "fill": { "cell": {}, "solid_fraction": 0.35 } } ],
    "domain": { "periodic": { "size": [0.05, 0.05, 0.05] },
                "velocity_gradient": [[0, 0, 5], [0, 0, 0], [0, 0, 0]] } })",
                                "/");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(500);
  const MeasuredState state(*engine, {.forces = false, .contacts = true});
  const ProbeView view = view_of(state, state.spheres, scene);
  double mass = 0;
  for (const double m : view.mass) { mass += m; }
  // Two cells above each other hold the mass twice, and the upper one moves on by the rate times the height.
  FieldSums sums({BoxRegion{{0, 0, 0}, {0.05, 0.05, 0.1}}, {1, 1, 2}}, 0.01);
  sums.add(view);
  for (std::size_t c = 0; c < 2; ++c) { EXPECT_NEAR(sums.of(Sums::mass, c), mass, 1e-13 * mass); }
  const double lower = sums.of(Sums::momentum, 0) / mass, upper = sums.of(Sums::momentum, 1) / mass;
  EXPECT_NEAR(upper - lower, 5 * 0.05, 1e-12);
}

}  // namespace scree::test::fields_test
