#include "kernels/integrators/fincham.hpp"
#include "kernels/integrators/omelyan.hpp"
#include "kernels/integrators/spiral.hpp"
#include "support.hpp"

/// Integrators of rotation on the backend under test. Their physics is in tests/physics/rotation.test.cpp.
namespace scree::inline SCREE_BACKEND::rotation_test {

using RotationTest = BackendTest;

constexpr int steps = 500;

template <class Integrator, class R>
struct ManySteps {
  Span<Rotor<R>> rotors;
  SCREE_HD void operator()(std::size_t i) const {
    const R dt = R(0.01) * R(1 + i % 7);  // up to 2.5 rad per step, so that both branches of the rotation are used
    const Vec3<R> inertia{R(1), R(2) + R(i % 3) * R(0.25), R(3.2)};
    for (int n = 0; n < steps; ++n) {
      const Vec3<R> torque{R(0.2) * R(n % 5), R(-0.1), R(0.3)};
      Integrator::step(rotors[i], inertia, torque, {n == 0 ? R(0.5) * dt : dt, dt});
    }
  }
};

template <class R>
std::vector<Rotor<R>> starts() {
  Random random(5);
  std::vector<Rotor<R>> rotors;
  for (int i = 0; i < 600; ++i) {
    const Quaterniond q = normalised(Quaterniond{random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)});
    const Vec3<R> w{R(random(-1, 1)), R(random(-1, 1)), R(random(-1, 1))};
    rotors.push_back({q, w, R(2) * w});
  }
  return rotors;
}

/// Every backend must give the same bits as plain calls on the processor, which this test makes itself.
template <class Integrator, class R>
void expect_same_bits() {
  auto expected = starts<R>();
  const ManySteps<Integrator, R> plain{Span<Rotor<R>>{expected.data(), expected.size()}};
  for (std::size_t i = 0; i < expected.size(); ++i) { plain(i); }
  Exec exec(2);
  Buffer<Rotor<R>> rotors;
  rotors.assign(starts<R>());
  exec.for_each("rotation", rotors.size(), ManySteps<Integrator, R>{rotors.view()});
  const auto got = rotors.to_vector();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto values = [](const Rotor<R>& r) {
      return std::array<double, 10>{
          r.orientation.w,      r.orientation.x,      r.orientation.y,      r.orientation.z,      r.angular_velocity.x,
          r.angular_velocity.y, r.angular_velocity.z, r.angular_momentum.x, r.angular_momentum.y, r.angular_momentum.z};
    };
    ASSERT_EQ(values(got[i]), values(expected[i])) << i;
    ASSERT_NEAR(dot(got[i].orientation, got[i].orientation), 1, 1e-15);
  }
}

TEST_F(RotationTest, SameBitsOnEveryBackend) {
  expect_same_bits<Spiral<double>, double>();
  expect_same_bits<Omelyan<double>, double>();
  expect_same_bits<Fincham<double>, double>();
  expect_same_bits<Spiral<float>, float>();
  expect_same_bits<Omelyan<float>, float>();
  expect_same_bits<Fincham<float>, float>();
}

}  // namespace scree::inline SCREE_BACKEND::rotation_test
