
#include "host/app/command_options.hpp"
#include "host/bench/bench_law.hpp"
#include "host/bench/deformable.hpp"

namespace scree {

void add_bench(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen) {
  auto& bench = arguments.bench;
  auto& command = *app.add_subcommand("bench", "Measure standard cases");
  command.footer(
      "settle: steps per second of a dense bed at rest, also law by law.\n"
      "clumps: the same of clumps of three spheres, and of as many single spheres.\n"
      "level_set: the same of level-set grains, and the work on their nodes.\n"
      "deformable: contacts of deformed level-set grains, by each way to find their level sets, beside rigid grains.\n"
      "budget: launches and copies per step and per search, which cost time on a GPU.\n"
      "roofline: speed and time per kernel beside what memory traffic and launches allow.\n"
      "readouts: what snapshots, hashes, contacts and rows of the series cost, in steps.\n"
      "ledger: the time of a step with and without the energy ledger, at rest and on a slope.\n"
      "neighbours: what a search for neighbours costs in dense assemblies of equal and of very unequal spheres, per\n"
      "particle and per stage, how that grows with their number, and its share in a dense flow. Scenes are made of "
      "whole\n"
      "tiles, so sizes are met as near as those allow.");
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
                  "settle: contact laws by their words in case files, with \"+rolling\" behind for rolling resistance; "
                  "gives each a "
                  "line (default: hertz_mindlin)")
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
  command.callback([&] { chosen = [&] { return run_bench(arguments.bench, out); }; });
}

}  // namespace scree
