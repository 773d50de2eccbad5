#pragma once

#include "kernels/backend/exec.hpp"
#include "kernels/history/segment_pool.hpp"
#include "kernels/laws/concept.hpp"

#if !SCREE_ON_CUDA

/// On the host: what contacts with stacks need after the vector loop over a stage. Steps that pop two segments, as most do that go on below the record, make a
/// vector loop of their own; what goes on deeper is done one by one.
namespace scree::inline SCREE_BACKEND {

/// Body of that loop.
template <class Law, class R>
struct DeeperSteps {
  using Input = typename Law::Deeper;
  struct Output {
    Vec3<R> force, moment, shear;
    R change;
    typename Law::History history;
    static constexpr int n_components = 10 + Law::History::n_components;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, force.x), visit(1, force.y), visit(2, force.z), visit(3, moment.x), visit(4, moment.y), visit(5, moment.z);
      visit(6, shear.x), visit(7, shear.y), visit(8, shear.z), visit(9, change);
      history.each([&](int component, R& value) { visit(10 + component, value); });
    }
  };
  typename Law::Params params;

  SCREE_INLINE Output evaluate(const Input& in) const {
    const R length = norm(in.branch);
    const Vec3<R> n = (R(1) / math::max(length, R(1e-37))) * in.branch;  // as in PairContacts
    typename Law::History history{};
    const LawResponse<R> response = Law::evaluate_deeper(in, n, params, history);
    return {in.step.normal * n + response.tangential, cross(response.tangential, n), response.shear, response.stack.change, history};
  }
};

template <class Contacts, class R, int n_in, int n_out>
void finish_stack_lanes(const Contacts& contacts, std::size_t first, const std::uint32_t* item, std::size_t count, R (&in)[n_in][stage_lanes],
                        R (&out)[n_out][stage_lanes]) {
  using Law = typename Contacts::LawType;
  using Steps = DeeperSteps<Law, R>;
  alignas(64) R deeper_in[Steps::Input::n_components][stage_lanes], deeper_out[Steps::Output::n_components][stage_lanes];
  std::uint32_t growing[stage_lanes + 1], going_on[stage_lanes + 1], whole[stage_lanes], deeper[stage_lanes];
  std::size_t n_growing = 0, n_going_on = 0, n_whole = 0, n_deeper = 0;
  const bool by_loop = Contacts::is_of_one_material && !Law::has_options(contacts.shared_params);

  // What a step means for its stack is hard to predict: lists instead of jumps.
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const R change = out[Contacts::Output::finish_component][lane];
    growing[n_growing] = going_on[n_going_on] = lane;
    n_growing += Law::grows_by_one(change) ? 1 : 0;
    n_going_on += Law::goes_deeper(change) ? 1 : 0;
  }
  for (std::size_t k = 0; k < n_going_on; ++k) { contacts.prefetch_stack(first + item[going_on[k]]); }
  const auto history_of = [&](typename Contacts::Input& input, std::uint32_t lane) {
    input.history.each([&](int component, R& value) { value = in[n_in - Contacts::row_width + component][lane]; });
  };
  for (std::size_t k = 0; k < n_growing; ++k) {
    const std::uint32_t lane = growing[k];
    typename Contacts::Input input;
    history_of(input, lane);
    if (!contacts.finish(first + item[lane], out[Contacts::Output::finish_component][lane], input)) { whole[n_whole++] = lane; }
  }
  for (std::size_t k = 0; k < n_going_on; ++k) {
    const std::uint32_t lane = going_on[k];
    const std::size_t slot = first + item[lane];
    typename Contacts::Input input;
    history_of(input, lane);
    const DeepStack<R> deep(contacts.of.pool, contacts.of.stack[slot]);
    if (!(by_loop && deep.shows_top())) {
      whole[n_whole++] = lane;
      continue;
    }
    typename Steps::Input now;
    now.history = input.history;
    now.step.each(Contacts::Output::finish_component, [&](int component, R& value) { value = out[component][lane]; });
    now.branch = {in[0][lane], in[1][lane], in[2][lane]};
    constexpr int e1 = n_out - Contacts::row_width;
    now.e1 = {out[e1][lane], out[e1 + 1][lane], out[e1 + 2][lane]};
    now.set_below(deep.top(), deep.below_top_end());
    now.each([&](int component, R& value) { deeper_in[component][n_deeper] = value; });
    deeper[n_deeper++] = lane;
  }

  const Steps steps{contacts.shared_params};
  const std::size_t vectors = (n_deeper + 15) / 16 * 16;
  for (std::size_t k = n_deeper; k < vectors; ++k) {  // no numbers that nobody has set
    for (auto& component : deeper_in) { component[k] = component[0]; }
  }
#pragma omp simd
  for (std::size_t k = 0; k < vectors; ++k) { evaluate_lane(steps, deeper_in, deeper_out, k); }
  for (std::size_t k = 0; k < n_deeper; ++k) {
    const std::uint32_t lane = deeper[k];
    DeepStack<R> deep(contacts.of.pool, contacts.of.stack[first + item[lane]]);
    if (!Law::finish_deeper(deeper_out[9][k], deep)) {
      whole[n_whole++] = lane;
      continue;
    }
    for (int c = 0; c < 9; ++c) { out[c][lane] = deeper_out[c][k]; }
    for (int c = 0; c < Contacts::row_width; ++c) { out[n_out - Contacts::row_width + c][lane] = deeper_out[10 + c][k]; }
  }

  for (std::size_t k = 0; k < n_whole; ++k) {
    const std::uint32_t lane = whole[k];
    typename Contacts::Input input;
    typename Contacts::Output output;
    input.each([&](int component, R& value) { value = in[component][lane]; });
    output.each([&](int component, R& value) { value = out[component][lane]; });
    contacts.evaluate_again(first + item[lane], input, output);
    output.each([&](int component, R& value) { out[component][lane] = value; });
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
