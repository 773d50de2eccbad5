"""The specimen of rock_ucs.json as a net of elastic springs, solved at rest: nothing of this comes from scree."""

import numpy
import scipy.sparse
import scipy.sparse.linalg
import scipy.spatial

YOUNG, RATIO, REACH = 3e10, 0.4, 1.1  # [Pa], shear-to-normal stiffness, reach of bonds over the sum of the radii
BENDING, TWISTING = 0.625, 0.5  # [-] stiffnesses over r1 r2 K_T
HEIGHT, RADIUS = 0.1, 0.025  # [m] of the specimen


def bonds(places: numpy.ndarray, radii: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The numbers [bonds] of the two spheres of each bond."""
    first, second = scipy.spatial.cKDTree(places).query_pairs(2 * REACH * radii.max(), output_type="ndarray").T
    near = numpy.linalg.norm(places[second] - places[first], axis=1) <= REACH * (radii[first] + radii[second])
    return first[near], second[near]


def stiffness(places: numpy.ndarray, radii: numpy.ndarray) -> scipy.sparse.csc_matrix:
    """Of all bonds. Each sphere has six unknowns: its displacement u and its rotation w."""
    first, second = bonds(places, radii)
    branch = places[second] - places[first]
    length = numpy.linalg.norm(branch, axis=1)
    along = branch / length[:, None]
    shear = RATIO * YOUNG * numpy.pi * numpy.minimum(radii[first], radii[second]) ** 2 / length
    shear, product = shear[:, None, None], (radii[first] * radii[second])[:, None, None]
    normal = along[:, :, None] * along[:, None, :]
    across = numpy.eye(3) - normal

    # A bond opens by u_j - u_i - l_j w_j x n - l_i w_i x n at its middle, and turns by w_j - w_i.
    x, y, z = along.T
    zero = numpy.zeros(len(along))
    cross = numpy.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    unit = numpy.broadcast_to(numpy.eye(3), cross.shape)
    gap = 0.5 * (length - radii[first] - radii[second])
    arm_i, arm_j = ((radii[end] + gap)[:, None, None] * cross for end in (first, second))
    opening = numpy.concatenate([-unit, arm_i, unit, arm_j], axis=2)
    turning = numpy.concatenate([0 * unit, -unit, 0 * unit, unit], axis=2)
    blocks = opening.transpose(0, 2, 1) @ (shear / RATIO * normal + shear * across) @ opening
    blocks += turning.transpose(0, 2, 1) @ (shear * product * (BENDING * across + TWISTING * normal)) @ turning

    unknowns = numpy.concatenate([6 * end[:, None] + numpy.arange(6) for end in (first, second)], axis=1)
    rows, columns = numpy.repeat(unknowns, 12, axis=1), numpy.tile(unknowns, 12)
    size = 6 * len(places)
    return scipy.sparse.csc_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(size, size))


def moduli(places: numpy.ndarray, radii: numpy.ndarray, gauges: dict[str, numpy.ndarray]) -> tuple[float, float]:
    """Young's modulus [Pa] and Poisson's ratio of a specimen whose lid comes down by a micrometre.

    `places` [spheres, 3] and `radii` are in m. `gauges` has the boxes [2, 3] of the spheres between which strains are
    measured: low and high along z, left and right along x.
    """
    net = stiffness(places, radii)
    hold, push = numpy.full(net.shape[0], 1e-12 * net.max()), numpy.zeros(net.shape[0])  # weak springs against drift
    low, high = (numpy.abs(places[:, 2] - end) < radii + 1e-5 for end in (0, HEIGHT))
    platen = YOUNG * radii  # [N/m] of a sphere at a platen
    hold[2::6] += platen * (low | high)
    push[2::6] = -platen * high * 1e-6
    moved = scipy.sparse.linalg.spsolve(net + scipy.sparse.diags(hold, format="csc"), push).reshape(-1, 6)

    inside = {name: ((places > box[0]) & (places < box[1])).all(axis=1) for name, box in gauges.items()}

    def strain(axis: int, one: str, two: str) -> float:
        ends = [(moved[inside[name], axis].mean(), places[inside[name], axis].mean()) for name in (one, two)]
        return (ends[1][0] - ends[0][0]) / (ends[1][1] - ends[0][1])

    force = -(platen * moved[:, 2])[low].sum()
    axial = -strain(2, "low", "high")
    return force / (numpy.pi * RADIUS**2) / axial, strain(0, "left", "right") / axial
