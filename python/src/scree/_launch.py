"""The console command `scree`: starts the program that came with the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    """Replaces this process by the program. Its commands in Python use this interpreter."""
    program = Path(__file__).resolve().parent / "bin" / "scree"
    os.environ.setdefault("SCREE_PYTHON", sys.executable)
    try:
        os.execv(program, [str(program), *sys.argv[1:]])
    except OSError as error:
        raise SystemExit(
            f"error: {program}: {error.strerror}; install the package again: pip install ./python"
        ) from None
