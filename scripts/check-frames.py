#!/usr/bin/env python3
"""Reads the frames of an output folder with VTK and compares every value with the one in the files.

Usage: check-frames.py FOLDER

Exit codes: 0 all equal (or skipped, with a message, when vtk or h5py is missing), 1 something differs or is missing.
"""

import csv
import json
import pathlib
import sys

try:
    import h5py
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"check-frames: skipped, {missing.name} is not installed")
    sys.exit(0)

VERTEX, TRIANGLE = 1, 5


class Problems:
    """An error in a file, with the name of the file."""

    def __init__(self):
        self.count = 0

    def expect(self, condition, file, text):
        if not condition:
            self.count += 1
            print(f"{file}: {text}")


def same(problems, file, name, from_vtk, from_file):
    """Checks that shape and bits are equal. NaN counts as a difference, since a run with NaN is no result."""
    problems.expect(numpy.array_equal(from_vtk, from_file), file, f"{name} differs between VTK and the file")


def check_grid(problems, file, time, cell_type, corners):
    """Checks topology, positions, point data and time of one file with VTK. Returns the number of points."""
    reader = vtkHDFReader()
    if not reader.CanReadFile(str(file)):
        problems.expect(False, file, "VTK cannot read it")
        return 0
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        points = root["Points"][...]
        problems.expect(grid.GetNumberOfPoints() == len(points), file, "wrong number of points")
        problems.expect(grid.GetNumberOfCells() == root["NumberOfCells"][0], file, "wrong number of cells")
        if len(points) == 0:
            return 0
        same(problems, file, "Points", vtk_to_numpy(grid.GetPoints().GetData()), points)
        types = {grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}
        problems.expect(types == {cell_type}, file, f"cell types {types}, expected {cell_type}")
        connectivity = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
        problems.expect(len(connectivity) == corners * grid.GetNumberOfCells(), file, "wrong number of corners")
        same(problems, file, "Connectivity", connectivity, root["Connectivity"][...])
        data = grid.GetPointData()
        problems.expect(data.GetNumberOfArrays() == len(root["PointData"]), file, "wrong number of fields")
        for name, values in root["PointData"].items():
            array = data.GetArray(name)
            problems.expect(array is not None, file, f"VTK does not see the field {name}")
            if array is not None:
                same(problems, file, name, vtk_to_numpy(array), values[...])
        stored = grid.GetFieldData().GetArray("TimeValue")
        problems.expect(stored is not None, file, "VTK does not see TimeValue")
        if stored is not None and time is not None:
            problems.expect(stored.GetValue(0) == time, file, f"TimeValue {stored.GetValue(0)}, in the series {time}")
    return len(points)


def check_series(problems, file, cell_type, corners):
    """Checks a ParaView file series and every file that it lists. Returns the number of these files."""
    if not file.exists():
        return 0
    entries = json.loads(file.read_text())["files"]
    times = [entry["time"] for entry in entries]
    problems.expect(all(a < b for a, b in zip(times, times[1:])), file, "times do not increase")
    for entry in entries:
        frame = file.parent / entry["name"]
        problems.expect(frame.exists(), frame, "is listed and missing")
        if frame.exists():
            check_grid(problems, frame, entry["time"], cell_type, corners)
    return len(entries)


def check_table(problems, file):
    """Checks that series.csv has complete lines, only numbers, and increasing times. Returns the number of rows."""
    if not file.exists():
        return 0
    text = file.read_text()
    problems.expect(text.endswith("\n"), file, "ends within a line")
    header, *rows = csv.reader(text.splitlines())
    for number, row in enumerate(rows, start=2):
        problems.expect(len(row) == len(header), file, f"line {number} has {len(row)} of {len(header)} values")
        problems.expect(all(numpy.isfinite(float(cell)) for cell in row), file, f"line {number} is not finite")
    times = [float(row[0]) for row in rows]
    problems.expect(all(a < b for a, b in zip(times, times[1:])), file, "times do not increase")
    return len(rows)


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 1
    folder = pathlib.Path(sys.argv[1])
    problems = Problems()
    problems.expect((folder / "case.json").exists(), folder, "holds no case.json: no output folder of a run")
    frames = check_series(problems, folder / "frames.vtkhdf.series", VERTEX, 1)
    listed = len(list((folder / "frames").glob("*.vtkhdf"))) if (folder / "frames").exists() else 0
    problems.expect(listed == frames, folder, f"{listed} frames in the folder, {frames} in the series")
    surfaces = 0
    for file in sorted((folder / "boundaries").glob("*.vtkhdf")):
        check_grid(problems, file, None, TRIANGLE, 3)
        surfaces += 1
    for file in sorted((folder / "boundaries").glob("*.vtkhdf.series")):
        surfaces += check_series(problems, file, TRIANGLE, 3)
    rows = check_table(problems, folder / "series.csv")
    leftovers = [path for path in folder.rglob("*.tmp")]
    problems.expect(not leftovers, folder, f"temporary files were left: {leftovers}")
    print(f"{folder}: {frames} frames, {surfaces} surfaces, {rows} series rows, {problems.count} problems")
    return 1 if problems.count else 0


if __name__ == "__main__":
    sys.exit(main())
