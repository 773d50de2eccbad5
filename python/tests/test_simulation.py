"""What a simulation refuses, and how it says so."""

from __future__ import annotations

import pytest

import scree


def test_the_end_of_the_case_is_told(beads: scree.Case) -> None:
    """A loop that waits for a time beyond the end would never come to an end itself."""
    sim = scree.Simulation(beads)
    with pytest.raises(ValueError, match=r"^until: 1000 s is beyond the end of the case at step "):
        sim.run(until=1000, progress=False)
    assert sim.steps_made == 0
    sim.run(progress=False)
    assert sim.over
    with pytest.raises(ValueError, match=r"^step: the simulation is over, at "):
        sim.step()
    sim.step(0)
    assert sim.run(progress=False).over


def test_a_time_that_is_over_is_refused(beads: scree.Case) -> None:
    """To do nothing would look as if the time had been reached."""
    sim = scree.Simulation(beads)
    with pytest.raises(ValueError, match=r"^until: -1 s is over: the simulation is at 0 s \(step 0\)"):
        sim.run(until=-1, progress=False)
    sim.run(until=0.002, progress=False)
    step = sim.steps_made
    with pytest.raises(ValueError, match=r"^until: 0\.001 s is over: the simulation is at 0\.002"):
        sim.run(until=0.001, progress=False)
    assert step == sim.steps_made
    assert sim.run(until=0.002, progress=False).steps_made == step  # the present time, also if given as before
    assert sim.run(until=sim.time, progress=False).steps_made == step


def test_a_boundary_that_is_not_there(beads: scree.Case) -> None:
    sim = scree.Simulation(beads)
    assert sim.boundaries["lid"].name == "lid"
    with pytest.raises(KeyError, match='there is no boundary "flor": did you mean "floor"\\? There are floor, lid'):
        sim.boundaries["flor"]
