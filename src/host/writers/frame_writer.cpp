#include "host/writers/frame_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/geometry/outlines.hpp"
#include "host/writers/output_folder.hpp"
#include "host/writers/vtkhdf.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

std::string numbered_frame(std::size_t index) {
  char name[40];
  std::snprintf(name, sizeof name, "frame_%06zu.vtkhdf", index);
  return name;
}

/// Removes the frames of a folder with this number and higher ones.
void remove_frames_from(const std::filesystem::path& folder, std::size_t index) {
  const std::string first = numbered_frame(index);
  std::vector<std::filesystem::path> later;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_frame = name.starts_with("frame_") && name.ends_with(".vtkhdf");
    if (is_frame && (name.size() > first.size() || (name.size() == first.size() && name >= first))) {
      later.push_back(entry.path());
    }
  }
  for (const auto& file : later) { remove_file(file); }
}

std::string lower(std::string text) {
  for (char& c : text) { c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  return text;
}

/// Names that Windows keeps for devices, whatever their ending.
bool is_device_name(const std::string& name) {
  for (const char* device : {"con", "prn", "aux", "nul"}) {
    if (name == device) { return true; }
  }
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) && name[3] >= '0' && name[3] <= '9';
}

bool finite(const Real3& vector) {
  return std::all_of(vector.begin(), vector.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

void expect_finite(const Snapshot& particles) {
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    if (finite(particles.position[i]) && finite(particles.velocity[i])) { continue; }
    throw KernelFault("the position or velocity of particle " + std::to_string(particles.id[i]) + " is not finite",
                      particles.step, {particles.id[i]});
  }
}

std::vector<std::string> file_stems(const std::vector<std::string>& names) {
  std::vector<std::string> stems, taken;
  for (const auto& name : names) {
    std::string stem = name;
    for (char& c : stem) {
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
      if (!kept) { c = '_'; }
    }
    if (stem.empty() || is_device_name(lower(stem))) { stem += '_'; }
    constexpr std::size_t longest = 100;  // a file name holds 255 bytes, with endings
    stem.resize(std::min(stem.size(), longest));
    const std::string base = stem;
    for (int number = 2; std::find(taken.begin(), taken.end(), lower(stem)) != taken.end(); ++number) {
      stem = base + "_" + std::to_string(number);
    }
    stems.push_back(stem);
    taken.push_back(lower(stem));
  }
  return stems;
}

FrameWriter::FrameWriter(std::filesystem::path folder, const FrameOutput& output, const Scene& scene,
                         std::optional<double> resumed_time)
    : folder_(std::move(folder)), fields_(output.fields), scene_(scene), schedule_(output.every, scene) {
  make_folder(folder_ / "frames");
  std::vector<std::string> names;
  for (const auto& boundary : scene.boundaries) { names.push_back(boundary.name); }
  if (scene.cell) { names.emplace_back("cell"); }
  const auto stems = file_stems(names);
  for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
    const auto& boundary = scene.boundaries[i];
    if (boundary.mesh.triangles.empty()) { continue; }
    surfaces_.push_back({i, stems[i], boundary.moves(), {}});
    make_folder(surfaces_.back().moves ? folder_ / "boundaries" / stems[i] : folder_ / "boundaries");
  }
  if (scene.cell) {
    surfaces_.push_back({scene.boundaries.size(), stems.back(), true, {}});
    make_folder(folder_ / "boundaries" / stems.back());
  }
  if (resumed_time) { keep_frames_before(*resumed_time); }
}

void FrameWriter::keep_frames_before(double time) {
  using List = std::vector<std::pair<std::string, double>>;
  const auto keep = [&](const std::filesystem::path& file, List& list) {
    const List all = read_file_series(file);
    for (const auto& entry : all) {
      if (!(entry.second < time)) { break; }
      list.push_back(entry);
    }
    if (list.empty()) {
      remove_file(file);
    } else if (list.size() < all.size()) {
      write_file_series(file, list);
    }
  };
  keep(folder_ / "frames.vtkhdf.series", series_);
  remove_frames_from(folder_ / "frames", series_.size());
  for (Surface& surface : surfaces_) {
    if (!surface.moves) { continue; }
    keep(folder_ / "boundaries" / (surface.stem + ".vtkhdf.series"), surface.series);
    remove_frames_from(folder_ / "boundaries" / surface.stem, series_.size());
  }
}

void FrameWriter::write(Engine& engine) {
  if (last_step_ == engine.step()) { return; }
  const Snapshot particles = engine.snapshot(snapshot_request(fields_));
  expect_finite(particles);
  const std::string name = numbered_frame(series_.size());
  write_particle_frame(folder_ / "frames" / name, particles, fields_, scene_.precision, engine.cell());
  for (auto& surface : surfaces_) { write_surface(engine, surface, name, particles.time); }
  series_.emplace_back("frames/" + name, particles.time);
  files_ += series_.size() == 1 ? 2 : 1;
  write_file_series(folder_ / "frames.vtkhdf.series", series_);
  last_step_ = engine.step();
}

void FrameWriter::write_surface(Engine& engine, Surface& surface, const std::string& frame_name, double time) {
  const bool is_cell = surface.boundary == scene_.boundaries.size();
  const TriangleMesh& mesh = is_cell ? geometry::outline(engine.cell().value()) : scene_.boundaries[surface.boundary].mesh;
  const auto folder = folder_ / "boundaries";
  if (!surface.moves) {
    if (!series_.empty()) { return; }
    write_surface_frame(folder / (surface.stem + ".vtkhdf"), mesh, mesh.vertices, time);
    ++files_;
    return;
  }
  const std::vector<Real3> vertices = is_cell ? mesh.vertices : engine.boundary_vertices(surface.boundary);
  write_surface_frame(folder / surface.stem / frame_name, mesh, vertices, time);
  surface.series.emplace_back(surface.stem + "/" + frame_name, time);
  files_ += surface.series.size() == 1 ? 2 : 1;
  write_file_series(folder / (surface.stem + ".vtkhdf.series"), surface.series);
}

}  // namespace scree
