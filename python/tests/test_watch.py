from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import runs
from browser import Browser, find_browser

from scree import Results
from scree.report.page import asset
from scree.watch import Watch, state_of

pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(runs.settling_case(), tmp_path_factory.mktemp("settled"))


@pytest.fixture
def served(settled: Path) -> Iterator[Watch]:
    watch = Watch(Results(settled))
    threading.Thread(target=watch.serve, daemon=True).start()
    yield watch
    watch.close()


def ask(watch: Watch, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes, dict[str, str]]:
    port = int(watch.address.rsplit(":", 1)[1].rstrip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.getheaders())


def test_the_state_of_a_run(served: Watch, settled: Path) -> None:
    status, body, headers = ask(served, "/state")
    assert status == 200
    state = json.loads(body)
    assert state["status"] == "done"
    assert state["progress"] == 1
    assert state["facts"]["state hash"] == Results(settled).state_hash
    assert len(state["time"]) == len(Results(settled).series)
    assert {"Kinetic energy", "Energies"} <= {chart["title"] for chart in state["charts"]}
    assert headers["Cache-Control"] == "no-store"
    frame = json.loads(ask(served, "/frame")[1])
    assert frame["header"]["frames"][0]["count"] == 100
    assert b"<script>" in ask(served, "/")[1]


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/run.log", "/./state", "/state/../run.log",
     "/case.json", "/frames/frame_000000.vtkhdf", "/..%5c..%5cetc%5cpasswd", "http://127.0.0.1/etc/passwd"],
)  # fmt: skip
def test_no_path_leads_to_a_file(served: Watch, path: str) -> None:
    status, body, _ = ask(served, path)
    assert status == 404
    assert body == b"there is no such page\n"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_it_only_reads(served: Watch, method: str) -> None:
    assert ask(served, "/state", method)[0] == 501


def test_only_this_computer_reaches_it(served: Watch) -> None:
    port = int(served.address.rsplit(":", 1)[1].rstrip("/"))
    assert ask(served, "/state", host=f"evil.example:{port}")[0] == 403
    assert ask(served, "/state", host=f"localhost:{port}")[0] == 200
    own = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in own - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError):
            socket.create_connection((address, port), timeout=2).close()


def test_a_folder_that_vanishes_is_said(tmp_path: Path) -> None:
    out = runs.run(runs.settling_case(), tmp_path)
    watch = Watch(Results(out))
    threading.Thread(target=watch.serve, daemon=True).start()
    shutil.rmtree(out)
    status, body, _ = ask(watch, "/frame")
    assert status == 503
    assert json.loads(body)["error"] == "there is no frame yet"
    assert ask(watch, "/state")[0] in (200, 503)
    watch.close()


