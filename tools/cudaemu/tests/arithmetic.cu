// Known answers: conversions, min and max, shifts, wide products, divisions, local memory, switch tables, atomics,
// functions.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

#define CHECK(x)                                               \
  do {                                                         \
    if (!(x)) {                                                \
      std::printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #x); \
      ++failures;                                              \
    }                                                          \
  } while (0)
static int failures = 0;

__device__ int table[4] = {3, 1, 4, 1};
__constant__ double weights[2] = {0.5, 0.25};

__global__ void conversions(const float* f, const double* d, int n, int32_t* fi, uint32_t* fu, int64_t* dl,
                            uint64_t* du, int32_t* di, float* df) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  fi[i] = static_cast<int32_t>(f[i]);
  fu[i] = static_cast<uint32_t>(f[i]);
  dl[i] = static_cast<int64_t>(d[i]);
  du[i] = static_cast<uint64_t>(d[i]);
  di[i] = static_cast<int32_t>(d[i]);
  df[i] = static_cast<float>(d[i]);
}
__global__ void floats(const float* a, const float* b, int n, float* lo, float* hi, float* fm, float* plain, int* cmp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  lo[i] = fminf(a[i], b[i]);
  hi[i] = fmaxf(a[i], b[i]);
  fm[i] = fmaf(a[i], b[i], -1.0f);
  plain[i] = __fadd_rn(__fmul_rn(a[i], b[i]), -1.0f);
  cmp[i] = (a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] == b[i]) << 2 | (a[i] != b[i]) << 3 | (!(a[i] < b[i])) << 4;
}
__device__ __noinline__ int collatz(int x, int depth) {
  return x == 1 || depth > 200 ? depth : collatz(x % 2 ? 3 * x + 1 : x / 2, depth + 1);
}
__global__ void integers(const int64_t* a, const int64_t* b, int n, int64_t* q, int64_t* r, uint64_t* hi, int* s,
                         int* c) {
  const int i = threadIdx.x;
  if (i >= n) { return; }
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  hi[i] = __umul64hi(a[i], b[i]);
  s[i] = static_cast<int32_t>(a[i]) >> (b[i] & 31);
  c[i] = collatz(i + 1, 0) + table[i & 3] + static_cast<int>(4 * weights[i & 1]);
}
__global__ void locals(int n, int* out) {
  const int i = threadIdx.x;
  int heap[16];
  for (int k = 0; k < 16; ++k) { heap[k] = (i * 7 + k * 5) % 16; }
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b + 1 < 16; ++b) {
      if (heap[b] > heap[b + 1]) {
        const int t = heap[b];
        heap[b] = heap[b + 1];
        heap[b + 1] = t;
      }
    }
  }
  switch (n + i % 7) {
    case 0: out[i] = heap[3]; break;
    case 1: out[i] = heap[1] * 10; break;
    case 2: out[i] = -heap[2]; break;
    case 3: out[i] = heap[i & 15]; break;
    case 4: out[i] = 77; break;
    case 5: out[i] = heap[15] << 2; break;
    default: out[i] = -1;
  }
}
__global__ void atomics(unsigned long long* sum, unsigned* count, unsigned long long* least, int* most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, 1ull << (i % 40));
  atomicAdd(count, 1u);
  atomicMin(least, 1000ull - i % 900);
  atomicMax(most, i - 5);
}

template <class T>
struct Array {
  T* at;
  int n;
  explicit Array(int count) : n(count) { cudaMalloc(&at, n * sizeof(T)); }
  Array(const T* values, int count) : Array(count) { cudaMemcpy(at, values, n * sizeof(T), cudaMemcpyHostToDevice); }
  ~Array() { cudaFree(at); }
  T operator[](int i) const {
    T x;
    cudaMemcpy(&x, at + i, sizeof(T), cudaMemcpyDeviceToHost);
    return x;
  }
};

