"""Callbacks, and what they may change: boundaries, gravity, groups."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import free_case, run_program
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
    with pytest.raises(ValueError, match='there is no group "pushed", only .*pulled'):
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
    with pytest.raises(ValueError, match='there is no group "hand", only .*tool'):
        sim.join_group("hand", [0])
    with pytest.raises(ValueError, match="there is no particle 7"):
        sim.join_group("tool", [7])


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


def sliding_case(**parts: Any) -> scree.Case:
    """A sphere that cannot turn rests on a floor. It is 1 mm in radius, and gravity is 10 m/s2."""
    case = free_case(
        gravity=[0, 0, -10],
        groups={"sliders": {"fixed": ["rx", "ry", "rz"]}},
        boundaries={"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}},
        **parts,
    )
    lattice = {"type": "simple_cubic", "box": [[0, 0, 0], [2e-3, 2e-3, 2e-3]], "spacing": 2e-3}
    case["particles"] = [{"material": "glass", "radius": 1e-3, "lattice": lattice, "group": "sliders"}]
    case.set("time.step", 1e-5)
    case["materials"]["glass"]["restitution"] = 0.1
    return case


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
    with pytest.raises(ValueError, match='^there is no material "steel", only glass$'):
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
    with pytest.raises(ValueError, match='^there is no material "steel", only glass$'):
        sim.set_friction("steel", "glass", 0.1)
    sim.step(2000)  # it comes to rest on the floor
    sim.set_friction("glass", "*", 0.2)
    sim.set_clumps(velocities=[1, 0, 0])
    sim.step(500)  # the springs are at Coulomb's limit
    before = sim.clumps.velocities[0, 0]
    sim.step(1000)
    # All nodes slide, so the friction is that of the weight; the grain still swings a little about it.
    assert before - sim.clumps.velocities[0, 0] == pytest.approx(0.2 * 10 * 0.01, rel=0.05)


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
    with pytest.raises(ValueError, match="closed"):
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
