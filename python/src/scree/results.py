"""The results of a run: everything in its folder, read when it is used."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .checkpoint import Checkpoint
from .errors import ResultsError, missing_package
from .frames import ContactFrame, FieldFrame, Frame, Frames
from .names import Named
from .particle_history import particle_table
from .run_log import RunLog
from .tables import read_series, read_table

if TYPE_CHECKING:
    import pandas
    import pyvista

__all__ = ["Boundary", "Checkpoint", "Results"]

T = TypeVar("T")
F = TypeVar("F", bound=Frame)
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{k}" for port in ("com", "lpt") for k in range(10)}


@dataclass(frozen=True, repr=False)
class Boundary:
    """A boundary of the case, with the surfaces that the run has written of it."""

    name: str
    description: dict[str, Any]  #: as in the case: type, material, motion...
    moves: bool  #: at some time of the run, as the case or a stage of it says
    frames: Frames[Frame] | list[Frame]  #: one frame if it rests and stays; none of a plane

    def at(self, time: float) -> Frame | None:
        """The surface at the time [s], as near as frames exist, without points while the boundary is absent; None if
        there is none."""
        if len(self.frames) == 0:
            return None
        return self.frames.at(time) if isinstance(self.frames, Frames) else self.frames[0]

    def __repr__(self) -> str:
        kind = self.description.get("type", "surface")
        return f"<boundary {self.name}: {kind}{', moves' if self.moves else ''}, {len(self.frames)} frames>"


class Results:
    """Everything in the folder of a run. The run may still go on, or may have been killed.

    >>> results = scree.Results("out/hopper")
    >>> results.series["kinetic_energy"].plot()
    >>> for frame in results.frames:
    ...     print(frame.time, frame["velocity"][:, 2].min())

    Nothing is read before it is used, and files that have changed are read again.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._kept: dict[str, tuple[Any, Any]] = {}
        self._sequences: dict[str, Frames[Any]] = {}
        if not self.folder.is_dir():
            raise ResultsError(f"{self.folder}: there is no such folder")
        if not any((self.folder / name).exists() for name in ("run.log", "case.json", "series.csv", "frames")):
            raise ResultsError(f"{self.folder}: holds no run of scree (neither run.log nor case.json)")

    def _read(self, name: str, read: Callable[[Path], T], missing: Callable[[], T]) -> T:
        """What `read` makes of a file; kept until the file changes."""
        path = self.folder / name
        try:
            about = path.stat()
        except FileNotFoundError:
            return missing()
        state = (about.st_mtime_ns, about.st_size, about.st_ino)
        if name not in self._kept or self._kept[name][0] != state:
            self._kept[name] = (state, read(path))
        kept: T = self._kept[name][1]
        return kept

    def _sequence(self, place: str, kind: type[F]) -> Frames[F]:
        """The frames at a place of the folder. One object for all uses: a new one would read the list of files again,
        and look for all files, for each frame that is asked for."""
        if place not in self._sequences:
            self._sequences[place] = Frames(self.folder / f"{place}.vtkhdf.series", self.folder / place, kind)
        return self._sequences[place]

    def _no_file(self, name: str, why: str) -> ResultsError:
        return ResultsError(f"{self.folder}: there is no {name}: {why}")

    @property
    def case(self) -> dict[str, Any]:
        """The case as it ran, with every default filled in. `scree.Case(results.case)` is a copy, for variants."""

        def missing() -> dict[str, Any]:
            raise self._no_file("case.json", "the run has not started yet")

        def read(path: Path) -> dict[str, Any]:
            try:
                case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise ResultsError(f"{path}: is not JSON: {error}") from None
            time = case.get("time") if isinstance(case, dict) else None
            if not isinstance(time, dict) or not isinstance(time.get("duration"), int | float):
                raise ResultsError(f"{path}: is not the case of a run: it has no time.duration")
            return case

        return self._read("case.json", read, missing)

    @property
    def log(self) -> RunLog:
        """What the run said; empty before it has said anything."""
        return self._read("run.log", RunLog.read, RunLog)

    @property
    def warnings(self) -> list[str]:
        """What the run warned of, also before a --resume; each warning once."""
        return self.log.all_warnings

    @property
    def state_hash(self) -> str | None:
        """Hash of the state at the end; None before the run has ended."""
        return self.log.state_hash

    @property
    def status(self) -> str:
        """ "running", "done", "interrupted" (by a signal), "failed" (by an error), or "killed"."""
        if self._is_locked():
            return "running"
        log = self.log
        if log.errors:
            return "failed"
        return "done" if "done" in log.facts else "interrupted" if "interrupted" in log.facts else "killed"

    def _is_locked(self) -> bool:
        """Whether a living process writes here."""
        try:
            descriptor = os.open(self.folder / "run.lock", os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
        finally:
            os.close(descriptor)
        return False

    @property
    def duration(self) -> float:
        """[s] simulated time at which the run ends."""
        return float(self.case["time"]["duration"])

    @property
    def time(self) -> float:
        """[s] latest simulated time of which there is a row or a frame."""
        latest = [0.0]
        if self.has_series and len(series := self.shared_series()):
            latest.append(float(series.index[-1]))
        if len(frames := self.frames):
            latest.append(frames[-1].time)
        return max(latest)

    @property
    def summary(self) -> dict[str, Any]:
        """The main numbers of a run: status, steps, time [s], wall_seconds [s], particle_steps_per_second, hash...

        Steps, wall time and warnings are those of all `parts` of a run that was resumed, the speed that of the last
        part that made steps."""
        log = self.log
        speeds = [speed for part in log.parts if (speed := part.particle_steps_per_second) is not None]
        return {
            "title": self.case.get("title", ""),
            "status": self.status,
            "version": log.version,
            "time": self.time,
            "duration": self.duration,
            "parts": len(log.parts),
            "steps": log.total_steps,
            "wall_seconds": log.total_wall_seconds,
            "particle_steps_per_second": speeds[-1] if speeds else None,
            "backend": log.facts.get("backend", ""),
            "precision": self.case.get("precision", ""),
            "particles": log.facts.get("particles", "").split("\n")[-1],
            "frames": len(self.frames),
            "warnings": len(log.all_warnings),
            "state_hash": log.state_hash,
        }

    @property
    def series(self) -> pandas.DataFrame:
        """One row per moment, indexed by "time" [s]. `units` and `series.attrs["units"]` name the units of columns.
        Where columns of the file have the same name, as "stage", the second one is "stage.1" here, and so on.

        A copy: columns that are added to it are not those of the run."""
        return self.shared_series().copy()

    def shared_series(self) -> pandas.DataFrame:
        """The same without a copy, for reading alone."""

        def missing() -> pandas.DataFrame:
            raise self._no_file("series.csv", "the case has no output.series")

        return self._read("series.csv", read_series, missing)

    @property
    def has_series(self) -> bool:
        """Whether there is a series, with or without rows; a run that has just begun has not written its header yet."""
        try:
            return len(self.shared_series()) >= 0
        except ResultsError:
            return False

    @property
    def units(self) -> dict[str, str]:
        """SI units of the columns of the series; columns without a unit are not in it."""
        units: dict[str, str] = self.shared_series().attrs["units"]
        return dict(units)

    @property
    def frames(self) -> Frames[Frame]:
        """The particles over time."""
        return self._sequence("frames", Frame)

    def particle(self, id: int, fields: Sequence[str] | str | None = None) -> pandas.DataFrame:
        """One particle over time: a row for each frame, indexed by "time" [s], with the columns of `to_dataframe` but
        the id. NaN where the frame does not have the particle: it came later, or has left. `fields` chooses arrays, as
        ["positions", "velocity"]. Only they are read, and only the row of the particle. `attrs["units"]` names the SI
        units of columns. Frames need the field id."""
        return particle_table(self.frames, id, fields)

    @property
    def grains(self) -> Frames[Frame]:
        """The surfaces of level-set grains over time; empty if there are none."""
        return self._sequence("grains", Frame)

    @property
    def nodes(self) -> Frames[Frame]:
        """The nodes of level-set grains that touch, over time; empty unless the case has output.frames.grain_nodes."""
        return self._sequence("nodes", Frame)

    @property
    def contacts(self) -> Frames[ContactFrame]:
        """The touching contacts over time; empty unless the case has output.contacts. `results.contacts[-1]`"""
        return self._sequence("contacts", ContactFrame)

    @property
    def fields(self) -> dict[str, Frames[FieldFrame]]:
        """Means over grids and time windows, by the names in output.fields. `results.fields["profile"][-1]`"""
        names: list[str] = list(self.case.get("output", {}).get("fields", {}))
        stems = zip(names, file_stems(names), strict=True)
        return Named("field", {name: self._sequence(f"fields/{stem}", FieldFrame) for name, stem in stems})

    def _asked_for(self, name: str, words: tuple[str, ...]) -> pandas.DataFrame:
        """A copy of the table of output.NAME; `words` are its columns of text."""

        def missing() -> pandas.DataFrame:
            raise self._no_file(f"{name}.csv", f"the case does not ask for output.{name}")

        return self._read(f"{name}.csv", lambda path: read_table(path, None, words), missing).copy()

    @property
    def left(self) -> pandas.DataFrame:
        """One row per particle that left through an outlet, in the order of time; a copy, as series is."""
        return self._asked_for("left", ("outlet", "material", "group", "inlet"))

    @property
    def broken_bonds(self) -> pandas.DataFrame:
        """One row per bond that broke, in the order of time; a copy, as series is."""
        return self._asked_for("broken_bonds", ("kind",))

    @property
    def broken_particles(self) -> pandas.DataFrame:
        """One row per sphere that broke, in the order of time; a copy, as series is."""
        return self._asked_for("broken_particles", ("material",))

    @property
    def collisions(self) -> pandas.DataFrame:
        """Numbers of collisions by what each of them lost, in the order of time; a copy, as series is."""
        return self._asked_for("collisions", ("with", "first", "second"))

    @property
    def cell(self) -> Frames[Frame]:
        """The faces of the periodic cell over time; empty without one."""
        return self._surface_frames(list(file_stems([*self.case["boundaries"], "cell"]))[-1])

    @property
    def boundaries(self) -> dict[str, Boundary]:
        """The boundaries of the case by name, in its order."""
        described: dict[str, dict[str, Any]] = self.case.get("boundaries", {})
        steered = {
            name
            for stage in self.case.get("stages") or []
            for name, change in (stage.get("boundaries") or {}).items()
            if change.get("motion")
        }
        found = {}
        for name, stem in zip(described, file_stems(list(described)), strict=True):
            still = self.folder / "boundaries" / f"{stem}.vtkhdf"
            moves = name in steered or any(described[name].get(key) for key in ("motion", "drive", "servo"))
            frames = [Frame(still)] if still.exists() else self._surface_frames(stem)
            found[name] = Boundary(name, described[name], moves, frames)
        return Named("boundary", found)

    def _surface_frames(self, stem: str) -> Frames[Frame]:
        return self._sequence(f"boundaries/{stem}", Frame)

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """From the oldest to the newest."""
        return [Checkpoint(path) for path in sorted((self.folder / "checkpoints").glob("step_*.h5"))]

    @property
    def fault(self) -> Frame | None:
        """The state at a fault; None if there was none."""
        path = self.folder / "fault.vtkhdf"
        return Frame(path) if path.exists() else None

    def to_pyvista(self, frame: int = -1) -> pyvista.MultiBlock:
        """Particles, surfaces of grains and boundaries at one frame, as the blocks of these names."""
        try:
            import pyvista
        except ImportError:
            raise missing_package("pyvista", "to_pyvista()", "render") from None
        moment = self.frames[frame]
        blocks = pyvista.MultiBlock()
        blocks["particles"] = moment.to_pyvista()
        if len(self.grains):
            blocks["grains"] = self.grains.at(moment.time).to_pyvista()
        for name, boundary in self.boundaries.items():
            if (surface := boundary.at(moment.time)) is not None and len(surface):  # empty: it is absent
                blocks[f"boundary {name}"] = surface.to_pyvista()
        return blocks

    def __repr__(self) -> str:
        return f"<results in {self.folder}: {self.status}, {len(self.frames)} frames>"


def file_stems(names: list[str]) -> list[str]:
    """The names of files for boundaries of these names, as docs/output.md defines them."""
    stems: list[str] = []
    for name in names:
        stem = "".join(c if re.fullmatch("[A-Za-z0-9-]", c) else "_" * len(c.encode()) for c in name)
        if not stem or stem.lower() in _DEVICES:
            stem += "_"
        base = stem = stem[:100]
        number = 2
        while stem.lower() in (taken.lower() for taken in stems):
            stem = f"{base}_{number}"
            number += 1
        stems.append(stem)
    return stems
