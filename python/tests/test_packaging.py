"""The recipe of the conda package agrees with what it builds: the one check of it that needs no conda."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "packaging/conda/recipe.yaml"
pytestmark = pytest.mark.skipif(not RECIPE.is_file(), reason="there is no checkout")


def test_the_recipe_has_the_version_of_the_project() -> None:
    project = re.search(r"project\(scree VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    recipe = re.search(r'^  version: "([0-9.]+)"', RECIPE.read_text(), re.MULTILINE)
    assert project and recipe and recipe[1] == project[1]


def test_options_files_and_python_packages_of_the_recipe_exist() -> None:
    recipe = RECIPE.read_text()
    cmake = "".join(file.read_text() for file in (ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")))
    options = re.findall(r"-Ccmake\.define\.(\w+)=", recipe)
    assert options
    for option in options:
        assert re.search(rf"(option|set)\({option}\b", cmake), f"CMake has no {option}"
    for file in (*re.findall(r"configs/\w+\.json", recipe), *re.findall(r"license_file: (\S+)", recipe)):
        assert (ROOT / file).is_file(), f"there is no {file}"
    # Every dependency of the Python package, with the same lower bound.
    needs = re.search(r"^dependencies = \[(.*)\]", (ROOT / "python/pyproject.toml").read_text(), re.MULTILINE)
    assert needs
    for name, version in re.findall(r'"(\w+) >= ([0-9.]+)"', needs[1]):
        assert f"- {name} >={version}\n" in recipe
