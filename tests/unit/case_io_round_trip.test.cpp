#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "scree/case_file.hpp"

namespace scree::case_io_round_trip_test {

namespace fs = std::filesystem;

/// A folder with the files that the case names.
class CaseRoundTrip : public testing::Test {
 protected:
  CaseRoundTrip() {
    fs::create_directories(folder_);
    for (const char* name : {"box.stl", "packing.csv", "shake.csv"}) std::ofstream(folder_ / name) << "x\n";
  }
  ~CaseRoundTrip() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("scree_case_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

/// A case with every key and every alternative of the format.
const std::string everything = R"({
  "title": "All \"kinds\" of things, \u00e9",
  "time": { "duration": 0.1, "step": 1.2345678901234567e-7, "safety": 0.3 },
  "gravity": [-0.0, 0.1, -9.80665],
  "precision": "double",
  "seed": 18446744073709551615,
  "materials": {
    "zinc": { "density": 7140.3, "young_modulus": 1.08e11, "poisson_ratio": 0.25, "friction": 0.1, "restitution": 1,
              "thermal": { "conductivity": 116, "heat_capacity": 388.5, "emissivity": 0.25 } },
    "alum": { "density": 2700, "young_modulus": 7e10, "poisson_ratio": 0.33, "friction": 0.3333333333333333,
              "thermal": { "conductivity": 237, "heat_capacity": 897, "emissivity": 0.0625 } },
    "tin": { "density": 7310, "young_modulus": 5e10, "poisson_ratio": 0.36, "friction": 0.25, "restitution": 0.5,
             "thermal": { "conductivity": 67, "heat_capacity": 228, "emissivity": 0.125 } }
  },
  "contacts": [ { "between": ["zinc", "zinc"], "law": "linear_spring_dashpot", "friction": 0.7, "restitution": 0.2,
                  "restitution_tangential": 0.3, "exact_restitution": true, "contact_time": 1e-5,
                  "liquid": { "surface_tension": 0.072, "contact_angle": 0.3, "volume": 1e-12,
                              "force": "rabinovich", "from_films": true } },
                { "between": ["zinc", "alum"], "law": "bonded", "rolling": { "type": "C", "stiffness": 0.3 },
                  "bond": { "tensile_strength": 1e6, "cohesion": 2e6, "weibull_modulus": 2.5, "damping": 0.1,
                            "form": "near", "form_until": 0.25, "moment_contribution": 0.5 } },
                { "between": ["zinc", "*"], "law": "jkr", "restitution": 0.5, "young_modulus": 1e7,
                  "shear_modulus": 2e6, "surface_energy": 0.0625 },
                { "between": ["alum", "alum"], "law": "eepa", "restitution": 0.5,
                  "plasticity": { "ratio": 0.6, "pull_off": 1e-6, "adhesion": 0.25 } },
                { "between": ["*", "*"], "law": "linear_spring_dashpot", "normal_stiffness": 1e5, "shear_stiffness": 0,
                  "normal_damping": 0.1, "shear_damping": 0,
                  "cohesion": { "energy_density": 1e4, "area": "intersection", "reduces_friction": true } } ],
  "no_ratcheting": true,
  "heat": { "temperature": 350.5, "gas": { "conductivity": 0.026, "thickness": 0.25, "least_gap": 1e-7 },
            "radiation": { "range": 1.75 }, "dissipation": 0.5 },
  "parcels": { "scale": 1, "restitution": "scaled" },
  "particles": [
    { "material": "zinc", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 2e4 },
      "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6], "temperature": 275.25,
      "film": 0.0625 },
    { "material": "zinc", "radius": { "uniform": [0.1, 0.30000000000000004] },
      "fill": { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 1], "radius": 0.1, "inner_radius": 0.03125 }, "solid_fraction": 0.5 } },
    { "material": "alum", "radius": { "normal": { "mean": 2, "deviation": 0.5, "min": 1, "max": 3 } },
      "fill": { "sphere": { "center": [1, 2, 3], "radius": 4 }, "count": 5 } },
    { "material": "alum", "radius": { "lognormal": { "median": 2, "deviation": 0.5, "min": 1, "max": 3 } },
      "fill": { "mesh": { "file": "box.stl", "scale": 1e-3 }, "count": 5 } },
    { "material": "alum", "radius": { "discrete": { "values": [1, 2], "weights": [0.25, 0.75] } },
      "lattice": { "type": "body_centred", "box": [[0, 0, 0], [1, 1, 1]], "spacing": 0.2, "jitter": 0.01 } },
    { "material": "alum", "radius": { "sieve": { "passing": [[1, 0], [2, 0.5], [3, 1]] } },
      "lattice": { "type": "face_centred", "box": [[0, 0, 0], [1, 1, 1]], "spacing": 0.2 } },
    { "material": "zinc", "radius": 1e-3,
      "inlet": { "rate": 3, "normal_speed": -0.5, "keep_out_of": ["body"],
                 "region": { "face": { "polygon": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "flip": true, "depth": 0.25 } } } },
    { "material": "zinc", "radius": 1e-3,
      "inlet": { "rate": 3, "region": { "face": { "disc": { "center": [1, 2, 3], "normal": [0, 2, 0],
                                                            "radius": 0.5 } } } } },
    { "material": "zinc", "radius": 1e-3,
      "inlet": { "rate": 3, "region": { "face": { "file": "box.stl", "scale": 0.5, "translate": [3, 2, 1] } } } },
    { "material": "zinc", "radius": 1e-3, "positions": [[0.125, 0, 0.5], [1, 2, 3]] },
    { "shape": "sphere", "material": "zinc", "file": "packing.csv" },
    { "file": "packing.csv" },
    { "mixture": [ { "mass_fraction": 0.25, "material": "zinc", "group": "a",
                     "radius": { "rosin_rammler": { "characteristic": 2e-3, "exponent": 3.5, "min": 1e-3,
                                                    "max": 4e-3 } } },
                   { "mass_fraction": 0.75, "material": "alum", "radius": 1e-3 } ],
      "fill": { "above": { "box": [[0, 0, 0], [1, 1, 1]], "file": "box.stl", "scale": 0.5, "translate": [1, 2, 3],
                           "holes": true },
                "solid_fraction": 0.5, "keep_clear": false, "keep_out_of": ["body"], "dense": true } }
  ],
  "groups": { "a": { "force": [1, 2, 3] } },
  "stages": [
    { "name": "settle", "until": { "duration": 0.5, "kinetic_energy": 1e-9, "speed": 0.001, "unbalanced_force": 0.01,
                                   "at_most": 7, "at_least": 2, "removed": { "by": "drain", "at_least": 5 },
                                   "boundary_force": { "boundary": "lid", "above": -100, "along": [0, 0, 1] },
                                   "boundary_position": { "boundary": "lid", "below": -0.1, "along": [0, 1, 0] },
                                   "flow": { "by": "drain", "window": 0.25, "below": 0.5 },
                                   "all_of": [ { "duration": 0.25 }, { "at_least": 3, "speed": 0.5 } ],
                                   "not_before": 0.1 },
      "time": { "step": 1e-5 }, "damping": 0.25, "viscous_damping": 3, "inlets": { "feed": { "on": true, "rate": 7 } },
      "friction": [ { "between": ["zinc", "*"], "value": 0.75 }, { "value": 1 } ],
      "output": { "frames": { "on": false }, "series": { "every": 0.5 }, "fields": { "grid": { "on": true } } } },
    { "name": "adapt", "time": { "safety": 0.125 }, "until": { "duration": 1 },
      "groups": { "a": { "fixed": ["x", "rz"], "velocity": [1, 0, 0], "angular_velocity": [0, 0, 2],
                         "rotation": { "axis": [0, 0, 1], "origin": [1, 2, 3], "rate": -2 } } },
      "boundaries": { "press": { "servo": { "stress": 1e4 } } } },
    { "name": "press", "gravity": [0, 0, -1], "groups": { "a": { "force": [1, 2, 3], "torque": [4, 5, 6], "damping": 0.5,
                                                                          "gravity": false } },
      "boundaries": { "lid": { "present": false, "force": [0, 0, -5], "torque": 0.25,
                               "motion": [ { "type": "translation", "velocity": [0, 0, 1], "from": 0.25 } ],
                               "surface_motion": [ { "type": "rotation", "axis": [0, 0, 1], "rate": 4 } ] } } } ],
  "boundaries": {
    "wall": { "type": "plane", "point": [0, 0, -1], "normal": [0, 1, 1], "material": "zinc", "temperature": 400.5,
              "motion": [ { "type": "translation", "velocity": [1, 0, 0], "from": 0.25, "until": 0.5 },
                          { "type": "rotation", "axis": [0, 1, 0], "origin": [1, 1, 1], "rate": -6.28 } ] },
    "drum": { "type": "cylinder", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.5, "material": "alum",
              "heat_flux": -2500, "present_from": 0.125, "present_until": 0.75,
              "surface_motion": [ { "type": "rotation", "axis": [1, 0, 0], "rate": 3, "from": 0.5 },
                                  { "type": "translation", "velocity": [-0.25, 0, 0] } ] },
    "lid": { "type": "plane", "point": [0, 0, 1], "normal": [0, 0, -1], "material": "zinc",
             "drive": { "translation": { "mass": 0.1, "free": ["z"], "force": [0, 0, -0.3], "velocity": [0, 0, 0.7],
                                         "damping": 0.01 }, "from": 0.2 } },
    "vane": { "type": "box", "min": [0, 0, 0], "max": [0.1, 0.2, 0.30000000000000004], "material": "alum",
              "drive": { "rotation": { "inertia": 1e-3, "axis": [0, 1, 1], "origin": [1, 2, 3], "torque": 0.1,
                "rate": -2,
                                       "damping": 0.25 } } },
    "funnel": { "type": "cone", "from": [0, 0, 0], "to": [0, 0, 1], "radius_from": 0, "radius_to": 0.3,
      "material": "alum",
                "motion": [ { "type": "oscillation", "direction": [1, 1, 0], "amplitude": 0.1, "frequency": 50,
                  "phase": 0.2 },
                            { "type": "oscillation", "axis": [0, 0, 1], "origin": [1, 0, 0], "amplitude": 0.1,
                              "frequency": 3, "from": 1 } ] },
    "bowl": { "type": "sphere", "center": [0, 0.1, 0], "radius": 0.7, "material": "alum",
              "motion": [ { "type": "table", "direction": [0, 0, 1], "position": [[0, 0.1], [1, 0.2]] },
                          { "type": "table", "axis": [0, 0, 1], "velocity": [[0.1, 0.3]], "until": 2 },
                          { "type": "table", "direction": [0, 1, 0], "velocity_file": "shake.csv" },
                          { "type": "table", "direction": [0, 1, 0], "position_file": "shake.csv" } ] },
    "body": { "type": "mesh", "file": "box.stl", "scale": 0.001, "translate": [1, 2, 3], "material": "alum",
              "facets": { "archard": 1e-13, "finnie": 1e-10 },
              "drive": { "body": { "mass": 0.5, "inertia": [1, 2, 2.5], "center": [0.1, 0.2, 0.3],
                                   "principal_axes": [0.6, 0, 0.8, 0], "velocity": [1, 0, 0],
                                   "angular_velocity": [0, 0, -3], "force": [0, 2, 0], "torque": [0, 0, 4],
                                   "damping": 0.5, "rotation_damping": 0.25 }, "from": 0.125 } },
    "press": { "type": "plane", "point": [0, 0, 2], "normal": [0, 0, -1], "material": "zinc",
               "servo": { "stress": 5000, "area": 0.25, "inertial_number": 0.002, "from": 0.125 } }
  },
  "domain": { "remove_outside": { "box": [[-1, -1, -1], [1, 1, 1]] },
              "outlets": { "out": { "point": [0, 0, -1], "normal": [0, 0, -1] } } },
  "integration": { "damping": 0.125 },
  "neighbours": { "verlet_distance": { "of_smallest_radius": 0.30000000000000004 }, "target_interval": 60.5 },
  "output": { "frames": { "every": 0.01, "fields": ["id", "force", "coordination_number", "dissipated_energy"] },
              "series": { "every": 0.001, "energies": true, "probes": {
                "out": { "type": "flow", "plane": { "point": [0, 0, 1], "normal": [0, 0, -2] } },
                "s": { "type": "stress", "region": { "sphere": { "center": [0, 0, 0], "radius": 0.5 } } },
                "f": { "type": "fabric", "region": { "box": [[0, 0, 0], [1, 1, 1]] } },
                "z": { "type": "coordination" },
                "zz": { "type": "coordination", "region": { "box": [[0, 0, 0], [1, 1, 1]] } },
                "p": { "type": "porosity", "region": { "box": [[0, 0, 0], [1, 1, 1]] } },
                "i": { "type": "inertial_number", "region": { "box": [[0, 0, 0], [1, 1, 1]] } },
                "t": { "type": "track", "particles": [3, 1] },
                "m": { "type": "mixing", "of": { "materials": ["zinc"], "groups": ["a"], "larger_than": 0.0015 },
                       "sample": 0.0123, "axis": { "point": [0, 0.5, 0], "direction": [0, 2, 0] },
                       "region": { "box": [[0, 0, 0], [1, 1, 1]] }, "materials": ["zinc", "alum"] },
                "b": { "type": "fragments", "groups": ["a"], "sample_every": 0.125 },
                "push": { "type": "boundary_force", "boundaries": ["wall", "lid"], "about": [0.25, 0, -1],
                          "sample_every": 0.125 },
                "drag": { "type": "contact_force", "about": [0.25, 0, -1], "groups": ["a"] },
                "slope": { "type": "surface_slope", "along": [1, 0, 0.5],
                           "region": { "box": [[0, 0, 0], [1, 1, 1]] } },
                "heap": { "type": "angle_of_repose", "center": [0.25, 0.5, -1] },
                "lost": { "type": "dissipation", "region": { "box": [[-1, -2, -3], [1, 2, 4]] } },
                "sprayed": { "type": "exposure", "region": { "box": [[-1, -2, -3], [1, 2, 4]] } },
                "inside": { "type": "content", "region": { "box": [[-1, -2, -3], [1, 2, 4]] } },
                "sizes": { "type": "size_segregation", "axis": { "point": [0, 0.5, 0], "direction": [0, 2, 0] },
                           "region": { "box": [[-1, -2, -3], [1, 2, 4]] } } } },
              "contacts": { "every": 0.0125 }, "left": true,
              "fields": { "round": { "every": 0.5, "width": 0.0625,
                "grid": { "cylinder": { "from": [0, 0, 0], "to": [0, 1, 0], "radius": 0.5, "inner_radius": 0.25 }, "cells": [4, 5, 6],
                          "zero": [1, 0, 0.5] } },
                "all of it": { "every": 0.5, "sample_every": 0.03125, "width": 0.0625,
                "grid": { "box": [[-1, -2, -3], [1, 2, 4]], "cells": [4, 5, 6] },
                "materials": ["zinc"], "groups": ["a"] } },
              "checkpoints": { "every": 0.5, "keep": 3 } }
})";

