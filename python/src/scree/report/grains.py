"""Packs grains and boundaries for the view in three dimensions: whole numbers of few bits, zipped."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass, field
from typing import Any

import numpy

from ..frames import FIELD_UNITS, Frame
from ..render.camera import box_of
from ..render.fields import ends_of
from ..render.scene import has_place
from ..render.walls import changing
from ..results import Results
from ..sizes import known_radii
from .geometry import Indices, Numbers, cell_lines, feature_lines, surfaces
from .phrases import counted
from .shapes import Shapes, find_shapes

__all__ = ["MOST_SPHERES", "Packed", "box_of_frames", "pack"]

MOST_SPHERES = 500_000  # over all frames: 8 bytes each before zipping
_MOST_FRAMES = 60
_FEWEST_FRAMES = 20


@dataclass
class Packed:
    """A header for the page, the data as base64 of gzip, and what was left out."""

    header: dict[str, Any]
    data: str
    notes: list[str] = field(default_factory=list)


class _Writer:
    """Arrays one after another; the header says where each is."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def add(self, values: NumbersOrInts, kind: str) -> dict[str, Any]:
        data = numpy.ascontiguousarray(values, dtype=kind).tobytes()
        data += bytes(-len(data) % 4)
        place = {"at": self._at, "n": int(numpy.size(values)), "type": kind}
        self._parts.append(data)
        self._at += len(data)
        return place

    def zipped(self) -> str:
        return base64.b64encode(gzip.compress(b"".join(self._parts), 6, mtime=0)).decode()


NumbersOrInts = Numbers | Indices


