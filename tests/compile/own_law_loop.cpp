#include "examples/own_law.hpp"
#include "kernels/backend/host_sweep.hpp"

// The law of examples/own_law.hpp in a vector loop like that of the program; check_vectorised.sh looks at what the
// compiler makes of it. SCREE_JUMPS adds a jump with an effect, which no vector loop can have.
namespace scree {

#if defined(SCREE_JUMPS)
void report(float overlap);
#endif

/// The law as run_selected_range sees it: named numbers in, named numbers out.
struct OwnLawLoop {
  using Law = WaltonBraun<float>;

  struct Input {
    ContactState<float> contact;
    Law::History history;
    static constexpr int n_components = 14;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, contact.overlap), visit(1, contact.slip.x), visit(2, contact.slip.y), visit(3, contact.slip.z);
      visit(4, contact.shear.x), visit(5, contact.shear.y), visit(6, contact.shear.z), visit(7, contact.lean);
      visit(8, contact.shear_rest.x), visit(9, contact.shear_rest.y), visit(10, contact.shear_rest.z);
      visit(11, history.deepest), visit(12, contact.radius1), visit(13, contact.radius2);
    }
  };
  struct Output {
    LawResponse<float> response;
    Law::History history;
    static constexpr int n_components = 5;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, response.normal), visit(1, response.shear.x), visit(2, response.shear.y), visit(3, response.shear.z);
      visit(4, history.deepest);
    }
  };

  Law::Params params;
  float time_step;

  SCREE_INLINE Output evaluate(Input& input) const {
    input.contact.time_step = time_step;
    Output output;
#if defined(SCREE_JUMPS)
    if (input.contact.overlap > 1) { report(input.contact.overlap); }
#endif
    output.response = Law::evaluate(input.contact, params, input.history);
    output.history.deepest = input.history.deepest;
    return output;
  }
};

void evaluate_stage(const OwnLawLoop& law, const float (&in)[OwnLawLoop::Input::n_components][stage_lanes<float>],
                    float (&out)[OwnLawLoop::Output::n_components][stage_lanes<float>], std::size_t whole) {
#pragma omp simd
  for (std::size_t lane = 0; lane < whole; ++lane) { evaluate_lane(law, in, out, lane); }
}

}  // namespace scree
