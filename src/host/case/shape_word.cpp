#include "host/case/shape_word.hpp"

#include "host/case/describe_boundaries.hpp"

namespace scree {

std::string shape_word(const BoundaryShape& shape) {
  return std::visit(
      []<class Kind>(const Kind&) {
        const auto alternatives = describe(Of<BoundaryShape>{}).alternatives;
        return std::string(std::get<Alternative<Kind>>(alternatives).name);
      },
      shape);
}

}  // namespace scree
