#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "host/bench/search_cost.hpp"

namespace scree {

/// A line of the main table of `scree bench neighbours`.
struct NeighbourRow {
  std::string spheres;  ///< "power_law"
  double ratio = 1;     ///< [-] largest to smallest radius
  SearchCost cost;
  std::optional<FlowCost> flow;  ///< none: not measured
};

void print_neighbour_header(std::ostream& out);
void print_neighbour_row(std::ostream& out, const NeighbourRow& row);

/// Prints a line that compares `row` with equal spheres that have about as many pairs.
void print_comparison(std::ostream& out, const NeighbourRow& row, const NeighbourRow& equal);

/// Prints the exponent p of the time of a search, proportional to particles^p, from the smallest and the largest scene
/// of each kind. Rows of one kind must follow each other, in ascending size.
void print_growth(std::ostream& out, const std::vector<NeighbourRow>& rows);

/// Prints time and memory traffic of each stage of one search.
void print_stages(std::ostream& out, const NeighbourRow& row);

}  // namespace scree
