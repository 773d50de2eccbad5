"""Functions of the user that a run calls between its steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Callbacks"]

Function = Callable[[Any], object]


@dataclass
class _Callback:
    interval: int  #: [steps]
    function: Function
    seen: int  #: the last step that it need not be called for any more


class Callbacks:
    """The functions of every(), and the rule that neither they nor a function of progress go on with the run."""

    def __init__(self) -> None:
        self._all: list[_Callback] = []
        self._calling = False

    def add(self, interval: int, function: Function, step: int) -> None:
        """From the step `step` on, `function` is due after each step whose number is divisible by `interval`."""
        self._all.append(_Callback(interval, function, step))

    def clear(self) -> None:
        self._all.clear()

    def next_after(self, step: int) -> int | None:
        """The next step after which a function is due; None without functions."""
        return min(((step // one.interval + 1) * one.interval for one in self._all), default=None)

    def call_due(self, step: Callable[[], int], argument: object) -> None:
        """Calls what is due at the present step, once: Ctrl-C may have come first, so that it was not called then."""
        for one in list(self._all):
            now = step()  # a function may go back to a saved state
            if now % one.interval == 0 and one.seen < now:
                one.seen = now
                with self._called():
                    one.function(argument)

    def go_back(self, step: int) -> None:
        """The run stands at another step: nothing is due for it."""
        for one in self._all:
            one.seen = step

    def guarded(self, show: Callable[[Mapping[str, Any]], object], begin: Callable[[], None]) -> Function:
        """`show`, under the same rule; `begin` is called before it."""

        def call(progress: Mapping[str, Any]) -> None:
            begin()
            with self._called():
                show(progress)

        return call

    @contextlib.contextmanager
    def _called(self) -> Iterator[None]:
        before, self._calling = self._calling, True
        try:
            yield
        finally:
            self._calling = before

    def refuse(self, what: str) -> None:
        """Raises ValueError while a function is called."""
        if self._calling:
            raise ValueError(f"a callback is called between two steps of a run that goes on: it cannot {what} itself; "
                             "stop() ends the run after it")  # fmt: skip
