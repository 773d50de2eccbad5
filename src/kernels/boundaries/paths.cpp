#include "kernels/boundaries/paths.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "kernels/integrators/leapfrog.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Vec3d vec(const Real3& a) { return {a[0], a[1], a[2]}; }
Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

/// One motion at a moment. It moves a point y to rotation (y - origin) + origin + shift; the velocity of a point x is
/// velocity + spin x (x - origin - shift).
struct MotionPart {
  Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};
  Vec3d origin{0, 0, 0}, shift{0, 0, 0}, velocity{0, 0, 0}, spin{0, 0, 0};

  [[nodiscard]] Vec3d turn(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
};

/// Sets the rotation of a part: an angle [rad] about a unit axis.
void turn_by(MotionPart& part, const Vec3d& axis, double angle) {
  const math::SineCosine a = math::sincos(angle);
  // Rodrigues: c 1 + s [axis]x + (1 - c) axis axis^T
  const double one = 1.0 - a.cosine;
  part.row_x = {a.cosine + one * axis.x * axis.x, one * axis.x * axis.y - a.sine * axis.z,
                one * axis.x * axis.z + a.sine * axis.y};
  part.row_y = {one * axis.y * axis.x + a.sine * axis.z, a.cosine + one * axis.y * axis.y,
                one * axis.y * axis.z - a.sine * axis.x};
  part.row_z = {one * axis.z * axis.x - a.sine * axis.y, one * axis.z * axis.y + a.sine * axis.x,
                a.cosine + one * axis.z * axis.z};
}

/// The part of a motion along a direction by a length [m], or about an axis by an angle [rad].
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
    if (active) { part.spin = rotation->rate * axis; }
    if (elapsed != 0) { turn_by(part, axis, rotation->rate * elapsed); }
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

/// Changes a pose by a motion that comes after it.
void append(Pose& pose, const MotionPart& part) {
  const Vec3d column_x{pose.row_x.x, pose.row_y.x, pose.row_z.x};
  const Vec3d column_y{pose.row_x.y, pose.row_y.y, pose.row_z.y};
  const Vec3d column_z{pose.row_x.z, pose.row_y.z, pose.row_z.z};
  const Vec3d new_x = part.turn(column_x), new_y = part.turn(column_y), new_z = part.turn(column_z);
  pose.row_x = {new_x.x, new_y.x, new_z.x};
  pose.row_y = {new_x.y, new_y.y, new_z.y};
  pose.row_z = {new_x.z, new_y.z, new_z.z};
  pose.shift = part.turn(pose.shift - part.origin) + part.origin + part.shift;

  // With x = T(y - o) + o + d: x' = T y' + w x (x - o - d) + v, and T y = x - o - d + T o.
  const Vec3d turned_spin = part.turn(pose.spin);
  const Vec3d turned_origin = part.turn(part.origin);
  const Vec3d centre = part.origin + part.shift;
  pose.velocity =
      part.turn(pose.velocity) + cross(turned_spin, turned_origin - centre) + part.velocity - cross(part.spin, centre);
  pose.spin = turned_spin + part.spin;
}

