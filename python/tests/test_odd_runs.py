"""Odd runs and odd machines: nothing here needs the program or the compiled module."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy
import pytest
from runs import lattice, made_up

from scree import Results
from scree.__main__ import main
from scree.errors import ResultsError
from scree.frames import ContactFrame, FieldFrame, Frames
from scree.measures import measure, residence_time
from scree.report.columns import plots
from scree.report.diagnostics import diagnostics
from scree.report.energy import energy_error
from scree.report.page import embedded
from scree.report.words import case_in_words
from scree.run_log import RunLog
from scree.sweep import Vary, measures_of


@pytest.mark.parametrize("name", ["NA", "null", "nan", "1", "1e3", "True", "a,b"])
def test_names_of_outlets_and_materials_stay_names(tmp_path: Path, name: str) -> None:
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    header = "time[s],step,id,outlet,material,mass[kg],inserted[s]"
    quoted = f'"{name}"' if "," in name else name
    (tmp_path / "left.csv").write_text(f"{header}\n1,10,0,{quoted},{quoted},5,0.5\n2,10,1,other,x,5,nan\n")
    assert list(run.left["outlet"]) == [name, "other"]
    assert list(run.left["material"]) == [name, "x"]
    assert numpy.isnan(run.left["inserted"][1])
    assert residence_time(run, name).value == 0.5


def test_a_run_of_which_the_table_has_no_header_yet_can_be_shown(tmp_path: Path) -> None:
    """Killed or looked at in its first instant."""
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3, "time[s],ste")
    assert run.time == 1
    assert run.summary["frames"] == 1
    assert [d.name for d in diagnostics(run)] == ["State"]
    with pytest.raises(Exception, match="has no header yet"):
        run.series  # noqa: B018


@pytest.mark.parametrize("text", ["[]", "{", "", "null", '{"materials": {}}', '{"time": {"duration": "long"}}'])
def test_a_case_that_is_none_is_one_sentence(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    (run.folder / "case.json").write_text(text)
    assert main(["report", str(run.folder), "--pictures", "0"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "case.json: is not " in said


@pytest.mark.parametrize("rows", ["0,1,2\n1,x,z\n", "0,1,2\n0,1,2,3\n"])
def test_a_damaged_table_is_one_sentence(tmp_path: Path, rows: str) -> None:
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, "time[s],step,a\n" + rows)
    with pytest.raises(ResultsError, match="series.csv: is damaged: "):
        run.series  # noqa: B018


def test_columns_of_one_name_are_numbered(tmp_path: Path) -> None:
    """The first keeps its name and its unit; a number that is taken is left out."""
    header = "time[s],stage,a[m],stage,a[J],a,a.1"
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3, f"{header}\n0,0,1,5,2,3,4\n1,1,1,6,2,3,7\n")
    assert list(run.series.columns) == ["stage", "a", "stage.1", "a.2", "a.3", "a.1"]
    assert run.units == {"time": "s", "a": "m", "a.2": "J"}
    assert [measure(run, f"final:{name}").value for name in ("stage", "stage.1", "a.1")] == [1, 6, 7]
    found, problems = measures_of(run, [])  # as a sweep without measures takes them
    assert (list(found), problems) == (list(run.series.columns), "")
    assert found["a.2"].unit == "J"
    (tmp_path / "series.csv").write_text(f"{header}\n")  # no rows yet
    assert list(run.series.columns) == ["stage", "a", "stage.1", "a.2", "a.3", "a.1"]


def test_rows_of_a_log_that_are_no_numbers_are_left_out() -> None:
    log = RunLog.parse(
        "scree 0.1.0\ntime per stage\n  a         x s   3 %\n  b         2 s   3 %\nmemory\n  c    x KiB  y\n"
    )
    assert (log.stage_seconds, log.memory) == ({"b": 2.0}, {})


def test_tables_of_results_are_copies(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3, "time[s],step,a[m]\n0,0,1\n1,9,2\n")
    (tmp_path / "left.csv").write_text("time[s],id,mass[kg]\n1,0,5\n")
    series, left = run.series, run.left
    series["mine"] = 0
    series["a"] *= 2
    left["mass"] = 0
    assert list(run.series.columns) == ["step", "a"]
    assert list(run.series["a"]) == [1, 2]
    assert run.units == {"time": "s", "a": "m"} == run.series.attrs["units"]
    assert list(run.left["mass"]) == [5]


def test_data_of_a_page_ends_no_script() -> None:
    """Where the text has "<!--<script>", the next "</script>" ends nothing."""
    data = {"<!--<script>": "</script><b>", "a": math.nan}
    text = embedded(data)
    assert "<" not in text
    assert json.loads(text) == {"<!--<script>": "</script><b>", "a": None}


def test_modules_of_functions_need_no_import_of_their_own() -> None:
    code = "import scree; print(scree.measures.fit_line.__name__, scree.render.Look().zoom, 'sweep' in dir(scree))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.stdout == "fit_line 1.0 True\n", said.stderr


def test_names_of_a_case_keep_their_capitals(tmp_path: Path) -> None:
    run = made_up(tmp_path, lattice(2, 1e-3), 1e-3)
    case = {**run.case, "particles": [{"material": "PMMA", "file": "Data/Beads.csv"}], "time": {"duration": 1}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert case_in_words(Results(tmp_path))["Particles"] == ["Spheres of PMMA from the file Data/Beads.csv."]


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict"])
def test_names_that_are_not_text_can_be_printed(tmp_path: Path, encoding: str) -> None:
    run = made_up(tmp_path / os.fsdecode(b"caf\xe9"), lattice(2, 2e-3), 1e-3)
    said = subprocess.run([sys.executable, "-m", "scree", "report", run.folder, "--pictures", "0"], capture_output=True,
                          env={**os.environ, "PYTHONIOENCODING": encoding}, check=False)  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert (tmp_path / os.fsdecode(b"caf\xe9.html")).exists()


def test_a_run_that_made_no_step_has_no_speed() -> None:
    log = RunLog.parse("scree 0.1.0\ndone        0 steps, t = 0 s, wall time 0.0 s\n"
                       "speed       - particle-steps/s, - contact-steps/s\n")  # fmt: skip
    assert (log.steps, log.particle_steps_per_second) == (0, None)


PARTS = """scree 0.1.0
warning: of another run
 31.5 %  step 27/86  t 0.7 s  wall 5.0 s  left 11 s  9.15 M particle-steps/s  5694 contacts
