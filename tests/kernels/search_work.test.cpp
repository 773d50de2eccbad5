#include <cstring>

#include "kernels/backend/merge.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/neighbours/skins.hpp"
#include "support.hpp"

/// How the search looks at all bodies, and how it moves them.
namespace scree::inline SCREE_BACKEND::search_work_test {

using SearchWork = BackendTest;

constexpr std::size_t sizes[] = {0, 1, 2, 127, 129, 70001};

/// Keeps what finish() was called with.
template <class Sum>
struct Store {
  Sum* place;
  SCREE_HD void operator()(const Sum& sum) const { *place = sum; }
};

template <class R>
BodyLook look_at(Bodies<R>& bodies, int threads) {
  Exec exec(threads);
  Buffer<BodyLook> parts, result;
  result.resize(1);
  const LookAt<R> look{bodies.position().view(), bodies.velocity().view(), bodies.radius().view(), true};
  merge_all<BodyLook>(exec, "look", bodies.place.size(), look, parts, Store<BodyLook>{result.data()}, 0);
  return result.element(0);
}

// Speeds and radii are powers of two, so sums have no rounding and no order.
template <class R>
void expect_looks_of_all_bodies(std::size_t n, int threads) {
  Random random(n + std::uint64_t(threads));
  Bodies<R> bodies;
  std::vector<BodyPlace<R>> place(n);
  std::vector<BodySpeed<R>> speed(n);
  BodyLook expected;
  for (std::size_t i = 0; i < n; ++i) {
    const R v = static_cast<R>(std::exp2(double(random.whole(4))));
    speed[i].velocity = {R(0), -v, R(0)};
    expected.speed += double(v);
    expected.relative_speed += double(v) / 0.25;
    place[i].radius = R(0.25);
    if (n > 1 && random.whole(3) == 0) {
      place[i].position = parked_position(static_cast<index_t>(i));
      ++expected.n_parked;
      continue;
    }
    const Real3 x = random.point({-3, 5, 1e6}, {-1, 7, 2e6});
    place[i].position = {x[0], x[1], x[2]};
    expected.low = {std::min(expected.low.x, x[0]), std::min(expected.low.y, x[1]), std::min(expected.low.z, x[2])};
    expected.high = {std::max(expected.high.x, x[0]), std::max(expected.high.y, x[1]), std::max(expected.high.z, x[2])};
  }
  bodies.place.assign(place);
  bodies.speed.assign(speed);
  const BodyLook look = look_at(bodies, threads);
  EXPECT_EQ(look.speed, expected.speed);
  EXPECT_EQ(look.relative_speed, expected.relative_speed);
  EXPECT_EQ(look.n_parked, expected.n_parked);
  if (expected.n_parked == n) {
    EXPECT_GT(look.low.x, look.high.x) << "an empty box is inside out";
    return;
  }
  EXPECT_EQ(look.low.x, expected.low.x);
  EXPECT_EQ(look.low.y, expected.low.y);
  EXPECT_EQ(look.low.z, expected.low.z);
  EXPECT_EQ(look.high.x, expected.high.x);
  EXPECT_EQ(look.high.y, expected.high.y);
  EXPECT_EQ(look.high.z, expected.high.z);
}

TEST_F(SearchWork, LooksAtEveryBodyAndPassesOverParkedOnes) {
  for (const int threads : {1, 2}) {
    for (const std::size_t n : sizes) {
      SCOPED_TRACE(std::to_string(n) + " bodies, " + std::to_string(threads) + " threads");
      expect_looks_of_all_bodies<float>(n, threads);
      expect_looks_of_all_bodies<double>(n, threads);
    }
  }
}

TEST_F(SearchWork, BoundsOfParkedBodiesOnlyAreInsideOut) {
  Bodies<double> bodies;
  bodies.place.assign({{parked_position(0), 1}, {parked_position(1), 1}, {parked_position(7), 1}});
  bodies.speed.resize(3);
  const BodyLook look = look_at(bodies, 1);
  EXPECT_GT(look.low.x, look.high.x);
  EXPECT_EQ(look.n_parked, 3u);
}

/// A number of the kind T that tells its index.
template <class T>
std::vector<T> numbered(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) { values[i] = T(i); }
  return values;
}

TEST_F(SearchWork, ReorderingMovesAllArraysOfBodies) {
  for (const int threads : {1, 2}) {
    for (const std::size_t n : sizes) {
      SCOPED_TRACE(std::to_string(n) + " bodies, " + std::to_string(threads) + " threads");
      Exec exec(threads);
      Bodies<float> from, to;
      std::vector<BodyPlace<float>> place(n);
      std::vector<BodySpeed<float>> speed(n);
      std::vector<BodyTravel<float>> way(n);
      std::vector<VelocityRest<float>> rest(n);
      std::vector<index_t> order(n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(i);
        place[i] = {{double(i), -double(i), 0.5 * double(i)}, x + 1};
        speed[i] = {{x, 2 * x, 3 * x}, x + 1, {4 * x, 5 * x, 6 * x}, x + 2};
        way[i] = {{x, -x, 7 * x}, x + 3};
        rest[i] = {{x, 8 * x, -x}, {9 * x, x, -2 * x}};
        order[i] = static_cast<index_t>((i * 3 + 1) % n);
      }
      from.place.assign(place), from.speed.assign(speed), from.way.assign(way), from.rest.assign(rest);
      from.clearance.assign(numbered<float>(n));
      from.id.assign(numbered<index_t>(n)), from.material.assign(numbered<std::uint32_t>(n));
      std::apply([&](auto&... field) { (field.resize(n), ...); }, to.all());
      Buffer<index_t> order_buffer;
      order_buffer.assign(order);
      const auto permute = permute_all(order_buffer.view(), from.all(), to.all());
      exec.for_lanes("reorder", permute.blocks(), n, permute);
      const auto now_place = to.place.to_vector();
      const auto now_speed = to.speed.to_vector();
      const auto now_way = to.way.to_vector();
      const auto now_rest = to.rest.to_vector();
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t old = order[i];
        ASSERT_EQ(std::memcmp(&now_place[i], &place[old], sizeof place[i]), 0) << i;
        ASSERT_EQ(std::memcmp(&now_speed[i], &speed[old], sizeof speed[i]), 0) << i;
        ASSERT_EQ(std::memcmp(&now_way[i], &way[old], sizeof way[i]), 0) << i;
        ASSERT_EQ(std::memcmp(&now_rest[i], &rest[old], sizeof rest[i]), 0) << i;
      }
      EXPECT_EQ(to.id.to_vector(), order);
      EXPECT_EQ(to.material.to_vector(), std::vector<std::uint32_t>(order.begin(), order.end()));
      EXPECT_EQ(to.clearance.to_vector(), std::vector<float>(order.begin(), order.end()));
    }
  }
}

// The totals of slots and rows must not run into each other, however many there are.
TEST_F(SearchWork, SlotsAndRowsFitIntoOneNumber) {
  for (const std::size_t n :
       {std::size_t(0), std::size_t(1), std::size_t(255), std::size_t(256), std::size_t(1) << 31}) {
    const PackedRows packed = PackedRows::of(n);
    offset_t sum = 0;
    const offset_t each = n < 1000 ? 1000000 : 1;
    for (int k = 0; k < 2; ++k) { sum += packed.pack(0); }
    EXPECT_EQ(sum, 0u);
    sum = packed.pack(each) * n;  // the sum over n bodies
    EXPECT_EQ(packed.slots(sum), each * n);
    EXPECT_EQ(packed.rows(sum), n);
  }
}

}  // namespace scree::inline SCREE_BACKEND::search_work_test
