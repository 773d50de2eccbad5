#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/history/jaeger_top.hpp"
#include "kernels/laws/mindlin_reversal.hpp"

/// One step of one contact with the law jaeger, along histories with stacks of different lengths, and with the law
/// mindlin_reversal. All contacts make one step after another, as in a run. Kinematics, which every law needs, is left
/// out.
namespace scree {
namespace {

constexpr std::size_t n_contacts = 8192;  // 4000 spheres have this many contacts
constexpr double kappa = 1.1, friction = 0.5;

struct Kind {
  int pieces;    ///< number of elastic pieces of the first load
  double rough;  ///< [-] tangential over normal movement, over kappa mu
};
constexpr Kind kinds[] = {{0, 30}, {40, 1.5}, {300, 1.2}};

template <class R>
struct Move {
  double zeta;
  Vec2<R> movement;
};

/// A first load in pieces, then steps of 4e-4 around it that keep their direction for some tens of steps.
template <class R>
std::vector<Move<R>> history_of(const Kind& kind, std::size_t n) {
  std::mt19937_64 generator(1);
  const auto flat = [&] { return 2 * (double(generator() >> 11) * 0x1p-53) - 1; };
  const auto normal = [&] { return flat() + flat() + flat(); };
  std::vector<Move<R>> moves;
  double zeta = 0.5;
  moves.push_back({zeta, {R(0), R(0)}});
  for (int k = 0; k < kind.pieces; ++k) {
    const double step = 0.5 / kind.pieces * (1 + 0.8 * flat()), along = kappa * friction * step;
    zeta += step;
    moves.push_back({zeta, {R(along * (0.5 + 0.3 * flat())), R(along * 0.5 * flat())}});
  }
  const double size = 4e-4, keeps = 0.98, fresh = std::sqrt(1 - keeps * keeps), centre = zeta,
               home = kind.pieces > 0 ? 5e-3 : 0;
  double press = 0, x = 0, y = 0, at_x = 0, at_y = 0;
  while (moves.size() < n) {
    press = keeps * press + fresh * normal(), x = keeps * x + fresh * normal(), y = keeps * y + fresh * normal();
    zeta += size * (0.7 * press + 0.7 * normal()) + 5e-3 * (centre - zeta);
    const double along = kappa * friction * size * kind.rough;
    const double dx = along * (0.9 * x + 0.1 * normal()) - home * at_x,
                 dy = along * (0.9 * y + 0.1 * normal()) - home * at_y;
    at_x += dx, at_y += dy;
    moves.push_back({zeta, {R(dx), R(dy)}});
  }
  return moves;
}

template <class R>
struct Segments {
  std::vector<JaegerSegment<R>> list;
  std::uint32_t size() const { return std::uint32_t(list.size()); }
  JaegerSegment<R> top() const { return list.back(); }
  JaegerSegment<R> below_top() const { return list[list.size() - 2]; }
  double below_end() const { return list.size() > 1 ? below_top().end() : 0.0; }
  void push(const JaegerSegment<R>& segment) { list.push_back(segment); }
  void pop() { list.pop_back(); }
  void replace_top(const JaegerSegment<R>& segment) { list.back() = segment; }
  void clear() { list.clear(); }
};

template <class R>
struct Whole {
  Segments<R> stack;
  Vec2<double> force{0, 0};
};

/// The segments below the records, in pages of 8. Each page knows the page below it.
template <class R>
struct Pool {
  struct Page {
    JaegerSegment<R> segment[8];
    std::uint32_t below;
  };
  std::vector<Page> pages;
  std::vector<std::uint32_t> free;

  std::uint32_t take(std::uint32_t below) {
    if (free.empty()) {
      free.push_back(std::uint32_t(pages.size()));
      pages.emplace_back();
    }
    const std::uint32_t page = free.back();
    free.pop_back();
    pages[page].below = below;
    return page;
  }
};
template <class R>
struct Deep {
  Pool<R>& pool;
  std::uint32_t& page;
  std::uint32_t n;

