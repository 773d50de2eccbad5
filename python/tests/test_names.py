"""Messages about names that are not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import lattice, made_up

from scree.errors import ResultsError
from scree.measures import measure
from scree.names import Named, unknown_name


def test_a_mistyped_name_and_the_names_there_are() -> None:
    known = ["kinetic_energy", "work_drum", "work_rotor", "contacts"]
    assert unknown_name("kinetic_enrgy", known).startswith('did you mean "kinetic_energy"? There are kinetic_energy, ')
    assert unknown_name("Work", known).startswith('did you mean "work_drum" or "work_rotor"? ')
    assert unknown_name("zzz", known) == "there are kinetic_energy, work_drum, work_rotor, contacts"
    assert unknown_name("", known) == "there are kinetic_energy, work_drum, work_rotor, contacts"
    assert unknown_name("a", []) == "there are none"
    assert unknown_name("zzz", ["glass"]) == "there is only glass"


def test_a_list_that_is_cut_says_so(tmp_path: Path) -> None:
    names = [f"quantity_{k}" for k in range(14)]
    run = made_up(tmp_path, lattice(2, 1e-3), 1e-3, f"time[s],{','.join(names)}\n0{',1' * 14}\n")
    with pytest.raises(ResultsError, match='no column "mass"; there are quantity_0, .*, quantity_11 and 2 more$'):
        measure(run, "final:mass")
    assert unknown_name("mass", names[:12]).endswith("quantity_10, quantity_11")


def test_a_dict_that_says_what_it_has() -> None:
    boundaries = Named("boundary", {"drum": 1, "floor": 2})
    assert (boundaries["drum"], boundaries.get("rotor"), "rotor" in boundaries) == (1, None, False)
    with pytest.raises(KeyError, match='there is no boundary "drm": did you mean "drum"\\? There are drum, floor'):
        boundaries["drm"]
    with pytest.raises(KeyError, match='there is no boundary "a": there are none'):
        Named("boundary", {})["a"]
