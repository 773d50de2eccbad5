#include <gtest/gtest.h>

#include "kernels/neighbours/skins.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::clearance_test {

using ClearanceTest = BackendTest;

/// Makes one list after the other for a body that moves by `way` [m] in between.
template <class R>
struct ManyLists {
  SkinChoiceBy<R> choice;
  R way;
  int lists;
  SCREE_HD void operator()(std::size_t i) const {
    SizeClasses sizes;
    for (int list = 0; list < lists; ++list) {
      choice.travel[i] = {way, R(0), R(0)};
      choice(i, sizes);
    }
  }
};

/// The clearance [m] of one body after `lists` new lists. Between two lists the body moves by `way` [m] towards a
/// boundary.
template <class R>
double clearance_after(double start, double way, int lists) {
  Exec exec(1);
  Bodies<R> bodies;
  Buffer<R> clearance;
  bodies.place.assign({BodyPlace<R>{{}, R(1e-3)}});
  bodies.speed.assign({BodySpeed<R>{}});
  bodies.way.assign({BodyTravel<R>{}});
  clearance.assign({static_cast<R>(start)});
  const SkinRule<R> none{R(0), R(0), R(1), R(0), R(0)};
  const SkinChoiceBy<R> choice{.rule = none,
                               .inverse_smallest = 1e3,
                               .velocity = bodies.velocity().view(),
                               .travel = bodies.travel().view(),
                               .radius = bodies.radius().view(),
                               .skin = bodies.skin().view(),
                               .clearance = clearance.view(),
                               .range = 1.0,
                               .boundary_travel = R(0)};
  exec.for_each("lists", 1, ManyLists<R>{choice, static_cast<R>(way), lists});
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

}  // namespace scree::inline SCREE_BACKEND::clearance_test
