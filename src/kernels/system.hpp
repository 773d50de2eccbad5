#pragma once

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backend/primitives.hpp"
#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/cell/cell_system.hpp"
#include "kernels/contact/boundary_loads.hpp"
#include "kernels/contact/boundary_search.hpp"
#include "kernels/contact/cell_measure.hpp"
#include "kernels/contact/clump_ledger.hpp"
#include "kernels/contact/gather.hpp"
#include "kernels/contact/ledger.hpp"
#include "kernels/contact/motion.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/interactions/run_laws.hpp"
#include "kernels/motion/step_clock.hpp"
#include "kernels/neighbours/carried_history.hpp"
#include "kernels/neighbours/interval_tuner.hpp"
#include "kernels/neighbours/pair_search.hpp"
#include "kernels/neighbours/skins.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/clumps.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

struct UnorderedHash;
class StateWriter;
class StateReader;

// In float a step rounds the travel of a body by up to 2^-24 of its skin. So many steps together hide half of what the
// travel limit keeps in reserve, however slowly a body creeps.
inline constexpr std::uint64_t most_list_steps = 16384;

/// Steps between two looks at the limit and the overlaps of all contacts.
inline constexpr std::uint64_t look_interval = 200;

/// The energy ledger of a run that asks for one; empty otherwise.
template <class R>
struct Ledger {
  bool on = false;
  bool open = false;                    ///< the second halves of the work of the last step are still to come
  double last = 0, next = 0, kick = 0;  ///< [s] of the last step; see StepTimes. last is 0 in the first
  bool started = false;                 ///< the energy of the start is known
  double start = 0;                     ///< [J] energy of the start
  bool damped = false;                  ///< some body is damped
  Buffer<Vec3<R>> velocity_before, spin_before;
  Buffer<R> inverse_mass_before;
  Buffer<KineticEnergy> kinetic;
  Buffer<ClumpStep> clump_steps;  ///< [n_clumps] of the last step
  Buffer<KineticEnergy> clump_kinetic;
  Buffer<Pose> pose;                          ///< [n_boundaries] at the last step
  Mat3d gradient_before{}, gradient_after{};  ///< [1/s] of a periodic cell, in the steps before and after the forces
  Buffer<LedgerSums> lanes;
  EnergyLedger saved;  ///< at saved_step, for when the sums have gone on
  std::uint64_t saved_step = ~std::uint64_t(0);
};

/// The running system: state, and the short list of kernels that make a step.
template <class R>
class System {
 public:
  System(const Scene& scene, int threads);

