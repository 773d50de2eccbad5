#include <cstring>

#include "kernels/step/motion/clump_motion.hpp"
#include "support.hpp"

/// Eight clumps that are moved together on the host have the same bits as clumps that are moved one by one.
#if !SCREE_ON_CUDA
namespace scree::inline SCREE_BACKEND::clump_lanes_test {

using ClumpLanesTest = BackendTest;

struct Case {
  double damping = 0;
  bool removed = false, outlet = false, fast = false, one_shape = false;
};

/// Clumps of one to five members, whose members stand in memory in a random order.
template <class R>
struct ManyClumps {
  static constexpr std::size_t n = 67;

  Clumps fields;
  Bodies<R> bodies;
  Buffer<MemberWrench<R>> wrench;
  Buffer<std::uint32_t> shape_start;
  Buffer<Vec3d> shape_place;
  Buffer<index_t> body_of_id;
  Buffer<OutletPlane> planes;
  Buffer<OutletCount> counts;
  Buffer<Control> control;

  explicit ManyClumps(const Case& kind) {
    Random random(19);
    const auto vec = [&](double size) { return Vec3d{random(-size, size), random(-size, size), random(-size, size)}; };
    std::vector<std::uint32_t> start{0}, shape;
    std::vector<Vec3d> place, position, velocity, spin, momentum, inertia;
    std::vector<Quaterniond> orientation;
    std::vector<double> mass, size;
    std::vector<index_t> first, id;
    for (std::uint32_t members = 1; members <= 5; ++members) {
      for (std::uint32_t k = 0; k < members; ++k) { place.push_back(vec(1e-3)); }
      start.push_back(static_cast<std::uint32_t>(place.size()));
    }
    std::size_t n_bodies = 0;
    for (std::size_t c = 0; c < n; ++c) {
      shape.push_back(static_cast<std::uint32_t>(kind.one_shape ? 2 : random(0, 4.999)));
      first.push_back(static_cast<index_t>(n_bodies)), id.push_back(static_cast<index_t>(c));
      n_bodies += shape.back() + 1;
      position.push_back(vec(0.1)), velocity.push_back(vec(1)), momentum.push_back(vec(1e-8));
      // With a step of 1e-3 s, a fast clump turns by more than two radians.
      spin.push_back(vec(kind.fast && c % 3 == 0 ? 4000 : 40 * double(c % 2)));
      inertia.push_back({random(1e-9, 3e-9), random(2e-9, 3e-9), random(2e-9, 3e-9)});
      orientation.push_back(normalised(Quaterniond{random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)}));
      mass.push_back(kind.removed && (c == 3 || c > 60) ? 0 : random(1e-4, 2e-4)), size.push_back(random(0.5, 2));
    }
    fields.position.assign(position), fields.velocity.assign(velocity), fields.orientation.assign(orientation);
    fields.angular_velocity.assign(spin), fields.angular_momentum.assign(momentum), fields.inertia.assign(inertia);
    fields.mass.assign(mass), fields.size.assign(size), fields.shape.assign(shape), fields.first.assign(first);
    fields.id.assign(id), shape_start.assign(start), shape_place.assign(place);
    if (kind.outlet) { planes.assign({OutletPlane{{0.03, 0, 0}, {1, 0, 0}, 0}}), counts.assign({OutletCount{}}); }
    control.assign({Control{}});
    fill_bodies(n_bodies, random);
  }

  void fill_bodies(std::size_t n_bodies, Random& random) {
    const auto four = [&](double size) {
      return Four<R>::of(R(random(-size, size)), R(random(-size, size)), R(random(-size, size)), R(random(0, 1)));
    };
    std::vector<BodyPlace<R>> place(n_bodies);
    std::vector<BodySpeed<R>> speed(n_bodies);
    std::vector<BodyTravel<R>> way(n_bodies);
    std::vector<MemberWrench<R>> wrenches(n_bodies);
    std::vector<index_t> id(n_bodies), where(n_bodies);
    for (std::size_t i = 0; i < n_bodies; ++i) {
      std::memset(static_cast<void*>(&place[i]), 0, sizeof place[i]);
      place[i] = {{random(-1e-1, 1e-1), random(-1e-1, 1e-1), random(-1e-1, 1e-1)}, R(1e-3)};
      speed[i] = {{}, R(1e4), {}, R(0)};
      way[i] = {four(1e-4).vec3(), R(1e-3)};
      wrenches[i].store(four(0.1), four(1e-5));
      where[i] = static_cast<index_t>(i);
    }
    for (std::size_t i = n_bodies; i > 1; --i) {
      std::swap(where[i - 1], where[std::size_t(random(0, double(i) - 1e-3))]);
    }
    for (std::size_t i = 0; i < n_bodies; ++i) { id[where[i]] = static_cast<index_t>(i); }
    bodies.place.assign(place), bodies.speed.assign(speed), bodies.way.assign(way), bodies.id.assign(id);
    bodies.rest.assign(std::vector<VelocityRest<R>>(n_bodies));
    bodies.material.assign(std::vector<std::uint32_t>(n_bodies));
    wrench.assign(wrenches), body_of_id.assign(where);
  }

