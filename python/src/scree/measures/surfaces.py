"""Measures of the surface of a bed: its height and its slopes."""

from __future__ import annotations

import math

import numpy

from ..errors import ResultsError
from ..frames import Frame
from ..program import InputError
from ..results import Results
from ..slopes import LEAST_COLUMNS, Slope, mean_of_frames, slope_of, surface_heights
from ..stage_times import reached, stage_times
from ..whole_grains import WholeGrains, surfaces_at
from .values import Measure, Numbers, fit_line, last_frame

_MOST_FRAMES = 50  # over which a mean is taken: more are too alike to be worth their time


def _up(run: Results, time: float) -> Numbers:
    """Unit vector against the gravity of a time [s], which stages may change; z without gravity."""
    now = run.case.get("gravity", [0, 0, -9.81])
    for begin, stage in zip(stage_times(run), run.case.get("stages") or [], strict=False):
        if stage.get("gravity") is not None and reached(begin, time):
            now = stage["gravity"]
    gravity = numpy.array(now, float)
    length = float(numpy.linalg.norm(gravity))
    return -gravity / length if length else numpy.array([0.0, 0.0, 1.0])


def _level_axes(up: Numbers) -> Numbers:
    """[2, 3] unit vectors across gravity, at right angles: those of the world that are nearest to that."""
    first, second = numpy.eye(3)[sorted(numpy.argsort(numpy.abs(up), kind="stable")[:2])]
    first = first - (first @ up) * up
    first /= numpy.linalg.norm(first)
    second = second - (second @ up) * up - (second @ first) * first
    return numpy.array([first, second / numpy.linalg.norm(second)])


def _outline(run: Results, frame: Frame, grains: WholeGrains) -> tuple[Numbers, Numbers]:
    """Points [n, 3] [m] and how far grains reach above each [n] [m]: spheres, and vertices of level-set grains."""
    surface, round_ones = surfaces_at(run, frame), ~numpy.isnan(grains.radii)
    points, reach = grains.positions[round_ones], grains.radii[round_ones]
    if surface is None:
        return points, reach
    vertices = numpy.asarray(surface.positions[...], float)
    return numpy.concatenate([points, vertices]), numpy.concatenate([reach, numpy.zeros(len(vertices))])


def bed_height(run: Results) -> Measure:
    """Height [m] of the bed at the end, over the origin: the median of the tops of squares.

    The plane is divided into squares of two diameters; the highest grain of each counts."""
    frame = last_frame(run)
    grains = WholeGrains.or_spheres(run, frame)
    points, radii = _outline(run, frame, grains)
    up = _up(run, frame.time)
    level = points @ up
    cells = numpy.floor(points @ _level_axes(up).T / (4 * grains.sizes.mean())).astype(int)
    _, place = numpy.unique(cells, axis=0, return_inverse=True)
    tops = numpy.full(place.max() + 1, -numpy.inf)
    numpy.maximum.at(tops, place.ravel(), level + radii)
    return Measure(float(numpy.median(tops)), "m", float(tops.std() / math.sqrt(len(tops))))


def _surface_angle(distance: Numbers, top: Numbers, width: float) -> float:
    """Angle [degrees] of the upper envelope of points over a distance; NaN where there are too few."""
    bins = numpy.floor(distance / width).astype(int)
    highest = numpy.full(bins.max() + 1, numpy.nan)
    for k in numpy.unique(bins):
        highest[k] = top[bins == k].max()
    middle = (numpy.arange(len(highest)) + 0.5) * width
    peak, foot = numpy.nanmax(highest), numpy.nanmin(highest)
    if not peak > foot:
        return math.nan  # flat, or a single place
    part = (highest - foot) / max(peak - foot, 1e-300)
    first = int(numpy.flatnonzero(part > 0.8)[-1])
    behind = numpy.flatnonzero(~(part > 0.2) & (numpy.arange(len(part)) > first))  # gaps end the flank, too
    last = int(behind[0]) if len(behind) else len(part)
    flank = slice(first, last)  # from the last high place to the first low one: stray grains beyond do not count
    if last - first < 3:
        return math.nan
    return math.degrees(math.atan(-fit_line(numpy.asarray(middle[flank], float), highest[flank]).slope))