  std::uint32_t size() const { return n; }
  JaegerSegment<R> top() const { return pool.pages[page].segment[(n - 1) % 8]; }
  void push(const JaegerSegment<R>& segment) {
    if (n % 8 == 0) { page = pool.take(page); }
    pool.pages[page].segment[n++ % 8] = segment;
  }
  void pop() {
    if (--n % 8 == 0) {
      pool.free.push_back(page);
      page = pool.pages[page].below;
    }
  }
  void clear() {
    while (n > 0) { pop(); }
  }
};

template <class R>
struct Record {
  JaegerTop<R> top{};
  std::uint32_t n = 0, page = 0;
};

constexpr std::size_t length_of_history = 20000, steps = 256;

template <class R>
class Contacts {
 public:
  explicit Contacts(const Kind& kind)
      : moves_(history_of<R>(kind, length_of_history)), whole_(n_contacts), record_(n_contacts), place_(n_contacts) {
    // One contact runs through the whole history. The others are copies of it at different moments.
    Whole<R> at;
    std::size_t next = 0;
    for (std::size_t i = 0; i < n_contacts; ++i) {
      const std::size_t from =
          std::size_t(kind.pieces) + 1 + i * (length_of_history - steps - std::size_t(kind.pieces) - 2) / n_contacts;
      for (; next < from; ++next) { jaeger_step<R>(at.stack, at.force, of_, moves_[next].zeta, moves_[next].movement); }
      place_[i] = from;
      whole_[i] = at;
    }
    // Contacts that are neighbours in memory get unrelated moments of the history.
    std::mt19937_64 generator(2);
    for (std::size_t i = n_contacts; i > 1; --i) {
      const std::size_t k = generator() % i;
      std::swap(place_[i - 1], place_[k]), std::swap(whole_[i - 1], whole_[k]);
    }
    for (std::size_t i = 0; i < n_contacts; ++i) {
      const auto& list = whole_[i].stack.list;
      const std::size_t n = list.size();
      Record<R>& r = record_[i];
      r.n = std::uint32_t(n), r.top.force = whole_[i].force;
      if (n > 0) { r.top.end1 = list[n - 1].signed_end, r.top.slope1 = list[n - 1].kept_slope; }
      if (n > 1) { r.top.end2 = list[n - 2].signed_end, r.top.slope2 = list[n - 2].kept_slope; }
      if (n > 2) {
        r.top.end3 = list[n - 3].signed_end;
        Deep<R> deep{pool_, r.page, 0};
        for (std::size_t k = 0; k + 2 < n; ++k) { deep.push(list[k]); }
      }
    }
  }

  void count(benchmark::State& state) const {
    double length = 0, kinds_of_steps[7] = {}, pops = 0, n = 0, deeper = 0;
    for (std::size_t i = 0; i < n_contacts; i += 16) {
      Whole<R> at = whole_[i];
      for (std::size_t k = 0; k < steps; ++k) {
        const auto& move = moves_[place_[i] + k];
        const auto step = jaeger_step<R>(at.stack, at.force, of_, move.zeta, move.movement);
        ++kinds_of_steps[int(step.event)], pops += step.pops, length += at.stack.size(), ++n;
        deeper += step.pops > 1 && at.stack.size() + step.pops > 3;
      }
    }
    state.counters["length"] = length / n;
    state.counters["pops"] = pops / n;
    state.counters["%elastic"] = 100 * kinds_of_steps[1] / n;
    state.counters["%slip"] = 100 * kinds_of_steps[2] / n;
    state.counters["%unload"] = 100 * kinds_of_steps[3] / n;
    state.counters["%full"] = 100 * kinds_of_steps[4] / n;
    state.counters["%deeper"] = 100 * deeper / n;
  }

  void step_whole(std::size_t k) {
    for (std::size_t i = 0; i < n_contacts; ++i) {
      const auto& move = moves_[place_[i] + k];
      Whole<R>& at = whole_[i];
      normal_ += jaeger_step<R>(at.stack, at.force, of_, move.zeta, move.movement).normal;
    }
  }

  void finish(std::size_t i, const JaegerTop<R>& after, JaegerChange change, double zeta, const Vec2<R>& movement) {
    Record<R>& r = record_[i];
    if (change == JaegerChange::goes_on) {
      Deep<R> deep{pool_, r.page, r.n > 2 ? r.n - 2 : 0};
      JaegerTopStack<R, Deep<R>> stack{r.top, deep, r.n};
      jaeger_step<R>(stack, r.top.force, of_, zeta, movement);
      r.n = stack.n;
      return;
    }
    if (change == JaegerChange::grows) {
      if (r.n > 1) { Deep<R>{pool_, r.page, r.n - 2}.push({r.top.end2, r.top.slope2}); }
      ++r.n;
    }
    r.n = change == JaegerChange::one ? 1 : r.n;
    r.top = after;
  }

  void step_record(std::size_t k) {
    for (std::size_t i = 0; i < n_contacts; ++i) {
      const auto& move = moves_[place_[i] + k];
      const JaegerTopStep<R> step = jaeger_step_of_top(record_[i].top, of_, move.zeta, move.movement);
      normal_ += step.normal;
      finish(i, step.after, step.change, move.zeta, move.movement);
    }
  }

