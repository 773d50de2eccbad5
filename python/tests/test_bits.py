"""The module makes the same bits and files as the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT, run_program

import scree


def golden() -> list[tuple[str, str, int, str]]:
    """Case, precision, steps and hash of all golden cases that need no other run."""
    rows = []
    for line in (ROOT / "tests/golden/hashes.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, precision, steps, state, _ = line.split()
            if '"start"' not in (ROOT / name).read_text():
                rows.append((name, precision, int(steps), state))
    return rows


@pytest.mark.parametrize(
    ("name", "precision", "steps", "state"), [row for row in golden() if row[0].startswith("tests/")]
)
def test_golden_hashes_hold_however_the_steps_are_split(name: str, precision: str, steps: int, state: str) -> None:
    sim = scree.Simulation(scree.Case(ROOT / name, precision=precision), backend="host", threads=1, steps=steps)
    sim.step(1)
    sim.step(min(97, steps))
    _ = sim.positions, sim.forces, sim.contacts(), sim.counts(), sim.bodies().velocity.sum()  # reading changes nothing
    sim.run(progress=False)
    assert sim.hash() == state


@pytest.mark.parametrize("name", ["minimal", "conveyor", "clumps"])
def test_a_folder_is_that_of_the_command_line(name: str, tmp_path: Path) -> None:
    case = ROOT / "configs" / f"{name}.json"
    run_program("run", str(case), "--steps", "900", "--out", str(tmp_path / "there"), "--backend", "host", "--quiet")
    with scree.Simulation(case, out=tmp_path / "here", backend="host", steps=900) as sim:
        sim.step(123)
        sim.run(progress=False)
    compared = run_program("compare", str(tmp_path / "here"), str(tmp_path / "there"))
    assert compared.stdout.startswith("no difference in")
    for file in ("series.csv", "case.json", "frames.vtkhdf.series"):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes(), file
    here, there = scree.Results(tmp_path / "here"), scree.Results(tmp_path / "there")
    assert here.status == there.status == "done"
    assert here.state_hash == there.state_hash == sim.hash()


def test_an_interrupted_run_is_resumed_here_and_by_the_program(beads: scree.Case, tmp_path: Path) -> None:
    whole = scree.Simulation(beads)
    whole.run(progress=False)
    with scree.Simulation(beads, out=tmp_path / "a") as sim:
        sim.step(300)
    assert sim.results.status == "interrupted"
    with scree.Simulation(beads, out=tmp_path / "a", resume=True) as again:
        assert again.steps_made == 300
        again.step(100)
        assert again.checkpoint().exists()
    beads.save(tmp_path / "case.json")
    run_program("run", str(tmp_path / "case.json"), "--out", str(tmp_path / "a"), "--resume", "--quiet")
    assert again.results.state_hash == whole.hash()
    assert again.results.status == "done"


def test_an_interrupted_run_is_removed_only_on_demand(beads: scree.Case, tmp_path: Path) -> None:
    out = tmp_path / "a"
    with scree.Simulation(beads, out=out) as sim:
        sim.step(300)
    with pytest.raises(scree.CaseError, match="holds a run that was interrupted, with a checkpoint of step 300"):
        scree.Simulation(beads, out=out)
    assert list((out / "checkpoints").glob("step_*300.h5")), "nothing was removed"
    with scree.Simulation(beads, out=out, overwrite=True) as sim:
        assert sim.steps_made == 0
        sim.run(progress=False)
    with scree.Simulation(beads, out=out) as sim:  # it has ended, so its results are replaced
        sim.step(10)
    assert sim.results.status == "interrupted"