def angle_of_repose(run: Results, sectors: int = 8) -> Measure:
    """Angle of repose [degrees] of a conical heap at the end.

    The upper envelope over the distance from the axis (through the centre of mass) is fitted from four fifths to a
    fifth of its height, sector by sector; the error is that of the mean over sectors."""
    frame = last_frame(run)
    grains = WholeGrains.or_spheres(run, frame)
    points, radii = _outline(run, frame, grains)
    up = _up(run, frame.time)
    flat = (points - numpy.average(grains.centres, axis=0, weights=grains.volumes)) @ _level_axes(up).T
    top, distance = points @ up + radii, numpy.linalg.norm(flat, axis=1)
    turn = numpy.arctan2(flat[:, 1], flat[:, 0])
    sector = ((turn + math.pi) / (2 * math.pi) * sectors).astype(int).clip(0, sectors - 1)
    width = 2 * float(numpy.median(grains.sizes))
    angles = [_surface_angle(distance[sector == k], top[sector == k], width)
              for k in range(sectors) if (sector == k).sum() > 10]  # fmt: skip
    angles = [angle for angle in angles if math.isfinite(angle)]
    if len(angles) < 3:
        raise ResultsError(f"{run.folder}: the heap is too small for an angle of repose")
    return Measure(float(numpy.mean(angles)), "deg", float(numpy.std(angles, ddof=1) / math.sqrt(len(angles))))


def axis_of(text: str) -> tuple[int, str]:
    """Sign and letter of an axis."""
    sign, letter = (-1, text[1:]) if text.startswith("-") else (1, text)
    if letter not in ("x", "y", "z"):
        raise InputError(f'slope_angle: "{text}" is none of x, y, z, -x, -y, -z')
    return sign, letter


def _slope(run: Results, frame: Frame, axis: str) -> Slope:
    """The surface of one frame along an axis."""
    sign, letter = axis_of(axis)
    grains = WholeGrains.or_spheres(run, frame)
    up, way = _up(run, frame.time), sign * numpy.eye(3)["xyz".index(letter)]
    way = way - (way @ up) * up  # level, also where gravity is inclined
    if (length := float(numpy.linalg.norm(way))) < 1e-6:
        raise ResultsError(f"{run.folder}: slope_angle:{axis}: the axis is that of gravity: no slope falls along it")
    way /= length
    across = grains.centres @ numpy.cross(up, way)
    depth = float(numpy.ptp(across)) + 2 * float(numpy.median(grains.sizes))
    return slope_of(*surface_heights(grains.centres @ way, grains.centres @ up, grains.volumes, depth))


def slope_angle(run: Results, axis: str = "x") -> Measure:
    """Angle [degrees] of a slope that falls along an axis (x, y, -x or -y), as in a drum or a flat heap: mean over the
    frames of the second half of the run, fifty at most, with its standard error.

    The surface is where the packing falls to half of that in the bed, so that grains in flight do not count; the angle
    is that of a line from four fifths to a fifth of its height. Raises ResultsError where this part is shorter than
    three diameters in more than half of the frames."""
    axis_of(axis)
    last = last_frame(run)
    late = [frame for frame in run.frames if frame.time >= last.time / 2 and len(frame)]
    places = numpy.unique(numpy.linspace(0, len(late) - 1, min(len(late), _MOST_FRAMES)).round().astype(int))
    slopes = [_slope(run, late[k], axis) for k in places]
    known = [slope for slope in slopes if math.isfinite(slope.angle)]
    if 2 * len(known) < len(slopes):
        short = next(slope for slope in reversed(slopes) if not math.isfinite(slope.angle))
        least = 2 * LEAST_COLUMNS * float(numpy.median(WholeGrains.or_spheres(run, last).sizes))
        raise ResultsError(
            f"{run.folder}: the slope is too short for an angle in {len(slopes) - len(known)} of {len(slopes)} frames: "
            f"the part from four fifths to a fifth of its height ({short.fall:.3g} m) is {short.length:.3g} m long; it "
            f"needs {LEAST_COLUMNS} grain diameters ({least:.3g} m) or more"
        )
    angles, errors = (numpy.array([getattr(s, name) for s in known]) for name in ("angle", "error"))
    mean, error = mean_of_frames(angles, errors)
    return Measure(mean, "deg", error)
