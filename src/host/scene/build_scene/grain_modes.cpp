#include <algorithm>
#include <cmath>
#include <optional>

#include "host/case/particle_kinds.hpp"
#include "host/grains/modes.hpp"
#include "host/scene/build_scene/grains.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Poisson's ratio of the particles of a shape; none if there are no particles. Throws CaseError if they differ.
std::optional<double> poisson_ratio_of(const Case& input, const std::string& shape) {
  std::optional<double> ratio;
  const auto note = [&](const ParticleKind& kind) {
    if (kind.shape != shape) { return; }
    for (const auto& [name, material] : input.materials) {
      if (name != kind.material) { continue; }
      if (ratio && *ratio != material.poisson_ratio) {
        throw CaseError("deformation", "needs materials with one Poisson's ratio, this shape has particles of several");
      }
      ratio = material.poisson_ratio;
    }
  };
  for (const auto& entry : input.particles) {
    for (const ParticleKind& kind : kinds_of(input, entry)) { note(kind); }
  }
  return ratio;
}

void keep_first_modes(GrainModes& modes, std::size_t count, std::size_t points, std::size_t nodes) {
  const std::size_t before = modes.count;
  const auto first = [&](const std::vector<double>& matrix) {
    std::vector<double> kept;
    kept.reserve(count * count);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) { kept.push_back(matrix[a * before + b]); }
    }
    return kept;
  };
  modes.mass = first(modes.mass);
  modes.stiffness = first(modes.stiffness);
  modes.count = count;
  modes.field.resize(count * points);
  modes.at_node.resize(count * nodes);
  modes.largest.resize(count);
  std::erase_if(modes.terms, [count](const ModeTerm& term) {
    return std::any_of(term.mode.begin(), term.mode.end(), [count](std::uint32_t a) { return a >= count; });
  });
  if (count != 1) { modes.table.clear(); }
}

/// Warns of a number of modes that splits a group of modes with equal frequencies. Any combination of such modes is a
/// mode, too. With only a part of the group the grain is softer along some directions, which its discretisation has
/// chosen by chance, although its shape makes all directions of the group equivalent.
void warn_of_split_group(const GrainModes& modes, std::size_t count, const std::string& name,
                         std::vector<std::string>& warnings) {
  constexpr double same_square = 1.04;            // of frequencies that differ by 2 %, as whole_groups() has it
  const auto is_one_group = [&](std::size_t a) {  // with the mode before
    const auto square = [&](std::size_t m) {
      return modes.stiffness[m * modes.count + m] / modes.mass[m * modes.count + m];
    };
    const double before = square(a - 1), after = square(a);
    return before > 0 && after > 0 && std::max(before, after) < same_square * std::min(before, after);
  };
  if (count == 0 || count >= modes.count || !is_one_group(count)) { return; }
  std::size_t begin = count - 1, end = count + 1;
  while (begin > 0 && is_one_group(begin)) { --begin; }
  while (end < modes.count && is_one_group(end)) { ++end; }
  warnings.push_back(
      "shapes." + name + ".deformation.count: the first " + std::to_string(count) +
      " modes have only some of the modes " + std::to_string(begin) + " to " + std::to_string(end - 1) +
      " (counted from 0), which have equal frequencies: the grain is stiffer along some of the directions "
      "that are alike by its symmetry; take " +
      (begin > 0 ? std::to_string(begin) + " or " : std::string()) + std::to_string(end));
}

/// Sets the masses, stiffnesses and table that the case gives as absolute values of each grain.
void set_absolute(GrainModes& modes, const Deformation& given) {
  const std::size_t n = modes.count;
  const auto expect_one_for_each = [n](const char* key, std::size_t have) {
    if (have != n) {
      throw CaseError(std::string("deformation.") + key,
                      "must have a value for each of the " + std::to_string(n) + " modes, has " + std::to_string(have));
    }
  };
  expect_one_for_each("mass", given.mass.size());
  if (given.table.empty() || !given.stiffness.empty()) { expect_one_for_each("stiffness", given.stiffness.size()); }
  if (!given.table.empty() && n != 1) { throw CaseError("deformation.table", "is for a single mode"); }
  modes.absolute = true;
  modes.mass.assign(n * n, 0);
  modes.stiffness.assign(n * n, 0);
  modes.terms.clear();
  modes.table.clear();
  for (std::size_t a = 0; a < n; ++a) {
    modes.mass[a * n + a] = given.mass[a];
    if (!given.stiffness.empty()) { modes.stiffness[a * n + a] = given.stiffness[a]; }
  }
  double amplitude = 0, force = 0;
  for (const auto& [next, next_force] : given.table) {
    if (!(next > amplitude) || !(next_force >= force)) {
      throw CaseError("deformation.table", "must have amplitudes above 0 that ascend, and forces that do not descend");
    }
    modes.table.push_back({next, next_force});
    amplitude = next;
    force = next_force;
  }
  if (!modes.table.empty() && given.stiffness.empty()) { modes.stiffness[0] = force / amplitude; }
}

