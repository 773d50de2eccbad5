#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace scree {

/// A 64-bit checksum of bytes that are added piece by piece. Each step maps states one to one, so a change within one
/// word of eight bytes is always detected. Other changes remain undetected with a probability of 2^-64.
class Checksum {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    length_ += size;
    while (size > 0) {
      if (held_ == 0 && size >= sizeof word_) {
        std::memcpy(&word_, bytes, sizeof word_);
        bytes += sizeof word_;
        size -= sizeof word_;
        mix();
        continue;
      }
      reinterpret_cast<unsigned char*>(&word_)[held_++] = *bytes++;
      --size;
      if (held_ == sizeof word_) { mix(); }
    }
  }
  template <class T>
  void add(const std::vector<T>& values) {
    const std::uint64_t count = values.size();
    add(&count, sizeof count);
    if (count > 0) { add(values.data(), count * sizeof(T)); }
  }
  void add(const std::string& text) { add(text.data(), text.size()); }

  [[nodiscard]] std::uint64_t value() const {
    Checksum end = *this;
    if (end.held_ > 0) { end.mix(); }
    end.word_ = length_;
    end.mix();
    return end.state_;
  }
  /// The checksum as 16 hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  void mix() {
    state_ = (state_ ^ word_) * 0x9e3779b97f4a7c15U;
    state_ ^= state_ >> 32U;
    word_ = 0;
    held_ = 0;
  }

  std::uint64_t state_ = 0x243f6a8885a308d3U, word_ = 0, length_ = 0;
  std::size_t held_ = 0;  ///< number of bytes in word_
};

}  // namespace scree
