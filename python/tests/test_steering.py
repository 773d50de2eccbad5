"""Callbacks, and what a program changes between steps: gravity, groups, friction, damping, the time step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import free_case, sliding_case
from numpy.testing import assert_allclose

import scree


def test_callbacks_are_called_at_their_steps(beads: scree.Case) -> None:
    plain = scree.Simulation(beads, steps=500)
    plain.run(progress=False)
    sim = scree.Simulation(beads, steps=500)
    seen: list[int] = []
    sim.every(100, lambda s: seen.append(s.steps_made))

    @sim.every(150)
    def look(s: scree.Simulation) -> None:
        seen.append(-s.steps_made)

    sim.step(130)
    sim.run(progress=False)
    assert seen == [100, -150, 200, 300, -300, 400, -450, 500]
    assert sim.hash() == plain.hash()


@pytest.mark.parametrize("wrong", [lambda s: s.step(10), lambda s: s.run(progress=False), lambda s: s.close()])
def test_a_callback_makes_no_steps(beads: scree.Case, wrong: Any, tmp_path: Path) -> None:
    """It would be called again within itself, a thousand times."""
    plain = scree.Simulation(beads, steps=100)
    plain.run(progress=False)
    sim = scree.Simulation(beads, steps=100, out=tmp_path / "out")
    sim.every(10, wrong)
    with pytest.raises(ValueError, match="it cannot .* itself; stop"):
        sim.run(progress=False)
    assert sim.steps_made == 10
    sim._callbacks.clear()
    assert sim.run(progress=False).hash() == plain.hash()  # and the simulation can go on


def test_gravity_and_damping_are_those_of_the_stage() -> None:
    stages = [
        {"name": "first", "until": {"duration": 0.01}},
        {"name": "second", "gravity": [0, 0, -2], "damping": 0.3, "viscous_damping": 5},
    ]
    sim = scree.Simulation(free_case(stages=stages, integration={"viscous_damping": 1}))
    assert (sim.gravity, sim.damping, sim.viscous_damping) == ((0, 0, 0), 0, 1)
    sim.damping = 0.1
    assert (sim.damping, sim.viscous_damping) == (0.1, 1)
    sim.step(101)
    assert (sim.gravity, sim.damping, sim.viscous_damping) == ((0, 0, -2), 0.3, 5)
    sim.gravity = (1, 0, 0)
    assert sim.gravity == (1, 0, 0)


def test_ids_are_whole_numbers(beads: scree.Case) -> None:
    sim = scree.Simulation(beads, steps=10)
    before = sim.hash()
    for wrong, said in (
        (sim.positions[:, 2] > 0, "ids\\[mask\\]"), ([0.5], "whole numbers"), ([-1], "no particle -1"),
        ([[1, 2]], "whole numbers"), ([2**32 + 1], "no particle 4294967297"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            sim.set(wrong, velocities=[0, 0, 1])
    assert sim.hash() == before
    sim.set(sim.ids[sim.positions[:, 2] > 0], velocities=[0, 0, 1])
    assert sim.hash() != before


def test_a_callback_can_stop_the_run(beads: scree.Case) -> None:
    sim = scree.Simulation(beads)
    sim.every(50, lambda s: s.stop() if s.steps_made >= 100 else None)
    assert sim.run(progress=False).steps_made == 100
    assert sim.run(progress=False).steps_made == 150
    with pytest.raises(ValueError, match="must be positive"):
        sim.every(0, print)


def test_gravity_is_set() -> None:
    sim = scree.Simulation(free_case())
    start = sim.positions.copy()
    sim.step(100)
    sim.gravity = (0, 0, -10)
    assert sim.gravity == (0, 0, -10)
    sim.step(100)
    # Leapfrog: velocities are k g dt after k kicks, so the way is g dt^2 n (n + 1) / 2.
    assert_allclose(sim.positions - start, [[0, 0, -10 * 1e-8 * 100 * 101 / 2]] * 2, rtol=1e-6)


def test_group_forces_are_set() -> None:
    case = free_case(groups={"pulled": {"force": [0, 0, 0]}})
    case["particles"][0]["group"] = "pulled"
    sim = scree.Simulation(case)
    start, mass = sim.positions.copy(), 2500 * 4 / 3 * numpy.pi * 1e-9
    sim.set_group("pulled", force=[mass, 0, 0])
    sim.step(100)
    assert_allclose(sim.positions - start, [[1e-8 * 100 * 101 / 2, 0, 0]] * 2, rtol=0.01, atol=1e-12)
    with pytest.raises(ValueError, match='there is no group "pushed": .*pulled'):
        sim.set_group("pushed")


def test_a_group_is_held_moved_turned_and_let_go() -> None:
    case = free_case(groups={"tool": {}}, integration={"damping": 0.0})
    case["particles"][0]["group"] = "tool"
    sim = scree.Simulation(case)
    sim.gravity = (0, 0, -10)
    sim.step(50)
    start = sim.positions.copy()
    everything = ["x", "y", "z", "rx", "ry", "rz"]
    sim.set_group("tool", fixed=everything, velocity=[0.1, 0, 0], angular_velocity=[0, 0, 0])
    sim.step(100)  # 0.01 s
    assert_allclose(sim.positions - start, [[0.001, 0, 0]] * 2, rtol=1e-9, atol=1e-15)
    sim.set_group("tool", rate=numpy.pi / 0.1, axis=[0, 0, 3], origin=[0, 0, 0])
    before = sim.positions.copy()
    sim.step(1000)  # half a turn about z
    assert_allclose(sim.positions, before * [-1, -1, 1], rtol=0, atol=1e-9)
    sim.set_group("tool", velocity=[0, 0, 0])
    sim.set_group("tool", fixed=[])
    before = sim.positions.copy()
    sim.step(100)
    fall = -10 * 1e-8 * 100 * 101 / 2
    assert_allclose(sim.positions - before, [[0, 0, fall]] * 2, rtol=1e-6, atol=1e-12)
    with pytest.raises(ValueError, match='"w" is none of x, y, z'):
        sim.set_group("tool", fixed=["w"])
    with pytest.raises(ValueError, match="the axis must not be zero"):
        sim.set_group("tool", rate=1, axis=[0, 0, 0])
    with pytest.raises(ValueError, match="six fixed components"):
        sim.set_group("tool", rate=1)


def test_inlets_bring_particles_of_a_changed_group() -> None:
    inlet = {"rate": 1000, "region": {"box": [[0, 0, 0], [0.1, 0.1, 0.1]]}}
    case = free_case(groups={"belt": {"fixed": ["x", "y", "z"], "velocity": [0.1, 0, 0]}})
    case["particles"] = [{"material": "glass", "radius": 1e-3, "group": "belt", "inlet": inlet}]
    sim = scree.Simulation(case)
    sim.step(100)
    sim.set_group("belt", velocity=[0.2, 0, 0])
    sim.step(100)
    assert len(sim.velocities) > 15
    assert_allclose(sim.velocities, [[0.2, 0, 0]] * len(sim.velocities), rtol=1e-12)


def test_particles_join_a_group_and_leave_it() -> None:
    case = free_case(groups={"tool": {"fixed": ["x", "y", "z"], "velocity": [0.1, 0, 0]}})
    sim = scree.Simulation(case)
    start = sim.positions.copy()
    sim.join_group("tool", [1])
    sim.step(100)  # 0.01 s
    assert_allclose(sim.positions - start, [[0, 0, 0], [0.001, 0, 0]], rtol=1e-9, atol=1e-15)
    sim.join_group("", [1])
    sim.gravity = (0, 0, -10)
    sim.step(100)
    fall = -10 * 1e-8 * 100 * 101 / 2
    assert_allclose(sim.positions - start, [[0, 0, fall], [0.002, 0, fall]], rtol=1e-6, atol=1e-12)
    with pytest.raises(ValueError, match='there is no group "hand": .*tool'):
        sim.join_group("hand", [0])
    with pytest.raises(ValueError, match="there is no particle 7"):
        sim.join_group("tool", [7])


def test_friction_is_set() -> None:
    sim = scree.Simulation(sliding_case())
    sim.step(2000)  # it comes to rest on the floor
    for friction in (0.1, 0.4):
        sim.set_friction("glass", "*", friction)
        sim.set(velocities=[1, 0, 0])
        sim.step(500)  # the spring is at Coulomb's limit
        before = sim.velocities[0, 0]
        sim.step(1000)
        # The sphere still swings a little about its weight.
        assert before - sim.velocities[0, 0] == pytest.approx(friction * 10 * 0.01, rel=0.01)
    with pytest.raises(ValueError, match='^there is no material "steel": there is only glass$'):
        sim.set_friction("steel", "glass", 0.1)
    with pytest.raises(ValueError, match="^friction must be a number that is not negative$"):
        sim.set_friction("*", "*", -1)


def test_materials_of_level_set_grains_are_those_of_the_case() -> None:
    """Grains have materials of their own inside; names, messages and changes know those of the case only."""
    shapes = {"ball": {"type": "level_set", "sphere": {"radius": 1e-3}, "grid_spacing": 2e-4}}
    case = sliding_case(shapes=shapes)
    lattice = {"type": "simple_cubic", "box": [[0, 0, 0], [2.2e-3, 2.2e-3, 2.2e-3]], "spacing": 2.2e-3}
    case["particles"][0] |= {"shape": "ball", "lattice": lattice}
    sim = scree.Simulation(case)
    assert sim.material_names == ["glass"] and set(sim.materials) == {0}
    with pytest.raises(ValueError, match='^there is no material "steel": there is only glass$'):
        sim.set_friction("steel", "glass", 0.1)
    sim.step(2000)  # it comes to rest on the floor
    sim.set_friction("glass", "*", 0.2)
    sim.set_clumps(velocities=[1, 0, 0])
    sim.step(500)  # the springs are at Coulomb's limit
    before = sim.clumps.velocities[0, 0]
    sim.step(1000)
    # All nodes slide, so the friction is that of the weight; the grain still swings a little about it.
    assert before - sim.clumps.velocities[0, 0] == pytest.approx(0.2 * 10 * 0.01, rel=0.05)


def test_damping_is_set() -> None:
    sim = scree.Simulation(free_case(groups={"still": {"force": [0, 0, 0]}}))
    sim.gravity = (0, 0, -10)
    sim.step(100)
    assert_allclose(sim.velocities[:, 2], -10 * 0.00995, rtol=1e-6)  # the first kick is half a step
    sim.damping = 0.3
    sim.step(100)
    assert_allclose(sim.velocities[:, 2], -10 * (0.00995 + 0.7 * 0.01), rtol=1e-6)
    sim.damping, sim.gravity, before = 0, (0, 0, 0), sim.velocities
    sim.viscous_damping = 20
    sim.step(100)
    assert (sim.damping, sim.viscous_damping) == (0, 20)
    assert_allclose(sim.velocities, before * numpy.exp(-20 * 0.01), rtol=1e-6, atol=1e-15)
    with pytest.raises(ValueError, match=r"^damping must lie in \[0, 1\)$"):
        sim.damping = 1
    assert sim.damping == 0
    with pytest.raises(ValueError, match="only if the case has groups or viscous damping"):
        scree.Simulation(free_case()).viscous_damping = 1


def test_the_time_step_is_set() -> None:
    case = free_case()
    case["time"] = {"duration": 1, "adaptive": True}
    sim = scree.Simulation(case)
    sim.step(10)
    sim.set_time_step(3e-6)
    before = sim.time
    sim.step(100)
    assert sim.time - before == pytest.approx(3e-4, rel=1e-9)
    sim.set_time_step(safety=0.2)
    before = sim.time
    sim.step(100)
    # It is chosen every ten steps, and far from the limit it then grows by 5 %.
    assert sim.time - before == pytest.approx(3e-5 * sum(1.05**k for k in range(1, 11)), rel=1e-3)
    for wrong in ({}, {"step": 1e-6, "safety": 0.1}, {"step": -1.0}):
        with pytest.raises(ValueError, match="either a step or a safety|greater than 0"):
            sim.set_time_step(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^the time step of this scene is constant$"):
        scree.Simulation(free_case()).set_time_step(1e-6)
