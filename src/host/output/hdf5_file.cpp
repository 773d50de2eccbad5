#include "host/output/hdf5_file.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "host/storage/atomic_file.hpp"
#include "host/storage/hdf5_handle.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

hid_t memory_type(ElementType type) {
  switch (type) {
    case ElementType::float32: return H5T_NATIVE_FLOAT;
    case ElementType::float64: return H5T_NATIVE_DOUBLE;
    case ElementType::int64: return H5T_NATIVE_INT64;
    case ElementType::uint64: return H5T_NATIVE_UINT64;
    case ElementType::int32: return H5T_NATIVE_INT32;
    case ElementType::uint32: return H5T_NATIVE_UINT32;
    case ElementType::uint8: return H5T_NATIVE_UINT8;
  }
  throw ContractError("memory_type: unknown element type");
}

hid_t file_type(ElementType type) {
  switch (type) {
    case ElementType::float32: return H5T_IEEE_F32LE;
    case ElementType::float64: return H5T_IEEE_F64LE;
    case ElementType::int64: return H5T_STD_I64LE;
    case ElementType::uint64: return H5T_STD_U64LE;
    case ElementType::int32: return H5T_STD_I32LE;
    case ElementType::uint32: return H5T_STD_U32LE;
    case ElementType::uint8: return H5T_STD_U8LE;
  }
  throw ContractError("file_type: unknown element type");
}

/// Keeps the description of the innermost entry of the library's error stack.
herr_t keep_first_reason(unsigned, const H5E_error2_t* entry, void* target) {
  auto& reason = *static_cast<std::string*>(target);
  if (reason.empty() && entry->desc != nullptr) { reason = entry->desc; }
  return 0;
}

/// No time stamps, so that equal content gives equal bytes; compression for what is regular.
void set_creation(hid_t properties, std::size_t rows, bool compressed) {
  H5Pset_obj_track_times(properties, 0);
  constexpr std::size_t worth_compressing = 1024;
  if (!compressed || rows < worth_compressing || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) { return; }
  const hsize_t chunk = std::min<hsize_t>(rows, 1U << 17U);
  H5Pset_chunk(properties, 1, &chunk);
  H5Pset_shuffle(properties);
  H5Pset_deflate(properties, 1);
}

}  // namespace

