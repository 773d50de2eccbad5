#pragma once

#include <cstring>
#include <tuple>
#include <vector>

#include "support.hpp"

/// Names every member of a System and of its parts, and fills everything that the scene does not fix with nonsense. The
/// lists of names must be complete, or this file does not compile: see checkpoint_guard.test.cpp.
namespace scree::inline SCREE_BACKEND {

struct StateScrambler {
  template <class R>
  static void scramble(System<R>& system) {
    auto& [run, search, limits, moving, energies, edit, graph] = system;
    static_cast<void>(graph);  // of the launches of a step
    auto& [speed_before_edit] = edit;
    fill(speed_before_edit, 3);
    scramble_search(search);
    scramble_limits(limits);
    auto& [load_sums, swept_pose] = moving;
    static_cast<void>(load_sums);  // 0 between steps
    fill(swept_pose, 3);
    scramble_energies(energies);
    scramble_run(run);
  }

  /// Names the members of a slot, so that a new one does not compile until somebody decides whether it is saved.
  template <class R>
  static void name_slot_members(BoundarySlot<R>& slot) {
    // Saved: the members in visit_slot_members(). Not saved: touching (always 1), and accepted, link and weight (used
    // within one step).
    [[maybe_unused]] auto& [feature, touching, accepted, link, shear, normal, force, weight, point] = slot;
  }

 private:
  template <class R>
  static void scramble_run(RunState<R>& run) {
    // The scene fixes laws, expected, and the clock except for its state.
    auto& [scene, exec, primitives, control, blocks_ended, seen, step, clock, forces_known, laws, expected, bodies,
           count, clumps, modes, grains, bonds, groups, outlets, contacts, lists, boundary, faces, cell, in_cell,
           losses, collisions, heat, films, membranes, fluid, plan] = run;
    static_cast<void>(scene), static_cast<void>(exec), static_cast<void>(primitives), static_cast<void>(laws);
    static_cast<void>(expected), static_cast<void>(blocks_ended);
    std::apply([](auto&... field) { (fill(field, 50), ...); }, bodies.all());
    auto& [n_bodies, n_start, n_inserted, first_large] = count;
    static_cast<void>(n_start);  // fixed
    numbers(n_bodies, n_inserted, first_large, step);
    control.assign({Control{77, 5, 1, 1, 1, 1}});
    seen = {77, 5, 1, 1, 1, 1};
    auto& [fixed_step, adaptive, times] = clock;
    static_cast<void>(fixed_step), static_cast<void>(adaptive);  // fixed
    times = {13, 12, 1, 1e-9};
    forces_known = false;
    auto& [rules, of_id, pressed, first_pressed, fluid_on_bodies, fluid_on_clumps] = groups;
    static_cast<void>(rules), static_cast<void>(first_pressed);              // fixed
    static_cast<void>(fluid_on_bodies), static_cast<void>(fluid_on_clumps);  // of one step
    static_cast<void>(fluid);                                                // fixed
    fill(of_id, 20), fill(pressed, pressed.size());
    auto& [sheets, tables, ids, rows, place] = membranes;
    static_cast<void>(sheets), static_cast<void>(tables), static_cast<void>(ids), static_cast<void>(rows);  // fixed
    fill(place, place.size());
    auto& [planes, regions, counts, quanta_per_mass, lists_removed, removed, n_removed] = outlets;
    static_cast<void>(planes), static_cast<void>(regions), static_cast<void>(quanta_per_mass);  // fixed
    static_cast<void>(lists_removed), static_cast<void>(removed);  // fixed; the list is taken before a state is saved
    if (n_removed.size() > 0) { n_removed.assign({5}); }
    fill(counts, counts.size());
    auto& [spent, rebuilds, list_step, boundary_skin, boundary_travel, reach, room, life, new_speeds, wide] = lists;
    spent = false;
    numbers(rebuilds, list_step, boundary_skin, boundary_travel, reach, life);
    new_speeds = wide = true;
    room = {{1, 2, 3}, {4, 5, 6}};
    scramble_contacts(contacts);
    scramble_boundaries(boundary);
    scramble_faces(faces);
    if (clumps.any()) { scramble_clumps(clumps); }
    scramble_modes(modes);
    scramble_grains(grains);
    auto& [bond, of_pair] = bonds;
    fill(bond, bond.size()), fill(of_pair, of_pair.size());
    if (cell.any()) { scramble_cell(cell); }
    scramble_in_cell(in_cell);
    scramble_losses(losses);
    scramble_collisions(collisions);
    scramble_heat(heat);
    scramble_films(films);
    auto& [made, travel, steps, sent] = plan;
    made = {7, 7, 7, {}, {}, {}, 7};
    steps.clear(), fill(sent, sent.size());
  }

