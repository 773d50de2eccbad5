#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/measure/field_means.hpp"
#include "host/output/contact_frame.hpp"
#include "host/output/facet_fields.hpp"
#include "host/output/grain_surfaces.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

/// Files in the VTKHDF format (version 1.0, unstructured grid or image data), which ParaView 5.11 and VTK 9.2 and later
/// open as they are. Positions are stored as float64, fields as float32 in mixed precision and float64 in double.
namespace scree {

/// Writes the particles as vertices with `fields` as point data (particle_fields.hpp), and TimeValue and Step as field
/// data; of a periodic cell also its edges, one per row, and its origin; `stage` as Stage unless it is empty. Throws
/// OutputError; ContractError as add_particle_field().
void write_particle_frame(const std::filesystem::path& file, const Snapshot& particles,
                          const std::vector<std::string>& fields, Precision precision,
                          const std::optional<CellState>& cell = {}, const std::string& stage = {});

/// Writes a surface as triangles. `vertices` may differ from the mesh's own when it moved. `fields` become cell data.
/// Throws OutputError.
void write_surface_frame(const std::filesystem::path& file, const TriangleMesh& mesh,
                         const std::vector<Real3>& vertices, double time, const std::vector<SurfaceField>& fields = {});

/// Writes the surfaces of grains as triangles with the numbers of the grains and their amplitudes as cell data.
/// `traction` [n_vertices] [Pa] becomes point data. Throws OutputError.
void write_grain_frame(const std::filesystem::path& file, const GrainSurfaces& surfaces,
                       const std::optional<std::vector<Real3>>& traction, double time, Precision precision);

/// Writes the nodes of level-set grains that touch as vertices, with the columns of TouchingNode as point data. Throws
/// OutputError.
void write_node_frame(const std::filesystem::path& file, const std::vector<TouchingNode>& nodes, double time,
                      Precision precision);

/// Writes contacts as lines with their values as cell data. Throws OutputError.
void write_contact_frame(const std::filesystem::path& file, const ContactTable& contacts, Precision precision);

/// Writes means over a grid as image data, or over a cylindrical grid as cells (cylinder_cells.hpp), with the fields as
/// cell data, and of the window as field data. Throws OutputError.
void write_field_frame(const std::filesystem::path& file, const FieldTable& table, Precision precision);

}  // namespace scree
