"""Where prescribed motions and forces have taken a boundary, as docs/case_file.md defines them."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

from ..results import Results
from ..stage_times import reached
from .fields import Numbers

__all__ = ["Pose", "PoseError", "pose_at"]


class PoseError(Exception):
    """The files of a run do not tell where a boundary is. The text says why."""


@dataclass(frozen=True)
class Pose:
    """Takes a point from where it is at the start to where it is now: turn @ point + shift."""

    turn: Numbers  #: [3, 3]
    shift: Numbers  #: [3] [m]

    def place(self, point: Numbers) -> Numbers:
        """[3] [m] where a point of the start is now."""
        return numpy.asarray(self.turn @ point + self.shift)

    def moved(self, by: Numbers) -> Pose:
        """The pose after a shift [m] in addition."""
        return Pose(self.turn, self.shift + by)

    def turned(self, axis: Numbers, origin: Numbers, angle: float) -> Pose:
        """The pose after a turn in addition, by an angle [rad] about an axis through `origin` [m]."""
        turn = _rotation(axis, angle)
        return Pose(turn @ self.turn, turn @ (self.shift - origin) + origin)


def _rotation(axis: Numbers, angle: float) -> Numbers:
    """[3, 3] Rodrigues' formula: cos 1 + sin [axis]x + (1 - cos) axis axis^T."""
    x, y, z = axis / numpy.linalg.norm(axis)
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: Numbers = numpy.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    return turn


def pose_at(run: Results, name: str, time: float, begun: Sequence[float]) -> Pose:
    """The pose of a boundary at a time [s]. `begun`: times [s] at which stages began. Raises PoseError."""
    boundary = run.case["boundaries"][name]
    spans = [(0.0, boundary.get("motion") or [])]  # motions, and the time from which on they hold
    for begin, stage in zip(begun, run.case.get("stages") or [], strict=False):
        motions = ((stage.get("boundaries") or {}).get(name) or {}).get("motion")
        if motions is not None and reached(begin, time):
            spans.append((begin, motions))
    pose = Pose(numpy.eye(3), numpy.zeros(3))
    for k, (begin, motions) in enumerate(spans):
        end = spans[k + 1][0] if k + 1 < len(spans) else max(time, begin)
        for motion in motions:
            pose = _after(pose, motion, end - begin)
    if boundary.get("drive") or boundary.get("servo"):
        pose = _driven(run, name, boundary, time, pose)
    return pose


def _after(pose: Pose, motion: dict[str, Any], time: float) -> Pose:
    """A pose after a motion, at a time [s] since the one from which its own times count."""
    start, end = float(motion.get("from") or 0.0), motion.get("until")
    elapsed = min(max(time, start), math.inf if end is None else float(end)) - start
    kind = motion["type"]
    if kind == "translation":
        return pose.moved(numpy.array(motion["velocity"], float) * elapsed)
    if kind == "rotation":
        rpm = motion.get("rpm")  # instead of a rate in rad/s
        way = (float(motion["rate"]) if rpm is None else float(rpm) * 2 * math.pi / 60) * elapsed
    elif kind == "oscillation":
        phase = float(motion.get("phase") or 0.0)
        angle = 2 * math.pi * float(motion["frequency"]) * elapsed + phase
        way = float(motion["amplitude"]) * (math.sin(angle) - math.sin(phase))
    elif kind == "table":
        way = _table_value(motion, elapsed)
    else:
        raise PoseError(f'its motion is of the unknown type "{kind}"')
    if (along := motion.get("direction")) is not None:
        direction = numpy.array(along, float)
        return pose.moved(direction / numpy.linalg.norm(direction) * way)
    return pose.turned(numpy.array(motion["axis"], float), numpy.array(motion.get("origin") or [0, 0, 0], float), way)


def _table_value(motion: dict[str, Any], time: float) -> float:
    """[m or rad] Displacement of a table at a time [s] since its start: linear between rows of positions; speeds are
    integrated. It rests before the first row and after the last one."""
    of_speeds = motion.get("velocity") is not None or motion.get("velocity_file") is not None
    rows = motion.get("velocity" if of_speeds else "position")
    times, values = (_read_rows(motion) if rows is None else numpy.array(rows, float)).reshape(-1, 2).T
    if not of_speeds:
        return float(numpy.interp(time, times, values))
    now = min(max(time, times[0]), times[-1])
    kept = times < now
    at, speed = numpy.append(times[kept], now), numpy.append(values[kept], numpy.interp(now, times, values))
    return float((numpy.diff(at) * (speed[1:] + speed[:-1]) / 2).sum())


def _read_rows(motion: dict[str, Any]) -> Numbers:
    """[n, 2] rows of a table in a CSV file, without its line of names."""
    path = Path(motion.get("position_file") or motion.get("velocity_file") or "")
    rows = []
    try:
        for row in csv.reader(path.read_text(encoding="utf-8-sig").splitlines()):
            try:
                rows.append([float(row[0]), float(row[1])])
            except (ValueError, IndexError):  # names, an empty line or a comment
                continue
    except (OSError, ValueError):
        raise PoseError(f"the table of its motion, {path}, cannot be read") from None
    if not rows:
        raise PoseError(f"the table of its motion, {path}, has no rows")
    return numpy.array(rows)


def _driven(run: Results, name: str, boundary: dict[str, Any], time: float, pose: Pose) -> Pose:
    """A pose after the displacement by forces, which come after prescribed motions, as the series has it."""
    drive = boundary.get("drive") or {}
    if time <= float((boundary.get("servo") or drive).get("from") or 0.0):  # it is still held
        return pose
    shift = numpy.zeros(3)
    moving: dict[str, Any] | None = {} if boundary.get("servo") else drive.get("translation")
    if moving is not None:
        for axis in moving.get("free", "xyz"):
            shift["xyz".index(axis)] = _series_value(run, f"shift_{axis}_{name}", time)
    if turning := drive.get("rotation"):
        origin = pose.place(numpy.array(turning.get("origin") or [0, 0, 0], float))
        angle = _series_value(run, f"angle_{name}", time)
        pose = pose.turned(numpy.array(turning["axis"], float), origin, angle)
    return pose.moved(shift)


def _series_value(run: Results, column: str, time: float) -> float:
    """The value of a column at a time [s], linear between rows."""
    if not run.has_series or column not in (series := run.shared_series()) or not len(series):
        raise PoseError("forces move it, and only a series tells where to: give the case output.series")
    return float(numpy.interp(time, series.index.to_numpy(float), series[column].to_numpy(float)))
