#include "kernels/boundaries/paths.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "kernels/math/real3.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The motion part that moves a boundary along a direction by a length [m], or turns it about an axis by an angle
/// [rad].
template <class M>
MotionPart line_or_turn(const M& motion, const TimeFunction::Value& value) {
  MotionPart part;
  if (motion.direction) {
    const Vec3d direction = unit(vec(*motion.direction));
    part.shift = value.position * direction;
    part.velocity = value.velocity * direction;
    return part;
  }
  SCREE_EXPECT(motion.axis.has_value(), "a motion needs a direction or an axis");
  const Vec3d axis = unit(vec(*motion.axis));
  part.origin = vec(motion.origin);
  part.spin = value.velocity * axis;
  if (value.position != 0) { turn_by(part, axis, value.position); }
  return part;
}

/// Position and velocity of an oscillation at a time [s] after its start.
TimeFunction::Value swing(const Oscillation& motion, double elapsed) {
  constexpr double two_pi = 6.283185307179586477;
  const double cycles = motion.frequency * elapsed;
  const math::SineCosine now = math::sincos(two_pi * (cycles - std::floor(cycles)) + motion.phase);
  const double start = math::sincos(motion.phase).sine;
  return {motion.amplitude * (now.sine - start), motion.amplitude * (two_pi * motion.frequency) * now.cosine};
}

/// The part of a motion at a time [s]. `table` is the table of a TableMotion; other motions do not use it.
MotionPart part_at(const Motion& motion, const TimeFunction* table, double time) {
  MotionPart part;
  const double elapsed = std::min(std::max(time, motion.from), motion.until) - motion.from;
  const bool active = time >= motion.from && time < motion.until;
  if (const auto* translation = std::get_if<Translation>(&motion.kind)) {
    part.shift = elapsed * vec(translation->velocity);
    if (active) { part.velocity = vec(translation->velocity); }
  } else if (const auto* rotation = std::get_if<Rotation>(&motion.kind)) {
    const Vec3d axis = unit(vec(rotation->axis));
    part.origin = vec(rotation->origin);
    const double rate = rotation->radians_per_second();
    if (active) { part.spin = rate * axis; }
    if (elapsed != 0) { turn_by(part, axis, rate * elapsed); }
  } else if (const auto* oscillation = std::get_if<Oscillation>(&motion.kind)) {
    TimeFunction::Value value = swing(*oscillation, elapsed);
    if (!active) { value.velocity = 0; }
    part = line_or_turn(*oscillation, value);
  } else {
    TimeFunction::Value value = table->at(elapsed);
    if (!active) { value.velocity = 0; }
    part = line_or_turn(std::get<TableMotion>(motion.kind), value);
  }
  return part;
}

/// The tables of a list of motions, one for each TableMotion.
std::vector<TimeFunction> tables_of(const std::vector<Motion>& motions) {
  std::vector<TimeFunction> tables;
  for (const Motion& motion : motions) {
    const auto* table = std::get_if<TableMotion>(&motion.kind);
    if (table == nullptr) { continue; }
    SCREE_EXPECT(table->position.has_value() != table->velocity.has_value(), "a table holds positions or speeds");
    tables.emplace_back(table->position ? *table->position : *table->velocity, table->velocity.has_value());
  }
  return tables;
}

/// Calls visit(part) for the parts of all motions at a time [s], in their order.
template <class Visit>
void visit_parts(const std::vector<Motion>& motions, const std::vector<TimeFunction>& tables, double time,
                 Visit&& visit) {
  std::size_t table = 0;
  for (const Motion& motion : motions) {
    const bool has_table = std::holds_alternative<TableMotion>(motion.kind);
    visit(part_at(motion, has_table ? &tables[table] : nullptr, time));
    table += has_table ? 1 : 0;
  }
}

/// The motions, none of which begins before `time` [s].
std::vector<Motion> not_before(double time, std::vector<Motion> motions) {
  for (Motion& motion : motions) { motion.from = std::max(motion.from, time); }
  return motions;
}

/// The motion due to forces, as the scene describes it.
BoundaryDrive drive_of(const Drive& given) {
  BoundaryDrive drive;
  drive.any = true;
  drive.from = given.from;
  if (given.translation) {
    const DrivenTranslation& translation = *given.translation;
    const auto has = [&](const char* axis) {
      return std::find(translation.free.begin(), translation.free.end(), axis) != translation.free.end();
    };
    drive.translates = true;
    drive.free[0] = has("x"), drive.free[1] = has("y"), drive.free[2] = has("z");
    drive.mass = translation.mass;
    drive.damping = translation.damping;
    drive.force = vec(translation.force);
  }
  if (given.rotation) {
    const DrivenRotation& rotation = *given.rotation;
    drive.turns = true;
    drive.axis = unit(vec(rotation.axis));
    drive.origin = vec(rotation.origin);
    drive.inertia = rotation.inertia;
    drive.turn_damping = rotation.damping;
    drive.torque = rotation.torque;
  }
  if (given.body) {
    const FreeBody& body = *given.body;
    SCREE_EXPECT(body.mass && body.inertia && body.center, "a free body has mass, moments of inertia and a centre");
    drive.translates = drive.is_body = true;
    drive.free[0] = drive.free[1] = drive.free[2] = true;
    drive.mass = *body.mass;
    drive.damping = body.damping;
    drive.force = vec(body.force);
    drive.origin = vec(*body.center);
    drive.moments = vec(*body.inertia);
    drive.turn_damping = body.rotation_damping;
    drive.body_torque = vec(body.torque);
    const QuaternionWxyz axes = body.principal_axes.value_or(QuaternionWxyz{1, 0, 0, 0});
    drive.axes = normalised(Quaterniond{axes[0], axes[1], axes[2], axes[3]});
  }
  return drive;
}

}  // namespace

