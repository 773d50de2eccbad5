"""The typed parts of a case. Written by make_case_types.py from `scree schema`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from .case_part import Part

__all__ = [
    "AboveRegion",
    "AngleOfReposeProbe",
    "Axis",
    "Body",
    "Bond",
    "BoundaryForceProbe",
    "BoxBoundary",
    "BoxProbe",
    "Breakage",
    "BreakageRule",
    "BrokenBonds",
    "CaseParts",
    "CheckpointsOutput",
    "ClumpShape",
    "ClumpSphere",
    "Cohesion",
    "CollisionsOutput",
    "ConeBoundary",
    "Contact",
    "ContactForceProbe",
    "ContactsOutput",
    "ContentProbe",
    "CoordinationProbe",
    "Cylinder",
    "CylinderBoundary",
    "Deformation",
    "Deletion",
    "Disc",
    "DiscreteRadius",
    "DissipationProbe",
    "Domain",
    "DoubleAmplitudes",
    "Drive",
    "DriveRotation",
    "DriveTranslation",
    "ExposureProbe",
    "FabricProbe",
    "Face",
    "Facets",
    "Fields",
    "Fill",
    "FlowCondition",
    "FlowProbe",
    "Fluid",
    "FluidSurface",
    "Follows",
    "ForceCondition",
    "FragmentsProbe",
    "FramesOutput",
    "Gas",
    "GrainBox",
    "GrainCapsule",
    "GrainContacts",
    "GrainCylinder",
    "GrainSphere",
    "GrainTorus",
    "Grid",
    "Group",
    "GroupRotation",
    "Heat",
    "InertialNumberProbe",
    "Inlet",
    "Integration",
    "Join",
    "Lattice",
    "LevelSetShape",
    "Liquid",
    "LoadHistory",
    "LogNormalRadius",
    "Material",
    "MeasureCondition",
    "Membrane",
    "MeshBoundary",
    "MeshRegion",
    "MixingKind",
    "MixingProbe",
    "MixturePart",
    "Neighbours",
    "NormalRadius",
    "Oscillation",
    "Outlet",
    "Output",
    "Parcels",
    "Particles",
    "PeriodicCell",
    "Plane",
    "PlaneBoundary",
    "Plasticity",
    "Plus",
    "PorosityProbe",
    "PositionCondition",
    "RadialServo",
    "Radiation",
    "Region",
    "RemovedCondition",
    "RepeatEnd",
    "RepeatedStage",
    "Rolling",
    "RosinRammlerRadius",
    "Rotate",
    "Rotation",
    "RunStage",
    "RunStageEnd",
    "SeriesOutput",
    "Servo",
    "SieveRadius",
    "SizeSegregationProbe",
    "SolidFractionCondition",
    "Sphere",
    "SphereBoundary",
    "Stage",
    "StageComponent",
    "StageCondition",
    "StageEnd",
    "StageRepeat",
    "StageStrain",
    "StagedBoundary",
    "StagedFriction",
    "StagedGroup",
    "StagedInlet",
    "StagedInterval",
    "StagedMembrane",
    "StagedOutput",
    "StagedServo",
    "StagedStep",
    "Stress",
    "StressProbe",
    "Superellipsoid",
    "SurfaceSlopeProbe",
    "TableMotion",
    "Thermal",
    "Time",
    "TrackProbe",
    "Translation",
    "TriaxialProbe",
    "VoidRatioCondition",
]


@dataclass(kw_only=True)
class Time(Part):
    """How long and in which steps.

    duration: Simulated time [s].
    step: Time step; "auto" takes it from stiffness and mass [s]. Default: "auto".
    safety: Automatic step as a fraction of the limit; left out: 0.2, or 0.4 with adaptive.
    adaptive: The automatic step follows the contacts that there are. Default: false.
    update_interval: Between two looks at them [steps]. Default: 10.
    """

    duration: float
    step: Literal['auto'] | float | None = None
    safety: float | None = None
    adaptive: bool | None = None
    update_interval: int | None = None


@dataclass(kw_only=True)
class Rolling(Part):
    """Resistance to rolling and twisting.

    type: A: a moment of constant size; B: one that goes with the speed of rolling; C: springs that yield. Default: "C".
    stiffness: Rolling stiffness, in r1 r2 times the shear stiffness. Default: 0.
    friction: Largest rolling moment, in the smaller radius times the normal force. Default: 0.
    twisting_stiffness: As stiffness, about the normal. Default: 0.
    twisting_friction: As friction, about the normal. Default: 0.
    damping: Damping ratio of both. Default: 0.
    viscosity: Of type B: rolling moment over the smaller radius, the normal force and the speed of rolling [s/m].
        Default: 0.
    """

    type: Literal['A', 'B', 'C'] | None = None
    stiffness: float | None = None
    friction: float | None = None
    twisting_stiffness: float | None = None
    twisting_friction: float | None = None
    damping: float | None = None
    viscosity: float | None = None


@dataclass(kw_only=True)
class Thermal(Part):
    """Values for heat; needed with "heat".

    conductivity: Thermal conductivity of the solid [W/(m K)].
    heat_capacity: Specific heat capacity [J/(kg K)].
    emissivity: Of the surface; needed for radiation.
    young_modulus: True modulus of a material that is softer in the run: circles of contact are as small as it makes
        them; left out: the same [Pa].
    """

    conductivity: float
    heat_capacity: float
    emissivity: float | None = None
    young_modulus: float | None = None


@dataclass(kw_only=True)
class Material(Part):
    """A material of particles and boundaries.

    density: Mass density of the solid [kg/m3].
    young_modulus: Young's modulus of the solid [Pa].
    poisson_ratio: Poisson's ratio; for cundall_strack and bonded the shear-to-normal stiffness ratio.
    friction: Coefficient of friction.
    restitution: Coefficient of restitution; needed by laws whose dashpots follow from it.
    rolling: Resistance to rolling and twisting.
    thermal: Values for heat; needed with "heat".
    """

    density: float
    young_modulus: float
    poisson_ratio: float
    friction: float
    restitution: float | None = None
    rolling: Rolling | Mapping[str, Any] | None = None
    thermal: Thermal | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Parcels(Part):
    """Coarse graining: particles that stand for many grains each.

    scale: Radius of a parcel over that of the grains it stands for.
    restitution: Of impacts between parcels: same as of grains, or scaled to lose as much per volume and time. Default:
        "same".
    """

    scale: float
    restitution: Literal['same', 'scaled'] | None = None


@dataclass(kw_only=True)
class ClumpSphere(Part):
    """A sphere of a clump.

    center: Centre [m].
    radius: Radius [m].
    """

    center: Sequence[float]
    radius: float


@dataclass(kw_only=True)
class ClumpShape(Part):
    """A rigid body of spheres, which may overlap.

    spheres: The spheres, in any frame [m].
    file: CSV file with a header line and the columns x, y, z, r, relative to the case file.
    scale: Takes the units of the spheres to metres. Default: 1.
    resolution: Cells along the shortest edge of a grid on which overlapping spheres are measured; left out: exact.
    """

    type: Literal['clump'] = 'clump'
    spheres: Sequence[ClumpSphere | Mapping[str, Any]] | None = None
    file: str | None = None
    scale: float | None = None
    resolution: int | None = None


@dataclass(kw_only=True)
class GrainSphere(Part):
    """A ball.

    radius: Radius [m].
    """

    radius: float


@dataclass(kw_only=True)
class GrainBox(Part):
    """A box.

    half_edges: Half of its edges [m].
    """

    half_edges: Sequence[float]


@dataclass(kw_only=True)
class GrainCapsule(Part):
    """A cylinder with half balls at its ends.

    radius: Radius [m].
    half_length: From the middle to the centre of a half ball [m].
    """

    radius: float
    half_length: float


@dataclass(kw_only=True)
class GrainCylinder(Part):
    """A cylinder.

    radius: Radius [m].
    half_height: Half of its height [m].
    """

    radius: float
    half_height: float


@dataclass(kw_only=True)
class GrainTorus(Part):
    """A ring.

    major_radius: Radius of the circle in the middle of the ring [m].
    minor_radius: Half of the thickness of the ring [m].
    """

    major_radius: float
    minor_radius: float


@dataclass(kw_only=True)
class Superellipsoid(Part):
    """A superellipsoid.

    half_axes: Half axes a, b, c along x, y, z [m].
    exponents: e1 and e2: nearly a box, over 1 (an ellipsoid), to 2 (an octahedron).
    """

    half_axes: Sequence[float]
    exponents: Sequence[float] | None = None


@dataclass(kw_only=True)
class Deformation(Part):
    """How the grain deforms; left out: as the modes of the template say, which is rigid as a rule.

    forms: Modes with a closed form, in place of those of a template.
    beam_theory: Bending and stretching are those of slender bodies, which contract freely across. Default: true.
    count: So many modes of the template; left out: all; 0: the grain is rigid.
    mass: Mass of each mode of each grain; left out: from the density [kg].
    stiffness: Stiffness of each mode of each grain; left out: from Young's modulus [N/m].
    table: Knots of the force of a single mode of each grain over its amplitude, ascending from 0 [m, N].
    damping_ratio: Damping of each mode over the critical one. Default: 0.
    damping_coefficient: Damping of each mode [N s/m]. Default: 0.
    damping_by_stiffness: Damping of each mode over its stiffness [s]. Default: 0.
    deforming_inertia: The moments of inertia follow the deformation, and the rates of the modes carry angular momentum.
        Default: false.
    """

    forms: Sequence[Literal['homogeneous', 'strain_xx', 'strain_yy', 'strain_zz', 'strain_xy', 'strain_yz', 'strain_zx', 'bending_xy', 'bending_xz', 'bending_yx', 'bending_yz', 'bending_zx', 'bending_zy', 'stretching_x', 'stretching_y', 'stretching_z']] | None = None
    beam_theory: bool | None = None
    count: int | None = None
    mass: Sequence[float] | None = None
    stiffness: Sequence[float] | None = None
    table: Sequence[Sequence[float]] | None = None
    damping_ratio: float | None = None
    damping_coefficient: float | None = None
    damping_by_stiffness: float | None = None
    deforming_inertia: bool | None = None


@dataclass(kw_only=True)
class LevelSetShape(Part):
    """A grain of any shape: a level set on a grid, and nodes on the surface.

    sphere: A ball.
    box: A box.
    capsule: A cylinder with half balls at its ends.
    cylinder: A cylinder.
    torus: A ring.
    superellipsoid: A superellipsoid.
    file: Closed mesh (STL, OBJ, PLY, VTK), image of labelled voxels (NRRD, or a JSON header of raw voxels), or template
        of `scree grain`, relative to the case file.
    scale: Takes the units of the file to metres. Default: 1.
    label: Which grain of an image.
    grid_spacing: Distance of the points of the grid; needed except with a template [m].
    node_spacing: Distance of the nodes over the spacing of the grid; left out: 0.9.
    deformation: How the grain deforms; left out: as the modes of the template say, which is rigid as a rule.
    """

    type: Literal['level_set'] = 'level_set'
    sphere: GrainSphere | Mapping[str, Any] | None = None
    box: GrainBox | Mapping[str, Any] | None = None
    capsule: GrainCapsule | Mapping[str, Any] | None = None
    cylinder: GrainCylinder | Mapping[str, Any] | None = None
    torus: GrainTorus | Mapping[str, Any] | None = None
    superellipsoid: Superellipsoid | Mapping[str, Any] | None = None
    file: str | None = None
    scale: float | None = None
    label: int | None = None
    grid_spacing: float | None = None
    node_spacing: float | None = None
    deformation: Deformation | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class GrainContacts(Part):
    """How level-set grains touch.

    two_pass: The nodes of both grains touch, each with half of the force; else those of the smaller grain. Default:
        false.
    by_area: The force of a node goes with its area; else each node counts as one contact. Default: true.
    remap_iterations: How often the place of a point in a deformed grain before its deformation is improved, after a
        first guess; left out: until it stands to 1e-4 of the spacing of the grid.
    field_update: Where contacts find the level set of a grain that deforms. Default: "remap".
    field_levels: Of precomputed: amplitudes of each sign of each mode for which a level set is made; left out: 2.
    """

    two_pass: bool | None = None
    by_area: bool | None = None
    remap_iterations: int | None = None
    field_update: Literal['remap', 'remap_corners', 'recompute', 'advect', 'precomputed'] | None = None
    field_levels: int | None = None


@dataclass(kw_only=True)
class Bond(Part):
    """Bonds; needed by bonded.

    tensile_strength: Tension at which a bond breaks [Pa].
    cohesion: Shear stress at which a bond without normal force breaks [Pa].
    interaction_range: Farthest distance of a bond of spheres, in sums of the two radii. Default: 1.
    strain: Strain of spheres in compression: linear, or logarithmic. Default: "linear".
    gap: Nodes of level-set grains that are not farther from the other surface are bonded; needed by grains [m].
    normal_stiffness: Of grains; left out: Young's modulus over the sum of the radii [Pa/m].
    shear_stiffness: Of grains; left out: normal_stiffness times Poisson's ratio [Pa/m].
    damping: Damping ratio of bonds and of contacts under the law. Default: 0.
    weibull_modulus: Strengths are scattered by Weibull's law with this modulus, and the two strengths are its scale
        parameters.
    form: start: bonds are made at the start; near: also whenever two spheres come within the interaction range; kept:
        never, but those of the run from which this one starts go on. Default: "start".
    form_until: With near: no bonds are made from then on; left out: no end [s].
    moment_contribution: Part of the stresses by bending and torsion that counts when a bond of spheres breaks; above 0
        needs rolling of type C with a stiffness. Default: 0.
    """

    tensile_strength: float
    cohesion: float
    interaction_range: float | None = None
    strain: Literal['linear', 'logarithmic'] | None = None
    gap: float | None = None
    normal_stiffness: float | None = None
    shear_stiffness: float | None = None
    damping: float | None = None
    weibull_modulus: float | None = None
    form: Literal['start', 'near', 'kept'] | None = None
    form_until: float | None = None
    moment_contribution: float | None = None


@dataclass(kw_only=True)
class LoadHistory(Part):
    """How jaeger keeps load histories.

    merging: Pieces of elastic loading whose directions differ by less than this fraction of the friction become one.
        Default: 0.
    most_segments: Pieces that are kept per contact, the least important ones joined; left out: all.
    exact_sliding: The direction of sliding is integrated over a step; for steps that are large. Default: false.
    """

    merging: float | None = None
    most_segments: int | None = None
    exact_sliding: bool | None = None


@dataclass(kw_only=True)
class Cohesion(Part):
    """Linear cohesion beside the law.

    energy_density: Pull over area [J/m3].
    area: hertz: pi R* u; intersection: the circle in which two spheres intersect; sjkr2: 4 pi R* u. Default: "hertz".
    reduces_friction: Coulomb's limit is that of the whole normal force, not of that without the pull. Default: false.
    """

    energy_density: float
    area: Literal['hertz', 'intersection', 'sjkr2'] | None = None
    reduces_friction: bool | None = None


@dataclass(kw_only=True)
class Liquid(Part):
    """Liquid bridges beside the law.

    surface_tension: Of the liquid [N/m].
    contact_angle: Between liquid and solid [rad]. Default: 0.
    volume: Of a bridge; give it or volume_fraction [m3].
    volume_fraction: Volume of a bridge over that of the smaller sphere.
    force: How the pull falls with the gap: willett or rabinovich. Default: "willett".
    from_films: Bridges take their liquid from the films of the particles, at most the volume that is given. Default:
        false.
    viscosity: Of the liquid; left out: bridges do not resist motion [Pa s].
    roughness: Height of asperities, needed with a viscosity: surfaces that are nearer count as this far apart [m].
    """

    surface_tension: float
    contact_angle: float | None = None
    volume: float | None = None
    volume_fraction: float | None = None
    force: Literal['willett', 'rabinovich'] | None = None
    from_films: bool | None = None
    viscosity: float | None = None
    roughness: float | None = None


@dataclass(kw_only=True)
class Plasticity(Part):
    """How contacts yield; needed by eepa and luding.

    ratio: Plastic part of the largest overlap, 1 - k1/k2.
    pull_off: Constant adhesive force [N]. Default: 0.
    adhesion: Stiffness of the adhesive branch over that of loading. Default: 0.
    """

    ratio: float
    pull_off: float | None = None
    adhesion: float | None = None


@dataclass(kw_only=True)
class Contact(Part):
    """How two materials touch; the first rule that matches wins.

    between: Names of two materials; "*" is any.
    law: Contact law. Default: "hertz_mindlin".
    friction: Coefficient of friction; left out: the smaller of the two materials'.
    restitution: Coefficient of restitution; left out: the smaller of the two materials'.
    restitution_tangential: Restitution of the tangential dashpot; left out: as the other.
    exact_restitution: Linear dashpots for a contact that ends when its force does.
    contact_time: Duration of an impact, for linear springs [s].
    normal_stiffness: Of linear springs [N/m].
    shear_stiffness: Of linear springs [N/m].
    normal_damping: Of linear dashpots [N s/m].
    shear_damping: Of linear dashpots [N s/m].
    young_modulus: Effective modulus E* of Hertz's laws; left out: from the materials [Pa].
    shear_modulus: Effective modulus G* of Hertz's laws; left out: from the materials [Pa].
    surface_energy: Of each surface, for adhesive and elasto-plastic laws: half of the work of adhesion [J/m2].
    rolling: Resistance to rolling and twisting; left out: from the two materials.
    bond: Bonds; needed by bonded.
    load_history: How jaeger keeps load histories.
    cohesion: Linear cohesion beside the law.
    liquid: Liquid bridges beside the law.
    plasticity: How contacts yield; needed by eepa and luding.
    """

    between: Sequence[str]
    law: Literal['hertz_mindlin', 'cundall_strack', 'hertz_mindlin_rescaled', 'hertz_mindlin_dmt', 'mindlin_reversal', 'jkr', 'linear_spring_dashpot', 'bonded', 'jaeger', 'eepa', 'luding'] | None = None
    friction: float | None = None
    restitution: float | None = None
    restitution_tangential: float | None = None
    exact_restitution: bool | None = None
    contact_time: float | None = None
    normal_stiffness: float | None = None
    shear_stiffness: float | None = None
    normal_damping: float | None = None
    shear_damping: float | None = None
    young_modulus: float | None = None
    shear_modulus: float | None = None
    surface_energy: float | None = None
    rolling: Rolling | Mapping[str, Any] | None = None
    bond: Bond | Mapping[str, Any] | None = None
    load_history: LoadHistory | Mapping[str, Any] | None = None
    cohesion: Cohesion | Mapping[str, Any] | None = None
    liquid: Liquid | Mapping[str, Any] | None = None
    plasticity: Plasticity | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Gas(Part):
    """Conduction through the gas; left out: through contacts alone.

    conductivity: Of the gas [W/(m K)].
    least_gap: Roughness, or mean free path: nearer surfaces count as this far apart [m].
    thickness: The gas conducts where surfaces are nearer than this, in radii of the particles. Default: 0.4.
    """

    conductivity: float
    least_gap: float
    thickness: float | None = None


@dataclass(kw_only=True)
class Radiation(Part):
    """Radiation; left out: none.

    range: Largest distance of two centres, in sums of the radii; of a boundary in radii. Default: 1.5.
    """

    range: float | None = None


@dataclass(kw_only=True)
class Heat(Part):
    """Temperatures of the particles; left out: there are none.

    temperature: At the start, of entries of "particles" without a temperature of their own [K]. Default: 293.15.
    gas: Conduction through the gas; left out: through contacts alone.
    radiation: Radiation; left out: none.
    dissipation: Share of the work lost by friction and in dashpots that becomes heat. Default: 0.
    """

    temperature: float | None = None
    gas: Gas | Mapping[str, Any] | None = None
    radiation: Radiation | Mapping[str, Any] | None = None
    dissipation: float | None = None


@dataclass(kw_only=True)
class FluidSurface(Part):
    """Surface of the fluid; left out: it is everywhere.

    point: A point of the surface [m].
    normal: Direction out of the fluid; its length does not count. Default: [0, 0, 1].
    """

    point: Sequence[float]
    normal: Sequence[float] | None = None


@dataclass(kw_only=True)
class Fluid(Part):
    """A fluid that drags and lifts the particles; left out: there is none.

    density: Density of the fluid [kg/m3].
    viscosity: Dynamic viscosity of the fluid [Pa s].
    velocity: Velocity of the fluid, the same everywhere; left out: 0 [m/s].
    velocity_table: Rows [time, x, y, z] of the velocity, linear in between; constant outside [s, m/s].
    velocity_file: CSV file of velocities on a regular grid, relative to the case file.
    drag: Drag of a sphere. Default: "schiller_naumann".
    surface: Surface of the fluid; left out: it is everywhere.
    """

    density: float
    viscosity: float
    velocity: Sequence[float] | None = None
    velocity_table: Sequence[Sequence[float]] | None = None
    velocity_file: str | None = None
    drag: Literal['stokes', 'schiller_naumann'] | None = None
    surface: FluidSurface | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class NormalRadius(Part):
    """Normal by number, cut off at a smallest and a largest radius.

    mean: Mean radius before the cut [m].
    deviation: Standard deviation before the cut [m].
    min: Smallest radius [m].
    max: Largest radius [m].
    """

    mean: float
    deviation: float
    min: float
    max: float


@dataclass(kw_only=True)
class LogNormalRadius(Part):
    """Log-normal by number, cut off at a smallest and a largest radius.

    median: Median radius before the cut [m].
    deviation: Standard deviation of the natural logarithm of the radius before the cut.
    min: Smallest radius [m].
    max: Largest radius [m].
    """

    median: float
    deviation: float
    min: float
    max: float


@dataclass(kw_only=True)
class DiscreteRadius(Part):
    """A few radii, each with its share by number.

    values: Radii [m].
    weights: Share of each radius; the sum need not be 1.
    """

    values: Sequence[float]
    weights: Sequence[float]


@dataclass(kw_only=True)
class SieveRadius(Part):
    """Sieve curve, linear between its points.

    passing: Points [size, mass fraction of all finer particles], from fraction 0 to fraction 1 [m, -].
    """

    passing: Sequence[Sequence[float]]


@dataclass(kw_only=True)
class RosinRammlerRadius(Part):
    """Rosin-Rammler (Weibull) by mass, cut off at a smallest and a largest radius.

    characteristic: Radius above which 36.8 % of the mass lies, before the cut [m].
    exponent: Exponent n of the mass exp(-(r / characteristic)^n) above a radius r: the larger, the narrower.
    min: Smallest radius [m].
    max: Largest radius [m].
    """

    characteristic: float
    exponent: float
    min: float
    max: float


@dataclass(kw_only=True)
class MixturePart(Part):
    """One kind of particles in a mixture.

    mass_fraction: Share of the mass of the particles; all parts together have 1.
    material: Name of the material.
    shape: Shape of the particles: "sphere", or a name in "shapes". Default: "sphere".
    radius: Radius or its distribution; of a shape that of the sphere of the same volume, left out: its own size [m].
    diameter: In place of the radius: diameter or its distribution [m].
    group: Name of the group in "groups"; left out: that of the entry.
    """

    mass_fraction: float
    material: str
    shape: str | None = None
    radius: float | Mapping[str, Any] | None = None
    diameter: float | Mapping[str, Any] | None = None
    group: str | None = None


@dataclass(kw_only=True)
class Cylinder(Part):
    """Cylinder between the centres of its two end faces.

    from_: Centre of the first end face [m].
    to: Centre of the second end face [m].
    radius: Radius of the cylinder [m].
    inner_radius: Of a hollow cylinder: what is nearer to the axis is outside [m]. Default: 0.
    """

    from_: Sequence[float]
    to: Sequence[float]
    radius: float
    inner_radius: float | None = None


@dataclass(kw_only=True)
class Sphere(Part):
    """Ball.

    center: Centre of the ball [m].
    radius: Radius of the ball [m].
    """

    center: Sequence[float]
    radius: float


@dataclass(kw_only=True)
class Rotate(Part):
    """Turn of the scaled surface about an axis through the origin.

    axis: Direction of the axis; its length does not count.
    angle: Angle, positive by the right-hand rule about the axis [rad].
    """

    axis: Sequence[float]
    angle: float


@dataclass(kw_only=True)
class MeshRegion(Part):
    """Inside of a closed triangle surface.

    file: STL, OBJ, PLY or VTK file, relative to the case file.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    """

    file: str
    scale: float | None = None
    rotate: Rotate | Mapping[str, Any] | None = None
    translate: Sequence[float] | None = None


@dataclass(kw_only=True)
class AboveRegion(Part):
    """The part of a box above the highest surface of a triangle mesh, along z.

    box: Lowest and highest corner of the box [m].
    file: STL, OBJ, PLY or VTK file, relative to the case file.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    holes: Where the mesh has no surface, the region begins at the lower face of the box; else that is an error.
        Default: false.
    """

    box: Sequence[Any]
    file: str
    scale: float | None = None
    rotate: Rotate | Mapping[str, Any] | None = None
    translate: Sequence[float] | None = None
    holes: bool | None = None


@dataclass(kw_only=True)
class Disc(Part):
    """A plane disc.

    center: Centre of the disc [m].
    normal: Towards the particles; its length does not count.
    radius: Radius of the disc [m].
    """

    center: Sequence[float]
    normal: Sequence[float]
    radius: float


@dataclass(kw_only=True)
class Face(Part):
    """Surface through which particles come in, of inlets; they appear where its normals point.

    file: STL, OBJ, PLY or VTK file of a triangle surface, relative to the case file.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    polygon: Corners of a plane polygon, counterclockwise where its normal points to the eye [m].
    disc: A plane disc.
    flip: The particles appear on the other side of the surface. Default: false.
    depth: Largest gap between a particle and the surface [m]. Default: 0.
    """

    file: str | None = None
    scale: float | None = None
    rotate: Rotate | Mapping[str, Any] | None = None
    translate: Sequence[float] | None = None
    polygon: Sequence[Sequence[float]] | None = None
    disc: Disc | Mapping[str, Any] | None = None
    flip: bool | None = None
    depth: float | None = None


@dataclass(kw_only=True)
class Fill(Part):
    """Random particles in a region.

    box: Box along the axes: its lowest and its highest corner.
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    mesh: Inside of a closed triangle surface.
    cell: The whole periodic cell, across its faces.
    above: The part of a box above the highest surface of a triangle mesh, along z.
    face: Surface through which particles come in, of inlets; they appear where its normals point.
    count: Number of particles.
    solid_fraction: Volume of the particles over the volume of the region.
    keep_clear: No particle overlaps a boundary at the start. Default: true.
    keep_out_of: Boundaries that are closed meshes, as shafts and paddles: no particle lies inside of them.
    dense: Grow a dense random packing, up to a solid fraction of about 0.63 for equal spheres. Default: false.
    """

    box: Sequence[Any] | None = None
    cylinder: Cylinder | Mapping[str, Any] | None = None
    sphere: Sphere | Mapping[str, Any] | None = None
    mesh: MeshRegion | Mapping[str, Any] | None = None
    cell: Mapping[str, Any] | None = None
    above: AboveRegion | Mapping[str, Any] | None = None
    face: Face | Mapping[str, Any] | None = None
    count: int | None = None
    solid_fraction: float | None = None
    keep_clear: bool | None = None
    keep_out_of: Sequence[str] | None = None
    dense: bool | None = None


@dataclass(kw_only=True)
class Lattice(Part):
    """Particles on a lattice.

    box: Lowest and highest corner of the box that the particles fill [m].
    spacing: Distance of nearest neighbours [m].
    type: Kind of the lattice. Default: "simple_cubic".
    jitter: Random shift as a fraction of the free gap. Default: 0.
    """

    box: Sequence[Any]
    spacing: float
    type: Literal['simple_cubic', 'body_centred', 'face_centred'] | None = None
    jitter: float | None = None


@dataclass(kw_only=True)
class Inlet(Part):
    """Particles that appear during the run.

    region: A particle lies wholly inside when it appears [m].
    name: By which stages know it.
    rate: Particles per time [1/s].
    mass_flow: Mass per time [kg/s].
    velocity: Velocity of a new particle [m/s]. Default: [0, 0, 0].
    normal_speed: Added to the velocity along the normal of a "face", where the particle appears [m/s]. Default: 0.
    angular_velocity: Angular velocity of a new particle [rad/s]. Default: [0, 0, 0].
    orientation: Unit quaternion [w, x, y, z] that turns the frame of a clump's spheres into the world; left out:
        random.
    from_: Time at which the flow begins [s]. Default: 0.
    until: Time at which the flow ends; left out: never [s].
    count: No more particles than this.
    mass: No more mass than this [kg].
    keep_out_of: Boundaries that are closed meshes, as shafts and screws: no particle lies inside of them.
    """

    region: Region | Mapping[str, Any]
    name: str | None = None
    rate: float | None = None
    mass_flow: float | None = None
    velocity: Sequence[float] | None = None
    normal_speed: float | None = None
    angular_velocity: Sequence[float] | None = None
    orientation: Sequence[float] | None = None
    from_: float | None = None
    until: float | None = None
    count: int | None = None
    mass: float | None = None
    keep_out_of: Sequence[str] | None = None


@dataclass(kw_only=True)
class Membrane(Part):
    """Bonded spheres as a sleeve that presses on a specimen.

    name: By which stages and columns of the series know it.
    from_: Centre of the first end [m].
    to: Centre of the second end [m].
    radius: Radius of the room inside, which the spheres touch from outside [m].
    pressure: From outside, or a table over the time of the run; negative: from inside [Pa].
    ends: Name of the group in "groups" of the first and the last ring of spheres; left out: that of the entry.
    """

    name: str
    from_: Sequence[float]
    to: Sequence[float]
    radius: float
    pressure: float | Sequence[Sequence[float]]
    ends: str | None = None


@dataclass(kw_only=True)
class Particles(Part):
    """Particles of one material or a mixture, that are there when the run starts or that appear at an inlet.

    shape: Shape of the particles: "sphere", or a name in "shapes". Default: "sphere".
    material: Name of the material; needed but for a mixture and for a file with a column "material".
    mixture: With fill and inlet: kinds of particles by mass fraction, in place of material, shape and radius.
    radius: Radius or its distribution, with all but a file; of a shape that of the sphere of the same volume, left out:
        its own size [m].
    diameter: In place of the radius: diameter or its distribution, in the same forms [m].
    fill: Random particles in a region.
    lattice: Particles on a lattice.
    positions: Centres of the particles, one by one [m].
    file: CSV file with a header line and columns x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; qw,qx,qy,qz;
        material; group; temperature; film; relative to the case file.
    scale: With a file: factor from its unit of length to metres, for places and radii. Default: 1.
    translate: With a file: shift of the scaled places [m]. Default: [0, 0, 0].
    inlet: Particles that appear during the run.
    membrane: Bonded spheres as a sleeve that presses on a specimen.
    allow_overlap: Overlap at the start that is allowed to particles of a file, a lattice, positions or a membrane, over
        the smaller radius of the two; of two entries the larger value counts; left out: 0.1.
    velocity: Velocity at the start [m/s]. Default: [0, 0, 0].
    angular_velocity: Angular velocity at the start [rad/s]. Default: [0, 0, 0].
    orientation: Unit quaternion [w, x, y, z] that turns the frame of a clump's spheres into the world; left out:
        random.
    group: Name of the group in "groups" that the particles belong to.
    temperature: At the start, or at the inlet; left out: that of "heat" [K].
    film: Liquid on a particle at the start, or at the inlet, over the volume of the particle; left out: 0.
    """

    shape: str | None = None
    material: str | None = None
    mixture: Sequence[MixturePart | Mapping[str, Any]] | None = None
    radius: float | Mapping[str, Any] | None = None
    diameter: float | Mapping[str, Any] | None = None
    fill: Fill | Mapping[str, Any] | None = None
    lattice: Lattice | Mapping[str, Any] | None = None
    positions: Sequence[Sequence[float]] | None = None
    file: str | None = None
    scale: float | None = None
    translate: Sequence[float] | None = None
    inlet: Inlet | Mapping[str, Any] | None = None
    membrane: Membrane | Mapping[str, Any] | None = None
    allow_overlap: float | None = None
    velocity: Sequence[float] | None = None
    angular_velocity: Sequence[float] | None = None
    orientation: Sequence[float] | None = None
    group: str | None = None
    temperature: float | None = None
    film: float | None = None


@dataclass(kw_only=True)
class BreakageRule(Part):
    """How the spheres of a material break: into smaller spheres, where the octahedral shear stress in a sphere reaches its strength.

    stress: Octahedral shear stress which 37 % of the spheres of the diameter at_diameter survive [Pa].
    at_diameter: Diameter to which the stress belongs [m].
    smallest_radius: A sphere does not break if a fragment would be smaller [m].
    size_exponent: Strengths are proportional to the diameter to the power of minus this; left out: 3 / weibull_modulus,
        or 0 without it.
    weibull_modulus: Strengths are scattered by Weibull's law with this modulus; left out: no scatter.
    fragments: Number of spheres that take the place of one. Default: 14.
    """

    stress: float
    at_diameter: float
    smallest_radius: float
    size_exponent: float | None = None
    weibull_modulus: float | None = None
    fragments: int | None = None


@dataclass(kw_only=True)
class Breakage(Part):
    """Spheres that break under load; left out: none do.

    every: Time between two looks at the stresses in all spheres; left out: 100 steps [s].
    most_particles: Number of particles: the run ends before breakage makes more. Default: 10000000.
    materials: Rules, by the name of the material.
    """

    every: float | None = None
    most_particles: int | None = None
    materials: Mapping[str, BreakageRule | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class GroupRotation(Part):
    """The group turns as one body; all six components are fixed.

    axis: Direction of the axis; its length does not count.
    origin: A point of the axis [m]. Default: [0, 0, 0].
    rate: Rate, positive by the right-hand rule about the axis [rad/s].
    rpm: The rate in revolutions per minute [1/min].
    """

    axis: Sequence[float]
    origin: Sequence[float] | None = None
    rate: float | None = None
    rpm: float | None = None


@dataclass(kw_only=True)
class Group(Part):
    """What holds for the particles of a group.

    fixed: Components that keep their velocity whatever acts on the particle; a particle with x, y and z fixed counts as
        infinitely heavy.
    velocity: Imposed on the fixed ones of x, y and z; left out: they keep the velocity of the start [m/s].
    angular_velocity: Imposed on the fixed ones of rx, ry and rz; left out: they keep that of the start [rad/s].
    rotation: The group turns as one body; all six components are fixed.
    force: Force on each particle [N]. Default: [0, 0, 0].
    torque: Torque on each particle [N m]. Default: [0, 0, 0].
    damping: Cundall's non-viscous damping; left out: that of "integration".
    gravity: Whether gravity acts. Default: true.
    """

    fixed: Sequence[Literal['x', 'y', 'z', 'rx', 'ry', 'rz']] | None = None
    velocity: Sequence[float] | None = None
    angular_velocity: Sequence[float] | None = None
    rotation: GroupRotation | Mapping[str, Any] | None = None
    force: Sequence[float] | None = None
    torque: Sequence[float] | None = None
    damping: float | None = None
    gravity: bool | None = None


@dataclass(kw_only=True)
class Servo(Part):
    """A stress or a force that it holds; instead of a drive.

    stress: Mean normal stress on the wall, or a table of it over time; pressure is positive [Pa].
    force: Normal force on the wall, or a table of it over time; pressure is positive [N].
    direction: Direction towards the particles; left out: the normal of the plane.
    area: Area of a stress; left out: that of the mesh, or between the four planes beside the wall [m2].
    inertial_number: Limit of the rates at which the wall compresses the particles. Default: 0.001.
    from_: Time until which the wall is held, and from which tables count [s]. Default: 0.
    """

    stress: float | Sequence[Sequence[float]] | None = None
    force: float | Sequence[Sequence[float]] | None = None
    direction: Sequence[float] | None = None
    area: float | None = None
    inertial_number: float | None = None
    from_: float | None = None


@dataclass(kw_only=True)
class Translation(Part):
    """Motion along a straight line.

    velocity: Velocity of the boundary [m/s].
    from_: Time at which the motion begins [s]. Default: 0.
    until: Time at which the motion ends; left out: never [s].
    """

    type: Literal['translation'] = 'translation'
    velocity: Sequence[float]
    from_: float | None = None
    until: float | None = None


@dataclass(kw_only=True)
class Rotation(Part):
    """Rotation about a fixed axis.

    axis: Direction of the axis; its length does not count.
    origin: A point of the axis [m]. Default: [0, 0, 0].
    rate: Rate, positive by the right-hand rule about the axis [rad/s].
    rpm: The rate in revolutions per minute [1/min].
    from_: Time at which the motion begins [s]. Default: 0.
    until: Time at which the motion ends; left out: never [s].
    """

    type: Literal['rotation'] = 'rotation'
    axis: Sequence[float]
    origin: Sequence[float] | None = None
    rate: float | None = None
    rpm: float | None = None
    from_: float | None = None
    until: float | None = None


@dataclass(kw_only=True)
class Oscillation(Part):
    """Harmonic motion to and fro along a direction or about an axis, which begins where the boundary stands.

    amplitude: Amplitude [m or rad].
    frequency: Cycles per second [Hz].
    direction: Direction; its length does not count.
    axis: Direction of the axis; its length does not count.
    origin: A point of the axis [m]. Default: [0, 0, 0].
    phase: Phase at the beginning [rad]. Default: 0.
    from_: Time at which the motion begins [s]. Default: 0.
    until: Time at which the motion ends; left out: never [s].
    """

    type: Literal['oscillation'] = 'oscillation'
    amplitude: float
    frequency: float
    direction: Sequence[float] | None = None
    axis: Sequence[float] | None = None
    origin: Sequence[float] | None = None
    phase: float | None = None
    from_: float | None = None
    until: float | None = None


@dataclass(kw_only=True)
class TableMotion(Part):
    """Motion along a direction or about an axis by a table over time.

    direction: Direction; its length does not count.
    axis: Direction of the axis; its length does not count.
    origin: A point of the axis [m]. Default: [0, 0, 0].
    position: Rows [time, displacement], linear in between; constant outside [s, m or rad].
    velocity: Rows [time, velocity], linear in between; zero outside [s, m/s or rad/s].
    position_file: CSV file of such rows, relative to the case file.
    velocity_file: CSV file of such rows, relative to the case file.
    from_: Time at which the motion begins [s]. Default: 0.
    until: Time at which the motion ends; left out: never [s].
    """

    type: Literal['table'] = 'table'
    direction: Sequence[float] | None = None
    axis: Sequence[float] | None = None
    origin: Sequence[float] | None = None
    position: Sequence[Sequence[float]] | None = None
    velocity: Sequence[Sequence[float]] | None = None
    position_file: str | None = None
    velocity_file: str | None = None
    from_: float | None = None
    until: float | None = None


@dataclass(kw_only=True)
class DriveTranslation(Part):
    """Motion along axes of the world.

    mass: Mass; gravity acts on it [kg].
    free: Axes along which it may move. Default: ["x", "y", "z"].
    force: Force besides gravity and contacts [N]. Default: [0, 0, 0].
    velocity: Velocity when it is let go [m/s]. Default: [0, 0, 0].
    damping: Resistance to its velocity [N s/m]. Default: 0.
    """

    mass: float
    free: Sequence[Literal['x', 'y', 'z']] | None = None
    force: Sequence[float] | None = None
    velocity: Sequence[float] | None = None
    damping: float | None = None


@dataclass(kw_only=True)
class DriveRotation(Part):
    """Rotation about one axis.

    inertia: Moment of inertia about the axis [kg m2].
    axis: Direction of the axis; its length does not count.
    origin: A point of the axis, which moves with the boundary [m]. Default: [0, 0, 0].
    torque: Torque besides that of the contacts [N m]. Default: 0.
    rate: Rate when it is let go [rad/s]. Default: 0.
    damping: Resistance to its rate [N m s]. Default: 0.
    """

    inertia: float
    axis: Sequence[float]
    origin: Sequence[float] | None = None
    torque: float | None = None
    rate: float | None = None
    damping: float | None = None


@dataclass(kw_only=True)
class Body(Part):
    """Motion of a mesh as a free rigid body.

    density: Of a closed mesh; mass, inertia and center follow from it [kg/m3].
    mass: Mass; gravity acts on it [kg].
    inertia: Principal moments of inertia [kg m2].
    center: Centre of mass, where the mesh stands at the start [m].
    principal_axes: Unit quaternion w, x, y, z that turns the principal axes into the world, where the mesh stands at
        the start; left out: they are the axes of the world.
    velocity: Velocity of the centre of mass when it is let go [m/s]. Default: [0, 0, 0].
    angular_velocity: Angular velocity when it is let go [rad/s]. Default: [0, 0, 0].
    force: Force besides gravity and contacts [N]. Default: [0, 0, 0].
    torque: Torque about the centre of mass besides that of contacts [N m]. Default: [0, 0, 0].
    damping: Resistance to its velocity [N s/m]. Default: 0.
    rotation_damping: Resistance to its angular velocity [N m s]. Default: 0.
    """

    density: float | None = None
    mass: float | None = None
    inertia: Sequence[float] | None = None
    center: Sequence[float] | None = None
    principal_axes: Sequence[float] | None = None
    velocity: Sequence[float] | None = None
    angular_velocity: Sequence[float] | None = None
    force: Sequence[float] | None = None
    torque: Sequence[float] | None = None
    damping: float | None = None
    rotation_damping: float | None = None


@dataclass(kw_only=True)
class Drive(Part):
    """Mass and forces that move it as well.

    translation: Motion along axes of the world.
    rotation: Rotation about one axis.
    body: Motion of a mesh as a free rigid body.
    from_: Time at which it is let go [s]. Default: 0.
    """

    translation: DriveTranslation | Mapping[str, Any] | None = None
    rotation: DriveRotation | Mapping[str, Any] | None = None
    body: Body | Mapping[str, Any] | None = None
    from_: float | None = None


@dataclass(kw_only=True)
class PlaneBoundary(Part):
    """Infinite plane; particles live where its normal points.

    point: A point of the plane [m].
    normal: Normal towards the particles; its length does not count.
    material: Name of the material.
    servo: A stress or a force that it holds; instead of a drive.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['plane'] = 'plane'
    point: Sequence[float]
    normal: Sequence[float]
    material: str
    servo: Servo | Mapping[str, Any] | None = None
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class BoxBoundary(Part):
    """Six planes; particles live inside.

    min: Lowest corner [m].
    max: Highest corner [m].
    material: Name of the material.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['box'] = 'box'
    min: Sequence[float]
    max: Sequence[float]
    material: str
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class RadialServo(Part):
    """A radial stress or force that it holds by its radius; instead of a drive. Particles are inside.

    stress: Mean radial stress of the particles on the shell, or a table of it over time; pressure is positive [Pa].
    force: Sum of their forces away from the axis, or a table of it over time; pressure is positive [N].
    inertial_number: Limit of the rates at which the cylinder compresses the particles. Default: 0.001.
    from_: Time until which the radius is held, and from which tables count [s]. Default: 0.
    """

    stress: float | Sequence[Sequence[float]] | None = None
    force: float | Sequence[Sequence[float]] | None = None
    inertial_number: float | None = None
    from_: float | None = None


@dataclass(kw_only=True)
class CylinderBoundary(Part):
    """Open cylindrical shell; both sides are active.

    from_: Centre of the first rim [m].
    to: Centre of the second rim [m].
    radius: Radius of the shell [m].
    material: Name of the material.
    servo: A radial stress or force that it holds by its radius; instead of a drive. Particles are inside.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['cylinder'] = 'cylinder'
    from_: Sequence[float]
    to: Sequence[float]
    radius: float
    material: str
    servo: RadialServo | Mapping[str, Any] | None = None
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class ConeBoundary(Part):
    """Open shell of a truncated cone; both sides are active.

    from_: Centre of the first rim [m].
    to: Centre of the second rim [m].
    radius_from: Radius of the first rim; 0: the tip [m].
    radius_to: Radius of the second rim; 0: the tip [m].
    material: Name of the material.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['cone'] = 'cone'
    from_: Sequence[float]
    to: Sequence[float]
    radius_from: float
    radius_to: float
    material: str
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class SphereBoundary(Part):
    """Spherical shell; both sides are active.

    center: Centre [m].
    radius: Radius of the shell [m].
    material: Name of the material.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['sphere'] = 'sphere'
    center: Sequence[float]
    radius: float
    material: str
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class Facets(Part):
    """Pressure, shear and wear of each facet in the frames.

    archard: Archard's wear: volume worn off per normal force and way of sliding, k / H [1/Pa]. Default: 0.
    finnie: Finnie's erosion: volume cut off per m v^2 of an impact and his function of the angle [1/Pa]. Default: 0.
    """

    archard: float | None = None
    finnie: float | None = None


