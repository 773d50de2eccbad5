"""Films: pictures handed to ffmpeg one after another, or a GIF where that is asked for."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from ..program import InputError

__all__ = ["FILM_ENDINGS", "Film", "atomically", "find_ffmpeg"]

FILM_ENDINGS = (".mp4", ".webm", ".gif")


def find_ffmpeg() -> str | None:
    """Path of ffmpeg: that of the system, or that of the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


@contextlib.contextmanager
def atomically(path: Path) -> Iterator[Path]:
    """A name to write under; the file gets its own name at the end, if all went well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _codec(ending: str) -> list[str]:
    if ending == ".webm":
        return ["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-deadline", "good", "-cpu-used", "5", "-row-mt", "1"]
    return ["-c:v", "libx264", "-crf", "19", "-preset", "medium", "-movflags", "+faststart"]


class Film:
    """Takes pictures (images of Pillow, all of one size) and writes them to a file."""

    def __init__(self, path: Path, frames_per_second: float) -> None:
        self._path, self._fps = path, frames_per_second
        self._process: subprocess.Popen[bytes] | None = None
        self._images: list[Any] = []
        self._ffmpeg = find_ffmpeg()
        if path.suffix != ".gif" and self._ffmpeg is None:
            raise InputError(f"--out: a film ({path.suffix}) needs ffmpeg: pip install imageio-ffmpeg, or write a .gif")

    def add(self, image: Any) -> None:
        if self._path.suffix == ".gif":
            self._images.append(image.quantize(200))
            return
        if self._process is None:
            width, height = image.size
            command = [str(self._ffmpeg), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
                       "-s", f"{width}x{height}", "-r", f"{self._fps:g}", "-i", "-",
                       *_codec(self._path.suffix), "-pix_fmt", "yuv420p", str(self._path)]  # fmt: skip
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(image.tobytes())
        except BrokenPipeError:
            self._fail()

    def _fail(self) -> None:
        process, self._process = self._process, None
        assert process is not None and process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.stdin = None
        said = process.communicate()[1].decode(errors="replace").strip().splitlines()
        raise InputError(f"{self._path}: ffmpeg failed: {said[-1] if said else 'it says nothing'}")

    def __enter__(self) -> Film:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process is not None:
            if kind is not None:
                self._process.kill()
                self._process.communicate()
                return
            assert self._process.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # it has ended: what it said tells why
                self._process.stdin.close()
            self._process.stdin = None
            said = self._process.communicate()[1]
            if self._process.returncode != 0:
                raise InputError(f"{self._path}: ffmpeg failed: {said.decode(errors='replace').strip()}")
        elif self._images and kind is None:
            first, *others = self._images
            first.save(self._path, save_all=True, append_images=others, duration=1000 / self._fps, loop=0)
