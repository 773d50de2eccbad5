#include "host/packing/random.hpp"

#include <bit>
#include <cmath>

#include "host/packing/exact_math.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t stream_state = stream;
  std::uint64_t mixed = seed ^ split_mix(stream_state);
  for (auto& word : state_) word = split_mix(mixed);
}

std::uint64_t Random::bits() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) {
  const double x = low + (high - low) * uniform();
  return x > high ? high : x;
}

std::uint64_t Random::below(std::uint64_t count) {
  SCREE_EXPECT(count > 0, "needs a positive count");
  const std::uint64_t biased = (0 - count) % count;  // without these 2^64 mod count values, no remainder is preferred
  std::uint64_t value = bits();
  while (value < biased) value = bits();
  return value % count;
}

double Random::normal() {
  while (true) {
    const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
    if (s >= 1e-300 && s < 1) return u * std::sqrt(-2 * exact_log(s) / s);
  }
}

Real3 Random::in_ball() {
  while (true) {
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    if (x * x + y * y + z * z <= 1) return {x, y, z};
  }
}

}  // namespace scree::packing
