"""The diagram of a case: boundaries, grains at the start and inlets, from the front and from above, with their sizes."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy

from ..render.labels import length_text
from ..results import Results
from ..sizes import known_radii
from .geometry import Numbers, Surface, outline, surfaces
from .grains import box_of_frames
from .regions import Region, box_region, fills, hull, inlets

__all__ = ["case_diagram", "diagram"]

_WIDTH, _HEIGHT, _EDGE = 430.0, 360.0, 62.0


def _rounded(length: float) -> str:
    return length_text(float(f"{length:.3g}"))


class _View:
    """One projection: `right` and `up` are axes 0 to 2; a scale that fits everything."""

    def __init__(self, title: str, right: int, up: int, low: Numbers, high: Numbers) -> None:
        self.title, self.axes = title, (right, up)
        self.view = numpy.eye(3)[3 - right - up]
        size = numpy.maximum(high - low, 1e-12 * float((high - low).max()) + 1e-300)
        self.low, self.high = low, high
        self.scale = min((_WIDTH - 2 * _EDGE) / size[right], (_HEIGHT - 2 * _EDGE) / size[up])
        self.x0 = _WIDTH / 2 - self.scale * (low[right] + high[right]) / 2
        self.y0 = _HEIGHT / 2 + self.scale * (low[up] + high[up]) / 2

    def place(self, point: Sequence[float] | Numbers) -> tuple[float, float]:
        right, up = self.axes
        return self.x0 + self.scale * float(point[right]), self.y0 - self.scale * float(point[up])

    def path(self, lines: Numbers) -> str:
        parts = {tuple(sorted((tuple(round(c, 1) for c in self.place(a)), tuple(round(c, 1) for c in self.place(b)))))
                 for a, b in lines}  # fmt: skip
        return "".join(f"M{a[0]} {a[1]}L{b[0]} {b[1]}" for a, b in sorted(parts) if a != b)

    def region(self, region: Region, style: str) -> str:
        """The outline of a region."""
        seen = numpy.round([self.place(point) for point in region.points], 2)  # points behind each other are one
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (seen if region.polygon else hull(seen)))
        return f'<path class="{style}" d="M{path}Z"><title>{html.escape(region.title)}</title></path>'

    def label(self, region: Region) -> str:
        """The name of a region in its middle, or above one that is too flat for it."""
        seen = numpy.array([self.place(point) for point in region.points])
        x, y = (seen.min(axis=0) + seen.max(axis=0)) / 2
        y = y + 4 if numpy.ptp(seen[:, 1]) > 20 else float(seen[:, 1].min()) - 5
        return f'<text class="small" x="{x:.1f}" y="{y:.1f}">{html.escape(region.title)}</text>'

    def frame(self) -> str:
        """All that is shown, with room for the width of lines: walls that reach further end here."""
        (x1, y1), (x2, y2) = self.place(self.low), self.place(self.high)
        return f'<rect x="{x1 - 2:.1f}" y="{y2 - 2:.1f}" width="{x2 - x1 + 4:.1f}" height="{y1 - y2 + 4:.1f}"/>'

    def sizes(self) -> str:
        """Arrows along the bottom and the left with the whole width and height."""
        right, up = self.axes
        (x1, y1), (x2, y2) = self.place(self.low), self.place(self.high)
        below, left = max(y1, y2) + 24, min(x1, x2) - 20
        middle = (y1 + y2) / 2
        return (
            f'<path class="size" d="M{x1:.1f} {below:.1f}H{x2:.1f}" marker-start="url(#arrow)" marker-end="url(#arrow)"/>'
            f'<text x="{(x1 + x2) / 2:.1f}" y="{below + 17:.1f}">{_rounded(self.high[right] - self.low[right])}</text>'
            f'<path class="size" d="M{left:.1f} {y1:.1f}V{y2:.1f}" marker-start="url(#arrow)" marker-end="url(#arrow)"/>'
            f'<text x="{left - 7:.1f}" y="{middle:.1f}" transform="rotate(-90 {left - 7:.1f} {middle:.1f})">'
            f"{_rounded(self.high[up] - self.low[up])}</text>"
        )


def _outlets(run: Results, view: _View) -> str:
    """Outlets that are seen as lines."""
    text = ""
    right, up = view.axes
    for name, outlet in (run.case.get("domain", {}).get("outlets") or {}).items():
        normal, point = numpy.array(outlet["normal"], float), numpy.array(outlet["point"], float)
        normal /= numpy.linalg.norm(normal)
        if abs(normal @ view.view) > 0.1:
            continue
        along = numpy.cross(normal, view.view)
        size = float((view.high - view.low).max())
        ends = numpy.array([point - size * along, point + size * along]).clip(view.low, view.high)
        ends[:, up if abs(normal[up]) > abs(normal[right]) else right] = point[
            up if abs(normal[up]) > abs(normal[right]) else right
        ]
        (x1, y1), (x2, y2) = view.place(ends[0]), view.place(ends[1])
        text += (f'<path class="outlet" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"><title>outlet {html.escape(name)}</title></path>'
                 f'<text class="small" x="{max(x1, x2) + 6:.1f}" y="{y1 + 4:.1f}" style="text-anchor: start">{html.escape(name)}</text>')  # fmt: skip
    return text


def _grains(run: Results) -> list[Region]:
    """Where grains are at the start: the regions that they fill, or a box around them; nothing where there are none."""
    if not len(run.frames) or not len(run.frames[0]):
        return []
    if regions := fills(run):
        return regions
    low, high = box_of_frames([run.frames[0]])
    radii = known_radii(run, run.frames[0])
    largest = float(numpy.nanmax(radii)) if numpy.isfinite(radii).any() else 0.0
    return [box_region("grains at the start", low - largest, high + largest)]


def case_diagram(run: Results) -> str:
    """The diagram of a run as SVG; empty where neither frames nor regions of inlets tell what to show."""
    grains, sources = _grains(run), inlets(run)
    corners = [point for region in (*grains, *sources) for point in region.points]
    shown = [frame for frame in run.frames if len(frame)] if not grains else []
    if shown:  # all particles come from inlets
        corners += box_of_frames([shown[0], shown[-1]])
    if not corners:
        return ""
    low, high = numpy.min(corners, axis=0), numpy.max(corners, axis=0)
    time = run.frames[0].time if len(run.frames) else 0.0
    return diagram(run, surfaces(run, time, low, high), (low, high), grains, sources)


def diagram(
    run: Results, walls: Sequence[Surface], around: tuple[Numbers, Numbers], grains: Sequence[Region],
    sources: Sequence[Region],
) -> str:  # fmt: skip
    """Two drawings as SVG. `around`: lowest and highest corner [m] of a box around all grains and inlets. `grains`:
    where grains are at the start. `sources`: regions of inlets."""
    low, high = (numpy.array(corner, float) for corner in around)
    size = float((high - low).max())
    for wall in walls:  # walls far away from the grains do not shrink them to a dot
        low = numpy.minimum(low, wall.points.min(axis=0).clip(min=around[0] - 2 * size))
        high = numpy.maximum(high, wall.points.max(axis=0).clip(max=around[1] + 2 * size))
    for outlet in (run.case.get("domain", {}).get("outlets") or {}).values():
        point, normal = numpy.array(outlet["point"], float), numpy.abs(numpy.array(outlet["normal"], float))
        if normal.max() > 0.99 * numpy.linalg.norm(normal):
            axis = int(normal.argmax())
            low[axis], high[axis] = min(low[axis], point[axis]), max(high[axis], point[axis])
    drawings = []
    for title, right, up in (("from the front (x, z)", 0, 2), ("from above (x, y)", 0, 1)):
        view = _View(title, right, up, low, high)
        text = "".join(view.region(region, "grains") for region in grains)
        text += "".join(view.region(region, "inlet") for region in sources)
        text += f'<g clip-path="url(#inside{right}{up})">'
        for wall in walls:
            text += f'<path class="wall" d="{view.path(outline(wall, view.view))}"><title>{html.escape(wall.name)}</title></path>'
        text += "</g>" + "".join(map(view.label, sources)) + _outlets(run, view) + view.sizes()
        drawings.append(
            f'<figure><svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{title}"><defs><marker id="arrow" '
            'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
            f'<path d="M0 0L8 4L0 8z"/></marker><clipPath id="inside{right}{up}">{view.frame()}</clipPath></defs>{text}</svg><figcaption>{title}</figcaption></figure>'
        )
    return f'<div class="figures two">{"".join(drawings)}</div>'
