#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/output/field_writer.hpp"
#include "host/output/insertions.hpp"
#include "host/output/output_files.hpp"

namespace scree {

/// All means over grids of a run.
class FieldOutputs final : public OutputFiles {
 public:
  /// Makes a FieldWriter for each of `outputs`, with its name in the case.
  FieldOutputs(const std::filesystem::path& folder, const Named<FieldOutput>& outputs, const Scene& scene,
               std::optional<double> resumed_time = {});

  void open() override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  /// Takes the samples of the present step; the state is read once for all. `final_one`: the run ends here. Throws
  /// KernelFault when something is not finite.
  void sample(Engine& engine, const Insertions& insertions, bool final_one);
  [[nodiscard]] RunTarget next(const Engine& engine) const override;
  [[nodiscard]] const std::vector<std::unique_ptr<FieldWriter>>& writers() const { return writers_; }
  [[nodiscard]] std::vector<std::filesystem::path> folders() const override;
  [[nodiscard]] std::uint64_t files() const override;
  [[nodiscard]] std::uint64_t frame_bytes() const override;

  /// The sums so far, for a checkpoint of this step.
  [[nodiscard]] std::vector<StateArray> save(std::uint64_t step) const;
  void restore(const std::vector<StateArray>& arrays);

 private:
  const Scene& scene_;
  std::vector<std::unique_ptr<FieldWriter>> writers_;
};

/// [bytes] Size of a file of these fields.
[[nodiscard]] std::uint64_t field_file_bytes(const FieldOutput& output, Precision precision);
/// [bytes] Memory for the sums of all grids and for files that wait to be written.
[[nodiscard]] std::uint64_t fields_in_memory(const Named<FieldOutput>& outputs);
/// [bytes] Size of their sums in a checkpoint.
[[nodiscard]] std::uint64_t fields_in_checkpoint(const Named<FieldOutput>& outputs);

}  // namespace scree
