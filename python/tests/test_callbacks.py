"""Functions that a run calls between its steps."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

import scree


@pytest.fixture
def ctrl_c_raises() -> Iterator[None]:
    """A test run in the background of a shell ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_progress_sees_the_present_state(beads: scree.Case) -> None:
    sim = scree.Simulation(beads)
    bodies, seen = sim.bodies(), [sim.positions]

    def look(_: Any) -> None:
        seen.append(sim.positions)
        with pytest.raises(ValueError, match="of an earlier moment"):
            _ = bodies.velocity

    sim.run(progress=look)
    heights = [positions[:, 2].mean() for positions in seen]
    assert len(heights) > 2 and heights[-1] < heights[1] < heights[0]
    assert_array_equal(seen[-1], sim.positions)


@pytest.mark.parametrize("wrong", [lambda s: s.step(10), lambda s: s.run(progress=False), lambda s: s.close()])
def test_progress_makes_no_steps(beads: scree.Case, wrong: Any, tmp_path: Path) -> None:
    sim = scree.Simulation(beads, steps=100, out=tmp_path / "out")
    with pytest.raises(ValueError, match="it cannot .* itself; stop"):
        sim.run(progress=lambda _: wrong(sim))
    assert 0 < sim.steps_made < 100
    assert sim.run(progress=False).steps_made == 100
    assert sim.results.status == "done"


@pytest.mark.usefixtures("ctrl_c_raises")
def test_ctrl_c_leaves_no_callback_out(beads: scree.Case) -> None:
    """It is noticed after steps and before callbacks: a coupled code would miss an exchange."""
    sim = scree.Simulation(beads, steps=50)
    called: list[int] = []
    sim.every(10, lambda s: called.append(s.steps_made))

    def interrupt(now: Any) -> None:
        if now["step"] == 20:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        sim.run(progress=interrupt)
    assert (sim.steps_made, called) == (20, [10])
    sim.run(progress=False)
    assert called == [10, 20, 30, 40, 50]


def test_a_callback_that_fails_is_not_called_again_for_its_step(beads: scree.Case) -> None:
    sim = scree.Simulation(beads, steps=30)
    called: list[int] = []

    @sim.every(10)
    def fail(s: scree.Simulation) -> None:
        called.append(s.steps_made)
        if s.steps_made == 10:
            raise RuntimeError("once")

    sim.every(10, lambda s: called.append(-s.steps_made))
    with pytest.raises(RuntimeError, match="once"):
        sim.run(progress=False)
    sim.run(progress=False)
    assert called == [10, -10, 20, -20, 30, -30]


def test_callbacks_follow_a_run_that_goes_back(beads: scree.Case) -> None:
    sim = scree.Simulation(beads, steps=40)
    called: list[int] = []
    sim.every(10, lambda s: called.append(s.steps_made))
    start = sim.save()
    sim.step(20)
    sim.restore(start)
    sim.step(20)
    assert called == [10, 20, 10, 20]
