"""Arrays of files are used as arrays of NumPy are; nothing here needs the program or the compiled module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from numpy.testing import assert_array_equal
from runs import lattice, made_up

from scree.checkpoint import Checkpoint
from scree.lazy_array import LazyArray


@pytest.fixture
def lazy(tmp_path: Path) -> LazyArray:
    return made_up(tmp_path, lattice(3, 1e-3), 1e-3).frames[0].positions


@pytest.mark.parametrize(
    "key",
    [
        0, -1, numpy.int64(3), slice(2, 5), slice(None, None, 2), (slice(None), 2), (..., 1), ...,
        slice(None, None, -1), [5, 3], [1, 1], [], numpy.arange(27)[::-1], (slice(None), None), ([0, 1], [1, 2]),
        numpy.arange(27) % 2 == 0, (slice(None), [True, False, True]), slice(5, 2),
    ],
)  # fmt: skip
def test_every_key_of_numpy_chooses(lazy: LazyArray, key: Any) -> None:
    """Files know neither orders, as those of argsort, nor steps back."""
    assert_array_equal(lazy[key], lazy[...][key])


@pytest.mark.parametrize("key", [27, [30], numpy.ones(3, bool), 1.5])
def test_keys_that_do_not_fit_are_errors(lazy: LazyArray, key: Any) -> None:
    with pytest.raises(IndexError):
        lazy[key]


def test_methods_of_numpy_that_change_nothing_read_the_file(lazy: LazyArray) -> None:
    assert lazy.max() == lazy[...].max()
    assert numpy.array_equal(lazy.mean(axis=0), lazy[...].mean(axis=0))
    assert numpy.array_equal(lazy.T, lazy[...].T)
    assert lazy.astype(int).dtype == int
    with pytest.raises(AttributeError, match="no attribute 'sort'"):
        lazy.sort()  # would sort a copy


def test_the_file_stays_as_it_is(lazy: LazyArray) -> None:
    before = lazy[...]
    with pytest.raises(TypeError, match="stays as it is: change a copy"):
        lazy *= 2
    with pytest.raises(TypeError, match="stays as it is"):
        numpy.add(1, 2, out=lazy)  # type: ignore[call-overload]
    values = numpy.ones(3)
    values += lazy[0]
    assert_array_equal(lazy, before)
    assert_array_equal(values, 1 + before[0])


def test_integers_with_a_sign_that_checkpoints_store_without(tmp_path: Path) -> None:
    """A particle that was taken back into a periodic cell through its lower face, and one on the lower side of a
    plane."""
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["state/bodies/image"] = numpy.array([[0, -1, 2]], "i4").view("u4")
        file["state/probes/out/side"] = numpy.array([-1, 1, 0], "i1").view("u1")
        file["state/bodies/material"] = numpy.array([2**32 - 1], "u4")
    checkpoint = Checkpoint(tmp_path / "a.h5")
    image = checkpoint["bodies/image"]
    assert (image.dtype, image.min(), image[0, 1], image[:, 1:].tolist()) == (numpy.int32, -1, -1, [[-1, 2]])
    assert_array_equal(image[[0], ::-1], [[2, -1, 0]])
    assert_array_equal(image * 0.5, [[0, -0.5, 1]])
    assert checkpoint["probes/out/side"][...].tolist() == [-1, 1, 0]
    assert checkpoint["bodies/material"][0] == 2**32 - 1
