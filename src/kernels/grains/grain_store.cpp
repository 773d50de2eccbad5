#include "kernels/grains/grain_store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/grains/grain_leaves.hpp"
#include "kernels/grains/shape_fields.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/nodes/node_search.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
NodeBall<R> ball_of(const GrainShape& shape, const NodeOrder& order, const NodeSet& set) {
  Vec3d low = vec(shape.node[order.node[set.begin]]), high = low;
  for (std::size_t k = set.begin; k < set.end; ++k) {
    const Vec3d x = vec(shape.node[order.node[k]]);
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  const Vec3<R> centre = convert<R>(0.5 * (low + high));
  double radius = 0;
  for (std::size_t k = set.begin; k < set.end; ++k) {
    radius = std::max(radius, norm(vec(shape.node[order.node[k]]) - convert<double>(centre)));
  }
  return {.centre = centre,
          .radius = static_cast<R>(1.0001 * radius),
          .skip = static_cast<std::uint32_t>(set.skip),
          .first = static_cast<std::uint32_t>(set.begin),
          .count = static_cast<std::uint32_t>(set.leaf ? set.end - set.begin : 0)};
}

double reach_of(const GrainShape& shape) {
  double reach = 0;
  for (const Real3& node : shape.node) { reach = std::max(reach, norm(vec(node))); }
  return reach;
}

double node_spacing_of(const GrainShape& shape) {
  double area = 0;
  for (const double of_node : shape.node_area) { area += of_node; }
  return std::sqrt(area / double(shape.node.size()));
}

void expect_shape(const GrainShape& shape) {
  SCREE_EXPECT(shape.size[0] >= 2 && shape.size[1] >= 2 && shape.size[2] >= 2 && shape.spacing > 0 &&
                   shape.phi.size() == shape.points(),
               "a level-set shape has a grid of two points or more along each axis, and a value at each point");
  SCREE_EXPECT(!shape.node.empty() && shape.node.size() < node_on_edge && shape.node_area.size() == shape.node.size(),
               "a level-set shape has nodes, each with an area");
  SCREE_EXPECT(shape.volume > 0 && shape.equivalent_radius > 0, "a level-set shape has a volume");
}

/// Throws ContractError if there are spheres, and a boundary has a material of grains. Whether a contact is one of
/// nodes or of spheres follows from the materials alone, so a sphere at such a boundary would have the wrong
/// interaction.
void expect_materials(const Scene& scene) {
  const auto& of = scene.particles.material;
  const bool spheres = std::any_of(of.begin(), of.end(), [&](std::uint32_t m) { return !scene.is_of_grains(m); });
  for (const SceneBoundary& boundary : scene.boundaries) {
    SCREE_EXPECT(!spheres || !scene.is_of_grains(boundary.material), "a boundary has a material of grains");
  }
}

/// The shapes of a scene on the host, in the arrays of GrainViews.
template <class R>
struct ShapeArrays {
  std::vector<GrainForm<R>> forms;
  std::vector<Four<float>> values;
  std::vector<GrainNode<R>> nodes;
  std::vector<NodeBall<R>> balls;
  std::vector<float> bounds;

  /// Appends a shape and its modes. Throws ContractError if its arrays are not sound.
  void add(const Scene& scene, const GrainShape& shape, ModeStore<R>& modes) {
    expect_shape(shape);
    const NodeTree tree(shape.node);
    const NodeOrder& order = tree.order();
    const std::uint32_t blocks[3] = {shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2};
    const double slope = 1.0001 * field_slope_of(shape);
    const float deepest = *std::min_element(shape.phi.begin(), shape.phi.end());
    SCREE_EXPECT(deepest < 0, "a level-set shape has an inside");
    SCREE_EXPECT(order.ball.size() < std::size_t(1) << (32 - nodes_per_leaf), "a level-set shape has too many nodes");
    forms.push_back({.first_value = values.size(),
                     .size = {shape.size[0], shape.size[1], shape.size[2]},
                     .first_bound = bounds.size(),
                     .blocks = {blocks[0], blocks[1], blocks[2]},
                     .first_node = static_cast<std::uint32_t>(nodes.size()),
                     .n_nodes = static_cast<std::uint32_t>(shape.node.size()),
                     .first_ball = static_cast<std::uint32_t>(balls.size()),
                     .n_balls = static_cast<std::uint32_t>(order.ball.size()),
                     .origin = vec(shape.origin),
                     .spacing = shape.spacing,
                     .inverse_spacing = 1 / shape.spacing,
                     .radius = static_cast<R>(shape.equivalent_radius),
                     .depth = -static_cast<R>(deepest),
                     .reach = static_cast<R>(1.0001 * reach_of(shape)),
                     .node_spacing = node_spacing_of(shape),
                     .modes = modes.add_shape(shape, order.node),
                     .slope = static_cast<R>(slope)});
    modes.levels().add_shape(scene, forms.size() - 1, order.node);
    const auto own = field_values_of(shape);
    values.insert(values.end(), own.begin(), own.end());
    for (const std::size_t k : order.node) {
      nodes.push_back({convert<R>(vec(shape.node[k])), static_cast<R>(shape.node_area[k])});
    }
    for (const NodeSet& set : order.ball) { balls.push_back(ball_of<R>(shape, order, set)); }
    const auto least = field_bounds_of(shape, blocks, slope);
    bounds.insert(bounds.end(), least.begin(), least.end());
  }
};

}  // namespace

