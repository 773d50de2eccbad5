"""Displacements and velocities of made-up particles, whose answers are known. Nothing here needs the program."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy
import pytest
from test_particle_history import framed

from scree.errors import ResultsError
from scree.measures import mean_squared_displacement, velocity_autocorrelation

SHEARED = numpy.array([[0.02, 0, 0], [0.014, 0.03, 0], [-0.003, 0.005, 0.02]])  # [m]


def wrapped(places: numpy.ndarray, cell: numpy.ndarray, origin: numpy.ndarray) -> dict[str, Any]:
    """Places within the cell, and the images that they were."""
    image = numpy.floor((places - origin) @ numpy.linalg.inv(cell)).astype(int)
    return {"positions": places - image @ cell, "image": image, "cell": cell, "cell_origin": origin}


def test_ballistic_motion_through_the_faces_of_a_cell(tmp_path: Path) -> None:
    """MSD = <v^2> t^2, exactly, and velocities stay correlated. Particles cross some thirty faces."""
    rng = numpy.random.default_rng(2)
    start, velocity, origin = rng.uniform(0, 0.02, (200, 3)), rng.normal(size=(200, 3)), numpy.array([0.1, 0, 0])
    times = numpy.arange(31) / 100
    frames = [{"time": float(t), "id": 3 * numpy.arange(200), "velocity": velocity,
               **wrapped(start + velocity * t, SHEARED, origin)} for t in times]  # fmt: skip
    run = framed(tmp_path / "image", frames)
    table = mean_squared_displacement(run)
    assert table.attrs["units"] == {"lag": "s", "msd": "m2", "msd_x": "m2", "msd_y": "m2", "msd_z": "m2"}
    assert max(abs(frame["image"][...]).max() for frame in run.frames) > 20
    numpy.testing.assert_allclose(table.index, times[1:], rtol=1e-12)
    squares = (velocity**2).mean(axis=0)
    # Sums of 3e-2 m and of their images have an error of 1e-17 m, displacements of 5e-3 m one of 2e-15 of their size.
    numpy.testing.assert_allclose(table["msd"], squares.sum() * times[1:] ** 2, rtol=1e-12)
    numpy.testing.assert_allclose(table["msd_y"], squares[1] * times[1:] ** 2, rtol=1e-12)
    assert table["samples"].tolist() == [200 * (31 - k) for k in range(1, 31)]
    one = mean_squared_displacement(run, slice(0, 11), ids=[30])
    numpy.testing.assert_allclose(one["msd"], (velocity[10] ** 2).sum() * times[1:11] ** 2, rtol=1e-10)
    found = velocity_autocorrelation(run)
    assert found.index[0] == 0 and found["normalised"].to_numpy() == pytest.approx(1, rel=1e-12)
    assert found["correlation_z"].to_numpy() == pytest.approx(squares[2], rel=1e-12)
    for frame in frames:
        frame["unwrapped_position"] = frame["positions"] + frame.pop("image") @ SHEARED
    run = framed(tmp_path / "unwrapped", frames)
    numpy.testing.assert_allclose(mean_squared_displacement(run)["msd"], table["msd"], rtol=1e-12)
    for frame in frames:
        del frame["unwrapped_position"]
    with pytest.raises(ResultsError, match='add "unwrapped_position" to output.frames.fields'):
        mean_squared_displacement(framed(tmp_path / "none", frames))


def test_a_random_walk_diffuses(tmp_path: Path) -> None:
    """Steps of 1 mm: MSD = 3e-6 n m2 after n of them. With m independent parts, of each of which a square has the
    relative deviation sqrt(2 / 3), the mean over them has that over sqrt(m)."""
    rng = numpy.random.default_rng(5)
    n, frames = 1000, 61
    steps = rng.normal(size=(frames, n, 3)) * 1e-3
    places = numpy.cumsum(steps, axis=0)
    run = framed(tmp_path, [{"time": 0.5 * k, "id": numpy.arange(n), "positions": places[k], "velocity": steps[k]}
                            for k in range(frames)])  # fmt: skip
    table = mean_squared_displacement(run)
    for lag in (1, 2, 5, 20):
        parts = n * ((frames - 1) // lag)
        assert table["msd"].loc[0.5 * lag] == pytest.approx(3e-6 * lag, rel=5 * math.sqrt(2 / 3 / parts))
    found = velocity_autocorrelation(run)
    assert found["correlation"].iloc[0] == pytest.approx(3e-6, rel=5 * math.sqrt(2 / 3 / n / frames))
    assert (abs(found["normalised"].iloc[1:31]) < 5 / numpy.sqrt(found["samples"].iloc[1:31] * 3)).all()
    with pytest.raises(ValueError, match="lags must be at least 1"):
        mean_squared_displacement(run, lags=0)
    fewer = mean_squared_displacement(run, lags=10)
    assert 6 <= len(fewer) <= 10 and fewer.index[-1] == 30
    numpy.testing.assert_array_equal(fewer["msd"], table["msd"].loc[fewer.index])


def test_particles_that_come_and_go_and_frames_at_uneven_times(tmp_path: Path) -> None:
    """Particle k moves with the velocity k along x. Frames are those of whole steps; the last interval is short."""
    there = [[1, 2], [1, 2, 3], [2, 3], [2], [2]]
    times = [0.0, 0.101, 0.2, 0.301, 0.33]
    arrays = [{"time": t, "id": numpy.array(ids), "positions": numpy.array(ids, float)[:, None] * [t, 0, 0]}
              for t, ids in zip(times, there, strict=True)]  # fmt: skip
    table = mean_squared_displacement(framed(tmp_path / "even", arrays))
    assert table["samples"].tolist() == [5, 2, 1] and table.index[0] == pytest.approx(0.301 / 3)
    assert table["msd"].iloc[2] == pytest.approx((2 * 0.301) ** 2)
    way = [1 * 0.101, 2 * 0.101, 2 * 0.099, 3 * 0.099, 2 * 0.101]
    assert table["msd"].iloc[0] == pytest.approx(numpy.square(way).mean())
    arrays[3]["time"], arrays[3]["positions"] = 0.25, numpy.array([[0.5, 0, 0]])
    table = mean_squared_displacement(framed(tmp_path / "uneven", arrays))
    numpy.testing.assert_allclose(table.index, times[1:3] + [0.25, 0.33])
    assert table["samples"].tolist() == [2, 1, 1, 1]
    numpy.testing.assert_allclose(table["msd"], [2.5 * 0.101**2, 0.4**2, 0.5**2, 0.66**2])
    with pytest.raises(ResultsError, match="no particle is in two of these frames"):
        mean_squared_displacement(framed(tmp_path / "single", arrays[:1]))


def test_a_deformation_of_the_cell_is_no_displacement(tmp_path: Path) -> None:
    """Particles go with a cell that is sheared and compressed, and one of them by 1 mm along x on its own."""
    rng = numpy.random.default_rng(4)
    place, frames, origin = rng.uniform(0, 1, (50, 3)), [], numpy.array([0.0, 0.1, 0.2])
    for k in range(4):
        cell = SHEARED @ (numpy.eye(3) + 0.1 * k * numpy.array([[0, 0, 0], [1, 0, 0], [0, 0, -1]]))
        places = origin + place @ cell
        places[7, 0] += 1e-3 * (k == 3)
        frames.append({"time": float(k), "id": numpy.arange(50), **wrapped(places, cell, origin)})
    run = framed(tmp_path, frames)
    table = mean_squared_displacement(run, non_affine=True)
    numpy.testing.assert_allclose(table["msd"], [1e-6 / 150, 1e-6 / 100, 1e-6 / 50], rtol=1e-9)
    assert mean_squared_displacement(run)["msd"].iloc[0] > 1e-6
    with pytest.raises(ResultsError, match="non_affine needs a periodic cell"):
        plain = [{name: frame[name] for name in ("time", "id", "positions")} for frame in frames]
        mean_squared_displacement(framed(tmp_path / "plain", plain), non_affine=True)