@dataclass(kw_only=True)
class MeshBoundary(Part):
    """Triangle surface; both sides are active.

    file: STL, OBJ, PLY or VTK file, relative to the case file.
    material: Name of the material.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    part: Takes only this part of the file: a solid of a text STL, an object or a group of an OBJ.
    facets: Pressure, shear and wear of each facet in the frames.
    servo: A stress or a force that it holds; instead of a drive.
    motion: Motions, applied one after the other.
    drive: Mass and forces that move it as well.
    surface_motion: How its surface moves along itself, while the boundary stays where it is (a belt).
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: it stays [s].
    from_start: It begins where the run of the start has left the boundary of this name. Default: false.
    temperature: Fixed temperature; left out, and without heat_flux: no heat passes [K].
    heat_flux: Heat into each particle that touches it, over the area pi r^2 of the particle [W/m2].
    """

    type: Literal['mesh'] = 'mesh'
    file: str
    material: str
    scale: float | None = None
    rotate: Rotate | Mapping[str, Any] | None = None
    translate: Sequence[float] | None = None
    part: str | None = None
    facets: Facets | Mapping[str, Any] | None = None
    servo: Servo | Mapping[str, Any] | None = None
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    drive: Drive | Mapping[str, Any] | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    present_from: float | None = None
    present_until: float | None = None
    from_start: bool | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class RemovedCondition(Part):
    """Enough particles have left through an outlet.

    by: Name of the outlet or region.
    at_least: Their number since the start of the run. Default: 1.
    """

    by: str
    at_least: int | None = None


