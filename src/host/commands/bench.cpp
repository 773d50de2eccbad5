#include "host/commands/bench.hpp"

#include "host/bench/budget.hpp"
#include "host/bench/clumps.hpp"
#include "host/bench/deformable.hpp"
#include "host/bench/ledger.hpp"
#include "host/bench/level_set.hpp"
#include "host/bench/neighbours.hpp"
#include "host/bench/readouts.hpp"
#include "host/bench/roofline.hpp"
#include "host/bench/settle.hpp"
#include "host/bench/shear.hpp"
#include "host/run/device.hpp"
#include "host/run/exit_code.hpp"

namespace scree {

const std::vector<std::string>& bench_names() {
  static const std::vector<std::string> names = {"settle", "clumps", "level_set", "deformable", "neighbours",
                                                 "shear",  "budget", "roofline",  "readouts",   "ledger"};
  return names;
}

int run_bench(const BenchArguments& arguments, std::ostream& out) {
  const BackendChoice backend = arguments.backend == "host" ? BackendChoice::host : BackendChoice::automatic;
  expect_device({backend, 0, arguments.device});
  for (const std::string& name : arguments.cases) {
    if (name == "settle") { bench_settle(arguments, out); }
    if (name == "clumps") { bench_clumps(arguments, out); }
    if (name == "level_set") { bench_level_set(arguments, out); }
    if (name == "deformable") { bench_deformable(arguments, out); }
    if (name == "shear") { bench_shear(arguments, out); }
    if (name == "budget") { bench_budget(arguments, out); }
    if (name == "roofline") { bench_roofline(arguments, out); }
    if (name == "readouts") { bench_readouts(arguments, out); }
    if (name == "ledger") { bench_ledger(arguments, out); }
    if (name == "neighbours") { bench_neighbours(arguments, out); }
  }
  return exit_done;
}

}  // namespace scree
