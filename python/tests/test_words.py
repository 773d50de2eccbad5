"""The case in words, without a run."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest
import runs

from scree import _engine
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
        ({"servo": {"stress": [[0, 5e4], [1, 1.5e5]]}},
         "wall: a plane of glass, which holds a stress from 50 to 150 kPa over time."),
        ({"servo": {"force": [[0, 3], [1, -2], [2, 1]], "from": 1}},
         "wall: a plane of glass, which holds a force between -2 and 3 N over time from 1 s."),
        ({"servo": {"force": [[0, 3], [1, 3]]}}, "wall: a plane of glass, which holds a force of 3 N."),
        ({"motion": [{"type": "table", "velocity": [[0, 1]]}]},
         "wall: a plane of glass, with a table of its velocity."),
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
        ({"bond": {"tensile_strength": 1e5, "cohesion": 2e5, "moment_contribution": 0.5}},
         "tensile strength 100 kPa, cohesion 200 kPa, bending and torsion count by the factor 0.5, made at the start"),
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
        "Stage 1 of the cell: the cell has strain yy by a table and strain rate zz -1.5 1/s; it ends when 2 s are over "
        "or the strain zz is 0.25.",
        "path: the cell has stress xx -150 kPa plus -0.5 times the stress zz and strain rate zz -1 1/s, reversed when "
        "the stress plus -1 times the stress xx reaches 30 kPa; it ends when the stress zz passes -200 kPa.",
        "end: the cell has no strain; it lasts until the end of the run.",
    ]


SCHEMA = json.loads(_engine.schema())
STAGE = SCHEMA["properties"]["stages"]["items"]["properties"]
DOMAIN = SCHEMA["properties"]["domain"]["properties"]


def example(schema: dict[str, Any]) -> Any:
    """Some value that a schema allows, with as few keys as it can have."""
    for part in schema.get("oneOf") or schema.get("anyOf") or []:
        if "required" not in part or "properties" in part:
            return example(part)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[-1])
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        keys = list(schema.get("required", []))
        for rule in [schema, *schema.get("allOf", [])]:
            keys += next((part["required"] for part in rule.get("oneOf", []) if "properties" not in part), [])
        properties = schema.get("properties", {})
        if not keys and properties and "additionalProperties" not in properties:
            keys = [next(iter(properties))]
        return {key: example(properties[key]) for key in keys}
    if kind == "array":
        parts = schema.get("prefixItems") or [schema.get("items", {})] * max(1, schema.get("minItems", 1))
        return [example(part) for part in parts]
    return {"number": 0.5, "integer": 3, "boolean": True, "string": "name"}[str(kind)]


def changes(properties: dict[str, Any], but: set[str] = frozenset()) -> list[Any]:  # type: ignore[assignment]
    """Each property with an example of it."""
    return [pytest.param(key, example(schema), id=key) for key, schema in properties.items() if key not in but]


def words_of(stage: dict[str, Any]) -> str:
    case = runs.settling_case()
    case["stages"] = [{"name": "one", **stage}]
    return said(case)["Stages"][0]


CONDITIONS = {key: schema for key, schema in STAGE["until"]["properties"].items() if key != "all_of"}


@pytest.mark.parametrize(("key", "value"), changes(CONDITIONS))
def test_each_condition_of_a_stage_is_said(key: str, value: Any) -> None:
    other = {"control": "other"} if key == "duration" else {"duration": 7}
    assert words_of({"until": {**other, key: value}}) != words_of({"until": other})
    if key != "not_before":
        assert words_of({"until": {"all_of": [{**other, key: value}]}}) != words_of({"until": {"all_of": [other]}})


INNER = [(key, inner, schema) for key in CONDITIONS
         for inner, schema in CONDITIONS[key].get("properties", {}).items()]  # fmt: skip


@pytest.mark.parametrize(("key", "inner", "schema"), INNER, ids=[f"{key}.{inner}" for key, inner, _ in INNER])
def test_each_part_of_a_condition_is_said(key: str, inner: str, schema: dict[str, Any]) -> None:
    whole = {**example(CONDITIONS[key]), inner: example(schema)}
    if inner == "below":
        whole.pop("above")
    other = copy.deepcopy(whole)
    if inner in CONDITIONS[key].get("required", []) or inner in ("above", "below", "at_least"):
        other[inner] = "another" if isinstance(other[inner], str) else other[inner] + 1
    elif inner == "column":
        whole["probe"] = other["probe"] = example(CONDITIONS[key]["properties"]["probe"])
        other.pop(inner)
    else:
        whole["column"] = other["column"] = "name"
        other.pop(inner)
    assert words_of({"until": {key: whole}}) != words_of({"until": {key: other}})


@pytest.mark.parametrize(("key", "value"), changes(STAGE, {"name", "until"}))
def test_each_change_of_a_stage_is_said(key: str, value: Any) -> None:
    if value == {}:  # by names
        inner = STAGE[key]["additionalProperties"]["properties"]
        for part, schema in inner.items():
            assert words_of({key: {"it": {part: example(schema)}}}) != words_of({}), part
    else:
        assert words_of({key: value}) != words_of({})


def cell_words(stage: dict[str, Any]) -> str:
    case = runs.settling_case()
    case["domain"] = {"control": [{"name": "one", **stage}]}
    return said(case)["Stages"][0]


def test_each_condition_and_goal_of_a_cell_is_said() -> None:
    control = DOMAIN["control"]["items"]["properties"]
    for key, schema in control["until"]["properties"].items():
        assert cell_words({"until": {key: example(schema)}}) != cell_words({}), key
    for key, schema in control["xx"]["properties"].items():
        goal = {} if key in ("stress", "strain", "strain_rate", "follows") else {"strain_rate": 1}
        assert cell_words({"xx": {**goal, key: example(schema)}}) != cell_words({"xx": goal}), key


def test_components_that_follow_and_reversals() -> None:
    follows = {"follows": {"zz": -0.5}}
    assert cell_words({"xx": follows, "yy": follows, "zz": {"strain_rate": -1}, "until": {"reversals": 40}}) == (
        "one: the cell has strain xx -0.5 times the strain zz, strain yy -0.5 times the strain zz and strain rate zz "
        "-1 1/s; it ends when strain rates have changed their signs 40 times."
    )


def test_measures_servos_and_particles_that_join() -> None:
    porosity = {"type": "porosity", "region": {"box": []}, "materials": ["sand"], "groups": []}
    assert words_of({"until": {"measure": {"probe": porosity, "column": "porosity", "below": 0.4}}}) == (
        "one: it ends when porosity, of a probe of the porosity in a box, of sand, is less than 0.4."
    )
    slope = {"type": "surface_slope", "materials": [], "groups": []}
    assert words_of({"until": {"measure": {"probe": slope, "above": 0.4}}}) == (
        "one: it ends when the slope of the surface is more than 0.4."
    )
    assert words_of({"until": {"measure": {"column": "kinetic_energy", "below": 2e-5}, "servo_error": 0.02}}) == (
        "one: it ends when kinetic_energy is less than 2e-05 or all servos hold their stress or force up to 2 %."
    )
    join = {"region": {"cylinder": {}}, "materials": ["sand"], "groups": ["base"]}
    assert words_of({"groups": {"tool": {"join": join}, "rest": {"join": {}}}}) == (
        "one: particles of sand or the group base in a cylinder join tool; all particles join rest; "
        "it lasts until the end of the run."
    )
    assert words_of({"boundaries": {"lid": {"servo": {"stress": [[0, 1e3], [1, 2e3]]}}}}) == (
        "one: lid holds a stress from 1 to 2 kPa over time; it lasts until the end of the run."
    )


def test_groups_probes_and_settings() -> None:
    case = runs.settling_case()
    case["groups"] = {
        "tool": {"fixed": ["x", "y"], "velocity": [0, 0, 0], "force": [0, 0, 0], "torque": [0, 0, 1], "gravity": False},
        "tracer": {"fixed": [], "force": [0, 0, 0], "torque": [0, 0, 0], "gravity": True},
    }
    case["particles"][0].update(group="tool", velocity=[0, 0, -2])
    case["output"]["series"]["probes"] = {"lids": {"type": "boundary_force", "boundaries": ["left", "right"]}}
    case["domain"] = {"velocity_gradient": [[0, 0, 0.5], [0, 0, 0], [0, 0, -1]], "remove_outside": {"box": []},
                      "delete_in": {"pit": {"box": [], "from": 2, "until": 3}}}  # fmt: skip
    case["integration"] = {"damping": 0.3, "damp_gravity": False, "viscous_damping": 2}
    case["time"] = {"duration": 1, "step": 1e-5, "adaptive": True}
    words = said(case)
    assert words["Groups"] == [
        "The group tool: it keeps its velocity along and about x and y; the velocity of it is 0 m/s; "
        "the torque on each particle of it is 1 N m along +z; gravity does not act on it.",
        "The group tracer: it moves as all others.",
    ]
    assert words["Particles"][0].endswith(", in the group tool, with 2 m/s along -z.")
    assert words["Probes"] == ["lids measures the force on left and right."]
    for sentence in (
        "The run simulates 1 s in steps that adapt.",
        "The cell deforms at constant rates: xz 0.5 1/s and zz -1 1/s.",
        "Particles that leave a box around the domain are removed.",
        "Particles in the region pit are counted and removed from 2 s until 3 s.",
        "The damping of all forces is 0.3, but not of gravity.",
        "The viscous damping is 2 1/s.",
    ):
        assert sentence in words["Setting"]


@pytest.mark.parametrize("law", SCHEMA["properties"]["contacts"]["items"]["properties"]["law"]["enum"])
def test_each_law_has_words(law: str) -> None:
    assert law not in said(rule(law=law))["Contacts"][0]


@pytest.mark.parametrize("kind", [part["properties"]["type"]["const"] for part in SCHEMA["properties"]["output"][
    "properties"]["series"]["properties"]["probes"]["additionalProperties"]["oneOf"]])  # fmt: skip
def test_each_probe_has_words(kind: str) -> None:
    from scree.report.probe_words import _WHAT

    assert kind in _WHAT


def test_a_group_turns_in_revolutions_per_minute() -> None:
    from scree.report.group_words import group_settings

    words = list(group_settings("drum", {"rotation": {"axis": [0, 0, 1], "rpm": 30}}))
    assert words == ["drum turns with 30 revolutions per minute about +z"]