Hdf5File::Hdf5File(std::filesystem::path name) : name_(std::move(name)) {
  constexpr std::size_t growth = 1U << 16U;  // [bytes]
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Hdf5Handle access(checked(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  checked(H5Pset_fapl_core(access, growth, 0));
  file_ = checked(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Hdf5File::~Hdf5File() { H5Fclose(file_); }

std::int64_t Hdf5File::checked(std::int64_t result) const {
  if (result >= 0) { return result; }
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_reason, &reason);
  throw OutputError(name_.string() + ": cannot be written: HDF5: " + reason);
}

void Hdf5File::add_group(const std::string& path) {
  const Hdf5Handle properties(checked(H5Pcreate(H5P_GROUP_CREATE)), H5Pclose);
  H5Pset_obj_track_times(properties, 0);
  const Hdf5Handle group(checked(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT)), H5Gclose);
}

void Hdf5File::add_attribute(const std::string& object, const std::string& name, std::string_view text) {
  const Hdf5Handle type(checked(H5Tcopy(H5T_C_S1)), H5Tclose);
  checked(H5Tset_size(type, text.size()));
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD));
  checked(H5Tset_cset(type, H5T_CSET_ASCII));
  const Hdf5Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
  const Hdf5Handle owner(checked(H5Oopen(file_, object.c_str(), H5P_DEFAULT)), H5Oclose);
  const Hdf5Handle attribute(checked(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
  checked(H5Awrite(attribute, type, text.data()));
}

void Hdf5File::add_attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(checked(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Hdf5Handle owner(checked(H5Oopen(file_, object.c_str(), H5P_DEFAULT)), H5Oclose);
  const Hdf5Handle attribute(checked(H5Acreate2(owner, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT)),
                             H5Aclose);
  checked(H5Awrite(attribute, H5T_NATIVE_INT64, values.data()));
}

void Hdf5File::add_attribute(const std::string& object, const std::string& name, std::span<const double> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(checked(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Hdf5Handle owner(checked(H5Oopen(file_, object.c_str(), H5P_DEFAULT)), H5Oclose);
  const Hdf5Handle attribute(checked(H5Acreate2(owner, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT)),
                             H5Aclose);
  checked(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data()));
}

void Hdf5File::add_text(const std::string& path, const std::string& text) {
  const Hdf5Handle type(checked(H5Tcopy(H5T_C_S1)), H5Tclose);
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  const hsize_t size = 1;
  const Hdf5Handle space(checked(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Hdf5Handle properties(checked(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  H5Pset_obj_track_times(properties, 0);
  const Hdf5Handle dataset(checked(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT)),
                           H5Dclose);
  const char* const value = text.c_str();
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
}

void Hdf5File::add_grid_dataset(const std::string& path, std::span<const double> values,
                                std::span<const std::uint64_t> size, ElementType stored) {
  std::uint64_t count = 1;
  std::vector<hsize_t> extent;
  for (const std::uint64_t n : size) { count *= n, extent.push_back(n); }
  SCREE_EXPECT(count > 0 && count == values.size(), "as many numbers as the grid has");
  const Hdf5Handle space(checked(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr)), H5Sclose);
  const Hdf5Handle properties(checked(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  H5Pset_obj_track_times(properties, 0);
  const Hdf5Handle dataset(
      checked(H5Dcreate2(file_, path.c_str(), file_type(stored), space, H5P_DEFAULT, properties, H5P_DEFAULT)),
      H5Dclose);
  checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

void Hdf5File::add_dataset(const std::string& path, std::span<const double> values, std::size_t columns,
                           ElementType stored) {
  add(path, {values.data(), values.size(), columns, ElementType::float64, stored, false});
}

void Hdf5File::add_dataset(const std::string& path, std::span<const std::uint32_t> values) {
  add(path, {values.data(), values.size(), 1, ElementType::uint32, ElementType::uint32, false});
}

void Hdf5File::add_regular_dataset(const std::string& path, std::span<const std::int64_t> values) {
  add(path, {values.data(), values.size(), 1, ElementType::int64, ElementType::int64, true});
}

void Hdf5File::add_regular_dataset(const std::string& path, std::span<const std::uint8_t> values) {
  add(path, {values.data(), values.size(), 1, ElementType::uint8, ElementType::uint8, true});
}

void Hdf5File::add_dataset(const std::string& path, const void* values, std::size_t count, std::size_t columns,
                           ElementType type) {
  add(path, {values, count, columns, type, type, false});
}

void Hdf5File::add(const std::string& path, const Data& data) {
  SCREE_EXPECT(data.columns > 0 && data.count % data.columns == 0, "values are not whole rows");
  const std::size_t rows = data.count / data.columns;
  const std::array<hsize_t, 2> size{rows, data.columns};
  const Hdf5Handle space(checked(H5Screate_simple(data.columns == 1 ? 1 : 2, size.data(), nullptr)), H5Sclose);
  const Hdf5Handle properties(checked(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  set_creation(properties, rows, data.compressed);
  const Hdf5Handle dataset(
      checked(H5Dcreate2(file_, path.c_str(), file_type(data.stored), space, H5P_DEFAULT, properties, H5P_DEFAULT)),
      H5Dclose);
  if (rows == 0) { return; }
  checked(H5Dwrite(dataset, memory_type(data.held), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.values));
}

void Hdf5File::save() {
  checked(H5Fflush(file_, H5F_SCOPE_LOCAL));
  const auto size = checked(H5Fget_file_image(file_, nullptr, 0));
  std::string image(static_cast<std::size_t>(size), '\0');
  checked(H5Fget_file_image(file_, image.data(), image.size()));
  write_text_atomically(name_, image, {}, NameOnDisk::after_sync_folder);
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace scree
