"""State as arrays: reading, views of the engine's memory, and setting it between steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import ROOT, free_case
from numpy.testing import assert_allclose, assert_array_equal

import scree


def test_reading_is_by_id_and_read_only(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(2000)
    assert_array_equal(sim.ids, numpy.arange(50))
    assert sim.positions.shape == (50, 3) and sim.positions.dtype == numpy.float64
    assert sim.material_names == ["glass"] and set(sim.materials) == {0}
    contacts = sim.contacts()
    assert len(contacts["first"]) == sim.counts()["contacts"] + sim.counts()["wall_contacts"] > 0
    total = numpy.zeros((50, 3))
    numpy.add.at(total, contacts["second"], contacts["force"])
    among = ~contacts["with_boundary"]
    numpy.add.at(total, contacts["first"][among], -contacts["force"][among])
    assert_allclose(total, sim.forces, atol=1e-12 * abs(sim.forces).max())
    with pytest.raises(ValueError, match="read-only"):
        sim.positions[0] = 0


def test_what_only_some_cases_have(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(1)
    with pytest.raises(ValueError, match="no fluid"):
        sim.fluid_force()
    for name, needs in (("temperatures", "no heat"), ("films", "from_films"), ("dissipated_energies", "dissipation")):
        with pytest.raises(ValueError, match=needs):
            getattr(sim, name)

    liquid = {"surface_tension": 0.05, "volume_fraction": 0.01, "from_films": True}
    beads["contacts"] = [{"between": ["*", "*"], "liquid": liquid}]
    beads["particles"][0]["film"] = 0.02
    beads["materials"]["glass"]["thermal"] = {"conductivity": 1, "heat_capacity": 800}
    beads["heat"] = {"temperature": 310}
    beads["output"] = {"series": {"every": 1, "probes": {"lost": {"type": "dissipation"}}}}
    sim = scree.Simulation(beads)
    volume = 4 / 3 * numpy.pi * sim.radii**3
    assert_allclose(sim.films, 0.02 * volume, rtol=1e-6)
    assert_array_equal(sim.dissipated_energies, numpy.zeros(50))
    sim.step(2000)
    assert_array_equal(sim.temperatures, numpy.full(50, 310.0))
    assert sim.films.sum() < 0.0199 * volume.sum(), "bridges have some of it"
    energies = sim.energies()
    lost = sum(energies[f"lost_{term}"] for term in ("friction", "viscous", "breakage"))
    assert_allclose(sim.dissipated_energies.sum(), lost, rtol=1e-3)


def test_the_force_of_a_fluid(beads: scree.Case) -> None:
    """In a fluid whose drag is next to nothing only the buoyancy is left: the weight of the displaced fluid."""
    beads["fluid"] = {"density": 1000, "viscosity": 1e-12, "drag": "stokes"}
    beads["integration"] = {}
    sim = scree.Simulation(beads).step(1)
    volume = (4 / 3 * numpy.pi * sim.radii**3).sum()
    assert_allclose(sim.fluid_force(), [0, 0, 1000 * 9.81 * volume], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_views_share_the_memory_of_the_engine(beads: scree.Case, precision: str) -> None:
    beads["precision"] = precision
    sim = scree.Simulation(beads).step(300)
    bodies = sim.bodies()
    assert numpy.shares_memory(bodies.position, bodies.position)
    assert not bodies.position.flags.owndata
    order = numpy.argsort(bodies.id)
    assert_array_equal(bodies.position[order], sim.positions)
    assert_allclose(bodies.velocity[order], sim.velocities, rtol=1e-6, atol=1e-9)
    assert_allclose(1 / bodies.inverse_mass, 2500 * 4 / 3 * numpy.pi * 1e-9, rtol=1e-6)
    assert bodies.velocity.dtype == (numpy.float64 if precision == "double" else numpy.float32)
    assert bodies.present.all()
    with pytest.raises(ValueError, match="read-only"):
        bodies.velocity[0] = 0
    with pytest.raises(KeyError, match='no array "colour"'):
        bodies["colour"]


def test_a_view_that_is_kept_holds_the_simulation(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(10)
    bodies = sim.bodies()
    part = bodies.velocity[:10, 2]  # a view of a view
    with pytest.raises(ValueError, match="1 array of the engine's own memory .* still in use"):
        sim.step()
    assert sim.steps_made == 10
    del part
    sim.step()
    with pytest.raises(ValueError, match="of an earlier moment"):
        _ = bodies.velocity


def test_a_view_outlives_its_simulation(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(10)
    kept, copy = sim.bodies().position, sim.bodies().position.copy()
    del sim
    assert_array_equal(kept, copy)


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_an_edit_that_changes_nothing_changes_no_bit(beads: scree.Case, precision: str) -> None:
    beads["precision"] = precision
    one, other = scree.Simulation(beads).step(400), scree.Simulation(beads).step(400)
    with other.edit() as bodies:
        bodies.velocity[:] = bodies.velocity.copy()
        bodies.position[:] += 0.0
    one.step(400), other.step(400)
    assert one.hash() == other.hash()


def test_nothing_else_happens_within_an_edit(beads: scree.Case, tmp_path: Path) -> None:
    """In mixed precision velocities of before would be put back over those of the steps."""
    beads["precision"] = "mixed"
    sim, plain = scree.Simulation(beads).step(100), scree.Simulation(beads).step(100)
    state = sim.save()

    def edit_again() -> None:
        with sim.edit():
            pass

    for wrong in (
        sim.step, sim.run, sim.close, sim.save, edit_again, lambda: sim.restore(state),
        lambda: sim.set([0], velocities=[0, 0, 1]),
    ):  # fmt: skip
        with sim.edit(), pytest.raises(ValueError, match="end the block of edit"):
            wrong()  # type: ignore[operator]
    assert sim.step(100).hash() == plain.step(100).hash()


def test_edited_velocities_are_those_of_the_next_step() -> None:
    sim = scree.Simulation(free_case())
    with sim.edit() as bodies:
        bodies.velocity[bodies.id == 1] = [1, 2, 3]
    before = sim.positions.copy()
    sim.step(100)
    assert_allclose(sim.positions - before, [[0, 0, 0], [0.01, 0.02, 0.03]], atol=1e-15)


def test_state_is_set_by_id_and_read_back(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(100)
    velocities = numpy.random.default_rng(1).normal(size=(50, 3)) * 0.01
    sim.velocities = velocities
    sim.set([3, 7], angular_velocities=[0, 0, 5])
    assert_array_equal(sim.velocities, velocities)
    assert_array_equal(sim.angular_velocities[[3, 7]], [[0, 0, 5]] * 2)
    moved = sim.positions[4] + [0, 0, 1e-4]
    sim.set(4, positions=moved)
    assert_array_equal(sim.positions[4], moved)


def test_rounding_remainders_are_part_of_what_is_set(beads: scree.Case) -> None:
    beads["precision"] = "mixed"
    sim = scree.Simulation(beads).step(100)
    velocities = numpy.random.default_rng(1).normal(size=(50, 3))
    sim.velocities = velocities
    assert_allclose(sim.velocities, velocities, rtol=1e-14)


def test_a_moved_particle_finds_its_new_neighbours() -> None:
    """A sphere is put where its list of neighbours knows nobody: it must collide, and momentum be kept."""
    sim = scree.Simulation(free_case(time={"duration": 1, "step": 2e-6})).step(50)
    sim.set(1, positions=[2.1e-3, 0, 0] + sim.positions[0], velocities=[-0.1, 0, 0])
    sim.step(2000)
    assert sim.velocities[0, 0] < -0.05 and abs(sim.velocities[:, 0].sum() + 0.1) < 1e-12
    assert sim.velocities[1, 0] == pytest.approx(-0.1 * (1 - 0.7) / 2, rel=0.02)  # restitution 0.7


def test_what_cannot_be_set_is_one_sentence(beads: scree.Case) -> None:
    sim = scree.Simulation(beads)
    with pytest.raises(ValueError, match=r"^there is no particle 50 in the run$"):
        sim.set(50, velocities=[0, 0, 0])
    with pytest.raises(ValueError, match=r"^velocity: a value is not a finite number$"):
        sim.set(0, velocities=[numpy.nan, 0, 0])
    with pytest.raises(ValueError, match=r"shape \(2, 3\) or \(3,\) is needed, got \(2, 2\)"):
        sim.set([0, 1], velocities=numpy.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"^there is no clump 0 in the run$"):
        sim.set_clumps(0, velocities=[0, 0, 0])


def test_clumps_are_set_with_their_members() -> None:
    sim = scree.Simulation(ROOT / "configs/clumps.json").step(20)
    clumps = sim.clumps
    first = int(clumps.first_members[5])
    assert clumps.first is clumps.first_members and clumps.members is clumps.member_counts  # older names
    with pytest.raises(ValueError, match=f"^particle {first} is a member of a clump or a grain"):
        sim.set(first, velocities=[0, 0, 0])
    arms = sim.positions[first : first + clumps.member_counts[5]] - clumps.positions[5]
    sim.set_clumps(5, orientations=[1, 0, 0, 0], velocities=[0, 0, 0], angular_velocities=[0, 0, 0])
    sim.set_clumps(5, positions=clumps.positions[5] + [0, 1e-3, 0])
    after = sim.positions[first : first + clumps.member_counts[5]] - clumps.positions[5] - [0, 1e-3, 0]
    assert_allclose(numpy.linalg.norm(after, axis=1), numpy.linalg.norm(arms, axis=1), rtol=1e-9)
    assert_array_equal(sim.clumps.orientations[5], [1, 0, 0, 0])
    sim.step(1)
    assert_allclose(sim.clumps.velocities[5], [0, 0, -9.81 * sim.time_step], rtol=1e-6, atol=1e-12)


def test_clumps_are_read_only() -> None:
    rod = {"type": "clump", "spheres": [{"center": [k, 0, 0], "radius": 1} for k in (-1, 1)]}
    case = free_case(shapes={"rod": rod})
    case["particles"][0]["shape"] = "rod"
    clumps = scree.Simulation(case).clumps
    for values in (clumps.velocities, clumps.positions, clumps.ids):
        with pytest.raises(ValueError, match="read-only"):
            values[:] = 1
    assert repr(clumps) == f"<{len(clumps)} clumps of {2 * len(clumps)} members>"


def test_the_deforming_cell_refuses_velocities() -> None:
    sim = scree.Simulation(ROOT / "configs/triaxial.json").step(200)
    with pytest.raises(ValueError, match="cannot be set while the periodic cell deforms"):
        sim.velocities = sim.velocities
    sim.positions = sim.positions
    sim.step(10)


def test_saved_states_go_back_with_the_same_bits(beads: scree.Case) -> None:
    sim = scree.Simulation(beads).step(300)
    state = sim.save()
    assert state.step == 300 and state["bodies/position"].shape == (50, 3)
    end = sim.step(200).hash()
    sim.restore(state)
    assert sim.steps_made == 300
    assert sim.step(200).hash() == end
    twin = scree.Simulation(beads, threads=1)
    twin.restore(state)
    assert twin.step(200).hash() == end


def test_a_state_of_another_case_is_refused(beads: scree.Case, tmp_path: Path) -> None:
    state = scree.Simulation(free_case()).step(5).save()
    sim = scree.Simulation(beads)
    with pytest.raises(scree.StateError):
        sim.restore(state)
    with pytest.raises(ValueError, match="make a new simulation"):
        sim.hash()
    with scree.Simulation(beads, out=tmp_path / "out") as sim, pytest.raises(ValueError, match="cannot be put back"):
        sim.restore(sim.save())


def test_cuda_interface_is_well_formed() -> None:
    """What a GPU would hand out: the interface of a column of positions in records of 32 bytes."""
    from scree.bodies import DeviceArray

    about: dict[str, Any] = {"pointer": 4096, "rows": 7, "columns": 3, "stride": 32, "type": "<f8"}
    array = DeviceArray(object(), about, read_only=True)
    assert array.__cuda_array_interface__ == {
        "shape": (7, 3), "typestr": "<f8", "data": (4096, True), "strides": (32, 8), "version": 3,
    }  # fmt: skip
    column = DeviceArray(object(), {**about, "columns": 1, "type": "<f4"}, read_only=False)
    assert column.__cuda_array_interface__["strides"] == (32,) and column.shape == (7,)


def test_a_mistyped_attribute_is_an_error(beads: scree.Case) -> None:
    sim = scree.Simulation(beads)
    with pytest.raises(AttributeError, match="a Simulation has no attribute 'velocity'; did you mean 'velocities'"):
        sim.velocity = 0 * sim.velocities  # type: ignore[attr-defined]
    boundary = next(iter(sim.boundaries.values()))
    with pytest.raises(AttributeError, match="a SteeredBoundary has no attribute 'temperature'"):
        boundary.temperature = 500  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"a Case has no attribute 'seed'; case\['seed'\] = \.\.\. sets a key"):
        beads.seed = 7  # type: ignore[attr-defined]


def test_attributes_have_plural_names_and_older_ones_stay(beads: scree.Case, tmp_path: Path) -> None:
    with scree.Simulation(beads, out=tmp_path / "out") as sim:
        sim.run(steps=100, progress=False)
        bodies = sim.bodies()
        for many, one in (
            ("positions", "position"), ("velocities", "velocity"), ("angular_velocities", "angular_velocity"),
            ("radii", "radius"), ("inverse_masses", "inverse_mass"), ("ids", "id"), ("materials", "material"),
        ):  # fmt: skip
            assert_array_equal(getattr(bodies, many), bodies[one])
            assert_array_equal(getattr(bodies, one), bodies[one])
        assert len(bodies.radii) == len(sim.radii) == 50
    frame = scree.Results(tmp_path / "out").frames[0]
    for many, one in (("velocities", "velocity"), ("radii", "radius"), ("ids", "id")):
        assert_array_equal(getattr(frame, many)[...], frame[one][...])
        assert_array_equal(getattr(frame, one)[...], frame[one][...])
