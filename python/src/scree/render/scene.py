"""What a moment of a run shows: spheres and surfaces with one value each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy

from ..frames import Frame
from ..results import Results
from ..sizes import known_radii, unknown_radii
from .camera import Cut
from .fields import Colouring, Numbers

__all__ = ["Chains", "Moment", "has_place", "load_moment", "particles_of", "round_ones_of", "surface_of",
           "values_of"]  # fmt: skip


@dataclass
class Chains:
    """Contact forces as lines: ends [n, 3] of each [m] and magnitude [n] [N]."""

    start: Numbers
    end: Numbers
    force: Numbers


@dataclass
class Moment:
    """Spheres, and surfaces of level-set grains, at one time [s], with a value for the colour of each."""

    time: float
    centres: Numbers  #: [n, 3] [m]
    radii: Numbers  #: [n] [m]
    values: Numbers  #: [n]
    vertices: Numbers | None = None  #: [n_vertices, 3] [m]
    triangles: numpy.ndarray | None = None  #: [n_triangles, 3]
    triangle_values: Numbers | None = None  #: [n_triangles]
    chains: Chains | None = None

    def moved(self, by: Numbers) -> Moment:
        """The same elsewhere."""
        chains = self.chains and replace(self.chains, start=self.chains.start + by, end=self.chains.end + by)
        vertices = None if self.vertices is None else self.vertices + by
        return replace(self, centres=self.centres + by, vertices=vertices, chains=chains)

    def cut(self, cut: Cut) -> Moment:
        """What lies behind a plane: whole spheres, and triangles of whole grains are kept where their middle is."""
        behind = cut.keeps(self.centres)
        vertices, triangles, values = self.vertices, self.triangles, self.triangle_values
        if vertices is not None and triangles is not None and values is not None:
            kept = cut.keeps(vertices[triangles].mean(axis=1))
            triangles, values = triangles[kept], values[kept]
        chains = self.chains
        if chains is not None:
            near = cut.keeps((chains.start + chains.end) / 2)
            chains = Chains(chains.start[near], chains.end[near], chains.force[near])
        return Moment(self.time, self.centres[behind], self.radii[behind], self.values[behind], vertices, triangles,
                      values, chains)  # fmt: skip


def particles_of(frame: Frame, surface: Frame) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Numbers of the grains of a frame of surfaces, and the place of the particle of each in a frame, -1 without one.

    The field clump tells it. Without it all particles are grains, or each grain is the particle at its middle."""
    of_triangle = numpy.asarray(surface["clump"][...]).astype(int)
    numbers = numpy.unique(of_triangle)
    place = numpy.full(len(numbers), -1)
    if "clump" in frame:
        clump = numpy.asarray(frame["clump"][...]).astype(int)
        known = numpy.flatnonzero(numpy.isin(clump, numbers))
        place[numpy.searchsorted(numbers, clump[known])] = known
    elif len(numbers) == len(frame):
        place = numpy.arange(len(frame))
    elif len(frame) and surface.triangles is not None:
        points = numpy.asarray(frame.positions[...], float)
        middles = numpy.asarray(surface.positions[...], float)[surface.triangles.astype(int)].mean(axis=1)
        grain = numpy.searchsorted(numbers, of_triangle)
        sums = numpy.stack([numpy.bincount(grain, axis, len(numbers)) for axis in middles.T], axis=1)
        for k, middle in enumerate(sums / numpy.bincount(grain, minlength=len(numbers))[:, None]):
            place[k] = ((points - middle) ** 2).sum(axis=1).argmin()
    return numbers, place


def _shape_of(grain: numpy.ndarray) -> Numbers:
    """[n_triangles] what tells the shape of each triangle's grain in all frames: how many triangles it has. It is
    negative, apart from the numbers of members that tell shapes of clumps."""
    _, of_triangle, counts = numpy.unique(grain, return_inverse=True, return_counts=True)
    return -numpy.asarray(counts[of_triangle], dtype=float)


def _grain_values(
    run: Results, frame: Frame, grain: numpy.ndarray, how: Colouring, numbers: numpy.ndarray, place: numpy.ndarray
) -> Numbers:
    """[n_triangles] value of each triangle: that of its grain's particle."""
    if how.field == "shape":
        return _shape_of(grain)
    of_grain = numpy.append(how.values(run, frame), numpy.nan)[place]  # unknown where it has no particle
    of_triangle: Numbers = of_grain[numpy.searchsorted(numbers, grain)]
    return of_triangle


def values_of(run: Results, frame: Frame, how: Colouring) -> Numbers:
    """Values from which a scale is chosen."""
    if how.field == "shape" and len(run.grains):
        surface = run.grains.at(frame.time)
        shapes = _shape_of(numpy.asarray(surface["clump"][...]).astype(int))
        round_ones = round_ones_of(frame, particles_of(frame, surface)[1])
        return numpy.concatenate([shapes, how.values(run, frame)[round_ones]])
    return how.values(run, frame)


def round_ones_of(frame: Frame, place: numpy.ndarray) -> numpy.ndarray:
    """[n] whether each particle is drawn as a sphere; `place`: those that have a surface."""
    found = numpy.ones(len(frame), dtype=bool)
    found[place[place >= 0]] = False
    return found


