#pragma once

/// The drag of a fluid on a single sphere. Kernels include this, too.
namespace scree {

/// The drag of a single sphere.
enum class DragLaw {
  stokes,           ///< 6 pi mu r times the relative velocity: creeping flow
  schiller_naumann  ///< drag coefficient by Schiller and Naumann, 0.44 from a Reynolds number of 1000 on
};

/// [-] The drag over that of Stokes at a Reynolds number of at least 0. `power`(Re) is Re^0.687: kernels need one with
/// the same bits everywhere. Schiller, L. & Naumann, A. (1933), VDI-Zeitschrift 77, 318-320.
template <class Power>
[[nodiscard]] constexpr double drag_over_stokes(DragLaw law, double reynolds, const Power& power) {
  if (law == DragLaw::stokes) { return 1; }
  return reynolds > 1000 ? 0.44 / 24 * reynolds : 1 + 0.15 * power(reynolds);
}

}  // namespace scree
