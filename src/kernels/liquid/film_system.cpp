#include "kernels/liquid/film_system.hpp"

#include <numbers>

#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/backend/lane_sums.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* label = "liquid";

/// Adds a film to the hash; bodies that were removed are left out.
struct HashFilm {
  PositionColumn position;
  Span<index_t> id;
  Span<double> film;
  SCREE_HD void operator()(std::size_t i, UnorderedHash& sum) const {
    if (!is_parked(position[i])) { sum.add({id[i], bits(film[i])}); }
  }
};

struct PresentFilms {
  PositionColumn position;
  Span<double> film;
  SCREE_HD void operator()(std::size_t i, ExactSum* sums) const {
    if (!is_parked(position[i])) { sums[0].add(film[i]); }
  }
};

/// Liquid and number of the bridges between particles.
template <class R>
struct PresentBridges {
  FilmViews<R> of;
  SCREE_HD void operator()(std::size_t slot, ExactSum* sums) const {
    const R state = of.state(slot);
    if (!BridgeState<R>::is_bridge(state)) { return; }
    sums[0].add(double(state));
    sums[1].add(1);
  }
};

}  // namespace

template <class R>
FilmSystem<R>::FilmSystem(const Scene& scene) : on_(scene.has_films()), n_materials_(scene.materials.size()) {
  if (!on_) { return; }
  std::vector<FilmPair> pairs;
  for (const MaterialPair& pair : scene.pairs) {
    if (!pair.liquid || !pair.liquid->from_films) {
      pairs.push_back({});
      continue;
    }
    pairs.push_back(
        {1, pair.liquid->volume.value_or(0), 4.0 / 3.0 * std::numbers::pi * pair.liquid->volume_fraction.value_or(0)});
  }
  pairs_.assign(pairs, label);
}

template <class R>
void FilmSystem<R>::append(const ParticleSet& particles) {
  if (!on_) { return; }
  const std::size_t n = particles.size();
  SCREE_EXPECT(particles.film.empty() || particles.film.size() == n, "particle arrays differ in length");
  std::vector<double> film = particles.film;
  film.resize(n);
  for (const double volume : film) { SCREE_EXPECT(volume >= 0, "a film has no negative volume"); }
  scree::SCREE_BACKEND::append(film_, film, label);
}

template <class R>
void FilmSystem<R>::sort(RunState<R>& run, Span<index_t> order) {
  if (on_) { put_in_order(run.exec, label, order, run.count.bodies, film_, spare_); }
}

template <class R>
FilmViews<R> FilmSystem<R>::views(RunState<R>& run) {
  Pairs<R>& listed = run.contacts.pairs;
  return {.bodies = view(run.bodies),
          .film = film_.view(),
          .factor = factor_.view(),
          .exchanges = exchanges_.view(),
          .of_pair = pairs_.view(),
          .n_materials = n_materials_,
          .pairs = listed.bodies.view(),
          .touching = listed.touching.view(),
          .extra = listed.rows.extra.view(),
          .n_extra = static_cast<std::uint32_t>(run.laws.history_size),
          .control = run.control.data()};
}

template <class R>
void FilmSystem<R>::step(RunState<R>& run) {
  if (!on_) { return; }
  Pairs<R>& listed = run.contacts.pairs;
  BoundaryList<R>& near = run.contacts.near;
  factor_.discard_and_resize(run.count.bodies, label);
  transfer_.discard_and_resize(listed.size(), label);
  if (exchanges_.size() != run.count.bodies) {
    exchanges_.discard_and_resize(run.count.bodies, label);
    exchanges_.zero();
  }
  const FilmViews<R> of = views(run);
  const Span<offset_t> start = listed.incident_start.view();
  const Span<std::uint32_t> incident = listed.incident.view();
  run.exec.for_each(label, listed.size(), FilmNotes<R>{of});
  run.exec.for_each(label, run.count.bodies, FilmDemand<R>{of, start, incident});
  run.exec.for_each(label, listed.size(), FilmTransfers<R>{of, transfer_.view()});
  run.exec.for_each(label, run.count.bodies,
                    FilmChange<R>{.of = of,
                                  .incident_start = start,
                                  .incident = incident,
                                  .transfer = transfer_.view(),
                                  .row_of_body = near.row_of_body.view(),
                                  .row_start = near.row_start.view(),
                                  .slots = near.slot.view(),
                                  .slot_extra = near.rows.extra.view(),
                                  .feature = run.boundary.view().feature,
                                  .boundary = run.boundary.view().info});
}

template <class R>
FilmReport FilmSystem<R>::report(RunState<R>& run) {
  if (!on_) { return {}; }
  SCREE_EXPECT(run.forces_known, "bridges are not known between a search and the next step");
  ExactSums exact;
  FilmReport result;
  result.films =
      exact.of(run.exec, label, run.count.bodies, 1, PresentFilms{run.bodies.position().view(), film_.view()})[0];
  if (run.contacts.pairs.size() == 0) { return result; }
  const std::vector<double> bridges =
      exact.of(run.exec, label, run.contacts.pairs.size(), 2, PresentBridges<R>{views(run)});
  result.bridges = bridges[0];
  result.n_bridges = static_cast<std::uint64_t>(bridges[1]);
  return result;
}

template <class R>
void FilmSystem<R>::hash(RunState<R>& run, UnorderedHash& sum) {
  if (!on_) { return; }
  sum.add(sum_of_items<UnorderedHash>(run.exec, "hash", run.count.bodies,
                                      HashFilm{run.bodies.position().view(), run.bodies.id.view(), film_.view()}));
}

template <class R>
void FilmSystem<R>::save(RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out) {
  if (on_) { save_values_of_bodies(run, ids, "bodies/film", "m3", film_, out); }
}

template <class R>
void FilmSystem<R>::restore(RunState<R>& /*run*/, const std::vector<index_t>& ids,
                            const std::vector<index_t>& place_of_id, StateReader& in) {
  if (!on_) { return; }
  const std::vector<double> film = values_of_bodies(in, ids, place_of_id, "bodies/film");
  for (const index_t id : ids) {
    const double volume = film[place_of_id[id]];
    expect_state(volume >= 0, [&] {
      return broken_rule(StateEntry{"bodies/film", "particle", id}.text(), ">= 0", volume);
    });
  }
  film_.assign(film, label);
}

template class FilmSystem<float>;
template class FilmSystem<double>;

}  // namespace scree::inline SCREE_BACKEND
