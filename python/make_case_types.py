#!/usr/bin/env python3
"""Writes src/scree/case_types.py, the typed parts of a case, from the schema of the program.

usage: scree schema | python/make_case_types.py > python/src/scree/case_types.py

A test compares the file with what this script makes, so it cannot fall behind the schema.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from typing import Any

WIDTH = 120
Schema = dict[str, Any]

#: Names of classes by the last word of their place, where that word alone would say too little.
NAMES = {
    "materials": "Material", "breakage.materials": "BreakageRule", "fluid.surface": "FluidSurface",
    "shapes/clump": "ClumpShape", "shapes/level_set": "LevelSetShape",
    "spheres": "ClumpSphere",
    "contacts": "Contact", "particles": "Particles", "groups": "Group", "outlets": "Outlet", "delete_in": "Deletion",
    "motion/translation": "Translation", "motion/rotation": "Rotation", "motion/oscillation": "Oscillation",
    "motion/table": "TableMotion", "groups.rotation": "GroupRotation", "drive.translation": "DriveTranslation",
    "drive.rotation": "DriveRotation", "control": "Stage", "until": "StageEnd", "until.strain": "StageStrain",
    "repeat": "StageRepeat", "repeat.stages": "RepeatedStage", "repeat.until": "RepeatEnd",
    "repeat.stages.until": "StageEnd", "double_amplitude": "DoubleAmplitudes",
    "until.void_ratio": "VoidRatioCondition", "until.solid_fraction": "SolidFractionCondition",
    "frames": "FramesOutput", "series": "SeriesOutput", "output.contacts": "ContactsOutput",
    "output.collisions": "CollisionsOutput", "checkpoints": "CheckpointsOutput", "of": "MixingKind",
    "normal": "NormalRadius", "lognormal": "LogNormalRadius", "discrete": "DiscreteRadius", "sieve": "SieveRadius",
    "rosin_rammler": "RosinRammlerRadius", "mixture": "MixturePart", "above": "AboveRegion",
    "shapes.sphere": "GrainSphere", "shapes.box": "GrainBox", "shapes.capsule": "GrainCapsule",
    "shapes.cylinder": "GrainCylinder", "shapes.torus": "GrainTorus", "shapes.superellipsoid": "Superellipsoid",
    "stages": "RunStage", "stages.until": "RunStageEnd", "stages.boundaries": "StagedBoundary",
    "stages.groups": "StagedGroup", "stages.membranes": "StagedMembrane", "removed": "RemovedCondition",
    "boundary_force": "ForceCondition",
    "flow": "FlowCondition", "boundary_position": "PositionCondition", "measure": "MeasureCondition",
    "all_of": "StageCondition",
    "stages.time": "StagedStep", "stages.friction": "StagedFriction", "stages.inlets": "StagedInlet",
    "stages.output": "StagedOutput", "stages.output.frames": "StagedInterval",
    "boundaries.servo": "Servo", "stages.boundaries.servo": "StagedServo",
    "xx": "StageComponent", "periodic": "PeriodicCell", "fill.mesh": "MeshRegion",
    "fill.cylinder": "Cylinder", "fill.sphere": "Sphere",
}  # fmt: skip
#: Objects with one of these keys alone stay dicts: { "uniform": [a, b] } is short enough as it is.
SHORT = {"uniform", "normal", "lognormal", "discrete", "sieve", "box", "cylinder", "sphere", "mesh", "cell"}
SHORT |= {"of_smallest_radius", "rosin_rammler", "above"}
SUFFIXES = {"boundaries": "Boundary", "probes": "Probe", "probe": "Probe"}


def camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def identity(node: Schema) -> str:
    """Equal for two objects that have the same keys."""
    return json.dumps({k: v for k, v in node.items() if k != "description"}, sort_keys=True)


class Types:
    """Collects one class for each object of the schema that has named keys."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.text: list[str] = []
        self.regions: dict[str, Schema] = {}  # all kinds of regions that some place knows

    def name_of(self, place: list[str], node: Schema) -> str:
        kind = node["properties"].get("type", {}).get("const", "")
        last, before = place[-1], place[-2] if len(place) > 1 else ""
        if last in SUFFIXES and kind:
            return camel(kind) + SUFFIXES[last]
        if place == ["boundaries", "servo"] and "direction" not in node["properties"]:
            return "RadialServo"  # of a cylinder; other boundaries have a Servo at the same place
        for key in ([f"{last}/{kind}"] if kind else []) + [".".join(place[-3:]), f"{before}.{last}", last]:
            if key in NAMES:
                return NAMES[key]
        return camel(last)

    def annotation(self, node: Schema, place: list[str]) -> str:
        """The type of a value. A part may be given as a class or as a dict."""
        if "const" in node:
            return f"Literal[{node['const']!r}]"
        if "enum" in node:
            return f"Literal[{', '.join(map(repr, node['enum']))}]"
        if place and place[-1] == "region" and "oneOf" in node:
            for choice in node["oneOf"]:
                self.regions.update(choice["properties"])
            return "Region | Mapping[str, Any]"
        for union in ("oneOf", "anyOf"):
            if union in node:
                types = [self.annotation(choice, place) for choice in node[union]]
                members = list(dict.fromkeys(t for text in types for t in split_union(text)))
                return " | ".join(sorted(members, key=lambda member: member == "Mapping[str, Any]"))
        kind = node.get("type")
        if kind == "object":
            return self.object(node, place)
        if kind == "array":
            items = node.get("items")
            return f"Sequence[{self.annotation(items, place)}]" if isinstance(items, dict) else "Sequence[Any]"
        return {"number": "float", "integer": "int", "string": "str", "boolean": "bool"}.get(kind or "", "Any")

    def object(self, node: Schema, place: list[str]) -> str:
        inner = node.get("additionalProperties")
        if isinstance(inner, dict):
            return f"Mapping[str, {self.annotation(inner, place)}]"
        properties = node.get("properties", {})
        if not properties or (len(properties) == 1 and set(properties) <= SHORT):
            for key, value in properties.items():
                self.annotation(value, [*place, key])
            return "Mapping[str, Any]"
        key = identity(node)
        if key not in self.names:
            name = self.name_of(place, node)
            if name in self.names.values():
                raise SystemExit(f"two classes would be called {name}: name the one at {'.'.join(place)} in NAMES")
            self.names[key] = name
            self.text.append(self.class_text(name, node, place))
        return f"{self.names[key]} | Mapping[str, Any]"

    def add_region(self) -> None:
        """One class for all regions. A place that does not know one of its keys refuses it."""
        about = "Where particles are, appear or are looked at. Exactly one of the keys is given."
        node = {"description": about, "properties": self.regions}
        self.text.append(self.class_text("Region", node, ["region"]))
        self.names["region"] = "Region"

    def class_text(self, name: str, node: Schema, place: list[str]) -> str:
        lines = ["@dataclass(kw_only=True)", f"class {name}(Part):"]
        about = node.get("description", "")
        fields = list(self.fields(node, place))
        documents = [f"{field}: {text}" for field, _, text in fields if text]
        lines += docstring(about, documents)
        lines += [line for _, line, _ in fields] or ["    pass"]
        return "\n".join(lines)

    def fields(self, node: Schema, place: list[str]) -> Any:
        required = node.get("required", [])
        order = sorted(node["properties"].items(), key=lambda item: item[0] not in required)
        for key, value in order:
            if key.startswith("$"):
                continue
            field = python_name(key)
            if "const" in value:
                yield field, f"    {field}: {self.annotation(value, place)} = {value['const']!r}", ""
                continue
            kind = self.annotation(value, [*place, key])
            ending = "" if key in required else " | None = None"
            yield field, f"    {field}: {kind}{ending}", describe(value)


