#include <cmath>

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::string range_text(const Range& range) {
  const bool from = std::isfinite(range.low);
  const bool to = std::isfinite(range.high);
  if (from && to) {
    return std::string("in ") + (range.low_open ? "(" : "[") + number_text(range.low) + ", " + number_text(range.high) +
           (range.high_open ? ")" : "]");
  }
  if (from) return (range.low_open ? "greater than " : "at least ") + number_text(range.low);
  return (range.high_open ? "less than " : "at most ") + number_text(range.high);
}

}  // namespace

std::string NumberLimit::text() const {
  switch (kind) {
    case Kind::own: return range_text(range);
    case Kind::size: return "at most " + number_text(range.high) + " in size";
    case Kind::least: return "at least " + number_text(range.low) + (or_zero ? ", or 0" : "");
  }
  return {};
}

std::vector<NumberLimit> number_limits(const Range& range) {
  std::vector<NumberLimit> limits;
  using Kind = NumberLimit::Kind;
  if (std::isfinite(range.low) || std::isfinite(range.high)) limits.push_back({Kind::own, range, false});
  limits.push_back({Kind::size, {-largest_number, largest_number, false, false}, false});
  if (range.low >= 0 && range.low < smallest_number)
    limits.push_back({Kind::least, {.low = smallest_number, .low_open = false}, range.admits(0)});
  return limits;
}

}  // namespace scree
