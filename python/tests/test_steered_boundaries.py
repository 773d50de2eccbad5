"""What a program changes of boundaries while they move."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from conftest import free_case, sliding_case
from numpy.testing import assert_allclose

import scree


def test_motions_are_finite(beads: scree.Case) -> None:
    """The engine would take them, and the work of the boundary would not be a number any more."""
    sim = scree.Simulation(beads)
    lid, nan = sim.boundaries["lid"], float("nan")
    for wrong, said in (
        (lambda: lid.move([0, nan, 0]), "velocity"), (lambda: lid.move([0, 1]), "velocity"),
        (lambda: lid.rotate(nan), "rate"), (lambda: lid.rotate(1, axis=(1, 0)), "axis"),
        (lambda: lid.drive([0, 0, float("inf")]), "force"), (lambda: lid.drive(torque=nan), "torque"),
        (lambda: lid.slide([nan, 0, 0]), "velocity"), (lambda: lid.heat(flux=nan), "flux"),
        (lambda: setattr(sim, "gravity", (0, -9.81)), "gravity"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"^{said}: .*finite number.* needed"):
            wrong()


def boundary_case() -> scree.Case:
    plate: dict[str, Any] = {"type": "box", "min": [-1, -1, -1], "max": [1, 1, 1], "material": "glass"}
    lid = {**plate, "motion": [{"type": "translation", "velocity": [0, 0, 0.1]}]}
    piston = {**plate, "drive": {"translation": {"mass": 2, "free": ["x"]}}}
    return free_case(boundaries={"plate": plate, "lid": lid, "piston": piston})


def test_a_boundary_goes_on_from_where_it_is() -> None:
    sim = scree.Simulation(boundary_case())
    lid = sim.boundaries["lid"]
    start = lid.vertices
    sim.step(100)  # 0.01 s
    assert_allclose(lid.vertices - start, [[0, 0, 0.001]] * 8, rtol=1e-12)
    lid.move([0.2, 0, 0])
    sim.step(50)
    lid.move([0, 0, -0.1])
    sim.step(100)
    assert_allclose(lid.vertices - start, [[0.001, 0, 0]] * 8, rtol=1e-9, atol=1e-15)
    lid.rotate(numpy.pi / 0.01, axis=[0, 0, 2])
    sim.step(100)  # half a turn about z
    turned = (start + [0.001, 0, 0]) * [-1, -1, 1]
    assert_allclose(lid.vertices, turned, atol=1e-9)


def test_a_driven_boundary_follows_its_new_force() -> None:
    sim = scree.Simulation(boundary_case())
    piston = sim.boundaries["piston"]
    piston.drive(force=[4, 5, 6])
    sim.step(100)
    assert piston.load()["velocity"][0] == pytest.approx(2 * 0.00995, rel=1e-6)  # the first kick is half a step
    assert piston.load()["velocity"][1:] == (0, 0)


def test_a_boundary_at_rest_says_what_to_do() -> None:
    sim = scree.Simulation(boundary_case())
    with pytest.raises(ValueError, match="^the boundary is at rest for good: give it a motion or a drive in the case$"):
        sim.boundaries["plate"].move([1, 0, 0])
    with pytest.raises(ValueError, match="^the boundary has no drive in the case$"):
        sim.boundaries["lid"].drive(torque=1)


def test_the_heat_of_a_boundary_is_set() -> None:
    """A flux q heats a resting sphere by q pi r^2 in a second; a temperature is approached, whatever it is."""
    case = sliding_case(heat={"temperature": 300})
    case.set("materials.glass.thermal", {"conductivity": 100, "heat_capacity": 800})
    sim = scree.Simulation(case)
    sim.step(2000)  # it comes to rest on the floor
    floor, capacity = sim.boundaries["floor"], 4 / 3 * numpy.pi * 1e-9 * 2500 * 800
    assert sim.temperatures[0] == 300
    floor.heat(flux=1e6)
    sim.step(1000)
    warm = sim.temperatures[0]
    assert warm - 300 == pytest.approx(1e6 * numpy.pi * 1e-6 * 0.01 / capacity, rel=1e-9)
    floor.heat()
    sim.step(1000)
    assert sim.temperatures[0] == warm
    floor.heat(temperature=250)
    sim.step(1000)
    assert 250 < sim.temperatures[0] < warm
    for wrong, said in (({"temperature": 0}, "above 0"), ({"temperature": 300, "flux": 1}, "a temperature or a flux")):
        with pytest.raises(ValueError, match=said):
            floor.heat(**wrong)
    with pytest.raises(ValueError, match="the scene has no heat"):
        scree.Simulation(sliding_case()).boundaries["floor"].heat(temperature=300)


def test_a_surface_carries_what_lies_on_it() -> None:
    belt = [{"type": "translation", "velocity": [0, 0, 0]}]
    case = sliding_case()
    case["boundaries"]["floor"]["surface_motion"] = belt
    sim = scree.Simulation(case)
    sim.step(2000)
    floor = sim.boundaries["floor"]
    floor.slide([0.02, 0.03, 5])  # without its part along the normal
    sim.step(4000)
    assert_allclose(sim.velocities[0], [0.02, 0.03, 0], atol=2e-3)
    floor.slide(rate=10, axis=[0, 0, 1], origin=sim.positions[0] - [0, 2e-3, 0])
    sim.step(200)
    before = sim.velocities[0]
    assert before[0] < 0.02 and numpy.linalg.norm(before[:2]) > 1e-3  # it slows down towards -10 * 2 mm/s along x
    floor.slide()
    sim.step(4000)
    assert_allclose(sim.velocities[0], [0, 0, 0], atol=2e-3)


def test_a_boundary_is_removed_and_put_back() -> None:
    sim = scree.Simulation(sliding_case())
    floor = sim.boundaries["floor"]
    sim.step(2000)
    floor.remove()
    sim.step(10)
    assert_allclose(sim.velocities[0, 2], -10 * 10e-5, rtol=0.05)
    floor.put_back()
    sim.step(3000)
    assert sim.velocities[0, 2] == pytest.approx(0, abs=1e-3) and floor.force[2] < 0


def test_a_servo_holds_a_force_on_the_lid(beads: scree.Case) -> None:
    """Control by a callback: the lid comes down until it carries the wanted force."""
    beads.set("time.duration", 1.0)
    sim = scree.Simulation(beads)
    lid = sim.boundaries["lid"]
    lid.move([0, 0, -0.3])
    wanted = 0.5  # [N]; the beads weigh 0.005 N

    @sim.every(10)
    def control(s: scree.Simulation) -> None:
        force = lid.force[2]
        lid.move([0, 0, -0.1 if force == 0 else -0.05 * (wanted - force)])

    sim.run(until=0.4, progress=False)
    assert lid.force[2] == pytest.approx(wanted, rel=0.1)
