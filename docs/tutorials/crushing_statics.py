"""The block of crushing.json as a net of elastic springs, solved at rest: nothing of this comes from scree."""

import numpy
import scipy.sparse
import scipy.sparse.linalg
import scipy.spatial

RADIUS, YOUNG, RATIO, STRENGTH = 1.25e-3, 1e9, 0.3, 2e5  # [m], [Pa], shear-to-normal stiffness, [Pa]


def first_break(places: numpy.ndarray) -> float:
    """Force [N] on the lid at which the first bond reaches its tensile strength.

    `places` [spheres, 3] are the centres [m]. Each sphere has six unknowns, its displacement and its rotation. Bonds
    join spheres that touch, with E A / d along them and RATIO times that across; platens are springs E r along z.
    """
    pairs = numpy.array(sorted(scipy.spatial.cKDTree(places).query_pairs(2.01 * RADIUS)))
    along = (places[pairs[:, 1]] - places[pairs[:, 0]]) / (2 * RADIUS)
    area = numpy.pi * RADIUS**2
    bond, platen = YOUNG * area / (2 * RADIUS), YOUNG * RADIUS

    # Relative displacement of a bond's ends: u_j - u_i - r (w_i + w_j) x n.
    x, y, z = along.T
    zero = numpy.zeros(len(along))
    turn = RADIUS * numpy.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    unit = numpy.broadcast_to(numpy.eye(3), turn.shape)
    ends = numpy.concatenate([numpy.concatenate([-unit, turn], 2), numpy.concatenate([unit, turn], 2)], 2)
    rows = numpy.broadcast_to(3 * numpy.arange(len(along))[:, None, None] + numpy.arange(3)[:, None], ends.shape)
    columns = (6 * pairs[:, :, None] + numpy.arange(6)).reshape(len(along), 1, 12)
    columns = numpy.broadcast_to(columns, ends.shape)
    stretch = scipy.sparse.csr_matrix((ends.ravel(), (rows.ravel(), columns.ravel())))
    normal = along[:, :, None] * along[:, None, :]
    springs = bond * (normal + RATIO * (numpy.eye(3) - normal))
    order = numpy.arange(len(along) + 1)
    springs = scipy.sparse.bsr_matrix((springs, order[:-1], order)).tocsr()

    height = places[:, 2]
    low = 6 * numpy.flatnonzero(height < height.min() + RADIUS / 2) + 2
    high = 6 * numpy.flatnonzero(height > height.max() - RADIUS / 2) + 2
    hold, push = numpy.zeros((2, 6 * len(places)))
    hold[low] = hold[high] = platen
    push[high] = -platen * 1e-6  # the lid comes down by a micrometre
    for axis in (0, 1):  # nothing else keeps the block from drifting or turning about z
        hold[axis::6] += 1e-9 * bond
    moved = scipy.sparse.linalg.spsolve((stretch.T @ springs @ stretch + scipy.sparse.diags(hold)).tocsc(), push)

    tension = ((springs @ (stretch @ moved)).reshape(-1, 3) * along).sum(axis=1)
    return -platen * moved[low].sum() * STRENGTH * area / tension.max()