@dataclass(kw_only=True)
class ForceCondition(Part):
    """The force on a boundary is large, or small, enough.

    boundary: Name of the boundary.
    above: It is at least this [N].
    below: It is at most this [N].
    along: Direction of the component, which has a sign; left out: the magnitude.
    """

    boundary: str
    above: float | None = None
    below: float | None = None
    along: Sequence[float] | None = None


@dataclass(kw_only=True)
class PositionCondition(Part):
    """A boundary has moved far, or back, enough.

    boundary: Name of the boundary.
    above: It is at least this [m].
    below: It is at most this [m].
    along: Direction of the component, which has a sign; left out: the distance.
    """

    boundary: str
    above: float | None = None
    below: float | None = None
    along: Sequence[float] | None = None


@dataclass(kw_only=True)
class FlowCondition(Part):
    """The flow through an outlet is large, or small, enough.

    by: Name of the outlet or region.
    window: Length of the windows, one after the other [s].
    above: It is at least this [kg/s].
    below: It is at most this [kg/s].
    """

    by: str
    window: float
    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class Plane(Part):
    """The plane, without end.

    point: A point of the plane [m].
    normal: Direction that counts as positive; its length does not count.
    """

    point: Sequence[float]
    normal: Sequence[float]


@dataclass(kw_only=True)
class FlowProbe(Part):
    """Net number and mass of particles through a plane since the start.

    plane: The plane, without end.
    window: Also measures the mean flow over this time [s].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['flow'] = 'flow'
    plane: Plane | Mapping[str, Any]
    window: float | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class StressProbe(Part):
    """Stress tensor of contacts and of motion, tension positive.

    region: Particles with their centres inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['stress'] = 'stress'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class FabricProbe(Part):
    """Fabric tensor.

    region: Contacts inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['fabric'] = 'fabric'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class CoordinationProbe(Part):
    """Contacts per particle, with and without those that have fewer than two.

    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['coordination'] = 'coordination'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class PorosityProbe(Part):
    """Solid fraction and porosity.

    region: Particles with their centres inside count, as a whole; left out: those of the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['porosity'] = 'porosity'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class InertialNumberProbe(Part):
    """Mean inertial number.

    region: Particles with their centres inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['inertial_number'] = 'inertial_number'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class TrackProbe(Part):
    """Position, velocity and force of chosen particles.

    particles: Ids of the particles.
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['track'] = 'track'
    particles: Sequence[int]
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class MixingKind(Part):
    """The first kind; all other particles are the second.

    materials: Names of materials; left out: any.
    groups: Names of groups; left out: any.
    larger_than: Only particles with a larger radius [m].
    """

    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    larger_than: float | None = None


@dataclass(kw_only=True)
class Axis(Part):
    """Also measures segregation towards this axis or away from it.

    point: A point of the line [m].
    direction: Its direction; the length does not count.
    """

    point: Sequence[float]
    direction: Sequence[float]


@dataclass(kw_only=True)
class MixingProbe(Part):
    """How well two kinds of particles are mixed.

    of: The first kind; all other particles are the second.
    sample: Edge of the cubes whose contents are compared [m].
    region: Particles with their centres inside count; left out: all [m].
    axis: Also measures segregation towards this axis or away from it.
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['mixing'] = 'mixing'
    of: MixingKind | Mapping[str, Any]
    sample: float
    region: Region | Mapping[str, Any] | None = None
    axis: Axis | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class SizeSegregationProbe(Part):
    """Whether large particles lie apart from small ones, along each axis.

    region: Particles with their centres inside count; left out: all [m].
    axis: Also measures segregation towards this axis or away from it.
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['size_segregation'] = 'size_segregation'
    region: Region | Mapping[str, Any] | None = None
    axis: Axis | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class FragmentsProbe(Part):
    """Pieces that unbroken bonds hold together.

    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['fragments'] = 'fragments'
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class AngleOfReposeProbe(Part):
    """Slope of the surface of a heap, about an axis along gravity.

    region: Particles with their centres inside count; left out: all [m].
    center: A point of the axis of the heap; left out: the centre of mass of the particles [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['angle_of_repose'] = 'angle_of_repose'
    region: Region | Mapping[str, Any] | None = None
    center: Sequence[float] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class DissipationProbe(Part):
    """Power and energy that contacts lose by slip, breaking and dashpots.

    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['dissipation'] = 'dissipation'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class BoundaryForceProbe(Part):
    """Force and torque of the particles on boundaries.

    boundaries: Names of boundaries; their forces and torques are added up.
    about: Torques count about this point [m]. Default: [0, 0, 0].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['boundary_force'] = 'boundary_force'
    boundaries: Sequence[str]
    about: Sequence[float] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class SurfaceSlopeProbe(Part):
    """Slope of the surface of a bed, such as the dynamic angle of repose in a drum.

    along: Direction in which the surface rises if the angle is positive; only its part across gravity counts.
    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['surface_slope'] = 'surface_slope'
    along: Sequence[float]
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class ContentProbe(Part):
    """Number, mass, centre, mean velocity and granular temperature of the particles in a region.

    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['content'] = 'content'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class BoxProbe(Part):
    """Lengths, strains, stresses and void ratio of a sample between plane walls.

    walls: Names of planes across x, y or z, in opposite pairs: six, or two of a sample with an area.
    area: Section of a sample between two walls; left out: it follows from the other walls and from the periodic cell
        [m2].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['box'] = 'box'
    walls: Sequence[str]
    area: float | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class ContactForceProbe(Part):
    """Force and torque of all other particles and of boundaries on the particles that the probe sees.

    about: Torques count about this point; left out: the centre of mass of these particles [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['contact_force'] = 'contact_force'
    about: Sequence[float] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class TriaxialProbe(Part):
    """Quantities of soil tests: mean stress, deviator and mobilised friction, compression positive.

    axis: Axis of the axial stress; the other two are lateral.
    region: Particles with their centres inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['triaxial'] = 'triaxial'
    axis: Literal['x', 'y', 'z']
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class ExposureProbe(Part):
    """Time that particles have spent in a region since the start: mean, scatter and number of visits.

    region: Particles with their centres inside count [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples: a row has their mean since the last row; left out: the state of
        the row alone [s].
    """

    type: Literal['exposure'] = 'exposure'
    region: Region | Mapping[str, Any]
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class MeasureCondition(Part):
    """A measure of the state is large, or small, enough.

    probe: What is measured; left out: a column of the series, but of none of its probes.
    column: Name of the column, without its unit; may be left out for a probe with a single column.
    above: It is at least this, in the unit of the column.
    below: It is at most this, in the unit of the column.
    """

    probe: FlowProbe | StressProbe | FabricProbe | CoordinationProbe | PorosityProbe | InertialNumberProbe | TrackProbe | MixingProbe | SizeSegregationProbe | FragmentsProbe | AngleOfReposeProbe | DissipationProbe | BoundaryForceProbe | SurfaceSlopeProbe | ContentProbe | BoxProbe | ContactForceProbe | TriaxialProbe | ExposureProbe | Mapping[str, Any] | None = None
    column: str | None = None
    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class StageCondition(Part):
    """Conditions that must hold together.

    duration: Time since the stage began [s].
    kinetic_energy: Mean of a particle, at most this [J].
    speed: Largest of a particle, at most this [m/s].
    unbalanced_force: Mean force on a particle over mean contact force, at most this.
    at_most: So many particles, or fewer, are in the run.
    at_least: So many particles, or more, are in the run.
    removed: Enough particles have left through an outlet.
    boundary_force: The force on a boundary is large, or small, enough.
    boundary_position: A boundary has moved far, or back, enough.
    flow: The flow through an outlet is large, or small, enough.
    measure: A measure of the state is large, or small, enough.
    control: The stage of "domain.control" with this name has ended.
    servo_error: All walls with a servo hold their stress or force up to this fraction of it.
    """

    duration: float | None = None
    kinetic_energy: float | None = None
    speed: float | None = None
    unbalanced_force: float | None = None
    at_most: int | None = None
    at_least: int | None = None
    removed: RemovedCondition | Mapping[str, Any] | None = None
    boundary_force: ForceCondition | Mapping[str, Any] | None = None
    boundary_position: PositionCondition | Mapping[str, Any] | None = None
    flow: FlowCondition | Mapping[str, Any] | None = None
    measure: MeasureCondition | Mapping[str, Any] | None = None
    control: str | None = None
    servo_error: float | None = None


