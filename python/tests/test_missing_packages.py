"""Commands on machines that lack a package: nothing here needs the program or the compiled module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from runs import lattice, made_up

HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
from scree.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def without(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command where a module is not installed."""
    return subprocess.run([sys.executable, "-c", HIDDEN, module, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "package"), [("pyvista", "pyvista"), ("PIL", "pillow"), ("matplotlib", "matplotlib")]
)
def test_pictures_without_a_package_are_one_sentence(tmp_path: Path, module: str, package: str) -> None:
    pytest.importorskip("pyvista")
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    said = without(module, "render", str(run.folder), "--size", "100", "--draft", "--out", str(tmp_path / "a.png"))
    assert said.returncode == 2
    needs = f'scree render needs the package {package}; install it with: pip install "scree[render]"'
    assert said.stderr == f"error: {needs}\n"
    report = without(module, "report", str(run.folder), "--out", str(tmp_path / "a.html"))
    assert report.returncode == 0, report.stderr
    assert "There are no pictures: scree re" in (tmp_path / "a.html").read_text()


def test_tables_without_pandas_are_one_sentence(tmp_path: Path) -> None:
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, "time[s],step\n0,0\n")
    said = without("pandas", "report", str(run.folder), "--pictures", "0")
    assert (said.returncode, said.stderr.count("\n")) == (2, 1)
    assert "scree report needs the package pandas" in said.stderr


def test_calibrations_without_scipy_run_nothing(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text("{}")
    said = without("scipy", "calibrate", str(tmp_path / "case.json"), "--out", str(tmp_path / "out"), "--fit", "a=0:1",
                   "--to", "bed_height=1")  # fmt: skip
    assert said.returncode == 2
    assert (
        said.stderr
        == 'error: scree calibrate needs the package scipy; install it with: pip install "scree[calibrate]"\n'
    )
    assert not list((tmp_path / "out").glob("run_*"))


@pytest.mark.parametrize("command", ["render", "report", "sweep", "calibrate", "watch"])
@pytest.mark.parametrize("module", ["numpy", "h5py"])
def test_commands_without_what_all_need_are_one_sentence(module: str, command: str) -> None:
    said = without(module, command, "run")
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert said.stderr.startswith(f"error: scree {command} needs the package {module}; install it with: ")
