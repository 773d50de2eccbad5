#include "host/run/servos.hpp"

#include <algorithm>
#include <cmath>

#include "host/storage/state_columns.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* force_name = "stages/servo_forces";
constexpr const char* means_name = "stages/servo_means";
constexpr std::size_t mean_columns = 4;  // held, velocity, way, time

}  // namespace

Servos::Servos(const Scene& scene) : scene_(scene) {
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    if (boundary.servo) { walls_.push_back({b, *boundary.servo, make_servo_move(boundary, b)}); }
  }
}

RunTarget Servos::next(const Engine& engine) const {
  return any() ? RunTarget{(engine.step() / interval + 1) * interval} : RunTarget{};
}

void Servos::set_forces(Engine& engine) {
  if (!any()) { return; }
  const Real3 gravity = engine.gravity();
  const std::vector<BoundaryLoad> loads = engine.boundary_loads();
  for (Wall& wall : walls_) {
    const double force = goal_at(wall.now, engine.time()) * (wall.now.force ? 1 : area_now(scene_, wall.now, loads));
    const DrivenTranslation& drive = *scene_.boundaries[wall.boundary].drive->translation;
    wall.wanted = force;
    follow(wall, engine, loads.at(wall.boundary));
    wall.move->set_push(force + drive.damping * wall.velocity, gravity);
    wall.move->put(wall.now.speed, engine);
  }
}

void Servos::follow(Wall& wall, const Engine& engine, const BoundaryLoad& load) const {
  constexpr double slower = 8;       // time of the mean over the time in which the wall follows the particles
  constexpr double most = 0.25;      // largest share of a new velocity
  constexpr double near_goal = 0.9;  // of the wanted force: below it the wall is on its way to the particles
  // The largest correction of the force over the wanted force, towards the particles and away from them. Particles that
  // have just been pushed together must not get much more than the wanted force.
  constexpr double towards = 0.05, away = 0.5;
  const DrivenTranslation& drive = *scene_.boundaries[wall.boundary].drive->translation;
  const double way = wall.move->way(load);
  const double span = engine.time() - wall.time, moved = way - wall.way;
  wall.way = way, wall.time = engine.time();
  if (wall.now.speed || !wall.present) {
    wall.held = wall.velocity = 0;
  } else if (span > 0) {
    // The resistance over the stiffness of the particles is 4 m/c, since the mass damps the wall critically.
    const double share = std::min(most, span / (slower * 4 * drive.mass / drive.damping));
    // The particles hold the part of the force of the drive that the resistance leaves. The momentum of the wall adds
    // nothing to a mean. The force in a single step would be less useful, because it jumps in a packing that is
    // sheared.
    const double driven = wall.move->push(engine.gravity());
    wall.held += share * (driven - drive.damping * moved / span - wall.held);
    const double unit = wall.wanted / drive.damping;
    wall.velocity = std::clamp(wall.velocity + share * (moved / span - wall.velocity), -away * unit, towards * unit);
  }
  if (!(wall.held > near_goal * wall.wanted)) { wall.velocity = 0; }
}

void Servos::change(const SceneStage& stage, double time) {
  for (const SceneStagedBoundary& change : stage.boundaries) {
    for (Wall& wall : walls_) {
      if (wall.boundary != change.boundary) { continue; }
      if (change.present) { wall.present = *change.present; }
      if (change.stress) { wall.now.stress = change.stress; }
      if (change.servo_force) { wall.now.force = change.servo_force; }
      if (change.stress || change.servo_force) { wall.now.since = time; }
      if (change.stress || change.servo_force || change.servo_speed) { wall.now.speed = change.servo_speed; }
    }
  }
}

/// Calls look(boundary, held, wanted, unit) for each wall that should hold a stress [Pa] or a force [N] now.
template <class Look>
void Servos::each_held(Engine& engine, const Look& look) const {
  if (!any()) { return; }
  const std::vector<BoundaryLoad> loads = engine.boundary_loads();
  for (const Wall& wall : walls_) {
    const SceneBoundary& boundary = scene_.boundaries[wall.boundary];
    if (wall.now.speed || !wall.present || engine.time() < boundary.from || engine.time() >= boundary.until) {
      continue;
    }
    const double area = wall.now.force ? 1 : area_now(scene_, wall.now, loads);
    const double wanted = goal_at(wall.now, engine.time());
    const double held = area > 0 ? pushed_with(wall.now, loads.at(wall.boundary)) / area : wanted;
    look(boundary, held, wanted, wall.now.force ? " N" : " Pa");
  }
}