/// The components of v along the free axes.
Vec3d along_free_axes(const DrivenTranslation& drive, const Vec3d& v) {
  const auto has = [&](const char* axis) {
    return std::find(drive.free.begin(), drive.free.end(), axis) != drive.free.end();
  };
  return {has("x") ? v.x : 0, has("y") ? v.y : 0, has("z") ? v.z : 0};
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

BoundaryPath::BoundaryPath(std::vector<Motion> motions) : motions_(std::move(motions)) {
  for (const Motion& motion : motions_) {
    const auto* table = std::get_if<TableMotion>(&motion.kind);
    if (table == nullptr) { continue; }
    SCREE_EXPECT(table->position.has_value() != table->velocity.has_value(), "a table holds positions or speeds");
    tables_.emplace_back(table->position ? *table->position : *table->velocity, table->velocity.has_value());
  }
}

BoundaryPath::BoundaryPath(const SceneBoundary& boundary) : BoundaryPath(boundary.motion) { drive_ = boundary.drive; }

DrivenState BoundaryPath::start() const {
  DrivenState state;
  if (drive_ && drive_->translation) {
    state.velocity = along_free_axes(*drive_->translation, vec(drive_->translation->velocity));
  }
  if (drive_ && drive_->rotation) { state.rate = drive_->rotation->rate; }
  return state;
}

Pose BoundaryPath::at(double time) const {
  Pose pose;
  std::size_t table = 0;
  for (const Motion& motion : motions_) {
    const bool has_table = std::holds_alternative<TableMotion>(motion.kind);
    append(pose, part_at(motion, has_table ? &tables_[table] : nullptr, time));
    table += has_table ? 1 : 0;
  }
  return pose;
}

Pose BoundaryPath::at(double time, const DrivenState& state) const {
  Pose pose = at(time);
  if (!drive_) { return pose; }
  MotionPart part;
  part.shift = state.shift;
  const bool free = is_free(time);
  if (free) { part.velocity = state.velocity; }
  if (drive_->rotation) {
    // The prescribed motions carry the axis along. With c' the velocity of its origin, the velocity of the part grows
    // by c' - T c'.
    const Vec3d axis = unit(vec(drive_->rotation->axis));
    part.origin = pose.place(vec(drive_->rotation->origin));
    const Vec3d carried = pose.velocity + cross(pose.spin, part.origin);
    if (state.angle != 0) { turn_by(part, axis, state.angle); }
    if (free) { part.spin = state.rate * axis; }
    part.velocity += carried - part.turn(carried);
  }
  append(pose, part);
  return pose;
}

DrivenState BoundaryPath::before(const DrivenState& state, const StepTimes& times) const {
  DrivenState earlier = state;
  if (times.step == 0 || !is_free(times.before)) { return earlier; }
  earlier.shift = state.shift - times.last * state.velocity;
  earlier.angle = state.angle - times.last * state.rate;
  return earlier;
}

DrivenState BoundaryPath::after(const DrivenState& state, const StepTimes& times, const Load& contacts,
                                const DriveStep& scheme) const {
  const double dt = times.next, time = times.now;
  if (!is_free(time)) { return state; }
  // In the first step of a free boundary the given velocity belongs to the start of the step: the kick is half a step.
  const bool first = times.step == 0 || !is_free(times.before);
  const Leapfrog<double> leapfrog{dt, first ? 0.5 * dt : times.kick(), scheme.damping};
  DrivenState next = state;
  if (drive_->translation) {
    const DrivenTranslation& drive = *drive_->translation;
    // The resistance acts on the mean of the velocities before and after, which is stable for any damping.
    const double resistance = drive.damping / drive.mass;
    const Vec3d push =
        (1 / drive.mass) * (contacts.force + vec(drive.force)) + scheme.gravity - resistance * state.velocity;
    next.velocity = leapfrog.advance(state.velocity, along_free_axes(drive, (1 / (1 + 0.5 * dt * resistance)) * push));
    next.shift = state.shift + dt * next.velocity;
  }
  if (drive_->rotation) {
    const DrivenRotation& drive = *drive_->rotation;
    const Vec3d axis = unit(vec(drive.axis));
    const Vec3d point = at(time).place(vec(drive.origin)) + state.shift;
    const double torque = dot(axis, contacts.torque - cross(point, contacts.force)) + drive.torque;
    const double resistance = drive.damping / drive.inertia;
    const double push = (torque / drive.inertia - resistance * state.rate) / (1 + 0.5 * dt * resistance);
    next.rate = leapfrog.advance(Vec3d{state.rate, 0, 0}, Vec3d{push, 0, 0}).x;
    next.angle = state.angle + dt * next.rate;
  }
  return next;
}

Pose mean_velocity(const Pose& before, const Pose& now, const Pose& after, double time) {
  // A point is now at x = T X + s. It moved by D (x - s) plus the change of s, where D = (T+ - T-) T^T. D is skew
  // except for terms of second order, which are left out.
  const Vec3d x = after.row_x - before.row_x, y = after.row_y - before.row_y, z = after.row_z - before.row_z;
  const double zy = dot(z, now.row_y), yz = dot(y, now.row_z), xz = dot(x, now.row_z);
  const double zx = dot(z, now.row_x), yx = dot(y, now.row_x), xy = dot(x, now.row_y);
  Pose mean = now;
  mean.spin = (0.5 / time) * Vec3d{zy - yz, xz - zx, yx - xy};
  mean.velocity = (1 / time) * (after.shift - before.shift) - cross(mean.spin, now.shift);
  return mean;
}

}  // namespace scree::inline SCREE_BACKEND