TEST_F(CaseRoundTrip, ReadsEveryKind) {
  const Case input = parse_case(everything, folder_);
  EXPECT_EQ(input.title, "All \"kinds\" of things, \xc3\xa9");
  EXPECT_EQ(input.time.step, 1.2345678901234567e-7);
  EXPECT_TRUE(std::signbit(input.gravity[0]));
  EXPECT_EQ(input.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(input.output.checkpoints->every, 0.5);
  EXPECT_EQ(input.output.checkpoints->keep, 3U);
  EXPECT_EQ(input.materials.at(0).first, "zinc") << "the order of the file is kept";
  EXPECT_EQ(input.materials.at(0).second.restitution, 1);
  EXPECT_FALSE(input.materials.at(1).second.restitution.has_value());
  EXPECT_EQ(input.contacts.at(2).between, (std::array<std::string, 2>{"zinc", "*"}));
  EXPECT_EQ(input.contacts.at(2).law, LawKind::jkr);
  EXPECT_EQ(input.contacts.at(0).exact_restitution, true);
  EXPECT_FALSE(input.contacts.at(2).exact_restitution.has_value());
  EXPECT_EQ(input.contacts.at(2).surface_energy, 0.0625);
  EXPECT_EQ(input.heat->gas->thickness, 0.25);
  EXPECT_EQ(input.boundaries.at(1).second.heat_flux, -2500);
  EXPECT_EQ(input.boundaries.at(1).second.from, 0.125);
  EXPECT_EQ(input.boundaries.at(1).second.until, 0.75);
  const FreeBody& body = *input.boundaries.at(6).second.drive->body;
  EXPECT_FALSE(body.density.has_value());
  EXPECT_EQ(body.principal_axes, (QuaternionWxyz{0.6, 0, 0.8, 0}));
  EXPECT_EQ(body.rotation_damping, 0.25);
  EXPECT_EQ(input.contacts.at(0).liquid->volume, 1e-12);
  EXPECT_EQ(input.contacts.at(0).liquid->force, LiquidForce::rabinovich);
  EXPECT_EQ(input.contacts.at(1).bond->weibull_modulus, 2.5);
  EXPECT_EQ(input.contacts.at(1).bond->form, BondForm::near);
  EXPECT_EQ(input.contacts.at(1).bond->form_until, 0.25);
  EXPECT_EQ(input.contacts.at(1).bond->moment_contribution, 0.5);
  EXPECT_EQ(input.contacts.at(3).plasticity->pull_off, 1e-6);
  EXPECT_EQ(input.contacts.at(4).shear_stiffness, 0);
  EXPECT_EQ(input.contacts.at(4).cohesion->area, CohesionArea::intersection);
  EXPECT_TRUE(input.no_ratcheting);
  EXPECT_EQ(input.parcels->scale, 1);
  EXPECT_EQ(input.parcels->restitution, ParcelRestitution::scaled);
  EXPECT_EQ(input.particles.at(0).fill->count, 20000u);
  EXPECT_EQ(std::get<FixedSize>(*input.particles.at(0).radius).value, 1e-3);
  EXPECT_EQ(std::get<UniformSize>(*input.particles.at(1).radius).max, 0.30000000000000004);
  EXPECT_EQ(input.particles.at(1).fill->solid_fraction, 0.5);
  EXPECT_EQ(std::get<MeshRegion>(input.particles.at(3).fill->region).file, "box.stl");
  EXPECT_EQ(input.particles.at(4).lattice->type, LatticeKind::body_centred);
  EXPECT_EQ(std::get<SieveSize>(*input.particles.at(5).radius).passing.at(1), (std::array{2.0, 0.5}));
  const auto face_of = [&](std::size_t entry) { return std::get<FaceRegion>(input.particles.at(entry).inlet->region); };
  EXPECT_EQ(input.particles.at(6).inlet->normal_speed, -0.5);
  EXPECT_EQ(face_of(6).polygon->at(1), (Real3{1, 0, 0}));
  EXPECT_TRUE(face_of(6).flip && face_of(6).depth == 0.25);
  EXPECT_EQ(face_of(7).disc->center, (Real3{1, 2, 3}));
  EXPECT_EQ(face_of(8).translate, (Real3{3, 2, 1}));
  const std::size_t last = input.particles.size() - 1;
  EXPECT_FALSE(input.particles.at(last - 1).material.has_value());
  const MixturePart& part = input.particles.at(last).mixture.at(0);
  EXPECT_EQ(part.mass_fraction, 0.25);
  EXPECT_EQ(part.group, "a");
  EXPECT_EQ(std::get<RosinRammlerSize>(*part.radius).exponent, 3.5);
  const Fill& mixed = *input.particles.at(last).fill;
  EXPECT_EQ(std::get<AboveRegion>(mixed.region).translate, (Real3{1, 2, 3}));
  EXPECT_TRUE(std::get<AboveRegion>(mixed.region).holes && mixed.dense && !mixed.keep_clear);
  EXPECT_EQ(mixed.keep_out_of, std::vector<std::string>{"body"});
  const auto& motion = input.boundaries.at(0).second.motion;
  EXPECT_EQ(motion.at(0).until, 0.5);
  EXPECT_EQ(std::get<Rotation>(motion.at(1).kind).rate, -6.28);
  EXPECT_EQ(motion.at(1).until, std::numeric_limits<double>::infinity());
  const auto& drum = input.boundaries.at(1).second;
  EXPECT_TRUE(drum.motion.empty());
  EXPECT_EQ(drum.surface_motion.at(0).from, 0.5);
  EXPECT_EQ(std::get<Translation>(drum.surface_motion.at(1).kind).velocity, (Real3{-0.25, 0, 0}));
  EXPECT_EQ(input.stages.at(2).boundaries.at(0).second.surface_motion->size(), 1u);
  EXPECT_EQ(input.stages.at(0).until->all_of.at(1).speed, 0.5);
  EXPECT_EQ(input.stages.at(0).friction.at(0).between, (std::array<std::string, 2>{"zinc", "*"}));
  EXPECT_EQ(std::get<ConstantGoal>(*input.stages.at(1).boundaries.at(0).second.servo->stress).value, 1e4);
  EXPECT_EQ(servo_of(input.boundaries.at(7).second.shape)->area, 0.25);
  EXPECT_EQ(std::get<MeshBoundary>(input.boundaries.at(6).second.shape).translate, (Real3{1, 2, 3}));
  const Drive& lid = *input.boundaries.at(2).second.drive;
  EXPECT_EQ(lid.translation->free, std::vector<std::string>{"z"});
  EXPECT_EQ(lid.translation->velocity, (Real3{0, 0, 0.7}));
  EXPECT_FALSE(lid.rotation.has_value());
  EXPECT_EQ(lid.from, 0.2);
  EXPECT_EQ(input.boundaries.at(3).second.drive->rotation->rate, -2);
  EXPECT_EQ(std::get<BoxBoundary>(input.boundaries.at(3).second.shape).max[2], 0.30000000000000004);
  EXPECT_EQ(std::get<ConeBoundary>(input.boundaries.at(4).second.shape).radius_to, 0.3);
  const auto& swings = input.boundaries.at(4).second.motion;
  EXPECT_EQ(std::get<Oscillation>(swings.at(0).kind).direction, (Real3{1, 1, 0}));
  EXPECT_FALSE(std::get<Oscillation>(swings.at(1).kind).direction.has_value());
  EXPECT_EQ(std::get<SphereBoundary>(input.boundaries.at(5).second.shape).center, (Real3{0, 0.1, 0}));
  const auto& tables = input.boundaries.at(5).second.motion;
  EXPECT_EQ(std::get<TableMotion>(tables.at(0).kind).position->at(1), (std::array{1.0, 0.2}));
  EXPECT_EQ(std::get<TableMotion>(tables.at(2).kind).velocity_file, "shake.csv");
  EXPECT_EQ(input.domain.outlets.at(0).first, "out");
  EXPECT_EQ(std::get<VerletFraction>(*input.neighbours.verlet_distance).value, 0.30000000000000004);
  EXPECT_EQ(input.neighbours.target_interval, 60.5);
  EXPECT_EQ(input.output.frames->fields.at(2), "coordination_number");
}

TEST_F(CaseRoundTrip, WrittenCaseReadsBackTheSame) {
  const std::string once = write_case(parse_case(everything, folder_));
  const Case again = parse_case(once, "/elsewhere");  // paths of the written case are absolute
  EXPECT_EQ(write_case(again), once);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(again.gravity[0]), std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_EQ(again.time.step, 1.2345678901234567e-7);
  EXPECT_EQ(again.materials.at(1).second.friction, 0.3333333333333333);
  EXPECT_EQ(again.particles.at(10).file, (folder_ / "packing.csv").lexically_normal().string());
}

TEST_F(CaseRoundTrip, DefaultsAreWrittenOut) {
  const Case input = parse_case(R"({ "time": { "duration": 1 }, "materials": { "m": { "density": 1, "young_modulus": 1,
    "poisson_ratio": 0, "friction": 0, "restitution": 1 } }, "particles": [ { "material": "m", "radius": 1,
    "lattice": { "box": [[0, 0, 0], [1, 1, 1]], "spacing": 1 } } ] })",
                                folder_);
  const std::string text = write_case(input);
  for (const char* part : {R"("step": "auto", "adaptive": false)", R"("gravity": [0, 0, -9.81])",
                           R"("precision": "mixed")", R"("seed": 1)", R"("type": "simple_cubic")",
                           R"("verlet_distance": "auto")", R"("damping": 0)", R"("shape": "sphere")"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_EQ(write_case(parse_case(text, folder_)), text);
}

TEST_F(CaseRoundTrip, EveryFormOfTheVerletDistance) {
  Case input = parse_case(everything, folder_);
  const auto written_and_read = [&] {
    const std::string text = write_case(input);
    const Case again = parse_case(text, folder_);
    EXPECT_EQ(write_case(again), text);
    return again.neighbours;
  };
  input.neighbours = {VerletLength{1.0 / 3}, std::nullopt};
  Neighbours again = written_and_read();
  EXPECT_EQ(std::get<VerletLength>(again.verlet_distance.value()).value, 1.0 / 3);
  EXPECT_FALSE(again.target_interval.has_value());
  input.neighbours = {VerletFraction{1e-30}, 1};
  again = written_and_read();
  EXPECT_EQ(std::get<VerletFraction>(again.verlet_distance.value()).value, 1e-30);
  EXPECT_EQ(again.target_interval, 1);
  input.neighbours = {std::nullopt, 1.0 / 3e-5};
  again = written_and_read();
  EXPECT_FALSE(again.verlet_distance.has_value());
  EXPECT_EQ(again.target_interval, 1.0 / 3e-5);
}

TEST_F(CaseRoundTrip, EveryDoubleReadsBackBitForBit) {
  for (const double value : {1e-50, 9.999999999999999e29, 1e30, 0.1, 1.0 / 3, 123456789012345678.0, 1e22,
                             9007199254740993.0, 18446744073709551616.0, 6.02214076e23}) {
    Case input = parse_case(everything, folder_);
    input.materials[0].second.density = value;
    const Case again = parse_case(write_case(input), folder_);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again.materials[0].second.density), std::bit_cast<std::uint64_t>(value));
  }
}

}  // namespace scree::case_io_round_trip_test
