#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "host/checkpoint/restore_run.hpp"
#include "resume_command.hpp"
#include "scree/errors.hpp"

/// Forged checkpoints: their checksums are right, but their content is impossible.
namespace scree::test::forged_checkpoints_test {

class Forged : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    make(resumable_case(GetParam()));
  }
  void make(const std::string& text) {
    write_text(folder_ / "drop.json", text);
    arguments_.resume = false;
    arguments_.steps = 400;  // by then two spheres touch the floor and each other
    ASSERT_EQ(run(), exit_done);
    arguments_.steps.reset();
    arguments_.resume = true;
    std::filesystem::remove(folder_ / "out/checkpoints/step_000000200.h5");
    file_ = folder_ / "out/checkpoints/step_000000400.h5";
    good_ = read_checkpoint(file_);
    ASSERT_GT(array(good_, "pairs/ids").rows(), 0U);
    ASSERT_GT(array(good_, "boundary_contacts/id").rows(), 0U);
  }
  static StateArray& array(Checkpoint& checkpoint, const std::string& name) {
    for (StateArray& one : checkpoint.state.arrays) {
      if (one.name == name) { return one; }
    }
    throw std::runtime_error("no array " + name);
  }
  template <class T>
  static void put(StateArray& array, std::size_t index, T value) {
    ASSERT_LE((index + 1) * sizeof value, array.bytes.size()) << array.name;
    std::memcpy(array.bytes.data() + index * sizeof value, &value, sizeof value);
  }
  static void put_real(StateArray& array, std::size_t index, double value) {
    if (array.type == ValueType::float32) {
      put(array, index, static_cast<float>(value));
    } else {
      put(array, index, value);
    }
  }
  /// The error of --resume after `change` was made to the checkpoint.
  template <class Change>
  void expect_refused(const Change& change, const std::string& why) {
    Checkpoint checkpoint = good_;
    change(checkpoint);
    write_checkpoint(file_, checkpoint);
    const auto before = content_of("out");
    EXPECT_EQ(run(why.empty() ? "error: " : why), exit_bad_input) << why;
    EXPECT_EQ(content_of("out"), before) << why;
  }
  template <class T>
  void expect_refused(const std::string& name, std::size_t index, T value, const std::string& why) {
    expect_refused([&](Checkpoint& c) { put(array(c, name), index, value); }, why);
  }

  std::filesystem::path file_;
  Checkpoint good_;
};
INSTANTIATE_TEST_SUITE_P(Precisions, Forged, testing::Values("mixed", "double"));

TEST_P(Forged, AnUnchangedOneIsGoneOnWith) {
  write_checkpoint(file_, good_);
  EXPECT_EQ(run(), exit_done);
}

TEST_P(Forged, ParticlesThatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const double value : {nan, infinite, -infinite}) {
    for (const char* name : {"bodies/radius", "bodies/position", "bodies/velocity", "bodies/angular_velocity",
                             "bodies/inverse_mass", "pairs/shear", "pairs/force", "boundary_contacts/normal",
                             "boundary_contacts/point", "boundary_forces/force_torque", "boundaries/driven"}) {
      expect_refused([&](Checkpoint& c) { put_real(array(c, name), 0, value); },
                     std::string("the array ") + name + " holds a number that is not finite");
    }
  }
  for (const double radius : {0.0, -0.01}) {
    expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/radius"), 0, radius); },
                   "out/checkpoints/step_000000400.h5: bodies/radius of particle 0 must be > 0, got " +
                       std::string(radius == 0 ? "0" : "-0.01"));
  }
  expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/radius"), 1, 0.5); },
                 "the bodies/radius of particle 1 is not that of the start");
  expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/inverse_mass"), 0, -1); },
                 "bodies/inverse_mass of particle 0 must be >= 0, got -1");
  expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/inverse_mass"), 0, 1); },
                 "the bodies/inverse_mass of particle 0 is not that of the start");
  expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/inverse_inertia"), 3, 0); },
                 "the bodies/inverse_inertia of particle 3 is not that of the start");
  expect_refused([&](Checkpoint& c) { put_real(array(c, "bodies/position"), 0, 1e30); },
                 "bodies/position of particle 0 must be within 1e30 m of the origin, got 1");
  for (const std::uint32_t material : {1U, 1000U, 0xffffffffU}) {
    expect_refused("bodies/material", 2, material,
                   "bodies/material of particle 2 must be the index of a material that particles of the case have, "
                   "got " +
                       std::to_string(material));
  }
  for (const std::uint32_t id : {0U, 4U, 0x7fffffffU, 0xffffffffU}) {
    expect_refused("bodies/id", 3, id, "bodies/id must be ascending and below 4, got " + std::to_string(id));
  }
}

