"""Where a picture is seen from, and what it holds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from ..program import InputError
from .fields import Numbers

__all__ = ["VIEWS", "Camera", "Cut", "box_of", "direction", "fit", "picture_size"]

#: Directions from the scene to the eye, where z points up.
VIEWS = {
    "iso": (0.55, -1.0, 0.5), "front": (0, -1, 0), "back": (0, 1, 0), "left": (-1, 0, 0), "right": (1, 0, 0),
    "top": (0, 0, 1), "bottom": (0, 0, -1), "low": (0.25, -1.0, 0.18),
}  # fmt: skip


def _unit(vector: Numbers) -> Numbers:
    """A vector of length 1, also where squares of its numbers are too small or too large to be counted."""
    scaled = vector / numpy.abs(vector).max()
    return numpy.asarray(scaled / numpy.linalg.norm(scaled))


@dataclass(frozen=True)
class Camera:
    """A view along parallels. `to_eye`, `up` and `right` are unit vectors; sizes are half of the picture [m]."""

    centre: Numbers
    to_eye: Numbers
    up: Numbers
    right: Numbers
    half_width: float
    half_height: float
    depth: float  #: half of the extent along the view [m]

    def place(self, points: Numbers) -> Numbers:
        """[n, 3] points as seen: to the right, up, and towards the eye, from the centre [m]."""
        axes: Numbers = numpy.array([self.right, self.up, self.to_eye]).T
        seen: Numbers = (points - self.centre) @ axes
        return seen


@dataclass(frozen=True)
class Cut:
    """A plane; what lies on the side of its normal is left out."""

    point: Numbers
    normal: Numbers

    @classmethod
    def parse(cls, text: str, to_eye: Numbers) -> Cut:
        """Reads x, y, z, x=0.01 or "PX,PY,PZ:NX,NY,NZ". The side of the eye is left out; of the last, that of the
        normal."""
        number = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
        if found := re.fullmatch(rf"([xyz])(?:=({number}))?", text):
            axis: Numbers = numpy.eye(3)["xyz".index(found[1])]
            return cls(axis * float(found[2] or 0), axis if axis @ to_eye >= -1e-9 else -axis)
        triple = ",".join([rf"({number})"] * 3)
        if found := re.fullmatch(rf"{triple}:{triple}", text):
            numbers: Numbers = numpy.array([float(part) for part in found.groups()])
            if numpy.isfinite(numbers).all() and numbers[3:].any():
                return cls(numbers[:3], _unit(numbers[3:]))
        raise InputError(f'--cut: "{text}" is no plane, as y, x=0.01 or 0,0,0.1:0,0,1 (a point and a normal) are')

    def keeps(self, points: Numbers) -> numpy.ndarray:
        """[n] whether points are behind the plane."""
        kept: numpy.ndarray = (points - self.point) @ self.normal <= 0
        return kept


def direction(text: str, boxes: Sequence[Numbers]) -> Numbers:
    """The unit vector to the eye of a named view, or of X,Y,Z. "auto" looks across what is flat."""
    if text == "auto":
        size = numpy.ptp(numpy.concatenate(boxes), axis=0) if len(boxes) else numpy.ones(3)
        thin = int(size.argmin())
        flat = size[thin] < 0.12 * numpy.sort(size)[1] and thin < 2
        text = ("right", "front")[thin] if flat else "iso"
    if text in VIEWS:
        vector = numpy.array(VIEWS[text], dtype=float)
    else:
        parts = text.split(",")
        try:
            vector = numpy.array([float(part) for part in parts])
        except ValueError:
            vector = numpy.zeros(0)
        if len(vector) != 3 or not numpy.isfinite(vector).all() or not vector.any():
            raise InputError(f'--view: "{text}" is none of {", ".join(VIEWS)}, nor a direction X,Y,Z')
    return _unit(vector)


def box_of(points: Numbers, radius: Numbers | float = 0.0) -> Numbers:
    """[8, 3] corners of a box around spheres. Few that are far away from the others are left out."""
    low, high = (points - numpy.reshape(radius, (-1, 1))), (points + numpy.reshape(radius, (-1, 1)))
    ends = numpy.array([low.min(axis=0), high.max(axis=0)])
    if len(points) > 200:
        crowd = numpy.array([numpy.quantile(low, 0.005, axis=0), numpy.quantile(high, 0.995, axis=0)])
        size = numpy.ptp(crowd, axis=0)
        lost = numpy.ptp(ends, axis=0) > 4 * size + 1e-300
        ends[:, lost] = (crowd + numpy.array([[-0.2], [0.2]]) * size)[:, lost]
    return numpy.array([[ends[i][0], ends[j][1], ends[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def fit(points: Numbers, to_eye: Numbers, gravity: Numbers, zoom: float = 1.0) -> Camera:
    """A camera that holds all points. Up is against gravity."""
    up = -gravity / (numpy.linalg.norm(gravity) or 1.0) if gravity.any() else numpy.array([0.0, 0.0, 1.0])
    if abs(up @ to_eye) > 0.999:
        up = numpy.array([0.0, 1.0, 0.0]) if abs(to_eye[1]) < 0.9 else numpy.array([0.0, 0.0, 1.0])
    up = up - (up @ to_eye) * to_eye
    up /= numpy.linalg.norm(up)
    right = numpy.cross(up, to_eye)
    axes = numpy.array([right, up, to_eye])
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    half = numpy.maximum((high - low) / 2, 1e-12 + 1e-3 * float((high - low).max()))
    margin = 1.04 / zoom
    return Camera(axes.T @ ((low + high) / 2), to_eye, up, right, half[0] * margin, half[1] * margin, float(half[2]))


def picture_size(camera: Camera, long_side: int) -> tuple[int, int]:
    """Width and height in pixels for a picture of the shape of what it shows, within limits."""
    shape = min(max(camera.half_width / camera.half_height, 0.4), 2.4)
    if not math.isfinite(shape):
        shape = 1.0
    width, height = (long_side, long_side / shape) if shape >= 1 else (long_side * shape, long_side)
    return 2 * round(width / 2), 2 * round(height / 2)