int main() {
  const float inf = INFINITY, nan = NAN;
  {
    const float f[] = {1.9f, -1.9f, 3e9f, -3e9f, 5e9f, nan, inf, -inf, 2147483648.0f, -0.5f};
    const double d[] = {1.9, -1.9, 1e19, -1e19, 1e20, nan, 4e9, -4e9, 9223372036854775808.0, 1.0000000596046448};
    const int n = 10;
    Array<float> a(f, n), df(n);
    Array<double> b(d, n);
    Array<int32_t> fi(n), di(n);
    Array<uint32_t> fu(n);
    Array<int64_t> dl(n);
    Array<uint64_t> du(n);
    conversions<<<1, 32>>>(a.at, b.at, n, fi.at, fu.at, dl.at, du.at, di.at, df.at);
    const int32_t wfi[] = {1, -1, INT32_MAX, INT32_MIN, INT32_MAX, 0, INT32_MAX, INT32_MIN, INT32_MAX, 0};
    const uint32_t wfu[] = {1, 0, 3000000000u, 0, UINT32_MAX, 0, UINT32_MAX, 0, 2147483648u, 0};
    const int64_t wdl[] = {1, -1, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, 4000000000, -4000000000, INT64_MAX, 1};
    const uint64_t wdu[] = {1, 0, 10000000000000000000ull, 0, UINT64_MAX, 1ull << 63, 4000000000, 0, 1ull << 63, 1};
    for (int i = 0; i < n; ++i) {
      CHECK(fi[i] == wfi[i]);
      CHECK(fu[i] == wfu[i]);
      CHECK(dl[i] == wdl[i]);
      CHECK(du[i] == wdu[i]);
      CHECK(i == 5 || df[i] == static_cast<float>(d[i]));
    }
    CHECK(di[6] == INT32_MAX);
    CHECK(di[7] == INT32_MIN);
  }
  {
    const float a[] = {0.0f, -0.0f, nan, 1.0f, nan, 1.0f + 1.1920929e-7f, -inf, 1e-45f};
    const float b[] = {-0.0f, 0.0f, 2.0f, nan, nan, 1.0f - 1.1920929e-7f, inf, 1e-45f};
    const int n = 8;
    Array<float> x(a, n), y(b, n), lo(n), hi(n), fm(n), plain(n);
    Array<int> cmp(n);
    floats<<<1, 32>>>(x.at, y.at, n, lo.at, hi.at, fm.at, plain.at, cmp.at);
    CHECK(std::signbit(lo[0]) && std::signbit(lo[1]) && !std::signbit(hi[0]) && !std::signbit(hi[1]));
    CHECK(lo[2] == 2.0f && hi[2] == 2.0f && lo[3] == 1.0f && hi[3] == 1.0f && std::isnan(lo[4]));
    CHECK(fm[5] == -1.42108547e-14f && plain[5] == 0.0f);  // contraction would show
    CHECK(cmp[0] == (2 | 4 | 16) && cmp[2] == (8 | 16) && cmp[6] == (1 | 2 | 8) && cmp[7] == (2 | 4 | 16));
    CHECK(lo[7] == 1e-45f);  // subnormals stay
  }
  {
    const int64_t a[] = {7, -7, INT64_MAX, INT64_MIN, -1, 123456789012345}, b[] = {2, 2, -3, 7, 31, 40};
    const int n = 6;
    Array<int64_t> x(a, n), y(b, n), q(n), r(n);
    Array<uint64_t> hi(n);
    Array<int> s(n), c(n);
    integers<<<1, 32>>>(x.at, y.at, n, q.at, r.at, hi.at, s.at, c.at);
    const int steps[] = {0, 1, 7, 2, 5, 8}, pi[] = {3, 1, 4, 1, 3, 1}, w[] = {2, 1, 2, 1, 2, 1};
    for (int i = 0; i < n; ++i) {
      CHECK(q[i] == a[i] / b[i] && r[i] == a[i] % b[i]);
      CHECK(hi[i] ==
            static_cast<uint64_t>(
                static_cast<unsigned __int128>(static_cast<uint64_t>(a[i])) * static_cast<uint64_t>(b[i]) >> 64));
      CHECK(s[i] == static_cast<int32_t>(a[i]) >> (b[i] & 31));
      CHECK(c[i] == steps[i] + pi[i] + w[i]);
    }
  }
  {
    Array<int> out(64);
    locals<<<1, 64>>>(0, out.at);
    const int expected[] = {3, 10, -2, 3, 77, 60, -1};
    for (int i = 0; i < 7; ++i) { CHECK(out[i] == expected[i]); }
  }
  {
    const unsigned long long zero = 0, big = ~0ull;
    const unsigned none = 0;
    const int low = -1000;
    Array<unsigned long long> sum(&zero, 1), least(&big, 1);
    Array<unsigned> count(&none, 1);
    Array<int> most(&low, 1);
    atomics<<<40, 100>>>(sum.at, count.at, least.at, most.at);
    CHECK(count[0] == 4000u && sum[0] == 100 * ((1ull << 40) - 1) && least[0] == 101 && most[0] == 3994);
  }
  CHECK(cudaGetLastError() == cudaSuccess);
  std::printf("%s\n", failures == 0 ? "arithmetic: as expected" : "arithmetic: FAILED");
  return failures != 0;
}