@dataclass(kw_only=True)
class RunStageEnd(Part):
    """What ends it; left out: the run does. For the last stage only.

    duration: Time since the stage began [s].
    kinetic_energy: Mean of a particle, at most this [J].
    speed: Largest of a particle, at most this [m/s].
    unbalanced_force: Mean force on a particle over mean contact force, at most this.
    at_most: So many particles, or fewer, are in the run.
    at_least: So many particles, or more, are in the run.
    removed: Enough particles have left through an outlet.
    boundary_force: The force on a boundary is large, or small, enough.
    boundary_position: A boundary has moved far, or back, enough.
    flow: The flow through an outlet is large, or small, enough.
    measure: A measure of the state is large, or small, enough.
    control: The stage of "domain.control" with this name has ended.
    servo_error: All walls with a servo hold their stress or force up to this fraction of it.
    all_of: Conditions that end it when all of them hold.
    not_before: Time since the stage began before which only "duration" can end it [s]. Default: 0.
    """

    duration: float | None = None
    kinetic_energy: float | None = None
    speed: float | None = None
    unbalanced_force: float | None = None
    at_most: int | None = None
    at_least: int | None = None
    removed: RemovedCondition | Mapping[str, Any] | None = None
    boundary_force: ForceCondition | Mapping[str, Any] | None = None
    boundary_position: PositionCondition | Mapping[str, Any] | None = None
    flow: FlowCondition | Mapping[str, Any] | None = None
    measure: MeasureCondition | Mapping[str, Any] | None = None
    control: str | None = None
    servo_error: float | None = None
    all_of: Sequence[StageCondition | Mapping[str, Any]] | None = None
    not_before: float | None = None


