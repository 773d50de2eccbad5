#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// What the numbers in the names of files count: frame_000012.vtkhdf, or steps, step_000001000.vtkhdf.
enum class FileNumbers { frames, steps };
[[nodiscard]] std::string file_name_of(FileNumbers numbers, std::size_t number);

/// What a resumed run keeps of a list of frames, and what it takes away.
struct KeptFrames {
  std::vector<std::pair<std::string, double>> list;  ///< names as the list has them, and times [s]
  std::size_t next = 0;                              ///< number of the next frame
  std::vector<std::filesystem::path> later;          ///< frames of the moment and of later ones
  bool list_is_other = false;                        ///< `list` differs from the list that is on the disk
  std::vector<std::string> notes;                    ///< what cannot be continued as it was
};

/// Looks at the frames in `folder/inner`, which `folder/list` tells of, and changes nothing. Without that list the
/// frames themselves tell their times. Files that are not ours, or do not tell their time, are not touched.
/// `may_be_none`: nothing is said where there is no frame.
[[nodiscard]] KeptFrames look_at_frames(const std::filesystem::path& folder, const std::string& list,
                                        const std::string& inner, double time, FileNumbers naming = FileNumbers::frames,
                                        bool may_be_none = false);
/// Does what look_at_frames() found. Throws OutputError.
void keep_frames(const std::filesystem::path& list, const KeptFrames& frames);

/// What a resumed run keeps of its series.
struct KeptRows {
  std::uint64_t bytes = 0;  ///< from the beginning; 0: the file is made anew
  std::uint64_t rows = 0;   ///< number of rows that are kept
  std::vector<std::string> notes;
};

/// Looks at the rows before that of `step`, and changes nothing. `may_be_none`: nothing is said where there is no row.
/// Throws OutputError when the columns are others.
[[nodiscard]] KeptRows look_at_rows(const std::filesystem::path& file, const std::string& header, std::uint64_t step,
                                    bool may_be_none = false);

}  // namespace scree
