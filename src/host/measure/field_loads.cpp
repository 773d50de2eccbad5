#include "host/measure/field_loads.hpp"

#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/measure/cell_meters.hpp"

namespace scree {
namespace {

using namespace geometry;

/// Shifts [m] to those images of the periodic cell that may reach into the box; only the shift 0 without a cell.
class Images {
 public:
  Images(const ProbeView& view, const Real3& low, const Real3& high) : view_(view), low_(low), high_(high) {
    if (!view.frame) { return; }
    const Real3 middle = scaled(add(low_, high_), 0.5);
    view.frame->visit_shifts(middle, 0.5 * length(subtract(high_, low_)), [&](const Real3& shift) {
      shifts_.push_back(shift);
      return true;
    });
  }
  /// Calls `visit(shift)` for each image of the line between two points that reaches into the box.
  template <class Visit>
  void visit(const Real3& from, const Real3& to, Visit&& visit) const {
    if (!view_.frame) {
      if (is_near(from, to)) { visit(Real3{}); }
      return;
    }
    const Real3 back = subtract(view_.frame->folded(from), from);
    for (const Real3& image : shifts_) {
      const Real3 shift = add(back, image);
      if (is_near(add(from, shift), add(to, shift))) { visit(shift); }
    }
  }

 private:
  [[nodiscard]] bool is_near(const Real3& a, const Real3& b) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::fmax(a[k], b[k]) <= low_[k] || std::fmin(a[k], b[k]) >= high_[k]) { return false; }
    }
    return true;
  }

  const ProbeView& view_;
  Real3 low_, high_;
  std::vector<Real3> shifts_;
};

void add_particles(const ProbeView& view, const Images& images, FieldLoads& sample) {
  const std::size_t n = view.position.size();
  std::vector<double> contacts(n);
  std::vector<std::array<double, 6>> fabric(n);
  for (std::size_t c = 0; c < view.ends.size(); ++c) {
    for (const std::uint32_t i : view.ends[c]) {
      if (i == ProbeView::none) { continue; }
      contacts[i] += 1;
      const Real3& normal = view.contacts[c].normal;
      for (std::size_t k = 0; k < 6; ++k) { fabric[i][k] += normal[symmetric[k][0]] * normal[symmetric[k][1]]; }
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!view.sees(i)) { continue; }
    images.visit(view.position[i], view.position[i], [&](const Real3& shift) {
      const double m = view.mass[i], r = view.now.radius[i];
      Real3 v = view.now.velocity[i];
      if (view.cell) { v = add(v, mean_flow(*view.cell, shift)); }
      PointLoad load{add(view.position[i], shift), {}};
      load.carried[FieldSums::number] = 1;
      load.carried[FieldSums::volume] = 4.0 / 3.0 * std::numbers::pi * (r * r * r);
      load.carried[FieldSums::mass] = m;
      for (std::size_t k = 0; k < 3; ++k) { load.carried[FieldSums::momentum + k] = m * v[k]; }
      for (std::size_t k = 0; k < 6; ++k) {
        load.carried[FieldSums::flux + k] = m * v[symmetric[k][0]] * v[symmetric[k][1]];
        load.carried[FieldSums::fabric + k] = fabric[i][k];
      }
      load.carried[FieldSums::contacts] = contacts[i];
      load.carried[FieldSums::age] = view.age.empty() ? 0 : m * view.age[i];
      sample.points.push_back(load);
    });
  }
}

void add_contacts(const ProbeView& view, const Images& images, FieldLoads& sample) {
  for (std::size_t c = 0; c < view.ends.size(); ++c) {
    const TouchingContact& contact = view.contacts[c];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t i = view.ends[c][side], other = view.ends[c][1 - side];
      if (i == ProbeView::none || !view.sees(i)) { continue; }
      LineLoad load;
      load.arm = view.shortest(subtract(contact.point, view.position[i]));
      load.force = scaled(contact.force, side == 1 ? 1 : -1);
      if (contact.with_boundary) {
        load.source = FieldSums::boundary_force;
      } else if (other == ProbeView::none || !view.sees(other)) {
        load.source = FieldSums::other_force;
      }
      images.visit(view.position[i], add(view.position[i], load.arm), [&](const Real3& shift) {
        load.center = add(view.position[i], shift);
        sample.lines.push_back(load);
      });
    }
  }
}

}  // namespace

void LineLoad::rule(double width, Rule& result) const {
  static const double offset = 0.5 * std::sqrt(0.6);
  const std::array<double, 3> places{0.5 - offset, 0.5, 0.5 + offset}, weights{5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double longest = std::fmax(std::fabs(arm[0]), std::fmax(std::fabs(arm[1]), std::fabs(arm[2]))) / width;
  constexpr double most_pieces = 1000;
  const auto pieces = static_cast<std::size_t>(std::fmin(std::fmax(std::ceil(2 * longest), 1), most_pieces));
  const std::size_t points = 3 * pieces;
  result.place.resize(points);
  result.weight.resize(points);
  for (std::size_t p = 0; p < points; ++p) {
    result.place[p] = (static_cast<double>(p / 3) + places[p % 3]) / static_cast<double>(pieces);
    result.weight[p] = weights[p % 3] / static_cast<double>(pieces);
  }
}

FieldLoads field_loads(const ProbeView& view, const Real3& low, const Real3& high) {
  FieldLoads loads;
  const Images images(view, low, high);
  add_particles(view, images, loads);
  add_contacts(view, images, loads);
  return loads;
}

}  // namespace scree
