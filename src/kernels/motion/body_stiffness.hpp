#pragma once

#include "kernels/laws/stiffness.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/sym6.hpp"
#include "kernels/math/vec3.hpp"

/// The springs and dashpots of all contacts of one body; step_limit.hpp says what they are for.
namespace scree::inline SCREE_BACKEND {

/// Sums over the contacts of one body. Rows and columns 0 to 2 are its translation, 3 to 5 its rotation.
struct BodyStiffness {
  Sym6 stiffness, dashpot;
  double all_springs = 0, all_dashpots = 0;  ///< [N/m], [N s/m] the stiffer of normal and shear, summed
  double overlap = 0;                        ///< [-] the largest overlap over the smaller radius
  std::uint32_t contacts = 0;

  /// Adds a contact. `arm` [m] goes from the centre of mass to the contact point. A turn about e moves this point
  /// by e x arm.
  template <class R>
  SCREE_HD void add(const ContactStiffness<R>& k, double weight, const Vec3d& n, const Vec3d& arm) {
    add_to(stiffness, weight, double(k.normal), double(k.shear), double(k.rolling), double(k.twisting), n, arm);
    all_springs += weight * math::max(double(k.normal), double(k.shear));
    all_dashpots += weight * math::max(double(k.normal_dashpot), double(k.shear_dashpot));
    add_to(dashpot, weight, double(k.normal_dashpot), double(k.shear_dashpot), double(k.rolling_dashpot),
           double(k.twisting_dashpot), n, arm);
    overlap = math::max(overlap, double(k.overlap));
    ++contacts;
  }

  SCREE_HD static void add_to(Sym6& sum, double weight, double normal, double shear, double rolling, double twisting,
                              const Vec3d& n, const Vec3d& arm) {
    if (!(normal + shear + rolling + twisting > 0)) { return; }
    const double axis[3] = {n.x, n.y, n.z};
    const double turned[3][3] = {{0, -arm.z, arm.y}, {arm.z, 0, -arm.x}, {-arm.y, arm.x, 0}};  // e x arm
    const double more = normal - shear, more_turning = twisting - rolling;
    for (int i = 0; i < 3; ++i) {
      const double lever = dot(n, Vec3d{turned[i][0], turned[i][1], turned[i][2]});
      double force[3];  // on the contact point, for a unit turn about axis i
      for (int j = 0; j < 3; ++j) {
        force[j] = shear * turned[i][j] + more * lever * axis[j];
        sum.entry[Sym6::place(3 + i, j)] += weight * force[j];
      }
      for (int j = 0; j <= i; ++j) {
        const double same = i == j ? 1.0 : 0.0;
        const double moment = force[0] * turned[j][0] + force[1] * turned[j][1] + force[2] * turned[j][2];
        sum.entry[Sym6::place(i, j)] += weight * (shear * same + more * axis[i] * axis[j]);
        sum.entry[Sym6::place(3 + i, 3 + j)] += weight * (moment + rolling * same + more_turning * axis[i] * axis[j]);
      }
    }
  }
};

/// The same for a sphere. Its arms lie along the normals, so fewer numbers are enough. l is the length of an arm.
struct SphereStiffness {
  /// Sums of springs or of dashpots.
  struct Part {
    double along[6] = {}, about[6] = {};  ///< (K_N - K_T) n n; (K_tw - K_r - l^2 K_T) n n
    double all = 0, all_about = 0;        ///< K_T; K_r + l^2 K_T
    Vec3d lever{0, 0, 0};                 ///< l K_T n

    SCREE_HD void add(double normal, double shear, double rolling, double twisting, double length, const Vec3d& n,
                      const double (&square)[6]) {
      const double turning = length * length * shear + rolling;
      for (int k = 0; k < 6; ++k) {
        along[k] += (normal - shear) * square[k];
        about[k] += (twisting - turning) * square[k];
      }
      all += shear;
      all_about += turning;
      lever += (length * shear) * n;
    }

    SCREE_HD Sym6 whole() const {
      Sym6 m;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
          m.entry[Sym6::place(i, j)] = along[Sym6::place(i, j)] + (i == j ? all : 0.0);
          m.entry[Sym6::place(3 + i, 3 + j)] = about[Sym6::place(i, j)] + (i == j ? all_about : 0.0);
        }
      }
      m.entry[Sym6::place(3, 1)] = -lever.z, m.entry[Sym6::place(3, 2)] = lever.y;
      m.entry[Sym6::place(4, 0)] = lever.z, m.entry[Sym6::place(4, 2)] = -lever.x;
      m.entry[Sym6::place(5, 0)] = -lever.y, m.entry[Sym6::place(5, 1)] = lever.x;
      return m;
    }
  };
  Part stiffness, dashpot;
  double overlap = 0;
  std::uint32_t contacts = 0;

  template <class R>
  SCREE_HD void add(const ContactStiffness<R>& k, double weight, const Vec3d& n, const Vec3d& arm) {
    const double square[6] = {n.x * n.x, n.y * n.x, n.y * n.y, n.z * n.x, n.z * n.y, n.z * n.z};
    const double length = dot(arm, n);
    stiffness.add(weight * double(k.normal), weight * double(k.shear), weight * double(k.rolling),
                  weight * double(k.twisting), length, n, square);
    dashpot.add(weight * double(k.normal_dashpot), weight * double(k.shear_dashpot), weight * double(k.rolling_dashpot),
                weight * double(k.twisting_dashpot), length, n, square);
    overlap = math::max(overlap, double(k.overlap));
    ++contacts;
  }

  SCREE_HD BodyStiffness whole() const { return {stiffness.whole(), dashpot.whole(), 0, 0, overlap, contacts}; }
};

}  // namespace scree::inline SCREE_BACKEND