scree 0.1.0
warning: soft
 41.5 %  step 37/86  t 0.8 s  wall 1 min 02 s  left 11 s  9.15 M particle-steps/s  5694 contacts
scree 0.1.0
resumed     from a/checkpoints/step_000000030.h5, step 30, t = 0.7 s
warning: far too soft
done        20 steps, t = 0.9 s, wall time 2.0 s
speed       3 k particle-steps/s, - contact-steps/s
time per stage
  a         1.5 s   75 %
  output    0.5 s   25 %
scree 0.1.0
resumed     from a/checkpoints/step_000000050.h5, step 50, t = 0.9 s
warning: far too soft
"""
LAST = """done        0 steps, t = 0.9 s, wall time 0.1 s
speed       - particle-steps/s, - contact-steps/s
time per stage
  output    0.1 s  100 %
"""


def test_a_resumed_run_leaves_what_its_earlier_end_lacked() -> None:
    """Warnings about the end of a start that was continued are void; those of the last start are not."""
    about_the_end = [
        'the run ended before stage "b" did; what should end it did not come about within time.duration',
        "at the end of the run the cell does not have the stress that domain.control asks for: stress_zz is 1 Pa",
        "boundaries.lid.servo: no particle pushes it at the end, though it should hold 3 Pa; does it stand there?",
        "boundaries.lid.servo: the particles push it with 1 Pa at the end, not with the 3 Pa that are asked for",
        'contacts: no bond has formed: no two particles came within "interaction_range"',
    ]
    other = "boundaries.lid.servo: the particles push it with a mean of 1.2 times what it should hold"
    said = "".join(f"warning: {text}\n" for text in [*about_the_end, other])
    first = f"scree 0.1.0\n{said}{LAST}"
    resumed = "scree 0.1.0\nresumed     from a/checkpoints/step_000000050.h5, step 50, t = 0.9 s\n"
    assert RunLog.parse(first).all_warnings == [*about_the_end, other]
    assert RunLog.parse(first + resumed + LAST).all_warnings == [other]
    assert RunLog.parse(first + resumed + said + LAST).all_warnings == [other, *about_the_end]


def test_parts_of_a_run_count_together(tmp_path: Path) -> None:
    """A start that does not continue another one, with the warnings before it, belongs to no part."""
    log = RunLog.parse(PARTS + LAST)
    assert (len(log.parts), log.total_steps, log.steps) == (3, 50, 0)
    assert (log.total_wall_seconds, log.some_were_killed) == (62 + 2 + 0.1, True)
    assert log.total_stage_seconds == {"a": 1.5, "output": 0.6}
    assert (log.all_warnings, log.warnings) == (["soft", "far too soft"], ["far too soft"])
    goes_on = RunLog.parse(PARTS)
    assert (goes_on.total_steps, goes_on.total_wall_seconds) == (None, None)
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3)
    (run.folder / "run.log").write_text(PARTS + LAST)
    summary = run.summary
    assert [summary[key] for key in ("parts", "steps", "wall_seconds", "warnings")] == [3, 50, 64.1, 2]
    assert summary["particle_steps_per_second"] == 3000
    assert main(["report", str(run.folder), "--pictures", "0"]) == 0
    page = (tmp_path / "run.html").read_text()
    assert "<dd>at least 64.1 s in 3 parts</dd>" in page
    assert "<dt>steps</dt><dd>50</dd>" in page
    assert page.count("<li>far too soft</li>") == page.count("<li>soft</li>") == 1


def test_frames_of_grids_and_contacts_say_what_they_are(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "contacts.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = numpy.zeros((6, 3))
        file["VTKHDF/CellData/first"] = numpy.zeros(3, int)
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
    with h5py.File(tmp_path / "fields.vtkhdf", "w") as file:
        file["VTKHDF/CellData/velocity"] = numpy.zeros((1, 1, 1, 3))
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
        file["VTKHDF"].attrs["WholeExtent"] = [0, 1, 0, 1, 0, 1]
    contacts = ContactFrame(tmp_path / "contacts.vtkhdf")
    assert "t = 1 s, 3 contacts: " in repr(contacts)
    assert contacts.triangles is None
    assert FieldFrame(tmp_path / "fields.vtkhdf").triangles is None


def test_numbers_of_tables_keep_all_their_digits(tmp_path: Path) -> None:
    """The parsers of older versions of pandas lose the last digit of some numbers."""
    rng = numpy.random.default_rng(3)
    values = rng.uniform(1, 10, (500, 2)) * 10.0 ** rng.integers(-250, 250, (500, 2))
    series = "time[s],x\n" + "".join(f"{float(t)!r},{float(x)!r}\n" for t, x in values)
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3, series)
    numpy.testing.assert_array_equal(run.series.index, values[:, 0])
    numpy.testing.assert_array_equal(run.series["x"], values[:, 1])
    header = "time[s],step,id,outlet,mass[kg]\n"
    (tmp_path / "left.csv").write_text(header + "".join(f"1,2,3,out,{float(x)!r}\n" for x in values[:, 1]))
    numpy.testing.assert_array_equal(run.left["mass"], values[:, 1])


def test_columns_belong_to_the_probe_with_the_longest_name(tmp_path: Path) -> None:
    series = "time[s],bed_porosity,bed_top_porosity\n0,0.4,0.5\n1,0.5,0.6\n"
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, series)
    case = {"time": {"duration": 1}, "output": {"series": {"every": 1, "probes": {"bed": {}, "bed_top": {}}}}}
    (run.folder / "case.json").write_text(json.dumps(case))
    found = plots(Results(run.folder), {}).plots
    assert {plot.title: [column["name"] for column in plot.columns] for plot in found} == {
        "Probe bed": ["bed_porosity"], "Probe bed_top": ["bed_top_porosity"],
    }  # fmt: skip


def test_components_of_a_body_share_a_plot(tmp_path: Path) -> None:
    names = {f"{of}_{axis}_big_stone": unit for of, axes, unit in (
        ("center", "xyz", "m"), ("orientation", "wxyz", ""), ("spin", "xyz", "rad/s")) for axis in axes}  # fmt: skip
    header = ",".join(["time[s]", *(f"{name}[{unit}]" if unit else name for name, unit in names.items())])
    rows = "\n".join(",".join(str(t + k) for k in range(11)) for t in (0, 1))
    found = plots(made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, f"{header}\n{rows}\n"), {}).plots
    assert {plot.title: [column["name"] for column in plot.columns] for plot in found} == {
        f"{title} of big_stone": [name for name in names if name.startswith(stem)]
        for title, stem in (("Centre", "center"), ("Orientation", "orientation"), ("Spin", "spin"))
    }


def test_boundaries_that_change_between_the_same_rows_count_once(tmp_path: Path) -> None:
    series = "time[s],energy_error[J],elastic[J]\n0,0,1\n1,0,1\n2,0.5,1\n3,0.5,1\n"
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, series)
    walls = {"a": {"type": "plane", "present_until": 1.3}, "b": {"type": "plane", "present_from": 1.6}}
    (run.folder / "case.json").write_text(json.dumps({"time": {"duration": 3}, "boundaries": walls}))
    found = energy_error(Results(run.folder))
    assert found is not None
    assert (found.error, found.kept) == (0.5, 0)
    assert [str(cause) for cause in found.causes] == ['"a" was taken away at 1.3 s', '"b" was put in at 1.6 s']


def test_the_least_critical_step_is_that_of_all_parts(tmp_path: Path) -> None:
    series = "time[s],critical_step[s],time_step[s]\n0,nan,1e-5\n1,2e-5,1e-5\n"
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, series)
    least = "time step   {} of 2.87e-05 s, the least critical step, in step 9 801\n"
    again = "scree 0.1.0\nresumed     from a/checkpoints/step_000000030.h5, step 30, t = 0.7 s\n"

    def said(first: str) -> tuple[str, str]:
        (run.folder / "run.log").write_text(
            f"scree 0.1.0\n{first}{again}done        20 steps, t = 0.9 s, wall time 2.0 s\n{least.format(0.31)}"
        )
        found = {d.name: d for d in diagnostics(Results(run.folder))}["Time step over the critical step"]
        return found.value, found.verdict

    assert said(least.format(0.97)) == ("at most 0.97", "doubtful")
    assert said("") == ("at most 0.5", "good")  # it was killed: the rows tell


def test_rows_close_to_each_other_at_late_times_have_times_of_their_own(tmp_path: Path) -> None:
    series = "time[s],contacts\n" + "".join(f"{100 + k * 1e-6:.6f},{k}\n" for k in range(5))
    assert len(set(plots(made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, series), {}).time)) == 5


def test_values_of_a_narrow_range_keep_the_digits_that_tell_them_apart() -> None:
    """Those of a calibration go into the command that uses them."""
    narrow = Vary("modulus", (), 1e5, 1.001e5)
    assert (narrow.short(100037.0), narrow.short(100038.0)) == ("100037", "100038")
    assert Vary("friction", (), 0.05, 0.5).short(0.244512) == "0.2445"
    assert Vary("seed", (), 1, 9, whole=True).short(3) == "3"
    assert Vary("shape", ("a",)).short(0.244512) == "0.2445"


def test_own_measures_of_one_name_have_columns_of_their_own(tmp_path: Path) -> None:
    run = made_up(tmp_path / "run", lattice(2, 2e-3), 1e-3, "time[s],force_z_a/b[N]\n0,1\n1,5\n")
    for number in (1, 2):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/own.py").write_text(f"def f(run):\n    return {number}\n")
    files = [str(tmp_path / f"{number}/own.py:f") for number in (1, 2)]
    found, problems = measures_of(run, [*files, "max:force_z_a/b"])
    assert not problems
    assert {name: value.value for name, value in found.items()} == {"own.py:f": 1, files[1]: 2, "max:force_z_a/b": 5}


def test_the_list_of_frames_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop over results.frames[k] took the square of the number of frames. A run that goes on adds frames."""
    run = made_up(tmp_path, lattice(2, 2e-3), 1e-3)
    read = Frames._read
    times = []
    monkeypatch.setattr(Frames, "_read", lambda self: times.append(0) or read(self))
    for k in range(5):
        assert run.frames[-1].time == 1.0 and len(run.frames) == 1, k
    assert len(times) == 1
    listing = tmp_path / "frames.vtkhdf.series"
    files = json.loads(listing.read_text())["files"]
    listing.write_text(json.dumps({"files": [*files, {**files[0], "time": 2.0}]}))
    assert run.frames.times.tolist() == [1.0, 2.0]
    with pytest.raises(KeyError, match='no field "flow": there are none'):
        run.fields["flow"]
