"""Calibrations whose answers are known."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import pytest
import runs

from scree.__main__ import main
from scree.batch import Workers
from scree.calibrate import Calibration, Target
from scree.program import InputError
from scree.progress import CountLine
from scree.surrogate import Surrogate
from scree.sweep import Vary

pytest.importorskip("scipy")
pytestmark = pytest.mark.skipif(not runs.PROGRAM, reason="SCREE_PROGRAM names no program")


def bouncing_case() -> dict[str, Any]:
    """A ball hits a floor at 1 m/s, without gravity: afterwards its speed is the coefficient of restitution."""
    ball = {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5}
    return {
        "time": {"duration": 0.02, "step": 2e-6}, "gravity": [0, 0, 0], "materials": {"ball": ball},
        "contacts": [{"between": ["ball", "ball"], "law": "linear_spring_dashpot", "contact_time": 1e-3,
                      "exact_restitution": True}],
        "particles": [{"material": "ball", "radius": 5e-3, "velocity": [0, 0, -1],
                       "lattice": {"box": [[0, 0, 0], [0.011, 0.011, 0.011]], "spacing": 0.01}}],
        "boundaries": {"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "ball"}},
        "output": {"series": {"every": 0.002, "probes": {"ball": {"type": "track", "particles": [0]}}}},
    }  # fmt: skip


def test_a_measure_of_frames_needs_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The search says so after its first run rather than after all runs of its first points."""
    case = tmp_path / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    words = ["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--jobs", "1", "--fit",
             "materials.ball.restitution=0.2:0.95", "--to", "bed_height=0.005"]  # fmt: skip
    for _ in range(2):  # and at once where a run is there already
        assert main(words) == 2
        said = capsys.readouterr()
        assert "bed_height: looks at frames, which the case does not write" in said.err
        assert "4 points over the ranges, 1 run each" in said.out
        assert len(list(tmp_path.glob("out/run_*/series.csv"))) == 1


