"""Numbers that one reads off a run: flow rates, angles of repose, solid fractions, heights.

`measure(run, text)` takes them by the names that `scree sweep --measure` and `scree calibrate --to` use.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from .errors import ResultsError
from .frames import Frame
from .names import unknown_name
from .program import InputError, parse_number
from .render.fields import Colouring
from .results import Results
from .slopes import LEAST_COLUMNS, Slope, mean_of_frames, slope_of, surface_heights
from .whole_grains import WholeGrains, surfaces_at

if TYPE_CHECKING:
    import pandas

__all__ = [
    "MEASURES",
    "LineFit",
    "Measure",
    "angle_of_repose",
    "bed_height",
    "discharge_rate",
    "final",
    "fit_line",
    "fragments",
    "mass_columns",
    "measure",
    "mixing",
    "residence_time",
    "residence_time_variance",
    "residence_times",
    "slope_angle",
    "solid_fraction",
]  # fmt: skip

Numbers = NDArray[numpy.float64]

_MOST_FRAMES = 50  # over which a mean is taken: more are too alike to be worth their time


@dataclass(frozen=True)
class Measure:
    """A number with its unit, and its standard error where the run tells it."""

    value: float
    unit: str = ""
    error: float = math.nan


@dataclass(frozen=True)
class LineFit:
    """A line by least squares, y = offset + slope x, between two x."""

    slope: float
    error: float  #: standard error of the slope, as if rows were independent
    offset: float
    start: float
    end: float
    r_squared: float


def fit_line(x: Numbers, y: Numbers) -> LineFit:
    """Fits a line; needs three points at two different x. Raises ResultsError."""
    if len(x) < 3 or numpy.ptp(x) <= 0:
        raise ResultsError("a line needs three points or more")
    centre = x.mean()
    spread = float(((x - centre) ** 2).sum())
    slope = float(((x - centre) * (y - y.mean())).sum() / spread)
    offset = float(y.mean() - slope * centre)
    rest = float(((y - offset - slope * x) ** 2).sum())
    total = float(((y - y.mean()) ** 2).sum())
    error = math.sqrt(rest / (len(x) - 2) / spread)
    return LineFit(slope, error, offset, float(x[0]), float(x[-1]), 1 - rest / total if total > 0 else 1.0)


def mass_columns(run: Results) -> list[str]:
    """Columns of the series that add up mass [kg]: of outlets, regions and flow probes; those that stay 0 left out."""
    series, units = run.shared_series(), run.units
    probes = run.case.get("output", {}).get("series", {}).get("probes", {})
    flows = {f"{name}_mass" for name, probe in probes.items() if probe.get("type") == "flow"}
    return [name for name in series.columns
            if units.get(name) == "kg" and (name in flows or name.startswith("removed_mass_"))
            and len(series) and float(series[name].abs().max()) > 0]  # fmt: skip


def discharge_rate(run: Results, name: str = "", part: tuple[float, float] = (0.1, 0.6)) -> tuple[Measure, LineFit]:
    """Mass flow [kg/s] through an outlet or a flow probe: the slope while `part` of the mass at the end has left.

    Without a name it is the outlet through which most has left."""
    columns = mass_columns(run)
    if name:
        columns = [
            column for column in (f"removed_mass_{name}", f"{name}_mass", name) if column in run.shared_series().columns
        ]
        if not columns:
            raise ResultsError(f'{run.folder}: no outlet and no flow probe has the name "{name}"')
    if not columns:
        raise ResultsError(f"{run.folder}: no mass has left through an outlet or passed a flow probe")
    series = run.shared_series()
    masses = {column: series[column].to_numpy(float) for column in columns}
    column = max(columns, key=lambda c: abs(masses[c][-1]))
    time, mass = series.index.to_numpy(float), masses[column]
    last = mass[-1]
    steady = (mass / last > part[0]) & (mass / last < part[1]) if last else numpy.zeros(len(mass), bool)
    if steady.sum() < 3:
        share = f"{part[0]:.0%} to {part[1]:.0%}"
        raise ResultsError(f"{run.folder}: {column}: fewer than three rows while {share} passed; "
                           "a smaller output.series.every helps")  # fmt: skip
    fit = fit_line(time[steady], mass[steady])
    return Measure(fit.slope, "kg/s", fit.error), fit


def _column(run: Results, name: str) -> Numbers:
    series = run.shared_series()
    if name not in series.columns:
        raise ResultsError(
            f'{run.folder}: the series has no column "{name}"; {unknown_name(name, map(str, series.columns))}'
        )
    values = series[name].to_numpy(float)
    if not len(values):
        raise ResultsError(f"{run.folder}: the series has no rows")
    return values


def _some(run: Results, name: str, values: Numbers) -> Numbers:
    """The values that are numbers; there has to be one."""
    known: Numbers = values[~numpy.isnan(values)]
    if not len(known):
        raise ResultsError(f"{run.folder}: {name}: there is no number in these rows of the series")
    return known


def final(run: Results, name: str) -> Measure:
    """The last value of a column of the series."""
    return Measure(float(_column(run, name)[-1]), run.units.get(name, ""))


def _largest(run: Results, name: str) -> Measure:
    return Measure(float(_some(run, name, _column(run, name)).max()), run.units.get(name, ""))


def _mean(run: Results, name: str) -> Measure:
    """Mean over the second half of the run."""
    values, time = _column(run, name), run.shared_series().index.to_numpy(float)
    late = values[time >= time[-1] / 2]
    return Measure(float(_some(run, name, late).mean()), run.units.get(name, ""))


def _up(run: Results) -> Numbers:
    """Unit vector against gravity; z without gravity."""
    gravity = numpy.array(run.case.get("gravity", [0, 0, -9.81]), float)
    length = float(numpy.linalg.norm(gravity))
    return -gravity / length if length else numpy.array([0.0, 0.0, 1.0])


def _last(run: Results) -> Frame:
    """The last frame."""
    frames = run.frames
    if not len(frames) or not len(frames[-1]):
        raise ResultsError(f"{run.folder}: has no frames with particles")
    return frames[-1]


def _outline(run: Results, frame: Frame, grains: WholeGrains) -> tuple[Numbers, Numbers]:
    """Points [n, 3] [m] and how far grains reach above each [n] [m]: spheres, and vertices of level-set grains."""
    surface, round_ones = surfaces_at(run, frame), ~numpy.isnan(grains.radii)
    points, reach = grains.positions[round_ones], grains.radii[round_ones]
    if surface is None:
        return points, reach
    vertices = numpy.asarray(surface.positions[...], float)
    return numpy.concatenate([points, vertices]), numpy.concatenate([reach, numpy.zeros(len(vertices))])


def bed_height(run: Results) -> Measure:
    """Height [m] of the bed at the end, over the origin: the median of the tops of squares.

    The plane is divided into squares of two diameters; the highest grain of each counts."""
    frame = _last(run)
    grains = WholeGrains.or_spheres(run, frame)
    points, radii = _outline(run, frame, grains)
    up = _up(run)
    level = points @ up
    flat = points - level[:, None] * up
    axes = [axis for axis in numpy.eye(3) if abs(axis @ up) < 0.9][:2]
    cells = numpy.floor(flat @ numpy.array(axes).T / (4 * grains.sizes.mean())).astype(int)
    _, place = numpy.unique(cells, axis=0, return_inverse=True)
    tops = numpy.full(place.max() + 1, -numpy.inf)
    numpy.maximum.at(tops, place.ravel(), level + radii)
    return Measure(float(numpy.median(tops)), "m", float(tops.std() / math.sqrt(len(tops))))


def _surface_angle(distance: Numbers, top: Numbers, width: float) -> float:
    """Angle [degrees] of the upper envelope of points over a distance; NaN where there are too few."""
    bins = numpy.floor(distance / width).astype(int)
    highest = numpy.full(bins.max() + 1, numpy.nan)
    for k in numpy.unique(bins):
        highest[k] = top[bins == k].max()
    middle = (numpy.arange(len(highest)) + 0.5) * width
    peak, foot = numpy.nanmax(highest), numpy.nanmin(highest)
    if not peak > foot:
        return math.nan  # flat, or a single place
    part = (highest - foot) / max(peak - foot, 1e-300)
    first = int(numpy.flatnonzero(part > 0.8)[-1])
    behind = numpy.flatnonzero(~(part > 0.2) & (numpy.arange(len(part)) > first))  # gaps end the flank, too
    last = int(behind[0]) if len(behind) else len(part)
    flank = slice(first, last)  # from the last high place to the first low one: stray grains beyond do not count
    if last - first < 3:
        return math.nan
    return math.degrees(math.atan(-fit_line(numpy.asarray(middle[flank], float), highest[flank]).slope))


def angle_of_repose(run: Results, sectors: int = 8) -> Measure:
    """Angle of repose [degrees] of a conical heap at the end.

    The upper envelope over the distance from the axis (through the centre of mass) is fitted from four fifths to a
    fifth of its height, sector by sector; the error is that of the mean over sectors."""
    frame = _last(run)
    grains = WholeGrains.or_spheres(run, frame)
    points, radii = _outline(run, frame, grains)
    up = _up(run)
    axes = numpy.array([axis for axis in numpy.eye(3) if abs(axis @ up) < 0.9][:2])
    flat = (points - numpy.average(grains.centres, axis=0, weights=grains.volumes)) @ axes.T
    top, distance = points @ up + radii, numpy.linalg.norm(flat, axis=1)
    turn = numpy.arctan2(flat[:, 1], flat[:, 0])
    sector = ((turn + math.pi) / (2 * math.pi) * sectors).astype(int).clip(0, sectors - 1)
    width = 2 * float(numpy.median(grains.sizes))
    angles = [_surface_angle(distance[sector == k], top[sector == k], width)
              for k in range(sectors) if (sector == k).sum() > 10]  # fmt: skip
    angles = [angle for angle in angles if math.isfinite(angle)]
    if len(angles) < 3:
        raise ResultsError(f"{run.folder}: the heap is too small for an angle of repose")
    return Measure(float(numpy.mean(angles)), "deg", float(numpy.std(angles, ddof=1) / math.sqrt(len(angles))))


def _axis(text: str) -> tuple[int, str]:
    """Sign and letter of an axis."""
    sign, letter = (-1, text[1:]) if text.startswith("-") else (1, text)
    if letter not in ("x", "y", "z"):
        raise InputError(f'slope_angle: "{text}" is none of x, y, z, -x, -y, -z')
    return sign, letter


def _slope(run: Results, frame: Frame, axis: str) -> Slope:
    """The surface of one frame along an axis."""
    sign, letter = _axis(axis)
    grains = WholeGrains.or_spheres(run, frame)
    up, way = _up(run), sign * numpy.eye(3)["xyz".index(letter)]
    way = way - (way @ up) * up  # level, also where gravity is inclined
    if (length := float(numpy.linalg.norm(way))) < 1e-6:
        raise ResultsError(f"{run.folder}: slope_angle:{axis}: the axis is that of gravity: no slope falls along it")
    way /= length
    across = grains.centres @ numpy.cross(up, way)
    depth = float(numpy.ptp(across)) + 2 * float(numpy.median(grains.sizes))
    return slope_of(*surface_heights(grains.centres @ way, grains.centres @ up, grains.volumes, depth))


def slope_angle(run: Results, axis: str = "x") -> Measure:
    """Angle [degrees] of a slope that falls along an axis (x, y, -x or -y), as in a drum or a flat heap: mean over the
    frames of the second half of the run, fifty at most, with its standard error.

    The surface is where the packing falls to half of that in the bed, so that grains in flight do not count; the angle
    is that of a line from four fifths to a fifth of its height. Raises ResultsError where this part is shorter than
    three diameters in more than half of the frames."""
    _axis(axis)
    last = _last(run)
    late = [frame for frame in run.frames if frame.time >= last.time / 2 and len(frame)]
    places = numpy.unique(numpy.linspace(0, len(late) - 1, min(len(late), _MOST_FRAMES)).round().astype(int))
    slopes = [_slope(run, late[k], axis) for k in places]
    known = [slope for slope in slopes if math.isfinite(slope.angle)]
    if 2 * len(known) < len(slopes):
        short = next(slope for slope in reversed(slopes) if not math.isfinite(slope.angle))
        least = 2 * LEAST_COLUMNS * float(numpy.median(WholeGrains.or_spheres(run, last).sizes))
        raise ResultsError(
            f"{run.folder}: the slope is too short for an angle in {len(slopes) - len(known)} of {len(slopes)} frames: "
            f"the part from four fifths to a fifth of its height ({short.fall:.3g} m) is {short.length:.3g} m long; it "
            f"needs {LEAST_COLUMNS} grain diameters ({least:.3g} m) or more"
        )
    angles, errors = (numpy.array([getattr(s, name) for s in known]) for name in ("angle", "error"))
    mean, error = mean_of_frames(angles, errors)
    return Measure(mean, "deg", error)


def residence_times(
    run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = ""
) -> tuple[Numbers, Numbers]:
    """Times [s] from coming in to leaving, in ascending order, and the masses [kg] of these particles.

    They are those of left.csv: of one outlet, inlet, material and group, or of all. If inlets brought particles, those
    of the start, which were in the middle of their way then, are left out. The distribution by mass is
    `cumsum(mass) / sum(mass)` over `time`."""
    left = run.left
    which = ""
    for column, name, how in (
        ("outlet", outlet, "through the outlet"),
        ("inlet", inlet, "of the inlet"),
        ("material", material, "of the material"),
        ("group", group, "of the group"),
    ):
        if not name:
            continue
        which += f' {how} "{name}"'
        if column not in left:
            raise ResultsError(f"{run.folder}: left.csv has no column {column}")
        left = left[left[column] == name]
    left = left[left["inserted"].notna()]
    if (left["inserted"] > 0).any():
        left = left[left["inserted"] > 0]
    if not len(left):
        raise ResultsError(f"{run.folder}: no particle of which it is known when it came in has left{which}")
    stay = (left["time"] - left["inserted"]).to_numpy(float)
    order = numpy.argsort(stay, kind="stable")
    return stay[order], left["mass"].to_numpy(float)[order]


def residence_time(run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = "") -> Measure:
    """Mean residence time [s] by mass; the error is as if particles were independent."""
    stay, mass = residence_times(run, outlet, inlet=inlet, material=material, group=group)
    weight = mass / mass.sum()
    mean = float((weight * stay).sum())
    spread = float((weight * (stay - mean) ** 2).sum())
    return Measure(mean, "s", math.sqrt(spread * float((weight**2).sum())))


def residence_time_variance(
    run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = ""
) -> Measure:
    """Variance [s2] of the residence times by mass."""
    stay, mass = residence_times(run, outlet, inlet=inlet, material=material, group=group)
    weight = mass / mass.sum()
    mean = float((weight * stay).sum())
    return Measure(float((weight * (stay - mean) ** 2).sum()), "s2")


def fragments(run: Results, frame: int = -1) -> pandas.DataFrame:
    """Pieces that bonds hold together in a frame with the fields fragment, radius and material, the heaviest first.

    Indexed by the lowest id of their particles: `particles`, of which a clump is one, and `mass` [kg]."""
    import pandas

    moment = run.frames[frame]
    grains = WholeGrains.of(run, moment)
    density = numpy.array([value["density"] for value in run.case["materials"].values()], float)
    mass = grains.volumes * density[numpy.asarray(moment["material"][...])[grains.first]]
    table = pandas.DataFrame({"fragment": moment["fragment"][...][grains.first], "particles": 1, "mass": mass})
    return table.groupby("fragment").sum().sort_values("mass", ascending=False, kind="stable")


def solid_fraction(run: Results, low: Numbers, high: Numbers) -> Measure:
    """Part of a box from `low` to `high` [3] [m] that grains fill at the end, each volume counted once.

    Spheres that the faces cut are measured at points within them, level-set grains by their surfaces between nodes. In
    a periodic cell images count, too; but in a run whose cell came with a "start", only stored places do. Raises
    ResultsError where the frame does not tell which spheres are one clump."""
    grains = WholeGrains.of(run, _last(run), instead=", or measure with the probe porosity")
    volume = grains.volume_in(low, high, _periodic(run))
    return Measure(volume / float(numpy.prod(high - low)))


def _periodic(run: Results) -> tuple[bool, bool, bool]:
    """Along which edges the cell of a case repeats."""
    cell = run.case.get("domain", {}).get("periodic")
    axes = cell.get("axes", ["x", "y", "z"]) if cell else []
    return "x" in axes, "y" in axes, "z" in axes


def _box(text: str) -> tuple[Numbers, Numbers]:
    """Lowest and highest corner of a box."""
    numbers = [parse_number(part, "solid_fraction") for part in text.split(",")]
    low, high = numpy.array(numbers[:3]), numpy.array(numbers[3:])
    if len(numbers) != 6 or not (high > low).all():
        raise InputError("solid_fraction: give the box as X0,Y0,Z0,X1,Y1,Z1 [m]")
    return low, high


def _solid_fraction(run: Results, text: str) -> Measure:
    return solid_fraction(run, *_box(text))


def mixing(run: Results, text: str) -> Measure:
    """Lacey's index at the end: 0 where two kinds lie apart, 1 where they are mixed at random. A clump is one grain.

    `text` is a field that divides the grains at its median, as "x@0.5": their x at 0.5 s, or "material". Cells are
    cubes that hold some twelve grains (Lacey 1954). Raises ResultsError where the frame does not tell clumps."""
    how = Colouring.parse(text, "mixing")
    frame = _last(run)
    grains = WholeGrains.of(run, frame)
    values = grains.mean(how.values(run, frame))
    known = numpy.isfinite(values)
    if not known.any():
        raise ResultsError(f"{run.folder}: no grain has a value of {text}")
    points, values = grains.centres[known], values[known]
    middle = numpy.median(values)
    kind = values > middle if (values > middle).any() else values >= middle
    share = float(kind.mean())
    if not 0 < share < 1:
        raise ResultsError(f"{run.folder}: {text} does not divide the grains into two kinds")
    edge = float(numpy.cbrt(12 * grains.volumes.mean() / 0.6))
    cells = numpy.floor((points - points.min(axis=0)) / edge).astype(int)
    _, place = numpy.unique(cells, axis=0, return_inverse=True)
    counts = numpy.bincount(place.ravel())
    part = numpy.bincount(place.ravel(), weights=kind) / counts
    full = counts >= 4
    if full.sum() < 4:
        raise ResultsError(f"{run.folder}: there are too few grains for an index of mixing")
    weight = counts[full] / counts[full].sum()
    variance = float((weight * (part[full] - share) ** 2).sum())
    apart = share * (1 - share)
    at_random = apart * float((weight / counts[full]).sum())
    return Measure((apart - variance) / (apart - at_random))


#: Measures by name: what stands behind the colon, and the function.
MEASURES: dict[str, tuple[str, Callable[[Results, str], Measure]]] = {
    "discharge_rate": ("outlet or flow probe", lambda run, text: discharge_rate(run, text)[0]),
    "angle_of_repose": ("", lambda run, text: angle_of_repose(run)),
    "slope_angle": ("axis along which it falls", lambda run, text: slope_angle(run, text or "x")),
    "solid_fraction": ("box X0,Y0,Z0,X1,Y1,Z1", _solid_fraction),
    "residence_time": ("outlet", residence_time),
    "residence_time_variance": ("outlet", residence_time_variance),
    "mixing": ("field that divides the grains, as x@0.5", mixing),
    "bed_height": ("", lambda run, text: bed_height(run)),
    "final": ("column of the series", final),
    "max": ("column of the series", _largest),
    "mean": ("column, over the second half", _mean),
}


def _function(file: str, name: str) -> Callable[[Results], Any]:
    """A function of a Python file."""
    name_of_module = f"scree_own_measures_{Path(file).stem}"
    spec = importlib.util.spec_from_file_location(name_of_module, file)
    if spec is None or spec.loader is None or not Path(file).exists():
        raise InputError(f"{file}: there is no such Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name_of_module] = module  # dataclasses look it up there
    if (folder := str(Path(file).resolve().parent)) not in sys.path:
        sys.path.append(folder)  # modules beside the file, as where Python runs it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"{file}: cannot be loaded: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(f'{file}: has no function "{name}"')
    found: Callable[[Results], Any] = function
    return found


def _own(file: str, name: str, run: Results) -> Measure:
    """Calls a function of a Python file with the results; it returns a number or a Measure."""
    result: Any = _function(file, name)(run)
    return result if isinstance(result, Measure) else Measure(float(result))


def check_name(text: str) -> None:
    """Raises InputError unless a text names a measure."""
    name, _, rest = text.partition(":")
    if name.endswith(".py"):
        if not Path(name).exists() or not rest:
            raise InputError(f"--measure: {text} is no FILE.py:FUNCTION that exists")
        _function(name, rest)
        return
    if name not in MEASURES:
        raise InputError(f'--measure: "{name}" is none of {", ".join(MEASURES)}, nor FILE.py:FUNCTION')
    if name in ("final", "max", "mean", "mixing") and not rest:
        what = "a field, as mixing:x@0.5" if name == "mixing" else f"a column of the series, as {name}:kinetic_energy"
        raise InputError(f"--measure: {name} needs {what}")
    if name == "solid_fraction":
        _box(rest)
    elif name == "slope_angle":
        _axis(rest or "x")
    elif name == "mixing":
        Colouring.parse(rest, "--measure mixing")
    elif rest and not MEASURES[name][0]:
        raise InputError(f'--measure: {name} takes nothing behind a colon, but there is "{rest}"')


def measure(run: Results, text: str) -> Measure:
    """A measure by its name, as "discharge_rate", "final:kinetic_energy" or "own.py:function"."""
    name, _, rest = text.partition(":")
    if name.endswith(".py") and rest and Path(name).exists():
        return _own(name, rest, run)
    check_name(text)
    return MEASURES[name][1](run, rest)


def measure_or_reason(run: Results, text: str) -> Measure:
    """The same, for many runs of which some may not have it: ResultsError says why, also of a function of the user."""
    try:
        return measure(run, text)
    except ResultsError:
        raise
    except InputError as error:  # the name was checked before: this run does not suit it
        raise ResultsError(f"{run.folder}: {error}") from error
    except (Exception, SystemExit) as error:
        raise ResultsError(f"{text}: {type(error).__name__}: {error}") from error
