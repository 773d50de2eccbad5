#pragma once

#include <cstdio>
#include <string>

#include "host/storage/checksum.hpp"

namespace scree::test {

/// The HDF5 image of a checkpoint, without the line behind it.
inline std::string image_of(const std::string& checkpoint) {
  return checkpoint.substr(0, checkpoint.rfind("\nscree checkpoint format"));
}
/// A checkpoint of an image: the image and a line with its right checksum.
inline std::string sealed(const std::string& image, unsigned version = 2) {
  char begin[80];
  std::snprintf(begin, sizeof begin, "\nscree checkpoint format %04u, %016llu bytes, checksum ", version,
                static_cast<unsigned long long>(image.size()));
  Checksum sum;
  sum.add(image);
  sum.add(std::string(begin));
  return image + begin + sum.text() + "\n";
}

}  // namespace scree::test
