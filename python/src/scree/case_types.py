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
    """Duration and time step of the run.

    duration: Simulated time [s].
    step: Time step; "auto" chooses it from stiffness and mass [s]. Default: "auto".
    safety: Automatic step as a fraction of the stable step; left out: 0.2, or 0.4 with adaptive.
    adaptive: Choose the automatic step again during the run, from the contacts. Default: false.
    update_interval: Interval at which an adaptive step is chosen again [steps]. Default: 10.
    """

    duration: float
    step: Literal['auto'] | float | None = None
    safety: float | None = None
    adaptive: bool | None = None
    update_interval: int | None = None


@dataclass(kw_only=True)
class Rolling(Part):
    """Resistance to rolling and twisting.

    type: A: a moment of constant magnitude; B: a moment proportional to the speed of rolling; C: springs that yield.
        Default: "C".
    stiffness: Rolling stiffness over r1 r2 times the shear stiffness. Default: 0.
    friction: Largest rolling moment over the smaller radius times the normal force. Default: 0.
    twisting_stiffness: Twisting stiffness over r1 r2 times the shear stiffness. Default: 0.
    twisting_friction: Largest twisting moment over the smaller radius times the normal force. Default: 0.
    damping: Damping ratio of rolling and of twisting. Default: 0.
    viscosity: For type B: rolling moment over the product of smaller radius, normal force and speed of rolling [s/m].
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
    """Thermal properties; needed with "heat".

    conductivity: Thermal conductivity of the solid [W/(m K)].
    heat_capacity: Specific heat capacity [J/(kg K)].
    emissivity: Emissivity of the surface; needed for radiation.
    young_modulus: True Young's modulus of a material that is softer in the run: heat flows through contact circles as
        small as the true modulus makes them; left out: the modulus of the run [Pa].
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
    thermal: Thermal properties; needed with "heat".
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
    """Coarse graining: each particle stands for many grains.

    scale: Radius of a parcel over the radius of its grains.
    restitution: same: impacts of parcels have the restitution of the grains; scaled: impacts of parcels lose as much
        energy per volume and time as those of the grains. Default: "same".
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
    scale: Factor from the units of the spheres to metres. Default: 1.
    resolution: Cells along the shortest edge of a grid that measures volume and inertia of overlapping spheres; left
        out: they are computed exactly.
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

    half_edges: Half of the edge lengths along x, y, z [m].
    """

    half_edges: Sequence[float]


@dataclass(kw_only=True)
class GrainCapsule(Part):
    """A cylinder with half balls at its ends.

    radius: Radius [m].
    half_length: Distance from the middle to the centre of a half ball [m].
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
    exponents: Exponents e1 and e2: 0.1 is nearly a box, 1 an ellipsoid, 2 an octahedron.
    """

    half_axes: Sequence[float]
    exponents: Sequence[float] | None = None


@dataclass(kw_only=True)
class Deformation(Part):
    """How the grain deforms; left out: a template deforms by its own modes if it has any, and all other grains are rigid.

    forms: Modes with a closed form, in place of the modes of a template.
    beam_theory: Take bending and stretching as those of slender bodies, which contract freely across their length.
        Default: true.
    count: Number of modes of the template that are used, from the first; left out: all; 0: the grain is rigid.
    mass: Mass of each mode of each grain; left out: from the density [kg].
    stiffness: Stiffness of each mode of each grain; left out: from Young's modulus [N/m].
    table: Knots of the force of a single mode of each grain over its amplitude, ascending from 0 [m, N].
    damping_ratio: Damping coefficient of each mode over its critical damping. Default: 0.
    damping_coefficient: Damping coefficient of each mode [N s/m]. Default: 0.
    damping_by_stiffness: Damping coefficient of each mode over its stiffness [s]. Default: 0.
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
        of `scree grain` (HDF5), relative to the case file.
    scale: Factor from the units of the file to metres. Default: 1.
    label: Label of the grain in an image.
    grid_spacing: Distance between neighbouring points of the grid; only a template may leave it out [m].
    node_spacing: Distance between neighbouring nodes over the spacing of the grid; left out: 0.9.
    deformation: How the grain deforms; left out: a template deforms by its own modes if it has any, and all other
        grains are rigid.
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
    """Contacts of level-set grains.

    two_pass: Count the nodes of both grains, each with half of the force, instead of those of the smaller grain alone.
        Default: false.
    by_area: Make the force of a node proportional to its area, instead of counting each node as one contact. Default:
        true.
    remap_iterations: For a grain that deforms: number of iterations that move a point back to the undeformed grain,
        after a first guess; left out: until the point is known to 1e-4 of the spacing of the grid.
    field_update: How contacts get the level set of a grain that deforms: remap moves the point back to the undeformed
        grain, remap_corners the corners of its grid cell; recompute and advect give each grain its own grid;
        precomputed interpolates between grids of each shape. Default: "remap".
    field_levels: For precomputed: number of amplitudes of each sign of each mode for which a grid is made; left out: 2.
    """

    two_pass: bool | None = None
    by_area: bool | None = None
    remap_iterations: int | None = None
    field_update: Literal['remap', 'remap_corners', 'recompute', 'advect', 'precomputed'] | None = None
    field_levels: int | None = None


@dataclass(kw_only=True)
class Bond(Part):
    """Bonds; the law bonded needs them.

    tensile_strength: Tension at which a bond breaks [Pa].
    cohesion: Shear stress at which a bond without normal force breaks [Pa].
    interaction_range: Largest distance of the centres of two bonded spheres, over the sum of their radii. Default: 1.
    strain: Measure of strain of a bond of spheres: linear or logarithmic. Default: "linear".
    gap: Level-set grains need this: their nodes are bonded to another surface up to this distance [m].
    normal_stiffness: Normal stiffness per area of bonds of level-set grains; left out: Young's modulus over the sum of
        the radii [Pa/m].
    shear_stiffness: Shear stiffness per area of bonds of level-set grains; left out: normal_stiffness times Poisson's
        ratio [Pa/m].
    damping: Damping ratio of the bonds and contacts of this rule. Default: 0.
    weibull_modulus: Weibull modulus of the scatter of strengths, with the two given strengths as scale parameters; left
        out: no scatter.
    form: start: bonds are made at the start; near: bonds are made also whenever two spheres come within the interaction
        range; kept: no bonds are made, but the bonds of the checkpoint in "start" remain. Default: "start".
    form_until: With form near: no bonds are made from this time on; left out: they are made until the end [s].
    moment_contribution: Factor of the stresses by bending and torsion in the criterion of breaking of a bond of
        spheres; above 0 it needs rolling of type C with a stiffness. Default: 0.
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
    """How the law jaeger simplifies load histories.

    merging: Segments of elastic loading are merged if their slopes differ by less than this fraction of the friction.
        Default: 0.
    most_segments: Largest number of segments per contact; beyond it the least important segments are merged; left out:
        no limit.
    exact_sliding: Integrate the direction of sliding over each step; this matters for large steps. Default: false.
    """

    merging: float | None = None
    most_segments: int | None = None
    exact_sliding: bool | None = None


