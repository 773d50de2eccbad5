#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/packing/mixture.hpp"
#include "host/packing/region.hpp"
#include "host/packing/sizes.hpp"
#include "host/packing/sphere_grid.hpp"
#include "host/run/inlet_solids.hpp"
#include "scree/case.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// One inlet of a run: the amount that is due (inlet.cpp), and the places of new particles (inlet_places.cpp).
class OneInlet {
 public:
  /// `first` is the index in Scene::inlets of the first part of a mixture, or of the only one. `groups` are the present
  /// groups of the run. References must outlive it. Throws CaseError for a region that build_scene would refuse.
  OneInlet(const Case& input, const Scene& scene, const std::vector<SceneGroup>& groups, std::size_t first);

  /// Inserts the particles that are due at the time of the engine, as far as there is room.
  void feed(Engine& engine);
  /// Whether no particle comes after this time [s].
  [[nodiscard]] bool finished(double time) const;
  /// See Inlets::change().
  void change(const StagedInlet& change, double time);
  /// A sentence if much of the amount due until a time [s] has found no room. It is given once.
  [[nodiscard]] std::optional<std::string> complaint(double time);
  /// The amounts that were inserted and that were due until a time [s].
  [[nodiscard]] InletReport report(double time) const;

  InletState state;

 private:
  /// One kind of particles.
  struct Part {
    const SceneInlet& inlet;
    const ClumpShape* shape;  ///< null: spheres
    packing::SizeSampler sampler;
    double around;  ///< [-] radius of the ball about a particle over its (equivalent) radius
  };
  /// A particle that waits, or one that is placed.
  struct Due {
    std::size_t part;  ///< index in parts_
    double radius;     ///< [m] equivalent
  };
  using Spot = packing::FillRegion::Spot;
  /// Particles that have found room.
  struct Placed {
    std::vector<Due> particle;
    std::vector<Spot> spot;
    InletState after;  ///< state of the inlet once they are inserted
  };

  [[nodiscard]] double mass_of(const Due& particle) const;  ///< [kg]
  [[nodiscard]] double smallest_mass() const;               ///< [kg] of a particle
  [[nodiscard]] double largest_mass() const;                ///< [kg] of a particle
  /// [m] radius of the ball about a particle
  [[nodiscard]] double ball_of(const Due& particle) const { return parts_[particle.part].around * particle.radius; }

  /// The number of particles, or their mass [kg], that is due by the rates until a time [s].
  [[nodiscard]] double amount(double time) const;
  /// The same in whole particles, limited by the limit that has the unit of the rate.
  [[nodiscard]] double flowed(double time) const;
  /// The largest amount by the limit in the other unit: particles, or mass [kg], in the unit of amount().
  [[nodiscard]] double most_due() const;
  /// Draws the particle with this number. `shares` has the masses of the parts before it.
  [[nodiscard]] Due particle(std::uint64_t number, const packing::MassShares& shares) const;
  /// Whether a limit admits no further particle.
  [[nodiscard]] bool is_exhausted() const;
  /// The head of the queue: the next particles that are due at a time and that `from` does not count yet, in the order
  /// of their numbers, at most `most` of them. The kind of each particle follows from the masses of those before it.
  [[nodiscard]] std::vector<Due> due(double time, std::size_t most, const InletState& from) const;

  /// An upper bound of the number of waiting particles that fit into an empty region with these bounds.
  [[nodiscard]] std::size_t most_with_room(double time, const geometry::Bounds& box) const;
  /// Finds places for the due particles, in their order, up to the first one without a place. The particles behind it
  /// must wait, because small particles would otherwise overtake large ones.
  [[nodiscard]] Placed place(Engine& engine, packing::Random& random);
  /// Places for the particles of a queue, up to the first one without a place. Afterwards the grid contains these
  /// particles, and perhaps some of those behind them.
  [[nodiscard]] std::vector<Spot> places_of(Engine& engine, const std::vector<Due>& queue, packing::SphereGrid& grid,
                                            packing::Random& random) const;
  /// A particle in search of a place.
  struct Search {
    double radius;              ///< [m] of the ball about it
    std::optional<Spot> place;  ///< once it has one
    int tries = 0;              ///< places looked at so far
    int held = 0;               ///< how many of them the region held
    [[nodiscard]] bool is_over() const;
  };
  /// Makes a few tries for each unfinished search. Returns whether any search must continue.
  bool try_places(Engine& engine, std::span<Search> searches, packing::SphereGrid& grid, packing::Random& random) const;
  [[nodiscard]] ParticleSet particles_of(const Placed& placed, packing::Random& random) const;

  const Scene& scene_;
  const std::vector<SceneGroup>& groups_;
  std::size_t entry_;  ///< index in Case::particles
  const Inlet& source_;
  std::optional<double> temperature_;  ///< [K] none: that of the scene
  double film_;                        ///< [-] liquid over the volume of the particle
  bool on_ = true;
  double given_rate_;      ///< [1/s] or [kg/s] while it is on
  double rate_since_;      ///< [s] the rate and `on_` hold since then
  double due_before_ = 0;  ///< particles, or their mass [kg], due until then
  std::vector<Part> parts_;
  std::vector<double> shares_;               ///< [-] of the mass, of each part
  std::vector<std::string> ignored_;         ///< warnings that build_scene has given
  std::optional<geometry::CellFrame> cell_;  ///< the periodic cell, which keeps its shape
  std::unique_ptr<packing::FillRegion> region_;
  InletSolids solids_;
  std::uint64_t seed_;
};

}  // namespace scree
