#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// What a run must have so that its frames can hold a field.
enum class FieldNeeds { nothing, cell, heat, losses, films };

/// A field of the particles in frames. output/particle_fields.cpp says how it is written.
struct FrameField {
  std::string_view name;
  FieldNeeds needs = FieldNeeds::nothing;
};

/// All fields of frames, in the order of the documentation.
inline constexpr std::array frame_fields = {FrameField{"velocity"},
                                            FrameField{"angular_velocity"},
                                            FrameField{"radius"},
                                            FrameField{"material"},
                                            FrameField{"id"},
                                            FrameField{"force"},
                                            FrameField{"coordination_number"},
                                            FrameField{"damage"},
                                            FrameField{"fragment"},
                                            FrameField{"group"},
                                            FrameField{"clump"},
                                            FrameField{"orientation"},
                                            FrameField{"clump_velocity"},
                                            FrameField{"fluctuation_velocity", FieldNeeds::cell},
                                            FrameField{"image", FieldNeeds::cell},
                                            FrameField{"unwrapped_position", FieldNeeds::cell},
                                            FrameField{"temperature", FieldNeeds::heat},
                                            FrameField{"dissipated_energy", FieldNeeds::losses},
                                            FrameField{"film", FieldNeeds::films}};

/// The needs of the field with this name; FieldNeeds::nothing for a name that no field has.
[[nodiscard]] FieldNeeds needs_of_field(std::string_view name);

/// The paths of the fields in `output.frames` that have these needs.
[[nodiscard]] std::vector<std::string> paths_of_frame_fields(const Case& input, FieldNeeds needs);

}  // namespace scree