double Servos::error(Engine& engine) const {
  double largest = 0;
  each_held(engine, [&](const SceneBoundary&, double held, double wanted, const char*) {
    const double missing = std::fabs(held - wanted);
    if (missing > 0) { largest = std::max(largest, missing / wanted); }
  });
  return largest;
}

std::vector<std::string> Servos::shortfalls(Engine& engine) const {
  std::vector<std::string> sentences;
  each_held(engine, [&](const SceneBoundary& boundary, double held, double wanted, const char* unit) {
    if (!(held < 0.5 * wanted)) { return; }
    const std::string path = "boundaries." + boundary.name + ".servo: ", goal = short_number_text(wanted) + unit;
    if (held == 0) {
      sentences.push_back(path + "no particle pushes it at the end, though it should hold " + goal +
                          "; does it stand on the side of the particles, and move towards them?");
      return;
    }
    sentences.push_back(path + "the particles push it with " + short_number_text(std::max(0.0, held), 2) + unit +
                        " at the end, not with the " + goal +
                        " that are asked for; a longer run, or a larger inertial_number, brings it there");
  });
  return sentences;
}

std::vector<std::string> Servos::excesses() const {
  constexpr double tolerated = 1.1;
  std::vector<std::string> sentences;
  for (const Wall& wall : walls_) {
    if (!(wall.wanted > 0) || !(wall.held > tolerated * wall.wanted)) { continue; }
    sentences.push_back("boundaries." + scene_.boundaries[wall.boundary].name +
                        ".servo: the particles push it with a mean of " +
                        short_number_text(wall.held / wall.wanted, 3) +
                        " times what it should hold, since they drive it outward faster than its resistance allows; "
                        "move other walls more slowly, or give a larger inertial_number");
  }
  return sentences;
}

void Servos::save(std::vector<StateArray>& arrays) const {
  if (!any()) { return; }
  std::vector<double> forces;
  for (const Wall& wall : walls_) { forces.insert(forces.end(), wall.move->force.begin(), wall.move->force.end()); }
  arrays.push_back(array_of(force_name, "N", ValueType::float64, 1, forces));
  std::vector<double> means;
  for (const Wall& wall : walls_) { means.insert(means.end(), {wall.held, wall.velocity, wall.way, wall.time}); }
  arrays.push_back(array_of(means_name, "N, m/s, m, s", ValueType::float64, 1, means));
}

void Servos::restore(const std::vector<StateArray>& arrays, Engine& engine) {
  if (!any()) { return; }
  const StateArray* const found = find_array(arrays, force_name);
  const auto forces = found == nullptr ? std::vector<double>() : rows_of<double>(*found, ValueType::float64);
  const bool finite = std::all_of(forces.begin(), forces.end(), [](double x) { return std::isfinite(x); });
  if (forces.size() != 3 * walls_.size() || !finite) {
    throw StateError("the checkpoint has no forces of the walls that hold a stress");
  }
  const StateArray* const saved = find_array(arrays, means_name);  // older checkpoints have none
  const auto means = saved == nullptr ? std::vector<double>(mean_columns * walls_.size())
                                      : rows_of<double>(*saved, ValueType::float64);
  if (means.size() != mean_columns * walls_.size() ||
      !std::all_of(means.begin(), means.end(), [](double x) { return std::isfinite(x); })) {
    throw StateError("the checkpoint has no means of the walls that hold a stress");
  }
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    const double* const row = &means[mean_columns * k];
    Wall& wall = walls_[k];
    wall.held = row[0], wall.velocity = row[1], wall.way = row[2], wall.time = row[3];
    wall.move->force = {forces[3 * k], forces[3 * k + 1], forces[3 * k + 2]};
    wall.move->put(wall.now.speed, engine);
  }
}

}  // namespace scree
