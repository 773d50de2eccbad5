#pragma once

#include <functional>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND {

/// An arrangement of bodies that is difficult for the search.
struct Cloud {
  const char* name;
  std::function<void(Scene&, Random&)> place;
  double unit = bead;  ///< [m] unit of Verlet distances
};

inline void PrintTo(const Cloud& cloud, std::ostream* out) { *out << cloud.name; }

/// Bodies in a box, with a solid fraction of about a third.
inline void place_in_box(Scene& scene, Random& random, std::uint64_t n, double smallest, double largest,
                         const Real3& corner = {}) {
  double volume = 0;
  std::vector<double> radii;
  for (std::uint64_t i = 0; i < n; ++i) {
    // Numbers by volume, as from a sieve: mostly small bodies.
    const double u = random(0, 1), ratio = smallest / largest;
    radii.push_back(largest * ratio / std::cbrt(1 - u * (1 - ratio * ratio * ratio)));
    volume += radii.back() * radii.back() * radii.back();
  }
  const double side = std::cbrt(12 * volume);
  const Real3 far{corner[0] + side, corner[1] + side, corner[2] + side};
  for (const double radius : radii) { add_body(scene, random.point(corner, far), radius); }
}

inline void place_clusters(Scene& scene, Random& random) {
  for (int cluster = 0; cluster < 8; ++cluster) {
    const Real3 centre = random.point({-1, -1, -1}, {1, 1, 1});
    const double spread = random(2, 20) * bead;
    for (int i = 0; i < 80; ++i) {
      const Real3 d = random.direction();
      const double distance = spread * random(0, 1);
      add_body(scene, {centre[0] + distance * d[0], centre[1] + distance * d[1], centre[2] + distance * d[2]},
               random(0.7, 1) * bead);
    }
  }
}

/// Bodies of all sizes up to `ratio` times the smallest. There are as many bodies
/// between a size and its double as beyond, so that all levels of the grid contain some. They fill a quarter of a box.
inline void place_all_sizes(Scene& scene, Random& random, std::uint64_t n, double smallest, double ratio) {
  double volume = 0;
  std::vector<double> radii;
  for (std::uint64_t i = 0; i < n; ++i) {
    radii.push_back(smallest / (1 - random(0, 1) * (1 - 1 / ratio)));
    volume += radii.back() * radii.back() * radii.back();
  }
  const double side = std::cbrt(16 * volume);
  for (const double radius : radii) { add_body(scene, random.point({0, 0, 0}, {side, side, side}), radius); }
}

/// One giant among small bodies: half of them lie close around it, and the others a little farther away.
inline void place_giant(Scene& scene, Random& random, std::uint64_t n, double small, double ratio) {
  add_body(scene, {0, 0, 0}, ratio * small);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Real3 d = random.direction();
    const double distance = (ratio + 1) * small * (i % 2 == 0 ? random(0.99, 1.01) : random(1, 1.5));
    add_body(scene, {distance * d[0], distance * d[1], distance * d[2]}, small * random(0.9, 1));
  }
}

/// All centres on a line along one axis, or on a plane across one.
inline std::function<void(Scene&, Random&)> flat_cloud(std::array<bool, 3> filled, double extent) {
  return [filled, extent](Scene& scene, Random& random) {
    for (int i = 0; i < 600; ++i) {
      Real3 x = random.point({0, 0, 0}, {extent, extent, extent});
      for (std::size_t k = 0; k < 3; ++k) {
        if (!filled[k]) { x[k] = 0.25; }
      }
      add_body(scene, x, random(0.5, 1) * bead);
    }
  };
}

inline const std::vector<Cloud> clouds{
    {"uniform", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(300), bead, bead); }},
    {"ratio_5", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(300), 0.2 * bead, bead); }},
    {"ratio_20", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(600), 0.05 * bead, bead); }},
    {"clusters", place_clusters},
    {"line_x", flat_cloud({true, false, false}, 0.3)},
    {"line_y", flat_cloud({false, true, false}, 0.3)},
    {"line_z", flat_cloud({false, false, true}, 0.3)},
    {"plane_across_x", flat_cloud({false, true, true}, 0.03)},
    {"plane_across_y", flat_cloud({true, false, true}, 0.03)},
    {"plane_across_z", flat_cloud({true, true, false}, 0.03)},
    {"nearly_coincident",
     [](Scene& s, Random& random) {
       for (int i = 0; i < 200; ++i) {
         const double radius = random(0.5, 1) * bead;
         add_body(s, random.point({0, 0, 0}, {1e-6, 1e-6, 1e-6}), radius);
       }
     }},
    {"all_at_one_point",
     [](Scene& s, Random&) {
       for (int i = 0; i < 60; ++i) { add_body(s, {1, 2, 3}); }
     }},
    {"one_body",
     [](Scene& s, Random& random) {
       add_body(s, random.point({-1, -1, -1}, {1, 1, 1}));
     }},
    {"two_far_apart",
     [](Scene& s, Random& random) {
       const Real3 d = random.direction();
       add_body(s, {0, 0, 0});
       add_body(s, {1e6 * bead * d[0], 1e6 * bead * d[1], 1e6 * bead * d[2]});
     }},
    {"two_near_and_one_far",
     [](Scene& s, Random& random) {
       const Real3 d = random.direction();
       add_body(s, {0, 0, 0});
       add_body(s, {1e6 * bead * d[0], 1e6 * bead * d[1], 1e6 * bead * d[2]});
       add_body(s, {2.1 * bead * d[2], 2.1 * bead * d[0], 2.1 * bead * d[1]});
     }},
    {"one_large_among_small",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.1 * bead, 0.12 * bead);
       add_body(s, {0, 0, 0}, 5 * bead);
     }},
    {"far_from_the_origin",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.5 * bead, bead, {1e5, -2e5, 3e5});
     }},
    {"negative_coordinates",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.5 * bead, bead, {-10, -20, -30});
     }},
};

}  // namespace scree::inline SCREE_BACKEND
