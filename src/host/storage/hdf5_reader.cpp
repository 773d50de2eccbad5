#include "host/storage/hdf5_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "host/storage/hdf5_chunks.hpp"
#include "host/storage/hdf5_handle.hpp"
#include "host/text/input_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The type of numbers in memory. Signed integers keep their bits.
hid_t memory_type(ValueType type, bool has_sign) {
  switch (type) {
    case ValueType::float32: return H5T_NATIVE_FLOAT;
    case ValueType::float64: return H5T_NATIVE_DOUBLE;
    case ValueType::uint8: return has_sign ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case ValueType::uint32: return has_sign ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    case ValueType::uint64: return has_sign ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  }
  throw ContractError("memory_type: unknown type");
}

constexpr std::size_t most_links = 10'000, longest_name = 1024, longest_text = std::size_t{1} << 16U;
constexpr hsize_t most_in_chunk = 1U << 17U;   // the chunks of frames are not larger
constexpr std::uint64_t most_deflated = 1100;  // largest number of bytes that deflate makes of a compressed byte

/// Collects the names of all links below a group. Stops at a link that does not lead to an object of the same file.
herr_t collect_name(hid_t, const char* name, const H5L_info_t* link, void* target) {
  auto& names = *static_cast<std::vector<std::string>*>(target);
  if (link->type != H5L_TYPE_HARD || names.size() >= most_links || std::strlen(name) > longest_name) { return -1; }
  names.emplace_back(name);
  return 0;
}

/// Whether scree writes this type; all others are refused.
bool is_known(hid_t type) {
  for (const hid_t known :
       {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_U64LE, H5T_STD_I32LE, H5T_STD_U32LE, H5T_STD_U8LE}) {
    if (H5Tequal(type, known) > 0) { return H5Tcommitted(type) == 0; }
  }
  return false;
}

/// The number of rows in a chunk of a list that is stored in chunks; 0 if the dataset is not a list.
std::uint64_t chunk_rows(hid_t creation_properties) {
  std::array<hsize_t, 2> chunk{0, 0};
  return H5Pget_chunk(creation_properties, 2, chunk.data()) == 1 ? chunk[0] : 0;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::filesystem::path name) : Hdf5Reader(std::move(name), Trial::needed) {}

Hdf5Reader::Hdf5Reader(std::filesystem::path name, Trial trial)
    : lock_(trial == Trial::needed ? Hdf5Lock() : Hdf5Lock(Hdf5Lock::HeldByParent{})), name_(std::move(name)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (const auto problem = input_file_problem(name_, "an HDF5 file")) {
    throw StateError(name_.string() + ": " + *problem);
  }
  std::error_code error;
  bytes_ = std::filesystem::file_size(name_, error);
  if (trial == Trial::needed) { try_in_a_child(); }
  file_ = checked(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  // After this check no link leads out of the file, so every object that is opened by its path lies in the file.
  std::vector<std::string> names;
  try {
    checked(H5Lvisit(file_, H5_INDEX_NAME, H5_ITER_NATIVE, collect_name, &names));
  } catch (...) {
    H5Fclose(file_);
    throw;
  }
}

Hdf5Reader::~Hdf5Reader() { H5Fclose(file_); }

std::int64_t Hdf5Reader::checked(std::int64_t result) const {
  if (result >= 0) { return result; }
  throw StateError(name_.string() +
                   ": cannot be read: it is not an HDF5 file, is damaged, or lacks the expected content");
}

std::vector<std::string> Hdf5Reader::datasets(const std::string& group) const {
  const Hdf5Handle owner(checked(H5Oopen(file_, group.c_str(), H5P_DEFAULT)), H5Oclose);
  std::vector<std::string> names;
  checked(H5Lvisit(owner, H5_INDEX_NAME, H5_ITER_INC, collect_name, &names));
  std::erase_if(names, [&](const std::string& name) {
    const Hdf5Handle object(checked(H5Oopen(owner, name.c_str(), H5P_DEFAULT)), H5Oclose);
    const H5I_type_t kind = H5Iget_type(object);
    checked(kind == H5I_DATASET || kind == H5I_GROUP ? 0 : -1);
    return kind != H5I_DATASET;
  });
  const std::string prefix = group.back() == '/' ? group : group + "/";
  for (auto& name : names) { name = prefix + name; }
  std::sort(names.begin(), names.end());
  return names;
}

bool Hdf5Reader::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5Reader::text_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Handle attribute(checked(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)),
                             H5Aclose);
  const Hdf5Handle type(checked(H5Aget_type(attribute)), H5Tclose);
  const Hdf5Handle space(checked(H5Aget_space(attribute)), H5Sclose);
  const bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tcommitted(type) == 0;
  checked(is_text && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) <= longest_text ? 0 : -1);
  std::string text(H5Tget_size(type), '\0');
  checked(H5Aread(attribute, type, text.data()));
  return text.substr(0, text.find('\0'));
}

