#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/backend/portability.hpp"

/// Counts of copies. On a GPU each copy to the host or from it makes the host wait, so they are counted like launches.
namespace scree::inline SCREE_BACKEND {

enum class CopyKind { to_backend, from_backend, within_backend };
inline constexpr std::array<CopyKind, 3> all_copy_kinds = {CopyKind::to_backend, CopyKind::from_backend,
                                                           CopyKind::within_backend};

struct CopyCount {
  std::uint64_t calls = 0, bytes = 0;
};

/// Copies of this backend since the program began, of all its engines.
[[nodiscard]] CopyCount copies_so_far(CopyKind kind);
void note_copy(CopyKind kind, std::size_t bytes);

}  // namespace scree::inline SCREE_BACKEND
