#include <cmath>

#include "busy_scene.hpp"
#include "host/scene/adhesion_range.hpp"

// Necks and bridges between a sphere and a mesh, across a gap, go on over the seams of the mesh: on every backend.
namespace scree::inline SCREE_BACKEND::mesh_necks_test {

using MeshNecks = BackendTest;

/// A bead that moves along a ceiling in z = 0 and away from it. It touches at the start.
Scene hanging_bead(Precision precision, LawKind law, bool wet, bool on_mesh) {
  Scene scene = glass_scene(precision, law);
  scene.energies = true;
  if (on_mesh) {
    add_mesh(scene, sheet({-5 * bead, -5 * bead, 0}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 20));
  } else {
    add_plane(scene, {0, 0, 0}, {0, 0, -1});
  }
  if (wet) {
    scene.pairs[0].liquid = LiquidBridges{.surface_tension = 0.072, .volume_fraction = 0.01};
    scene.pairs[0].damping_ratio = 0;
  }
  add_body(scene, {0.3 * bead, 0.1 * bead, -(1 - 1e-5) * bead}, bead, {0.5, 0.2, wet ? -0.05 : 0.0});
  scene.interaction_range = std::max(scene.interaction_range, adhesion_range(scene));
  return scene;
}

struct Flight {
  Real3 position{};
  int apart = 0;      ///< number of moments at which the surfaces were apart
  double energy = 0;  ///< [J] error of the ledger
};

/// The weight of the bead grows to 0.95 of the pull-off force of jkr, 3 pi 0.05 J/m2 bead; beyond 8/9 of it the
/// surfaces are apart. A wet bead has no weight: it bounces, and its bridge pulls it back.
Flight flight_of(const Scene& scene) {
  const auto engine = make_backend_engine(scene);
  Flight flight;
  for (int k = 0; k < 200; ++k) {
    if (scene.law == LawKind::jkr) { engine->set_gravity({0, 0, -0.95 * 45 * std::fmin(1, 0.01 * k)}); }
    engine->advance(50);
    flight.position = engine->snapshot().position.at(0);
    flight.apart += -flight.position[2] > bead ? 1 : 0;
  }
  flight.energy = engine->energies().error;
  return flight;
}

TEST_F(MeshNecks, ABeadHangsBelowAMeshAsBelowAPlane) {
  for (const bool wet : {false, true}) {
    for (const Precision precision : {Precision::mixed, Precision::double_}) {
      const LawKind law = wet ? LawKind::hertz_mindlin : LawKind::jkr;
      const Flight plane = flight_of(hanging_bead(precision, law, wet, false));
      const Flight mesh = flight_of(hanging_bead(precision, law, wet, true));
      ASSERT_GT(plane.apart, 20) << "the bead must hang across a gap for some time";
      ASSERT_LT(-plane.position[2], 1.5 * bead) << "and must not fall";
      ASSERT_GT(plane.position[0], 6 * bead) << "it passes several triangles";
      EXPECT_EQ(mesh.apart, plane.apart);
      // Both have the same physics; only closest points are rounded in another way.
      const double close = precision == Precision::double_ ? 1e-9 * bead : 1e-4 * bead;
      for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(mesh.position[k], plane.position[k], close) << wet; }
      // The energy of the bead is about 1e-6 J.
      EXPECT_NEAR(mesh.energy, plane.energy, precision == Precision::double_ ? 1e-15 : 1e-10) << wet;
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::mesh_necks_test