template <class R>
void GrainStore<R>::set_shapes(const Scene& scene, ModeStore<R>& modes) {
  if (scene.grain_shapes.empty()) { return; }
  expect_materials(scene);
  ShapeArrays<R> shapes;
  for (const GrainShape& shape : scene.grain_shapes) {
    shapes.add(scene, shape, modes);
    nodes_of_grain_.push_back(static_cast<std::uint32_t>(shape.node.size()));
  }
  std::vector<std::uint32_t> grain_of_shape;
  for (const ClumpShape& shape : scene.clump_shapes) {
    SCREE_EXPECT(!shape.grain || (*shape.grain < scene.grain_shapes.size() && shape.radius.size() == 1),
                 "a level-set grain is a shape of one sphere, which holds it");
    grain_of_shape.push_back(shape.grain.value_or(no_grain));
  }
  form_.assign(shapes.forms, "level-set grains");
  value_.assign(shapes.values, "level-set grains");
  node_.assign(shapes.nodes, "level-set grains");
  ball_.assign(shapes.balls, "level-set grains");
  bound_.assign(shapes.bounds, "level-set grains");
  grain_of_shape_.assign(grain_of_shape, "level-set grains");
  two_pass_ = scene.grain_contacts.two_pass ? 1 : 0;
  by_area_ = scene.grain_contacts.by_area ? 1 : 0;
  keeps_loads_ = scene.keeps_node_forces;
  remaps_ = scene.grain_contacts.field_update == FieldUpdate::remap;
  taken_.assign(std::vector<std::uint64_t>(4), "node contacts");
  views_.assign(std::vector<NodeViews<R>>(1), "node contacts");
  modes.send_shapes(scene);
  reserve_pages(8, modes.any());
}

template <class R>
void GrainStore<R>::reserve_pages(std::uint64_t pages, bool with_references) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (next_[side].size() >= pages) { continue; }
    row_[side].resize(pages * nodes_per_page, "node contacts");
    next_[side].resize(pages, "node contacts");
  }
  if (keeps_loads_ && load_.size() < pages * nodes_per_page) {
    load_.resize(pages * nodes_per_page, "forces at nodes");
  }
  if (with_references && reference_.size() < pages * nodes_per_page) {
    reference_.resize(pages * nodes_per_page, "modes of grains");
  }
}

template <class R>
NodeViews<R> GrainStore<R>::views_of(RunState<R>& run) {
  return {.grains = {.form = form_.view(),
                     .value = value_.view(),
                     .node = node_.view(),
                     .ball = ball_.view(),
                     .bound = bound_.view(),
                     .grain_of_shape = grain_of_shape_.view(),
                     .clump_of = run.clumps.clump_of.view(),
                     .clumps = view(run.clumps.fields),
                     .modes = run.modes.views(run.contacts.pairs.size(), run.contacts.near.slot.size())},
          .pool = {.row = {row_[0].view(), row_[1].view()},
                   .next = {next_[0].view(), next_[1].view()},
                   .load = load_.view(),
                   .reference = reference_.view(),
                   .taken = taken_.data()},
          .of_pair = run.contacts.pairs.rows.nodes.view(),
          .of_slot = run.contacts.near.rows.nodes.view(),
          .pair_now = pair_now_.view(),
          .slot_now = slot_now_.view(),
          .near_pair = near_pair_.view(),
          .near_slot = near_slot_.view(),
          .near_pool = {.leaf = near_leaf_.view(), .taken = taken_.data() + 2, .searches = taken_.data() + 3},
          .bonds = run.bonds.views(run),
          .two_pass = two_pass_,
          .by_area = by_area_};
}

