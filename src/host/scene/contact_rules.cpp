#include "host/scene/contact_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "host/case/contact_values.hpp"
#include "host/case/laws.hpp"
#include "host/case/meeting_materials.hpp"
#include "host/case/rule_table.hpp"
#include "host/scene/linear_springs.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

struct DampingPoint {
  double restitution, beta;
};
constexpr std::array<DampingPoint, 19> damping_table = {{
    {0.05, 1.775850}, {0.10, 1.134870},  {0.20, 0.667534},  {0.30, 0.453915}, {0.40, 0.323620},
    {0.50, 0.233034}, {0.60, 0.165100},  {0.70, 0.111566},  {0.80, 0.067877}, {0.85, 0.048819},
    {0.90, 0.031280}, {0.925, 0.023016}, {0.95, 0.015061},  {0.96, 0.011961}, {0.97, 0.008906},
    {0.98, 0.005895}, {0.99, 0.002926},  {0.995, 0.001458}, {1.0, 0.0},
}};
/// -sqrt(5/6) / pi: a weakly damped impact loses m v^2 pi beta sqrt(6/5), the dashpot's work along the undamped one.
constexpr double slope_at_one = -0.29057584156627364;

double width(std::size_t i) { return damping_table[i + 1].restitution - damping_table[i].restitution; }
double chord(std::size_t i) { return (damping_table[i + 1].beta - damping_table[i].beta) / width(i); }

/// Slope at a point of the table: the weighted harmonic mean of the slopes of the chords on both sides, which keeps the
/// curve monotone.
double slope(std::size_t i) {
  if (i + 1 == damping_table.size()) return slope_at_one;
  if (i == 0) {
    // Three-point formula at the end. The table is convex and falling, so this one limit keeps the curve monotone.
    const double estimate = ((2 * width(0) + width(1)) * chord(0) - width(0) * chord(1)) / (width(0) + width(1));
    return std::max(estimate, 3 * chord(0));
  }
  const double before = 2 * width(i) + width(i - 1), after = width(i) + 2 * width(i - 1);
  return (before + after) / (before / chord(i - 1) + after / chord(i));
}

class Resolver {
 public:
  Resolver(const Case& input, std::vector<InputProblem>& problems, double loss)
      : case_(input), problems_(problems), meeting_(meeting_materials(input)), loss_(loss) {
    for (const auto& material : case_.materials) names_.push_back(material.first);
    rules_ = case_.contacts;
    if (rules_.empty()) rules_.push_back({});
    table_.emplace(names_, rules_);
  }