  /// Runs up to `steps` steps; fewer when `stop` becomes true. Throws KernelFault.
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop,
                        double until = std::numeric_limits<double>::infinity());

  [[nodiscard]] std::uint64_t step_count() const { return step_; }
  [[nodiscard]] double time() const { return clock_.at(step_).now; }
  [[nodiscard]] double previous_time() const { return clock_.at(step_).before; }
  [[nodiscard]] CriticalStep critical_step();
  [[nodiscard]] const ContactWatch& watch() const { return watch_; }
  [[nodiscard]] const Exec& exec() const { return exec_; }
  [[nodiscard]] std::size_t body_count() const { return n_bodies_; }

  [[nodiscard]] Snapshot snapshot(const SnapshotRequest& request);
  [[nodiscard]] StateHash hash();
  [[nodiscard]] EngineState save();
  void restore(const EngineState& state);
  [[nodiscard]] SearchReport search_neighbours();
  [[nodiscard]] EngineCounts counts();
  [[nodiscard]] std::vector<BoundaryLoad> boundary_loads();
  [[nodiscard]] std::vector<Real3> boundary_vertices(std::size_t index);
  [[nodiscard]] EnergyLedger energies();
  [[nodiscard]] std::vector<TouchingContact> touching_contacts();
  [[nodiscard]] std::optional<ContactTractions> tractions(std::uint32_t first, std::uint32_t second, bool with_boundary,
                                                          std::size_t points);
  [[nodiscard]] std::vector<MemoryItem> memory() const;
  [[nodiscard]] std::optional<CellState> cell_state() const;
  [[nodiscard]] bool finished() const { return cell_.any() && cell_.control().finished(); }
  void insert(const ParticleSet& particles);
  [[nodiscard]] SphereList particles_in(const Real3& low, const Real3& high);
  [[nodiscard]] std::vector<std::uint8_t> clear_of_boundaries(const SphereList& spheres);

 private:
  friend struct SystemProbe;     // tests look inside
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  // system.cpp: a step
  void step(std::uint64_t index);
  template <bool grouped, bool clumps, bool periodic>
  void contacts_and_motion(const PairViews<R>& pairs, const BodyMotion<R, grouped, clumps, periodic>& motion,
                           const StepTimes& times);
  template <bool grouped, bool clumps, bool periodic>
  void move_large(const BodyMotion<R, grouped, clumps, periodic>& motion);
  [[nodiscard]] WrenchGather<R> wrench_gather();
  [[nodiscard]] PairViews<R> pair_views();
  [[nodiscard]] BoundaryContactViews<R> boundary_contact_views();
  std::uint64_t reserve_stacks(std::uint64_t batch);
  [[nodiscard]] bool look_for_end();
  [[nodiscard]] bool driver_is_needed(std::uint64_t index, double until);
  [[nodiscard]] double flow_travel(std::size_t n_steps) const;
  void read_control();
  void go_back_in_cell(std::uint64_t completed);
  [[nodiscard]] std::vector<Load> moving_boundary_loads();
  void sweep_past_bodies(const FastMove& move, double length);
  [[noreturn]] void report_fault(std::uint64_t fault);

  // motion/groups.cpp: rules of motion
  void make_groups();
  [[nodiscard]] Grouped<R> groups_of_step(const StepTimes& times);

  // motion/step_limit.cpp: how long a step may be
  void look_at_contacts(std::uint64_t index);
  [[nodiscard]] std::uint64_t steps_to_look(std::uint64_t index) const;
  void choose_step(std::uint64_t index);
  void measure_step_limits();
  void note_contacts(std::uint64_t step);
  [[nodiscard]] double first_with(Buffer<double>& values, double sought);

  // bodies/insertion.cpp: bodies from particles
  void append_bodies(const ParticleSet& particles);
  void append_to_lists(std::size_t n_before, bool any_large);

  // bodies/clumps.cpp: bodies of several spheres
  void make_clump_shapes();
  [[nodiscard]] bool has_clumps() const { return !scene_.clump_shapes.empty(); }
  [[nodiscard]] ClumpMembers clump_members();
  void append_clumps(const ParticleSet& particles, std::size_t first_id);
  void set_member_masses(const ParticleSet& particles, std::vector<R>& inverse_mass,
                         std::vector<R>& inverse_inertia) const;
  void sort_clumps();
  template <bool grouped, bool periodic>
  void move_clumps(const BodyMotion<R, grouped, true, periodic>& motion, const StepTimes& times);
  [[nodiscard]] std::vector<SnapshotClump> clump_snapshot();
  void hash_clumps(UnorderedHash& sum);
  [[nodiscard]] std::uint64_t clump_bytes() const;
  void save_clumps(StateWriter& out);
  void restore_clumps(StateReader& in);

  // cell/bodies_in_cell.cpp: the periodic cell
  void enter_cell(std::size_t first);
  [[nodiscard]] CellPairs<R> cell_pairs();
  [[nodiscard]] CellFlow<R> cell_flow() const;
  [[nodiscard]] CellMotion<R> advance_cell(const StepTimes& times);
  void prepare_cell();
  void measure_cell();

  // neighbours/search.cpp: the lists
  void find_contacts();
  void carry_history();
  void sort_bodies();
  void find_pairs();
  void find_incident();
  void find_boundary_contacts();
  void make_bonds();
  [[nodiscard]] PairSweep<R> pair_sweep();
  void take_back_for_search();
  [[nodiscard]] Span<CarriedShear<R>> carried_history();

  // neighbours/grid.cpp: how far to search, and in which columns
  void choose_skins();
  [[nodiscard]] SkinRule<R> skin_rule();
  [[nodiscard]] SkinRule<R> skin_rule_in_cell();
  void keep_to_cell(PositionBounds& bounds) const;
  [[nodiscard]] ColumnGrid make_grid(const std::vector<LaneSizes>& sizes, double smallest);
  [[nodiscard]] PositionBounds crowded_box(const PositionBounds& bounds, double largest);

  // ledger/energy_accounts.cpp: energies
  void begin_ledger();
  void open_ledger_step();
  void close_ledger_step(const StepTimes& times);
  void settle_ledger();
  void add_ledger_half(bool after);
  void note_start_energy();
  void add_springs(Buffer<R>& extra, const std::vector<std::uint8_t>& touching, ExactSum& normal, ExactSum& stored);
  [[nodiscard]] LedgerBodies<R> ledger_bodies();
  [[nodiscard]] LedgerSums ledger_sums() const;
  void note_inserted(std::size_t first, std::size_t first_clump);
  void add_kinetic_energies(std::size_t first, std::size_t first_clump, ExactSum& translation, ExactSum& rotation);
  void save_ledger(StateWriter& out);
  void restore_ledger(StateReader& in);

  [[nodiscard]] std::vector<std::uint32_t> coordination_numbers() const;
  void count_segments(EngineCounts& counts);  // archive/stacks.cpp, with the next three
  void hash_stacks(UnorderedHash& sum);
  void count_bonds(EngineCounts& counts);

  // archive/archive.cpp: save and restore
  template <class Visit>
  void visit_cell(Visit& visit);
  template <class Visit>
  void visit_totals(Visit& visit, ClockState& clock_state);
  template <class Visit>
  void visit_pair_arrays(Visit&& visit);
  template <class Visit>
  void visit_slot_arrays(Visit&& visit);
  void save_stacks(StateWriter& out, const char* group, const std::vector<StackEnd<R>>& stacks);
  [[nodiscard]] std::vector<StackEnd<R>> restore_stacks(StateReader& in, const char* group, std::size_t n);
  void save_bodies(StateWriter& out);
  void save_pairs(StateWriter& out);
  void save_boundary_contacts(StateWriter& out);
  [[nodiscard]] std::vector<index_t> restore_bodies(StateReader& in);
  void restore_pairs(StateReader& in, const std::vector<index_t>& place_of_id);
  void restore_boundary_contacts(StateReader& in, const std::vector<index_t>& place_of_id);
  void restore_large_parts();
  void forget_lists();

  Scene scene_;  ///< without its particles and meshes once they are on the backend
  Exec exec_;
  Primitives primitives_;

  Bodies<R> bodies_;
  std::size_t n_bodies_ = 0, n_start_ = 0;
  std::uint64_t n_inserted_ = 0;  ///< since the start
  RunLaws<R> laws_;
  double range_ = 1;                  ///< [-] farthest distance of a contact, in radii
  std::vector<bool> known_material_;  ///< of particles that are there or that inlets may bring
  Pairs<R> pairs_;
  std::size_t n_pairs_ = 0;
  double smallest_radius_ = 0, large_radius_ = 0;  ///< [m] of the case: bodies of the start and of inlets
  double largest_radius_ = 0;                      ///< [m] likewise
  std::size_t first_large_ = 0;                    ///< no large body stands before it
  Buffer<Wrench<R>> large_part_;
  StackStore<R> stacks_;  ///< empty in a run without load histories

  /// [n_start] of each body, by id; empty where no law makes bonds
  Buffer<std::uint32_t> bonds_made_, bonds_broken_;

  BoundarySystem boundary_;
  BoundaryList<R> near_boundary_, near_boundary_before_;
  Buffer<Wrench<R>> boundary_wrench_;
  Buffer<ExactSum> load_sums_;  ///< of moving boundaries only
  Buffer<double> moving_loads_;
  Buffer<Pose> swept_pose_;  ///< of a boundary that goes far in a step

  Buffer<GroupRule<R>> group_rules_;   ///< empty: no body moves in a way of its own
  Buffer<std::uint16_t> group_of_id_;  ///< empty: all are of group 0

  // Empty in a run without clumps.
  Clumps clumps_;
  Buffer<std::uint32_t> shape_start_;
  Buffer<Vec3d> shape_place_;
  Buffer<index_t> body_of_id_;       ///< [n_start + n_inserted] place in memory
  Buffer<index_t> clump_of_;         ///< [n_bodies] place of the clump, since the last search
  Buffer<Wrench<R>> member_wrench_;  ///< [n_bodies]
  std::uint64_t n_clumps_made_ = 0;
  /// members of all clumps made but the first ones, in all and of inlets
  std::uint64_t members_beyond_ = 0, inserted_beyond_ = 0;

  // Empty in a run without a periodic cell.
  CellSystem cell_;
  /// the cell before the steps that were launched last, and after each of them
  std::vector<CellMoment> cell_ahead_;
  CellMeasure cell_measure_;
  std::uint64_t measured_step_ = 0;    ///< in which that was found
  bool measured_slow_ = false;         ///< stiffness and unbalanced force were, too
  bool bodies_are_out_ = false;        ///< some are far out of the cell
  Mat3d list_edges_{};                 ///< [m] of the cell when the lists were made
  Buffer<Image> cell_image_;           ///< [ids] edges that bodies were taken back by
  Buffer<Vec3d> cell_shift_;           ///< [n_images]
  Buffer<Vec3d> search_place_;         ///< [n_bodies] in the cell, for the search alone
  Buffer<std::uint8_t> search_image_;  ///< [n_bodies] by which they were taken back for it
  Buffer<CellLane> cell_lanes_;

  Ledger<R> ledger_;

  Buffer<OutletPlane> outlet_planes_;
  Buffer<OutletRegion> outlet_regions_;
  Buffer<OutletCount> outlet_counts_;
  double quanta_per_mass_ = 1;

  Buffer<Control> control_;
  StepClock clock_;
  ContactWatch watch_;
  bool list_spent_ = true;
  bool forces_known_ = true;  ///< false between a search out of turn and the next step
  std::uint64_t step_ = 0, rebuilds_ = 0;
  std::uint64_t list_step_ = 0;  ///< in which the lists were made
  double boundary_skin_ = 0;     ///< [m] how far boundaries may move before the next search
  double boundary_travel_ = 0;   ///< [m] at most, since the list was made
  double reach_ = 0;             ///< [m] no body is farther from the world's origin

  IntervalTuner tuner_;
  std::chrono::steady_clock::time_point list_made_{};
  double search_seconds_ = 0, mean_skin_ = 0;
  offset_t n_carried_ = 0;  ///< touching pairs at the last search

  // Work space of the neighbour search.
  ColumnGrid grid_{};
  Buffer<std::uint64_t> keys_, scratch_, row_keys_;
  Buffer<index_t> order_, column_start_, row_entries_;
  Buffer<offset_t> offsets_, carried_start_;
  Buffer<R> carried_extra_;
  Buffer<StackEnd<R>> carried_stack_;
  Buffer<std::uint32_t> incoming_, sweep_records_;
  Buffer<LaneSums> lane_sums_;
  Buffer<LaneSizes> lane_sizes_;
  Buffer<Vec3d> position_sample_;

  // Work space of the critical time step.
  Buffer<ContactStiffness<R>> pair_stiffness_, slot_stiffness_;
  Buffer<double> first_limit_, body_limit_, square_speed_, body_overlap_;
  Buffer<std::uint8_t> limiting_component_;
  Buffer<std::uint64_t> least_limit_;
};

}  // namespace scree::inline SCREE_BACKEND
