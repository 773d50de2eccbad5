#include "host/output/frame_writer.hpp"

#include <algorithm>
#include <utility>

#include "host/geometry/outlines.hpp"
#include "host/geometry/real3.hpp"
#include "host/output/finite.hpp"
#include "host/output/grain_surfaces.hpp"
#include "host/output/output_folder.hpp"
#include "host/output/particle_fields.hpp"
#include "host/output/surface_tractions.hpp"
#include "host/output/vtkhdf.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

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
    : folder_(std::move(folder)),
      fields_(output.fields),
      scene_(scene),
      schedule_(output.every, scene),
      particles_(folder_, "frames"),
      grains_(folder_, "grains"),
      nodes_(folder_, "nodes") {
  std::vector<std::string> names;
  for (const auto& boundary : scene.boundaries) { names.push_back(boundary.name); }
  if (scene.cell) { names.emplace_back("cell"); }
  const auto stems = file_stems(names);
  for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
    const auto& boundary = scene.boundaries[i];
    if (boundary.mesh.triangles.empty()) { continue; }
    const bool changes = boundary.moves() || scene.comes_or_goes(i) || boundary.facet_loads.has_value();
    surfaces_.push_back({i, stems[i], boundary.moves(), changes, {folder_ / "boundaries", stems[i]}});
  }
  if (scene.cell) {
    surfaces_.push_back({scene.boundaries.size(), stems.back(), true, true, {folder_ / "boundaries", stems.back()}});
  }
  if (!resumed_time) { return; }
  for (FileSeries* each : series()) {
    each->look(*resumed_time, begins_off(scene, &StagedOutput::frames));
    next_ = std::max(next_, each->next());  // frames of particles and of boundaries share their numbers
    notes_.insert(notes_.end(), each->notes().begin(), each->notes().end());
  }
}

std::vector<FileSeries*> FrameWriter::series() {
  std::vector<FileSeries*> all{&particles_};
  if (!scene_.grain_shapes.empty()) { all.push_back(&grains_); }
  if (scene_.keeps_node_forces) { all.push_back(&nodes_); }
  for (Surface& surface : surfaces_) {
    if (surface.changes) { all.push_back(&surface.series); }
  }
  return all;
}

void FrameWriter::open() {
  if (std::exchange(open_, true)) { return; }
  for (FileSeries* each : series()) { each->open(); }
  const bool any_at_rest = std::any_of(surfaces_.begin(), surfaces_.end(), [](const Surface& s) { return !s.changes; });
  if (any_at_rest) { make_folder(folder_ / "boundaries"); }
}

std::optional<FrameWriter::Frame> FrameWriter::collect(Engine& engine) {
  if (last_step_ == engine.step()) { return std::nullopt; }
  Frame frame{engine.snapshot(snapshot_request(fields_)), engine.cell(), {}, {}, {}, {}, stage_};
  for (auto& material : frame.particles.material) { material = scene_.case_material(material); }
  expect_finite(frame.particles);
  if (frame.cell) { expect_finite(*frame.cell, engine.step()); }
  for (const Surface& surface : surfaces_) {
    const bool of_boundary = surface.moves && surface.boundary < scene_.boundaries.size();
    frame.absent.push_back(surface.boundary < scene_.boundaries.size() && !engine.is_present(surface.boundary));
    frame.vertices.push_back(of_boundary ? engine.boundary_vertices(surface.boundary) : std::vector<Real3>());
    if (std::all_of(frame.vertices.back().begin(), frame.vertices.back().end(), geometry::is_finite)) { continue; }
    throw KernelFault("the place of boundary \"" + scene_.boundaries[surface.boundary].name + "\" is not finite",
                      engine.step(), {});
  }
  if (scene_.keeps_node_forces && !scene_.grain_shapes.empty()) { frame.nodes = engine.touching_nodes(); }
  // An extra frame at an interruption begins no new interval, so that the resumed run has the same loads as one without
  // interruption.
  frame.facets = engine.facet_loads(schedule_.due(engine));
  last_step_ = engine.step();
  return frame;
}

void FrameWriter::write(Engine& engine) {
  open();
  if (const auto frame = collect(engine)) { write(*frame); }
}

void FrameWriter::write(const Frame& frame) {
  SCREE_EXPECT(open_, "open() comes first");
  write_particle_frame(particles_.file(next_), frame.particles, fields_, scene_.precision, frame.cell, frame.stage);
  for (std::size_t k = 0; k < surfaces_.size(); ++k) { write_surface(frame, k); }
  if (!scene_.grain_shapes.empty()) { write_grains(frame); }
  particles_.add(next_, frame.particles.time);
  ++next_;
  std::uint64_t bytes = 0;
  for (const FileSeries* each : series()) { bytes += each->bytes(); }
  frame_bytes_ = bytes;
}

void FrameWriter::write_grains(const Frame& frame) {
  const GrainSurfaces surfaces = surfaces_of_grains(scene_, frame.particles);
  const double time = frame.particles.time;
  std::optional<std::vector<Real3>> traction;
  if (scene_.keeps_node_forces) {
    write_node_frame(nodes_.file(next_), frame.nodes, time, scene_.precision);
    nodes_.add(next_, time);
    traction = surface_tractions(surfaces, frame.nodes, frame.cell);
  }
  write_grain_frame(grains_.file(next_), surfaces, traction, time, scene_.precision);
  grains_.add(next_, time);
}

void FrameWriter::write_surface(const Frame& frame, std::size_t index) {
  Surface& surface = surfaces_[index];
  const double time = frame.particles.time;
  const bool is_cell = surface.boundary == scene_.boundaries.size();
  const TriangleMesh& mesh = is_cell ? geometry::outline(frame.cell.value()) : scene_.boundaries[surface.boundary].mesh;
  if (!surface.changes) {
    const auto file = folder_ / "boundaries" / (surface.stem + ".vtkhdf");
    std::error_code ignored;
    if (next_ > 0 && std::filesystem::exists(file, ignored)) { return; }
    write_surface_frame(file, mesh, mesh.vertices, time);
    ++surfaces_at_rest_;
    return;
  }
  std::vector<SurfaceField> fields;
  for (const FacetLoads& loads : frame.facets) {
    if (loads.boundary == surface.boundary) { fields = facet_fields(scene_.boundaries[loads.boundary], loads, time); }
  }
  const bool at_rest = is_cell || !surface.moves;
  if (frame.absent[index]) {  // no triangles, but the same fields
    for (SurfaceField& field : fields) { field.values.clear(); }
    write_surface_frame(surface.series.file(next_), {}, {}, time, fields);
  } else {
    write_surface_frame(surface.series.file(next_), mesh, at_rest ? mesh.vertices : frame.vertices[index], time,
                        fields);
  }
  surface.series.add(next_, time);
}

std::vector<std::filesystem::path> FrameWriter::folders() const {
  std::vector<std::filesystem::path> all = particles_.folders();
  const auto add = [&](const FileSeries& of) {
    for (auto& folder : of.folders()) { all.push_back(std::move(folder)); }
  };
  if (!scene_.grain_shapes.empty()) { add(grains_); }
  if (scene_.keeps_node_forces) { add(nodes_); }
  if (!surfaces_.empty()) { all.push_back(folder_ / "boundaries"); }
  for (const Surface& surface : surfaces_) {
    if (surface.changes) { add(surface.series); }
  }
  return all;
}

std::uint64_t FrameWriter::files() const {
  std::uint64_t files = surfaces_at_rest_ + particles_.files() + grains_.files() + nodes_.files();
  for (const Surface& surface : surfaces_) { files += surface.series.files(); }
  return files;
}

}  // namespace scree
