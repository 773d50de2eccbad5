"""Cases from files, dicts and typed parts, and what is said of wrong ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import GLASS, ROOT, free_case, run_program

import scree
from scree import _engine

CONFIGS = [file for file in sorted((ROOT / "configs").glob("*.json")) if '"start"' not in file.read_text()]


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_a_file_and_its_dict_are_one_case(file: Path) -> None:
    from_file = scree.Case(file)
    from_dict = scree.Case(from_file.data, folder=file.parent)
    assert from_dict.resolved() == scree.Case(file).resolved()
    assert scree.Case(from_dict.resolved()).resolved() == from_dict.resolved()


def test_typed_parts_are_the_dict_that_they_stand_for() -> None:
    parts = scree.Case(
        time=scree.Time(duration=0.1, step=1e-5),
        materials={"glass": scree.Material(**GLASS)},
        particles=[scree.Particles(material="glass", radius={"uniform": numpy.array([1e-3, 2e-3])}, file="beads.csv")],
        boundaries={"drum": scree.CylinderBoundary(from_=(0, 0, 0), to=(0, 1, 0), radius=1, material="glass")},
    )
    assert parts.data == {
        "time": {"duration": 0.1, "step": 1e-5},
        "materials": {"glass": GLASS},
        "particles": [{"material": "glass", "radius": {"uniform": [1e-3, 2e-3]}, "file": "beads.csv"}],
        "boundaries": {
            "drum": {"type": "cylinder", "from": [0, 0, 0], "to": [0, 1, 0], "radius": 1, "material": "glass"}
        },
    }


def test_values_are_set_by_path_and_copies_are_apart() -> None:
    case = scree.Case(ROOT / "configs/hopper.json")
    other = case.copy()
    other.set("materials.glass.friction", numpy.float64(0.25))
    other.set("contacts.1.friction", 0.1)
    other.set("output.checkpoints.every", 0.5)
    assert (case["materials"]["glass"]["friction"], other["materials"]["glass"]["friction"]) == (0.5, 0.25)
    assert other.resolved()["contacts"][1]["friction"] == 0.1
    assert other.resolved()["output"]["checkpoints"]["every"] == 0.5
    with pytest.raises(scree.CaseError, match=r'contacts.2.friction: "2" is no index of a list of 2'):
        other.set("contacts.2.friction", 1)


WRONG: list[dict[str, Any] | str] = [
    {"materials": {"glass": {"density": -1, "young_modulus": "soft"}}},
    {"time": {"duration": 1}, "colour": 1, "materials": {}, "particles": []},
    {"time": {"duration": 1}, "materials": {"glass": GLASS}, "particles": [{"material": "glas", "radius": 1e-3}]},
    {"time": {"duration": 1}, "materials": {"glass": GLASS},
     "particles": [{"material": "glass", "radius": 1, "fill": {"box": [[0, 0, 0], [1, 1, 1]], "count": 10}}]},
    {"time": {"duration": 1}, "materials": {"glass": GLASS}, "particles": [{"material": "glass", "file": "none.csv"}]},
    '{ "time": { "duration": 1, }, }',
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_errors_are_those_of_the_command_line(wrong: dict[str, Any] | str, tmp_path: Path) -> None:
    file = tmp_path / "case.json"
    file.write_text(wrong if isinstance(wrong, str) else json.dumps(wrong))
    said = run_program("run", str(file), "--out", str(tmp_path / "out"), check=False)
    assert said.returncode == 2
    with pytest.raises(scree.CaseError) as raised:
        scree.Simulation(file)
    there = [line.removeprefix("error: ").removeprefix(f"{file}: ") for line in said.stderr.splitlines()]
    assert str(raised.value).splitlines() == there
    assert len(raised.value.problems) == len(there)
    assert isinstance(raised.value, ValueError)


def test_a_missing_file_is_one_sentence() -> None:
    with pytest.raises(scree.CaseError, match=r"^none\.json: cannot be read: No such file or directory$"):
        scree.Case("none.json")


def test_comments_are_allowed(tmp_path: Path) -> None:
    text = free_case().text().replace("{", '{ // a "comment"\n /* and { one more */', 1)
    (tmp_path / "case.json").write_text(text)
    case = scree.Case(tmp_path / "case.json")
    assert case.text() == text
    assert case["gravity"] == [0, 0, 0]


def test_a_key_that_is_given_twice_is_said_also_when_a_value_is_replaced(tmp_path: Path) -> None:
    text = free_case().text()
    (tmp_path / "case.json").write_text(text.replace("{", '{ "title": "one", "title": "two",', 1))
    with pytest.raises(scree.CaseError, match="title: this key is given twice"):
        scree.Case(tmp_path / "case.json", seed=7)


def test_values_that_are_no_numbers_are_named() -> None:
    """JSON has none of them: the engine could only say that the text is not valid."""
    case = scree.Case(materials={"glass": {"density": float("nan")}}, particles=[{"radius": numpy.inf}])
    with pytest.raises(scree.CaseError) as raised:
        case.check()
    assert raised.value.problems == [
        ("materials.glass.density", "must be a finite number, got nan"),
        ("particles.0.radius", "must be a finite number, got inf"),
    ]


@pytest.mark.parametrize("text", ["[]", "3", "{,}"])
def test_a_file_that_is_no_case_is_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "case.json"
    file.write_text(text)
    for use in (lambda c: c["time"], lambda c: c.set("time.duration", 1), len, lambda c: scree.Case(file, seed=1)):
        with pytest.raises(scree.CaseError, match="must be an object|not valid JSON"):
            use(scree.Case(file))
    assert repr(scree.Case(file)) == f"<case of {file}: cannot be read>"
    with pytest.raises(TypeError, match="not of a list"):
        scree.Case([1])  # type: ignore[arg-type]


def test_values_are_set_as_on_the_command_line() -> None:
    case = scree.Case(heat=None)
    case.set("heat.gas.conductivity", 0.02)
    assert case["heat"] == {"gas": {"conductivity": 0.02}}
    for path, said in (("contacts.0.friction", "no such list yet"), ("heat.gas.conductivity.x", "has no parts")):
        with pytest.raises(scree.CaseError, match=said):
            case.set(path, 1)
    assert list(case) == ["heat"]
    case["materials"] = {}
    case["materials"]["glass"] = scree.Material(**GLASS)
    case["materials"]["extra"] = {"list": (1, 2), "array": numpy.zeros(3)}
    for path in ("materials.glass.friction", "materials.extra.list.1", "materials.extra.array.2"):
        case.set(path, 0.25)
    assert case["materials"]["glass"] == {**GLASS, "friction": 0.25}
    assert case["materials"]["extra"] == {"list": [1, 0.25], "array": [0, 0, 0.25]}


def test_types_are_those_of_the_schema() -> None:
    command = [sys.executable, str(ROOT / "python/make_case_types.py")]
    made = subprocess.run(command, input=_engine.schema(), capture_output=True, text=True, check=True).stdout
    kept = (ROOT / "python/src/scree/case_types.py").read_text()
    assert made == kept, "run: scree schema | python/make_case_types.py > python/src/scree/case_types.py"