@dataclass(kw_only=True)
class StagedServo(Part):
    """What its servo holds.

    stress: Mean normal stress on the wall, or a table of it over time [Pa].
    force: Normal force on the wall, or a table of it over time [N].
    speed: The wall holds nothing, but moves with this speed towards the particles; negative: away [m/s].
    """

    stress: float | Sequence[Sequence[float]] | None = None
    force: float | Sequence[Sequence[float]] | None = None
    speed: float | None = None


@dataclass(kw_only=True)
class StagedBoundary(Part):
    """What becomes of a boundary; left out: it stays as it is.

    present: Whether particles can touch it.
    motion: Its motions from now on, from where it is; times count from the start of the stage.
    force: Force of its drive [N].
    torque: Torque of its drive [N m].
    surface_motion: The motions of its surface from now on; times count from the start of the stage.
    servo: What its servo holds.
    temperature: Its fixed temperature from now on, instead of a temperature or heat_flux so far [K].
    heat_flux: Its flux of heat from now on, instead of a temperature or heat_flux so far; 0: no heat passes [W/m2].
    """

    present: bool | None = None
    motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    force: Sequence[float] | None = None
    torque: float | None = None
    surface_motion: Sequence[Translation | Rotation | Oscillation | TableMotion | Mapping[str, Any]] | None = None
    servo: StagedServo | Mapping[str, Any] | None = None
    temperature: float | None = None
    heat_flux: float | None = None