def python_name(key: str) -> str:
    return f"{key}_" if keyword.iskeyword(key) else key


def split_union(text: str) -> list[str]:
    """The members of a union that stand outside of brackets."""
    members, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "|" and depth == 0:
            members.append(text[start:i].strip())
            start = i + 1
    return [*members, text[start:].strip()]


def describe(value: Schema) -> str:
    text = value.get("description", "")
    if "default" in value and value["default"] not in ("", [], {}, None):
        text += f" Default: {json.dumps(value['default'])}."
    return str(text)


def docstring(about: str, documents: list[str]) -> list[str]:
    if not documents:
        return [f'    """{about}"""', ""]
    lines = [f'    """{about}', ""]
    for text in documents:
        text = text.replace("\\", "\\\\").replace('"""', "'''")
        lines += textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)
    return [*lines, '    """', ""]


def main() -> None:
    schema = json.load(sys.stdin)
    types = Types()
    fields = list(types.fields(schema, []))
    types.add_region()
    print('"""The typed parts of a case. Written by make_case_types.py from `scree schema`: do not edit."""\n')
    print("from __future__ import annotations\n")
    print("from collections.abc import Mapping, Sequence")
    print("from dataclasses import dataclass")
    print("from typing import Any, Literal, TypedDict\n")
    print("from .case_part import Part\n")
    names = sorted([*types.names.values(), "CaseParts"])
    print("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n\n")
    print("\n\n\n".join(types.text) + "\n\n")
    print("class CaseParts(TypedDict, total=False):")
    print("\n".join(docstring(schema["description"], [f"{field}: {text}" for field, _, text in fields if text])))
    for _, line, _ in fields:
        print(re.sub(r" \| None = None$", "", line))


if __name__ == "__main__":
    main()
