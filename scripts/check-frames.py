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

VERTEX, LINE, TRIANGLE = 1, 3, 5


class Problems:
    """An error in a file, with the name of the file."""

    def __init__(self):
        self.count = 0

    def expect(self, condition, file, text):
        if not condition:
            self.count += 1
            print(f"{file}: {text}")


def same(problems, file, name, from_vtk, from_file):
    """Checks that shape and bits are equal. NaN counts as a difference, since a run with NaN is no result; only the
    overlaps of level-set grains are not known."""
    equal = numpy.array_equal(from_vtk, from_file, equal_nan=name == "overlap")
    problems.expect(equal, file, f"{name} differs between VTK and the file")


def check_fields(problems, file, data, group):
    """Compares all fields of points or cells."""
    problems.expect(data.GetNumberOfArrays() == len(group), file, "wrong number of fields")
    for name, values in group.items():
        array = data.GetArray(name)
        problems.expect(array is not None, file, f"VTK does not see the field {name}")
        if array is not None:
            same(problems, file, name, vtk_to_numpy(array), values[...])


def check_contacts(problems, file):
    """Checks the order of contacts, and that lines and vectors fit to each other."""
    with h5py.File(file) as hdf:
        data = {name: values[...] for name, values in hdf["VTKHDF/CellData"].items()}
        lines = hdf["VTKHDF/Points"][...].reshape(-1, 2, 3)
    if len(lines) == 0:
        return
    among = data["with_boundary"] == 0
    keys = list(zip(~among, numpy.where(among, data["first"], data["second"]), data["second"]))
    problems.expect(all(a <= b for a, b in zip(keys, keys[1:])), file, "contacts are not in the order of ids")
    problems.expect((data["first"][among] < data["second"][among]).all(), file, "the lower id is not the first")
    length = numpy.linalg.norm(data["normal"], axis=1)
    problems.expect(numpy.allclose(length, 1, atol=1e-5), file, "normals are not of length 1")
    largest = numpy.abs(data["normal_force"]).max()
    along = numpy.abs((data["shear_force"] * data["normal"]).sum(axis=1)).max()
    problems.expect(along <= 1e-5 * max(largest, numpy.abs(data["shear_force"]).max()), file, "shear along a normal")
    problems.expect(numpy.isfinite(lines).all(), file, "ends of lines are not finite")


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
        check_fields(problems, file, grid.GetPointData(), root["PointData"])
        check_fields(problems, file, grid.GetCellData(), root["CellData"])
        stored = grid.GetFieldData().GetArray("TimeValue")
        problems.expect(stored is not None, file, "VTK does not see TimeValue")
        if stored is not None and time is not None:
            problems.expect(stored.GetValue(0) == time, file, f"TimeValue {stored.GetValue(0)}, in the series {time}")
    return len(points)


def check_fields_on_grid(problems, file, time):
    """Checks size, time and all fields of a grid with VTK. NaN may stand only where there are no particles."""
    reader = vtkHDFReader()
    if not reader.CanReadFile(str(file)):
        problems.expect(False, file, "VTK cannot read it")
        return
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        cells = root.attrs["WholeExtent"][1::2]
        problems.expect(grid.GetNumberOfCells() == numpy.prod(cells), file, "wrong number of cells")
        problems.expect(grid.GetSpacing() == tuple(root.attrs["Spacing"]), file, "wrong spacing")
        problems.expect(grid.GetOrigin() == tuple(root.attrs["Origin"]), file, "wrong origin")
        data = grid.GetCellData()
        problems.expect(data.GetNumberOfArrays() == len(root["CellData"]), file, "wrong number of fields")
        empty = (root["CellData/number_density"][...] == 0).ravel()
        for name, values in root["CellData"].items():
            problems.expect(values.shape[:3] == tuple(reversed(cells)), file, f"{name} is not of the grid")
            rows = values[...].reshape(grid.GetNumberOfCells(), -1)
            array = data.GetArray(name)
            problems.expect(array is not None, file, f"VTK does not see the field {name}")
            if array is not None:
                equal = numpy.array_equal(vtk_to_numpy(array).reshape(rows.shape), rows, equal_nan=True)
                problems.expect(equal, file, f"{name} differs between VTK and the file")
            known = numpy.isfinite(rows).all(axis=1)
            # Without contacts nothing is known of their directions.
            without = empty if name != "fabric" else (root["CellData/coordination_number"][...] > 0).ravel() == 0
            problems.expect((known | without).all(), file, f"{name} is not finite where there are particles")
        stored = root["FieldData/TimeValue"][0]
        problems.expect(stored == time, file, f"TimeValue {stored}, in the series {time}")
        problems.expect(root["FieldData/Samples"][0] > 0, file, "no samples")


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
        if frame.exists() and cell_type is None:
            check_fields_on_grid(problems, frame, entry["time"])
        elif frame.exists():
            check_grid(problems, frame, entry["time"], cell_type, corners)
    return len(entries)


def complete_rows(problems, file):
    """The header and the rows of a table, which must have complete lines."""
    text = file.read_text()
    problems.expect(text.endswith("\n"), file, "ends within a line")
    header, *rows = csv.reader(text.splitlines())
    for number, row in enumerate(rows, start=2):
        problems.expect(len(row) == len(header), file, f"line {number} has {len(row)} of {len(header)} values")
    return header, rows


def check_left(problems, file):
    """Checks that left.csv has complete lines in the order of steps and ids. Returns the number of rows."""
    if not file.exists():
        return 0
    _, rows = complete_rows(problems, file)
    order = [(int(row[1]), int(row[2])) for row in rows]
    problems.expect(all(a < b for a, b in zip(order, order[1:])), file, "rows are not in the order of steps and ids")
    return len(rows)


def check_table(problems, file):
    """Checks that series.csv has complete lines, only numbers, and increasing times. Returns the number of rows."""
    if not file.exists():
        return 0
    _, rows = complete_rows(problems, file)
    for number, row in enumerate(rows, start=2):
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
    contacts = check_series(problems, folder / "contacts.vtkhdf.series", LINE, 2)
    files = sorted((folder / "contacts").glob("*.vtkhdf"))
    problems.expect(len(files) == contacts, folder, f"{len(files)} files of contacts, {contacts} in the series")
    for file in files:
        check_contacts(problems, file)
    fields = 0
    for file in sorted((folder / "fields").glob("*.vtkhdf.series")):
        fields += check_series(problems, file, None, None)
    files = len(list((folder / "fields").glob("*/*.vtkhdf")))
    problems.expect(files == fields, folder, f"{files} files of fields, {fields} in the series")
    rows = check_table(problems, folder / "series.csv")
    left = check_left(problems, folder / "left.csv")
    leftovers = [path for path in folder.rglob("*.tmp")]
    problems.expect(not leftovers, folder, f"temporary files were left: {leftovers}")
    print(f"{folder}: {frames} frames, {surfaces} surfaces, {contacts} files of contacts, {fields} of fields, "
          f"{rows} series rows, {left} particles that left, {problems.count} problems")  # fmt: skip
    return 1 if problems.count else 0


if __name__ == "__main__":
    sys.exit(main())