@dataclass(kw_only=True)
class Join(Part):
    """Particles that join the group as the stage begins.

    region: Particles with their centres inside at that moment; left out: everywhere [m].
    materials: Names of materials; left out: any.
    groups: Names of groups they were in; left out: any.
    """

    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None


@dataclass(kw_only=True)
class StagedGroup(Part):
    """What holds for the particles of a group from now on; left out: it stays as it is.

    join: Particles that join the group as the stage begins.
    fixed: Components that keep their velocity from now on; all others are free. Ends a rotation.
    velocity: Imposed on the fixed ones of x, y and z. Ends a rotation [m/s].
    angular_velocity: Imposed on the fixed ones of rx, ry and rz. Ends a rotation [rad/s].
    rotation: The group turns as one body from now on; all six components must be fixed.
    force: Force on each particle [N].
    torque: Torque on each particle [N m].
    damping: Cundall's non-viscous damping of its particles.
    gravity: Whether gravity acts.
    """

    join: Join | Mapping[str, Any] | None = None
    fixed: Sequence[Literal['x', 'y', 'z', 'rx', 'ry', 'rz']] | None = None
    velocity: Sequence[float] | None = None
    angular_velocity: Sequence[float] | None = None
    rotation: GroupRotation | Mapping[str, Any] | None = None
    force: Sequence[float] | None = None
    torque: Sequence[float] | None = None
    damping: float | None = None
    gravity: bool | None = None


@dataclass(kw_only=True)
class StagedStep(Part):
    """The time step; left out: as it is.

    step: All steps have this length [s].
    safety: The step follows the contacts that there are: this fraction of the limit.
    """

    step: float | None = None
    safety: float | None = None


@dataclass(kw_only=True)
class StagedFriction(Part):
    """The friction of two materials from now on.

    value: Coefficient of friction.
    between: Names of two materials; "*" is any.
    """

    value: float
    between: Sequence[str] | None = None


@dataclass(kw_only=True)
class StagedInlet(Part):
    """What becomes of an inlet; left out: it stays as it is.

    on: Whether particles come.
    rate: Particles per time, of an inlet with a rate [1/s].
    mass_flow: Mass per time, of an inlet with a mass flow [kg/s].
    """

    on: bool | None = None
    rate: float | None = None
    mass_flow: float | None = None