@dataclass(kw_only=True)
class Cohesion(Part):
    """Linear cohesion in addition to the law.

    energy_density: Attractive force over area [J/m3].
    area: Area with the effective radius R* and the overlap u: hertz: pi R* u; intersection: the circle in which two
        spheres intersect; sjkr2: 4 pi R* u. Default: "hertz".
    reduces_friction: Coulomb's limit counts the normal force with the attraction, not the force of the law alone.
        Default: false.
    """

    energy_density: float
    area: Literal['hertz', 'intersection', 'sjkr2'] | None = None
    reduces_friction: bool | None = None


@dataclass(kw_only=True)
class Liquid(Part):
    """Liquid bridges in addition to the law.

    surface_tension: Surface tension of the liquid [N/m].
    contact_angle: Contact angle between liquid and solid [rad]. Default: 0.
    volume: Volume of a bridge; give this or volume_fraction [m3].
    volume_fraction: Volume of a bridge over the volume of the smaller sphere.
    force: Formula of the force over the gap: willett (2000) or rabinovich (2005). Default: "willett".
    from_films: A bridge takes its liquid from the films of the two particles, at most the given volume. Default: false.
    viscosity: Viscosity of the liquid; left out: bridges do not resist motion [Pa s].
    roughness: Height of asperities, needed with a viscosity: smaller gaps count as this gap [m].
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
    """Yielding and adhesion; the laws eepa and luding need it.

    ratio: Plastic part of the largest overlap, 1 - k1/k2.
    pull_off: Constant adhesive force [N]. Default: 0.
    adhesion: Stiffness of the adhesive branch over the stiffness of first loading. Default: 0.
    """

    ratio: float
    pull_off: float | None = None
    adhesion: float | None = None


@dataclass(kw_only=True)
class Contact(Part):
    """Contact law and values of pairs of materials; the first rule that matches a pair applies.

    between: Names of two materials; "*" matches any material.
    law: Contact law. Default: "hertz_mindlin".
    friction: Coefficient of friction; left out: the smaller value of the two materials.
    restitution: Coefficient of restitution; left out: the smaller value of the two materials.
    restitution_tangential: Coefficient of restitution of the tangential dashpot; left out: the value of restitution.
    exact_restitution: Choose linear dashpots for impacts that end at zero force, not at zero overlap.
    contact_time: Duration of an impact, from which the stiffness of linear springs follows [s].
    normal_stiffness: Normal stiffness of linear springs [N/m].
    shear_stiffness: Shear stiffness of linear springs [N/m].
    normal_damping: Coefficient of the normal linear dashpot [N s/m].
    shear_damping: Coefficient of the shear linear dashpot [N s/m].
    young_modulus: Effective modulus E* of Hertz's laws; left out: from the materials [Pa].
    shear_modulus: Effective modulus G* of Hertz's laws; left out: from the materials [Pa].
    surface_energy: Surface energy of each surface, half of the work of adhesion; for adhesive and elasto-plastic laws
        [J/m2].
    rolling: Resistance to rolling and twisting; left out: from the two materials.
    bond: Bonds; the law bonded needs them.
    load_history: How the law jaeger simplifies load histories.
    cohesion: Linear cohesion in addition to the law.
    liquid: Liquid bridges in addition to the law.
    plasticity: Yielding and adhesion; the laws eepa and luding need it.
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
    """Conduction through a gas; left out: heat flows through contacts alone.

    conductivity: Thermal conductivity of the gas [W/(m K)].
    least_gap: Roughness, or mean free path of the gas: smaller gaps count as this gap [m].
    thickness: Largest gap through which the gas conducts, over the radius of the particles. Default: 0.4.
    """

    conductivity: float
    least_gap: float
    thickness: float | None = None


@dataclass(kw_only=True)
class Radiation(Part):
    """Radiation; left out: none.

    range: Largest distance of two centres over the sum of the radii, or of a centre from a boundary over the radius.
        Default: 1.5.
    """

    range: float | None = None


