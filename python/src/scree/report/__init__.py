"""`scree report`: a run as one HTML file that needs neither a network nor a program."""

from __future__ import annotations

import argparse
import base64
import io
import os
import sys
from pathlib import Path

import numpy

from ..errors import ResultsError, cannot_import
from ..program import InputError, beside, open_run
from ..render.walls import planes_without_place
from ..results import Results
from .grains import pack
from .page import page

__all__ = ["add_arguments", "command", "write_report"]


def _pictures(run: Results, n: int) -> list[tuple[str, str]]:
    """Times and pictures of evenly spread frames, as data URLs."""
    from ..render import Look, Renderer

    frames = [frame for frame in run.frames if len(frame)]
    if not frames or n < 1:
        return []
    chosen = [frames[k] for k in sorted({round(k) for k in numpy.linspace(0, len(frames) - 1, n)})]
    found = []
    with Renderer(run, frames, Look(size=460, labels=False)) as renderer:
        for frame in chosen:
            from PIL import Image

            buffer = io.BytesIO()
            Image.fromarray(renderer.image(frame)).save(buffer, "webp", quality=86)
            found.append(
                (renderer.time_text(frame), "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode())
            )
    return found


def write_report(run: Results, out: str | os.PathLike[str], *, pictures: int = 5) -> Path:
    """Writes the report of a run, which may still go on."""
    from ..render.film import atomically

    out, missing = Path(out), ""
    try:
        images = _pictures(run, pictures)
    except ImportError as error:
        images, missing = [], f"There are no pictures: {cannot_import(error, 'scree report', 'report')}."
    except (InputError, ResultsError) as error:
        images, missing = [], f"There are no pictures: {error}."
    text = page(run, pack(run), images, missing)
    with atomically(out) as file:
        file.write_text(text, encoding="utf-8", errors="replace")  # names of folders need not be text
    return out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "scree report out/hopper     writes out/hopper.html\nSee docs/visualise.md."
    parser.add_argument("run", metavar="RUN", help="output folder of a run, or its case file")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: the name of the folder, beside it")
    parser.add_argument("--pictures", type=int, default=5, metavar="N", help="pictures from first to last (default: 5)")


def command(arguments: argparse.Namespace) -> int:
    run = open_run(arguments.run)
    out: Path = arguments.out or beside(run, ".html")
    if out.suffix not in (".html", ".htm"):
        raise InputError(f"--out: {out} has to end in .html")
    if not 0 <= arguments.pictures <= 24:
        raise InputError("--pictures: must be from 0 to 24")
    write_report(run, out, pictures=arguments.pictures)
    for name, why in planes_without_place(run).items():
        print(f'warning: the plane "{name}" is not drawn: {why}', file=sys.stderr)
    print(out)
    return 0
