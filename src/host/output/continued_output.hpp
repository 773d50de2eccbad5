#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// The meaning of the number in the name of a file: frames as in frame_000012.vtkhdf, or steps as in
/// step_000001000.vtkhdf.
enum class FileNumbers { frames, steps };
[[nodiscard]] std::string file_name_of(FileNumbers numbers, std::size_t number);

/// The frames of a list that a resumed run keeps, and those that it removes.
struct KeptFrames {
  std::vector<std::pair<std::string, double>> list;  ///< names as the list has them, and times [s]
  std::size_t next = 0;                              ///< number of the next frame
  std::vector<std::filesystem::path> later;          ///< frames of the moment and of later ones
  bool list_is_other = false;                        ///< `list` differs from the list that is on the disk
  std::vector<std::string> notes;                    ///< what cannot be continued as it was
};

/// Inspects the frames in `folder/inner`, which `folder/list` describes, and changes nothing. Without that list the
/// frames themselves give their times. Files that are not ours, or do not give their time, are not touched. With
/// `may_be_none` a missing frame is not reported.
[[nodiscard]] KeptFrames look_at_frames(const std::filesystem::path& folder, const std::string& list,
                                        const std::string& inner, double time, FileNumbers naming = FileNumbers::frames,
                                        bool may_be_none = false);
/// Carries out the result of look_at_frames(). Throws OutputError.
void keep_frames(const std::filesystem::path& list, const KeptFrames& frames);

/// The rows of its series that a resumed run keeps.
struct KeptRows {
  std::uint64_t bytes = 0;  ///< from the beginning; 0: the file is made anew
  std::uint64_t rows = 0;   ///< number of rows that are kept
  std::vector<std::string> notes;
};

/// Inspects the rows before that of `step`, and changes nothing. With `may_be_none` a missing row is not reported.
/// Throws OutputError if the columns differ.
[[nodiscard]] KeptRows look_at_rows(const std::filesystem::path& file, const std::string& header, std::uint64_t step,
                                    bool may_be_none = false);

}  // namespace scree
