#pragma once

#include "kernels/backend/transpose.hpp"
#include "kernels/math/eight.hpp"

#if !SCREE_ON_CUDA

/// Moves the numbers of eight items from rows in memory to vectors, one for each component, and back.
namespace scree::inline SCREE_BACKEND {

/// Eight vectors that follow one another in memory.
SCREE_INLINE Vec3<Eight> load_eight(const Vec3d* from) {
  const double* const at = &from->x;
  const Eight::Lanes a = Eight::load(at).lane, b = Eight::load(at + 8).lane, c = Eight::load(at + 16).lane;
  const Eight::Lanes x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1),
                     y = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1),
                     z = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
  return {Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13))),
          Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(y, c, 0, 1, 2, 3, 4, 8, 11, 14))),
          Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(z, c, 0, 1, 2, 3, 4, 9, 12, 15)))};
}

SCREE_INLINE void store_eight(const Vec3<Eight>& v, Vec3d* to) {
  const Eight::Lanes x = v.x.lane, y = v.y.lane, z = v.z.lane;
  const Eight::Lanes a = __builtin_shufflevector(x, y, 0, 8, -1, 1, 9, -1, 2, 10),
                     b = __builtin_shufflevector(x, y, -1, 3, 11, -1, 4, 12, -1, 5),
                     c = __builtin_shufflevector(x, y, 13, -1, 6, 14, -1, 7, 15, -1);
  double* const at = &to->x;
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(a, z, 0, 1, 8, 3, 4, 9, 6, 7))).store(at);
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(b, z, 10, 1, 2, 11, 4, 5, 12, 7))).store(at + 8);
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(c, z, 0, 13, 2, 3, 14, 5, 6, 15))).store(at + 16);
}

/// Eight vectors of eight items in any place: the first three numbers of eight rows of four.
template <class R>
SCREE_INLINE Vec3<Eight> eight_of_rows(Four<R> (&row)[8]) {
  transpose(row[0], row[1], row[2], row[3]);
  transpose(row[4], row[5], row[6], row[7]);
  const auto joined = [&](int k) {
    const auto both = __builtin_shufflevector(row[k].lane, row[k + 4].lane, 0, 1, 2, 3, 4, 5, 6, 7);
    return Eight(static_cast<Eight::Lanes>(__builtin_convertvector(both, Eight::Lanes)));
  };
  return {joined(0), joined(1), joined(2)};
}

/// The same to rows. Their fourth numbers are 0.
template <class R>
SCREE_INLINE void rows_of_eight(const Vec3<Eight>& v, Four<R> (&row)[8]) {
  typedef R Numbers __attribute__((vector_size(8 * sizeof(R))));
  const auto split = [&](const Eight& component, int k) {
    const auto numbers = __builtin_convertvector(component.lane, Numbers);
    row[k].lane = __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3);
    row[k + 4].lane = __builtin_shufflevector(numbers, numbers, 4, 5, 6, 7);
  };
  split(v.x, 0), split(v.y, 1), split(v.z, 2);
  row[3] = row[7] = Four<R>::of(R(0), R(0), R(0), R(0));
  transpose(row[0], row[1], row[2], row[3]);
  transpose(row[4], row[5], row[6], row[7]);
}

/// Eight quaternions that follow one another in memory.
SCREE_INLINE Quaternion<Eight> load_eight(const Quaterniond* from) {
  const double* const at = &from->w;
  const Eight::Lanes a = Eight::load(at).lane, b = Eight::load(at + 8).lane, c = Eight::load(at + 16).lane,
                     d = Eight::load(at + 24).lane;
  const Eight::Lanes wy = __builtin_shufflevector(a, b, 0, 4, 8, 12, 2, 6, 10, 14),
                     xz = __builtin_shufflevector(a, b, 1, 5, 9, 13, 3, 7, 11, 15),
                     wy2 = __builtin_shufflevector(c, d, 0, 4, 8, 12, 2, 6, 10, 14),
                     xz2 = __builtin_shufflevector(c, d, 1, 5, 9, 13, 3, 7, 11, 15);
  return {Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wy, wy2, 0, 1, 2, 3, 8, 9, 10, 11))),
          Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(xz, xz2, 0, 1, 2, 3, 8, 9, 10, 11))),
          Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wy, wy2, 4, 5, 6, 7, 12, 13, 14, 15))),
          Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(xz, xz2, 4, 5, 6, 7, 12, 13, 14, 15)))};
}

SCREE_INLINE void store_eight(const Quaternion<Eight>& q, Quaterniond* to) {
  const Eight::Lanes wx = __builtin_shufflevector(q.w.lane, q.x.lane, 0, 8, 1, 9, 2, 10, 3, 11),
                     yz = __builtin_shufflevector(q.y.lane, q.z.lane, 0, 8, 1, 9, 2, 10, 3, 11),
                     wx2 = __builtin_shufflevector(q.w.lane, q.x.lane, 4, 12, 5, 13, 6, 14, 7, 15),
                     yz2 = __builtin_shufflevector(q.y.lane, q.z.lane, 4, 12, 5, 13, 6, 14, 7, 15);
  double* const at = &to->w;
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wx, yz, 0, 1, 8, 9, 2, 3, 10, 11))).store(at);
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wx, yz, 4, 5, 12, 13, 6, 7, 14, 15))).store(at + 8);
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wx2, yz2, 0, 1, 8, 9, 2, 3, 10, 11))).store(at + 16);
  Eight(static_cast<Eight::Lanes>(__builtin_shufflevector(wx2, yz2, 4, 5, 12, 13, 6, 7, 14, 15))).store(at + 24);
}

}  // namespace scree::inline SCREE_BACKEND

#endif
