#pragma once

#include "kernels/backend/exec.hpp"
#include "kernels/history/deep_stack.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/step/pairs/sphere_pair.hpp"

#if !SCREE_ON_CUDA

/// On the host, work on the stacks of contacts that follows the vector loop over a stage. Contacts wait in a queue
/// until they fill a vector loop of their own. Meanwhile the ends of their stacks are fetched from memory.
namespace scree::inline SCREE_BACKEND {

/// A contact in the queue, with all values that the vector loop needs. For `own_params` see PairInput.
template <class Law, class R, bool own_params>
struct WaitingContact {
  typename Law::History history;  ///< before the step
  StackStep<R> step;
  Vec3<R> branch, e1;
  typename Law::Params params;

  static constexpr int n_components =
      Law::History::n_components + StackStep<R>::n_components + 6 + (own_params ? Law::Params::n_components : 0);
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    history.each(visit);
    constexpr int n = Law::History::n_components;
    step.each(n, visit);
    constexpr int m = n + StackStep<R>::n_components;
    visit(m, branch.x), visit(m + 1, branch.y), visit(m + 2, branch.z), visit(m + 3, e1.x), visit(m + 4, e1.y),
        visit(m + 5, e1.z);
    if constexpr (own_params) {
      params.each([&](int component, R& value) { visit(m + 6 + component, value); });
    }
  }
  [[nodiscard]] SCREE_INLINE Vec3<R> normal() const { return normal_along(branch); }
};

/// The result of the vector loop for one contact.
template <class Law, class R>
struct AnswerToWaiting {
  Vec3<R> force, moment, shear;
  R change;
  typename Law::History history;

  static constexpr int n_components = 10 + Law::History::n_components;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, change), visit(1, force.x), visit(2, force.y), visit(3, force.z), visit(4, moment.x), visit(5, moment.y),
        visit(6, moment.z);
    visit(7, shear.x), visit(8, shear.y), visit(9, shear.z);
    history.each([&](int component, R& value) { visit(10 + component, value); });
  }
};

/// Structs of numbers in lanes, stored component by component.
template <class T, class R, std::size_t lanes>
struct LaneColumns {
  alignas(64) R of[T::n_components][lanes];

  SCREE_INLINE T get(std::size_t lane) const {
    T value;
    value.each([&](int component, R& number) { number = of[component][lane]; });
    return value;
  }
  SCREE_INLINE void set(std::size_t lane, T value) {
    value.each([&](int component, R& number) { of[component][lane] = number; });
  }
};

/// The queue for the slots of one stage.
template <class Contacts>
class StackQueue {
  using Law = typename Contacts::LawType;
  using R = typename Contacts::Scalar;
  using Params = typename Law::Params;
  using Waiting = WaitingContact<Law, R, !Contacts::is_of_one_class>;
  using Answer = AnswerToWaiting<Law, R>;
  using Descent = typename Law::Descent;

 public:
  explicit StackQueue(const Contacts& contacts) : contacts_(contacts) {}

