from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest
import runs

from scree import Results
from scree.__main__ import main
from scree.batch import Workers
from scree.program import InputError
from scree.sweep import Sweep, Vary, grid, latin_hypercube
from scree.whole_numbers import is_whole

pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    short = runs.settling_case()
    short["time"]["duration"] = 0.06
    short["particles"][0]["fill"]["count"] = 40
    file = tmp_path / "case.json"
    file.write_text(json.dumps(short))
    return file


def table(folder: Path) -> list[dict[str, str]]:
    with open(folder / "table.csv", newline="") as text:
        return list(csv.DictReader(text))


def sweep(case: Path, *arguments: str) -> int:
    return main(["sweep", str(case), "--out", str(case.parent / "sweep"), *arguments])


def test_every_combination_is_run_once(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = ["--vary", "materials.glass.friction=0.1:0.9:3", "--vary", "seed=1,2"]
    assert sweep(case, *vary, "--measure", "final:kinetic_energy", "--measure", "bed_height") == 0
    rows = table(case.parent / "sweep")
    assert [(row["materials.glass.friction"], row["seed"]) for row in rows] == [
        (f, s) for f in ("0.1", "0.5", "0.9") for s in ("1", "2")
    ]
    for row in rows:
        run = Results(case.parent / "sweep" / row["run"])
        assert run.case["materials"]["glass"]["friction"] == float(row["materials.glass.friction"])
        assert run.case["seed"] == int(row["seed"])
        assert float(row["final:kinetic_energy[J]"]) == run.series["kinetic_energy"].iloc[-1]
        assert row["state_hash"] == run.state_hash
        assert row["error"] == ""
    assert len({row["state_hash"] for row in rows}) == 6
    said = capsys.readouterr().out
    assert "6 runs, " in said
    assert "run_006" in said


def test_a_failure_is_a_sentence_and_no_end(case: Path) -> None:
    assert sweep(case, "--vary", "precision=mixed,triple,double") == 3
    rows = table(case.parent / "sweep")
    assert [row["status"] for row in rows] == ["done", "failed", "done"]
    assert rows[1]["error"] == 'precision: unknown word "triple"; known are "mixed", "double"'
    assert float(rows[0]["particles"]) == 40  # without measures: the last row of the series


def test_what_is_done_is_not_done_again(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(case, "--vary", "seed=1,2,3") == 0
    first = case.parent / "sweep/run_001/run.log"
    stamp = first.stat().st_mtime_ns
    (case.parent / "sweep/run_002/run.log").unlink()  # as if it had been killed
    capsys.readouterr()
    assert sweep(case, "--vary", "seed=1,2,3", "--measure", "max:kinetic_energy") == 0
    said = capsys.readouterr().out
    assert "2 of 3 runs are there already" in said
    assert first.stat().st_mtime_ns == stamp
    assert all(row["max:kinetic_energy[J]"] for row in table(case.parent / "sweep"))


def test_another_sweep_is_not_mixed_in(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(case, "--vary", "seed=1,2") == 0
    assert sweep(case, "--vary", "seed=1,3") == 2
    said = capsys.readouterr().err
    assert "holds a sweep with other values (seed = 1, 2 there, seed = 1, 3 here); choose another folder" in said
    assert sweep(case, "--vary", "sead=1,3") == 2
    said = capsys.readouterr().err
    assert "sead" in said
    assert "did you mean" in said
    assert "holds a sweep" not in said
    changed = json.loads(case.read_text())
    changed["time"]["duration"] = 0.07
    case.write_text(json.dumps(changed))
    assert sweep(case, "--vary", "seed=1,2") == 2
    assert "other contents of the case file" in capsys.readouterr().err
    foreign = case.parent / "mine"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("x")
    assert main(["sweep", str(case), "--vary", "seed=1,2", "--out", str(foreign)]) == 2
    assert "holds no sweep" in capsys.readouterr().err


def test_a_measure_of_no_column_ends_after_the_first_run(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = ("--vary", "seed=1,2,3", "--jobs", "1")
    assert sweep(case, *vary, "--measure", "final:kinetic_enrgy") == 2
    said = capsys.readouterr().err
    assert "--measure final:kinetic_enrgy" in said
    assert "kinetic_energy" in said
    assert len(list((case.parent / "sweep").glob("run_*"))) == 1
    assert sweep(case, *vary, "--measure", "final:kinetic_energy") == 0, "what was done is not lost"


@pytest.mark.parametrize("measure", ["bed_height", "mixing:x", "residence_time"])
def test_a_measure_of_output_that_the_case_lacks_ends_after_the_first_run(
    case: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    without = json.loads(case.read_text())
    without["output"].pop("frames", None)
    case.write_text(json.dumps(without))
    assert sweep(case, "--vary", "seed=1,2,3", "--jobs", "1", "--measure", measure) == 2
    assert f"{measure}: looks at" in capsys.readouterr().err
    assert len(list((case.parent / "sweep").glob("run_*"))) == 1


def test_a_sweep_none_of_whose_runs_began_gives_its_folder_to_the_next(case: Path) -> None:
    """A mistake in a path of --vary is noticed by the runs; the corrected command must not need another folder."""
    assert sweep(case, "--vary", "materials.glass.frictoin=0.1,0.2") == 3
    assert "did you mean" in table(case.parent / "sweep")[0]["error"]
    assert sweep(case, "--vary", "materials.glass.friction=0.1,0.2,0.3") == 0
    assert [row["status"] for row in table(case.parent / "sweep")] == ["done"] * 3
    assert not list((case.parent / "sweep").glob("*.error"))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_sweep_continues(case: Path, how: signal.Signals) -> None:
    longer = json.loads(case.read_text())
    longer["time"]["duration"] = 0.4
    case.write_text(json.dumps(longer))
    folder = case.parent / "sweep"
    words = ["sweep", str(case), "--out", str(folder), "--vary", "seed=1:8:8", "--jobs", "2"]
    process = subprocess.Popen([sys.executable, "-m", "scree", *words], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "SCREE_PROGRAM": runs.PROGRAM})  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("2/8"):
            break
    process.send_signal(how)
    process.wait(timeout=60)
    process.stdout.close()
    assert process.returncode == (-9 if how == signal.SIGKILL else 130)
    half = [row for row in table(folder) if row["status"] == "done"]
    assert 2 <= len(half) < 8
    stamps = {row["run"]: (folder / row["run"] / "series.csv").stat().st_mtime_ns for row in half}
    time.sleep(0.1)
    assert main(words) == 0
    rows = table(folder)
    assert [row["status"] for row in rows] == ["done"] * 8
    for name, stamp in stamps.items():
        assert (folder / name / "series.csv").stat().st_mtime_ns == stamp
    lonely = runs.run({**longer, "seed": 8}, case.parent / "lonely")
    assert rows[-1]["state_hash"] == Results(lonely).state_hash


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_runs_of_an_ended_sweep_end_and_can_be_read(case: Path, how: signal.Signals) -> None:
    longer = json.loads(case.read_text())
    longer["time"]["duration"] = 20  # longer than this test, also where it fails and runs are left
    case.write_text(json.dumps(longer))
    folder = case.parent / "sweep"
    words = ["sweep", str(case), "--out", str(folder), "--vary", "seed=1,2,3", "--jobs", "2"]
    # A shell may start its children with ignored signals; here each has its default.
    process = subprocess.Popen([sys.executable, "-m", "scree", *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "SCREE_PROGRAM": runs.PROGRAM},
                               preexec_fn=lambda: signal.signal(how, signal.default_int_handler if how == signal.SIGINT
                                                                else signal.SIG_DFL))  # fmt: skip
    try:
        started = [folder / "run_001", folder / "run_002"]
        deadline = time.monotonic() + 60
        while not all((run / "series.csv").exists() for run in started) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(how)
        process.send_signal(how)  # an impatient user does not leave runs behind
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
    assert not (folder / "run_003").exists()
    for run in started:
        found = Results(run)
        assert found.status == "interrupted"
        assert len(found.series) > 0
        assert list((run / "checkpoints").glob("step_*.h5"))
        assert "stopped by SIGTERM" in (run / "run.log").read_text()


def test_a_latin_hypercube_has_one_point_in_each_part() -> None:
    points = latin_hypercube([Vary.parse("a=0:10"), Vary.parse("b=log:1:1000"), Vary.parse("c=x,y")], 10)
    assert sorted(int(float(p["a"])) for p in points) == list(range(10))
    assert sorted(int(numpy.log10(float(p["b"])) / 0.3) for p in points) == list(range(10))
    assert sorted(p["c"] for p in points) == ["x"] * 5 + ["y"] * 5


def test_values() -> None:
    assert Vary.parse("a=0.1:0.9:9").values == ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
    assert Vary.parse("a=log:1:100:3").values == ("1", "10", "100")
    assert Vary.parse("gravity=[0,0,-9.81],[0,1,0]").values == ("[0,0,-9.81]", "[0,1,0]")
    assert len(grid([Vary.parse("a=1,2,3"), Vary.parse("b=1,2")])) == 6
    boxes = "[[0,0,0],[1,1,1]]", "[[0,0,0],[2,2,2]]"
    assert Vary.parse(f"fill.box={','.join(boxes)}").values == boxes
    sizes = '{"uniform":[1e-3,2e-3]}', '{"uniform": [2e-3, 3e-3]}'
    assert Vary.parse(f"radius={','.join(sizes)}").values == sizes
    assert Vary.parse('title="a:b, [c","d"').values == ('"a:b, [c"', '"d"')
    for wrong in ("a", "a=", "a=1:2:1", "a=2:1:3", "a=log:0:1:3", "a=1:2:3:4", "a=x:y:3", "a=1,,2", "a=1,2,", "a=[1,2",
                  'a="x', "a=1],2", "a=0:1e999:3"):  # fmt: skip
        with pytest.raises(InputError, match="--vary"):
            grid([Vary.parse(wrong)])
    with pytest.raises(InputError, match="--latin N"):
        grid([Vary.parse("a=1:2")])
    with pytest.raises(InputError, match="9999800001 combinations are more than 100000"):
        grid([Vary.parse("a=0:1:99999"), Vary.parse("b=0:1:99999")])


def test_cores_are_shared() -> None:
    assert Workers.choose(4, None, [], 10).jobs == 4
    assert Workers.choose(None, 10**6, [], 10).jobs == 1
    assert Workers.choose(None, None, [0, 1, 3], 10) == Workers(3, Workers.choose(3, None, [], 3).threads, (0, 1, 3))


def test_gpus_are_named_to_the_program(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in its place notes how it was called: each GPU has one run at a time."""
    fake = tmp_path / "scree"
    fake.write_text('#!/bin/sh\necho "$@" >> ' + str(tmp_path / "calls") + "\necho 'error: no GPU here' >&2\nexit 3\n")
    fake.chmod(0o755)
    monkeypatch.setenv("SCREE_PROGRAM", str(fake))
    assert sweep(case, "--vary", "seed=1,2,3,4", "--devices", "0,2") == 3
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 4
    assert all("--backend cuda --device" in call for call in calls)
    assert {call.split("--device ")[1][0] for call in calls} <= {"0", "2"}
    assert {row["error"] for row in table(case.parent / "sweep")} == {"no GPU here"}


def test_own_measures_that_fail_are_noted(case: Path) -> None:
    (case.parent / "own.py").write_text("def f(run):\n    return 1 / 0\ndef g(run):\n    return len(run.series)\n")
    own = str(case.parent / "own.py")
    assert sweep(case, "--vary", "seed=1", "--measure", f"{own}:f", "--measure", f"{own}:g") == 3
    row = table(case.parent / "sweep")[0]
    assert "ZeroDivisionError" in row["error"]
    assert float(row["own.py:g"]) == len(Results(case.parent / "sweep/run_001").series)


def test_own_measures_without_a_function_are_said_before_anything_runs(case: Path, capsys: Any) -> None:
    (case.parent / "own.py").write_text("def f(run):\n    return 1\n")
    (case.parent / "broken.py").write_text("def f(run:\n")
    for file, said in (("own.py:g", 'has no function "g"'), ("broken.py:f", "cannot be loaded: SyntaxError")):
        assert sweep(case, "--vary", "seed=1", "--measure", str(case.parent / file)) == 2
        assert said in capsys.readouterr().err
    assert not (case.parent / "sweep").exists()


def test_own_measures_are_modules(case: Path) -> None:
    """Classes in them find their module, and they find modules beside them."""
    (case.parent / "beside_own.py").write_text("FACTOR = 2\n")
    (case.parent / "own_classes.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import ClassVar\n"
        "import beside_own\n@dataclass\nclass Two:\n    kind: ClassVar[str] = ''\n    number: int = 2\n"
        "def f(run):\n    return Two().number * beside_own.FACTOR\n"
    )
    assert sweep(case, "--vary", "seed=1", "--measure", f"{case.parent}/own_classes.py:f") == 0
    assert float(table(case.parent / "sweep")[0]["own_classes.py:f"]) == 4


def test_an_own_measure_that_asks_for_the_end_is_noted(case: Path) -> None:
    (case.parent / "own.py").write_text("def f(run):\n    raise SystemExit(4)\n")
    assert sweep(case, "--vary", "seed=1,2", "--measure", f"{case.parent}/own.py:f") == 3
    assert ["SystemExit: 4" in row["error"] for row in table(case.parent / "sweep")] == [True, True]


def test_a_program_that_cannot_start_ends_the_sweep(case: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    fake = case.parent / "scree"
    fake.write_text("no program")
    fake.chmod(0o755)
    monkeypatch.setenv("SCREE_PROGRAM", str(fake))
    assert sweep(case, "--vary", "seed=1,2") == 3
    assert capsys.readouterr().err == f"error: {fake}: Exec format error\n"


def test_a_table_that_cannot_be_written_ends_the_sweep(case: Path, capsys: Any) -> None:
    made = Sweep(case, grid([Vary.parse("seed=1,2,3,4")]), case.parent / "sweep")

    def full(_: str) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        made.run(Workers(1, 1), say=full)
    assert sum(job.status == "done" for job in made.jobs) == 1  # no further run begins


def test_what_a_program_says_need_not_be_utf8(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = case.parent / "scree"
    fake.write_text("#!/bin/sh\nprintf 'error: caf\\351: no such file\\n' >&2\nexit 2\n")
    fake.chmod(0o755)
    monkeypatch.setenv("SCREE_PROGRAM", str(fake))
    assert sweep(case, "--vary", "seed=1") == 3
    assert table(case.parent / "sweep")[0]["error"] == "caf\ufffd: no such file"


def test_a_run_that_a_signal_ends_is_noted_with_its_name(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = case.parent / "scree"
    fake.write_text("#!/bin/sh\nkill -9 $$\n")
    fake.chmod(0o755)
    monkeypatch.setenv("SCREE_PROGRAM", str(fake))
    assert sweep(case, "--vary", "seed=1") == 3
    assert table(case.parent / "sweep")[0]["error"] == "the program was ended by SIGKILL, as when memory runs out"


def test_a_damaged_list_of_runs_is_one_sentence(case: Path, capsys: Any) -> None:
    (case.parent / "sweep").mkdir()
    for text in ("[1]", "{", ""):
        (case.parent / "sweep/sweep.json").write_text(text)
        assert sweep(case, "--vary", "seed=1") == 2
        assert "sweep.json: is damaged" in capsys.readouterr().err


def test_dry_runs_run_nothing(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(case, "--vary", "seed=1,2", "--dry-run") == 0
    assert capsys.readouterr().out == "seed=1\nseed=2\n"
    assert not (case.parent / "sweep").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--vary", "seed=1", "--vary", "seed=2"], "a key is named twice"),
        (["--vary", "seed=1", "--measure", "height"], 'none of discharge_rate'),
        (["--vary", "seed=1", "--measure", "solid_fraction:1,2"], "give the box as X0"),
        (["--vary", "seed=1", "--measure", "slope_angle:w"], "none of x, y, z"),
        (["--vary", "seed=1", "--measure", "mixing:x@soon"], '--measure mixing: "soon" is not a number'),
        (["--vary", "seed=1", "--measure", "bed_height:x"], "takes nothing behind a colon"),
        (["--vary", "seed=1", "--jobs", "0"], "--jobs: must be from 1"),
        (["--vary", "seed=1", "--threads", "100000"], "--threads: must be from 1 to "),
        (["--vary", "seed=1", "--devices", "a"], "is not a list of numbers"),
        (["--vary", "seed=1", "--set", "x"], "is not PATH=VALUE"),
    ],
)  # fmt: skip
def test_wrong_arguments(case: Path, arguments: list[str], expected: str, capsys: Any) -> None:
    assert sweep(case, *arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert expected in said


def test_columns_that_were_asked_for_are_shown(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However wide the table gets; others, as the wall time, are left to the file."""
    (case.parent / "own.py").write_text("def a_number_with_a_rather_long_name(run):\n    return 41.5\n")
    asked = ["final:kinetic_energy", "max:kinetic_energy", "mean:kinetic_energy", "bed_height", "final:particles",
             f"{case.parent}/own.py:a_number_with_a_rather_long_name"]  # fmt: skip
    assert sweep(case, "--vary", "materials.glass.friction=0.3", "--vary", "seed=1",
                 *(word for name in asked for word in ("--measure", name))) == 0  # fmt: skip
    header, row, rest = capsys.readouterr().out.split("\n\n")[1].split("\n")
    assert header.split() == ["run", "materials.glass.friction", "seed", "status", "final:kinetic_energy[J]",
                              "max:kinetic_energy[J]", "mean:kinetic_energy[J]", "bed_height[m]", "final:particles",
                              "own.py:a_number_with_a_rather_long_name"]  # fmt: skip
    assert row.split()[-1] == "41.5"
    assert rest == "and 2 more columns in table.csv"  # the error of bed_height, the wall time


def test_the_library_gives_rows(case: Path) -> None:
    made = Sweep(case, grid([Vary.parse("seed=1,2")]), case.parent / "rows")
    made.run(Workers(2, 1))
    assert [row["seed"] for row in made.rows] == ["1", "2"]
    assert made.failures == 0


def test_the_schema_tells_which_keys_are_whole_numbers() -> None:
    for path in ("seed", "particles.0.fill.count", "time.update_interval", "shapes.a.resolution", "shapes.a.label",
                 "output.fields.f.grid.cells.1", "output.series.probes.t.particles.0",
                 "stages.0.until.removed.at_least"):  # fmt: skip
        assert is_whole(path), path
    for path in ("materials.glass.friction", "time.step", "particles.0.radius", "gravity.2", "materials.seed.density",
                 "nothing.0.there", "particles.0.radius.uniform.0"):  # fmt: skip
        assert not is_whole(path), path


def test_whole_numbers_are_rounded(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count = Vary.parse("particles.0.fill.count=9.5:12.5").rounded()
    assert {point[count.path] for point in latin_hypercube([count], 30)} == {"10", "11", "12"}
    # each of n parts has one point, so the numbers of points are exact where whole numbers have whole parts
    drawn = Counter(point["seed"] for point in latin_hypercube([Vary.parse("seed=1:3").rounded()], 30))
    assert drawn == {"1": 10, "2": 10, "3": 10}
    drawn = Counter(point["seed"] for point in latin_hypercube([Vary.parse("seed=log:1:3").rounded()], 200))
    expected = {str(n): 200 * math.log((n + 1) / n, 4) for n in (1, 2, 3)}
    assert dict(drawn) == pytest.approx(expected, abs=2)  # a part may lie across each end
    assert Vary.parse("seed=1:3").rounded().at(0.2) == "1"  # calibration rounds
    assert grid([Vary.parse("seed=1:3:5").rounded()]) == [{"seed": "1"}, {"seed": "2"}, {"seed": "3"}]
    assert Vary.parse("seed=1,2.5").rounded().values == ("1", "2.5")  # a list is taken as it is
    assert Vary.parse("materials.glass.friction=0.1:0.9").rounded().at(0.5) == "0.5"
    with pytest.raises(InputError, match=r"seed is a whole number, and there is none from 0.2 to 0.8"):
        Vary.parse("seed=0.2:0.8").rounded()
    assert sweep(case, "--vary", "particles.0.fill.count=20:60", "--latin", "3") == 0
    assert {row["status"] for row in table(case.parent / "sweep")} == {"done"}
