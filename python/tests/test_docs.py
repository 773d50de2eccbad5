"""The program of docs/python.md runs as it stands there, and prints what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    said = ""
    for kind, code in blocks:
        if kind == "python":
            exec(compile(code, "docs/python.md", "exec"), names)
            said = capsys.readouterr().out
        elif kind == "":
            assert said == code  # what the example before prints
    assert names["forces"][-1] == pytest.approx(0.5, rel=0.1)
    assert names["results"].status == "done"
    assert (tmp_path / "out/beads/frames.vtkhdf.series").exists()


def test_the_script_of_the_site_says_how_it_is_used() -> None:
    script = [sys.executable, str(ROOT / "scripts/docs_pages.py")]
    said = subprocess.run([*script, "--help"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("usage: docs_pages.py [-h] PROGRAM OUT")
    wrong = subprocess.run(script, capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr
