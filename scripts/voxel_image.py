"""Images of voxels for examples: random numbers that are the same everywhere, and the file format NRRD."""

import gzip


def random_numbers(seed):
    """Numbers in [0, 1): a linear congruential generator."""
    while True:
        seed = (6364136223846793005 * seed + 1442695040888963407) % 2**64
        yield (seed >> 11) / 2**53


def write_nrrd(file, comment, sizes, edge, labels):
    """Writes labels (bytes, x fastest) of sizes[0] * sizes[1] * sizes[2] cubic voxels with this edge [m]."""
    header = (
        f"NRRD0004\n# {comment}\ntype: uint8\ndimension: 3\n"
        f"sizes: {' '.join(map(str, sizes))}\nspacings: {edge} {edge} {edge}\nencoding: gzip\n\n"
    )
    with open(file, "wb") as out:
        out.write(header.encode() + gzip.compress(bytes(labels), 9, mtime=0))