TEST_P(Forged, ContactsThatCannotBe) {
  expect_refused("pairs/ids", 1, 4U, "pairs name the particle 4, which is not there");
  expect_refused("pairs/ids", 1, 0xffffffffU, "which is not there");
  expect_refused("pairs/ids", 1, 0U, "pairs/ids of contact 0 must be two ids, the second one above ");
  const auto twice = [](Checkpoint& c) {
    for (StateArray& one : c.state.arrays) {
      if (!one.name.starts_with("pairs/")) { continue; }
      const auto bytes = one.bytes;
      one.bytes.insert(one.bytes.end(), bytes.begin(), bytes.end());
    }
  };
  expect_refused(twice, " must be above those before it, ");
  for (const std::uint32_t feature : {1U, 0xffffffffU}) {
    expect_refused("boundary_contacts/feature", 0, feature,
                   "boundary_contacts/feature of contact 0 must be below 1, the number of features, got ");
  }
  expect_refused("boundary_contacts/id", 0, 3U, "boundary_");
  expect_refused("boundary_forces/id", 0, 0x7fffffffU, "which is not there");
}

TEST_P(Forged, NumbersOfTheRunThatCannotBe) {
  expect_refused("totals/particles_at_start", 0, std::uint64_t(5),
                 "totals/particles_at_start must be 4 as in the scene of the case, got 5");
  expect_refused("totals/particles_inserted", 0, std::uint64_t(1), "totals/particles_inserted");
  for (const std::uint64_t many : {std::uint64_t(1) << 32U, ~std::uint64_t(0), std::uint64_t(0xfffffff0)}) {
    expect_refused("totals/particles_inserted", 0, many, "totals/particles_inserted");
  }
  for (const std::uint64_t step : {std::uint64_t(401), std::uint64_t(1) << 60U}) {
    expect_refused("totals/step", 0, step, "");
  }
  expect_refused([](Checkpoint& c) { c.step = 399; },
                 "its state does not have the step, time and hash in its attributes");
  expect_refused([](Checkpoint& c) { c.step = std::uint64_t(1) << 60U; }, "its step or time is impossible");
  expect_refused([](Checkpoint& c) { c.time = std::nan(""); }, "its step or time is impossible");
  expect_refused([](Checkpoint& c) { c.state_hash.back() = c.state_hash.back() == '0' ? '1' : '0'; },
                 "its state does not have the step, time and hash in its attributes");
  expect_refused([](Checkpoint& c) { c.state_hash = "\x1b[2J"; }, "its attributes are not those of a checkpoint");
}

TEST_P(Forged, ArraysThatDoNotFit) {
  const auto names = [&] {
    std::vector<std::string> all;
    for (const StateArray& one : good_.state.arrays) { all.push_back(one.name); }
    return all;
  }();
  for (const auto& name : names) {
    if (name != "boundaries/place") {  // only a start reads it, and older checkpoints lack it
      expect_refused(
          [&](Checkpoint& c) { std::erase_if(c.state.arrays, [&](const auto& one) { return one.name == name; }); },
          name == "bodies/velocity_rest" ? "hash" : name);  // may be missing, as after a start from double precision
    }
    expect_refused(
        [&](Checkpoint& c) { array(c, name).bytes.resize(array(c, name).bytes.size() + array(c, name).row_bytes()); },
        "");
    expect_refused([&](Checkpoint& c) { array(c, name).type = ValueType::uint8; }, "");
  }
  expect_refused(
      [](Checkpoint& c) {
        c.state.arrays.push_back({"bodies/temperature", "K", ValueType::float64, 1, {}});
      },
      "bodies/temperature is not known here");
}

TEST_P(Forged, CasesThatCannotBe) {
  const std::string nested(200'000, '[');
  for (const std::string& text : {std::string(), nested, "{\"particles\":" + nested, std::string("[1]"),
                                  std::string("{ \"materials\": 3 }"), std::string("\0\xff", 2)}) {
    expect_refused([&](Checkpoint& c) { c.case_text = text; }, "--resume: ");
    Checkpoint checkpoint = good_;
    checkpoint.case_text = text;
    write_checkpoint(file_, checkpoint);
    EXPECT_THROW(static_cast<void>(restore_run(file_)), CaseError);
    RunArguments other = arguments_;
    other.resume = false;
    write_text(folder_ / "start.json", R"({ "time": { "duration": 1e-3 }, "start": "out/checkpoints",
      "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
        "restitution": 0.8 } } })");
    other.case_file = folder_ / "start.json";
    other.folder = folder_ / "started";
    std::swap(other, arguments_);
    EXPECT_EQ(run("start: "), exit_bad_input) << text.substr(0, 30);
    std::swap(other, arguments_);
  }
}