def test_the_restitution_of_a_ball(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    words = ["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
             "materials.ball.restitution=0.2:0.95", "--to", "max:ball_0_velocity_z=0.62+-0.002"]  # fmt: skip
    assert main(words) == 0
    found = json.loads((tmp_path / "out/calibration.json").read_text())
    value, error = found["values"]["materials.ball.restitution"], found["errors"]["materials.ball.restitution"]
    assert value == pytest.approx(0.62, abs=0.004)
    assert 0.001 < error < 0.006  # about the error of what was measured, since speed = restitution
    assert found["at_rest"]
    first = capsys.readouterr().out
    assert "to use the values: scree run" in first
    before = sorted(p.stat().st_mtime_ns for p in tmp_path.glob("out/run_*/series.csv"))
    assert main(words) == 0  # uses the same runs
    assert sorted(p.stat().st_mtime_ns for p in tmp_path.glob("out/run_*/series.csv")) == before
    assert capsys.readouterr().out == first


def test_a_value_beyond_the_range_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    assert main(["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
                 "materials.ball.restitution=0.2:0.5", "--to", "max:ball_0_velocity_z=0.8"]) == 1  # fmt: skip
    assert "is at the end of its range" in capsys.readouterr().out


def test_two_values_from_three_noisy_measures(tmp_path: Path) -> None:
    """The measures are functions of the case with noise that depends on the seed: the answer is known."""
    (tmp_path / "own.py").write_text(
        "import numpy\n"
        "def parts(run):\n"
        "    m = run.case['materials']['ball']\n"
        "    noise = numpy.random.default_rng([run.case['seed'], int(1e6 * m['friction'])]).normal(size=3)\n"
        "    return m['friction'], m['restitution'], noise\n"
        "def a(run):\n    f, e, n = parts(run)\n    return 10 + 20 * f - 8 * f * f + 0.2 * n[0]\n"
        "def b(run):\n    f, e, n = parts(run)\n    return 5 * e + 2 * f * e + 0.05 * n[1]\n"
        "def c(run):\n    f, e, n = parts(run)\n    return 3 * f + 4 * e + 0.05 * n[2]\n"
    )
    short = bouncing_case()
    short["time"]["duration"] = 2e-5
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    f, e = 0.45, 0.6
    wanted = {"a": (10 + 20 * f - 8 * f * f, 0.1), "b": (5 * e + 2 * f * e, 0.05), "c": (3 * f + 4 * e, 0.05)}
    calibration = Calibration(
        case, [Vary.parse("materials.ball.friction=0.1:0.9"), Vary.parse("materials.ball.restitution=0.3:0.9")],
        [Target(f"{tmp_path}/own.py:{name}", value, error) for name, (value, error) in wanted.items()],
        tmp_path / "out", seeds=3,
    )  # fmt: skip
    found = calibration.search(Workers(2, 1), most_points=20)
    for path, true in (("materials.ball.friction", f), ("materials.ball.restitution", e)):
        assert abs(found.values[path] - true) < 3 * found.errors[path]
        assert found.errors[path] < 0.05
    assert found.runs <= 60


def test_the_stand_in_follows_a_parabola() -> None:
    parts = numpy.random.default_rng(1).uniform(size=(12, 2))
    values = 1 + 2 * parts[:, 0] - 3 * parts[:, 1] ** 2 + parts[:, 0] * parts[:, 1]
    fit = Surrogate.fit(parts, values, numpy.full(12, 0.01), numpy.array([0.5, 0.5]))
    at = numpy.array([0.3, 0.7])
    assert fit(at) == pytest.approx(1 + 0.6 - 3 * 0.49 + 0.21, abs=1e-6)
    assert fit.slope(at) == pytest.approx([2.7, -4.2 + 0.3], abs=1e-4)


@pytest.mark.parametrize(
    ("fit", "to", "expected"),
    [
        ("seed=1,2", "bed_height=1", "is not PATH=LOW:HIGH"),
        ("a=0:1:5", "bed_height=1", "is not PATH=LOW:HIGH"),
        ("a", "bed_height=1", '--fit: "a" is not PATH=LOW:HIGH'),
        ("a=1:0", "bed_height=1", "--fit: a goes from 1 to 0"),
        ("a=x:1", "bed_height=1", "--fit a"),
        ("a=[0:1", "bed_height=1", '--fit: "[0:1" has a bracket'),
        ("particles.0.fill.count=1.2:1.4", "bed_height=1", "--fit: particles.0.fill.count is a whole number"),
        ("a=0:1", "bed_height", "is not MEASURE=VALUE"),
        ("a=0:1", "bed=1", "none of discharge_rate"),
        ("a=0:1", "bed_height=1+-0", "needs an error"),
        ("a=0:1", "bed_height=1e999", "is too large a number"),
        ("seed=0:9", "bed_height=1", "each run of a point has another one"),
    ],
)
def test_wrong_arguments(fit: str, to: str, expected: str, tmp_path: Path, capsys: Any) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    assert main(["calibrate", str(case), "--fit", fit, "--to", to, "--out", str(tmp_path / "out")]) == 2
    assert expected in capsys.readouterr().err


def test_a_key_is_fitted_once(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    case.write_text("{}")
    goals = [Target("bed_height", 1, 1), Target("final:contacts", 1, 1)]
    with pytest.raises(InputError, match="a key is named twice"):
        Calibration(case, [Vary.parse("a=0:1"), Vary.parse("a=0:2")], goals, tmp_path)


def test_what_the_measures_do_not_tell_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The measure is the same number everywhere: the error is that of a guess within the range, and not 0."""
    (tmp_path / "own.py").write_text("def f(run):\n    return 3.0\n")
    short = bouncing_case()
    short["time"]["duration"] = 2e-5
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    assert main(["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
                 "materials.ball.friction=0.1:0.9", "--to", f"{tmp_path}/own.py:f=3"]) == 0  # fmt: skip
    assert "warning: materials.ball.friction: the measures hardly depend on it" in capsys.readouterr().out
    found = json.loads((tmp_path / "out/calibration.json").read_text())
    assert found["loose"] == ["materials.ball.friction"]
    assert found["errors"]["materials.ball.friction"] == pytest.approx(0.8)


def test_what_is_said_of_several_solutions_and_of_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A value that does not do what was wanted is not recommended."""
    (tmp_path / "own.py").write_text(
        "def f(run):\n    x = run.case['materials']['ball']['friction']\n    return x * (1.2 - x)\n"
    )
    short = bouncing_case()
    short["time"]["duration"] = 2e-5
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    words = ["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
             "materials.ball.friction=0.1:0.9", "--to"]  # fmt: skip
    assert main([*words, f"{tmp_path}/own.py:f=0.3+-0.003"]) == 0
    said = capsys.readouterr().out
    assert "warning: there are several solutions: another value of materials.ball.friction that gives " in said
    assert "is between 0.14 and 0.38; --fit with a narrower range finds it" in said
    assert "to use the values: scree run" in said
    assert len(json.loads((tmp_path / "out/calibration.json").read_text())["others"]) == 1
    assert main([*words, f"{tmp_path}/own.py:f=0.4+-0.003"]) == 1
    said = capsys.readouterr().out
    assert "warning: what is wanted was not reached" in said and "to use the values" not in said
    assert json.loads((tmp_path / "out/calibration.json").read_text())["reached"] is False


def test_own_measures_that_fail_leave_points_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text("def f(run):\n    return 1 / 0\n")
    short = bouncing_case()
    short["time"]["duration"] = 2e-5
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    assert main(["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
                 "materials.ball.friction=0.1:0.9", "--to", f"{tmp_path}/own.py:f=3"]) == 2  # fmt: skip
    assert "own.py:f: ZeroDivisionError: division by zero" in capsys.readouterr().out


def test_a_seed_that_fails_does_not_take_its_point_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mean is that of the other seeds; a single one is too few to tell how much they differ."""
    (tmp_path / "own.py").write_text(
        "def f(run):\n    if run.case['seed'] in FAIL:\n        raise RuntimeError('no slope')\n"
        "    return run.case['materials']['ball']['friction'] + 0.01 * run.case['seed']\n"
    )
    short = bouncing_case()
    short["time"]["duration"] = 2e-5
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    words = ["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "3", "--points", "5", "--fit",
             "materials.ball.friction=0.1:0.9", "--to", f"{tmp_path}/own.py:f=0.5"]  # fmt: skip
    source = (tmp_path / "own.py").read_text()
    (tmp_path / "own.py").write_text(source + "FAIL = (2,)\n")
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "; 2 of 3 runs, since " in said and "RuntimeError: no slope" in said
    found = json.loads((tmp_path / "out/calibration.json").read_text())
    assert found["values"]["materials.ball.friction"] == pytest.approx(0.48, abs=0.01)
    (tmp_path / "own.py").write_text(source + "FAIL = (2, 3)\n")
    assert main(words) == 2
    assert "left out: " in capsys.readouterr().out


def test_what_failed_can_be_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As after a full disk. The command that is shown has the other settings, too, with quotes."""
    folder = tmp_path / "a b"
    folder.mkdir()
    case = folder / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    words = ["calibrate", str(case), "--out", str(folder / "out"), "--seeds", "1", "--points", "12", "--set",
             "title=two words", "--fit", "materials.ball.restitution=0.2:0.95", "--to",
             "max:ball_0_velocity_z=0.62+-0.002"]  # fmt: skip
    assert main(words) == 0
    said = capsys.readouterr().out
    assert f"scree run '{case}' --set 'title=two words' --set materials.ball.restitution=0." in said
    gone = next((folder / "out").glob("run_*"))
    shutil.rmtree(gone)
    Path(f"{gone}.error").write_text("the disk is full\n")
    assert main(words) == 0
    assert "left out: the disk is full" in capsys.readouterr().out
    assert main([*words, "--retry"]) == 0
    assert "left out" not in capsys.readouterr().out
    assert (gone / "series.csv").exists()


def test_too_few_measures(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    case.write_text("{}")
    with pytest.raises(InputError, match="as many --to as --fit"):
        Calibration(case, [Vary.parse("a=0:1"), Vary.parse("b=0:1")], [Target("bed_height", 1, 1)], tmp_path)


def test_runs_that_all_fail_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(bouncing_case()))
    assert main(["calibrate", str(case), "--fit", "materials.iron.friction=0:1", "--to", "bed_height=1", "--out",
                 str(tmp_path / "out"), "--seeds", "1"]) == 2  # fmt: skip
    said = capsys.readouterr()
    assert "left out: " in said.out
    assert said.err == "error: only 0 of 4 points gave a result: the ranges or the case do not suit\n"


def test_a_calibration_that_is_stopped_says_how_it_goes_on(tmp_path: Path) -> None:
    long = bouncing_case()
    long["time"]["duration"] = 200
    case = tmp_path / "case.json"
    case.write_text(json.dumps(long))
    words = ["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--jobs", "1", "--fit",
             "materials.ball.restitution=0.2:0.95", "--to", "max:ball_0_velocity_z=0.62+-0.002"]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "scree", *words],
        stderr=subprocess.PIPE,
        text=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SCREE_PROGRAM": runs.PROGRAM},
    )
    end = time.monotonic() + 60
    while not list(tmp_path.glob("out/run_*/series.csv")) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said == "stopped; the same command continues with the runs that are done\n"


