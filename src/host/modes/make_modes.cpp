#include "host/modes/make_modes.hpp"

#include <algorithm>
#include <cmath>

#include "host/modes/energy_fit.hpp"
#include "host/modes/given/modes_of_file.hpp"
#include "host/modes/load_cases.hpp"
#include "host/modes/mode_errors.hpp"
#include "host/modes/mode_fields.hpp"
#include "host/modes/reduce.hpp"
#include "host/modes/vibration.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

constexpr double locking = 1.1;        ///< amplitude of a snapshot over the largest amplitude of the mode made of it
constexpr std::size_t usual_keep = 8;  ///< largest number of modes of snapshots, unless the user gives a number

MadeModes of_vibrations(const GrainShape& shape, const ElasticBody& body, const ModesChoice& choice,
                        const Progress& progress) {
  Vibrations found = find_vibrations(body, *choice.vibrations, most_modes, shape.name, progress);
  MadeModes made;
  made.modes = modes_of_template(shape, body, found.mode, choice.poisson_ratio);
  const std::string count = std::to_string(made.modes.count);
  made.modes.source = count + " lowest free vibrations";
  if (made.modes.count > found.asked) {
    made.report.push_back(
        count + " modes are kept, " + std::to_string(found.asked) +
        " were asked for: a group of equal frequencies is kept whole, since a part of it would prefer "
        "some directions");
  }
  std::string line = "angular frequencies times equivalent radius times sqrt(density / Young's modulus):";
  const double radius = shape.equivalent_radius / shape.spacing;
  for (const double value : found.eigenvalue) line += " " + short_number_text(std::sqrt(value) * radius, 4);
  made.report.push_back(line + "; the next one " + short_number_text(std::sqrt(found.next) * radius, 4));
  return made;
}

std::vector<LoadCase> all_load_cases(const GrainShape& shape, const ElasticBody& body, const ModesChoice& choice,
                                     const Progress& progress) {
  const double largest = choice.largest * shape.equivalent_radius / shape.spacing;
  std::vector<LoadCase> loads;
  for (const std::string& axes : choice.planes) {
    loads.push_back(press_with_planes(body, shape, axes, choice.levels, largest, progress));
  }
  for (const Real3& direction : choice.points) loads.push_back(press_at_points(body, shape, direction, largest));
  return loads;
}

Matrix all_snapshots(const ElasticBody& body, const std::vector<LoadCase>& loads) {
  Matrix all(body.unknowns(), 0);
  for (const LoadCase& load : loads) {
    all.conservativeResize(Eigen::NoChange, all.cols() + load.displacement.cols());
    all.rightCols(load.displacement.cols()) = load.displacement;
  }
  return all;
}

/// Adds the table of a mode that is the last snapshot. Its amplitude is proportional to the indentation.
void add_table(const LoadCase& load, const Vector& amplitude, double h, GrainModes& modes) {
  const Index last = load.depth.size() - 1;
  const double per_depth = amplitude[last] / load.depth[last];
  std::vector<EnergySample> samples;
  for (Index k = 0; k <= last; ++k) {
    samples.push_back({Vector::Constant(1, load.depth[k] * per_depth), load.energy[k],
                       Vector::Constant(1, load.force[k] / per_depth)});
  }
  for (const ModeKnot& knot : fit_table(samples)) modes.table.push_back({knot.amplitude * h, knot.force * h * h});
  modes.largest[0] = amplitude[last] * h / locking;
}