  template <class R>
  static void scramble_contacts(ContactLists<R>& contacts) {
    auto& [pairs, near, near_before, wrench, large_part, stacks, bonds_made, bonds_broken] = contacts;
    scramble_pairs(pairs);
    scramble_near(near);
    scramble_near(near_before);
    scramble_stacks(stacks);
    fill(wrench, 3), fill(large_part, 3);
    fill(bonds_made, bonds_made.size()), fill(bonds_broken, bonds_broken.size());
  }

  static void scramble_faces(FacetMeter& faces) {
    auto& [meshes, n_facets, first_face, face, touched, before, since, end, carried] = faces;
    static_cast<void>(meshes), static_cast<void>(n_facets), static_cast<void>(first_face);  // fixed
    fill(face, face.size()), fill(touched, 3);
    std::memset(static_cast<void*>(before.data()), 0x5a, before.size() * sizeof(FacetSums));
    since = 7, end = 8, carried = 3;
  }

  template <class R>
  static void scramble_clumps(RigidBodies<R>& clumps) {
    auto& [fields, shape_start, shape_place, body_of_id, clump_of, member_wrench, n_made, members_beyond,
           inserted_beyond] = clumps;
    static_cast<void>(shape_start), static_cast<void>(shape_place);  // fixed
    std::apply([](auto&... field) { (fill(field, 5), ...); }, fields.all());
    fill(body_of_id, 9), fill(clump_of, 9), fill(member_wrench, 9);
    numbers(n_made, members_beyond, inserted_beyond);
  }

  template <class R>
  static void scramble_in_cell(BodiesInCell<R>& in_cell) {
    auto& [ahead, planned, measure, measured_step, measured_slow, some_are_out, list_edges, image, shift, lanes, sums] =
        in_cell;
    static_cast<void>(shift);  // recomputed at each use
    static_cast<void>(sums);   // so are these
    fill(image, 4), fill(lanes.lanes, 4);
    ahead.clear();
    planned.reset();
    measure = {{{7, 7, 7, 7, 7, 7}, {7, 7, 7, 7, 7, 7}, 7, 7}, 7};
    list_edges = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
    measured_slow = !measured_slow;
    some_are_out = !some_are_out;
    numbers(measured_step);
  }

  template <class R>
  static void scramble_losses(ContactLosses<R>& losses) {
    auto& [noted, summed, pair_slip, boundary_slip, pair_power, pair_loss, energy, spare] = losses;
    static_cast<void>(noted), static_cast<void>(pair_loss);  // fixed, of one step
    if (summed) { fill(energy, 9), fill(pair_slip, 9), fill(boundary_slip, 9), fill(pair_power, 9), fill(spare, 9); }
  }

  template <class R>
  static void scramble_collisions(CollisionLog<R>& log) {
    auto& [classes, limits, limits_there, sums, slots_before, open, before, since, end, carried] = log;
    static_cast<void>(classes), static_cast<void>(limits), static_cast<void>(limits_there);  // fixed
    static_cast<void>(open);                                                                 // of one reading
    if (sums.size() == 0) { return; }
    fill(sums, sums.size()), fill(slots_before, 9);
    std::memset(static_cast<void*>(before.data()), 0x5a, before.size() * sizeof(CollisionSums));
    since = 7, end = 8, carried = 3;
  }

  template <class R>
  static void scramble_films(FilmSystem<R>& films) {
    auto& [on, n_materials, pairs, film, spare, factor, exchanges, transfer] = films;
    static_cast<void>(n_materials), static_cast<void>(pairs);                              // fixed
    static_cast<void>(factor), static_cast<void>(exchanges), static_cast<void>(transfer);  // of one step
    if (on) { fill(film, 9), fill(spare, 9); }
  }