def test_a_page_that_cannot_be_made_is_said(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that goes between two looks at the folder, as where a run is resumed; the server goes on."""

    def fail(*_: object) -> None:
        raise IndexError("gone")

    with monkeypatch.context() as patch:
        patch.setattr("scree.watch.frame_of", fail)
        watch = Watch(Results(settled))
        threading.Thread(target=watch.serve, daemon=True).start()
        status, body, _ = ask(watch, "/frame")
    assert (status, json.loads(body)) == (503, {"error": "gone"})
    assert ask(watch, "/frame")[0] == 200
    watch.close()


def long_run(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[str]:
    case = runs.settling_case()
    case["time"]["duration"] = 60
    case["boundaries"] = {"floor": case["boundaries"]["floor"]}
    folder.mkdir(exist_ok=True)
    (folder / "case.json").write_text(json.dumps(case))
    words = [runs.PROGRAM, "run", str(folder / "case.json"), "--out", str(folder / "run"), "--threads", "1", *arguments]
    return subprocess.Popen(words, text=True, env={**os.environ, "SCREE_PYTHON": sys.executable}, **options)  # type: ignore[call-overload]


def until(condition: object, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def test_a_run_that_goes_on_and_is_killed(tmp_path: Path) -> None:
    process = long_run(tmp_path, "--quiet")
    until(lambda: (tmp_path / "run/series.csv").exists() and (tmp_path / "run/frames.vtkhdf.series").exists())
    run = Results(tmp_path / "run")
    first = state_of(run)
    assert first["status"] == "running"
    assert 0 <= first["progress"] < 1
    until(lambda: len(state_of(run)["time"]) > len(first["time"]))
    process.send_signal(signal.SIGKILL)
    process.wait()
    last = state_of(run)
    assert last["status"] == "killed"
    assert last["frame"]


def test_run_watch_serves_while_the_run_goes_on(tmp_path: Path) -> None:
    process = long_run(tmp_path, "--watch", "--quiet", stderr=subprocess.PIPE)
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
    assert found, line
    port = int(found[1])

    def state() -> str:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/state")
        return str(json.loads(connection.getresponse().read())["status"])

    until(lambda: state() == "running")
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert state() == "killed"

    def gone() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return True
        return False

    until(gone)  # it ends with the run
    process.stderr.close()


PLOTS = """
const made = [];
class Chart {
  constructor(parent, title, unit, time, columns) {
    const replaceWith = () => made.splice(made.indexOf(this), 1);
    Object.assign(this, { columns, box: { replaceWith } });
    made.push(this);
    for (const column of columns) column.shown = column.shown !== false;
  }
  update(time, columns) { columns.forEach(({ values }, k) => { this.columns[k].values = values; }); }
}
const document = { getElementById: () => null }, setInterval = () => 0, fetch = async () => { throw new TypeError(); };
CODE
function state(...names) {
  return { time: [0, 1], charts: [{ title: "Energies", unit: "J", columns: names.map((name) => ({ name })) }] };
}
plot(state("work"));
made[0].columns[0].shown = false;
plot(state("elastic", "work"));
plot(state("elastic", "work"));
console.log(JSON.stringify(made.map((chart) => chart.columns.map(({ name, shown }) => [name, shown]))));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js")
def test_a_plot_takes_columns_that_begin_to_change() -> None:
    """A line that the reader has hidden stays so."""
    code = asset("watch.js").replace('"use strict";', "").replace("look();\nsetInterval", "setInterval")
    said = subprocess.run(["node", "-e", PLOTS.replace("CODE", code)], capture_output=True, text=True, check=True)
    assert json.loads(said.stdout) == [[["elastic", True], ["work", False]]]


@pytest.mark.skipif(not find_browser(), reason="there is no Chromium")
def test_the_page_follows_a_run(tmp_path: Path) -> None:
    process = long_run(tmp_path, "--quiet")
    until(lambda: (tmp_path / "run/frames.vtkhdf.series").exists() and (tmp_path / "run/series.csv").exists())
    watch = Watch(Results(tmp_path / "run"))
    threading.Thread(target=watch.serve, daemon=True).start()
    try:
        with Browser() as browser:
            browser.open(watch.address)
            browser.wait_for("return !!window.grainView && document.querySelectorAll('.chart').length > 2")
            assert (browser.picture("#scene").min(axis=2) < 150).mean() > 0.001  # grains are dark on light
            before = browser.run("return document.getElementById('when').textContent")
            browser.wait_for(f"return document.getElementById('when').textContent !== {json.dumps(before)}")
            assert browser.run("return document.getElementById('status').textContent") == "running"
            legend = browser.run("return document.getElementById('legend').textContent")
            assert re.fullmatch(r"speed[0-9.e-]+ m/s", legend.replace("\n", "")), legend
            assert before.startswith("last frame: t = ")
            process.kill()
            process.wait()
            browser.wait_for("return document.getElementById('status').textContent === 'killed'")
            assert browser.complaints() == []
            assert all(url.startswith((watch.address, "data:", "blob:", "chrome:")) for url in browser.requests())
    finally:
        process.kill()
        process.wait()
        watch.close()


@pytest.mark.skipif(not find_browser(), reason="there is no Chromium")
def test_the_hash_stays_in_its_tile(served: Watch) -> None:
    with Browser() as browser:
        browser.open(served.address)
        browser.wait_for("return document.querySelectorAll('#facts dd').length > 3")
        facts = browser.run("return [...document.querySelectorAll('#facts div')].map((box) => box.textContent)")
        assert any(text.startswith("state hash") for text in facts)
        assert browser.run("return [...document.querySelectorAll('#facts div')]"
                           ".every((box) => box.scrollWidth <= box.clientWidth)")  # fmt: skip