  void step_lanes(std::size_t k) {
    constexpr std::size_t lanes = 64;
    alignas(64) double wide[6][lanes], wide_out[5][lanes];
    alignas(64) R narrow[6][lanes], narrow_out[5][lanes];
    alignas(64) std::uint32_t change[lanes];
    for (std::size_t first = 0; first < n_contacts; first += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const JaegerTop<R>& top = record_[first + lane].top;
        const auto& move = moves_[place_[first + lane] + k];
        wide[0][lane] = top.end1, wide[1][lane] = top.end2, wide[2][lane] = top.end3;
        wide[3][lane] = top.force.x, wide[4][lane] = top.force.y, wide[5][lane] = move.zeta;
        narrow[0][lane] = top.slope1.x, narrow[1][lane] = top.slope1.y, narrow[2][lane] = top.slope2.x,
        narrow[3][lane] = top.slope2.y;
        narrow[4][lane] = move.movement.x, narrow[5][lane] = move.movement.y;
      }
#pragma omp simd
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        evaluate_lane(of_, wide, narrow, wide_out, narrow_out, change, lane);
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const JaegerTop<R> after{wide_out[0][lane],
                                 wide_out[1][lane],
                                 wide_out[2][lane],
                                 {narrow_out[0][lane], narrow_out[1][lane]},
                                 {narrow_out[2][lane], narrow_out[3][lane]},
                                 {wide_out[3][lane], wide_out[4][lane]}};
        normal_ += narrow_out[4][lane];
        finish(first + lane, after, JaegerChange(change[lane]), wide[5][lane], {narrow[4][lane], narrow[5][lane]});
      }
    }
  }

  R normal_ = 0;

 private:
  template <std::size_t lanes>
  static SCREE_INLINE void evaluate_lane(const JaegerValues<R>& of, const double (&wide)[6][lanes],
                                         const R (&narrow)[6][lanes], double (&wide_out)[5][lanes],
                                         R (&narrow_out)[5][lanes], std::uint32_t (&change)[lanes], std::size_t lane) {
    JaegerTop<R> top;
    top.end1 = wide[0][lane], top.end2 = wide[1][lane], top.end3 = wide[2][lane];
    top.force.x = wide[3][lane], top.force.y = wide[4][lane];
    top.slope1.x = narrow[0][lane], top.slope1.y = narrow[1][lane], top.slope2.x = narrow[2][lane],
    top.slope2.y = narrow[3][lane];
    const Vec2<R> movement{narrow[4][lane], narrow[5][lane]};
    const JaegerTopStep<R> step = jaeger_step_of_top(top, of, wide[5][lane], movement);
    wide_out[0][lane] = step.after.end1, wide_out[1][lane] = step.after.end2, wide_out[2][lane] = step.after.end3;
    wide_out[3][lane] = step.after.force.x, wide_out[4][lane] = step.after.force.y;
    narrow_out[0][lane] = step.after.slope1.x, narrow_out[1][lane] = step.after.slope1.y;
    narrow_out[2][lane] = step.after.slope2.x, narrow_out[3][lane] = step.after.slope2.y,
    narrow_out[4][lane] = step.normal;
    change[lane] = std::uint32_t(step.change);
  }

  JaegerValues<R> of_ = JaegerValues<R>::of(1, kappa, friction);
  std::vector<Move<R>> moves_;
  std::vector<Whole<R>> whole_;
  std::vector<Record<R>> record_;
  Pool<R> pool_;
  std::vector<std::size_t> place_;
};

