#include "host/output/frame_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/geometry/outlines.hpp"
#include "host/geometry/real3.hpp"
#include "host/output/finite.hpp"
#include "host/output/grain_surfaces.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/surface_tractions.hpp"
#include "host/output/vtkhdf.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* frame_list = "frames.vtkhdf.series";
constexpr const char* grain_list = "grains.vtkhdf.series";
constexpr const char* node_list = "nodes.vtkhdf.series";

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

}  // namespace

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
  std::vector<std::string> names;
  for (const auto& boundary : scene.boundaries) { names.push_back(boundary.name); }
  if (scene.cell) { names.emplace_back("cell"); }
  const auto stems = file_stems(names);
  for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
    const auto& boundary = scene.boundaries[i];
    if (boundary.mesh.triangles.empty()) { continue; }
    surfaces_.push_back({i, stems[i], boundary.moves(), {}});
  }
  if (scene.cell) { surfaces_.push_back({scene.boundaries.size(), stems.back(), true, {}}); }
  if (resumed_time) { look_at_frames_before(*resumed_time); }
}

/// Frames of particles and of boundaries go by one number.
void FrameWriter::look_at_frames_before(double time) {
  const auto look = [&](const std::filesystem::path& folder, const std::string& list, const std::string& inner,
                        Series& series) {
    series.kept = look_at_frames(folder, list, inner, time);
    series.list = series.kept.list;
    next_ = std::max(next_, series.kept.next);
    notes_.insert(notes_.end(), series.kept.notes.begin(), series.kept.notes.end());
  };
  look(folder_, frame_list, "frames", particles_);
  if (!scene_.grain_shapes.empty()) { look(folder_, grain_list, "grains", grains_); }
  if (scene_.keeps_node_forces) { look(folder_, node_list, "nodes", nodes_); }
  for (Surface& surface : surfaces_) {
    if (surface.moves) { look(folder_ / "boundaries", surface.stem + ".vtkhdf.series", surface.stem, surface.series); }
  }
}

void FrameWriter::open() {
  if (std::exchange(open_, true)) { return; }
  make_folder(folder_ / "frames");
  keep_frames(folder_ / frame_list, particles_.kept);
  if (!scene_.grain_shapes.empty()) {
    make_folder(folder_ / "grains");
    keep_frames(folder_ / grain_list, grains_.kept);
  }
  if (scene_.keeps_node_forces) {
    make_folder(folder_ / "nodes");
    keep_frames(folder_ / node_list, nodes_.kept);
  }
  for (const Surface& surface : surfaces_) {
    make_folder(surface.moves ? folder_ / "boundaries" / surface.stem : folder_ / "boundaries");
    if (surface.moves) { keep_frames(folder_ / "boundaries" / (surface.stem + ".vtkhdf.series"), surface.series.kept); }
  }
}

std::optional<FrameWriter::Frame> FrameWriter::collect(Engine& engine) {
  if (last_step_ == engine.step()) { return std::nullopt; }
  Frame frame{engine.snapshot(snapshot_request(fields_)), engine.cell(), {}, {}};
  for (auto& material : frame.particles.material) { material = scene_.case_material(material); }
  expect_finite(frame.particles);
  if (frame.cell) { expect_finite(*frame.cell, engine.step()); }
  for (const Surface& surface : surfaces_) {
    const bool of_boundary = surface.moves && surface.boundary < scene_.boundaries.size();
    frame.vertices.push_back(of_boundary ? engine.boundary_vertices(surface.boundary) : std::vector<Real3>());
    if (std::all_of(frame.vertices.back().begin(), frame.vertices.back().end(), geometry::is_finite)) { continue; }
    throw KernelFault("the place of boundary \"" + scene_.boundaries[surface.boundary].name + "\" is not finite",
                      engine.step(), {});
  }
  if (scene_.keeps_node_forces && !scene_.grain_shapes.empty()) { frame.nodes = engine.touching_nodes(); }
  last_step_ = engine.step();
  return frame;
}

void FrameWriter::write(Engine& engine) {
  open();
  if (const auto frame = collect(engine)) { write(*frame); }
}

void FrameWriter::write(const Frame& frame) {
  SCREE_EXPECT(open_, "open() comes first");
  weight_ = 0;
  const std::string name = frame_name(next_);
  write_particle_frame(folder_ / "frames" / name, frame.particles, fields_, scene_.precision, frame.cell);
  weigh(folder_ / "frames" / name);
  for (std::size_t k = 0; k < surfaces_.size(); ++k) { write_surface(frame, k, name); }
  if (!scene_.grain_shapes.empty()) { write_grains(frame, name); }
  list(particles_, frame_list, "frames/" + name, frame.particles.time);
  ++next_;
  frame_bytes_ = weight_;
}

void FrameWriter::weigh(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  weight_ += error ? 0 : size;
}

void FrameWriter::write_grains(const Frame& frame, const std::string& name) {
  const GrainSurfaces surfaces = surfaces_of_grains(scene_, frame.particles);
  const double time = frame.particles.time;
  std::vector<Real3> traction;
  if (scene_.keeps_node_forces) {
    write_node_frame(folder_ / "nodes" / name, frame.nodes, time, scene_.precision);
    weigh(folder_ / "nodes" / name);
    list(nodes_, node_list, "nodes/" + name, time);
    traction = surface_tractions(surfaces, frame.nodes, frame.cell);
  }
  write_grain_frame(folder_ / "grains" / name, surfaces, traction, time, scene_.precision);
  weigh(folder_ / "grains" / name);
  list(grains_, grain_list, "grains/" + name, time);
}

void FrameWriter::list(Series& series, const std::filesystem::path& file, const std::string& name, double time) {
  const bool is_new = series.list.empty() || series.list.back().first != name;  // else the frame is written again
  if (is_new) { series.list.emplace_back(name, time); }
  try {
    write_file_series(folder_ / file, series.list);
  } catch (...) {
    if (is_new) { series.list.pop_back(); }
    throw;
  }
  if (is_new) { files_ += series.list.size() == 1 ? 2 : 1; }
}

void FrameWriter::write_surface(const Frame& frame, std::size_t index, const std::string& name) {
  Surface& surface = surfaces_[index];
  const double time = frame.particles.time;
  const bool is_cell = surface.boundary == scene_.boundaries.size();
  const TriangleMesh& mesh = is_cell ? geometry::outline(frame.cell.value()) : scene_.boundaries[surface.boundary].mesh;
  const auto folder = folder_ / "boundaries";
  if (!surface.moves) {
    const auto file = folder / (surface.stem + ".vtkhdf");
    std::error_code ignored;
    if (next_ > 0 && std::filesystem::exists(file, ignored)) { return; }
    write_surface_frame(file, mesh, mesh.vertices, time);
    ++files_;
    return;
  }
  write_surface_frame(folder / surface.stem / name, mesh, is_cell ? mesh.vertices : frame.vertices[index], time);
  weigh(folder / surface.stem / name);
  list(surface.series, "boundaries/" + surface.stem + ".vtkhdf.series", surface.stem + "/" + name, time);
}

}  // namespace scree