def _choose(frames: list[Frame]) -> tuple[list[Frame], int]:
    """Frames that are shown, and of how many spheres one is shown."""
    counts = numpy.array([len(frame) for frame in frames])
    n = min(len(frames), _MOST_FRAMES)
    while True:
        chosen = sorted({round(k) for k in numpy.linspace(0, len(frames) - 1, n)})
        total = int(counts[chosen].sum())
        if total <= MOST_SPHERES or n <= min(len(frames), _FEWEST_FRAMES):
            break
        n = max(min(len(frames), _FEWEST_FRAMES), int(n * MOST_SPHERES / total))
    return [frames[k] for k in chosen], max(1, -(-total // MOST_SPHERES))


#: What grains can be coloured by: the field, its name for the reader, in the order of the list.
_COLOURS = (
    ("temperature", "temperature"), ("velocity", "speed"), ("damage", "damage"), ("material", "material"),
    ("coordination_number", "contacts"), ("force", "force"), ("film", "film"), ("dissipated_energy", "lost energy"),
    ("angular_velocity", "spin"), ("radius", "radius"),
)  # fmt: skip
_MOST_FIELDS = 6


def _colour_fields(frames: list[Frame]) -> list[tuple[str, str, str]]:
    """Name for the reader, field and unit of what grains can be coloured by: what all frames have, since a resumed run
    may write other fields."""
    found = [(label, name, FIELD_UNITS.get(name, "")) for name, label in _COLOURS
             if all(name in frame for frame in frames)]  # fmt: skip
    return found[:_MOST_FIELDS]


def _range(values: Numbers) -> tuple[float, float]:
    """Values of the first and last colour, as `ends_of` of scree render."""
    values = values[numpy.isfinite(values)]
    if not len(values):
        return 0.0, 1.0
    low, high = ends_of(values)
    return (low, high) if high > low else (low, low + (abs(low) or 1.0))


def _values(frame: Frame, name: str, kept: Indices) -> Numbers:
    values = numpy.asarray(frame[name][...], float)[kept]
    return values if values.ndim == 1 else numpy.asarray(numpy.linalg.norm(values, axis=1))


def _quantised(values: Numbers, low: Numbers | float, high: Numbers | float, most: int) -> Numbers:
    span = numpy.maximum(numpy.asarray(high) - numpy.asarray(low), 1e-300)
    whole: Numbers = numpy.round(numpy.nan_to_num((values - low) / span).clip(0, 1) * most)
    return whole


def box_of_frames(frames: list[Frame]) -> tuple[Numbers, Numbers]:
    """Lowest and highest corner [m] of all positions. Few that are far away from the others are left out."""
    low, high = numpy.full(3, numpy.inf), numpy.full(3, -numpy.inf)
    for frame in frames:
        if len(frame):
            points = numpy.asarray(frame.positions[...], float)[has_place(frame)]
            if not len(points):
                continue
            box = box_of(points)
            low, high = numpy.minimum(low, box.min(axis=0)), numpy.maximum(high, box.max(axis=0))
    return (low, high) if numpy.isfinite(low).all() else (numpy.zeros(3), numpy.ones(3))


def origin_of(low: Numbers, high: Numbers, largest: float) -> Numbers:
    """Where the page counts from [m]: 0, or a round place for grains far from it, since cards count in single precision.

    It is the same for all frames of a run that is watched, unless the grains move by hundreds of their extent."""
    size = float((high - low).max()) + largest
    step = 2.0 ** numpy.ceil(numpy.log2(1000 * size)) if size > 0 else 1.0
    return numpy.asarray(numpy.round((low + high) / 2 / step) * step)


def _walls(
    run: Results, frames: list[Frame], low: Numbers, high: Numbers, writer: _Writer, origin: Numbers
) -> list[dict[str, Any]]:
    """Boundaries: triangles and lines, for each frame if they move, appear or go, None where one is not there. A
    periodic cell is lines alone."""
    moving = changing(run)
    margin = 0.02 * float((high - low).max())
    found: dict[str, list[dict[str, Any] | None]] = {}

    def shape(triangles: Numbers, lines: Numbers) -> dict[str, Any]:
        parts = {"triangles": triangles, "lines": lines}
        return {name: writer.add(part.reshape(-1, 3) - origin, "<f4") for name, part in parts.items()}

    for k, frame in enumerate(frames if moving else frames[:1]):
        for wall in surfaces(run, frame.time, low - margin, high + margin):
            if k == 0 or wall.name in moving:
                found.setdefault(wall.name, [None] * k).append(shape(wall.points[wall.triangles], feature_lines(wall)))
        for name in moving & set(found):
            found[name] += [None] * (k + 1 - len(found[name]))
    entries = [{"name": name, "shapes": shapes} for name, shapes in found.items()]
    cells = [lines for frame in frames if (lines := cell_lines(frame)) is not None]
    if len(cells) == len(frames):
        entries.append({"name": "cell", "shapes": [shape(numpy.zeros((0, 3)), lines) for lines in cells]})
    return entries


def pack(run: Results, only: Frame | None = None) -> Packed | None:
    """Everything that the view needs, of all frames or `only` one; None without frames."""
    if only is None and not any(len(frame) for frame in run.frames):
        return None
    frames, every = _choose(list(run.frames) if only is None else [only])
    shapes: Shapes | None = find_shapes(run, frames)
    low, high = box_of_frames(frames)
    writer = _Writer()
    fields = _colour_fields(frames)
    shown = [_shown(frame, every, low, high) for frame in frames]
    radii = [known_radii(run, frame)[kept] for frame, (kept, _) in zip(frames, shown, strict=True)]
    largest = max((float(numpy.nanmax(r)) for r in radii if len(r) and numpy.isfinite(r).any()), default=0.0)
    if largest == 0.0:
        largest = 0.4 * float(numpy.cbrt(max(float(numpy.prod(high - low)), 1e-300) / max(len(frames[0]), 1)))
    origin = origin_of(low, high, largest)
    materials = list(run.case.get("materials") or {})
    ranges: dict[str, tuple[float, float]] = {}
    for _, name, _ in fields:
        if name == "material":
            ranges[name] = (0.0, max(len(materials) - 1.0, 1.0))
            continue
        ranges[name] = _range(numpy.concatenate(
            [_values(frame, name, kept) for frame, (kept, _) in zip(frames, shown, strict=True) if len(frame)]
            or [numpy.zeros(0)]
        ))  # fmt: skip
    entries, guessed = [], False
    for frame, (kept, _), sizes in zip(frames, shown, radii, strict=True):
        if shapes is not None:
            there = ~shapes.has_shape(frame)[kept]
            kept, sizes = kept[there], sizes[there]
        points = numpy.asarray(frame.positions[...], float)[kept]
        guessed = guessed or not numpy.isfinite(sizes).all()
        entry: dict[str, Any] = {"time": frame.time, "count": len(kept)}
        entry["position"] = writer.add(_quantised(points, low, high, 65535), "<u2")
        entry["radius"] = writer.add(_quantised(numpy.nan_to_num(sizes, nan=largest), 0.0, largest, 65535), "<u2")
        entry["values"] = [
            writer.add(_quantised(_values(frame, name, kept), *ranges[name], 255), "u1") for _, name, _ in fields
        ]
        if shapes is not None:
            entry["grains"] = shapes.frame(origin, frame, fields, ranges, _values, writer.add)
        entries.append(entry)
    header = {
        "low": (low - origin).tolist(), "high": (high - origin).tolist(), "largest": largest, "frames": entries,
        "up": (-numpy.array(run.case.get("gravity", [0, 0, -9.81]), float)).tolist(),
        "fields": [{"label": label, "unit": unit, "range": ranges[name], "names": materials if name == "material" else []}
                   for label, name, unit in fields],
        "walls": _walls(run, frames, low - largest, high + largest, writer, origin),
        "templates": shapes.templates(writer.add) if shapes is not None else [],
    }  # fmt: skip
    total = len(run.frames) if only is None else 1
    notes = _notes(total, frames, every, shapes)
    if far := max(left_out for _, left_out in shown):
        notes.append(f"Left out, far away from all others: {counted(far, 'particle')} at most.")
    if guessed:
        notes.append('Sizes of spheres are a guess: add "radius" to output.frames.fields.')
    return Packed(header, writer.zipped(), notes)


def _shown(frame: Frame, every: int, low: Numbers, high: Numbers) -> tuple[Indices, int]:
    """Which particles of a frame are shown, and how many are not since they lie outside of the box from `low` to `high`
    [m]. Those without a finite place are neither."""
    kept = _kept(frame, every)
    points = numpy.asarray(frame.positions[...], float)[kept]
    inside = ((points >= low) & (points <= high)).all(axis=1)
    far = numpy.isfinite(points).all(axis=1) & ~inside
    return kept[inside], int(far.sum()) * every


def _kept(frame: Frame, every: int) -> Indices:
    """Which particles are shown: the same ones in all frames, where they have ids."""
    if every == 1:
        return numpy.arange(len(frame))
    ids = numpy.asarray(frame["id"][...]).astype(numpy.int64) if "id" in frame else numpy.arange(len(frame))
    return numpy.flatnonzero((ids * 2654435761 % 2**32) % every == 0)  # scattered, whatever the order of ids


def _notes(total: int, frames: list[Frame], every: int, shapes: Shapes | None) -> list[str]:
    notes = []
    if len(frames) < total:
        notes.append(f"{len(frames)} of {total} frames are shown.")
    if every > 1:
        most = max(len(frame) for frame in frames)
        number = f"{most:,}".replace(",", "\u202f")
        notes.append(f"One of {every} particles is shown (of {number} at most), so the bed looks looser than it is; "
                     "scree render draws all of them.")  # fmt: skip
    if shapes is not None and shapes.deform:
        notes.append("Grains are shown without their deformation.")
    return notes
