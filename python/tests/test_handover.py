"""The program hands commands to this package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import runs

pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    whole = {**os.environ, "SCREE_PYTHON": sys.executable, **environment}
    return subprocess.run([runs.PROGRAM, *arguments], env=whole, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["render", "report", "sweep", "calibrate", "watch"])
def test_commands_of_the_package_are_those_of_the_program(name: str) -> None:
    assert name in call("--help").stdout
    help_text = call(name, "--help")
    assert help_text.returncode == 0, help_text.stderr
    assert help_text.stdout.startswith(f"usage: scree {name}")


def test_exit_codes_and_sentences_come_back(tmp_path: Path) -> None:
    wrong = call("render", str(tmp_path / "none"))
    assert wrong.returncode == 2
    assert wrong.stderr == f"error: {tmp_path / 'none'}: there is no such folder\n"


def test_a_missing_package_is_one_sentence(tmp_path: Path) -> None:
    bare = tmp_path / "scree"
    bare.write_bytes(Path(runs.PROGRAM).read_bytes())  # not in a checkout
    bare.chmod(0o755)
    environment = {"SCREE_PYTHON": sys.executable, "PATH": "/usr/bin:/bin", "PYTHONNOUSERSITE": "1"}
    said = subprocess.run([str(bare), "render", "x"], env=environment, cwd=tmp_path, capture_output=True, text=True,
                          check=False)  # fmt: skip
    if "there is no such folder" in said.stderr:
        pytest.skip("the package is installed for this interpreter")
    assert said.returncode != 0
    assert said.stderr.count("\n") == 1
    assert "scree render needs the Python package of scree" in said.stderr
    assert "-m pip install ./python" in said.stderr


def test_a_folder_named_scree_is_not_the_package(tmp_path: Path) -> None:
    (tmp_path / "scree").mkdir()
    (tmp_path / "scree" / "__main__.py").write_text("raise SystemExit(7)")
    said = subprocess.run([runs.PROGRAM, "render", "x"], env={**os.environ, "SCREE_PYTHON": sys.executable},
                          cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert said.returncode != 7