  template <class R>
  static void scramble_heat(HeatSystem<R>& heat) {
    auto& [on, model, n_boundaries, start_temperature, heat_per_mass, of_pair, walls, emissivity, temperature, capacity,
           spare, of_slot, rate, slot_power, gained, left, lanes, carried, start, flow, inserted] = heat;
    static_cast<void>(of_slot);                                                                       // of one step
    static_cast<void>(model), static_cast<void>(n_boundaries), static_cast<void>(start_temperature);  // fixed
    static_cast<void>(heat_per_mass), static_cast<void>(of_pair), static_cast<void>(walls);           // fixed
    static_cast<void>(emissivity);                                                                    // fixed
    if (!on) { return; }
    fill(temperature, 9), fill(capacity, 9), fill(spare, 9), fill(rate, 9), fill(slot_power, 9), fill(gained, 9);
    fill(left, 9), fill(lanes, lanes.size());
    numbers(carried, start);
    flow.assign(3, 7);
    inserted.add(7);
  }

  template <class R>
  static void scramble_limits(StepLimits<R>& limits) {
    auto& [watch, pair_stiffness, slot_stiffness, first_limit, first_dashpot, body_limit, square_speed, body_overlap,
           body_reach, limiting_component, least_limit] = limits;
    watch = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    fill(pair_stiffness, 9), fill(slot_stiffness, 9), fill(first_limit, 9), fill(body_limit, 9), fill(square_speed, 9),
        fill(body_overlap, 9), fill(body_reach, 9), fill(limiting_component, 9), fill(least_limit, 2),
        fill(first_dashpot, 9);
  }

  template <class R>
  static void scramble_search(NeighbourSearch<R>& search) {
    auto& [tuner, list_made, search_seconds, mean_skin, n_carried, n_parked, first_of_level_1, grid, spare, keys,
           row_keys, order, column_start, level_start, row_entries, carried_start, carried, looks, sizes, plan,
           position_sample, place, image] = search;
    scramble_rows(carried, 9);
    for (int k = 0; k < 50; ++k) { tuner.add(1e9, 1e-9, 3, {1, 1, 1, 1}, 1e9); }
    list_made = {};
    grid.n_columns = 3;
    numbers(search_seconds, mean_skin, n_carried, n_parked, first_of_level_1);
    std::apply([](auto&... field) { (fill(field, 9), ...); }, spare.all());
    fill(keys, 9), fill(row_keys, 9), fill(order, 9), fill(column_start, 9), fill(row_entries, 9);
    fill(level_start, 9), fill(carried_start, 9), fill(looks, 9), fill(sizes, 9), fill(plan, 1);
    fill(position_sample, 9), fill(place, 4), fill(image, 4);
  }

