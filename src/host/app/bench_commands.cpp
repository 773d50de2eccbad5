#include "host/app/command_options.hpp"
#include "host/bench/bench_law.hpp"
#include "host/bench/deformable.hpp"

namespace scree {

namespace {

constexpr const char* bench_footer =
    "settle: steps per second of a dense bed at rest, also law by law.\n"
    "clumps: steps per second of a bed of clumps of three spheres, and of a bed of as many single spheres.\n"
    "level_set: steps per second of a bed of level-set grains, and the work on their nodes.\n"
    "deformable: contacts of deformed level-set grains with each method for their level sets, and of rigid grains.\n"
    "shear: steps per second of a dense packing in a periodic cell, at rest and in simple shear.\n"
    "budget: launches and copies per step and per search, which cost time on a GPU.\n"
    "roofline: speed and time per kernel, compared with the limits by memory traffic and launches.\n"
    "readouts: the cost of snapshots, hashes, contacts and rows of the series, in times of a step.\n"
    "ledger: the time of a step with and without the energy ledger, at rest and on a slope.\n"
    "neighbours: the cost of a search for neighbours in dense assemblies of equal and of very unequal spheres, per\n"
    "particle and per stage, its growth with their number, and its share in a dense flow. Scenes consist of whole\n"
    "tiles, so sizes are only approximate.";

/// Adds the options that choose benchmarks and their scenes.
void add_scene_options(CLI::App& command, BenchArguments& bench) {
  command.add_option("CASE", bench.cases, "scenes and measurements of the list below (default: settle)")
      ->check(word_among(bench_names()))
      ->type_name("");
  command
      .add_option("--sizes", bench.sizes,
                  "numbers of particles (default: 10000 100000 1000000, of clumps 3000 300000, of grains 100 10000)")
      ->check(whole_number(1, most_ids))
      ->type_name("N");
  command.add_option("--ratios", bench.ratios, "neighbours: largest to smallest radius (default: 1 5 50)")
      ->check(number_between(1, 1e6))
      ->type_name("X");
  command
      .add_option("--distributions", bench.distributions,
                  "neighbours: power_law (equal volume in each octave of size), bidisperse or both (default)")
      ->check(word_among({"power_law", "bidisperse"}))
      ->type_name("NAME");
  command
      .add_option("--law", bench.laws,
                  "settle: contact laws, named as in case files; \"+rolling\" after a name adds rolling resistance; "
                  "each law has a line of the table (default: hertz_mindlin)")
      ->check(word_among(bench_law_names()))
      ->type_name("NAME");
  command.add_option("--nodes", bench.nodes, "level_set: numbers of nodes of a grain (default: 400 1600)")
      ->check(whole_number(100, 100'000))
      ->type_name("N");
  command
      .add_option("--field-update", bench.field_updates,
                  "deformable: ways to find level sets, by their words in case files (default: all)")
      ->check(word_among(field_update_names()))
      ->type_name("NAME");
}

/// Adds the options that say how to measure.
void add_measurement_options(CLI::App& command, BenchArguments& bench) {
  command.add_option("--precision", bench.precisions, "mixed, double or both (default: both, for neighbours mixed)")
      ->check(word_among({"mixed", "double", "both"}))
      ->type_name("NAME");
  command.add_option("--threads", bench.threads, "thread counts (default: 1 and all cores, for neighbours all cores)")
      ->check(thread_count())
      ->type_name("N");
  command.add_option("--backend", bench.backend, "auto, host or cuda")
      ->check(word_among({"auto", "host", "cuda"}))
      ->type_name("NAME");
  add_device(command, bench.device);
  command.add_option("--repeats", bench.repeats, "measurements, of which the median counts")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  command
      .add_option("--write-bed", bench.write_bed,
                  "settle, shear: write the particles of the first size as a particle file (CSV)")
      ->type_name("FILE");
}

}  // namespace

void add_bench(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& command = *app.add_subcommand("bench", "Measure standard cases");
  command.footer(bench_footer);
  add_scene_options(command, arguments.bench);
  add_measurement_options(command, arguments.bench);
  command.callback([&] { chosen = [&] { return run_bench(arguments.bench, out); }; });
}

}  // namespace scree
