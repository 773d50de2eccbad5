#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../unit/fake_engine.hpp"
#include "../unit/scratch_folder.hpp"
#include "../unit/sealed_checkpoint.hpp"
#include "answer.hpp"
#include "host/checkpoint/check_state.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/inlet_arrays.hpp"
#include "host/checkpoint/resume.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/info.hpp"
#include "host/grains/grain_file.hpp"
#include "host/output/continued_output.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/hdf5_layout.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

/// Readers of the files of runs, as used by all commands that read them.
namespace scree::fuzz {

/// Writes a file into a folder that lasts as long as the program; each name exists once.
inline std::filesystem::path put_file(const std::string& name, const std::string& content) {
  static const test::ScratchFolder folder;
  const std::filesystem::path file = folder / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
  return file;
}

/// The image with correct checksums of superblock and object headers. Without them the fuzzer would test the checksums
/// only.
inline std::string with_right_checksums(std::string image) {
  const auto put = [&](std::size_t begin, std::size_t length) {
    if (begin + length + 4 > image.size()) { return; }
    const std::uint32_t sum = hdf5_checksum(std::string_view(image).substr(begin, length));
    for (std::size_t k = 0; k < 4; ++k) { image[begin + length + k] = static_cast<char>((sum >> (8 * k)) & 0xffU); }
  };
  constexpr std::size_t superblock = 44, head = 10;
  put(0, superblock);
  for (std::size_t at = image.find("OHDR"); at != std::string::npos; at = image.find("OHDR", at + 1)) {
    std::size_t length = 0;
    for (std::size_t k = 0; k < 4 && at + head <= image.size(); ++k) {
      length |= std::size_t{static_cast<unsigned char>(image[at + 6 + k])} << (8 * k);
    }
    if (length < image.size()) { put(at, head + length); }
  }
  return image;
}

/// An engine that accepts any state of a checkpoint.
class HoldsState : public test::FakeEngine {
 public:
  HoldsState(const Scene& scene, EngineState state) : FakeEngine(scene), state_(std::move(state)) {}
  EngineState save() override { return state_; }
  void restore(const EngineState& /*state*/) override {}

 private:
  EngineState state_;
};

/// Builds a case that starts from a checkpoint, with the case stored in it.
inline void start_from_checkpoint(const std::filesystem::path& file) {
  const Checkpoint checkpoint = read_checkpoint(file);
  Case input = parse_case(checkpoint.case_text, "/nowhere");
  input.particles.clear();
  input.domain.periodic.reset();
  input.start = file;
  SceneReport report;
  const Scene scene = build_scene(input, report);
  expect(report.start != nullptr && !report.start->text().empty(), "a start without a checkpoint");
  HoldsState engine(scene, checkpoint.state);
  static_cast<void>(continue_contacts(report, input, scene, engine));
}

/// Does all checks of --resume that come before an engine takes the state.
inline void resume_from_checkpoint(const std::filesystem::path& file) {
  Checkpoint checkpoint = read_checkpoint(file);
  static_cast<void>(differing_values(checkpoint.case_text, "{}"));
  expect(checkpoint.case_text.empty() || differing_values(checkpoint.case_text, checkpoint.case_text).size() < 2,
         "a case differs from itself");
  static_cast<void>(take_group(checkpoint.state, "probes/"));
  static_cast<void>(take_inlets(checkpoint.state));
}

inline void look_at_checkpoint(const std::filesystem::path& file) {
  std::ostringstream out;
  answer([&] { static_cast<void>(run_info(file, out)); });
  answer([&] { static_cast<void>(run_compare(file, file, out)); });
  answer([&] { resume_from_checkpoint(file); });
  answer([&] { start_from_checkpoint(file); });
}

/// Reads a checkpoint as it is, and again with all checksums corrected.
inline void read_checkpoint_file(const std::string& input) {
  const auto file = put_file("step_000000001.h5", input);
  answer([&] { static_cast<void>(is_checkpoint(file)), static_cast<void>(read_checkpoint(file)); });
  put_file("step_000000001.h5", test::sealed(with_right_checksums(test::image_of(input))));
  look_at_checkpoint(file);
}

inline void read_frame_file(const std::string& input) {
  const auto file = put_file("run/frames/" + file_name_of(FileNumbers::frames, 0), input);
  std::ostringstream out;
  answer([&] { static_cast<void>(run_info(file, out)); });
  answer([&] { static_cast<void>(run_compare(file, file, out)); });
  const auto folder = file.parent_path().parent_path();
  answer([&] { static_cast<void>(run_compare(folder, folder, out)); });
  static_cast<void>(look_at_frames(folder, "frames.vtkhdf.series", "frames", 1));
}

/// Reads a template of a grain with all checksums corrected.
inline void read_grain_file(const std::string& input) {
  const auto file = put_file("grain.h5", with_right_checksums(input));
  static_cast<void>(grains::is_grain(file));
  answer([&] {
    const auto grain = grains::read_grain(file);
    expect(!grains::fault_of(grain.shape), "a template with a fault");
  });
}

/// Reads a list of frames and the rows of a series, as a resumed run does.
inline void read_continued_output(const std::string& input) {
  const auto list = put_file("listed/frames.vtkhdf.series", input);
  for (const double time : {0.0, 0.5, 1e300}) {
    const KeptFrames kept = look_at_frames(list.parent_path(), "frames.vtkhdf.series", "frames", time);
    expect(kept.later.empty(), "a frame that is not there");
    expect(kept.list.empty() || kept.next > 0, "a number that follows on none");
    for (const auto& [name, listed] : kept.list) {
      expect(name.starts_with("frames/frame_") && listed < time, "a frame that is not kept");
    }
  }
  const auto rows = put_file("series.csv", input);
  for (const std::uint64_t step : {0U, 3U}) {
    const KeptRows kept = look_at_rows(rows, input.substr(0, input.find('\n')), step);
    expect(kept.bytes <= input.size() && (kept.bytes == 0 || input[kept.bytes - 1] == '\n'), "half a row is kept");
  }
}

}  // namespace scree::fuzz
