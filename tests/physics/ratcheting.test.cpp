#include <gtest/gtest.h>

#include "kernels/contact/pair_contacts.hpp"
#include "kernels/laws/cundall_strack.hpp"

namespace scree::physics {
namespace {

using Contact = PairContacts<CundallStrack<double>, double, true>;

// A18, the velocity is that of the contact point, in the middle of the overlap: a cycle of pushing, rolling, releasing and
// rolling back leaves K_T times the angle times half of the push (closed form of the catalogue, 1 %).
TEST(Ratcheting, A18ContactPointInTheMiddle) {
  constexpr double r = 0.01, stiffness = 1e5, ratio = 0.3, push = 1e-5, angle = 1e-3;
  constexpr int steps = 100;
  Contact contact{};
  contact.shared_params = {stiffness / r, stiffness / r, ratio, ratio, 1e9};
  Contact::Input in{};
  in.radius1 = in.radius2 = r;
  in.inverse_mass = 1;
  in.time_step = 1.0 / steps;
  const auto roll = [&](double overlap, double turn) {
    const double length = 2 * r - overlap;
    in.branch = {0, 0, length};
    in.square_gap = 4 * r * r - length * length;
    in.spin2 = {0, turn, 0};
    for (int k = 0; k < steps; ++k) { in.shear = contact.evaluate(in).shear; }
  };
  roll(2e-5 + push, angle);
  roll(2e-5, -angle);
  EXPECT_NEAR(norm(in.shear) / (ratio * stiffness * angle * push / 2), 1, 0.01);
}

}  // namespace
}  // namespace scree::physics