@dataclass(kw_only=True)
class Heat(Part):
    """Heat of the particles; left out: particles have no temperature.

    temperature: Temperature at the start, for entries of "particles" that give none [K]. Default: 293.15.
    gas: Conduction through a gas; left out: heat flows through contacts alone.
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
    hindrance: How the neighbours of a grain change its drag. Default: "none".
    hindrance_width: Size of the surroundings whose porosity counts; left out: four mean diameters [m].
    surface: Surface of the fluid; left out: it is everywhere.
    """

    density: float
    viscosity: float
    velocity: Sequence[float] | None = None
    velocity_table: Sequence[Sequence[float]] | None = None
    velocity_file: str | None = None
    drag: Literal['stokes', 'schiller_naumann'] | None = None
    hindrance: Literal['none', 'di_felice'] | None = None
    hindrance_width: float | None = None
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
    exponent: Exponent n in the mass fraction exp(-(r / characteristic)^n) above a radius r; a larger exponent makes a
        narrower distribution.
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

    mass_fraction: Share of this kind in the mass of all particles; the shares of all parts sum to 1.
    material: Name of the material.
    shape: Shape of the particles: "sphere", or a name in "shapes". Default: "sphere".
    radius: Radius, or a distribution of radii. For a shape: radius of the sphere of the same volume; left out: the size
        of the shape itself [m].
    diameter: Diameter, or a distribution of diameters, in place of the radius [m].
    group: Name of a group in "groups"; left out: the group of the entry.
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
    inner_radius: Inner radius of a hollow cylinder: points nearer to the axis are outside [m]. Default: 0.
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
    holes: Accept holes: where the mesh has no surface, the region begins at the lower face of the box; without this,
        holes are an error. Default: false.
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
    normal: Normal towards the particles; its length does not count.
    radius: Radius of the disc [m].
    """

    center: Sequence[float]
    normal: Sequence[float]
    radius: float


@dataclass(kw_only=True)
class Face(Part):
    """Surface of an inlet through which particles come in; they appear on the side to which its normals point.

    file: STL, OBJ, PLY or VTK file of a triangle surface, relative to the case file.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    polygon: Corners of a plane polygon; seen from the tip of its normal they run counter-clockwise [m].
    disc: A plane disc.
    flip: Turn the normals round: particles appear on the other side. Default: false.
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

    box: Box with edges along the axes: [lowest corner, highest corner].
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    mesh: Inside of a closed triangle surface.
    cell: The whole periodic cell; particles may lie across its faces.
    above: The part of a box above the highest surface of a triangle mesh, along z.
    face: Surface of an inlet through which particles come in; they appear on the side to which its normals point.
    count: Number of particles.
    solid_fraction: Volume of the particles over the volume of the region.
    keep_clear: Place no particle that overlaps a boundary at the start. Default: true.
    keep_out_of: Names of boundaries that are closed meshes, such as shafts and paddles: no particle is placed inside
        them.
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
    jitter: Random shift of each particle, as a fraction of the free gap; it never causes overlaps. Default: 0.
    """

    box: Sequence[Any]
    spacing: float
    type: Literal['simple_cubic', 'body_centred', 'face_centred'] | None = None
    jitter: float | None = None


@dataclass(kw_only=True)
class Inlet(Part):
    """Particles that appear during the run.

    region: Region in which new particles lie wholly [m].
    name: Name by which stages refer to the inlet.
    rate: Number of particles per time [1/s].
    mass_flow: Mass of particles per time [kg/s].
    velocity: Velocity of a new particle [m/s]. Default: [0, 0, 0].
    normal_speed: Speed along the normal of a "face" region where the particle appears, in addition to "velocity" [m/s].
        Default: 0.
    angular_velocity: Angular velocity of a new particle [rad/s]. Default: [0, 0, 0].
    orientation: Unit quaternion [w, x, y, z] that turns the frame of the shape into the world; left out: random
        orientations.
    from_: Time at which the flow begins [s]. Default: 0.
    until: Time at which the flow ends; left out: never [s].
    count: Largest number of particles in all.
    mass: Largest mass of particles in all [kg].
    keep_out_of: Names of boundaries that are closed meshes, such as shafts and screws: no particle appears inside them.
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
    """A sleeve of bonded spheres, through which a pressure acts on a specimen.

    name: Name by which stages and columns of the series refer to the membrane.
    from_: Centre of the first end [m].
    to: Centre of the second end [m].
    radius: Radius of the room inside, which the spheres touch from outside [m].
    pressure: Pressure from outside, or a table of it over the time of the run; negative: pressure from inside [Pa].
    ends: Name in "groups" of the group of the first and the last ring of spheres; left out: the group of the entry.
    """

    name: str
    from_: Sequence[float]
    to: Sequence[float]
    radius: float
    pressure: float | Sequence[Sequence[float]]
    ends: str | None = None