  template <class R>
  static void scramble_energies(EnergyAccounts<R>& energies) {
    auto& [on, open, made, started, start, damped, before, wrenches, clump_steps, clump_kinetic, mode_steps,
           mode_energies, lanes, state_lanes, merged, rounded, saved, saved_step] = energies;
    static_cast<void>(on), static_cast<void>(damped);        // fixed
    static_cast<void>(before), static_cast<void>(wrenches);  // used within one step
    made = {7, 7, 7, {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}}, {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}}, {7, 7, 7}, 7};
    static_cast<void>(clump_steps), static_cast<void>(clump_kinetic);
    static_cast<void>(mode_steps), static_cast<void>(mode_energies);
    static_cast<void>(state_lanes), static_cast<void>(merged), static_cast<void>(rounded);  // used in one reading
    open = !open;
    started = !started;
    numbers(start, saved_step);
    saved = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    if (lanes.size() > 0) { fill(lanes, lanes.size()); }
  }

  /// Fills all pages with nonsense and leaves none of them free.
  template <class R>
  static void scramble_stacks(StackStore<R>& store) {
    auto& [pages, lanes, most_in_use, free, least_free, enough_until, enough_for] = store;
    enough_until = free = ~std::uint64_t(0);
    static_cast<void>(lanes), static_cast<void>(most_in_use), static_cast<void>(enough_for);
    static_cast<void>(least_free);  // set before each batch
    auto& [slabs, table, below, ring, counters, waiting, n_pages] = pages;
    static_cast<void>(table), static_cast<void>(waiting), static_cast<void>(n_pages);  // the pages themselves remain
    for (auto& slab : slabs) { fill(slab, slab.size()); }
    fill(ring, ring.size()), fill(below, below.size());
    if (counters.size() > 0) { counters.assign({PoolCounters{5000, 5000}}); }
  }

  /// The scene fixes which axes are periodic and where the corner of the cell is; the rest is scrambled.
  static void scramble_cell(CellSystem& cell) {
    const Vec3d seven{7, 7, 7};
    cell.geometry() = {
        {seven, seven, seven}, {seven, seven, seven}, {seven, seven, seven}, {seven, seven, seven}, {7, 7, 7, 7, 7, 7}};
    CellControlState state = cell.control().state();
    state.stage = 77;
    state.stage_began = 7;
    cell.control().set_state(state, {7, 7, 7, 7, 7, 7});
  }

  template <class R>
  static void scramble_rows(ContactRows<R>& rows, std::size_t size) {
    auto& [extra, stack, nodes, couple, normal_energy, viscous_couple] = rows;
    fill(extra, size), fill(stack, stack.size()), fill(nodes, nodes.size()), fill(couple, size);
    fill(normal_energy, size), fill(viscous_couple, size);
  }

  template <class R>
  static void scramble_grains(GrainStore<R>& grains) {
    // The scene fixes the shapes. Rows of nodes are saved with their contacts.
    auto& [form, value, node, ball, bound, grain_of_shape, nodes_of_grain, pages_put, two_pass, by_area, keeps_loads,
           remaps, row, load, reference, next, taken, pair_now, slot_now, near_pair, near_slot, near_leaf, views] =
        grains;
    static_cast<void>(remaps), static_cast<void>(keeps_loads), static_cast<void>(load),
        static_cast<void>(reference);  // those of the last step
    static_cast<void>(form), static_cast<void>(value), static_cast<void>(node), static_cast<void>(ball),
        static_cast<void>(bound);
    static_cast<void>(grain_of_shape), static_cast<void>(nodes_of_grain), static_cast<void>(two_pass);
    static_cast<void>(by_area), static_cast<void>(views);
    for (std::size_t side = 0; side < 2; ++side) {
      fill(row[side], row[side].size()), fill(next[side], next[side].size());
    }
    fill(taken, taken.size()), fill(pair_now, 5), fill(slot_now, 5);
    if (taken.size() > 0) { taken.set_element(2, 0); }  // room for near nodes: a size, not a part of the state
    fill(near_pair, near_pair.size()), fill(near_slot, near_slot.size()), fill(near_leaf, near_leaf.size());
    numbers(pages_put);
  }

  template <class R>
  static void scramble_modes(ModeStore<R>& modes) {
    // The scene fixes the shapes. Forces are those of one step.
    auto& [stride, remap, numbers_made, field_made, at_node_made, knot_made, term_made, term_mode_made, numbers, field,
           at_node, knot, term, term_mode, modulus, amplitude, rate, path, room, pair_force, slot_force, force,
           keeps_viscous, pair_viscous, slot_viscous, coupling, levels] = modes;
    static_cast<void>(stride), static_cast<void>(remap), static_cast<void>(numbers_made), static_cast<void>(field_made);
    static_cast<void>(at_node_made), static_cast<void>(knot_made), static_cast<void>(term_made);
    static_cast<void>(term_mode_made), static_cast<void>(numbers), static_cast<void>(field), static_cast<void>(at_node);
    static_cast<void>(knot), static_cast<void>(term), static_cast<void>(term_mode), static_cast<void>(modulus);
    fill(amplitude, amplitude.size()), fill(rate, rate.size()), fill(path, path.size()), fill(room, room.size());
    fill(pair_force, pair_force.size()), fill(slot_force, slot_force.size()), fill(force, force.size());
    static_cast<void>(keeps_viscous);
    fill(pair_viscous, pair_viscous.size()), fill(slot_viscous, slot_viscous.size());
    auto& [couple_stride, slope_made, curve_made, swirl_made, slope, curve, swirl, holds, momentum, held, scratch,
           lean] = coupling;
    static_cast<void>(couple_stride), static_cast<void>(slope_made), static_cast<void>(curve_made);
    static_cast<void>(swirl_made), static_cast<void>(slope), static_cast<void>(curve), static_cast<void>(swirl);
    static_cast<void>(holds);
    fill(momentum, momentum.size()), fill(held, held.size()), fill(scratch, scratch.size()), fill(lean, lean.size());
    scramble_levels(levels);
  }

  template <class R>
  static void scramble_levels(LevelStore<R>& levels) {
    auto& [update, stride, mode_stride, to_precompute, grid_made, step_made, triangle_made, near_start_made, near_made,
           n_values, grid, step, triangle, near_start, near, value, phi, change, known, moved] = levels;
    static_cast<void>(update), static_cast<void>(stride), static_cast<void>(mode_stride), static_cast<void>(n_values);
    static_cast<void>(to_precompute), static_cast<void>(grid_made), static_cast<void>(step_made);
    static_cast<void>(triangle_made), static_cast<void>(near_start_made);
    static_cast<void>(near_made), static_cast<void>(grid), static_cast<void>(step);
    static_cast<void>(triangle), static_cast<void>(near_start), static_cast<void>(near), static_cast<void>(value);
    fill(phi, phi.size()), fill(change, change.size()), fill(known, known.size()), fill(moved, moved.size());
  }

  template <class R>
  static void scramble_pairs(Pairs<R>& pairs) {
    auto& [bodies, shear, rows, force, image, touching, incident_start, incident, lowest_slot, chunk_start] = pairs;
    scramble_rows(rows, 11);
    fill(bodies, 11), fill(shear, 11), fill(force, 11), fill(image, 11), fill(touching, 11), fill(incident_start, 11),
        fill(incident, 11);
    fill(lowest_slot, 11), fill(chunk_start, 11);
  }

  template <class R>
  static void scramble_near(BoundaryList<R>& list) {
    auto& [row_of_body, body_of_row, row_start, slot, rows] = list;
    scramble_rows(rows, 4);
    fill(row_of_body, 4), fill(body_of_row, 4), fill(row_start, 4), fill(slot, 4);
  }

  static void scramble_boundaries(BoundarySystem& system) {
    auto& [boundaries, paths, states, states_known, movers, mover, state_there, last_state, travel, pose_of_forces,
           momentary_pose, planned, prescribed, planned_times, plan_is_fast, loads_matter, outline, reference_pose,
           place, info, features, n_moving, has_bodies] = system;
    static_cast<void>(paths), static_cast<void>(features), static_cast<void>(movers), static_cast<void>(mover);
    static_cast<void>(outline), static_cast<void>(reference_pose), static_cast<void>(place);
    static_cast<void>(has_bodies);
    static_cast<void>(planned), static_cast<void>(planned_times);  // functions of the time
    states_known = true, plan_is_fast = true, loads_matter = false;
    fill(state_there, state_there.size()), fill(last_state, last_state.size()), fill(travel, travel.size());
    fill(pose_of_forces, pose_of_forces.size()), fill(momentary_pose, momentary_pose.size());
    fill(prescribed, prescribed.size());
    for (DrivenState& state : states) { state = {{{7, 7, 7}, {7, 7, 7}, 7, 7, 7}, {{7, 7, 7, 7}, {7, 7, 7}}, {7, 7}}; }
    // The scene fixes these, except for poses and vertices of moving boundaries, which follow from the time.
    [[maybe_unused]] auto& [boundary_info, pose, feature, surface, reference_vertex, vertices, vertex_boundary, node,
                            leaf_feature, edge_start, edge_opposite, edge_width, ring_start, ring, slides, grows,
                            first_facet, joint_start, joint, part] = boundaries;
    if (n_moving == 0) { return; }
    fill(pose, pose.size());
    std::vector<Vec3d> vertex = vertices.to_vector();
    for (const BoundaryInfo& mesh : info) {
      for (std::uint32_t v = 0; mesh.moving != 0 && v < mesh.n_vertices; ++v) {
        vertex[mesh.first_vertex + v] = {7, 7, 7};
      }
    }
    vertices.assign(vertex);
  }

  template <class T>
  static void fill(Buffer<T>& buffer, std::size_t size) {
    std::vector<T> nonsense(size);
    if (size > 0) { std::memset(static_cast<void*>(nonsense.data()), 0x3b, size * sizeof(T)); }
    buffer.assign(nonsense);
  }
  template <class... T>
  static void numbers(T&... value) {
    ((value = T(13)), ...);
  }
};

}  // namespace scree::inline SCREE_BACKEND
