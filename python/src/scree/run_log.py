"""run.log: what a run said."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["RunLog"]

_LABEL = re.compile(r"^([a-z][a-z ]{0,10}[a-z0-9]) +(\S.*)$")
_PROGRESS = re.compile(r"^ *([0-9.]+) %  step (\d+)(?:/(\d+))?  t (\S+) s ")
_ROW = re.compile(r"^  (\S.*?)  +(\S.*?)  +(\S.*)$")
_RESUMED = re.compile(r"step ([\d ]+), t = ")
_WALL = re.compile(r"  wall ((?:[\d.]+ (?:s|min|h|d) ?)+)")
# Warnings about what had not come about at the end of a start (src/host/run/missed_goals.cpp, servos.cpp). Once the run
# goes on they are of the past: its new end says what is still missing.
_OF_THE_END = re.compile(
    r"the run ended before |at the end of the run |contacts: no bond has formed|boundaries\..*\.servo: .* at the end, "
)
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_BYTES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


@dataclass
class RunLog:
    """The lines of the last start of a run (a resumed run adds its lines to those of the run before: `parts`).

    `facts` has the text behind each label: "case", "particles", "time", "verlet", "precision", "backend", "speed",
    "overlap"... A label with more than one line has them joined by line feeds.
    """

    text: str = ""  #: the whole file, with all starts
    lines: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stage_seconds: dict[str, float] = field(default_factory=dict)  #: [s] wall time of each stage of a step
    memory: dict[str, int] = field(default_factory=dict)  #: [bytes] by purpose, rounded as in the log
    state_hash: str | None = None  #: None until the run has ended
    progress: float = 0.0  #: part of the run that was done when the log last said so, 0 to 1
    last_step: int | None = None  #: step at which the run ends, where the log says it
    earlier: list[RunLog] = field(default_factory=list)  #: the starts that this one continues, the oldest first
    wall_so_far: float = 0.0  #: [s] wall time of this start when the log last said it

    @classmethod
    def read(cls, path: Path) -> RunLog:
        """Reads a file that may still grow: text behind the last line feed is left out."""
        text = path.read_bytes().decode("utf-8", errors="replace")
        return cls.parse(text[: text.rfind("\n") + 1])

    @classmethod
    def parse(cls, text: str) -> RunLog:
        lines = text.splitlines()
        starts = [i for i, line in enumerate(lines) if re.match(r"scree \d", line)] or [0]
        parts = [cls._part(text, lines[i:end]) for i, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
        # A start that does not say where it goes on began anew: the starts before it belong to another run.
        first = max((k for k, part in enumerate(parts) if "resumed" not in part.facts), default=0)
        parts[-1].earlier = parts[first:-1]
        return parts[-1]

    @classmethod
    def _part(cls, text: str, lines: list[str]) -> RunLog:
        """The log of one start, from its own lines."""
        log = cls(text=text, lines=lines)
        table, label = "", ""
        for line in lines[1 if log.version else 0 :]:
            if line.startswith("  ") and table and (row := _ROW.match(line)):
                with contextlib.suppress(ValueError):  # a damaged row
                    log._row(table, *row.groups())
                continue
            table = {"time per stage": "time", "memory": "memory"}.get(line, "")
            label = "" if table else log._line(line, label)
        if "done" in log.facts:
            log.progress = 1.0
        return log

    def _row(self, table: str, name: str, value: str, _share: str) -> None:
        if table == "time":
            self.stage_seconds[name] = float(value.removesuffix(" s"))
            return
        number, _, unit = value.rpartition(" ")
        if unit in _BYTES:
            self.memory[name] = round(float(number.replace(" ", "")) * _BYTES[unit])

    def _line(self, line: str, label: str) -> str:
        """Files one line; returns its label, to which an indented line that follows belongs."""
        if line.startswith("warning: "):
            self._add(self.warnings, line.removeprefix("warning: "))
        elif line.startswith("error: "):
            self._add(self.errors, line.removeprefix("error: "))
        elif line.startswith("state hash "):
            self.state_hash = line.removeprefix("state hash ").strip()
        elif progress := _PROGRESS.match(line):
            self.progress = float(progress[1]) / 100
            self.last_step = int(progress[3]) if progress[3] else None
            if wall := _WALL.search(line):
                self.wall_so_far = _seconds(wall[1])
        elif found := _LABEL.match(line):
            label = found[1]
            old = self.facts.get(label)
            self.facts[label] = found[2] if old is None else f"{old}\n{found[2]}"
            return label
        elif line.startswith(" " * 12) and label:
            self.facts[label] += "\n" + line.strip()
            return label
        return ""

    @staticmethod
    def _add(to: list[str], text: str) -> None:
        if text not in to:
            to.append(text)

    @property
    def version(self) -> str:
        """Version of scree that ran."""
        first = self.lines[0] if self.lines else ""
        return first.removeprefix("scree ") if first.startswith("scree ") else ""

    @property
    def steps(self) -> int | None:
        """Steps that this start has made; None before its end."""
        return self._number(self._ending(), r"^([\d ]+) steps?,")

    @property
    def wall_seconds(self) -> float | None:
        """[s] wall time, from the shares of its stages; None before the end."""
        return round(sum(self.stage_seconds.values()), 6) if self.stage_seconds else None

    @property
    def particle_steps_per_second(self) -> float | None:
        """[1/s] None before the end, and where no step was made."""
        found = re.match(r"(\d[\d.e+-]*) ?([kMGT]?) particle-steps/s", self.facts.get("speed", ""))
        return float(found[1]) * _UNITS[found[2]] if found else None

    @property
    def parts(self) -> list[RunLog]:
        """All starts of this run, the oldest first: those that a --resume continued, and this one."""
        return [*self.earlier, self]

    @property
    def first_step(self) -> int:
        """Steps made before this start; 0 unless it continued another one."""
        found = _RESUMED.search(self.facts.get("resumed", ""))
        return int(found[1].replace(" ", "")) if found else 0

    @property
    def total_steps(self) -> int | None:
        """Steps of the run in all its starts; None before its end. Steps that were made twice count once."""
        return None if self.steps is None else self.first_step + self.steps

    @property
    def total_wall_seconds(self) -> float | None:
        """[s] wall time of all starts of the run; None before its end. A start that was killed counts as far as its
        log goes: see some_were_killed."""
        if self.wall_seconds is None:
            return None
        known = [part.wall_so_far if part.wall_seconds is None else part.wall_seconds for part in self.parts]
        return round(sum(known), 6)

    @property
    def some_were_killed(self) -> bool:
        """Whether a start that was continued did not come to write how long it took."""
        return any(part.wall_seconds is None for part in self.earlier)

    @property
    def total_stage_seconds(self) -> dict[str, float]:
        """[s] stage_seconds of all starts of the run together, without those that were killed."""
        total: dict[str, float] = {}
        for part in self.parts:
            for name, seconds in part.stage_seconds.items():
                total[name] = total.get(name, 0.0) + seconds
        return total

    @property
    def all_warnings(self) -> list[str]:
        """Warnings of all starts of the run, each once. Those about the end of a start that was continued are left out:
        a stage that had not ended, as an example, may have done so since."""
        earlier = [text for part in self.earlier for text in part.warnings if not _OF_THE_END.match(text)]
        return list(dict.fromkeys([*earlier, *self.warnings]))

    def _ending(self) -> str:
        return self.facts.get("done") or self.facts.get("interrupted") or ""

    @staticmethod
    def _number(text: str, pattern: str) -> int | None:
        found = re.match(pattern, text)
        return int(found[1].replace(" ", "")) if found else None


def _seconds(text: str) -> float:
    """[s] of a duration as the log has it: "5.0 s", "1 min 02 s", "3 h 20 min"."""
    words = text.split()
    return sum(float(number) * _SECONDS[unit] for number, unit in zip(words[::2], words[1::2], strict=True))
