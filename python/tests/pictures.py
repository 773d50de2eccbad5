"""Pictures that tests make with `scree render`, and look at."""

from __future__ import annotations

from pathlib import Path

import numpy
from PIL import Image

from scree.__main__ import main


def render(*arguments: object) -> int:
    return main(["render", *(str(argument) for argument in arguments), "--draft"])


def pixels(file: Path) -> numpy.ndarray:
    with Image.open(file) as image:
        return numpy.asarray(image).astype(int)