/// Gives a shape the modes with closed forms that the case names.
void make_forms(GrainShape& shape, const Deformation& given, double poisson_ratio) {
  if (given.count) { throw CaseError("deformation.count", "is for the modes of a template, not for `forms`"); }
  try {
    const auto formulas = grains::closed_modes(shape, given.forms, given.beam_theory);
    if (formulas.size() > most_modes) {
      throw CaseError("forms", "make " + std::to_string(formulas.size()) + " modes, at most 32 are possible");
    }
    grains::set_modes(shape, formulas, poisson_ratio);
  } catch (const CaseError& error) {
    throw CaseError("deformation." + error.problems().front().path, error.problems().front().message);
  }
  grains::remove_rigid_motion(shape);
}

/// Keeps only the first `count` modes of the template of a shape.
void take_first(GrainShape& shape, std::size_t count, std::vector<std::string>& warnings) {
  GrainModes& modes = shape.modes;
  if (count > modes.count) {
    throw CaseError("deformation.count", "is more than the " + std::to_string(modes.count) + " modes of the template");
  }
  warn_of_split_group(modes, count, shape.name, warnings);
  keep_first_modes(modes, count, shape.points(), shape.node.size());
}

/// Makes the modes of a shape independent of each other.
void decouple_modes(GrainShape& shape, bool of_case, std::optional<double> poisson_ratio,
                    std::vector<std::string>& warnings) {
  try {
    static_cast<void>(grains::make_orthogonal(shape));
  } catch (const CaseError& error) {
    throw CaseError(of_case ? "deformation" : "file", error.problems().front().message);
  }
  if (poisson_ratio && std::fabs(*poisson_ratio - shape.modes.poisson_ratio) > 0.005) {
    warnings.push_back("shapes." + shape.name + ": its modes were made for Poisson's ratio " +
                       short_number_text(shape.modes.poisson_ratio, 3) + ", its particles have " +
                       short_number_text(*poisson_ratio, 3));
  }
}

}  // namespace

void give_modes(GrainShape& shape, const LevelSetTemplate& source, const Case& input, std::vector<std::string>& notes,
                std::vector<std::string>& warnings) {
  const Deformation given = source.deformation.value_or(Deformation{});
  GrainModes& modes = shape.modes;
  const std::optional<double> poisson_ratio = poisson_ratio_of(input, shape.name);
  const bool is_absolute = !given.mass.empty() || !given.stiffness.empty() || !given.table.empty();
  if (!given.forms.empty()) {
    make_forms(shape, given, poisson_ratio.value_or(0.25));
  } else if (source.deformation && modes.count == 0) {
    throw CaseError("deformation.forms", "is missing: the template has no modes of its own");
  } else if (given.count) {
    take_first(shape, *given.count, warnings);
  }
  if (modes.count == 0) { return; }
  if (is_absolute) {
    set_absolute(modes, given);
  } else {
    decouple_modes(shape, source.deformation.has_value(), poisson_ratio, warnings);
  }
  if (given.deforming_inertia) {
    if (is_absolute) {
      throw CaseError("deformation.deforming_inertia",
                      "is for modes whose masses follow from the density: leave out `mass` and `stiffness`");
    }
    grains::add_inertia(shape);
  }
  modes.damping = {given.damping_ratio, given.damping_coefficient, given.damping_by_stiffness};
  notes.push_back("shape " + shape.name + ": deforms by " + counted(modes.count, "mode (", "modes (") + modes.source +
                  ")");
}

}  // namespace scree
