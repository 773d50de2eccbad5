#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

/// Numbers of the HDF5 File Format Specification 3.0 that hdf5_layout.hpp needs.
namespace scree::hdf5 {

inline constexpr std::string_view signature = "\x89HDF\r\n\x1a\n", object_signature = "OHDR";
/// The value of an undefined address.
inline constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();
/// The types of messages in object headers.
inline constexpr std::uint8_t link_info = 0x02, group_info = 0x0a, link = 0x06, dataspace = 0x01, datatype = 0x03,
                              fill_value = 0x05, data_layout = 0x08, attribute = 0x0c;

}  // namespace scree::hdf5
