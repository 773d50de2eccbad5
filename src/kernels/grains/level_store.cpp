#include "kernels/grains/level_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/archive/state_io.hpp"
#include "kernels/backend/rearrange.hpp"
#include "kernels/grains/mode_rows.hpp"
#include "kernels/grains/triangles_near_cells.hpp"
#include "kernels/math/real3.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* levels_label = "level sets of deformed grains";
constexpr std::uint64_t usual_levels = 2;

FieldKind kind_of(FieldUpdate update) {
  switch (update) {
    case FieldUpdate::remap_corners: return FieldKind::remapped_corners;
    case FieldUpdate::recompute: return FieldKind::recomputed;
    case FieldUpdate::advect: return FieldKind::advected;
    case FieldUpdate::precomputed: return FieldKind::precomputed;
    default: return FieldKind::remapped;
  }
}

/// The grid of a template with as many more points on each side as its ball has room for.
LevelGrid grid_around(const GrainShape& shape, double room) {
  const auto more = static_cast<std::uint32_t>(std::ceil(std::max(room, 0.0) / shape.spacing));
  LevelGrid grid{};
  grid.origin = vec(shape.origin) - (double(more) * shape.spacing) * Vec3d{1, 1, 1};
  grid.spacing = shape.spacing;
  grid.inverse_spacing = 1 / shape.spacing;
  for (std::size_t axis = 0; axis < 3; ++axis) { grid.size[axis] = shape.size[axis] + 2 * more; }
  return grid;
}

/// [m] How far the ball of a shape reaches beyond the grain.
double room_of(const Scene& scene, std::size_t index) {
  double room = 0;
  for (const ClumpShape& clump : scene.clump_shapes) {
    if (clump.grain && *clump.grain == index) {
      room = std::max(room, double(clump.radius[0]) - scene.grain_shapes[index].bounding_radius);
    }
  }
  return room;
}

/// [m] The largest amplitude of precomputed grids. It is the amplitude up to which the mode is meant to be used. If
/// that is not known, it is the amplitude that moves a node by 0.15 bounding radii, which is the room in the ball.
double largest_of(const GrainShape& shape, std::size_t mode) {
  const GrainModes& modes = shape.modes;
  if (mode < modes.largest.size() && modes.largest[mode] > 0) { return modes.largest[mode]; }
  double reach = 0;
  for (std::size_t k = 0; k < shape.node.size(); ++k) {
    reach = std::max(reach, norm(vec(modes.at_node[mode * shape.node.size() + k])));
  }
  return 0.15 * shape.bounding_radius / std::max(reach, 1e-30);
}

}  // namespace

template <class R>
void LevelStore<R>::add_shape(const Scene& scene, std::size_t index, std::span<const std::size_t> order) {
  const GrainShape& shape = scene.grain_shapes[index];
  update_ = scene.grain_contacts.field_update;
  if (shape.modes.count == 0 || update_ == FieldUpdate::remap || update_ == FieldUpdate::remap_corners) { return; }
  LevelGrid grid = grid_around(shape, room_of(scene, index));
  grid.first_near = near_start_.size();
  grid.first_triangle = triangle_.size();
  if (uses_triangles()) { add_triangles(shape, order, grid); }
  if (update_ == FieldUpdate::precomputed) {
    grid.n_levels = static_cast<std::uint32_t>(scene.grain_contacts.field_levels.value_or(usual_levels));
    grid.first_value = n_values_;
    n_values_ += (1 + std::uint64_t(2) * grid.n_levels * shape.modes.count) * grid.points();
  } else {
    SCREE_EXPECT(grid.points() < std::numeric_limits<std::uint32_t>::max(), "a grid has too many points");
    stride_ = std::max(stride_, static_cast<std::uint32_t>(grid.points()));
  }
  Precomputing precomputing{static_cast<std::uint32_t>(index), grid.n_levels, grid.points(), {}};
  for (std::size_t a = 0; a < shape.modes.count; ++a) {
    grid_.push_back(grid);
    precomputing.step.push_back(largest_of(shape, a) / double(std::max(grid.n_levels, 1U)));
    step_.push_back(precomputing.step.back());
  }
  if (grid.n_levels > 0) { to_precompute_.push_back(precomputing); }
}

template <class R>
void LevelStore<R>::add_triangles(const GrainShape& shape, std::span<const std::size_t> order, const LevelGrid& grid) {
  SCREE_EXPECT(!shape.triangle.empty(), "level sets are recomputed from the triangles of a shape, and it has none");
  std::vector<std::uint32_t> place_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) { place_of[order[k]] = static_cast<std::uint32_t>(k); }
  std::vector<std::array<Vec3d, 3>> corner;
  for (const auto& [a, b, c] : shape.triangle) {
    triangle_.push_back({{place_of[a], place_of[b], place_of[c]}});
    corner.push_back({vec(shape.node[a]), vec(shape.node[b]), vec(shape.node[c])});
  }
  // Strains change which triangle is nearest. This distance is enough for strains up to 0.3.
  const double h = grid.spacing, farthest = (level_band + half_cell) * h;
  const TriangleBoxes boxes(corner, grid);
  for (std::uint64_t point = 0; point < grid.points(); ++point) {
    near_start_.push_back(near_.size());
    const Vec3d middle = grid.place_of(point) + (0.5 * h) * Vec3d{1, 1, 1};
    const std::vector<NearTriangle> nearest = boxes.near(middle, farthest);
    if (nearest.empty()) { continue; }
    const double reach = (double(nearest[0].distance) + half_cell * h) / 0.7 + half_cell * h;
    const std::vector<NearTriangle> all = boxes.near(middle, reach);
    near_.insert(near_.end(), all.begin(), all.end());
  }
  near_start_.push_back(near_.size());
}

