"""`scree render`: pictures and films of a run, without a screen and without a GPU."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy

from ..frames import Frame
from ..program import InputError, beside, open_run, parse_number
from ..results import Results
from ..sizes import known_radii
from . import walls
from .camera import Camera, Cut, box_of, direction, fit, picture_size
from .draw import Stage, load_pyvista
from .fields import Bytes, Colouring, Scale, choose_scale, parse_range
from .film import FILM_ENDINGS, Film, atomically
from .framing import wall_points
from .labels import caption, fewer_colours, montage, time_text
from .moments import frame_near
from .scene import chains_of, has_place, load_moment, particles_of, round_ones_of, surface_of, values_of
from .solids import Solids

__all__ = ["Look", "Renderer", "add_arguments", "command", "render"]

_FIT_FRAMES = 12  # frames that camera and colours are chosen from
_SIZE, _SIZE_IN_MONTAGE = 1200, 640  # pixels along the longer side of each picture
_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True)
class Look:
    """How pictures look. See `scree render --help`."""

    colour: str | None = None  #: field; None: shape, temperature, speed or radius, whichever there is
    value_range: tuple[float, float] | None = None
    map_name: str = "viridis"
    bands: int = 0
    view: str = "auto"
    zoom: float = 1.0
    cut: str | None = None
    walls: float = 0.12  #: opacity of the boundaries in front of the grains; 0: no boundaries
    chains: bool = False
    facets: str | None = None  #: field of facets that colours boundaries; grains are a haze then
    size: int | None = None  #: pixels along the longer side of each picture; None: 1200, in a montage 640
    background: str = "white"
    sharp: int = 2
    shade: bool = True
    labels: bool = True
    clock: float = 0.0  #: [s] moment that the time is counted from


def default_colour(run: Results, *frames: Frame) -> str:
    """Shape where there are several shapes, temperature where there is heat, else speed, else what all frames have: a
    resumed run may write other fields."""
    shapes = run.case.get("shapes", {}) or {}
    if len(shapes) > 1 and (all("clump" in frame for frame in frames) or len(run.grains)):
        return "shape"
    names = ("temperature", "velocity", "coordination_number", "radius")
    return next((name for name in names if all(name in frame for frame in frames)), "z")


class Renderer:
    """Draws moments of a run, all with the same camera and colours. Use it as a context, or call close()."""

    def __init__(self, run: Results, frames: Sequence[Frame], look: Look) -> None:
        if not len(frames):
            raise InputError(f"{run.folder}: has no frames; give the case output.frames")
        load_pyvista()
        self.run, self.look = run, look
        self._said = False
        chosen = [frames[k] for k in sorted({round(k) for k in numpy.linspace(0, len(frames) - 1, _FIT_FRAMES)})]
        chosen = [frame for frame in chosen if has_place(frame).any()]
        if not chosen and any(len(frame) for frame in frames):
            raise InputError(f"{run.folder}: no particle of these frames has a finite position")
        if not chosen:  # the run has run empty: camera and colours are those of its last grains
            filled = (frame for frame in reversed(run.frames) if has_place(frame).any())
            chosen = [frame for frame in (next(filled, None),) if frame is not None]
        self.how = Colouring.parse(look.colour or default_colour(run, *frames, *chosen))
        self._boxes = [self._box(frame) for frame in chosen]
        self._crowd = _sample([frame.positions[...][has_place(frame)] for frame in chosen], 1500)
        if look.chains:
            self.how = Colouring("force")
        elif look.facets:
            self.how = Colouring(look.facets)
        self.scale = self._chain_scale(chosen) if look.chains else self._value_scale(chosen)
        self.camera, self.cut = self._look([frame.time for frame in frames])
        self._solids = Solids(run, chosen)
        self.size = picture_size(self.camera, look.size or _SIZE)
        self._stage = Stage(self.size, background=look.background, sharp=look.sharp, shade=look.shade)

    def _chain_scale(self, frames: Sequence[Frame]) -> Scale:
        """From 0 to six times the mean force of contacts in all frames that have forces."""
        known = [chains.force for frame in frames if (chains := chains_of(self.run, frame)) is not None]
        forces = numpy.concatenate([*known, numpy.zeros(0)])
        high = 6 * float(forces.mean()) if len(forces) else 0.0
        map_name = "inferno_r" if self.look.map_name == Look.map_name else self.look.map_name
        return Scale(*(self.look.value_range or (0.0, high or 1.0)), map_name, self.look.bands)

    def _value_scale(self, frames: Sequence[Frame]) -> Scale:
        """From values of grains or facets in all frames."""
        if self.look.facets:
            values = self._facet_values(frames)
        else:
            values = [values_of(self.run, frame, self.how) for frame in frames]
        return choose_scale(values, self.how, self.run.case, given=self.look.value_range, map_name=self.look.map_name,
                            bands=self.look.bands)  # fmt: skip

    def _facet_values(self, frames: Sequence[Frame]) -> list[numpy.ndarray]:
        """Values of the facets in some frames."""
        field = str(self.look.facets)
        values = [part for frame in frames for part in walls.facet_values(self.run, frame.time, field).values()]
        if not values:
            raise InputError(
                f'--facets: no boundary of {self.run.folder} has "{field}"; the case gives meshes "facets"'
            )
        return values

    def _box(self, frame: Frame) -> numpy.ndarray:
        there = has_place(frame)
        points = numpy.asarray(frame.positions[...], float)[there]
        radii = numpy.nan_to_num(known_radii(self.run, frame))
        surface = surface_of(self.run, frame)
        if surface is None:
            return box_of(points, radii[there])
        round_ones = round_ones_of(frame, particles_of(frame, surface)[1])  # the radius of a grain is that of a ball
        vertices = numpy.asarray(surface.positions[...], float)[has_place(surface)]  # around it
        spheres = round_ones[there]
        boxes = [box_of(vertices)] if len(vertices) else []  # spheres are few beside vertices, but not to be left out
        boxes += [box_of(points[spheres], radii[there][spheres])] if spheres.any() else []
        return numpy.concatenate(boxes) if boxes else box_of(points)

    def _look(self, times: Sequence[float]) -> tuple[Camera, Cut | None]:
        """Camera and cut for frames at these times [s]; the extent of walls counts as `wall_points` says."""
        grains = numpy.concatenate(self._boxes) if self._boxes else numpy.array([[-1.0] * 3, [1.0] * 3])
        low, high = grains.min(axis=0), grains.max(axis=0)
        seen = numpy.concatenate([grains, *([wall_points(self.run, times, low, high)] if self.look.walls > 0 else [])])
        self._low, self._high = seen.min(axis=0), seen.max(axis=0)  # where planes end
        view = self.look.view
        if view == "auto" and self.look.cut and self.look.cut[0] in "xyz":
            view = {"x": "1,-0.12,0.2", "y": "0.12,-1,0.2", "z": "top"}[self.look.cut[0]]
        to_eye = direction(view, [grains])
        cut = Cut.parse(self.look.cut, to_eye) if self.look.cut else None
        if cut is not None:
            before = ((seen - cut.point) @ cut.normal).clip(min=0)
            seen = seen - before[:, None] * cut.normal
        gravity = numpy.array(self.run.case.get("gravity", [0, 0, -9.81]), float)
        return fit(seen, to_eye, gravity, self.look.zoom), cut

    def image(self, frame: Frame) -> Bytes:
        """[height, width, 3] picture of a frame, without labels."""
        how = Colouring("positions", 2) if self.look.facets or self.look.chains else self.how
        moment = load_moment(self.run, frame, how, chains=self.look.chains)
        if (lost := int((~has_place(frame)).sum())) and not self._said:
            self._said = True  # a film would say it for each of its pictures
            print(f"warning: {frame.path.name}: {lost} of {len(frame)} particles have no finite position and are not "
                  "drawn", file=sys.stderr)  # fmt: skip
        if self.look.chains and moment.chains is None:
            raise InputError(f"{frame.path.name}: no contact forces were written at {frame.time:.4g} s: choose the "
                             "last frame of a finished run, or give the case output.checkpoints")  # fmt: skip
        surfaces = {}
        if self.look.walls > 0:
            written = walls.surfaces_at(self.run, frame.time, self._low, self._high, self.look.facets)
            surfaces = {name: self._solids.marked(name, wall) for name, wall in written.items()}
        now = _sample([frame.positions[...][has_place(frame)]], 1500)
        boundaries = self.run.boundaries  # where one that moves is now, grains may have been at other times
        beside = {name: now for name in surfaces if len(now) and boundaries[name].moves}
        return self._stage.picture(
            moment, self.camera, self.scale, surfaces, cut=self.cut, wall_opacity=self.look.walls,
            lines=_cell_edges(frame), crowd=self._crowd, beside=beside,
            haze=self.look.facets is not None,
        )  # fmt: skip

    def time_text(self, frame: Frame) -> str:
        return time_text(frame.time - self.look.clock, float(self.run.frames.times.max()))

    def labelled(self, frame: Frame) -> Any:
        """The picture of a frame with time, legend and scale bar, as an image of Pillow."""
        from PIL import Image

        image = self.image(frame)
        if not self.look.labels:
            return Image.fromarray(image)
        return caption(image, self.camera, self.time_text(frame), self.how, self.scale, self.look.background)

    def close(self) -> None:
        self._stage.close()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sample(points: Sequence[numpy.ndarray], most: int) -> numpy.ndarray:
    """[n, 3] at most so many of the points."""
    every = numpy.concatenate(points) if points else numpy.zeros((0, 3))
    return every[numpy.random.default_rng(1).permutation(len(every))[:most]]


def _cell_edges(frame: Frame) -> Iterator[numpy.ndarray]:
    """Edges of the periodic cell, as lines."""
    cell, origin = frame.cell, frame.cell_origin
    if cell is None or origin is None:
        return
    a, b, c = cell
    for start in (origin, origin + c):
        yield numpy.array([start, start + a, start + a + b, start + b, start])
    for corner in (origin, origin + a, origin + a + b, origin + b):
        yield numpy.array([corner, corner + c])


def choose_frames(run: Results, times: Sequence[float] | None, last_only: bool) -> list[Frame]:
    """Frames nearest to some times [s]; without times all frames, or the last one."""
    frames = list(run.frames)
    if not frames:
        raise InputError(f"{run.folder}: has no frames; give the case output.frames")
    if times:
        return [frame_near(run, time, "--at") for time in times]
    return frames[-1:] if last_only else frames


def render(
    run: Results, out: str | os.PathLike[str], look: Look | None = None, *, times: Sequence[float] | None = None,
    tiles: int = 0, frames_per_second: float = 25.0, palette: int = 0, progress: bool = False,
) -> Path:  # fmt: skip
    """Writes a picture, a montage (several `times`, or `tiles` evenly spread ones) or a film, by the ending of `out`.

    Pictures show the last frame, films all frames, unless `times` [s] chooses others. All have the same camera and
    colours. Raises InputError."""
    out, look = Path(out), look or Look()
    film = out.suffix in FILM_ENDINGS
    if not film and out.suffix not in _IMAGE_ENDINGS:
        raise InputError(f"--out: {out} has to end in {', '.join(_IMAGE_ENDINGS + FILM_ENDINGS)}")
    frames = choose_frames(run, times, last_only=not film and not tiles)
    if tiles and not times:
        frames = [frames[k] for k in sorted({round(k) for k in numpy.linspace(0, len(frames) - 1, tiles)})]
    if film and len(frames) < 2:
        raise InputError(f"{run.folder}: a film needs two frames or more")
    several = not film and len(frames) > 1
    if several and look.size is None:
        look = replace(look, size=_SIZE_IN_MONTAGE)
    with Renderer(run, frames, look) as renderer, atomically(out) as file:
        if film:
            with Film(file, frames_per_second) as target:
                for k, frame in enumerate(frames):
                    target.add(renderer.labelled(frame))
                    if progress:
                        print(f"\r{k + 1} of {len(frames)} frames", end="", file=sys.stderr, flush=True)
            if progress:
                print(file=sys.stderr)
        else:
            image = _sheet(renderer, frames) if several else renderer.labelled(frames[0])
            if out.suffix == ".png" and palette:
                image = fewer_colours(image, palette)
            image.save(file, **({"optimize": True} if out.suffix == ".png" else {"quality": 92}))
    return out


def _sheet(renderer: Renderer, frames: Sequence[Frame]) -> Any:
    images = [renderer.image(frame) for frame in frames]
    texts = [renderer.time_text(frame) for frame in frames]
    look = renderer.look
    return montage(images, texts, renderer.camera, renderer.how, renderer.scale, look.background, labels=look.labels)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "scree render out/hopper                           the last frame: out/hopper.png\n"
        "scree render out/hopper --montage 4 --cut y       four moments, cut open\n"
        "scree render out/hopper --film --cut y            a film: out/hopper.mp4\n"
        "scree render out/hopper --colour z@0.5 --bands 7  in layers, as they lay at 0.5 s\n"
        "See docs/visualise.md."
    )
    add = parser.add_argument
    add("run", metavar="RUN", help="output folder of a run, or its case file")
    add("--out", type=Path, metavar="FILE", help="picture (.png, .jpg, .webp) or film (.mp4, .webm, .gif); "
        "default: the name of the folder, beside it")  # fmt: skip
    add("--film", action="store_true", help="a film of all frames (.mp4)")
    add("--montage", type=int, metavar="N", default=0, help="N moments side by side")
    add("--at", nargs="+", metavar="TIME", help="moments [s], each the nearest frame; several make a montage")
    add("--colour", "--color", metavar="FIELD", help="speed, velocity.z, z, radius, material, shape, ...; any field of "
        "the frames; FIELD@TIME: its value at that time, which stays with the grain")  # fmt: skip
    add("--range", metavar="LOW:HIGH", help="values of the first and last colour (default: those of all frames)")
    add("--map", metavar="NAME", default="viridis", help="colour map of matplotlib (default: viridis)")
    add("--bands", type=int, metavar="N", default=0, help="N distinct colours")
    add(
        "--view",
        metavar="WHERE",
        default="auto",
        help="iso, low, front, back, left, right, top, bottom, or the direction X,Y,Z to the eye (default: auto)",
    )
    add("--zoom", type=float, default=1.0, metavar="X", help="larger than what fits, about the middle (default: 1)")
    add("--cut", metavar="PLANE", help="leave out all in front of a plane: y, x=0.01, or POINT:NORMAL as 0,0,0.1:0,1,1")
    add(
        "--walls",
        type=float,
        default=0.12,
        metavar="X",
        help="opacity of boundaries in front of the grains, 0 to 1; 0 draws none (default: 0.12)",
    )
    add("--chains", action="store_true", help="forces between particles as tubes, grains as a haze")
    add("--facets", metavar="FIELD", help="boundaries in the colours of a field of their facets, as pressure, "
        "impact_energy or archard_depth, with grains as a haze")  # fmt: skip
    add("--size", type=int, metavar="N", help="pixels along the longer side of each picture, without its labels; a "
        "montage of several is larger (default: 1200; 640 in a montage)")  # fmt: skip
    add("--palette", type=int, metavar="N", default=0, help="a PNG of N colours, 2 to 256: a smaller file")
    add("--fps", type=float, default=25, metavar="N", help="frames per second of a film (default: 25)")
    add("--background", choices=("white", "black"), default="white")
    add("--clock", default="0", metavar="TIME", help="moment that the shown time is counted from [s] (default: 0)")
    add("--no-labels", action="store_true", help="grains only: no time, legend and scale bar")
    add("--draft", action="store_true", help="faster: no smooth edges, no dark gaps")


def _look(arguments: argparse.Namespace) -> Look:
    if arguments.facets and (arguments.chains or arguments.colour or arguments.walls == 0):
        raise InputError("--facets: draws boundaries in colours, so it excludes --chains, --colour and --walls 0")
    if not 0 <= arguments.walls <= 1:
        raise InputError("--walls: must be from 0 to 1")
    if arguments.size is not None and not 64 <= arguments.size <= 8192:
        raise InputError("--size: must be from 64 to 8192 pixels")
    if not 0 < arguments.zoom < 1e6 or not 0.1 <= arguments.fps <= 240 or not 0 <= arguments.bands <= 256:
        raise InputError("--zoom must be positive, --fps from 0.1 to 240, --bands from 0 to 256")
    return Look(
        colour=arguments.colour, value_range=parse_range(arguments.range) if arguments.range else None,
        map_name=arguments.map, bands=arguments.bands, view=arguments.view, zoom=arguments.zoom, cut=arguments.cut,
        walls=arguments.walls, chains=arguments.chains, facets=arguments.facets, size=arguments.size,
        background=arguments.background, sharp=1 if arguments.draft else 2, shade=not arguments.draft,
        labels=not arguments.no_labels, clock=parse_number(arguments.clock, "--clock"),
    )  # fmt: skip


def command(arguments: argparse.Namespace) -> int:
    run = open_run(arguments.run)
    if arguments.palette and not 2 <= arguments.palette <= 256:
        raise InputError("--palette: must be from 2 to 256")
    out = arguments.out or beside(run, ".mp4" if arguments.film else ".png")
    if arguments.film and out.suffix not in FILM_ENDINGS:
        raise InputError(f"--out: a film ends in {', '.join(FILM_ENDINGS)}, not in {out.suffix or 'nothing'}")
    times = [parse_number(text, "--at") for text in arguments.at] if arguments.at else None
    if arguments.montage and not re.fullmatch(r"[2-9]|[1-9]\d", str(arguments.montage)):
        raise InputError("--montage: must be from 2 to 99")
    render(run, out, _look(arguments), times=times, tiles=arguments.montage, frames_per_second=arguments.fps,
           palette=arguments.palette, progress=sys.stderr.isatty())  # fmt: skip
    for name, why in walls.planes_without_place(run).items() if arguments.walls else ():
        print(f'warning: the plane "{name}" is not drawn: {why}', file=sys.stderr)
    print(out)
    return 0
