// faults NAME: commits the named fault, which the emulator must report; run.sh has the expected messages. `none`
// commits no fault.
#include <cstdio>
#include <cstring>
#include <string>

__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { a[i] = i; }
}
__global__ void sum_neighbours(const int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { b[i] = a[i] + a[(i + 1) % n]; }
}
__global__ void smooth_in_place(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) { a[i] = a[i] + a[i + 1]; }
}
__global__ void all_write(int* a) { a[0] = static_cast<int>(threadIdx.x); }
__global__ void all_write_same(int* a) { a[0] = 5; }
__global__ void count_plainly(unsigned* a) {
  atomicAdd(a, 1u);
  if (threadIdx.x == 3) { a[0] = 7; }
}
__global__ void count_well(unsigned* a) { atomicAdd(a, 1u); }
__global__ void shifted(const char* a, long long* out) { *out = *reinterpret_cast<const long long*>(a + 4); }
__global__ void doubtful(const float* a, int* b) { b[threadIdx.x] = static_cast<int>(a[threadIdx.x]); }
__global__ void half_barrier(int* a) {
  if (threadIdx.x < 32) {
    a[threadIdx.x] = __shfl_sync(0xffffffffu, a[threadIdx.x], 0);
  } else {
    while (reinterpret_cast<volatile int*>(a)[100] == 0) { __nanosleep(10); }
  }
}
__global__ void outside_shared(int* a, int k) {
  __shared__ int s[32];
  s[threadIdx.x * k] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[31 - threadIdx.x];
}

/// `apart` 0: threads of other blocks read and write the same elements.
__global__ void reverse_blocks(int* a, int apart) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x) * apart, mine = static_cast<int>(threadIdx.x);
  const int value = a[first + static_cast<int>(blockDim.x) - 1 - mine];
  __syncthreads();
  a[first + mine] = value;
}

/// The last block adds up what the others have written. Without `fenced` it may read too early.
__global__ void last_adds(int* a, unsigned* ended, int fenced) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x != 0) { return; }
  if (fenced) { __threadfence(); }
  if (atomicAdd(ended, 1u) + 1 != gridDim.x) { return; }
  if (fenced) { __threadfence(); }
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) { sum += a[i]; }
  a[gridDim.x * blockDim.x] = sum;
}

int main(int, char** argv) {
  const std::string what = argv[1];
  int *a, *b, *small;
  cudaMalloc(&a, 1000 * 4);
  cudaMalloc(&b, 1000 * 4);
  cudaMalloc(&small, 4);
  cudaMemset(small, 0, 4);
  if (what != "uninitialised") { fill<<<8, 128>>>(a, 1000); }
  if (what == "none") {
    sum_neighbours<<<8, 128>>>(a, b, 1000), count_well<<<2, 64>>>(reinterpret_cast<unsigned*>(small));
  }
  if (what == "outside") { fill<<<8, 128>>>(a, 1001); }
  if (what == "uninitialised") { sum_neighbours<<<8, 128>>>(a, b, 1000); }
  if (what == "freed") { cudaFree(a), sum_neighbours<<<8, 128>>>(a, b, 1000); }
  if (what == "freed-twice") { cudaFree(a), cudaFree(a); }
  if (what == "host-reads") { std::printf("%d\n", a[3]); }
  if (what == "kernel-reads-host") { sum_neighbours<<<8, 128>>>(new int[1000]{}, b, 1000); }
  if (what == "race") { smooth_in_place<<<8, 128>>>(a, 1000); }
  if (what == "writes") { all_write<<<1, 32>>>(small); }
  if (what == "same-writes") { cudaMemset(small, 0, 4), all_write_same<<<1, 32>>>(small); }
  if (what == "atomic-plain") { count_plainly<<<1, 32>>>(reinterpret_cast<unsigned*>(small)); }
  if (what == "misaligned") { shifted<<<1, 1>>>(reinterpret_cast<const char*>(a), reinterpret_cast<long long*>(b)); }
  if (what == "deadlock") { cudaMemset(a, 0, 4000), half_barrier<<<1, 64>>>(a); }
  if (what == "doubtful") { cudaMemset(a, 0x7f, 4000), doubtful<<<1, 32>>>(reinterpret_cast<float*>(a), b); }
  if (what == "shared") { outside_shared<<<1, 32>>>(a, 2); }
  if (what == "reverse") { reverse_blocks<<<4, 64>>>(a, 1); }
  if (what == "blocks") { reverse_blocks<<<4, 64>>>(a, 0); }
  if (what == "last" || what == "unfenced") {
    last_adds<<<4, 64>>>(a, reinterpret_cast<unsigned*>(small), what == "last" ? 1 : 0);
  }
  if (what == "copy") { cudaMemcpy(a, b, 4004, cudaMemcpyDeviceToDevice); }
  if (what == "too-many-threads") {
    fill<<<1, 2048>>>(a, 10), std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  }
  int last = 0;
  if (what != "freed-twice") { cudaMemcpy(&last, a + 999, 4, cudaMemcpyDeviceToHost); }
  std::printf("end %d\n", last);
}
