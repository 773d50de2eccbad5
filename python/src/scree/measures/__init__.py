"""Numbers that one reads off a run: flow rates, angles of repose, solid fractions, heights.

`measure(run, text)` takes them by the names that `scree sweep --measure` and `scree calibrate --to` use.
"""

from __future__ import annotations

from .by_name import MEASURES, measure
from .by_name import check_name as check_name
from .by_name import check_output as check_output
from .by_name import measure_or_reason as measure_or_reason
from .contact_forces import contact_rose, force_distribution, mobilised_friction
from .contents import fragments, mixing, solid_fraction
from .displacements import mean_squared_displacement, velocity_autocorrelation
from .pair_distances import radial_distribution
from .partition import partition_curve
from .residence import residence_time, residence_time_variance, residence_times
from .rows import discharge_rate, final, mass_columns
from .surfaces import angle_of_repose, bed_height, slope_angle
from .values import LineFit, Measure, fit_line
from .walls import wall_profile

__all__ = [
    "MEASURES",
    "LineFit",
    "Measure",
    "angle_of_repose",
    "bed_height",
    "contact_rose",
    "discharge_rate",
    "final",
    "fit_line",
    "force_distribution",
    "fragments",
    "mass_columns",
    "mean_squared_displacement",
    "measure",
    "mixing",
    "mobilised_friction",
    "partition_curve",
    "radial_distribution",
    "residence_time",
    "residence_time_variance",
    "residence_times",
    "slope_angle",
    "solid_fraction",
    "velocity_autocorrelation",
    "wall_profile",
]  # fmt: skip