/// Random bytes of an array change. Either the run is refused with a sentence and changes nothing, or it continues
/// because the numbers are possible.
TEST_P(Forged, RandomChangesOfArraysAreAnswered) {
  std::mt19937_64 random(5);
  const auto whole = content_of("out");
  std::size_t refused = 0;
  for (int round = 0; round < 120; ++round) {
    Checkpoint checkpoint = good_;
    StateArray& one = checkpoint.state.arrays[random() % checkpoint.state.arrays.size()];
    if (one.bytes.empty()) { continue; }
    one.bytes[random() % one.bytes.size()] ^= std::byte(1U << (random() % 8));
    for (std::size_t k = random() % 3; k > 0; --k) {
      one.bytes[random() % one.bytes.size()] = std::byte(random() % 2 == 0 ? 0xff : 0);
    }
    write_checkpoint(file_, checkpoint);
    const auto before = content_of("out");
    std::ostringstream terminal, errors;
    const int code = guarded([&] { return run_case(arguments_, terminal); }, errors);
    EXPECT_EQ(errors.str().find("defect"), std::string::npos) << one.name << ": " << errors.str();
    if (code == exit_bad_input) {
      EXPECT_EQ(content_of("out"), before) << one.name;
      ++refused;
      continue;
    }
    std::filesystem::remove_all(folder_ / "out");
    for (const auto& [name, bytes] : whole) { write_text(folder_ / "out" / name, bytes); }
  }
  EXPECT_GT(refused, 60U);
}

/// Bytes of the file outside of arrays change, with a matching checksum. These bytes must be exactly as scree writes
/// them.
TEST_P(Forged, EveryByteOfTheHeadCounts) {
  write_checkpoint(file_, good_);
  const std::string good = image_of(read_text(file_));
  const std::size_t head = good.find(good_.case_text);
  ASSERT_GT(head, 1000U);
  ASSERT_LT(head, 20'000U);
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < head; ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    write_text(file_, sealed(bad));
    try {
      static_cast<void>(read_checkpoint(file_));
      ++accepted;
    } catch (const StateError&) {}
  }
  EXPECT_EQ(accepted, 0U);
}

/// Load histories with impossible ends, lengths and slopes.
TEST_P(Forged, LoadHistoriesThatCannotBe) {
  auto text = resumable_case(GetParam());
  const std::string before = "\"particles\"";
  text.insert(text.find(before), "\"contacts\": [ { \"between\": [\"*\", \"*\"], \"law\": \"jaeger\" } ], ");
  make(text);
  const auto& counts = array(good_, "pair_segments/count");
  expect_refused("pair_segments/count", 0, 0xffffffffU, "the sum of pair_segments/count must be ");
  ASSERT_GT(counts.rows(), 0U);
  expect_refused([&](Checkpoint& c) { put_real(array(c, "pairs/history"), 7, 0.0); },
                 "the load history of contact 0 is impossible: ");  // without a newest segment
  expect_refused([&](Checkpoint& c) { put_real(array(c, "pairs/history"), 8, 1.0); },
                 "the load history of contact 0 is impossible: ");  // the third end lies above the others
  expect_refused([&](Checkpoint& c) { put_real(array(c, "pairs/history"), 3, 40.0); },
                 "the load history of contact 0 is impossible: ");
  const auto grow = [&](double end) {
    return [this, end](Checkpoint& c) {
      put(array(c, "pair_segments/count"), 0, 1U);
      for (const char* name : {"pair_segments/end", "pair_segments/slope_1", "pair_segments/slope_2"}) {
        StateArray& one = array(c, name);
        one.bytes.resize(one.row_bytes());
        put_real(one, 0, name == std::string("pair_segments/end") ? end : 0.0);
      }
    };
  };
  if (array(good_, "pair_segments/end").rows() == 0) {
    for (const double end : {0.0, 1e-9, 1.0}) {
      expect_refused(grow(end), "the load history of contact 0 is impossible: ");
    }
  }
}

}  // namespace scree::test::forged_checkpoints_test
