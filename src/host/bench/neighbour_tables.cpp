#include "host/bench/neighbour_tables.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "host/text/text.hpp"

namespace scree {

namespace {

constexpr double per_nano = 1e9, per_giga = 1e-9;

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

/// Prints texts in columns of these widths, the first one left-aligned and the others right-aligned.
void print_cells(std::ostream& out, const std::vector<std::pair<std::string, int>>& cells) {
  std::ostringstream line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line << (i == 0 ? std::left : std::right) << std::setw(cells[i].second) << cells[i].first;
  }
  out << line.str() << std::endl;
}

}  // namespace

void print_neighbour_header(std::ostream& out) {
  print_cells(out, {{"", 30}, {"one search, per particle", 47}, {"dense flow", 24}});
  print_cells(out, {{"spheres", 12},
                    {"ratio", 7},
                    {"particles", 11},
                    {"tests", 8},
                    {"pairs", 8},
                    {"contacts", 10},
                    {"time [ns]", 11},
                    {"bytes", 7},
                    {"searches/1000 steps", 21},
                    {"time in them", 14}});
}

void print_neighbour_row(std::ostream& out, const NeighbourRow& row) {
  const SearchCost& cost = row.cost;
  print_cells(out, {{row.spheres, 12},
                    {short_number_text(row.ratio), 7},
                    {std::to_string(cost.particles), 11},
                    {fixed(cost.tests, 2), 8},
                    {fixed(cost.pairs, 2), 8},
                    {fixed(cost.contacts, 2), 10},
                    {fixed(per_nano * cost.seconds, 1), 11},
                    {fixed(cost.bytes, 0), 7},
                    {row.flow ? fixed(row.flow->searches_per_1000_steps, 1) : "-", 21},
                    {row.flow ? fixed(100 * row.flow->share, 1) + " %" : "-", 14}});
}

void print_comparison(std::ostream& out, const NeighbourRow& row, const NeighbourRow& equal) {
  out << row.spheres << " of ratio " << short_number_text(row.ratio) << ": "
      << fixed(row.cost.seconds / equal.cost.seconds, 2) << " times the search time per particle of equal spheres ("
      << fixed(row.cost.pairs, 2) << " and " << fixed(equal.cost.pairs, 2) << " pairs per particle)" << std::endl;
}

void print_growth(std::ostream& out, const std::vector<NeighbourRow>& rows) {
  bool any = false;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto end = std::find_if(first, rows.end(), [&](const NeighbourRow& row) {
      return row.spheres != first->spheres || row.ratio != first->ratio;
    });
    const SearchCost &small = first->cost, &large = (end - 1)->cost;
    if (small.particles != large.particles) {
      if (!any) {
        out << "growth: time of a search ~ particles^p\n";
        print_cells(out, {{"spheres", 12}, {"ratio", 7}, {"from", 11}, {"to", 11}, {"p", 8}});
      }
      any = true;
      const double growth = static_cast<double>(large.particles) / static_cast<double>(small.particles);
      const double exponent = 1 + std::log(large.seconds / small.seconds) / std::log(growth);
      print_cells(out, {{first->spheres, 12},
                        {short_number_text(first->ratio), 7},
                        {std::to_string(small.particles), 11},
                        {std::to_string(large.particles), 11},
                        {fixed(exponent, 3), 8}});
    }
    first = end;
  }
  if (!any) { out << "growth: needs scenes of two sizes" << std::endl; }
}

void print_stages(std::ostream& out, const NeighbourRow& row) {
  const auto n = static_cast<double>(row.cost.particles);
  out << "stages of a search: " << row.spheres << ", ratio " << short_number_text(row.ratio) << ", "
      << count_text(row.cost.particles) << " particles\n";
  print_cells(out, {{"stage", 24}, {"ns/particle", 12}, {"B/particle", 11}, {"GB/s", 8}, {"of the time", 13}});
  double all = 0;
  for (const LaunchTime& stage : row.cost.stages) { all += stage.seconds; }
  for (const LaunchTime& stage : row.cost.stages) {
    const auto bytes = static_cast<double>(stage.bytes);
    print_cells(out, {{stage.kind, 24},
                      {fixed(per_nano * stage.seconds / n, 2), 12},
                      {bytes > 0 ? fixed(bytes / n, 1) : "-", 11},
                      {bytes > 0 ? fixed(per_giga * bytes / stage.seconds, 1) : "-", 8},
                      {fixed(100 * stage.seconds / all, 1) + " %", 13}});
  }
}

}  // namespace scree
