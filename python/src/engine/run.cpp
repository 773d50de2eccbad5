#include "run.hpp"

#include "arrays.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::python {
namespace {

BackendChoice backend_of(const std::string& name) {
  if (name == "auto") { return BackendChoice::automatic; }
  if (name == "host") { return BackendChoice::host; }
  if (name == "cuda") { return BackendChoice::cuda; }
  throw ContractError("backend: must be \"auto\", \"host\" or \"cuda\", got \"" + name + "\"");
}

nb::dict described(const RunProgress& progress) {
  nb::dict values;
  values["step"] = progress.step, values["first_step"] = progress.first_step;
  values["last_step"] = progress.last_step, values["time"] = progress.time;
  values["first_time"] = progress.first_time, values["end_time"] = progress.end_time;
  values["wall_seconds"] = progress.wall_seconds, values["particle_steps"] = progress.particle_steps;
  values["stepping_seconds"] = progress.stepping_seconds, values["particles"] = progress.particles;
  values["contacts"] = progress.contacts;
  return values;
}

/// The column as an array over the engine's memory. `owner` is released with the last array that uses it.
template <class T>
nb::object view_of(const BodyColumns& all, const BodyColumn& column, nb::handle owner) {
  const std::array<std::size_t, 2> shape{all.rows, column.columns};
  const std::array<std::int64_t, 2> stride{static_cast<std::int64_t>(column.stride / sizeof(T)), 1};
  const std::size_t ndim = column.columns == 1 ? 1 : 2;
  if (all.on_gpu) {
    return nb::cast(nb::ndarray<T>(column.data, ndim, shape.data(), owner, stride.data(), nb::dtype<T>(),
                                   nb::device::cuda::value, all.device));
  }
  return nb::cast(nb::ndarray<nb::numpy, T>(column.data, ndim, shape.data(), owner, stride.data()));
}

}  // namespace

Run::Run(const std::string& text, const std::string& folder, const std::vector<std::string>& settings,
         const std::string& name, const std::string& out, const std::string& backend, int threads,
         std::optional<int> device, std::optional<std::uint64_t> steps, bool resume, bool overwrite)
    : log_(said_, false),
      run_(parse_case(text, folder, settings),
           {.case_file = name,
            .folder = out,
            .engine = {.backend = backend_of(backend), .threads = threads, .device = device},
            .steps = steps,
            .resume = resume,
            .overwrite = overwrite},
           log_) {}

template <class Part>
void Run::guard(const Part& part) {
  if (closed_) throw ContractError("the simulation is closed");
  try {
    part();
  } catch (const KernelFault& fault) {
    closed_ = true;
    const KernelFault all = run_.folder().empty() ? fault : with_frame(fault, run_.folder());
    run_.note_failure(all);
    throw all;
  } catch (const std::exception& error) {
    const bool by_caller = dynamic_cast<const nb::python_error*>(&error) != nullptr ||
                           dynamic_cast<const ContractError*>(&error) != nullptr;
    if (!by_caller) {
      closed_ = true;
      run_.note_failure(error);
    }
    throw;
  }
}

void Run::begin() {
  if (begun_) { return; }
  guard([&] { run_.simulation().begin(); });
  begun_ = true;
}

void Run::advance(std::uint64_t target, const nb::object& progress) {
  struct Stopped {};
  static_cast<void>(changed());
  begin();
  stop_ = false;
  const auto show = [&](const RunProgress& now) {
    run_.expect_folder_still_there();
    const nb::gil_scoped_acquire lock;
    running_ = false;  // `progress` may read the state
    if (PyErr_CheckSignals() != 0) { throw nb::python_error(); }
    if (!progress.is_none()) { progress(described(now)); }
    expect_not_lent();
    if (stop_) { throw Stopped(); }
    running_ = true;
  };
  const auto work = [&] {
    struct Running {
      bool& flag;
      explicit Running(bool& of_run) : flag(of_run) { flag = true; }
      ~Running() { flag = false; }
    };
    const Running running(running_);
    const nb::gil_scoped_release unlocked;
    run_.simulation().advance(target, show);
  };
  try {
    guard(work);
  } catch (const Stopped&) {}  // between two steps
}

void Run::finish(const std::string& why) {
  if (closed_) { return; }
  static_cast<void>(changed());
  begin();
  guard([&] { run_.conclude(run_.simulation().finish(), why); });
  closed_ = true;
}

std::string Run::write_checkpoint() {
  static_cast<void>(engine());
  begin();
  std::string name;
  guard([&] { name = (run_.folder() / run_.simulation().write_checkpoint()).string(); });
  return name;
}

std::string Run::take_messages() {
  std::string text = said_.str();
  said_.str("");
  return text;
}

SavedState Run::save() {
  static_cast<void>(engine());
  begin();
  return {engine().step(), engine().save(), run_.simulation().state()};
}

void Run::restore(const SavedState& state) {
  if (closed_) throw ContractError("the simulation is closed");
  if (!run_.folder().empty()) {
    throw ContractError("a simulation that writes an output folder cannot be put back: make one without out");
  }
  Engine& engine = changed();
  try {
    engine.restore(state.engine);
    run_.simulation().restore(state.simulation);
  } catch (...) {
    closed_ = broken_ = true;
    throw;
  }
}

Engine& Run::engine() {
  if (running_) { throw ContractError("the simulation runs in another thread"); }
  if (broken_) { throw ContractError("the state that was restored did not fit: make a new simulation"); }
  return run_.engine();
}

void Run::expect_not_lent() const {
  if (lent() == 0) { return; }
  throw ContractError(
      std::to_string(lent()) + (lent() == 1 ? " array" : " arrays") +
      " of the engine's own memory (bodies() or edit()) still in use: delete or copy what you keep before "
      "the simulation goes on");
}

nb::object Run::lend(nb::handle self, const std::string& name) {
  Run& run = nb::cast<Run&>(self);
  const BodyColumns all = run.bodies();
  struct Loan {
    std::shared_ptr<std::size_t> count;
    nb::object lender;  // lives as long as its memory is in use
  };
  for (const BodyColumn& column : all.columns) {
    if (column.name != name) { continue; }
    ++*run.lent_;
    const nb::capsule owner(new Loan{run.lent_, nb::borrow(self)}, [](void* memory) noexcept {
      auto* loan = static_cast<Loan*>(memory);
      --*loan->count;
      delete loan;
    });
    switch (column.type) {
      case ValueType::float64: return view_of<double>(all, column, owner);
      case ValueType::float32: return view_of<float>(all, column, owner);
      default: return view_of<std::uint32_t>(all, column, owner);
    }
  }
  throw ContractError("there is no column \"" + name + "\"");
}

}  // namespace scree::python
