#include "host/commands/python.hpp"

#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <system_error>

#include "host/run/exit_code.hpp"

namespace scree {
namespace {

constexpr std::array commands{
    PythonCommand{"render", "Make pictures and films of a run (Python)"},
    PythonCommand{"report", "Write a run as one HTML file with plots and a view in three dimensions (Python)"},
    PythonCommand{"sweep", "Run a case with many values and gather the results in a table (Python)"},
    PythonCommand{"calibrate", "Fit values of a case to measured numbers (Python)"},
    PythonCommand{"watch", "Show a run on a local page while it goes on (Python)"},
};

/// A Python program that runs the package like `-m scree`, but does not search the working folder for modules. The
/// folder of a checkout comes last in the search.
constexpr const char* start_text = R"py(import os, sys
sys.path[:] = [folder for folder in sys.path if folder]
if os.environ.get("SCREE_SOURCE"):
    sys.path.append(os.environ["SCREE_SOURCE"])
try:
    from scree.__main__ import main
except ModuleNotFoundError as error:
    own = error.name.split(".")[0] == "scree"
    need = "the Python package of scree, which its source installs" if own else "the Python module " + error.name
    what = "./python" if own else "numpy h5py pandas" if error.name in ("numpy", "h5py", "pandas") else error.name
    print(f"error: scree {sys.argv[1]} needs {need}: {sys.executable} -m pip install {what} "
          "(SCREE_PYTHON chooses another interpreter)", file=sys.stderr)
    sys.exit(2)
sys.exit(main())
)py";

std::string interpreter() {
  const char* chosen = std::getenv("SCREE_PYTHON");
  return chosen != nullptr && *chosen != '\0' ? chosen : "python3";
}

/// The folder of the Python package in the checkout in which this program was built; empty if there is none.
std::filesystem::path source_of_package(std::filesystem::path folder) {
  std::error_code ignored;
  for (int level = 0; level < 5 && folder.has_relative_path(); ++level) {
    folder = folder.parent_path();
    if (std::filesystem::exists(folder / "python/src/scree/__main__.py", ignored)) { return folder / "python/src"; }
  }
  return {};
}

/// Sets the environment variables by which the Python package finds this program and its own source.
void set_environment() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) { return; }
  setenv("SCREE_PROGRAM", program.c_str(), 1);
  const auto source = source_of_package(program);
  if (source.empty()) {
    unsetenv("SCREE_SOURCE");
  } else {
    setenv("SCREE_SOURCE", source.c_str(), 1);
  }
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (auto& word : words) { result.push_back(word.data()); }
  result.push_back(nullptr);
  return result;
}

std::string no_interpreter(int error_number) {
  return "the interpreter " + interpreter() + " cannot be started: " + std::generic_category().message(error_number) +
         "; install Python 3.10 or later, or name an interpreter in SCREE_PYTHON";
}

}  // namespace

std::span<const PythonCommand> python_commands() { return commands; }

std::vector<std::string> python_call(const std::vector<std::string>& words) {
  std::vector<std::string> call{interpreter(), "-c", start_text};
  call.insert(call.end(), words.begin(), words.end());
  return call;
}

int become_python(const std::vector<std::string>& words, std::ostream& errors) {
  set_environment();
  auto call = python_call(words);
  auto arguments = pointers(call);
  execvp(arguments.front(), arguments.data());
  errors << "error: scree " << words.front() << " needs Python: " << no_interpreter(errno) << '\n';
  return exit_bad_input;
}

std::string start_watching(const std::filesystem::path& folder) {
  set_environment();
  auto call = python_call({"watch", folder.string(), "--while", std::to_string(getpid())});
  auto arguments = pointers(call);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ);
  return error == 0 ? "" : "no page to watch: " + no_interpreter(error);
}

}  // namespace scree
