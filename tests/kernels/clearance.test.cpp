#include <gtest/gtest.h>

#include "kernels/neighbours/skins.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND {
namespace {

using ClearanceTest = BackendTest;

/// The clearance [m] of one body after `lists` new lists. Between two lists the body moves by `way` [m] towards a
/// boundary.
template <class R>
double clearance_after(double start, double way, int lists) {
  Exec exec(1);
  Bodies<R> bodies;
  Buffer<R> clearance;
  Buffer<LaneSizes> sizes;
  bodies.place.assign({BodyPlace<R>{{}, R(1e-3)}});
  bodies.speed.assign({BodySpeed<R>{}});
  bodies.way.assign({BodyTravel<R>{{static_cast<R>(way), R(0), R(0)}, R(0)}});
  clearance.assign({static_cast<R>(start)});
  sizes.resize(n_lanes);
  const SkinRule<R> none{R(0), R(0), R(1), R(0), R(0)};
  const SkinChoice<R> choice{.rule = none,
                             .velocity = bodies.velocity().view(),
                             .travel = bodies.travel().view(),
                             .radius = bodies.radius().view(),
                             .skin = bodies.skin().view(),
                             .clearance = clearance.view(),
                             .range = 1.0,
                             .inverse_smallest = 1e3,
                             .boundary_travel = R(0),
                             .n_bodies = 1,
                             .sizes = sizes.view()};
  for (int list = 0; list < lists; ++list) { exec.for_lanes("skins", n_lanes, 1, choice); }
  return double(clearance.element(0));
}

// Each move is far less than the spacing of floats near the clearance. If moves were forgotten, a body could creep
// through a wall. So each update subtracts a little too much instead; this loss must be so small that searches do not
// come noticeably earlier.
TEST_F(ClearanceTest, CountsWaysThatAreLostInRounding) {
  constexpr int lists = 20000;
  for (const double way : {0.0, 1e-9, 1e-8, 4e-8}) {
    const double left = 1 - way * lists;
    EXPECT_LE(clearance_after<float>(1, way, lists), left) << way;
    EXPECT_GE(clearance_after<float>(1, way, lists), 0.97 * left) << way;
    EXPECT_LE(clearance_after<double>(1, way, lists), left) << way;
  }
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