@dataclass(kw_only=True)
class Particles(Part):
    """Particles of one material or of a mixture, which are there when the run starts or appear at an inlet.

    shape: Shape of the particles: "sphere", or a name in "shapes". Default: "sphere".
    material: Name of the material; only a mixture, or a file with a column "material", may leave it out.
    mixture: For fill and inlet: kinds of particles by mass fraction, in place of material, shape and radius.
    radius: Radius, or a distribution of radii; a file gives its own. For a shape: radius of the sphere of the same
        volume; left out: the size of the shape itself [m].
    diameter: Diameter, or a distribution of diameters, in place of the radius [m].
    fill: Random particles in a region.
    lattice: Particles on a lattice.
    positions: The centre of each particle [m].
    file: CSV file with a header line and columns x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; qw,qx,qy,qz;
        material; group; temperature; film; relative to the case file.
    scale: For a file: factor from its unit of length to metres, for positions and radii. Default: 1.
    translate: For a file: shift of the scaled positions [m]. Default: [0, 0, 0].
    inlet: Particles that appear during the run.
    membrane: A sleeve of bonded spheres, through which a pressure acts on a specimen.
    allow_overlap: Accepted overlap at the start over the smaller of two radii, for particles of a file, a lattice,
        positions or a membrane; between two entries the larger value counts; left out: 0.1.
    velocity: Velocity at the start [m/s]. Default: [0, 0, 0].
    angular_velocity: Angular velocity at the start [rad/s]. Default: [0, 0, 0].
    orientation: Unit quaternion [w, x, y, z] that turns the frame of the shape into the world; left out: random
        orientations.
    group: Name in "groups" of the group to which the particles belong.
    temperature: Temperature at the start or at the inlet; left out: the temperature in "heat" [K].
    film: Volume of the liquid film at the start or at the inlet over the volume of the particle; left out: 0.
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
    """How the spheres of a material break: a sphere is replaced by smaller spheres when its octahedral shear stress reaches its strength.

    stress: Octahedral shear stress that 37 % of the spheres of the diameter at_diameter survive [Pa].
    at_diameter: Diameter to which the stress belongs [m].
    smallest_radius: A sphere does not break if a fragment would be smaller [m].
    size_exponent: Exponent n: strengths are proportional to diameter^-n; left out: 3 / weibull_modulus, or 0 without
        weibull_modulus.
    weibull_modulus: Weibull modulus of the scatter of strengths; left out: no scatter.
    fragments: Number of spheres that replace a broken sphere. Default: 14.
    """

    stress: float
    at_diameter: float
    smallest_radius: float
    size_exponent: float | None = None
    weibull_modulus: float | None = None
    fragments: int | None = None


@dataclass(kw_only=True)
class Breakage(Part):
    """Spheres that break under load; left out: none break.

    every: Time between two checks of the stresses in all spheres; left out: 100 steps [s].
    most_particles: Largest number of particles; the run ends before breakage makes more. Default: 10000000.
    materials: Rules of breakage, by the name of the material.
    """

    every: float | None = None
    most_particles: int | None = None
    materials: Mapping[str, BreakageRule | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class GroupRotation(Part):
    """Rotation of the group as one body; all six components must be fixed.

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
    """Settings for the particles of a group.

    fixed: Components of motion that keep their velocity whatever forces act; a particle with x, y and z fixed counts as
        infinitely heavy.
    velocity: Velocity of the fixed components x, y and z; left out: they keep their velocity of the start [m/s].
    angular_velocity: Angular velocity of the fixed components rx, ry and rz; left out: they keep that of the start
        [rad/s].
    rotation: Rotation of the group as one body; all six components must be fixed.
    force: Force on each particle [N]. Default: [0, 0, 0].
    torque: Torque on each particle [N m]. Default: [0, 0, 0].
    damping: Coefficient of Cundall's non-viscous damping; left out: the value of "integration".
    gravity: Whether gravity acts on the particles. Default: true.
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
    """The plane moves so that it holds a stress or a force; not together with "drive".

    stress: Mean normal stress on the wall, or a table of it over time; pressure is positive [Pa].
    force: Normal force on the wall, or a table of it over time; pressure is positive [N].
    direction: Direction towards the particles; left out: the normal of the plane.
    area: Area on which the stress acts; left out: the area of the mesh, or the area between the four planes beside the
        wall [m2].
    inertial_number: Largest inertial number at which the wall compresses the particles; it limits the speed of the
        wall. Default: 0.001.
    from_: The wall does not move before this time; times in tables count from it [s]. Default: 0.
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
    """Harmonic oscillation along a direction or about an axis; it begins at the present place of the boundary.

    amplitude: Amplitude: m along a direction, rad about an axis [m or rad].
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
    position_file: CSV file of the rows of "position", relative to the case file.
    velocity_file: CSV file of the rows of "velocity", relative to the case file.
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
    force: Force in addition to gravity and contacts [N]. Default: [0, 0, 0].
    velocity: Velocity when the boundary is released [m/s]. Default: [0, 0, 0].
    damping: Resisting force over velocity [N s/m]. Default: 0.
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
    torque: Torque in addition to the torque of the contacts [N m]. Default: 0.
    rate: Rate of rotation when the boundary is released [rad/s]. Default: 0.
    damping: Resisting torque over rate [N m s]. Default: 0.
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

    density: Density of a closed mesh, from which mass, inertia and center follow [kg/m3].
    mass: Mass; gravity acts on it [kg].
    inertia: Principal moments of inertia [kg m2].
    center: Centre of mass at the start [m].
    principal_axes: Unit quaternion [w, x, y, z] that turns the principal axes into the world at the start; left out:
        the principal axes are the axes of the world.
    velocity: Velocity of the centre of mass when the body is released [m/s]. Default: [0, 0, 0].
    angular_velocity: Angular velocity when the body is released [rad/s]. Default: [0, 0, 0].
    force: Force in addition to gravity and contacts [N]. Default: [0, 0, 0].
    torque: Torque about the centre of mass in addition to the torque of the contacts [N m]. Default: [0, 0, 0].
    damping: Resisting force over velocity [N s/m]. Default: 0.
    rotation_damping: Resisting torque over angular velocity [N m s]. Default: 0.
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
    """Mass and forces by which the boundary moves as well.

    translation: Motion along axes of the world.
    rotation: Rotation about one axis.
    body: Motion of a mesh as a free rigid body.
    from_: Time at which the boundary is released; it is held before [s]. Default: 0.
    """

    translation: DriveTranslation | Mapping[str, Any] | None = None
    rotation: DriveRotation | Mapping[str, Any] | None = None
    body: Body | Mapping[str, Any] | None = None
    from_: float | None = None


@dataclass(kw_only=True)
class PlaneBoundary(Part):
    """Infinite plane; the particles are on the side to which its normal points.

    point: A point of the plane [m].
    normal: Normal towards the particles; its length does not count.
    material: Name of the material.
    servo: The plane moves so that it holds a stress or a force; not together with "drive".
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """Box of six planes; the particles are inside.

    min: Lowest corner [m].
    max: Highest corner [m].
    material: Name of the material.
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """The radius changes so that the shell holds a radial stress or force of the particles inside; not together with "drive".

    stress: Mean radial stress of the particles on the shell, or a table of it over time; pressure is positive [Pa].
    force: Sum of the forces of the particles away from the axis, or a table of it over time; pressure is positive [N].
    inertial_number: Largest inertial number at which the cylinder compresses the particles; it limits the rate of the
        radius. Default: 0.001.
    from_: The radius does not change before this time; times in tables count from it [s]. Default: 0.
    """

    stress: float | Sequence[Sequence[float]] | None = None
    force: float | Sequence[Sequence[float]] | None = None
    inertial_number: float | None = None
    from_: float | None = None


@dataclass(kw_only=True)
class CylinderBoundary(Part):
    """Open cylindrical shell; particles touch both sides.

    from_: Centre of the first rim [m].
    to: Centre of the second rim [m].
    radius: Radius of the shell [m].
    material: Name of the material.
    servo: The radius changes so that the shell holds a radial stress or force of the particles inside; not together
        with "drive".
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """Open shell of a truncated cone; particles touch both sides.

    from_: Centre of the first rim [m].
    to: Centre of the second rim [m].
    radius_from: Radius of the first rim; 0: the tip [m].
    radius_to: Radius of the second rim; 0: the tip [m].
    material: Name of the material.
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """Spherical shell; particles touch both sides.

    center: Centre [m].
    radius: Radius of the shell [m].
    material: Name of the material.
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """Write pressure, shear and wear of each facet with the frames.

    archard: Archard's coefficient of wear k / H: worn volume over normal force times sliding distance [1/Pa]. Default:
        0.
    finnie: Finnie's coefficient of erosion: cut volume over m v^2 of an impact times his function of the angle [1/Pa].
        Default: 0.
    """

    archard: float | None = None
    finnie: float | None = None


