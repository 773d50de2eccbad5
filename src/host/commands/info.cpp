#include "host/commands/info.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>
#include <vector>

#include "host/checkpoint/checkpoint_file.hpp"
#include "host/commands/grain.hpp"
#include "host/grains/grain_file.hpp"
#include "host/run/exit_code.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/text/printable.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using Shape = Hdf5Reader::Shape;

std::string type_text(const Shape& array) {
  const std::string sign = array.has_sign ? "" : "u";
  switch (array.type) {
    case ValueType::float32: return "float32";
    case ValueType::float64: return "float64";
    case ValueType::uint8: return sign + "int8";
    case ValueType::uint32: return sign + "int32";
    case ValueType::uint64: return sign + "int64";
  }
  return "";
}

void print_arrays(const std::vector<Shape>& arrays, std::ostream& out) {
  std::size_t widest = 0;
  for (const Shape& array : arrays) { widest = std::max(widest, array.name.size()); }
  for (const Shape& array : arrays) {
    const std::string rows = count_text(array.rows);
    out << "  " << array.name << std::string(widest - array.name.size() + 2, ' ')
        << std::string(rows.size() < 12 ? 12 - rows.size() : 0, ' ') << rows << " x " << array.columns << "  "
        << type_text(array) << (array.unit == "1" ? "" : "  [" + array.unit + "]") << '\n';
  }
}

void print_checkpoint(const std::filesystem::path& file, std::ostream& out) {
  const Checkpoint checkpoint = read_checkpoint(file);
  const auto rows = [&](const char* name) {
    const StateArray* array = checkpoint.state.find(name);
    return count_text(array == nullptr ? 0 : array->rows());
  };
  out << "checkpoint   " << file.string() << ", " << bytes_text(std::filesystem::file_size(file)) << ", undamaged\n"
      << "written by   scree " << checkpoint.version << '\n'
      << "step         " << checkpoint.step << ", t = " << number_text(checkpoint.time) << " s\n"
      << "precision    " << checkpoint.precision << '\n'
      << "particles    " << count_text(checkpoint.particles) << '\n'
      << "contacts     " << rows("pairs/ids") << " among them, " << rows("boundary_contacts/id") << " with boundaries\n"
      << "state hash   " << checkpoint.state_hash << '\n'
      << "arrays\n";
  std::vector<Shape> arrays;
  for (const StateArray& array : checkpoint.state.arrays) {
    arrays.push_back({array.name, array.unit, array.type, array.rows(), array.columns});
  }
  print_arrays(arrays, out);
}

std::string edges_text(const StateArray& edges) {
  std::array<double, 9> numbers{};
  std::memcpy(numbers.data(), edges.bytes.data(), std::min(sizeof numbers, edges.bytes.size()));
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    text += (k % 3 == 0 ? (k == 0 ? "(" : "), (") : ", ") + number_text(numbers[k]);
  }
  return text + ")";
}

/// A line about the numbers of contacts in a file of contacts.
std::string contacts_text(const Hdf5Reader& hdf) {
  const StateArray at_boundary = hdf.read("/VTKHDF/CellData/with_boundary"),
                   bonded = hdf.read("/VTKHDF/CellData/bonded");
  const auto count = [](const StateArray& flags) {
    return count_text(static_cast<std::uint64_t>(
        std::count_if(flags.bytes.begin(), flags.bytes.end(), [](std::byte flag) { return flag != std::byte{0}; })));
  };
  return "contacts     " + count_text(at_boundary.rows()) + ", of which " + count(at_boundary) +
         " with boundaries and " + count(bonded) + " bonded\n";
}

/// Prints the contents of a VTKHDF file. Returns false if the file is not one.
bool print_frame(const std::filesystem::path& file, std::ostream& out) {
  std::vector<Shape> arrays;
  std::string time = "not said", step, stage, cell, contacts;
  try {
    const Hdf5Reader hdf(file);
    for (const auto& path : hdf.datasets("/VTKHDF")) {
      if (hdf.is_text(path)) {
        if (path == "/VTKHDF/FieldData/Stage") { stage = "stage        " + printable(hdf.text(path)) + "\n"; }
        continue;
      }
      Shape shape = hdf.shape(path);
      if (path == "/VTKHDF/FieldData/TimeValue" && shape.type == ValueType::float64 && shape.rows == 1 &&
          shape.columns == 1) {
        const StateArray value = hdf.read(path);
        time = number_text(*reinterpret_cast<const double*>(value.bytes.data())) + " s";
      } else if (path == "/VTKHDF/FieldData/Step" && shape.type == ValueType::uint64 && shape.rows == 1 &&
                 shape.columns == 1) {
        const StateArray value = hdf.read(path);
        step = std::to_string(*reinterpret_cast<const std::uint64_t*>(value.bytes.data())) + ", ";
      }
      if (path == "/VTKHDF/FieldData/cell" && shape.type == ValueType::float64 && shape.rows == 3 &&
          shape.columns == 3) {
        cell = "cell edges   " + edges_text(hdf.read(path)) + " m\n";
      }
      if (path == "/VTKHDF/CellData/normal_force") { contacts = contacts_text(hdf); }
      shape.name = path.substr(std::string("/VTKHDF/").size());
      arrays.push_back(std::move(shape));
    }
  } catch (const StateError&) { return false; }
  out << "frame        " << file.string() << ", " << bytes_text(std::filesystem::file_size(file)) << '\n'
      << (step.empty() ? "time         " : "step         " + step + "t = ") << time << '\n'
      << stage << cell << contacts << "arrays\n";
  print_arrays(arrays, out);
  return true;
}

}  // namespace

int run_info(const std::filesystem::path& file, std::ostream& out) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw CaseError(file.string(), "is a folder; name a file in it, such as one of its frames or checkpoints");
  }
  if (!std::filesystem::is_regular_file(file, error)) { throw CaseError(file.string(), "there is no such file"); }
  if (is_checkpoint(file)) {
    print_checkpoint(file, out);
    return exit_done;
  }
  if (grains::is_grain(file)) {
    out << "template     " << file.string() << ", " << bytes_text(std::filesystem::file_size(file)) << ", undamaged\n";
    print_grain(grains::read_grain(file), out);
    return exit_done;
  }
  if (!print_frame(file, out)) {
    throw CaseError(file.string(),
                    "is neither a checkpoint, a frame nor a template of a grain of scree, or it is damaged");
  }
  return exit_done;
}

}  // namespace scree