/// Whether the numbers of a dataset are stored in this file, with a layout that scree writes, and are not more than the
/// file can hold.
bool Hdf5Reader::is_stored_here(std::int64_t dataset, std::uint64_t rows, std::uint64_t row_bytes,
                                std::uint64_t number_bytes) const {
  std::uint64_t bytes = 0;
  if (row_bytes == 0 || row_bytes > bytes_ * most_deflated || __builtin_mul_overflow(rows, row_bytes, &bytes)) {
    return false;
  }
  const Hdf5Handle properties(checked(H5Dget_create_plist(dataset)), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_CONTIGUOUS) {
    const bool complete = bytes == 0 || H5Dget_storage_size(dataset) == bytes;
    return H5Pget_external_count(properties) == 0 && H5Pget_nfilters(properties) == 0 && complete && bytes <= bytes_;
  }
  const std::uint64_t rows_of_chunk = layout == H5D_CHUNKED ? chunk_rows(properties) : 0;
  if (rows_of_chunk == 0 || rows_of_chunk > most_in_chunk || row_bytes != number_bytes || number_bytes > 8) {
    return false;
  }
  return has_known_filters(properties) && bytes / most_deflated <= bytes_;
}

Hdf5Reader::Shape Hdf5Reader::shape(const std::string& path) const {
  const Hdf5Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle space(checked(H5Dget_space(dataset)), H5Sclose);
  const Hdf5Handle type(checked(H5Dget_type(dataset)), H5Tclose);
  std::array<hsize_t, 4> extent{0, 1, 1, 1};
  const int rank = H5Sget_simple_extent_ndims(space);
  checked(H5Sget_simple_extent_type(space) == H5S_SIMPLE && rank >= 1 && rank <= 4 && is_known(type) ? 0 : -1);
  checked(H5Sget_simple_extent_dims(space, extent.data(), nullptr));
  std::array<hsize_t, 2> size{extent[0], rank % 2 == 0 ? extent[static_cast<std::size_t>(rank) - 1] : 1};
  if (rank > 2) {  // a field on a grid
    constexpr hsize_t most = hsize_t{1} << 20U;
    checked(extent[0] <= most && extent[1] <= most && extent[2] <= most ? 0 : -1);
    size[0] = extent[0] * extent[1] * extent[2];
  }
  checked(size[1] <= bytes_ * most_deflated ? 0 : -1);  // so that the product with the size of a number cannot overflow
  checked(is_stored_here(dataset, size[0], size[1] * H5Tget_size(type), H5Tget_size(type)) ? 0 : -1);
  const std::size_t bytes = H5Tget_size(type);
  Shape shape{path, "1", ValueType::uint64, size[0], size[1]};
  if (H5Tget_class(type) == H5T_FLOAT) {
    shape.type = bytes == 4 ? ValueType::float32 : ValueType::float64;
  } else {
    checked(H5Tget_class(type) == H5T_INTEGER ? 0 : -1);
    shape.type = bytes == 1 ? ValueType::uint8 : (bytes == 4 ? ValueType::uint32 : ValueType::uint64);
    shape.has_sign = H5Tget_sign(type) == H5T_SGN_2;
  }
  if (has_attribute(path, "unit")) { shape.unit = text_attribute(path, "unit"); }
  return shape;
}

bool Hdf5Reader::is_text(const std::string& path) const {
  const Hdf5Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle type(checked(H5Dget_type(dataset)), H5Tclose);
  return H5Tget_class(type) == H5T_STRING;
}

std::string Hdf5Reader::text(const std::string& path) const {
  const Hdf5Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle type(checked(H5Dget_type(dataset)), H5Tclose);
  const Hdf5Handle space(checked(H5Dget_space(dataset)), H5Sclose);
  const Hdf5Handle properties(checked(H5Dget_create_plist(dataset)), H5Pclose);
  // The layout that Hdf5File::add_text() writes.
  const bool is_known = H5Tis_variable_str(type) > 0 && H5Tcommitted(type) == 0 &&
                        H5Sget_simple_extent_npoints(space) == 1 && H5Pget_layout(properties) == H5D_CONTIGUOUS &&
                        H5Pget_external_count(properties) == 0 && H5Pget_nfilters(properties) == 0;
  checked(is_known ? 0 : -1);
  char* value = nullptr;
  checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  const std::string text(value == nullptr ? "" : value, value == nullptr ? 0 : strnlen(value, longest_text));
  H5free_memory(value);
  return text;
}

StateArray Hdf5Reader::read(const std::string& path) const {
  const Shape of = shape(path);
  StateArray array{path, of.unit, of.type, of.columns, {}};
  array.bytes.resize(of.rows * array.row_bytes());
  if (array.bytes.empty()) { return array; }
  const Hdf5Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle properties(checked(H5Dget_create_plist(dataset)), H5Pclose);
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    const ChunkedList list{of.rows, chunk_rows(properties), array.row_bytes()};
    checked(read_chunks(dataset, list, array.bytes.data()) ? 0 : -1);
    return array;
  }
  checked(H5Dread(dataset, memory_type(of.type, of.has_sign), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()));
  return array;
}

}  // namespace scree
