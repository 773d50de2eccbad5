"""The stages of a case in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..render.labels import quantity_text
from .boundary_words import heat_text, servo_text
from .group_words import group_settings
from .phrases import counted, direction_text, listed, motions_text, over_time_text, place_text, vector_text
from .probe_words import probe_text

__all__ = ["gravity_text", "stages_in_words"]


def gravity_text(gravity: list[float]) -> str:
    """ "gravity is 9.81 m/s² along -z"."""
    strength = math.sqrt(sum(g * g for g in gravity))
    return f"gravity is {strength:g} m/s² along {direction_text(gravity)}" if strength else "there is no gravity"


def _beyond(condition: dict[str, Any], unit: str) -> str:
    """ "more than 3 N", of a condition with `above` or `below`."""
    key, word = ("above", "more") if condition.get("above") is not None else ("below", "less")
    along = f" along {direction_text(condition['along'])}" if condition.get("along") else ""
    return f"{word} than {condition[key]:g} {unit}".rstrip() + along


def _measure(measure: dict[str, Any]) -> str:
    """ "porosity, of a probe of the porosity in a box, is less than 0.4"."""
    probe, column = measure.get("probe"), measure.get("column")
    if probe is None:
        what = str(column)
    else:
        what = f"{column}, of a probe of {probe_text(probe)}," if column else probe_text(probe)
    return f"{what} is {_beyond(measure, '')}"


def _conditions(until: dict[str, Any]) -> list[str]:
    """Each condition that ends a stage, in words."""
    found = []
    if until.get("kinetic_energy") is not None:
        found.append(f"the mean kinetic energy of a particle is at most {until['kinetic_energy']:g} J")
    if until.get("speed") is not None:
        found.append(f"no particle is faster than {quantity_text(until['speed'], 'm/s')}")
    if until.get("unbalanced_force") is not None:
        found.append(f"the unbalanced force is at most {until['unbalanced_force']:g}")
    for key in ("at_most", "at_least"):
        if until.get(key) is not None:
            number = counted(until[key], "particle is", "particles are")
            found.append(f"{key.replace('_', ' ')} {number} in the run")
    if removed := until.get("removed"):
        found.append(f"{removed['by']} has removed {counted(removed.get('at_least', 1), 'particle')}")
    if flow := until.get("flow"):
        window = quantity_text(flow["window"], "s")
        found.append(f"the mean flow through {flow['by']} over {window} is {_beyond(flow, 'kg/s')}")
    if force := until.get("boundary_force"):
        found.append(f"the force on {force['boundary']} is {_beyond(force, 'N')}")
    if place := until.get("boundary_position"):
        found.append(f"{place['boundary']} has moved by {_beyond(place, 'm')}")
    if measure := until.get("measure"):
        found.append(_measure(measure))
    if until.get("servo_error") is not None:
        found.append(f"all servos hold their stress or force up to {100 * until['servo_error']:.4g} %")
    if control := until.get("control"):
        found.append(f"{control}, a stage of the cell, is over")
    if parts := until.get("all_of"):
        found.append(listed([condition for part in parts for condition in _conditions(part)]))
    if until.get("duration") is not None:
        found.append(f"{quantity_text(until['duration'], 's')} are over")
    return found


def _boundary_changes(name: str, change: dict[str, Any]) -> Iterator[str]:
    if change.get("present") is not None:
        yield f"{name} is {'put back' if change['present'] else 'taken out'}"
    if change.get("motion") is not None:
        yield f"{name} moves ({motions_text(change['motion'])})" if change["motion"] else f"{name} stops"
    if change.get("surface_motion") is not None:
        motions = change["surface_motion"]
        yield f"the surface of {name} {f'moves ({motions_text(motions)})' if motions else 'stops'}"
    if servo := change.get("servo"):
        speed = servo.get("speed")
        yield (f"{name} holds {servo_text(servo)}" if speed is None
               else f"{name} moves with {quantity_text(speed, 'm/s')} towards the particles")  # fmt: skip
    if change.get("force") is not None:
        yield f"the force on {name} is {vector_text(change['force'], 'N')}"
    if change.get("torque") is not None:
        yield f"the torque on {name} is {change['torque']:g} N m"
    if heat := heat_text(change):
        yield f"{name} is {heat}"


def _group_changes(name: str, change: dict[str, Any]) -> Iterator[str]:
    if (join := change.get("join")) is not None:
        kinds = listed([*(join.get("materials") or []), *(f"the group {g}" for g in join.get("groups") or [])], "or")
        place = place_text(join.get("region") or {})
        who = " ".join(part for part in ("particles", f"of {kinds}" if kinds else "", place) if part)
        yield f"{who if kinds or place else 'all particles'} join {name}"
    yield from group_settings(name, change)


def _inlet_changes(name: str, change: dict[str, Any]) -> Iterator[str]:
    if change.get("on") is not None:
        yield f"the inlet {name} {'starts' if change['on'] else 'stops'}"
    if change.get("rate") is not None:
        yield f"the inlet {name} brings {change['rate']:g} particles each second"
    if change.get("mass_flow") is not None:
        yield f"the inlet {name} brings {change['mass_flow']:g} kg/s"


def _membrane_changes(name: str, change: dict[str, Any]) -> Iterator[str]:
    if change.get("pressure") is not None:
        text = over_time_text(change["pressure"], "Pa")
        yield f"the pressure on {name} {'goes' if text.endswith('over time') else 'is'} {text}"


def _changes(stage: dict[str, Any]) -> Iterator[str]:
    """Everything that a stage changes, in words."""
    if stage.get("gravity") is not None:
        yield gravity_text([float(g) for g in stage["gravity"]])
    for name, change in (stage.get("boundaries") or {}).items():
        yield from _boundary_changes(name, change)
    for name, change in (stage.get("groups") or {}).items():
        yield from _group_changes(name, change)
    for name, change in (stage.get("inlets") or {}).items():
        yield from _inlet_changes(name, change)
    for name, change in (stage.get("membranes") or {}).items():
        yield from _membrane_changes(name, change)
    for change in stage.get("friction") or []:
        pair = [name for name in change.get("between") or [] if name != "*"]
        between = f" between {' and '.join(pair)}" if len(pair) == 2 else f" of {pair[0]}" if pair else ""
        yield f"the friction{between} is {change['value']:g}"
    if stage.get("damping") is not None:
        yield f"the damping is {stage['damping']:g}"
    if stage.get("viscous_damping") is not None:
        yield f"the viscous damping is {stage['viscous_damping']:g} 1/s"
    if time := stage.get("time"):
        yield (f"the steps are {quantity_text(time['step'], 's')} long" if time.get("step") is not None
               else "the steps adapt")  # fmt: skip
    if stage.get("output"):
        yield "output is written at other times"


def _cell_goal(component: str, goal: dict[str, Any]) -> str:
    """ "stress xx -100 kPa": what a stage of a cell prescribes for a component; empty where it stays as it is."""
    if follows := goal.get("follows"):
        parts = [f"{part:g} times the strain {name}" for name, part in follows.items() if part]
        return f"strain {component} {' plus '.join(parts) or '0'}"
    for key, unit in (("stress", "Pa"), ("strain_rate", "1/s"), ("strain", "")):
        value = goal.get(key)
        if value is None or (key == "strain_rate" and value == 0):
            continue
        said = quantity_text(value, unit).strip() if isinstance(value, int | float) else "by a table"
        others = [f"{part:g} times the stress {name}" for name, part in (goal.get("plus") or {}).items() if part]
        turn = goal.get("reverse_at_stress")
        if turn is not None:
            at = " plus ".join(["the stress", *others])
            return f"{key.replace('_', ' ')} {component} {said}, reversed when {at} reaches {quantity_text(turn, 'Pa')}"
        return f"{key.replace('_', ' ')} {component} {' plus '.join([said, *others])}"
    return ""


def _cell_stage(number: int, stage: dict[str, Any]) -> str:
    """A stage that prescribes strain and stress of a periodic cell. Its number counts from 0, as in the series."""
    goals = [_cell_goal(component, stage.get(component) or {}) for component in ("xx", "yy", "zz", "yz", "xz", "xy")]
    held = listed([goal for goal in goals if goal]) or "no strain"
    until = stage.get("until") or {}
    found = [f"{quantity_text(until['duration'], 's')} are over"] if until.get("duration") is not None else []
    found += [f"the strain {component} is {strain:g}" for component, strain in (until.get("strain") or {}).items()
              if strain is not None]  # fmt: skip
    found += [f"the stress {component} passes {quantity_text(stress, 'Pa')}"
              for component, stress in (until.get("stress") or {}).items() if stress is not None]  # fmt: skip
    if until.get("reversals") is not None:
        found.append(f"strain rates have changed their signs {counted(until['reversals'], 'time')}")
    found += [f"the {key.replace('_', ' ')} is {_beyond(until[key], '')}" for key in ("void_ratio", "solid_fraction")
              if until.get(key)]  # fmt: skip
    rest = [f"the {what} is at most {until[key]:g}" for key, what in
            (("stress_error", "relative error of the stresses"), ("unbalanced_force", "unbalanced force"))
            if until.get(key) is not None]  # fmt: skip
    found += [listed(rest)] if rest else []
    end = f"ends when {listed(found, 'or')}" if found else "lasts until the end of the run"
    return f"{stage.get('name') or f'Stage {number} of the cell'}: the cell has {held}; it {end}."


def _rounds(name: str, repeat: dict[str, Any]) -> str:
    """How often stages of a cell are repeated, and what ends that earlier."""
    amplitudes = ((repeat.get("until") or {}).get("double_amplitude") or {}).items()
    found = [
        f"the double amplitude {component} is {strain:g}" for component, strain in amplitudes if strain is not None
    ]
    early = f", or until {listed(found, 'or')}" if found else ""
    stages = counted(len(repeat["stages"]), "stage comes", "stages come")
    return f"{name}: the last {stages} {counted(repeat['times'], 'time')} in turn{early}."


def stages_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each stage of the run or of the cell: what it changes, and what ends it."""
    sentences, number = [], 0
    for stage in (case.get("domain") or {}).get("control") or []:
        repeat = stage.get("repeat")
        inner = repeat["stages"] if repeat else [stage]
        sentences += [_cell_stage(number + k, one) for k, one in enumerate(inner)]
        number += len(inner) * (repeat["times"] if repeat else 1)
        if repeat:
            sentences.append(_rounds(stage.get("name") or "These stages", repeat))
    for stage in case.get("stages") or []:
        until = stage.get("until") or {}
        conditions = _conditions(until)
        end = f"ends when {listed(conditions, 'or')}" if conditions else "lasts until the end of the run"
        if until.get("not_before"):
            end += f", the earliest after {quantity_text(until['not_before'], 's')}"
        changes = "; ".join(_changes(stage))
        sentences.append(f"{stage['name']}: {changes}; it {end}." if changes else f"{stage['name']}: it {end}.")
    return sentences