/// 64 steps of all contacts, from the same state each time. The time of the set-up does not count.
template <class R, void (Contacts<R>::*step)(std::size_t)>
void jaeger(benchmark::State& state) {
  const Contacts<R> start(kinds[state.range(0)]);
  for (auto _ : state) {
    state.PauseTiming();
    Contacts<R> contacts = start;
    state.ResumeTiming();
    for (std::size_t k = 0; k < steps; ++k) { (contacts.*step)(k); }
    benchmark::DoNotOptimize(contacts.normal_);
    state.PauseTiming();
    { const Contacts<R> gone = std::move(contacts); }
    state.ResumeTiming();
  }
  start.count(state);
  state.counters["ns"] = benchmark::Counter(
      1e-9 * double(steps * n_contacts), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(jaeger<float, &Contacts<float>::step_whole>)->Name("jaeger/whole/float")->DenseRange(0, 2);
BENCHMARK(jaeger<double, &Contacts<double>::step_whole>)->Name("jaeger/whole/double")->DenseRange(0, 2);
BENCHMARK(jaeger<float, &Contacts<float>::step_record>)->Name("jaeger/record/float")->DenseRange(0, 2);
BENCHMARK(jaeger<double, &Contacts<double>::step_record>)->Name("jaeger/record/double")->DenseRange(0, 2);
BENCHMARK(jaeger<float, &Contacts<float>::step_lanes>)->Name("jaeger/lanes/float")->DenseRange(0, 2);
BENCHMARK(jaeger<double, &Contacts<double>::step_lanes>)->Name("jaeger/lanes/double")->DenseRange(0, 2);

template <class R>
struct MindlinContact {
  Vec3<R> shear;
  typename MindlinReversal<R>::History history;
};

template <class R>
SCREE_INLINE ContactState<R> mindlin_state(R overlap, R before, R x, R y) {
  ContactState<R> c{};
  c.n = {R(0), R(0), R(1)};
  c.overlap = overlap, c.overlap_before = before;
  c.slip = {x, y, R(0)};
  c.effective_radius = c.effective_mass = c.time_step = R(1);
  return c;
}

/// A separate function, since structs that are declared in a simd loop would become arrays of structs.
template <class R, std::size_t lanes>
SCREE_INLINE void mindlin_lane(const HertzParams<R>& params, const R (&in)[10][lanes], R (&out)[7][lanes],
                               std::size_t lane) {
  ContactState<R> now = mindlin_state(in[0][lane], in[1][lane], in[2][lane], in[3][lane]);
  now.shear = {in[4][lane], in[5][lane], in[6][lane]};
  typename MindlinReversal<R>::History history{in[7][lane], in[8][lane], in[9][lane]};
  const LawResponse<R> response = MindlinReversal<R>::evaluate(now, params, history);
  out[0][lane] = response.shear.x, out[1][lane] = response.shear.y, out[2][lane] = response.shear.z;
  out[3][lane] = history.outer, out[4][lane] = history.along, out[5][lane] = history.across,
  out[6][lane] = response.normal;
}

/// The same histories under mindlin_reversal, one contact at a time or in lanes.
template <class R, bool in_lanes>
void mindlin(benchmark::State& state) {
  const auto moves = history_of<R>(kinds[state.range(0)], length_of_history);
  const HertzParams<R> params{R(0.75), R(1.5 / kappa), R(0), R(0), R(friction)};
  std::vector<MindlinContact<R>> contacts(n_contacts);
  std::vector<std::size_t> place(n_contacts);
  std::mt19937_64 generator(2);
  for (std::size_t& p : place) { p = 300 + generator() % (length_of_history - steps - 301); }
  R normal = 0;
  for (auto _ : state) {
    for (std::size_t k = 0; k < steps; ++k) {
      constexpr std::size_t lanes = 64;
      alignas(64) R in[10][lanes], out[7][lanes];
      for (std::size_t first = 0; first < n_contacts; first += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const MindlinContact<R>& c = contacts[first + lane];
          const auto &move = moves[place[first + lane] + k], &old = moves[place[first + lane] + k - 1];
          if constexpr (in_lanes) {
            in[0][lane] = R(move.zeta), in[1][lane] = R(old.zeta), in[2][lane] = move.movement.x,
            in[3][lane] = move.movement.y;
            in[4][lane] = c.shear.x, in[5][lane] = c.shear.y, in[6][lane] = c.shear.z;
            in[7][lane] = c.history.outer, in[8][lane] = c.history.along, in[9][lane] = c.history.across;
          } else {
            ContactState<R> now = mindlin_state(R(move.zeta), R(old.zeta), move.movement.x, move.movement.y);
            now.shear = c.shear;
            MindlinContact<R> next = c;
            const LawResponse<R> response = MindlinReversal<R>::evaluate(now, params, next.history);
            next.shear = response.shear;
            contacts[first + lane] = next;
            normal += response.normal;
          }
        }
        if constexpr (in_lanes) {
#pragma omp simd
          for (std::size_t lane = 0; lane < lanes; ++lane) { mindlin_lane(params, in, out, lane); }
          for (std::size_t lane = 0; lane < lanes; ++lane) {
            contacts[first + lane] = {{out[0][lane], out[1][lane], out[2][lane]},
                                      {out[3][lane], out[4][lane], out[5][lane]}};
            normal += out[6][lane];
          }
        }
      }
    }
    benchmark::DoNotOptimize(normal);
  }
  state.counters["ns"] = benchmark::Counter(
      1e-9 * double(steps * n_contacts), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(mindlin<float, false>)->Name("mindlin_reversal/scalar/float")->DenseRange(0, 2);
BENCHMARK(mindlin<float, true>)->Name("mindlin_reversal/lanes/float")->DenseRange(0, 2);
BENCHMARK(mindlin<double, false>)->Name("mindlin_reversal/scalar/double")->DenseRange(0, 2);
BENCHMARK(mindlin<double, true>)->Name("mindlin_reversal/lanes/double")->DenseRange(0, 2);

}  // namespace
}  // namespace scree