  ResolvedContacts resolve() {
    ResolvedContacts result;
    result.law = rules_.front().law;
    const std::size_t n = names_.size();
    result.pairs.resize(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a; b < n; ++b) result.pairs[a * n + b] = result.pairs[b * n + a] = pair(a, b);
    }
    return result;
  }

 private:
  [[nodiscard]] static bool has_springs(const ContactRule& rule) {
    return needs_of(rule.law).held_by == HeldBy::springs;
  }

  MaterialPair pair(std::size_t a, std::size_t b) {
    const Material &first = case_.materials[a].second, &second = case_.materials[b].second;
    const auto r = table_->rule_for(a, b);
    if (!r) return {};  // they never touch
    const ContactRule& rule = rules_[*r];
    MaterialPair values;
    if (rule.law != rules_.front().law) values.law = rule.law;
    values.friction = rule.friction.value_or(std::min(first.friction, second.friction));
    const double normal = needs_restitution(rule) ? restitution(a, b, *r) : 1;
    const double tangential = rule.restitution_tangential ? own_tangential(a, b, *r) : normal;
    if (has_springs(rule)) {
      values.springs = linear_springs(rule, normal, tangential);
    } else {
      values.damping_ratio = damping_ratio(normal);
      if (rule.restitution_tangential) values.damping_ratio_shear = damping_ratio(tangential);
      values.effective_young = rule.young_modulus;
      values.effective_shear = rule.shear_modulus;
    }
    values.restitution = normal;
    values.surface_energy = rule.surface_energy.value_or(0);
    values.rolling = rolling(rule, first, second, *r);
    if (meeting_.can_touch(a, b)) check_rolling(a, b, *r, values.rolling);
    if (rule.bond) values.bond = *rule.bond;
    if (meeting_.has_particles(a) && meeting_.has_particles(b)) check_moments(*r, values);
    if (rule.load_history) values.jaeger = *rule.load_history;
    if (rule.plasticity) values.plasticity = *rule.plasticity;
    values.cohesion = rule.cohesion;
    values.liquid = rule.liquid;
    if (needs_of(rule.law).makes_bonds() && rule.bond && meeting_.can_touch(a, b)) {
      values.range = range_of_bonds(*rule.bond, first, second, *r);
    }
    return values;
  }

  /// The rolling resistance that the rule gives. Without one it has the harmonic mean of the stiffnesses of the two
  /// materials, and the smaller friction and damping.
  RollingResistance rolling(const ContactRule& rule, const Material& a, const Material& b, std::size_t r) {
    RollingResistance both;
    if (rule.rolling) {
      both = *rule.rolling;
    } else if (a.rolling && b.rolling) {
      const auto mean = [](double p, double q) { return p > 0 && q > 0 ? 2 * p * q / (p + q) : 0; };
      both = {mean(a.rolling->stiffness, b.rolling->stiffness),
              std::min(a.rolling->friction, b.rolling->friction),
              mean(a.rolling->twisting_stiffness, b.rolling->twisting_stiffness),
              std::min(a.rolling->twisting_friction, b.rolling->twisting_friction),
              std::min(a.rolling->damping, b.rolling->damping),
              a.rolling->type,
              std::min(a.rolling->viscosity, b.rolling->viscosity)};
    }
    if (both.type != RollingType::elastic_plastic) return both;
    const bool needless =
        (both.stiffness > 0 && both.friction == 0) || (both.twisting_stiffness > 0 && both.twisting_friction == 0);
    if (rule.rolling && needless && !needs_of(rule.law).makes_bonds()) {
      add_once("contacts." + std::to_string(r) + ".rolling",
               "a stiffness without friction has no effect; only bonds resist without friction");
    }
    return both;
  }

  void check_rolling(std::size_t a, std::size_t b, std::size_t r, const RollingResistance& rolling) {
    const ContactRule& rule = rules_[r];
    const LawNeeds& law = needs_of(rule.law);
    const auto &first = case_.materials[a].second.rolling, &second = case_.materials[b].second.rolling;
    const std::string path = "contacts." + std::to_string(r) + ".rolling";
    if (!rule.rolling && first && second && first->acts() && second->acts() && first->type != second->type) {
      add_once(path, "is missing: the rolling resistances of \"" + names_[a] + "\" and \"" + names_[b] +
                         "\" are of different types, so the rule must say which holds");
      return;
    }
    if (!rolling.acts()) return;
    if (!law.rolling) return refuse_rolling(a, b, r);
    if (!rolling.is_moment()) return;
    if (!law.rolling_moments) {
      add_once(path, "of type A or B does not go with the law " + law_name(rule.law) + ", but with " +
                         names_of_laws([](const LawNeeds& other) { return other.rolling_moments; }));
    }
    if (rule.cohesion || rule.liquid) {
      add_once(path, "of type A or B does not go with cohesion and liquid beside the law; type C does");
    }
  }

  /// Checks that a bond whose criterion of breaking counts moments has springs that make moments.
  void check_moments(std::size_t r, const MaterialPair& values) {
    if (!needs_of(rules_[r].law).makes_bonds() || !(values.bond.moment_contribution > 0)) return;
    if (values.rolling.acts() && !values.rolling.is_moment()) return;
    add_once(
        "contacts." + std::to_string(r) + ".bond.moment_contribution",
        "needs \"rolling\" of type C with a stiffness or twisting_stiffness: its springs have the moments of a bond "
        "of spheres; bonds of level-set grains have none");
  }

  void refuse_rolling(std::size_t a, std::size_t b, std::size_t r) {
    const std::string law = "does not go with the law " + law_name(rules_[r].law);
    add_once("contacts." + std::to_string(r) + ".rolling",
             rules_[r].rolling ? law + ", whose contacts roll and twist freely"
                               : "\"" + names_[a] + "\" and \"" + names_[b] + "\" have rolling resistance, which " +
                                     law + "; \"rolling\": {} in this rule leaves it out");
  }

  /// [-] The range of a pair with bonds. A bond stretches to the strain of its strength before it breaks, and until
  /// then its pair must be listed; 5 % are added for the step in which it breaks.
  double range_of_bonds(const Bond& bond, const Material& a, const Material& b, std::size_t r) {
    const double young = 0.5 * (a.young_modulus + b.young_modulus);
    const double scatter = most_scatter(bond);
    const double most_strain = scatter * bond.tensile_strength / young;
    if (!(most_strain < 1)) {
      add_once("contacts." + std::to_string(r) + ".bond.tensile_strength",
               "must be less than Young's modulus, " + number_text(young) + " Pa, got " +
                   number_text(bond.tensile_strength) +
                   (scatter > 1 ? ", of which the strongest bond may have " + short_number_text(scatter, 3) + " times"
                                : ""));
      return 1;
    }
    return 1.05 * bond.interaction_range * (1 + most_strain);
  }

  double own_tangential(std::size_t a, std::size_t b, std::size_t r) {
    return allowed(*rules_[r].restitution_tangential, a, b, r,
                   "contacts." + std::to_string(r) + ".restitution_tangential");
  }

  /// The restitution of parcels, from that of their grains. If no law can have it, this adds a problem and returns 1.
  double of_parcels(double value, std::size_t a, std::size_t b, const std::string& path) {
    if (loss_ == 1 || !meeting_.has_particles(a) || !meeting_.has_particles(b)) return value;
    constexpr double least = least_restitution * least_restitution;
    const double square = 1 - loss_ * (1 - value * value);
    if (square >= least) return std::sqrt(square);
    add_once(path, "must be at least " + short_number_text(std::sqrt(1 - (1 - least) / loss_), 4) +
                       " with parcels.restitution \"scaled\": impacts of parcels lose " + number_text(loss_) +
                       " times the part 1 - e^2 of those of grains, got " + number_text(value));
    return 1;
  }

  /// The restitution that the law uses. If the law cannot have it, this adds a problem and returns 1.
  double allowed(double value, std::size_t a, std::size_t b, std::size_t r, const std::string& path) {
    value = of_parcels(value, a, b, path);
    const double least = has_springs(rules_[r]) ? std::numeric_limits<double>::min() : least_restitution;
    if (value >= least && value <= 1) return value;
    if (meeting_.can_touch(a, b)) {
      const std::string from = has_springs(rules_[r]) ? "(0" : "[" + number_text(least);
      add_once(path, "must be in " + from + ", 1] for " + law_name(rules_[r].law) + ", got " + number_text(value));
    }
    return 1;
  }

  double restitution(std::size_t a, std::size_t b, std::size_t r) {
    const auto own_a = case_.materials[a].second.restitution, own_b = case_.materials[b].second.restitution;
    const auto& given = rules_[r].restitution;
    if (!given && !own_a && !own_b) return 1;  // they never touch
    const bool from_a = own_a && (!own_b || *own_a <= *own_b);
    return allowed(given ? *given : (from_a ? *own_a : *own_b), a, b, r,
                   given ? "contacts." + std::to_string(r) + ".restitution"
                         : "materials." + names_[from_a ? a : b] + ".restitution");
  }

  void add_once(const std::string& path, const std::string& message) {
    const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const auto& p) { return p.path == path; });
    if (!known) problems_.push_back({path, message});
  }

  const Case& case_;
  std::vector<InputProblem>& problems_;
  std::vector<std::string> names_;
  std::vector<ContactRule> rules_;
  std::optional<RuleTable> table_;
  MeetingMaterials meeting_;
  double loss_;
};

}  // namespace

double most_scatter(const Bond& bond) {
  constexpr double most_logarithm = 37.1;  // BondStrength::most_logarithm
  return bond.weibull_modulus ? std::pow(most_logarithm, 1 / *bond.weibull_modulus) : 1;
}

double damping_ratio(double restitution) {
  SCREE_EXPECT(restitution >= least_restitution && restitution <= 1, "needs a restitution in [0.05, 1]");
  std::size_t i = 0;
  while (i + 2 < damping_table.size() && restitution >= damping_table[i + 1].restitution) ++i;
  const double h = width(i), t = (restitution - damping_table[i].restitution) / h, s = 1 - t;
  const double left = damping_table[i].beta, right = damping_table[i + 1].beta;
  return s * s * (1 + 2 * t) * left + t * t * (1 + 2 * s) * right + h * s * t * (s * slope(i) - t * slope(i + 1));
}

ResolvedContacts resolve_contacts(const Case& input, std::vector<InputProblem>& problems, double loss) {
  return Resolver(input, problems, loss).resolve();
}

}  // namespace scree