TimeFunction::TimeFunction(const TimeTable& rows, bool is_speed) : rows_(rows) {
  SCREE_EXPECT(!rows.empty(), "a table needs a row");
  for (std::size_t k = 1; k < rows.size(); ++k) {
    SCREE_EXPECT(rows[k][0] > rows[k - 1][0], "the times of a table must ascend");
  }
  if (!is_speed) { return; }
  integral_.push_back(0);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    integral_.push_back(integral_.back() + 0.5 * (rows[k][0] - rows[k - 1][0]) * (rows[k][1] + rows[k - 1][1]));
  }
}

TimeFunction::Value TimeFunction::at(double time) const {
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), time, [](double t, const auto& row) { return t < row[0]; });
  const bool is_speed = !integral_.empty();
  if (after == rows_.begin()) { return {is_speed ? 0 : rows_.front()[1], 0}; }
  if (after == rows_.end()) { return {is_speed ? integral_.back() : rows_.back()[1], 0}; }
  const auto k = static_cast<std::size_t>(after - rows_.begin()) - 1;
  const double since = time - rows_[k][0];
  const double slope = (rows_[k + 1][1] - rows_[k][1]) / (rows_[k + 1][0] - rows_[k][0]);
  const double value = rows_[k][1] + slope * since;
  if (!is_speed) { return {value, slope}; }
  return {integral_[k] + 0.5 * since * (rows_[k][1] + value), value};
}

SurfacePath::SurfacePath(std::vector<Motion> motions) : motions_(std::move(motions)), tables_(tables_of(motions_)) {}

template <class Path>
std::shared_ptr<const Path> shortened(const Path& path) {
  Path copy = path;
  if (copy.earlier_) {
    Path before = *copy.earlier_;
    before.earlier_.reset();
    copy.earlier_ = std::make_shared<const Path>(std::move(before));
  }
  return std::make_shared<const Path>(std::move(copy));
}

void SurfacePath::steer(double time, std::vector<Motion> motions) {
  if (since_ < time || !earlier_) { earlier_ = shortened(*this); }
  since_ = time;
  motions_ = not_before(time, std::move(motions));
  tables_ = tables_of(motions_);
}

void SurfacePath::set(Pose& pose, double time) const {
  if (earlier_ && time < since_) { return earlier_->set(pose, time); }
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};  // in the frame of the boundary, the velocity at its origin
  visit_parts(motions_, tables_, time, [&](const MotionPart& part) {
    velocity += part.velocity - cross(part.spin, part.origin);
    spin += part.spin;
  });
  pose.surface_spin = pose.turn(spin);
  pose.surface_velocity = pose.turn(velocity) - cross(pose.surface_spin, pose.shift);
}

BoundaryPath::BoundaryPath(std::vector<Motion> motions) : motions_(std::move(motions)), tables_(tables_of(motions_)) {}

BoundaryPath::BoundaryPath(const SceneBoundary& boundary) : BoundaryPath(boundary.motion) {
  if (boundary.slides()) { surface_.emplace(boundary.surface_motion); }
  if (!boundary.drive) { return; }
  const Drive& given = *boundary.drive;
  drive_ = drive_of(given);
  if (boundary.changes_radius()) {
    drive_.translates = false, drive_.is_radial = true;
    drive_.most_speed = boundary.servo->most_speed;
    drive_.least_growth = (least_share_of_radius - 1) * std::get<CylinderBoundary>(boundary.shape).radius;
  } else if (boundary.servo) {
    drive_.on_line = true, drive_.line = vec(boundary.servo->direction);
    drive_.most_speed = boundary.servo->most_speed;
  }
  if (given.translation) { start_.velocity = drive_.along_free_axes(vec(given.translation->velocity)); }
  if (given.rotation) { start_.rate = given.rotation->rate; }
  if (given.body) {
    start_.velocity = vec(given.body->velocity);
    start_.body.spin = vec(given.body->angular_velocity);
  }
}

void BoundaryPath::steer(double time, std::vector<Motion> motions) {
  const Pose now = at(time);
  if (since_ < time || !earlier_) { earlier_ = shortened(*this); }
  since_ = time;
  base_ = now;
  base_.velocity = base_.spin = base_.surface_velocity = base_.surface_spin = {0, 0, 0};
  motions_ = not_before(time, std::move(motions));
  tables_ = tables_of(motions_);
}

void BoundaryPath::steer_surface(double time, std::vector<Motion> motions) {
  SCREE_EXPECT(surface_.has_value(), "the surface slides");
  surface_->steer(time, std::move(motions));
}

void BoundaryPath::set_drive(const std::optional<Real3>& force, std::optional<double> torque) {
  if (force) { drive_.force = vec(*force); }
  if (torque) { drive_.torque = *torque; }
}

void BoundaryPath::lead_drive(const std::optional<Real3>& velocity) {
  drive_.is_led = velocity.has_value();
  drive_.lead = velocity ? vec(*velocity) : Vec3d{0, 0, 0};
}

void BoundaryPath::set_radial_drive(double force, std::optional<double> rate) {
  drive_.push = force;
  drive_.is_led = rate.has_value();
  drive_.radial_lead = rate.value_or(0);
}

Pose BoundaryPath::at(double time) const {
  if (earlier_ && time < since_) { return earlier_->at(time); }
  Pose pose = base_;
  visit_parts(motions_, tables_, time, [&](const MotionPart& part) { append(pose, part); });
  if (surface_) { surface_->set(pose, time); }
  return pose;
}

}  // namespace scree::inline SCREE_BACKEND
