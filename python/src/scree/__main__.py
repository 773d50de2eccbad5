"""`python -m scree COMMAND ...`: the commands of scree that are written in Python."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

# Of the package errors alone: the other modules need packages, of which main() says which ones are missing.
from .errors import InputError, ResultsError, cannot_import

__all__ = ["main"]

#: Commands, their modules and what they do. A module has add_arguments(parser) and command(arguments) -> exit code.
COMMANDS = {
    "render": (".render", "make pictures and films of a run"),
    "report": (".report", "write a run as one HTML file with plots and a view in three dimensions"),
    "sweep": (".sweep", "run a case with many values and gather the results in a table"),
    "calibrate": (".calibrate", "fit values of a case to measured numbers"),
    "watch": (".watch", "show a run on a local page while it goes on"),
}


_EXTRAS = ("render", "report", "calibrate")  # commands with an extra of their name


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as the program does. Values may begin with a minus: --range -1:1, --at -1e-3."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"error: {message}\nTry: {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def _parse(arguments: Sequence[str]) -> tuple[str, argparse.Namespace]:
    parser = _Parser(prog="scree", description="Commands of scree that are written in Python.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = arguments[0] if arguments and arguments[0] in COMMANDS else None
    for name, (module, text) in COMMANDS.items():
        command = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        if name == chosen:  # the others stay unread
            importlib.import_module(module, __package__).add_arguments(command)
    parsed = parser.parse_args(arguments)
    return parsed.command, parsed


def _print_all() -> None:
    """Lets names of files that are not text, and signs that the terminal lacks, be printed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            utf8 = stream.encoding.lower().replace("-", "") == "utf8"
            stream.reconfigure(errors="surrogateescape" if utf8 else "backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns 0, 2 when the input is wrong, 3 when the command failed."""
    words = sys.argv[1:] if arguments is None else arguments
    if arguments is None:
        _print_all()
    try:
        name, parsed = _parse(words)
        module = importlib.import_module(COMMANDS[name][0], __package__)
        code: int = module.command(parsed)
        sys.stdout.flush()
        return code
    except (InputError, ResultsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        name = words[0]
        print(f"error: {cannot_import(error, f'scree {name}', name if name in _EXTRAS else '')}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as error:
        print(f"error: {error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
