"""`scree watch`: a local page that shows a run while it goes on. It only reads, and only this computer reaches it."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .errors import ResultsError
from .program import InputError, open_run
from .report.columns import Plots, plots
from .report.diagnostics import series_damage
from .report.grains import pack
from .report.page import asset, embedded, finite
from .results import Results

__all__ = ["Watch", "add_arguments", "command"]

_MOST_ROWS = 500
_HEADERS = {
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
                               "script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
}  # fmt: skip


def _remaining(run: Results) -> str:
    """What the log says about the time that is left."""
    for line in reversed(run.log.text.splitlines()[-40:]):
        if "  left " in line:
            return line.split("  left ")[1].split("  ")[0]
    return ""


def state_of(run: Results) -> dict[str, Any]:
    """What the page shows, of a run that goes on, has ended, or was killed."""
    try:
        case = run.case
    except ResultsError:
        case = {}
    found = plots(run, {}, _MOST_ROWS) if case else Plots()
    charts = [{"title": p.title, "unit": p.unit, "columns": p.columns} for p in found.plots]
    frames = run.frames
    status = run.status
    now = run.time if case else 0.0
    duration = run.duration if case else 0.0
    facts = {
        "simulated": f"{now:.4g} of {duration:.4g} s", "left": _remaining(run) if status == "running" else "",
        "particles": run.log.facts.get("particles", "").split(";")[0].split("\n")[0], "frames": str(len(frames)),
        "backend": run.log.facts.get("backend", "").split(" (")[0], "state hash": run.state_hash or "",
    }  # fmt: skip
    progress = 1.0 if status == "done" else min(1.0, now / duration) if duration > 0 else 0.0
    return {
        "title": case.get("title") or run.folder.resolve().name, "status": status, "progress": progress,
        "duration": duration,
        "facts": {name: value for name, value in facts.items() if value}, "charts": charts, "time": found.time,
        "warnings": [*run.log.errors, *run.warnings, *([damage] if (damage := series_damage(run)) else [])],
        "frame": f"{frames[-1].path.name} {frames[-1].time}" if len(frames) else "",
        "log": "\n".join(run.log.text.splitlines()[-14:]),
    }  # fmt: skip


def frame_of(run: Results) -> dict[str, Any]:
    """The last frame for the view."""
    frames = run.frames
    packed = pack(run, frames[-1]) if len(frames) and len(frames[-1]) else None
    if packed is None:
        raise ResultsError("there is no frame yet")
    return {"header": packed.header, "data": packed.data}


def _page() -> str:
    """The page with its styles and scripts in it."""
    return re.sub(r"@([a-z]+\.(?:css|js))@", lambda name: asset(name[1]), asset("watch.html"))


class Watch:
    """A server of three pages, on an address of this computer only: the page, its state, and the last frame."""

    def __init__(self, run: Results, port: int = 0) -> None:
        pages: dict[str, Callable[[], tuple[str, str]]] = {
            "/": lambda: ("text/html", _page()),
            "/state": lambda: ("application/json", embedded(finite(state_of(run)))),
            "/frame": lambda: ("application/json", json.dumps(finite(frame_of(run)))),
        }
        lock = threading.Lock()  # reading is not for several threads

        class Handler(BaseHTTPRequestHandler):
            server_version, sys_version = "scree", ""

            def do_GET(self) -> None:
                self._answer(body=True)

            def do_HEAD(self) -> None:
                self._answer(body=False)

            def _answer(self, body: bool) -> None:
                host = self.headers.get("Host", "").rpartition(":")[0]
                if host not in ("127.0.0.1", "localhost"):  # a page elsewhere that has this address by another name
                    self._send(HTTPStatus.FORBIDDEN, "text/plain", "only for this computer\n", body)
                elif self.path not in pages:  # paths are names of pages, never of files
                    self._send(HTTPStatus.NOT_FOUND, "text/plain", "there is no such page\n", body)
                else:
                    status = HTTPStatus.OK
                    try:
                        with lock:
                            kind, text = pages[self.path]()
                    except Exception as error:  # the folder may change under us, and the page goes on
                        status, kind = HTTPStatus.SERVICE_UNAVAILABLE, "application/json"
                        text = json.dumps({"error": str(error)})
                    self._send(status, kind, text, body)

            def _send(self, status: HTTPStatus, kind: str, text: str, body: bool) -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                for name, value in _HEADERS.items():
                    self.send_header(name, value)
                with contextlib.suppress(ConnectionError):  # the reader has gone
                    self.end_headers()
                    if body:
                        self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Requests are not worth a line."""

        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        except OSError as error:
            raise InputError(f"--port: {port} cannot be used: {error.strerror}") from None
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def serve(self) -> None:
        """Answers until close()."""
        self._server.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except OverflowError:  # no system has such numbers
        return False
    return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "scree run case.json --watch      does the same for the time of the run\nSee docs/visualise.md."
    parser.add_argument("run", metavar="RUN", help="output folder of a run, or its case file")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of the page (default: any that is free)")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument("--while", dest="process", type=int, metavar="PID", help="end when this process has ended")


def command(arguments: argparse.Namespace) -> int:
    if not 0 <= arguments.port <= 65535:
        raise InputError("--port: must be from 0 to 65535")
    if arguments.process is not None and arguments.process < 1:
        raise InputError("--while: is no number of a process")
    watch = Watch(open_run(arguments.run), arguments.port)
    ends = "with the run" if arguments.process else "with Ctrl-C; the run goes on"
    print(f"watch       {watch.address} shows the run; the page ends {ends}", file=sys.stderr, flush=True)
    if arguments.open:
        webbrowser.open(watch.address)
    threading.Thread(target=watch.serve, daemon=True).start()
    try:
        while arguments.process is None or _lives(arguments.process):
            time.sleep(0.5)
        time.sleep(3)  # the page fetches the end
    except KeyboardInterrupt:
        pass
    watch.close()
    return 0