template <class R>
void LevelStore<R>::send_shapes(const Scene& scene, std::uint32_t stride) {
  update_ = scene.grain_contacts.field_update;
  mode_stride_ = stride;
  const auto send = [](auto& from, auto& to) {
    to.assign(from, levels_label);
    from = {};
  };
  send(grid_, grid_there_), send(step_, step_there_);
  send(triangle_, triangle_there_), send(near_start_, near_start_there_), send(near_, near_there_);
  value_.discard_and_resize(n_values_, levels_label);
}

template <class R>
void LevelStore<R>::show(ModeViews<R>& views) {
  views.levels = {.kind = kind_of(update_),
                  .stride = stride_,
                  .slack = update_ == FieldUpdate::remap ? 0 : 0.3,
                  .grid = grid_there_.view(),
                  .value = value_.view(),
                  .step = step_there_.view(),
                  .triangle = triangle_there_.view(),
                  .near_start = near_start_there_.view(),
                  .near = near_there_.view(),
                  .phi = phi_.view(),
                  .change = change_.view(),
                  .known = known_.view(),
                  .moved = moved_.view()};
}

template <class R>
void LevelStore<R>::append(std::size_t n) {
  if (stride_ == 0) { return; }
  scree::append(known_, std::vector<double>(n * mode_stride_), levels_label);
  scree::append(moved_, std::vector<double>(n, -1), levels_label);
  const std::size_t before = phi_.size();
  phi_.resize(before + n * stride_, levels_label);
  // No kernel writes to the rows of clumps without modes, nor to the ends of the rows of small grids, so they are set
  // to zero here.
  fill_zero(phi_.data() + before, n * stride_ * sizeof(double));
  change_.discard_and_resize(phi_.size(), levels_label);
}

template <class R>
void LevelStore<R>::update(Exec& exec, const GrainViews<R>& grains, const Control* control) {
  if (!to_precompute_.empty()) { precompute(exec, grains); }
  if (stride_ == 0 || moved_.size() == 0) { return; }
  const LevelChange<R> change{grains, control};
  exec.for_each("level sets", phi_.size(), change);
  exec.for_each("level sets", phi_.size(), LevelWrite<R>{change});
  exec.for_each("level sets", moved_.size(), LevelNote<R>{change});
}

template <class R>
void LevelStore<R>::precompute(Exec& exec, const GrainViews<R>& grains) {
  for (const Precomputing& of : to_precompute_) {
    const std::size_t modes = of.step.size(), n_grids = 1 + std::size_t(2) * of.n_levels * modes;
    const int n = static_cast<int>(of.n_levels);
    LevelGrid grid{};
    grid.n_levels = of.n_levels;
    std::vector<double> amplitude(n_grids * modes);
    for (std::uint32_t a = 0; a < modes; ++a) {
      for (int level = -n; level <= n; ++level) {
        amplitude[PrecomputedField<R>::index_of(grid, a, level) * modes + a] = level * of.step[a];
      }
    }
    Buffer<double> amplitude_there, distance;
    amplitude_there.assign(amplitude, levels_label);
    distance.discard_and_resize(n_grids * of.points, levels_label);
    exec.for_each("level sets", distance.size(),
                  LevelPrecompute<R>{grains, of.form, amplitude_there.view(), distance.view()});
    exec.for_each("level sets", distance.size(), LevelSlopes<R>{grains, of.form, distance.view(), value_.view()});
    wait_for_backend();
  }
  to_precompute_.clear();
}

template <class R>
void LevelStore<R>::hash(const std::vector<std::size_t>& order, const std::vector<index_t>& id,
                         UnorderedHash& sum) const {
  if (!advects()) { return; }
  const std::vector<double> phi = phi_.to_vector();
  constexpr std::uint64_t mark = std::uint64_t(1) << 58;  // distinguishes grids from the other numbers of a clump
  for (const std::size_t c : order) {
    for (std::size_t k = 0; k < stride_; ++k) { sum.add({mark + id[c], k, bits(phi[c * stride_ + k]), 0}); }
  }
}

template <class R>
void LevelStore<R>::save(const std::vector<std::size_t>& order, StateWriter& out) const {
  if (!advects()) { return; }
  save_mode_rows(order, out, "modes/field", "m", phi_, stride_);
  save_mode_rows(order, out, "modes/field_amplitude", "m", known_, mode_stride_);
  save_mode_rows(order, out, "modes/field_path", "m", moved_, 1);
}

template <class R>
void LevelStore<R>::restore(std::size_t n, StateReader& in) {
  if (stride_ == 0) { return; }
  if (advects()) {
    restore_mode_rows(n, in, "modes/field", phi_, stride_);
    restore_mode_rows(n, in, "modes/field_amplitude", known_, mode_stride_);
    restore_mode_rows(n, in, "modes/field_path", moved_, 1);
  } else {
    known_.assign(std::vector<double>(n * mode_stride_), levels_label);
    moved_.assign(std::vector<double>(n, -1), levels_label);
    phi_.discard_and_resize(n * stride_, levels_label);
  }
  change_.discard_and_resize(phi_.size(), levels_label);
}

template <class R>
std::uint64_t LevelStore<R>::bytes() const {
  return grid_there_.bytes() + step_there_.bytes() + triangle_there_.bytes() + near_start_there_.bytes() +
         near_there_.bytes() + value_.bytes() + phi_.bytes() + change_.bytes() + known_.bytes() + moved_.bytes();
}

template class LevelStore<float>;
template class LevelStore<double>;

}  // namespace scree::inline SCREE_BACKEND
