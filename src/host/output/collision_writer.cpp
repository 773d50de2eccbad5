#include "host/output/collision_writer.hpp"

#include "host/text/csv.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr const char* collision_header =
    "time[s],step,since[s],with,first,second,from[J],to[J],collisions,lost[J],impact_speed[m/s]";

}  // namespace

CollisionWriter::CollisionWriter(const std::filesystem::path& folder, const CollisionOutput& output, const Scene& scene,
                                 std::optional<std::uint64_t> resumed_at)
    : scene_(scene), table_(folder / "collisions.csv", collision_header), schedule_(output.every, scene) {
  if (resumed_at) { table_.continue_before(*resumed_at, true); }
}

void CollisionWriter::write(Engine& engine, bool final_one) {
  open();
  const bool ends = schedule_.due(engine);
  if (engine.step() > 0 && engine.step() != last_step_ && (ends || final_one)) {
    const CollisionReport report = engine.collisions(ends);
    const std::string window =
        number_text(engine.time()) + "," + std::to_string(engine.step()) + "," + number_text(report.since);
    for (const CollisionBin& bin : report.bins) { table_.add(window + row_of(bin)); }
    last_step_ = engine.step();
  }
  table_.append();
}

/// The columns behind those of the window, each after a comma.
std::string CollisionWriter::row_of(const CollisionBin& bin) const {
  const std::vector<double>& limits = scene_.collisions->limits;
  const auto material = [&](std::uint32_t k) { return csv::quoted(scene_.material_names.at(scene_.case_material(k))); };
  std::string row = bin.with_boundary ? ",boundary," : ",particle,";
  row += bin.with_boundary ? csv::quoted(scene_.boundaries.at(bin.first).name) : material(bin.first);
  row += "," + material(bin.second);
  row += "," + (bin.bin == 0 ? "0" : number_text(limits[bin.bin - 1]));
  row += "," + (bin.bin == limits.size() ? "inf" : number_text(limits[bin.bin]));
  row += "," + std::to_string(bin.count) + "," + number_text(bin.lost);
  return row + "," + number_text(bin.speed / static_cast<double>(bin.count));
}

}  // namespace scree
