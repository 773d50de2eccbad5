#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"

/// Numbers that are used together lie together, in one record per item: one line of the cache then has all of them.
/// Each number of the records can still be used as if it were an array of its own.
namespace scree::inline SCREE_BACKEND {

/// View of one member of every record, for kernels. `stride` is the size of a record in bytes.
template <class T, std::size_t stride>
struct Column {
  char* data = nullptr;  ///< the member of the first record
  std::size_t size = 0;
  SCREE_INLINE T& operator[](std::size_t i) const {
    SCREE_ASSERT(i < size);
    return *reinterpret_cast<T*>(data + i * stride);
  }
  /// Without the first `n` records.
  [[nodiscard]] Column from(std::size_t n) const { return {data + n * stride, size - n}; }
};

/// Positions, each at the start of a record of 32 bytes.
using PositionColumn = Column<Vec3d, 32>;

/// One member of every record of a buffer, for the host. `Records` is a Buffer, or a const Buffer.
template <class Records, class Record, class T>
class RecordMember {
 public:
  using Member = T Record::*;
  RecordMember(Records& records, Member member) : records_(records), member_(member) {}

  [[nodiscard]] std::size_t size() const { return records_.size(); }
  [[nodiscard]] Column<T, sizeof(Record)> view() const {
    if (records_.size() == 0) { return {}; }
    return {reinterpret_cast<char*>(&(records_.data()->*member_)), records_.size()};
  }

  [[nodiscard]] std::vector<T> to_vector() const { return to_vector(records_.size()); }
  [[nodiscard]] std::vector<T> to_vector(std::size_t count) const {
    const std::vector<Record> records = records_.to_vector(count);
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) { values[i] = records[i].*member_; }
    return values;
  }
  [[nodiscard]] T element(std::size_t i) const { return records_.element(i).*member_; }

  void set_element(std::size_t i, const T& value) const {
    Record record = records_.element(i);
    record.*member_ = value;
    records_.set_element(i, record);
  }
  /// Sets the member of all records; there are as many values as records.
  void assign(const std::vector<T>& values) const {
    SCREE_ASSERT(values.size() == records_.size());
    std::vector<Record> records = records_.to_vector();
    for (std::size_t i = 0; i < records.size(); ++i) { records[i].*member_ = values[i]; }
    records_.assign(records);
  }

 private:
  Records& records_;
  Member member_;
};

template <class Record, class T>
RecordMember(Buffer<Record>&, T Record::*) -> RecordMember<Buffer<Record>, Record, T>;
template <class Record, class T>
RecordMember(const Buffer<Record>&, T Record::*) -> RecordMember<const Buffer<Record>, Record, T>;

}  // namespace scree::inline SCREE_BACKEND