  template <class Integrator>
  auto motion(double damping) {
    BodyMotion<R, false, true> of{};
    of.bodies = view(bodies), of.scheme = {R(1e-3), R(0.75e-3), R(damping)}, of.control = control.data();
    of.outlets = {planes.view(), {}, counts.view(), 1e12};
    return ClumpMotion<R, Integrator, false>{view(fields),
                                             {shape_start.view(), shape_place.view(), body_of_id.view()},
                                             wrench.view(),
                                             of,
                                             {double(R(1e-3)), double(R(0.75e-3)), damping},
                                             {0.1, -0.2, -9.81},
                                             {}};
  }

  /// All bytes that a motion may have changed.
  std::vector<unsigned char> bytes() {
    std::vector<unsigned char> all;
    const auto add = [&](const auto& values) {
      const auto* const begin = reinterpret_cast<const unsigned char*>(values.data());
      all.insert(all.end(), begin, begin + values.size() * sizeof(values[0]));
    };
    std::apply([&](auto&... field) { (add(field.to_vector()), ...); }, fields.all());
    add(bodies.place.to_vector()), add(bodies.speed.to_vector()), add(bodies.way.to_vector());
    add(counts.to_vector()), add(control.to_vector());
    return all;
  }
};

template <class R, class Integrator>
void expect_same_bits(const Case& kind) {
  ManyClumps<R> together(kind), one_by_one(kind);
  ASSERT_EQ(together.bytes(), one_by_one.bytes());
  const auto before = together.bytes();
  for (int step = 0; step < 3; ++step) {
    together.template motion<Integrator>(kind.damping).work_on(1, ManyClumps<R>::n);
    const auto motion = one_by_one.template motion<Integrator>(kind.damping);
    for (std::size_t c = 1; c < ManyClumps<R>::n; ++c) { motion(c); }
    ASSERT_EQ(together.bytes(), one_by_one.bytes()) << step;
  }
  ASSERT_NE(together.bytes(), before);
}

template <class Integrator>
void expect_same_bits_of(const Case& kind) {
  expect_same_bits<float, Integrator>(kind);
  expect_same_bits<double, Integrator>(kind);
}

TEST_F(ClumpLanesTest, MoveLikeSingleClumps) {
  for (const Case kind :
       {Case{}, Case{.one_shape = true}, Case{.damping = 0.3}, Case{.removed = true}, Case{.outlet = true},
        Case{.fast = true}, Case{.damping = 0.1, .removed = true, .outlet = true}}) {
    expect_same_bits_of<Spiral<double>>(kind);
    expect_same_bits_of<Omelyan<double>>(kind);
    expect_same_bits_of<Fincham<double>>(kind);
  }
}

/// Each lane turns by another angle: by none, by few terms of the series, by all, and beyond the series.
TEST_F(ClumpLanesTest, TurnLikeSingleVectors) {
  Random random(7);
  for (int n = 0; n < 2000; ++n) {
    std::array<Vec3d, 8> h;
    for (std::size_t i = 0; i < 8; ++i) {
      const double size =
          n % 4 == 0 ? 0.01 : (n % 4 == 1 ? 0.5 : std::array{0.0, 1e-9, 0.03, 0.4, 1.0, 1.1, 3.0, 0.1}[i]);
      h[i] = {random(-size, size), random(-size, size), random(-size, size)};
    }
    const Quaternion<Eight> q = turn_minus_one(load_eight(h.data()));
    std::array<Quaterniond, 8> together;
    store_eight(q, together.data());
    for (std::size_t i = 0; i < 8; ++i) {
      const Quaterniond one = turn_minus_one(h[i]);
      ASSERT_EQ(std::memcmp(&one, &together[i], sizeof one), 0) << n << " " << i;
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::clump_lanes_test
#endif