@dataclass(kw_only=True)
class StagedMembrane(Part):
    """What becomes of a membrane.

    pressure: From outside, or a table over the time since the start of the stage [Pa].
    """

    pressure: float | Sequence[Sequence[float]]


@dataclass(kw_only=True)
class StagedInterval(Part):
    """Frames.

    on: Whether it is written at all.
    every: Time between two of them, from the start of the stage on [s].
    """

    on: bool | None = None
    every: float | None = None


@dataclass(kw_only=True)
class StagedOutput(Part):
    """Output that changes.

    frames: Frames.
    series: Rows of the series.
    contacts: Files of contacts.
    fields: Files of means over grids, by name.
    """

    frames: StagedInterval | Mapping[str, Any] | None = None
    series: StagedInterval | Mapping[str, Any] | None = None
    contacts: StagedInterval | Mapping[str, Any] | None = None
    fields: Mapping[str, StagedInterval | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class RunStage(Part):
    """A part of the run with settings of its own, which stay in later stages.

    name: Name in the log, in frames and for the reader.
    until: What ends it; left out: the run does. For the last stage only.
    gravity: Acceleration of gravity; left out: as it is [m/s2].
    boundaries: Boundaries that change, by name.
    groups: Groups of particles that change, by name.
    time: The time step; left out: as it is.
    damping: Cundall's damping of all that have none of their own.
    viscous_damping: Rate of the viscous damping [1/s].
    friction: Friction of materials; the first entry that matches two of them wins.
    inlets: Inlets that change, by name.
    membranes: Membranes that change, by name.
    output: Output that changes.
    """

    name: str
    until: RunStageEnd | Mapping[str, Any] | None = None
    gravity: Sequence[float] | None = None
    boundaries: Mapping[str, StagedBoundary | Mapping[str, Any]] | None = None
    groups: Mapping[str, StagedGroup | Mapping[str, Any]] | None = None
    time: StagedStep | Mapping[str, Any] | None = None
    damping: float | None = None
    viscous_damping: float | None = None
    friction: Sequence[StagedFriction | Mapping[str, Any]] | None = None
    inlets: Mapping[str, StagedInlet | Mapping[str, Any]] | None = None
    membranes: Mapping[str, StagedMembrane | Mapping[str, Any]] | None = None
    output: StagedOutput | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Outlet(Part):
    """A plane that counts and removes each particle whose centre crosses it.

    point: A point of the plane [m].
    normal: Direction out of the domain; its length does not count.
    """

    point: Sequence[float]
    normal: Sequence[float]


@dataclass(kw_only=True)
class Deletion(Part):
    """A region that counts and removes each particle whose centre is inside.

    box: Box along the axes: its lowest and its highest corner.
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    from_: Time from which it removes [s]. Default: 0.
    until: Time at which it ends; left out: never [s].
    """

    box: Sequence[Any] | None = None
    cylinder: Cylinder | Mapping[str, Any] | None = None
    sphere: Sphere | Mapping[str, Any] | None = None
    from_: float | None = None
    until: float | None = None


@dataclass(kw_only=True)
class PeriodicCell(Part):
    """A cell that repeats without end.

    size: Lengths of a box along the axes [m].
    edges: The three edge vectors of any parallelepiped [m].
    origin: Corner from which the edges go out; it does not move [m]. Default: [0, 0, 0].
    axes: Along which the cell repeats; with fewer than all three the cell is a box. Default: ["x", "y", "z"].
    """

    size: Sequence[float] | None = None
    edges: Sequence[Sequence[float]] | None = None
    origin: Sequence[float] | None = None
    axes: Sequence[Literal['x', 'y', 'z']] | None = None


@dataclass(kw_only=True)
class Follows(Part):
    """Multiples of the strains of other components, which make up the strain of this one: with -0.5 of zz for both xx and yy the volume stays.

    xx: This times the other strain is added.
    yy: This times the other strain is added.
    zz: This times the other strain is added.
    yz: This times the other strain is added.
    xz: This times the other strain is added.
    xy: This times the other strain is added.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class Plus(Part):
    """Multiples of other measured stresses: they are added to the goal of stress, or to the stress that reverses the strain rate.

    xx: This times the measured stress is added.
    yy: This times the measured stress is added.
    zz: This times the measured stress is added.
    yz: This times the measured stress is added.
    xz: This times the measured stress is added.
    xy: This times the measured stress is added.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class StageComponent(Part):
    """Component of the cell; left out: a strain rate of 0.

    strain_rate: Of xx, yy, zz the rate of logarithmic strain, of xy the velocity along x by y, and so on [1/s].
    strain: Strain since the stage began.
    stress: Stress, positive in tension [Pa].
    follows: Multiples of the strains of other components, which make up the strain of this one: with -0.5 of zz for
        both xx and yy the volume stays.
    reverse_at_stress: The strain rate changes its sign whenever the stress has come this far either way [Pa].
    plus: Multiples of other measured stresses: they are added to the goal of stress, or to the stress that reverses the
        strain rate.
    """

    strain_rate: float | Sequence[Sequence[float]] | None = None
    strain: float | Sequence[Sequence[float]] | None = None
    stress: float | Sequence[Sequence[float]] | None = None
    follows: Follows | Mapping[str, Any] | None = None
    reverse_at_stress: float | None = None
    plus: Plus | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class StageStrain(Part):
    """One of these strains is reached.

    xx: Magnitude of this strain since the stage began.
    yy: Magnitude of this strain since the stage began.
    zz: Magnitude of this strain since the stage began.
    yz: Magnitude of this strain since the stage began.
    xz: Magnitude of this strain since the stage began.
    xy: Magnitude of this strain since the stage began.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class Stress(Part):
    """One of these stresses is passed.

    xx: This stress passes the value, from the side on which it was at first [Pa].
    yy: This stress passes the value, from the side on which it was at first [Pa].
    zz: This stress passes the value, from the side on which it was at first [Pa].
    yz: This stress passes the value, from the side on which it was at first [Pa].
    xz: This stress passes the value, from the side on which it was at first [Pa].
    xy: This stress passes the value, from the side on which it was at first [Pa].
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class VoidRatioCondition(Part):
    """The void ratio is large, or small, enough.

    above: It is at least this.
    below: It is at most this.
    """

    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class SolidFractionCondition(Part):
    """The solid fraction is large, or small, enough.

    above: It is at least this.
    below: It is at most this.
    """

    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class StageEnd(Part):
    """When it ends; left out: with the run. For the last stage only.

    duration: Time since the stage began [s].
    strain: One of these strains is reached.
    stress: One of these stresses is passed.
    reversals: Strain rates have changed their signs this often because of "reverse_at_stress".
    stress_error: All stresses are this near to their goals, as a fraction of the largest goal of stress.
    unbalanced_force: Mean force on a particle over mean contact force is at most this.
    void_ratio: The void ratio is large, or small, enough.
    solid_fraction: The solid fraction is large, or small, enough.
    """

    duration: float | None = None
    strain: StageStrain | Mapping[str, Any] | None = None
    stress: Stress | Mapping[str, Any] | None = None
    reversals: int | None = None
    stress_error: float | None = None
    unbalanced_force: float | None = None
    void_ratio: VoidRatioCondition | Mapping[str, Any] | None = None
    solid_fraction: SolidFractionCondition | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class RepeatedStage(Part):
    """One stage of those that are repeated.

    name: For the reader.
    xx: Component of the cell; left out: a strain rate of 0.
    yy: Component of the cell; left out: a strain rate of 0.
    zz: Component of the cell; left out: a strain rate of 0.
    yz: Component of the cell; left out: a strain rate of 0.
    xz: Component of the cell; left out: a strain rate of 0.
    xy: Component of the cell; left out: a strain rate of 0.
    inertial_number: Limit of the strain rates that the program chooses for stresses. Default: 0.001.
    until: When it ends.
    """

    name: str | None = None
    xx: StageComponent | Mapping[str, Any] | None = None
    yy: StageComponent | Mapping[str, Any] | None = None
    zz: StageComponent | Mapping[str, Any] | None = None
    yz: StageComponent | Mapping[str, Any] | None = None
    xz: StageComponent | Mapping[str, Any] | None = None
    xy: StageComponent | Mapping[str, Any] | None = None
    inertial_number: float | None = None
    until: StageEnd | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class DoubleAmplitudes(Part):
    """One of these strains has gone to and fro this far within a round.

    xx: Largest minus least of this strain since the round began.
    yy: Largest minus least of this strain since the round began.
    zz: Largest minus least of this strain since the round began.
    yz: Largest minus least of this strain since the round began.
    xz: Largest minus least of this strain since the round began.
    xy: Largest minus least of this strain since the round began.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class RepeatEnd(Part):
    """What ends all rounds earlier.

    double_amplitude: One of these strains has gone to and fro this far within a round.
    """

    double_amplitude: DoubleAmplitudes | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class StageRepeat(Part):
    """Stages that are run several times, instead of this one.

    times: Number of rounds.
    stages: The stages of a round.
    until: What ends all rounds earlier.
    """

    times: int
    stages: Sequence[RepeatedStage | Mapping[str, Any]]
    until: RepeatEnd | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Stage(Part):
    """One stage of the control of a periodic cell, or several that are repeated.

    name: For the reader.
    xx: Component of the cell; left out: a strain rate of 0.
    yy: Component of the cell; left out: a strain rate of 0.
    zz: Component of the cell; left out: a strain rate of 0.
    yz: Component of the cell; left out: a strain rate of 0.
    xz: Component of the cell; left out: a strain rate of 0.
    xy: Component of the cell; left out: a strain rate of 0.
    inertial_number: Limit of the strain rates that the program chooses for stresses. Default: 0.001.
    until: When it ends; left out: with the run. For the last stage only.
    repeat: Stages that are run several times, instead of this one.
    """

    name: str | None = None
    xx: StageComponent | Mapping[str, Any] | None = None
    yy: StageComponent | Mapping[str, Any] | None = None
    zz: StageComponent | Mapping[str, Any] | None = None
    yz: StageComponent | Mapping[str, Any] | None = None
    xz: StageComponent | Mapping[str, Any] | None = None
    xy: StageComponent | Mapping[str, Any] | None = None
    inertial_number: float | None = None
    until: StageEnd | Mapping[str, Any] | None = None
    repeat: StageRepeat | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Domain(Part):
    """Where particles may be.

    remove_outside: Particles whose centre leaves this box are removed [m].
    outlets: Planes that count and remove particles, by name.
    delete_in: Regions that count and remove particles, by name.
    periodic: A cell that repeats without end.
    velocity_gradient: Constant rate at which the cell deforms: rows of L_ij = d v_i / d x_j [1/s].
    control: What strains and stresses of the cell do, stage by stage.
    """

    remove_outside: Mapping[str, Any] | None = None
    outlets: Mapping[str, Outlet | Mapping[str, Any]] | None = None
    delete_in: Mapping[str, Deletion | Mapping[str, Any]] | None = None
    periodic: PeriodicCell | Mapping[str, Any] | None = None
    velocity_gradient: Sequence[Sequence[float]] | None = None
    control: Sequence[Stage | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class Integration(Part):
    """Motion of the particles.

    damping: Cundall's non-viscous damping of forces and torques; 0 is none. Default: 0.
    damp_gravity: Cundall's damping acts on gravity as well. Default: true.
    viscous_damping: Rate c of the force -c m v and of the torque -c I w on each particle [1/s]. Default: 0.
    rotation: Integrator of the rotation of clumps. Default: "spiral".
    """

    damping: float | None = None
    damp_gravity: bool | None = None
    viscous_damping: float | None = None
    rotation: Literal['spiral', 'omelyan', 'fincham'] | None = None


@dataclass(kw_only=True)
class Neighbours(Part):
    """Search for neighbours.

    verlet_distance: Gap up to which pairs are listed; "auto" takes it from the smallest radius and the speeds [m].
        Default: "auto".
    target_interval: How long the list of a particle should last at its speed [steps].
    """

    verlet_distance: Literal['auto'] | float | Mapping[str, Any] | None = None
    target_interval: float | None = None


@dataclass(kw_only=True)
class FramesOutput(Part):
    """Files of all particles, for ParaView.

    every: Simulated time between two frames [s].
    fields: Fields in each frame, beside the positions. Default: ["velocity", "radius"].
    grain_nodes: Also the nodes of level-set grains that touch, with their forces, and tractions on surfaces. Default:
        false.
    """

    every: float
    fields: Sequence[Literal['velocity', 'angular_velocity', 'radius', 'material', 'id', 'force', 'coordination_number', 'damage', 'fragment', 'group', 'clump', 'orientation', 'clump_velocity', 'fluctuation_velocity', 'image', 'unwrapped_position', 'temperature', 'dissipated_energy', 'film']] | None = None
    grain_nodes: bool | None = None


@dataclass(kw_only=True)
class SeriesOutput(Part):
    """Table of totals over time, as CSV.

    every: Simulated time between two rows [s].
    energies: Columns of the energy ledger: who has, gave and lost what. Default: false.
    probes: Measures in each row, by name.
    """

    every: float
    energies: bool | None = None
    probes: Mapping[str, FlowProbe | StressProbe | FabricProbe | CoordinationProbe | PorosityProbe | InertialNumberProbe | TrackProbe | MixingProbe | SizeSegregationProbe | FragmentsProbe | AngleOfReposeProbe | DissipationProbe | BoundaryForceProbe | SurfaceSlopeProbe | ContentProbe | BoxProbe | ContactForceProbe | TriaxialProbe | ExposureProbe | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class ContactsOutput(Part):
    """Files of all touching contacts, with their forces.

    every: Simulated time between two files [s].
    """

    every: float


@dataclass(kw_only=True)
class Grid(Part):
    """The grid.

    cells: Number of cells along x, y and z; of a cylinder along radius, angle and axis.
    box: Its lowest and its highest corner [m].
    cylinder: The cylinder that the cells fill, instead of a box; it may be hollow [m].
    zero: Of a cylinder: the angle is 0 on this side of the axis; left out: on the side of the one of x, y and z that is
        most across it.
    """

    cells: Sequence[int]
    box: Sequence[Any] | None = None
    cylinder: Cylinder | Mapping[str, Any] | None = None
    zero: Sequence[float] | None = None


@dataclass(kw_only=True)
class Fields(Part):
    """Means over the cells of a grid and over time windows: density, velocity, stress and more.

    every: Simulated time between two files: a window [s].
    grid: The grid.
    width: A particle is spread over so far along each axis, both ways [m].
    sample_every: Simulated time between two samples in a window; by default every: one sample per file [s].
    materials: Names of materials whose particles count; left out: all.
    groups: Names of groups whose particles count; left out: all.
    """

    every: float
    grid: Grid | Mapping[str, Any]
    width: float
    sample_every: float | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None


@dataclass(kw_only=True)
class BrokenBonds(Part):
    """A table of the bonds that break: when, where and under which force.

    every: Simulated time between two looks at all bonds [s].
    """

    every: float


@dataclass(kw_only=True)
class CollisionsOutput(Part):
    """A table of numbers of collisions by what each of them loses: impact energy spectra.

    every: Length of a window of time: each has rows of its own [s].
    from_: Collisions that lose less share a row [J].
    to: Collisions that lose as much or more share a row [J].
    bins_per_decade: Number of rows for each power of ten of the loss. Default: 5.
    """

    every: float
    from_: float
    to: float
    bins_per_decade: int | None = None


@dataclass(kw_only=True)
class CheckpointsOutput(Part):
    """States from which `scree run --resume` goes on.

    every: Simulated time between two checkpoints [s].
    keep: How many of the newest are kept; 0: none is written, unless the run is interrupted. Default: 2.
    """

    every: float
    keep: int | None = None


@dataclass(kw_only=True)
class Output(Part):
    """What is written; nothing by default.

    frames: Files of all particles, for ParaView.
    series: Table of totals over time, as CSV.
    contacts: Files of all touching contacts, with their forces.
    fields: Means over the cells of grids and over time windows, by name.
    left: A table of the particles that outlets and regions remove: when, where and how fast. Default: false.
    broken_bonds: A table of the bonds that break: when, where and under which force.
    broken_particles: A table of the particles that break: when, where and under which stress. Default: false.
    collisions: A table of numbers of collisions by what each of them loses: impact energy spectra.
    checkpoints: States from which `scree run --resume` goes on.
    """

    frames: FramesOutput | Mapping[str, Any] | None = None
    series: SeriesOutput | Mapping[str, Any] | None = None
    contacts: ContactsOutput | Mapping[str, Any] | None = None
    fields: Mapping[str, Fields | Mapping[str, Any]] | None = None
    left: bool | None = None
    broken_bonds: BrokenBonds | Mapping[str, Any] | None = None
    broken_particles: bool | None = None
    collisions: CollisionsOutput | Mapping[str, Any] | None = None
    checkpoints: CheckpointsOutput | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Region(Part):
    """Where particles are, appear or are looked at. Exactly one of the keys is given.

    box: Box along the axes: its lowest and its highest corner.
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    mesh: Inside of a closed triangle surface.
    cell: The whole periodic cell, across its faces.
    above: The part of a box above the highest surface of a triangle mesh, along z.
    face: Surface through which particles come in, of inlets; they appear where its normals point.
    """

    box: Sequence[Any] | None = None
    cylinder: Cylinder | Mapping[str, Any] | None = None
    sphere: Sphere | Mapping[str, Any] | None = None
    mesh: MeshRegion | Mapping[str, Any] | None = None
    cell: Mapping[str, Any] | None = None
    above: AboveRegion | Mapping[str, Any] | None = None
    face: Face | Mapping[str, Any] | None = None


class CaseParts(TypedDict, total=False):
    """A scree case: everything a run depends on, in SI units.

    time: How long and in which steps.
    materials: Materials, by name.
    title: A line for the reader; no effect.
    gravity: Acceleration of gravity [m/s2]. Default: [0, 0, -9.81].
    precision: "mixed": positions in double precision, the rest in single; "double": all in double. Default: "mixed".
    seed: Seed of all that is random. Default: 1.
    parcels: Coarse graining: particles that stand for many grains each.
    shapes: Shapes of particles that are no spheres, by name.
    grain_contacts: How level-set grains touch.
    contacts: Contact rules; left out: one rule, any with any, hertz_mindlin.
    no_ratcheting: Slip of two particles of which closed cycles of pushing and rolling leave no shear force. Default:
        false.
    heat: Temperatures of the particles; left out: there are none.
    fluid: A fluid that drags and lifts the particles; left out: there is none.
    particles: What particles there are.
    breakage: Spheres that break under load; left out: none do.
    start: Checkpoint of another run, or a folder of them (the newest is taken): the run begins with its particles,
        contacts and periodic cell.
    groups: Settings of groups of particles, by name.
    boundaries: Boundaries, by name.
    stages: Parts of the run, in order; it ends with the last one.
    domain: Where particles may be.
    integration: Motion of the particles.
    neighbours: Search for neighbours.
    output: What is written; nothing by default.
    """

    time: Time | Mapping[str, Any]
    materials: Mapping[str, Material | Mapping[str, Any]]
    title: str
    gravity: Sequence[float]
    precision: Literal['mixed', 'double']
    seed: int
    parcels: Parcels | Mapping[str, Any]
    shapes: Mapping[str, ClumpShape | LevelSetShape | Mapping[str, Any]]
    grain_contacts: GrainContacts | Mapping[str, Any]
    contacts: Sequence[Contact | Mapping[str, Any]]
    no_ratcheting: bool
    heat: Heat | Mapping[str, Any]
    fluid: Fluid | Mapping[str, Any]
    particles: Sequence[Particles | Mapping[str, Any]]
    breakage: Breakage | Mapping[str, Any]
    start: str
    groups: Mapping[str, Group | Mapping[str, Any]]
    boundaries: Mapping[str, PlaneBoundary | BoxBoundary | CylinderBoundary | ConeBoundary | SphereBoundary | MeshBoundary | Mapping[str, Any]]
    stages: Sequence[RunStage | Mapping[str, Any]]
    domain: Domain | Mapping[str, Any]
    integration: Integration | Mapping[str, Any]
    neighbours: Neighbours | Mapping[str, Any]
    output: Output | Mapping[str, Any]
