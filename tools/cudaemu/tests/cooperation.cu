// Known answers of cooperating threads: barriers, shuffles, votes, and sort, scan and reduction of CUB.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

static int failures = 0;
#define CHECK(x)                                               \
  do {                                                         \
    if (!(x)) {                                                \
      std::printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #x); \
      ++failures;                                              \
    }                                                          \
  } while (0)

__global__ void reverse(int* a) {
  __shared__ int s[256];
  extern __shared__ int more[];
  s[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  more[threadIdx.x] = 1;
  __syncthreads();
  a[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x] + more[(threadIdx.x + 100) % 256];
}
__global__ void warps(unsigned* out) {
  const unsigned i = threadIdx.x, lane = i % 32;
  unsigned x = i;
  for (int d = 16; d > 0; d /= 2) { x += __shfl_down_sync(~0u, x, d); }
  const unsigned total = __shfl_sync(~0u, x, 0);
  unsigned scan = 1;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned y = __shfl_up_sync(~0u, scan, d);
    if (lane >= d) { scan += y; }
  }
  const unsigned ballot = __ballot_sync(~0u, lane % 3 == 0), same = __match_any_sync(~0u, lane / 4),
                 half = __shfl_xor_sync(~0u, i, 1, 8);
  unsigned group = 0;
  if (lane < 8) { group = __reduce_add_sync(0xffu, lane); }
  const int n = __syncthreads_count(lane < 5);
  out[i * 8] = total, out[i * 8 + 1] = scan, out[i * 8 + 2] = ballot, out[i * 8 + 3] = same, out[i * 8 + 4] = half,
          out[i * 8 + 5] = n, out[i * 8 + 6] = group;
  out[i * 8 + 7] = __any_sync(~0u, lane == 31) + 2 * __all_sync(~0u, lane < 32) + 4 * __syncthreads_or(i == 5);
}

template <class T>
std::vector<T> back(const T* p, std::size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T>
T* device(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  {
    std::vector<int> a(1024);
    std::iota(a.begin(), a.end(), 0);
    int* p = device(a);
    reverse<<<4, 256, 1024>>>(p);
    const auto b = back(p, 1024);
    for (int i = 0; i < 1024; ++i) { CHECK(b[i] == i / 256 * 256 + 255 - i % 256 + 1); }
  }
  {
    unsigned* p;
    cudaMalloc(&p, 128 * 8 * 4);
    warps<<<1, 128>>>(p);
    const auto b = back(p, 128 * 8);
    for (unsigned i = 0; i < 128; ++i) {
      const unsigned w = i / 32, l = i % 32;
      CHECK(b[i * 8] == 496 + 1024 * w && b[i * 8 + 1] == l + 1 && b[i * 8 + 2] == 0x49249249u);
      CHECK(b[i * 8 + 3] == 0xfu << (l / 4 * 4) && b[i * 8 + 4] == (i ^ 1) && b[i * 8 + 5] == 20 &&
            b[i * 8 + 6] == (l < 8 ? 28u : 0u) && b[i * 8 + 7] == 7);
    }
  }
  for (const int n : {1, 31, 1000, 20000, 200000}) {
    std::vector<std::uint64_t> keys(n);
    std::vector<std::uint32_t> values(n);
    std::uint64_t x = 88172645463325252ull;
    for (int i = 0; i < n; ++i) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      keys[i] = x & 0xfffff;
      values[i] = i;
    }
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    auto *k1 = device(keys), *k2 = device(keys);
    auto *v1 = device(values), *v2 = device(values);
    cub::DoubleBuffer<std::uint64_t> kb(k1, k2);
    cub::DoubleBuffer<std::uint32_t> vb(v1, v2);
    std::size_t bytes = 0;
    void* scratch = nullptr;
    CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, kb, vb, n, 0, 20) == cudaSuccess);
    cudaMalloc(&scratch, bytes);
    CHECK(cub::DeviceRadixSort::SortPairs(scratch, bytes, kb, vb, n, 0, 20) == cudaSuccess);
    CHECK(back(vb.Current(), n) == order);
    cudaFree(scratch);
    auto* s = device(keys);
    CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, s, s, n) == cudaSuccess);
    cudaMalloc(&scratch, bytes);
    CHECK(cub::DeviceScan::ExclusiveSum(scratch, bytes, s, s, n) == cudaSuccess);
    std::vector<std::uint64_t> sums(n);
    std::exclusive_scan(keys.begin(), keys.end(), sums.begin(), std::uint64_t(0));
    CHECK(back(s, n) == sums);
    cudaFree(scratch);
    auto* m = device(keys);
    auto* r = device(std::vector<std::uint64_t>{0});
    CHECK(cub::DeviceReduce::Max(nullptr, bytes, m, r, n) == cudaSuccess);
    cudaMalloc(&scratch, bytes);
    CHECK(cub::DeviceReduce::Max(scratch, bytes, m, r, n) == cudaSuccess);
    CHECK(back(r, 1)[0] == *std::max_element(keys.begin(), keys.end()));
  }
  std::printf("%s\n", failures == 0 ? "cooperation: as expected" : "cooperation: FAILED");
  return failures != 0;
}
