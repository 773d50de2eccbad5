"""When the stages of a run began."""

from __future__ import annotations

import re

import numpy

from .results import Results

__all__ = ["reached", "stage_times"]

_BEGINS = re.compile(r'^step (\d+), t = (\S+) s: (?:.*; )?stage ".*" begins$', re.MULTILINE)
_ROUNDING = 5e-6  # largest relative error of the six digits of a time in the log


def reached(moment: float, time: float) -> bool:
    """Whether a moment [s] has come at a time [s]; a run counts times that differ by rounding alone as the same."""
    return moment * (1 - 1e-9) <= time


def stage_times(run: Results) -> list[float]:
    """[s] Times at which the stages of a run began, in their order, as far as the run has come; none without stages.

    The log has them for each stage at once. Checkpoints have them, too, where the log has been lost."""
    n = len(run.case.get("stages") or [])
    if n == 0:
        return []
    begun: list[tuple[int, float]] = []  # step and time [s]
    for found in _BEGINS.finditer(run.log.text):
        step = int(found[1])
        begun = [earlier for earlier in begun if earlier[0] < step]  # a resumed run may begin a stage a second time
        begun.append((step, _time_of(run, step, float(found[2]))))
    return [time for _, time in begun[:n]] or _from_checkpoint(run)[:n]


def _time_of(run: Results, step: int, rounded: float) -> float:
    """[s] The time of a step, of which the log has a rounded value. It is never later than the step."""
    given = run.case["time"]
    same_length = not given.get("adaptive") and not any(stage.get("time") for stage in run.case["stages"])
    if same_length and isinstance(given.get("step"), int | float):
        return step * float(given["step"])
    return rounded * (1 - _ROUNDING)


def _from_checkpoint(run: Results) -> list[float]:
    """[s] The times that the newest checkpoint has."""
    for checkpoint in reversed(run.checkpoints):
        if "stages/begin_time" in checkpoint:
            return [float(time) for time in numpy.asarray(checkpoint["stages/begin_time"][...], float)]
    return []