  /// Queues the lanes of a stage whose step is not finished by `out`: it has a segment to push, or segments to pop
  /// below the record. All lanes may be stored meanwhile; the queue later replaces results that are not valid.
  template <int n_in, int n_out>
  SCREE_INLINE void take(std::size_t first, const std::uint32_t* item, std::size_t count,
                         const R (&in)[n_in][stage_lanes<R>], const R (&out)[n_out][stage_lanes<R>]) {
    using Input = typename Contacts::Input;
    using Output = typename Contacts::Output;
    std::uint32_t growing[stage_lanes<R> + 1], waiting[stage_lanes<R> + 1];
    std::size_t n_growing = 0, n_waiting = 0;
    const auto input_of = [&](std::uint32_t lane) {
      Input input;
      input.each([&](int component, R& value) { value = in[component][lane]; });
      return input;
    };
    const auto params_in = [&](const Input& input) -> Params {
      return Contacts::is_of_one_class ? contacts_.shared_params : input.params;
    };

    // It is hard to predict which lanes have more to do, so this makes lists without branches.
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const R change = out[Output::finish_component][lane];
      const bool waits = Law::needs_more(change, params_in(input_of(lane)));
      growing[n_growing] = waiting[n_waiting] = lane;
      n_waiting += waits ? 1 : 0;
      n_growing += Law::grows_by_one(change) && !waits ? 1 : 0;
    }
    if (n_growing_ + n_growing > lanes) { push(); }
    while (n_waiting_ + n_waiting > lanes) { descend(); }
    for (std::size_t k = 0; k < n_growing; ++k) {
      const std::size_t slot = first + item[growing[k]];
      contacts_.prefetch_stack(slot);
      growing_[n_growing_++] = {slot, Law::handed_down(input_of(growing[k]).history)};
    }
    for (std::size_t k = 0; k < n_waiting; ++k) {
      const std::uint32_t lane = waiting[k];
      const std::size_t slot = first + item[lane];
      contacts_.prefetch_stack(slot);
      const Input input = input_of(lane);
      Output output;
      output.each([&](int component, R& value) { value = out[component][lane]; });
      slot_[n_waiting_] = slot;
      waiting_.set(n_waiting_++,
                   Waiting{input.history, output.stack, input.branch, output.history.e1, params_in(input)});
    }
  }

  /// Processes the rest of the queue. All lanes must have been stored.
  void finish() {
    push();
    while (n_waiting_ > too_few) { descend(); }
    for (std::uint32_t k = 0; k < n_waiting_; ++k) { do_alone(k); }
    n_waiting_ = n_started_ = 0;
  }

 private:
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t too_few = 2;          ///< up to this number of contacts are done one by one
  static constexpr std::uint32_t most_released = 6;  ///< a contact that pops more segments is computed alone

  /// A segment that waits to be pushed.
  struct Growth {
    std::size_t slot;
    JaegerSegment<R> segment;
  };

  template <class T, class Number>
  using Lanes = LaneColumns<T, Number, lanes + 16>;  // 16 more, because a vector may begin at any lane

  SCREE_INLINE static void start_lane(const Lanes<Waiting, R>& waiting, const Params& shared,
                                      Lanes<Descent, double>& at, std::size_t k) {
    const Waiting contact = waiting.get(k);
    at.set(k, Law::descent_from(contact.history, contact.step, Contacts::is_of_one_class ? shared : contact.params));
  }
  SCREE_INLINE static void descend_lane(const Lanes<Waiting, R>& waiting, const Params& shared,
                                        Lanes<Descent, double>& at, Lanes<Answer, R>& answers, std::size_t k) {
    const Waiting contact = waiting.get(k);
    Descent descent = at.get(k);
    const Vec3<R> n = contact.normal();
    typename Law::History history{};
    const LawResponse<R> response = Law::descend(descent, contact.step, n, contact.e1,
                                                 Contacts::is_of_one_class ? shared : contact.params, history);
    answers.set(k, Answer{contact.step.normal * n + response.tangential, cross(response.tangential, n), response.shear,
                          response.stack.change, history});
    at.set(k, descent);
  }

  /// Pushes all waiting segments.
  void push() {
    for (std::size_t k = 0; k < n_growing_; ++k) { stack_of(growing_[k].slot).prefetch_for_push(); }
    for (std::size_t k = 0; k < n_growing_; ++k) { contacts_.hand_down(growing_[k].slot, growing_[k].segment); }
    n_growing_ = 0;
  }

  /// Pops one more segment of each waiting contact. Contacts that must pop still more stay in the queue, so that the
  /// next pass has enough lanes.
  void descend() {
    const Params shared = contacts_.shared_params;
    const std::size_t end = (n_waiting_ + 15) / 16 * 16;
    for (std::size_t k = n_waiting_; k < end; ++k) {  // the loops below read these lanes, so they must hold numbers
      if (k >= n_set_) { waiting_.set(k, waiting_.get(0)); }
    }
    n_set_ = math::max(n_set_, end);
    const std::size_t n_new = (n_waiting_ - n_started_ + 15) / 16 * 16, n_old = n_started_;
#pragma omp simd
    for (std::size_t k = 0; k < n_new; ++k) { start_lane(waiting_, shared, at_, n_old + k); }

    for (std::size_t k = n_old; k < n_waiting_; ++k) { stack_of(slot_[k]).prefetch_for_pop(); }
    std::uint32_t n = 0;
    for (std::uint32_t k = 0; k < n_waiting_; ++k) {
      released_[k] = k < n_old ? released_[k] + 1 : 1;
      const DeepStack<R> deep = stack_of(slot_[k]);
      if (Law::goes_deeper(change_of(k)) && released_[k] <= math::min(deep.size(), most_released)) {
        if (n != k) { move(k, n); }
        show(deep, n++);
      } else {
        do_alone(k);
      }
    }
#pragma omp simd
    for (std::size_t k = 0; k < end; ++k) { descend_lane(waiting_, shared, at_, answers_, k); }
    n_waiting_ = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      const R change = answers_.of[0][k];
      if (Law::goes_deeper(change)) {
        if (n_waiting_ != k) { move(k, n_waiting_); }
        ++n_waiting_;
        continue;
      }
      DeepStack<R> deep = stack_of(slot_[k]);
      for (std::uint32_t gone = Law::gone(change, released_[k]); gone > 0; --gone) { deep.pop(); }
      store(k, answers_.get(k));
    }
    n_started_ = n_waiting_;
  }

  SCREE_INLINE DeepStack<R> stack_of(std::size_t slot) const {
    return DeepStack<R>(contacts_.of.pool, contacts_.of.stack[slot]);
  }
  /// Moves a waiting contact to another lane.
  void move(std::uint32_t from, std::uint32_t to) {
    slot_[to] = slot_[from], released_[to] = released_[from];
    waiting_.set(to, waiting_.get(from));
    at_.set(to, at_.get(from));
  }

  /// Advances the descent of a lane by one segment, unless it is just starting, and reads its third segment from the
  /// stack.
  SCREE_INLINE void show(const DeepStack<R>& deep, std::uint32_t k) {
    Descent at = at_.get(k);
    if (released_[k] > 1) { at.shift(); }
    const std::uint32_t below = deep.size() - released_[k];
    const JaegerSegment<R> third = deep.at(below);
    at.end3 = third.signed_end, at.slope3 = convert<double>(third.kept_slope);
    at.end4 = below > 0 ? deep.at(below - 1).signed_end : 0.0;
    at_.set(k, at);
  }

  /// Repeats the step of a waiting contact with its whole stack.
  void do_alone(std::uint32_t k) {
    const Waiting contact = waiting_.get(k);
    DeepStack<R> deep = stack_of(slot_[k]);
    const Vec3<R> n = contact.normal();
    Answer answer{};
    answer.history = contact.history;
    const LawResponse<R> response =
        Law::again(contact.step, Contacts::is_of_one_class ? contacts_.shared_params : contact.params, n, contact.e1,
                   answer.history, deep);
    answer.force = response.normal * n + response.tangential;
    answer.moment = cross(response.tangential, n);
    answer.shear = response.shear;
    store(k, answer);
  }

  SCREE_INLINE R change_of(std::size_t k) const { return waiting_.of[Law::History::n_components][k]; }
  SCREE_INLINE void store(std::uint32_t k, Answer answer) const {
    contacts_.store_force(slot_[k], answer.force, answer.moment, answer.shear);
    R* row = contacts_.row(slot_[k]);
    answer.history.each([&](int component, R& value) { row[component] = value; });
  }

  const Contacts& contacts_;
  std::uint32_t n_growing_ = 0, n_waiting_ = 0;
  std::uint32_t n_started_ = 0;  ///< the first n_started_ of the waiting contacts have popped segments already
  std::size_t slot_[lanes];      ///< slots of the waiting contacts
  Growth growing_[lanes];
  std::size_t n_set_ = 0;          ///< number of lanes that have ever been set
  std::uint32_t released_[lanes];  ///< number of segments that each waiting contact pops, including the present pass
  Lanes<Waiting, R> waiting_;
  Lanes<Descent, double> at_;
  Lanes<Answer, R> answers_;
};

}  // namespace scree::inline SCREE_BACKEND

#endif
