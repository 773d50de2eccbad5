#include "kernels/step/nodes/deformed_field.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "kernels/backend/exec.hpp"
#include "support.hpp"

// The field of a deformed grain against tests/data/level_set/semilag_affine.json: a linear field under two affine
// modes, for which trilinear interpolation is exact.
namespace scree::inline SCREE_BACKEND::deformed_field_test {

using nlohmann::json;

struct Found {
  Vec3d place;   ///< before deformation
  double value;  ///< of the field there
  FieldSample<double> sample;
};

struct Ask {
  Span<GrainForm<double>> form;
  Span<Four<float>> value;
  Span<Four<float>> field;
  Span<double> amplitude;
  Span<Vec3d> point;
  Span<Found> found;
  Remap remap;

  SCREE_HD void operator()(std::size_t i) const {
    GrainViews<double> grains{};
    grains.value = value;
    grains.modes.field = field;
    grains.modes.remap = remap;
    DisplacementCell<double> cell(grains.modes, form[0], amplitude.data, 1);
    found[i].place = undeformed_place(cell, point[i], form[0].spacing, remap);
    FieldSample<double> at{};
    grains.sample(form[0], found[i].place, at);
    found[i].value = at.distance;
    sample_deformed(grains, form[0], cell, point[i], found[i].sample);
  }
};

Vec3d vec(const json& a) { return {a[0], a[1], a[2]}; }

class DeformedField : public BackendTest {
 protected:
  void SetUp() override {
    BackendTest::SetUp();
    std::ifstream file(std::string(SCREE_SOURCE_DIR) + "/tests/data/level_set/semilag_affine.json");
    data_ = json::parse(file);
  }

  std::vector<Found> ask(const Remap& remap) {
    const Vec3d origin = vec(data_["grid"]["origin"]), normal = vec(data_["n"]);
    const double h = data_["grid"]["h"];
    const auto n = data_["grid"]["n"][0].get<std::uint32_t>();
    std::vector<Four<float>> value;
    std::vector<Four<float>> field;
    for (std::uint32_t k = 0; k < n * n * n; ++k) {
      const std::uint32_t row = k / n, layer = row / n;
      const Vec3d x = origin + Vec3d{h * (k % n), h * (row % n), h * layer};
      value.push_back(Four<float>::of(float(dot(normal, x) - double(data_["d"])), float(normal.x), float(normal.y),
                                      float(normal.z)));
      for (const auto& g : data_["G"]) {
        const Vec3d u{dot(vec(g[0]), x), dot(vec(g[1]), x), dot(vec(g[2]), x)};
        field.push_back(Four<float>::of(convert<float>(u)));
      }
    }
    GrainForm<double> shape{};
    shape.size[0] = shape.size[1] = shape.size[2] = n;
    shape.origin = origin;
    shape.spacing = h;
    shape.inverse_spacing = 1 / h;
    shape.modes.count = 2;
    std::vector<Vec3d> points;
    for (const auto& x : data_["points"]) { points.push_back(vec(x)); }
    Exec exec(1);
    Buffer<GrainForm<double>> form;
    Buffer<Four<float>> values;
    Buffer<Four<float>> fields;
    Buffer<double> amplitude;
    Buffer<Vec3d> asked;
    Buffer<Found> found;
    form.assign({shape}), values.assign(value), fields.assign(field), asked.assign(points);
    amplitude.assign({double(data_["eps"][0]), double(data_["eps"][1])});
    found.assign(std::vector<Found>(points.size()));
    exec.for_each("test", points.size(),
                  Ask{form.view(), values.view(), fields.view(), amplitude.view(), asked.view(), found.view(), remap});
    return found.to_vector();
  }

  json data_;
};

// The grids hold numbers of single precision: errors of 1e-7 of the coordinates.
TEST_F(DeformedField, IsThatOfTheUndeformedGrainAtThePointThatMovedHere) {
  const auto found = ask({});
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].value, double(data_["phi_exact"][i]), 2e-5 * 0.5) << i;  // 1e-4 of the spacing, and less
    if (!(found[i].sample.distance < 0)) { continue; }
    const Vec3d gradient = found[i].sample.gradient, exact = vec(data_["grad_exact"]);
    EXPECT_NEAR(norm(gradient - exact), 0, 1e-5);
    // The distance to first order is the value over the length of the gradient.
    EXPECT_NEAR(found[i].sample.distance, double(data_["phi_exact"][i]) / norm(exact), 3e-5);
  }
}

TEST_F(DeformedField, WithoutIterationsIsTheFormulaOfFirstOrder) {
  const auto found = ask({.iterations = 0, .tolerance = 0});
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].value, double(data_["phi_one_step"][i]), 2e-6) << i;
  }
}

/// Each iteration multiplies the error by the norm of the gradient of the displacement, at most.
TEST_F(DeformedField, ConvergesAsTheGradientOfTheDisplacement) {
  const double rate = data_["spectral_norm_of_H"];
  for (const std::uint32_t iterations : {1U, 3U, 6U}) {
    const auto found = ask({.iterations = iterations, .tolerance = 0});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double bound = std::pow(rate, iterations + 2) / (1 - rate) * norm(vec(data_["points"][i]));
      EXPECT_LE(std::abs(found[i].value - double(data_["phi_exact"][i])), bound + 2e-6);
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::deformed_field_test