@dataclass(kw_only=True)
class MeshBoundary(Part):
    """Triangle surface; particles touch both sides.

    file: STL, OBJ, PLY or VTK file, relative to the case file.
    material: Name of the material.
    scale: Factor from the units of the file to metres. Default: 1.
    rotate: Turn of the scaled surface about an axis through the origin.
    translate: Shift of the scaled and turned surface [m]. Default: [0, 0, 0].
    part: Takes only this part of the file: a solid of a text STL, an object or a group of an OBJ.
    facets: Write pressure, shear and wear of each facet with the frames.
    servo: The mesh moves so that it holds a stress or a force; not together with "drive".
    motion: Prescribed motions, applied one after the other.
    drive: Mass and forces by which the boundary moves as well.
    surface_motion: Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by
        them.
    present_from: Nothing touches the boundary before this time [s]. Default: 0.
    present_until: Nothing touches the boundary from this time on; left out: the boundary stays [s].
    from_start: The boundary begins at the place that the boundary of this name has in the checkpoint of "start".
        Default: false.
    temperature: Fixed temperature; without temperature and heat_flux no heat passes the boundary [K].
    heat_flux: Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle [W/m2].
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
    """An outlet or a region has removed a number of particles.

    by: Name of the outlet or region.
    at_least: Least number of particles that it has removed since the start of the run. Default: 1.
    """

    by: str
    at_least: int | None = None


@dataclass(kw_only=True)
class ForceCondition(Part):
    """The force on a boundary is above or below a limit.

    boundary: Name of the boundary.
    above: The force is at least this [N].
    below: The force is at most this [N].
    along: Compare the component along this direction, which has a sign; left out: the magnitude.
    """

    boundary: str
    above: float | None = None
    below: float | None = None
    along: Sequence[float] | None = None


@dataclass(kw_only=True)
class PositionCondition(Part):
    """The displacement of a boundary is above or below a limit.

    boundary: Name of the boundary.
    above: The displacement is at least this [m].
    below: The displacement is at most this [m].
    along: Compare the component along this direction, which has a sign; left out: the distance.
    """

    boundary: str
    above: float | None = None
    below: float | None = None
    along: Sequence[float] | None = None


@dataclass(kw_only=True)
class FlowCondition(Part):
    """The flow through an outlet is above or below a limit.

    by: Name of the outlet or region.
    window: Length of the windows, one after the other [s].
    above: The flow is at least this [kg/s].
    below: The flow is at most this [kg/s].
    """

    by: str
    window: float
    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class Plane(Part):
    """The plane, which has no rim.

    point: A point of the plane [m].
    normal: Direction that counts as positive; its length does not count.
    """

    point: Sequence[float]
    normal: Sequence[float]


@dataclass(kw_only=True)
class FlowProbe(Part):
    """Net number and mass of particles through a plane since the start.

    plane: The plane, which has no rim.
    window: Also measure the mean flow over the last time window of this length [s].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['flow'] = 'flow'
    plane: Plane | Mapping[str, Any]
    window: float | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class StressProbe(Part):
    """Stress tensor: the part of the contacts and the part of the motion; tension is positive.

    region: Particles with their centres inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['fabric'] = 'fabric'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class CoordinationProbe(Part):
    """Contacts per particle, with and without the particles that have fewer than two contacts.

    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['coordination'] = 'coordination'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class PorosityProbe(Part):
    """Solid fraction and porosity.

    region: Particles with their centres inside count with their whole volume; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['track'] = 'track'
    particles: Sequence[int]
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class MixingKind(Part):
    """The first kind; all other particles are the second kind.

    materials: Names of materials; left out: any.
    groups: Names of groups; left out: any.
    larger_than: Only particles with a radius larger than this belong to the kind [m].
    """

    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    larger_than: float | None = None


@dataclass(kw_only=True)
class Axis(Part):
    """Also measure segregation towards this axis or away from it.

    point: A point of the line [m].
    direction: Its direction; the length does not count.
    """

    point: Sequence[float]
    direction: Sequence[float]


@dataclass(kw_only=True)
class MixingProbe(Part):
    """How well two kinds of particles are mixed.

    of: The first kind; all other particles are the second kind.
    sample: Edge of the sample cubes whose contents are compared [m].
    region: Particles with their centres inside count; left out: all [m].
    axis: Also measure segregation towards this axis or away from it.
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    """Segregation by size: whether large particles lie apart from small ones along each axis.

    region: Particles with their centres inside count; left out: all [m].
    axis: Also measure segregation towards this axis or away from it.
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['size_segregation'] = 'size_segregation'
    region: Region | Mapping[str, Any] | None = None
    axis: Axis | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class FragmentsProbe(Part):
    """Number and size of the pieces that intact bonds hold together.

    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    about: Point about which torques are taken [m]. Default: [0, 0, 0].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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

    along: Direction in which the surface rises when the angle is positive; only its part across gravity counts.
    region: Particles with their centres inside count; left out: all [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['content'] = 'content'
    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class BoxProbe(Part):
    """Lengths, strains, stresses and void ratio of a sample between plane walls.

    walls: Names of planes across x, y or z, in opposite pairs: up to six planes.
    area: Cross-section of a sample between two walls; left out: it follows from the other walls or from the periodic
        cell [m2].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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

    about: Point about which torques are taken; left out: the centre of mass of these particles [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['contact_force'] = 'contact_force'
    about: Sequence[float] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class TriaxialProbe(Part):
    """Quantities of soil tests: mean stress, deviator and mobilised friction; compression is positive.

    axis: Axis of the axial stress; the other two axes are lateral.
    region: Particles with their centres inside count; left out: the whole periodic cell [m].
    materials: Names of materials whose particles the probe sees; left out: all.
    groups: Names of groups whose particles the probe sees; left out: all.
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
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
    sample_every: Simulated time between two samples; each row then has the mean of the samples since the last row; left
        out: each row has the value at its own time [s].
    """

    type: Literal['exposure'] = 'exposure'
    region: Region | Mapping[str, Any]
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    sample_every: float | None = None


@dataclass(kw_only=True)
class MeasureCondition(Part):
    """A measurement of the state is above or below a limit.

    probe: The probe that measures; left out: "column" is a column of the series that no probe adds.
    column: Name of the column, without its unit; may be left out for a probe with a single column.
    above: The value is at least this, in the unit of the column.
    below: The value is at most this, in the unit of the column.
    """

    probe: FlowProbe | StressProbe | FabricProbe | CoordinationProbe | PorosityProbe | InertialNumberProbe | TrackProbe | MixingProbe | SizeSegregationProbe | FragmentsProbe | AngleOfReposeProbe | DissipationProbe | BoundaryForceProbe | SurfaceSlopeProbe | ContentProbe | BoxProbe | ContactForceProbe | TriaxialProbe | ExposureProbe | Mapping[str, Any] | None = None
    column: str | None = None
    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class StageCondition(Part):
    """Conditions that must hold together.

    duration: Time since the stage began [s].
    kinetic_energy: The mean kinetic energy of the particles is at most this [J].
    speed: The largest speed of the particles is at most this [m/s].
    unbalanced_force: Mean force on a particle over mean contact force is at most this.
    at_most: The number of particles in the run is at most this.
    at_least: The number of particles in the run is at least this.
    removed: An outlet or a region has removed a number of particles.
    boundary_force: The force on a boundary is above or below a limit.
    boundary_position: The displacement of a boundary is above or below a limit.
    flow: The flow through an outlet is above or below a limit.
    measure: A measurement of the state is above or below a limit.
    control: The stage of "domain.control" with this name has ended.
    servo_error: The error of each wall with a servo is at most this fraction of its stress or force.
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
    """Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run.

    duration: Time since the stage began [s].
    kinetic_energy: The mean kinetic energy of the particles is at most this [J].
    speed: The largest speed of the particles is at most this [m/s].
    unbalanced_force: Mean force on a particle over mean contact force is at most this.
    at_most: The number of particles in the run is at most this.
    at_least: The number of particles in the run is at least this.
    removed: An outlet or a region has removed a number of particles.
    boundary_force: The force on a boundary is above or below a limit.
    boundary_position: The displacement of a boundary is above or below a limit.
    flow: The flow through an outlet is above or below a limit.
    measure: A measurement of the state is above or below a limit.
    control: The stage of "domain.control" with this name has ended.
    servo_error: The error of each wall with a servo is at most this fraction of its stress or force.
    all_of: Conditions that end the stage when all of them hold together.
    not_before: Time since the stage began before which no condition but "duration" can end it [s]. Default: 0.
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
    """New goal of its servo.

    stress: Mean normal stress on the wall, or a table of it over time [Pa].
    force: Normal force on the wall, or a table of it over time [N].
    speed: Speed at which the wall moves towards the particles, instead of holding a stress or a force; negative: away
        from them [m/s].
    """

    stress: float | Sequence[Sequence[float]] | None = None
    force: float | Sequence[Sequence[float]] | None = None
    speed: float | None = None


@dataclass(kw_only=True)
class StagedBoundary(Part):
    """Changes of a boundary when the stage begins; a value that is left out stays as it is.

    present: Whether particles can touch the boundary.
    motion: New motions from its present place, in place of all motions so far; times count from the start of the stage.
    force: New force of its drive [N].
    torque: New torque of its drive [N m].
    surface_motion: New motions of its surface, in place of those so far; times count from the start of the stage.
    servo: New goal of its servo.
    temperature: New fixed temperature, in place of the temperature or heat_flux so far [K].
    heat_flux: New heat flux, in place of the temperature or heat_flux so far; 0: no heat passes [W/m2].
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
    """Particles that join the group when the stage begins.

    region: Particles join whose centres are inside at that moment; left out: everywhere [m].
    materials: Names of materials of the particles that join; left out: any.
    groups: Names of groups that the particles leave; left out: any.
    """

    region: Region | Mapping[str, Any] | None = None
    materials: Sequence[str] | None = None
    groups: Sequence[str] | None = None


@dataclass(kw_only=True)
class StagedGroup(Part):
    """Changes of a group of particles when the stage begins; a value that is left out stays as it is.

    join: Particles that join the group when the stage begins.
    fixed: Components of motion that keep their velocity from now on; all others are free. This ends a rotation of the
        group.
    velocity: New velocity of the fixed components x, y and z. This ends a rotation of the group [m/s].
    angular_velocity: New angular velocity of the fixed components rx, ry and rz. This ends a rotation of the group
        [rad/s].
    rotation: Rotation of the group as one body from now on; all six components must be fixed.
    force: Force on each particle [N].
    torque: Torque on each particle [N m].
    damping: Coefficient of Cundall's non-viscous damping of the particles.
    gravity: Whether gravity acts on the particles.
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
    """The time step; left out: it stays as it is.

    step: All steps have this length [s].
    safety: The step follows the contacts: it is this fraction of the stable step.
    """

    step: float | None = None
    safety: float | None = None


@dataclass(kw_only=True)
class StagedFriction(Part):
    """New friction of pairs of materials.

    value: Coefficient of friction.
    between: Names of two materials; "*" matches any material.
    """

    value: float
    between: Sequence[str] | None = None


@dataclass(kw_only=True)
class StagedInlet(Part):
    """Changes of an inlet when the stage begins; a value that is left out stays as it is.

    on: Whether particles come in.
    rate: New number of particles per time, for an inlet with "rate" [1/s].
    mass_flow: New mass per time, for an inlet with "mass_flow" [kg/s].
    """

    on: bool | None = None
    rate: float | None = None
    mass_flow: float | None = None


@dataclass(kw_only=True)
class StagedMembrane(Part):
    """Changes of a membrane when the stage begins.

    pressure: New pressure from outside, or a table of it over the time since the start of the stage [Pa].
    """

    pressure: float | Sequence[Sequence[float]]


@dataclass(kw_only=True)
class StagedInterval(Part):
    """Frames.

    on: Whether this output is written at all.
    every: Simulated time between two files or rows, counted from the start of the stage [s].
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

    name: Name of the stage in the log and in frames.
    until: Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run.
    gravity: Acceleration of gravity; left out: it stays as it is [m/s2].
    boundaries: Boundaries that change, by name.
    groups: Groups of particles that change, by name.
    time: The time step; left out: it stays as it is.
    damping: Coefficient of Cundall's damping of all particles and boundaries, except of groups with their own.
    viscous_damping: Rate of the viscous damping [1/s].
    friction: New friction of pairs of materials; the first entry that matches a pair applies.
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

    box: Box with edges along the axes: [lowest corner, highest corner].
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    from_: Time from which the region removes particles [s]. Default: 0.
    until: Time from which the region removes none any more; left out: it removes to the end [s].
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
    origin: Corner from which the edges start; it does not move [m]. Default: [0, 0, 0].
    axes: Axes along which the cell repeats; with fewer than three axes the cell must be a box. Default: ["x", "y",
        "z"].
    """

    size: Sequence[float] | None = None
    edges: Sequence[Sequence[float]] | None = None
    origin: Sequence[float] | None = None
    axes: Sequence[Literal['x', 'y', 'z']] | None = None


@dataclass(kw_only=True)
class Follows(Part):
    """The strain is the sum of the strains of other components times these factors; with -0.5 for zz in both xx and yy the volume stays constant.

    xx: Factor of this strain.
    yy: Factor of this strain.
    zz: Factor of this strain.
    yz: Factor of this strain.
    xz: Factor of this strain.
    xy: Factor of this strain.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class Plus(Part):
    """Other measured stresses times these factors are added to the goal of stress, or to the stress that reverses the strain rate.

    xx: Factor of this measured stress.
    yy: Factor of this measured stress.
    zz: Factor of this measured stress.
    yz: Factor of this measured stress.
    xz: Factor of this measured stress.
    xy: Factor of this measured stress.
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

    strain_rate: For xx, yy and zz the rate of the logarithmic strain; for xy the gradient along y of the velocity along
        x, likewise for yz and xz [1/s].
    strain: Strain since the stage began.
    stress: Stress, positive in tension [Pa].
    follows: The strain is the sum of the strains of other components times these factors; with -0.5 for zz in both xx
        and yy the volume stays constant.
    reverse_at_stress: The strain rate changes its sign whenever the magnitude of the stress reaches this value [Pa].
    plus: Other measured stresses times these factors are added to the goal of stress, or to the stress that reverses
        the strain rate.
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

    xx: The magnitude of this strain since the stage began is at least this.
    yy: The magnitude of this strain since the stage began is at least this.
    zz: The magnitude of this strain since the stage began is at least this.
    yz: The magnitude of this strain since the stage began is at least this.
    xz: The magnitude of this strain since the stage began is at least this.
    xy: The magnitude of this strain since the stage began is at least this.
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

    xx: The stress passes this value, from the side on which it was at first [Pa].
    yy: The stress passes this value, from the side on which it was at first [Pa].
    zz: The stress passes this value, from the side on which it was at first [Pa].
    yz: The stress passes this value, from the side on which it was at first [Pa].
    xz: The stress passes this value, from the side on which it was at first [Pa].
    xy: The stress passes this value, from the side on which it was at first [Pa].
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class VoidRatioCondition(Part):
    """The void ratio is above or below a limit.

    above: The void ratio is at least this.
    below: The void ratio is at most this.
    """

    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class SolidFractionCondition(Part):
    """The solid fraction is above or below a limit.

    above: The solid fraction is at least this.
    below: The solid fraction is at most this.
    """

    above: float | None = None
    below: float | None = None


@dataclass(kw_only=True)
class StageEnd(Part):
    """Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run.

    duration: Time since the stage began [s].
    strain: One of these strains is reached.
    stress: One of these stresses is passed.
    reversals: Number of changes of sign of strain rates by "reverse_at_stress".
    stress_error: The difference of each stress from its goal is at most this fraction of the largest goal of stress.
    unbalanced_force: Mean force on a particle over mean contact force is at most this.
    void_ratio: The void ratio is above or below a limit.
    solid_fraction: The solid fraction is above or below a limit.
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
    """One of several stages that are repeated.

    name: Name of the stage in the log and in conditions.
    xx: Component of the cell; left out: a strain rate of 0.
    yy: Component of the cell; left out: a strain rate of 0.
    zz: Component of the cell; left out: a strain rate of 0.
    yz: Component of the cell; left out: a strain rate of 0.
    xz: Component of the cell; left out: a strain rate of 0.
    xy: Component of the cell; left out: a strain rate of 0.
    inertial_number: Largest inertial number of the strain rates that the program chooses to reach stresses. Default:
        0.001.
    until: Conditions that end the stage.
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
    """The difference between the largest and the least value of a strain within a round is at least this.

    xx: Largest minus least value of this strain since the round began.
    yy: Largest minus least value of this strain since the round began.
    zz: Largest minus least value of this strain since the round began.
    yz: Largest minus least value of this strain since the round began.
    xz: Largest minus least value of this strain since the round began.
    xy: Largest minus least value of this strain since the round began.
    """

    xx: float | None = None
    yy: float | None = None
    zz: float | None = None
    yz: float | None = None
    xz: float | None = None
    xy: float | None = None


@dataclass(kw_only=True)
class RepeatEnd(Part):
    """Conditions that end all rounds earlier.

    double_amplitude: The difference between the largest and the least value of a strain within a round is at least
        this.
    """

    double_amplitude: DoubleAmplitudes | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class StageRepeat(Part):
    """Stages that are run several times, in place of this stage.

    times: Number of rounds.
    stages: The stages of a round.
    until: Conditions that end all rounds earlier.
    """

    times: int
    stages: Sequence[RepeatedStage | Mapping[str, Any]]
    until: RepeatEnd | Mapping[str, Any] | None = None


@dataclass(kw_only=True)
class Stage(Part):
    """One stage of the control of a periodic cell, or several that are repeated.

    name: Name of the stage in the log and in conditions.
    xx: Component of the cell; left out: a strain rate of 0.
    yy: Component of the cell; left out: a strain rate of 0.
    zz: Component of the cell; left out: a strain rate of 0.
    yz: Component of the cell; left out: a strain rate of 0.
    xz: Component of the cell; left out: a strain rate of 0.
    xy: Component of the cell; left out: a strain rate of 0.
    inertial_number: Largest inertial number of the strain rates that the program chooses to reach stresses. Default:
        0.001.
    until: Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run.
    repeat: Stages that are run several times, in place of this stage.
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
    """The space of the particles: outlets, and a periodic cell.

    remove_outside: Particles whose centre leaves this box are removed [m].
    outlets: Planes that count and remove particles, by name.
    delete_in: Regions that count and remove particles, by name.
    periodic: A cell that repeats without end.
    velocity_gradient: Constant rate at which the cell deforms: rows of L_ij = d v_i / d x_j [1/s].
    control: Control of strains and stresses of the cell, stage by stage.
    """

    remove_outside: Mapping[str, Any] | None = None
    outlets: Mapping[str, Outlet | Mapping[str, Any]] | None = None
    delete_in: Mapping[str, Deletion | Mapping[str, Any]] | None = None
    periodic: PeriodicCell | Mapping[str, Any] | None = None
    velocity_gradient: Sequence[Sequence[float]] | None = None
    control: Sequence[Stage | Mapping[str, Any]] | None = None


@dataclass(kw_only=True)
class Integration(Part):
    """Damping and integration of the motion of the particles.

    damping: Coefficient of Cundall's non-viscous damping of forces and torques; 0: no damping. Default: 0.
    damp_gravity: Whether Cundall's damping acts on gravity as well. Default: true.
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

    verlet_distance: Gap up to which pairs are listed; "auto" chooses it from the smallest radius and the speeds [m].
        Default: "auto".
    target_interval: Number of steps for which the list of a particle should last at its speed [steps].
    """

    verlet_distance: Literal['auto'] | float | Mapping[str, Any] | None = None
    target_interval: float | None = None


@dataclass(kw_only=True)
class FramesOutput(Part):
    """Files of all particles, for ParaView.

    every: Simulated time between two frames [s].
    fields: Fields in each frame, in addition to the positions. Default: ["velocity", "radius"].
    grain_nodes: Also write the touching nodes of level-set grains with their forces, and tractions on surfaces.
        Default: false.
    """

    every: float
    fields: Sequence[Literal['velocity', 'angular_velocity', 'radius', 'material', 'id', 'force', 'coordination_number', 'damage', 'fragment', 'group', 'clump', 'orientation', 'clump_velocity', 'fluctuation_velocity', 'image', 'unwrapped_position', 'temperature', 'dissipated_energy', 'film']] | None = None
    grain_nodes: bool | None = None


@dataclass(kw_only=True)
class SeriesOutput(Part):
    """Table of totals over time, as CSV.

    every: Simulated time between two rows [s].
    energies: Add columns of the energy ledger: energies, works and losses of the whole system. Default: false.
    probes: Probes, by name; each adds columns to the table.
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
    """The grid of cells.

    cells: Number of cells along x, y and z, or along radius, angle and axis of a cylinder.
    box: The lowest and the highest corner of a grid along the axes [m].
    cylinder: The cylinder that the cells fill, instead of a box; it may be hollow [m].
    zero: For a cylinder: direction from the axis in which the angle is 0; left out: whichever of x, y and z is nearest
        to a right angle with the axis.
    """

    cells: Sequence[int]
    box: Sequence[Any] | None = None
    cylinder: Cylinder | Mapping[str, Any] | None = None
    zero: Sequence[float] | None = None


@dataclass(kw_only=True)
class Fields(Part):
    """Means over the cells of a grid and over time windows: density, velocity, stress and more.

    every: Length of a time window; each window makes one file [s].
    grid: The grid of cells.
    width: Along each axis a particle is spread up to this distance from its centre [m].
    sample_every: Simulated time between two samples in a window; left out: one sample per window [s].
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

    every: Simulated time between two checks of all bonds [s].
    """

    every: float


@dataclass(kw_only=True)
class CollisionsOutput(Part):
    """Impact energy spectra: a table that counts collisions by the energy that each of them loses.

    every: Length of the time windows; each window has rows of its own [s].
    from_: All collisions that lose less than this share one row [J].
    to: All collisions that lose this or more share one row [J].
    bins_per_decade: Number of rows per power of ten of the loss. Default: 5.
    """

    every: float
    from_: float
    to: float
    bins_per_decade: int | None = None


@dataclass(kw_only=True)
class CheckpointsOutput(Part):
    """Saved states from which `scree run --resume` continues the run.

    every: Simulated time between two checkpoints [s].
    keep: Number of newest checkpoints that are kept; 0: none is written, unless the run is interrupted. Default: 2.
    """

    every: float
    keep: int | None = None


@dataclass(kw_only=True)
class Output(Part):
    """Files that the run writes; by default it writes none.

    frames: Files of all particles, for ParaView.
    series: Table of totals over time, as CSV.
    contacts: Files of all touching contacts, with their forces.
    fields: Means over the cells of grids and over time windows, by name.
    left: A table of the particles that outlets and regions remove: when, where and how fast. Default: false.
    broken_bonds: A table of the bonds that break: when, where and under which force.
    broken_particles: A table of the particles that break: when, where and under which stress. Default: false.
    collisions: Impact energy spectra: a table that counts collisions by the energy that each of them loses.
    checkpoints: Saved states from which `scree run --resume` continues the run.
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

    box: Box with edges along the axes: [lowest corner, highest corner].
    cylinder: Cylinder between the centres of its two end faces.
    sphere: Ball.
    mesh: Inside of a closed triangle surface.
    cell: The whole periodic cell; particles may lie across its faces.
    above: The part of a box above the highest surface of a triangle mesh, along z.
    face: Surface of an inlet through which particles come in; they appear on the side to which its normals point.
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

    time: Duration and time step of the run.
    materials: Materials, by name.
    title: A line for people; it has no effect.
    gravity: Acceleration of gravity [m/s2]. Default: [0, 0, -9.81].
    precision: "mixed": positions in double precision, the rest in single; "double": all in double. Default: "mixed".
    seed: Seed of all random choices. Default: 1.
    parcels: Coarse graining: each particle stands for many grains.
    shapes: Shapes of particles that are not spheres, by name.
    grain_contacts: Contacts of level-set grains.
    contacts: Contact rules of pairs of materials; left out: the law hertz_mindlin for all pairs.
    no_ratcheting: Measure slip such that closed cycles of pushing and rolling of two spheres leave no shear force.
        Default: false.
    heat: Heat of the particles; left out: particles have no temperature.
    fluid: A fluid that drags and lifts the particles; left out: there is none.
    particles: The particles, in any number of entries.
    breakage: Spheres that break under load; left out: none break.
    start: Checkpoint of another run, or a folder of checkpoints, of which the newest is taken: the run begins with its
        particles, contacts and periodic cell.
    groups: Settings of groups of particles, by name.
    boundaries: Boundaries, by name.
    stages: Parts of the run, in order; the run ends with the last one.
    domain: The space of the particles: outlets, and a periodic cell.
    integration: Damping and integration of the motion of the particles.
    neighbours: Search for neighbours.
    output: Files that the run writes; by default it writes none.
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