def test_a_terminal_shows_how_many_runs_are_done() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for kind, shown in ((Terminal, ["0 of 2 runs", "1 of 2 runs", "2 of 2 runs"]), (io.StringIO, [])):
        stream = kind()
        line = CountLine(2, "runs", stream)
        line.add()
        line.add()
        line.close()
        found = [text.split("\x1b")[0].strip() for text in stream.getvalue().split("\r")]
        assert [text for text in found if text] == shown


def test_a_whole_number_is_fitted_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A point that rounds to an earlier one would be the same runs again: the search rests there."""
    (tmp_path / "own.py").write_text("def f(run):\n    return run.case['time']['update_interval']**2 / 1e4\n")
    short = bouncing_case()
    short["time"] = {"duration": 2e-5, "adaptive": True}
    case = tmp_path / "case.json"
    case.write_text(json.dumps(short))
    assert main(["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
                 "time.update_interval=11950:12050.5", "--to", f"{tmp_path}/own.py:f=14400+-0.1"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "left out" not in said
    assert "--set time.update_interval=12000\n" in said
    found = json.loads((tmp_path / "out/calibration.json").read_text())
    assert found["values"]["time.update_interval"] == 12000
    assert found["at_rest"]
    assert main(["calibrate", str(case), "--out", str(tmp_path / "out"), "--seeds", "1", "--fit",
                 "time.update_interval=3:4", "--to", f"{tmp_path}/own.py:f=0.0016+-0.0001"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert said.startswith("2 points over the ranges")
    assert "time.update_interval = 4 " in said
