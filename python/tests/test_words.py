"""The case in words, without a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import runs

from scree.report.words import case_in_words


def said(case: dict[str, Any]) -> dict[str, list[str]]:
    return case_in_words(SimpleNamespace(case=case))  # type: ignore[arg-type]


def wall(**keys: Any) -> dict[str, Any]:
    case = runs.settling_case()
    case["boundaries"] = {"wall": {"type": "plane", "material": "glass", **keys}}
    return case


def rule(**keys: Any) -> dict[str, Any]:
    return {**runs.settling_case(), "contacts": [{"between": ["*", "*"], **keys}]}


MIXTURE = [
    {"mass_fraction": 0.7, "material": "rock", "shape": "A", "radius": {"uniform": [0.03, 0.04]}},
    {"mass_fraction": 0.3, "material": "ore", "shape": "sphere", "radius": 0.025},
]
KINDS = '70 % particles of shape "A" of rock, radius 30 mm to 40 mm, evenly distributed; ' \
        "30 % spheres of ore, radius 25 mm (by mass)."  # fmt: skip


def test_mixtures_name_their_kinds() -> None:
    case = runs.settling_case()
    case["particles"] = [{"shape": "sphere", "mixture": MIXTURE, "fill": {"box": [], "solid_fraction": 0.12}}]
    assert said(case)["Particles"] == [f"A mixture of particles in a box, solid fraction 0.12: {KINDS}"]
    case["particles"][0]["fill"] = {"box": [], "count": 1200}
    assert said(case)["Particles"] == [f"1\u202f200 particles of a mixture in a box: {KINDS}"]


def test_inlets_say_what_they_bring() -> None:
    case = runs.settling_case()
    inlet = {"name": "feed", "mass_flow": 1.5, "mass": 2.5, "from": 0, "until": 2, "region": {}}
    case["particles"] = [
        {"shape": "sphere", "mixture": MIXTURE, "inlet": inlet},
        {"material": "glass", "radius": 1e-3, "inlet": {"rate": 200, "count": 50, "from": 0.1, "region": {}}},
    ]
    assert said(case)["Particles"] == [
        f"The inlet feed brings a mixture of particles, 1.5 kg/s, 2.5 kg at most, until 2 s: {KINDS}",
        "An inlet brings spheres of glass, radius 1 mm, 200 each second, 50 particles at most, from 0.1 s.",
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, "wall: a plane of glass."),
        ({"present_from": 0, "present_until": 0.4}, "wall: a plane of glass, present until 0.4 s."),
        ({"present_from": 0.1}, "wall: a plane of glass, present from 0.1 s."),
        ({"servo": {"stress": 2000, "from": 0}}, "wall: a plane of glass, which holds a stress of 2 kPa."),
        ({"servo": {"force": 3, "from": 1}}, "wall: a plane of glass, which holds a force of 3 N from 1 s."),
        ({"motion": [{"type": "rotation"}, {"type": "table"}]},
         "wall: a plane of glass, with rotation and a table of its displacement."),
        ({"surface_motion": [{"type": "translation"}]}, "wall: a plane of glass, whose surface moves (translation)."),
        ({"temperature": 400}, "wall: a plane of glass, at 400 K."),
        ({"heat_flux": -50}, "wall: a plane of glass, with a heat flux of -50 W/m²."),
    ],
)  # fmt: skip
def test_boundaries_in_one_sentence(keys: dict[str, Any], expected: str) -> None:
    assert said(wall(**keys))["Boundaries"] == [expected]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"rolling": {"type": "A", "friction": 0.1, "stiffness": 0}}, "rolling resistance of type A (friction 0.1)"),
        ({"rolling": {"type": "C", "friction": 0}}, "no rolling resistance"),
        ({"cohesion": {"energy_density": 2e4}}, "linear cohesion of 20 kJ/m³"),
        ({"liquid": {"surface_tension": 0.072, "volume_fraction": 0.01}},
         "liquid bridges of 1 % of the smaller sphere, surface tension 0.072 N/m"),
        ({"liquid": {"surface_tension": 0.05, "volume": 1e-12, "viscosity": 0.1, "roughness": 1e-6}},
         "liquid bridges of 1e-12 m³, surface tension 0.05 N/m, viscosity 0.1 Pa s"),
        ({"liquid": {"surface_tension": 0.072, "volume": 1e-12, "from_films": True}},
         "liquid bridges of at most 1e-12 m³, surface tension 0.072 N/m, which take it from films on the particles"),
        ({"plasticity": {"ratio": 0.6, "pull_off": 0, "adhesion": 0.2}},
         "they yield (stiffness ratio 0.6, adhesion 0.2)"),
        ({"bond": {"tensile_strength": 1e5, "cohesion": 2e5, "form": "start"}},
         "tensile strength 100 kPa, cohesion 200 kPa, made at the start"),
        ({"bond": {"tensile_strength": 1e5, "cohesion": 2e5, "form": "near", "form_until": 2, "weibull_modulus": 3}},
         "tensile strength 100 kPa, cohesion 200 kPa, scattered with the Weibull modulus 3, made whenever particles "
         "come near until 2 s"),
    ],
)  # fmt: skip
def test_contacts_in_one_sentence(keys: dict[str, Any], expected: str) -> None:
    expected = f"Between anything and anything: Hertz-Mindlin springs with dashpots; {expected}."
    assert said(rule(**keys))["Contacts"] == [expected]


def test_heat_and_rolling_of_materials() -> None:
    case = runs.hot_case()
    case["materials"]["glass"]["rolling"] = {"type": "C", "friction": 0.2, "stiffness": 0.5}
    case["heat"] = {"temperature": 300, "gas": {"conductivity": 0.026}, "radiation": {"range": 1.5}, "dissipation": 0.5}
    words = said(case)
    assert words["Particles"][1].endswith("radius 3 mm, at 400 K.")
    assert words["Materials"][0].endswith(
        "rolling resistance of type C (friction 0.2, stiffness 0.5), conductivity 1 W/(m K), heat capacity 800 "
        "J/(kg K)."
    )
    assert (
        "Heat flows through contacts and the gas between particles, and by radiation; particles begin at 300 K if "
        "nothing else is said; 50 % of what contacts lose becomes heat."
    ) in words["Setting"]


def test_films_of_liquid() -> None:
    case = runs.settling_case()
    case["particles"][0]["film"] = 0.05
    assert said(case)["Particles"][0].endswith(", with films of liquid of 5 % of their volume.")


def test_stages_say_what_changes_and_what_ends_them() -> None:
    case = runs.settling_case()
    move = [{"type": "translation", "velocity": [0, 0, 1]}]
    case["stages"] = [
        {"name": "load", "until": {"duration": 0.7, "speed": 0.02, "all_of": [], "not_before": 0.2}, "boundaries": {}},
        {"name": "tip", "until": {"removed": {"by": "out", "at_least": 900}, "not_before": 0},
         "boundaries": {"tail": {"present": False}, "bed": {"motion": move}, "lid": {"servo": {"stress": 2e5}}},
         "inlets": {"feed": {"on": False}}, "friction": [{"value": 0.9}]},
        {"name": "rest", "gravity": [0, 0, 0], "boundaries": {"bed": {"motion": []}, "tail": {"present": True},
                                                              "belt": {"surface_motion": move, "temperature": 400}},
         "until": {"all_of": [{"boundary_force": {"boundary": "lid", "below": 10, "along": [0, 0, 1]}},
                              {"at_most": 1}]}},
        {"name": "pull", "until": {"control": "shear"}, "boundaries": {"lid": {"servo": {"speed": 0.02}}},
         "groups": {"tool": {"fixed": ["x", "rz"], "velocity": [1, 0, 0], "gravity": False},
                    "rest": {"fixed": [], "damping": 0.2, "force": [0, 0, 2]},
                    "drum": {"rotation": {"axis": [0, 0, 1], "rate": 3}}}},
        {"name": "end", "time": {"safety": 0.8}},
    ]  # fmt: skip
    assert said(case)["Stages"] == [
        "load: it ends when no particle is faster than 20 mm/s or 0.7 s are over, the earliest after 0.2 s.",
        "tip: tail is taken out; bed moves (translation); lid holds a stress of 200 kPa; the inlet feed stops; "
        "the friction is 0.9; it ends when out has removed 900 particles.",
        "rest: there is no gravity; bed stops; tail is put back; the surface of belt moves (translation); "
        "belt is at 400 K; it ends when the force on lid is less than 10 N along +z and at most 1 particle is in the "
        "run.",
        "pull: lid moves with 20 mm/s towards the particles; tool keeps its velocity along and about x and rz; "
        "the velocity of tool is 1 m/s along +x; gravity acts no more on tool; rest is free; "
        "the force on each particle of rest is 2 N along +z; the damping of rest is 0.2; "
        "drum turns with 3 rad/s about +z; it ends when shear, a stage of the cell, is over.",
        "end: the steps adapt; it lasts until the end of the run.",
    ]


def test_stages_of_a_cell() -> None:
    case = runs.settling_case()
    case["domain"] = {"control": [
        {"name": "rest", "xx": {"stress": -1e5}, "xy": {"strain_rate": 0},
         "until": {"stress_error": 0.01, "unbalanced_force": 0.003}},
        {"name": "", "zz": {"strain_rate": -1.5}, "yy": {"strain": [[0, 0], [1, 0.1]]},
         "until": {"strain": {"zz": 0.25}, "duration": 2}},
        {"name": "path", "xx": {"stress": -1.5e5, "plus": {"zz": -0.5}},
         "zz": {"strain_rate": -1, "reverse_at_stress": 3e4, "plus": {"xx": -1}}, "until": {"stress": {"zz": -2e5}}},
        {"name": "end"},
    ]}  # fmt: skip
    assert said(case)["Stages"] == [
        "rest: the cell has stress xx -100 kPa; it ends when the relative error of the stresses is at most 0.01 and "
        "the unbalanced force is at most 0.003.",
        "Stage 2 of the cell: the cell has strain yy by a table and strain rate zz -1.5 1/s; it ends when 2 s are over "
        "or the strain zz is 0.25.",
        "path: the cell has stress xx -150 kPa plus -0.5 times the stress zz and strain rate zz -1 1/s, reversed when "
        "the stress plus -1 times the stress xx reaches 30 kPa; it ends when the stress zz passes -200 kPa.",
        "end: the cell has no strain; it lasts until the end of the run.",
    ]
