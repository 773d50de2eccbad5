"""How far a simulation runs, what stops it, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import free_case, run_program

import scree


def test_until_is_a_time(beads: scree.Case) -> None:
    sim = scree.Simulation(beads, steps=20)
    with pytest.raises(ValueError, match="must be a time"):
        sim.run(until=float("nan"), progress=False)
    assert sim.run(until=float("-inf"), progress=False).steps_made == 0
    assert sim.run(until=float("inf"), progress=False).steps_made == 20


def test_until_counts_steps_as_a_duration_does() -> None:
    """4.7 / 1e-7 is 47000000.00000001."""
    long = scree.Simulation(free_case(time={"duration": 100, "step": 1e-7}))
    for time in (0.3, 4.7, 17.1):
        assert long._step_at(time) == scree.Simulation(free_case(time={"duration": time, "step": 1e-7})).last_step


@pytest.mark.parametrize("stages", [[], [{"name": "fine", "time": {"step": 1e-5}}]])
def test_until_needs_steps_of_one_length(stages: list[Any]) -> None:
    time: dict[str, Any] = {"duration": 0.01, "step": 2e-5} if stages else {"duration": 0.01, "adaptive": True}
    sim = scree.Simulation(free_case(time=time, stages=stages))
    with pytest.raises(ValueError, match="^until: a run with an adaptive step counts steps"):
        sim.run(until=0.005, progress=False)
    assert "step 0, t = 0 s" in repr(sim)  # it ends at a time, at a step that nobody knows
    assert sim.run(until=float("inf"), progress=False).over


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"threads": 100_000}, "threads must be a whole number from 0 to "),  # would end the process
        ({"threads": -1}, "threads must be"), ({"threads": 1.5}, "threads must be"),
        ({"steps": -1}, "steps must be a whole number that is not negative, got -1"),
        ({"steps": 2.5}, "steps must be"), ({"steps": float("inf")}, "steps must be"),
        ({"device": -1}, "device must be"), ({"backend": None}, 'got "None"'), ({"out": ""}, "out: must be the name"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_one_sentence(beads: scree.Case, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as raised:
        scree.Simulation(beads, **arguments)
    assert "\n" not in str(raised.value)


@pytest.fixture
def ctrl_c_raises() -> Iterator[None]:
    """A shell that runs a command in the background has it ignore Ctrl-C, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_raises")
def test_ctrl_c_stops_between_two_steps(beads: scree.Case, tmp_path: Path) -> None:
    beads.set("time.duration", 1000)
    sim = scree.Simulation(beads, out=tmp_path / "out")
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run(progress=False)
    made = sim.steps_made
    assert made > 0 and sim.results.checkpoints[-1].step == made
    assert sim.step(10).steps_made == made + 10
    sim.close()
    assert sim.results.status == "interrupted" and "stopped by the program that ran it" in sim.results.log.text


def test_two_simulations_run_at_once_and_one_thread_at_a_time(beads: scree.Case) -> None:
    beads.set("time.duration", 1000)
    alone = scree.Simulation(beads, threads=1).step(3000)
    sims = [scree.Simulation(beads, threads=1) for _ in range(2)]
    threads = [threading.Thread(target=sim.step, args=(3000,)) for sim in sims]
    busy = scree.Simulation(beads, threads=1)
    assert len(busy.positions) == 50
    busy_thread = threading.Thread(target=busy.run, kwargs={"steps": 100_000, "progress": False})
    for thread in [*threads, busy_thread]:
        thread.start()
    with pytest.raises(ValueError, match="^the simulation runs in another thread$"):
        for _ in range(1000):
            busy.hash()
    with pytest.raises(ValueError, match="^the simulation runs in another thread$"):
        _ = busy.positions  # those of before are not those of now
    assert repr(busy) == "<simulation: the simulation runs in another thread>"
    busy.stop()
    for thread in threads:
        thread.join()
    assert [sim.hash() for sim in sims] == [alone.hash()] * 2
    busy_thread.join()


def test_progress_reaches_a_function(beads: scree.Case) -> None:
    seen: list[float] = []
    scree.Simulation(beads).run(progress=lambda now: seen.append(now["time"]))
    assert seen == sorted(seen) and seen[-1] == pytest.approx(0.05, rel=1e-3)


def test_a_fault_names_the_particle_and_leaves_a_frame(tmp_path: Path) -> None:
    case = free_case()
    sim = scree.Simulation(case, out=tmp_path / "out")
    sim.set(1, positions=sim.positions[0] + [1e-4, 0, 0])
    with pytest.raises(scree.FaultError, match=r"^step \d+, particle \d") as raised:
        sim.run(progress=False)
    assert raised.value.ids and raised.value.step <= 2
    assert sim.results.status == "failed" and sim.results.fault is not None
    assert sim.results.log.errors == [str(raised.value)]
    with pytest.raises(ValueError, match="^the simulation is closed"):
        sim.step()


def test_a_forgotten_simulation_ends_with_its_program(beads: scree.Case, tmp_path: Path) -> None:
    sim = scree.Simulation(beads, out=tmp_path / "out").step(20)
    del sim
    assert scree.Results(tmp_path / "out").status == "interrupted"


def test_a_run_that_is_left_with_views_has_a_checkpoint(beads: scree.Case, tmp_path: Path) -> None:
    """The error of the program is not hidden by that about the view, and the run can be continued."""
    with pytest.raises(RuntimeError, match="mine"), scree.Simulation(beads, out=tmp_path / "out") as sim:
        sim.step(20)
        kept = sim.bodies().velocity
        raise RuntimeError("mine")
    assert [checkpoint.step for checkpoint in sim.results.checkpoints] == [20]
    del kept, sim
    other = scree.Simulation(beads, out=tmp_path / "other").step(30)
    kept = other.bodies().velocity
    del other
    assert [checkpoint.step for checkpoint in scree.Results(tmp_path / "other").checkpoints] == [30]
    assert len(kept) == 50


def test_a_folder_with_other_files_is_refused(beads: scree.Case, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("")
    with pytest.raises(scree.CaseError, match="holds files that are not results of an earlier run"):
        scree.Simulation(beads, out=tmp_path)


def test_warnings_are_those_of_python_at_the_line_of_the_caller() -> None:
    with pytest.warns(scree.ScreeWarning, match="time.step: 1e-04 s is above the limit") as seen:
        sim = scree.Simulation(free_case())
    assert seen[0].filename == __file__
    assert any(line.startswith("warning: time.step") for line in sim.log)


def test_an_unknown_backend_is_refused(beads: scree.Case) -> None:
    with pytest.raises(ValueError, match='"auto", "host" or "cuda", got "gpu"'):
        scree.Simulation(beads, backend="gpu")  # type: ignore[arg-type]


def test_the_program_comes_with_the_package() -> None:
    assert run_program("version").stdout.startswith("scree " + scree.__version__)