def surface_of(run: Results, frame: Frame) -> Frame | None:
    """The frame of surfaces of level-set grains that belongs to a frame; None without one."""
    surface = run.grains.at(frame.time) if len(run.grains) else None
    return None if surface is None or abs(surface.time - frame.time) > 1e-9 * max(1.0, frame.time) else surface


def has_place(frame: Frame) -> numpy.ndarray:
    """[n] whether the position of each particle is finite: in a run that broke down some are not."""
    found: numpy.ndarray = numpy.isfinite(numpy.asarray(frame.positions[...], float)).all(axis=1)
    return found


def load_moment(run: Results, frame: Frame, how: Colouring, *, chains: bool = False) -> Moment:
    """Reads a frame and the surfaces of grains that belong to it, without particles that have no place. Raises
    ResultsError where neither frame nor case tells the radii of spheres."""
    centres, radii = numpy.asarray(frame.positions[...], dtype=float), known_radii(run, frame)
    there = has_place(frame)
    surface = surface_of(run, frame)
    if surface is None:
        moment = Moment(frame.time, centres[there], radii[there], how.values(run, frame)[there])
    else:
        grain = numpy.asarray(surface["clump"][...]).astype(int)
        numbers, place = particles_of(frame, surface)
        round_ones = round_ones_of(frame, place) & there
        values = how.values(run, frame) if round_ones.any() else numpy.zeros(len(frame))
        moment = Moment(frame.time, centres[round_ones], radii[round_ones], values[round_ones],
                        numpy.asarray(surface.positions[...], dtype=float), surface.triangles,
                        _grain_values(run, frame, grain, how, numbers, place))  # fmt: skip
    if not numpy.isfinite(moment.radii).all():
        raise unknown_radii(frame)
    if chains:
        moment.chains = chains_of(run, frame)
    return moment


def chains_of(run: Results, frame: Frame) -> Chains | None:
    """Contact forces at a frame: of a file of contacts, of the nodes of grains, or of a checkpoint of the same step;
    None without any."""
    contacts = run.contacts
    if len(contacts) and abs((pairs_now := contacts.at(frame.time)).time - frame.time) < 1e-9 * max(1.0, frame.time):
        among = ~numpy.asarray(pairs_now["with_boundary"][...]).astype(bool)
        lines = pairs_now.lines[among]
        return Chains(lines[:, 0], lines[:, 1], numpy.linalg.norm(pairs_now.force[among], axis=1))
    nodes = run.nodes
    if len(nodes) and abs((moment := nodes.at(frame.time)).time - frame.time) < 1e-9 * max(1.0, frame.time):
        centres = {int(i): p for i, p in zip(numpy.asarray(frame["id"]), frame.positions[...], strict=True)} \
            if "id" in frame else dict(enumerate(frame.positions[...]))  # fmt: skip
        return _node_chains(moment, centres, frame.cell)
    for checkpoint in run.checkpoints:
        if frame.step is not None and checkpoint.step == frame.step and "pairs/force" in checkpoint:
            ids = numpy.asarray(checkpoint["bodies/id"][...])
            pairs = numpy.searchsorted(ids, numpy.asarray(checkpoint["pairs/ids"][...]))
            place = numpy.asarray(checkpoint["bodies/position"][...])
            force = numpy.linalg.norm(numpy.asarray(checkpoint["pairs/force"][...], float)[:, :3], axis=1)
            start = place[pairs[:, 0]]
            end = start + _shortest(place[pairs[:, 1]] - start, frame.cell)
            radius = numpy.asarray(checkpoint["bodies/radius"][...], float)
            near = numpy.linalg.norm(end - start, axis=1) < 1.5 * (radius[pairs[:, 0]] + radius[pairs[:, 1]])
            return Chains(start[near], end[near], force[near])
    return None


def _shortest(ways: Numbers, cell: Numbers | None) -> Numbers:
    """[n, 3] ways between particles that touch, across the faces of a periodic cell where that is shorter [m]."""
    if cell is None:
        return ways
    shortest: Numbers = ways - numpy.round(ways @ numpy.linalg.inv(cell)) @ cell
    return shortest


def _node_chains(nodes: Frame, centres: dict[int, Numbers], cell: Numbers | None) -> Chains:
    """Sums the forces of the nodes of each pair of grains."""
    with_boundary = numpy.asarray(nodes["with_boundary"][...]).astype(bool)
    pairs = numpy.column_stack([nodes["first"][...], nodes["second"][...]])[~with_boundary].astype(int)
    forces = numpy.asarray(nodes["force"][...], float)[~with_boundary]
    found, of_pair = numpy.unique(pairs, axis=0, return_inverse=True)
    total = numpy.zeros((len(found), 3))
    numpy.add.at(total, of_pair.ravel(), forces)
    known = numpy.array([a in centres and b in centres for a, b in found], dtype=bool)
    found, total = found[known], total[known]
    ends = numpy.array([[centres[a], centres[b]] for a, b in found]).reshape(-1, 2, 3)
    start = ends[:, 0]
    return Chains(start, start + _shortest(ends[:, 1] - start, cell), numpy.linalg.norm(total, axis=1))
