"""What reports say about energies, steps and series; nothing here needs the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy
import pytest
from runs import lattice, made_up

from scree import Results
from scree.__main__ import main
from scree.report.diagnostics import Diagnostic, diagnostics
from scree.report.energy import energy_error, switches
from scree.watch import state_of

PAGE = Path(__file__).resolve().parents[2] / "docs/visualise.md"
STEP, ENERGY = "Time step over the critical step", "Energy error"


def energies(jumps: dict[float, float], noise: float = 1e-4) -> str:
    """A series of 1 s with a largest term of 1 J, in which the error changes at some times by some energies [J]."""
    rows = ["time[s],step,elastic[J],work_gravity[J],energy_error[J]"]
    for k in range(21):
        error = sum(jump for time, jump in jumps.items() if k / 20 > time) + noise * k / 20
        rows.append(f"{k / 20:g},{k},{0.5 + error:g},1,{error:g}")
    return "\n".join(rows) + "\n"


def judged(folder: Path, series: str, log: str = "", **case: Any) -> tuple[Results, dict[str, Diagnostic]]:
    run = made_up(folder, lattice(2, 0.1), 0.01, series)
    (run.folder / "case.json").write_text(json.dumps({"time": {"duration": 1, "step": 1e-3}, **case}))
    (run.folder / "run.log").write_text("scree 0.1.0\n" + log)
    return run, {found.name: found for found in diagnostics(run)}


BEGINS = """step 0, t = 0 s: stage "fill" begins
step 300, t = 0.3 s: stage "fill" ends; stage "open" begins
step 620, t = 0.62 s: stage "open" ends; stage "shut" begins
"""


def test_boundaries_that_stages_switch_are_named(tmp_path: Path) -> None:
    stages = [{"name": "fill"}, {"name": "open", "boundaries": {"lid": {"present": False}}},
              {"name": "shut", "boundaries": {"lid": {"present": True}}}]  # fmt: skip
    boundaries = {"lid": {"type": "plane"}, "floor": {"type": "plane"}}
    run, found = judged(tmp_path / "a", energies({0.62: 0.2}), BEGINS, stages=stages, boundaries=boundaries)
    assert [(s.time, s.come, s.go) for s in switches(run)] == [
        (pytest.approx(0.3), (), ("lid",)), (pytest.approx(0.62), ("lid",), ()),
    ]  # fmt: skip
    line = found[ENERGY]
    assert line.verdict == "bad"
    assert 'Energy changed when "lid" was put in at 0.62 s: ' in line.meaning
    assert "kept within 0.0085 % of" in line.meaning  # without the interval in which it was put in
    assert "0.3 s" not in line.meaning and "too long" not in line.meaning
    _, found = judged(tmp_path / "b", energies({0.45: 0.2}), BEGINS, stages=stages, boundaries=boundaries)
    assert "the step is too long" in found[ENERGY].meaning  # it happened at another time
    _, found = judged(tmp_path / "c", energies({0.62: 0.2}), BEGINS, stages=[{"name": "fill"}] * 3,
                      boundaries=boundaries)  # fmt: skip
    assert "the step is too long" in found[ENERGY].meaning  # stages that switch nothing


def test_boundaries_that_are_there_for_a_time_are_named(tmp_path: Path) -> None:
    boundaries = {"gate": {"type": "plane", "present_from": 0.22, "present_until": 0.71}, "floor": {"type": "plane"}}
    run, found = judged(tmp_path / "a", energies({0.22: 0.03, 0.71: -0.1}), boundaries=boundaries)
    assert '"gate" was put in at 0.22 s, and when "gate" was taken away at 0.71 s: ' in found[ENERGY].meaning
    error = energy_error(run)
    assert error is not None
    assert error.kept == pytest.approx(1e-4, rel=0.2)
    assert error.ratio == pytest.approx(0.07, rel=0.02)
    _, found = judged(tmp_path / "b", energies({}), boundaries=boundaries)
    assert found[ENERGY].meaning == "Energy is kept to within a hundredth of the largest term."


@pytest.mark.parametrize(
    ("series", "verdict", "words"),
    [
        (energies({}), "doubtful", "but energy is kept within 0.01 % of its largest term"),
        (energies({}, noise=0.04), "bad", "Use a smaller time.step"),
        ("time[s],step\n0,0\n1,1000\n", "bad", "Use a smaller time.step"),  # energies are not known
    ],
)
def test_a_long_step_is_judged_by_the_energy_that_was_kept(
    tmp_path: Path, series: str, verdict: str, words: str
) -> None:
    log = "time step   1.23 of 2.87e-05 s, the least critical step, in step 9 801\n"
    _, found = judged(tmp_path / "run", series, log)
    assert (found[STEP].value, found[STEP].verdict) == ("at most 1.23", verdict)
    assert words in found[STEP].meaning


def test_a_long_step_and_a_switch_are_told_apart(tmp_path: Path) -> None:
    log = "time step   1.1 of 2.87e-05 s, the least critical step, in step 9 801\n"
    boundaries = {"gate": {"type": "plane", "present_from": 0.5}}
    _, found = judged(tmp_path / "run", energies({0.5: 0.3}), log, boundaries=boundaries)
    assert (found[STEP].verdict, found[ENERGY].verdict) == ("doubtful", "bad")


def test_a_series_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    run, found = judged(tmp_path / "run", energies({}).replace("0.5,10,", "0.5,ten,"))
    assert not run.has_series
    for name in (STEP, "Largest overlap", ENERGY):
        assert found[name].verdict == "unknown"
        assert "The series could not be read: " in found[name].meaning and "is not a number" in found[name].meaning
    assert any("The series could not be read" in text for text in state_of(run)["warnings"])
    assert main(["report", str(run.folder), "--pictures", "0"]) == 0
    page = (tmp_path / "run.html").read_text()
    assert "The run has no rows" not in page
    assert page.count("The series could not be read") == 4
    _, found = judged(tmp_path / "new", "time[s],ste")  # its header is not there yet
    assert list(found) == ["State"]
    assert numpy.isfinite(run.time)


@pytest.mark.skipif(not PAGE.is_file(), reason="there is no checkout")
def test_overlaps_are_judged_as_the_page_says(tmp_path: Path) -> None:
    row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| largest overlap"))
    good, doubtful = (float(number) for number in re.findall(r"up to (\d+) %", row))
    for k, (percent, verdict) in enumerate(
        ((0.99 * good, "good"), (1.01 * good, "doubtful"), (0.99 * doubtful, "doubtful"), (1.01 * doubtful, "bad"))
    ):
        _, found = judged(tmp_path / str(k), f"time[s],overlap_max_so_far\n1,{percent / 100}\n")
        assert found["Largest overlap"].verdict == verdict