template <class R>
void GrainStore<R>::refresh(RunState<R>& run) {
  if (!any()) { return; }
  pair_now_.discard_and_resize(run.contacts.pairs.size(), "node contacts");
  slot_now_.discard_and_resize(run.contacts.near.slot.size(), "node contacts");
  near_pair_.discard_and_resize(run.contacts.pairs.size() * (1 + two_pass_), "node contacts");
  near_slot_.discard_and_resize(run.contacts.near.slot.size(), "node contacts");
  forget_near_nodes();
  run.bonds.refresh(run);
  views_.set_element(0, views_of(run));
}

template <class R>
void GrainStore<R>::forget_near_nodes() {
  const std::uint64_t wanted = taken_.element(2);
  if (wanted > near_leaf_.size()) { near_leaf_.discard_and_resize(wanted + wanted / 2, "node contacts"); }
  taken_.set_element(2, 0);
  near_pair_.zero();
  near_slot_.zero();
}

template <class R>
template <class Field>
void GrainStore<R>::launch_searches(RunState<R>& run, const PairViews<R>& pairs, const BoundaryContactViews<R>& near) {
  run.exec.for_each("find nodes", run.contacts.pairs.size(), in_step(run, NodePairSearch<R, Field>{pairs}));
  run.exec.for_each("find nodes", run.contacts.near.body_of_row.size(),
                    in_step(run, NodeBoundarySearch<R, Field>{near}));
}

template <class R>
void GrainStore<R>::launch(RunState<R>& run) {
  const PairViews<R> pairs = pair_views_of_steps(run);
  const BoundaryContactViews<R> near = boundary_contact_views_of_steps(run);
  run.exec.for_each("find nodes", 1, in_step(run, NodeBegin<R>{taken_.data(), run.control.data(), 0}));
  if (remaps_) {
    launch_searches<RemappedField>(run, pairs, near);
  } else {
    run.modes.levels().update(run.exec, grains_of(run), run.control.data());
    launch_searches<GriddedField>(run, pairs, near);
  }
}

template <class R>
void GrainStore<R>::find(RunState<R>& run, bool driver_waits) {
  if (!any()) { return; }
  launch(run);
  if (!driver_waits) {
    run.exec.for_each("find nodes", 1,
                      in_step(run, NodeCheck<R>{taken_.data(), next_[0].size(), run.control.data(), 0}));
    return;
  }
  const auto side = static_cast<std::size_t>(run.plan.step(0).contacts.node_side);
  std::vector<std::uint64_t> taken = taken_.to_vector();
  while (taken[side] > next_[0].size()) {
    reserve_pages(taken[side] + taken[side] / 4, run.modes.any());
    views_.set_element(0, views_of(run));
    launch(run);
    taken = taken_.to_vector();
  }
  if (taken[2] > near_leaf_.size()) {
    forget_near_nodes();
    views_.set_element(0, views_of(run));
  }
}

template <class R>
template <class Take>
void GrainStore<R>::each_row(const std::vector<NodeList>& lists, Take&& take) const {
  const std::vector<std::uint32_t> next[2] = {next_[0].to_vector(), next_[1].to_vector()};
  for (const NodeList& list : lists) {
    std::uint32_t page = list.first;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      if (i > 0 && i % nodes_per_page == 0) { page = next[list.side][page]; }
      take(list.side, std::size_t(page) * nodes_per_page + i % nodes_per_page);
    }
  }
}

template <class R>
std::vector<NodeRow<R>> GrainStore<R>::rows_of(const std::vector<NodeList>& lists) const {
  std::vector<NodeRow<R>> rows;
  const std::vector<NodeRow<R>> row[2] = {row_[0].to_vector(), row_[1].to_vector()};
  each_row(lists, [&](std::uint32_t side, std::size_t place) { rows.push_back(row[side][place]); });
  return rows;
}

template <class R>
std::vector<NodeLoad<R>> GrainStore<R>::loads_of(const std::vector<NodeList>& lists) const {
  SCREE_EXPECT(keeps_loads_ || lists.empty(), "forces at nodes are kept if Scene::keeps_node_forces says so");
  std::vector<NodeLoad<R>> loads;
  const std::vector<NodeLoad<R>> load = load_.to_vector();
  each_row(lists, [&](std::uint32_t, std::size_t place) { loads.push_back(load[place]); });
  return loads;
}

template <class R>
std::vector<NodeList> GrainStore<R>::put_rows(const std::vector<std::uint32_t>& counts,
                                              const std::vector<NodeRow<R>>& rows, std::uint32_t side) {
  std::vector<NodeList> lists;
  const std::uint64_t first = pages_put_;
  std::vector<NodeRow<R>> in_pages;
  std::vector<std::uint32_t> next;
  std::size_t from = 0;
  for (const std::uint32_t count : counts) {
    const auto own = static_cast<std::uint32_t>(pages_put_);
    const std::uint32_t n_pages = (count + nodes_per_page - 1) / nodes_per_page;
    lists.push_back(count > 0 ? NodeList{count, own, own + n_pages - 1, side} : NodeList{});
    for (std::uint32_t p = 0; p < n_pages; ++p) { next.push_back(own + p + 1); }
    for (std::uint32_t i = 0; i < n_pages * nodes_per_page; ++i) {
      in_pages.push_back(i < count ? rows.at(from + i) : NodeRow<R>{});
    }
    pages_put_ += n_pages;
    from += count;
  }
  reserve_pages(pages_put_, reference_.size() > 0);
  if (!next.empty()) {
    copy_to_backend(row_[side].data() + first * nodes_per_page, in_pages.data(), in_pages.size() * sizeof(NodeRow<R>));
    copy_to_backend(next_[side].data() + first, next.data(), next.size() * sizeof(std::uint32_t));
  }
  return lists;
}

template <class R>
std::vector<std::uint32_t> GrainStore<R>::nodes_of_bodies(const RunState<R>& run) const {
  std::vector<std::uint32_t> result(run.count.bodies);
  if (!any()) { return result; }
  const auto place = run.clumps.body_of_id.to_vector();
  const auto first = run.clumps.fields.first.to_vector();
  const auto shape = run.clumps.fields.shape.to_vector();
  for (std::size_t c = 0; c < first.size(); ++c) {
    const auto& grain = run.scene.clump_shapes.at(shape[c]).grain;
    if (grain && place.at(first[c]) < result.size()) { result[place[first[c]]] = nodes_of_grain_.at(*grain); }
  }
  const std::uint32_t most = *std::max_element(nodes_of_grain_.begin(), nodes_of_grain_.end());
  const auto position = run.bodies.position().to_vector();
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (is_parked(position[i])) { result[i] = most; }
  }
  return result;
}

template <class R>
NodeCounts GrainStore<R>::near_counts() const {
  NodeCounts counts;
  if (!any()) { return counts; }
  const std::vector<std::uint32_t> leaf = near_leaf_.to_vector();
  const auto add = [&](const auto& of_contacts) {
    for (const auto& near : of_contacts) {
      for (std::uint32_t n = 0; n < near.count; ++n) {
        constexpr std::uint32_t nodes = (1u << nodes_per_leaf) - 1;
        counts.near += static_cast<std::uint64_t>(std::popcount(leaf.at(near.first + n) & nodes));
      }
    }
  };
  add(near_pair_.to_vector());
  add(near_slot_.to_vector());
  counts.searches = taken_.element(3);
  return counts;
}

template <class R>
std::uint64_t GrainStore<R>::bytes() const {
  return form_.bytes() + value_.bytes() + node_.bytes() + ball_.bytes() + bound_.bytes() + grain_of_shape_.bytes() +
         row_[0].bytes() + row_[1].bytes() + load_.bytes() + reference_.bytes() + next_[0].bytes() + next_[1].bytes() +
         taken_.bytes() + pair_now_.bytes() + slot_now_.bytes() + near_pair_.bytes() + near_slot_.bytes() +
         near_leaf_.bytes() + views_.bytes();
}

template class GrainStore<float>;
template class GrainStore<double>;

}  // namespace scree::inline SCREE_BACKEND