/// Fits quartic terms to the energies and the forces on the modes at all levels.
void add_terms(const ElasticBody& body, const std::vector<LoadCase>& loads, const Matrix& mode, double h,
               MadeModes& made) {
  const Matrix stiffness = mode.transpose() * (body.stiffness() * mode);
  std::vector<EnergySample> samples;
  for (const LoadCase& load : loads) {
    const Matrix amplitude = amplitudes(body, mode, load.displacement);
    const Matrix force = mode.transpose() * (body.stiffness() * load.displacement);
    for (Index k = 0; k < load.depth.size(); ++k) samples.push_back({amplitude.col(k), load.energy[k], force.col(k)});
  }
  const std::vector<ModeTerm> terms = fit_terms(stiffness, samples);
  double before = 0, after = 0, largest = 0;
  for (const EnergySample& sample : samples) {
    before = std::max(before, std::fabs(energy_of(stiffness, {}, sample.amplitude) - sample.energy));
    after = std::max(after, std::fabs(energy_of(stiffness, terms, sample.amplitude) - sample.energy));
    largest = std::max(largest, sample.energy);
  }
  made.report.push_back(std::to_string(terms.size()) + " quartic terms; the energies of the levels are off by " +
                        short_number_text(100 * before / largest, 3) + " % of the largest without them, " +
                        short_number_text(100 * after / largest, 3) + " % with them");
  for (const ModeTerm& term : terms) {
    const double unit = std::pow(h, 3 - static_cast<int>(term.mode.size()));
    made.modes.terms.push_back({term.coefficient * unit, term.mode});
  }
}

std::string names_of(const std::vector<LoadCase>& loads) {
  std::string text;
  for (const LoadCase& load : loads) {
    text += (text.empty() ? "" : ", ") + load.name;
    if (load.planes) text += " (" + std::to_string(load.depth.size()) + " levels)";
  }
  return text;
}

MadeModes of_loads(const GrainShape& shape, const ElasticBody& body, const ModesChoice& choice,
                   const Progress& progress) {
  const std::vector<LoadCase> loads = all_load_cases(shape, body, choice, progress);
  const Matrix snapshots = all_snapshots(body, loads);
  const std::size_t keep = choice.keep.value_or(std::min(usual_keep, static_cast<std::size_t>(snapshots.cols())));
  const bool has_table = keep == 1 && loads.size() == 1 && loads.front().planes;
  const ProperModes proper = proper_modes(body, snapshots, keep);
  if (proper.mode.cols() == 0) throw CaseError(shape.name, "the loads do not deform it");
  Matrix mode = has_table ? Matrix(snapshots.rightCols(1)) : energy_orthogonal(body, proper.mode);
  MadeModes made;
  made.modes = modes_of_template(shape, body, mode, choice.poisson_ratio);
  made.modes.source = std::to_string(made.modes.count) + " of loads: " + names_of(loads) + ", indentation up to " +
                      number_text(choice.largest) + " of the equivalent radius";
  if (made.modes.count < keep) {
    made.report.push_back("the snapshots have " + std::to_string(made.modes.count) + " independent modes, " +
                          std::to_string(keep) + " were asked for");
  }
  const double h = shape.spacing;
  const Matrix amplitude = amplitudes(body, mode, snapshots);
  for (std::size_t a = 0; a < made.modes.count; ++a) {
    made.modes.largest[a] = amplitude.row(static_cast<Index>(a)).cwiseAbs().maxCoeff() * h;
  }
  if (has_table) add_table(loads.front(), amplitude.row(0).transpose(), h, made.modes);
  if (choice.quartic && !has_table) add_terms(body, loads, mode, h, made);
  if (!has_table) {
    const double lost = proper.singular.tail(proper.singular.size() - mode.cols()).squaredNorm();
    made.report.push_back("the modes leave out " + short_number_text(100 * lost / proper.singular.squaredNorm(), 3) +
                          " % of the kinetic energy of the snapshots");
  }
  progress("errors at levels between");
  for (const LoadCase& load : loads) {
    if (load.planes) report_errors(body, load, mode, made.modes, h, made.report);
  }
  return made;
}

}  // namespace

MadeModes make_modes(const GrainShape& shape, const ModesChoice& choice, const Progress& progress) {
  if (!choice.given.file.empty()) return modes_of_file(shape, choice, progress);
  progress("finite elements");
  const ElasticBody body(shape, choice.poisson_ratio);
  MadeModes made =
      choice.vibrations ? of_vibrations(shape, body, choice, progress) : of_loads(shape, body, choice, progress);
  made.report.insert(made.report.begin(), count_text(body.cells().corner.size()) + " cells, " +
                                              count_text(static_cast<std::uint64_t>(body.unknowns())) +
                                              " unknowns, factored by " + solver_name());
  return made;
}

}  // namespace scree::modes
