#include "host/checkpoint/hdf5_reader.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <utility>

#include "host/input_file.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// An HDF5 identifier with the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Integers of frames may have a sign: their bits are kept.
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

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* target) {
  static_cast<std::vector<std::string>*>(target)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::filesystem::path name) : name_(std::move(name)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (const auto problem = input_file_problem(name_, "an HDF5 file")) { throw StateError(name_.string() + ": " + *problem); }
  file_ = checked(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

Hdf5Reader::~Hdf5Reader() { H5Fclose(file_); }

std::int64_t Hdf5Reader::checked(std::int64_t result) const {
  if (result >= 0) { return result; }
  throw StateError(name_.string() + ": cannot be read: it is no HDF5 file, damaged, or does not hold what it should");
}

std::vector<std::string> Hdf5Reader::datasets(const std::string& group) const {
  const Handle owner(checked(H5Oopen(file_, group.c_str(), H5P_DEFAULT)), H5Oclose);
  std::vector<std::string> names;
  checked(H5Lvisit(owner, H5_INDEX_NAME, H5_ITER_INC, collect_name, &names));
  std::erase_if(names, [&](const std::string& name) {
    const Handle object(checked(H5Oopen(owner, name.c_str(), H5P_DEFAULT)), H5Oclose);
    return H5Iget_type(object) != H5I_DATASET;
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
  const Handle attribute(checked(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)),
                         H5Aclose);
  const Handle type(checked(H5Aget_type(attribute)), H5Tclose);
  checked(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? 0 : -1);
  std::string text(H5Tget_size(type), '\0');
  checked(H5Aread(attribute, type, text.data()));
  return text.substr(0, text.find('\0'));
}

Hdf5Reader::Shape Hdf5Reader::shape(const std::string& path) const {
  const Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Handle space(checked(H5Dget_space(dataset)), H5Sclose);
  const Handle type(checked(H5Dget_type(dataset)), H5Tclose);
  std::array<hsize_t, 2> size{0, 1};
  const int rank = H5Sget_simple_extent_ndims(space);
  checked(rank == 1 || rank == 2 ? 0 : -1);
  checked(H5Sget_simple_extent_dims(space, size.data(), nullptr));
  const std::size_t bytes = H5Tget_size(type);
  Shape shape{path, "1", ValueType::uint64, size[0], size[1]};
  if (H5Tget_class(type) == H5T_FLOAT) {
    shape.type = bytes == 4 ? ValueType::float32 : ValueType::float64;
  } else {
    checked(H5Tget_class(type) == H5T_INTEGER ? 0 : -1);
    shape.type = bytes == 1 ? ValueType::uint8 : (bytes == 4 ? ValueType::uint32 : ValueType::uint64);
  }
  if (has_attribute(path, "unit")) { shape.unit = text_attribute(path, "unit"); }
  return shape;
}

StateArray Hdf5Reader::read(const std::string& path) const {
  const Shape of = shape(path);
  StateArray array{path, of.unit, of.type, of.columns, {}};
  array.bytes.resize(of.rows * array.row_bytes());
  if (array.bytes.empty()) { return array; }
  const Handle dataset(checked(H5Dopen2(file_, path.c_str(), H5P_DEFAULT)), H5Dclose);
  const Handle type(checked(H5Dget_type(dataset)), H5Tclose);
  const bool has_sign = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
  checked(H5Dread(dataset, memory_type(of.type, has_sign), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()));
  return array;
}

}  // namespace scree
