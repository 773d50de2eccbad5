"""Draws moments with VTK, without a screen and without a GPU."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy

from ..errors import cannot_import
from .camera import Camera, Cut
from .fields import Bytes, Numbers, Scale
from .scene import Chains, Moment
from .solids import FACE, SOLID, inner_normals
from .walls import FACET_VALUE

if TYPE_CHECKING:
    import pyvista

__all__ = ["Stage", "load_pyvista"]

_WALL, _EDGE = "#d9dee4", "#4a545e"


def load_pyvista() -> Any:
    """Imports PyVista, set up to draw without a screen."""
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    try:
        import pyvista
        import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    except ImportError as error:
        raise cannot_import(error, "scree render", "render") from None
    return pyvista


class Stage:
    """A window that is never shown: puts moments on it and takes their picture."""

    def __init__(self, size: tuple[int, int], *, background: str = "white", sharp: int = 2, shade: bool = True) -> None:
        """`size` in pixels; drawn `sharp` times as large for smooth edges. `shade`: gaps between grains are dark."""
        pyvista = load_pyvista()
        self._size = size
        window = (size[0] * sharp, size[1] * sharp)
        self._plotter: Any = pyvista.Plotter(off_screen=True, window_size=window, lighting="none")
        self._plotter.render_window.SetMultiSamples(0)
        self._plotter.set_background(background)
        self._sharp, self._shade = sharp, shade
        self._shaded = False

    def close(self) -> None:
        self._plotter.close()

    def picture(
        self, moment: Moment, camera: Camera, scale: Scale, walls: dict[str, pyvista.PolyData],
        *, cut: Cut | None = None, wall_opacity: float = 0.12, lines: Iterable[Numbers] = (),
        crowd: Numbers | None = None, beside: Mapping[str, Numbers] | None = None, haze: bool = False,
    ) -> Bytes:  # fmt: skip
        """[height, width, 3] the picture of a moment. `lines`: polylines to draw, as the edges of a cell. `crowd`
        [n, 3] [m]: where grains are, which tells the inner side of walls; `beside`: the same for single walls. `Solids`
        has marked the walls. `haze`: grains are a haze, and facets with values have the colours of `scale`. Contact
        forces of the moment have them, too."""
        crowd = moment.centres if crowd is None else crowd
        # Cards count in single precision: far from the origin it would not tell grains from each other.
        origin = camera.centre
        moment, crowd, lines = moment.moved(-origin), crowd - origin, [line - origin for line in lines]
        camera = replace(camera, centre=numpy.zeros(3))
        walls = {name: _moved(wall, -origin) for name, wall in walls.items()}
        crowds = {name: points - origin for name, points in (beside or {}).items()}
        cut = None if cut is None else replace(cut, point=cut.point - origin)
        plotter = self._plotter
        plotter.clear_actors()
        if cut is not None:
            moment = moment.cut(cut)
        self._look_from(camera)
        ghost = haze or moment.chains is not None
        if len(moment.centres):
            colours = scale.colours(moment.values)
            if ghost:
                colours = numpy.full_like(colours, 175)
            plotter.add_actor(_spheres(moment.centres, moment.radii, colours, ghost),
                              reset_camera=False, render=False)  # fmt: skip
        if moment.triangles is not None and len(moment.triangles):
            plotter.add_actor(_surfaces(moment, scale, ghost), reset_camera=False, render=False)
        for name, wall in walls.items():
            self._add_wall(wall, camera, cut, wall_opacity, crowds.get(name, crowd), scale)
        if moment.chains is not None and len(moment.chains.force):
            self._add_chains(moment.chains, scale)
        for line in lines:
            self._add_line(line)
        if self._shade and not self._shaded:
            size = 2 * max(camera.half_width, camera.half_height)
            plotter.enable_ssao(radius=0.02 * size, bias=0.004 * size, kernel_size=32, blur=True)
            self._shaded = True
        plotter.render()
        image: Bytes = plotter.screenshot(return_img=True)
        return self._reduced(image)

    def _reduced(self, image: Bytes) -> Bytes:
        from PIL import Image

        if image.shape[1::-1] == self._size:
            return image
        return numpy.asarray(Image.fromarray(image).resize(self._size, Image.Resampling.LANCZOS))

    def _look_from(self, camera: Camera) -> None:
        import pyvista

        view = self._plotter.camera
        view.parallel_projection = True
        far = 3 * (camera.depth + max(camera.half_width, camera.half_height))
        view.focal_point = tuple(camera.centre)
        view.position = tuple(camera.centre + far * camera.to_eye)
        view.up = tuple(camera.up)
        width, height = self._size
        view.parallel_scale = max(camera.half_height, camera.half_width * height / width)
        view.clipping_range = (0.01 * far, 2 * far + 2 * camera.depth)
        self._plotter.remove_all_lights()
        for right, up, near, strength in ((-0.5, 0.9, 1.0, 0.9), (0.9, 0.25, 0.7, 0.35), (0.1, -0.6, 1.0, 0.15)):
            place = right * camera.right + up * camera.up + near * camera.to_eye
            light = pyvista.Light(position=tuple(camera.centre + far * place), focal_point=tuple(camera.centre))
            light.intensity = strength
            self._plotter.add_light(light)

    def _add_wall(
        self, wall: pyvista.PolyData, camera: Camera, cut: Cut | None, opacity: float, crowd: Numbers, scale: Scale
    ) -> None:
        """Walls whose inner side is seen are opaque, and so are solid bodies; those before the grains are a haze; edges
        are lines. Facets have the colours of their values, and those that have nearly none may be a haze."""
        if opacity <= 0:
            return
        edges = wall.extract_feature_edges(feature_angle=35, manifold_edges=False)
        wall.cell_data["opaque"] = _opaque(wall, camera, crowd, scale).astype(numpy.uint8)
        outline = None
        if cut is not None:
            normal, origin = tuple(cut.normal), tuple(cut.point)
            wall, edges = (part.clip(normal=normal, origin=origin, invert=True) for part in (wall, edges))
            wall = (wall if isinstance(wall, _poly_type()) else wall.extract_surface()).triangulate()
            outline = wall.slice(normal=tuple(cut.normal), origin=tuple(cut.point - 1e-6 * camera.depth * cut.normal))
        if wall.n_cells == 0:
            return
        look = {"color": _WALL, "ambient": 0.5, "diffuse": 0.55}
        if FACET_VALUE in wall.cell_data:
            wall.cell_data["colour"] = scale.colours(numpy.asarray(wall.cell_data[FACET_VALUE], float))
            look = {"scalars": "colour", "rgb": True, "ambient": 0.4, "diffuse": 0.6}
        opaque = numpy.asarray(wall.cell_data["opaque"]) > 0
        for part, strength in ((opaque, 1.0), (~opaque, opacity)):
            if part.any():
                piece = wall.extract_cells(numpy.flatnonzero(part).astype(int))
                self._plotter.add_mesh(piece, opacity=strength, specular=0.0, reset_camera=False, render=False, **look)
        for lines, strength, width in ((edges, 0.4, 1.2), (outline, 0.9, 2.4)):
            if lines is not None and lines.n_cells:
                self._plotter.add_mesh(lines, color=_EDGE, line_width=width * self._sharp, opacity=strength,
                                       lighting=False, reset_camera=False, render=False)  # fmt: skip

    def _add_chains(self, chains: Chains, scale: Scale) -> None:
        """Tubes of the forces that are larger than a twelfth of the largest in `scale`: half of their mean."""
        import pyvista

        strong = chains.force > scale.high / 12
        start, end, force = chains.start[strong], chains.end[strong], chains.force[strong]
        n = len(force)
        if n == 0:
            return
        lines = pyvista.PolyData(numpy.concatenate([start, end]))
        lines.lines = numpy.column_stack([numpy.full(n, 2), numpy.arange(n), numpy.arange(n) + n]).ravel()
        length = float(numpy.median(numpy.linalg.norm(end - start, axis=1)))
        part = numpy.minimum(force / scale.high, 1.0)
        lines.point_data["width"] = numpy.tile(0.2 * length * numpy.sqrt(part), 2)
        lines.point_data["colour"] = numpy.tile(scale.colours(force), (2, 1))
        tubes = lines.tube(scalars="width", absolute=True, n_sides=8)
        self._plotter.add_mesh(tubes, scalars="colour", rgb=True, reset_camera=False, render=False, ambient=0.2)

    def _add_line(self, points: Numbers) -> None:
        import pyvista

        self._plotter.add_mesh(
            pyvista.lines_from_points(points), color=_EDGE, line_width=1.2 * self._sharp, opacity=0.6,
            lighting=False, reset_camera=False, render=False,
        )  # fmt: skip


def _opaque(wall: pyvista.PolyData, camera: Camera, crowd: Numbers, scale: Scale) -> numpy.ndarray:
    """[n_triangles] whether each triangle of a marked surface hides what is behind it: those of solid bodies, those
    whose inner side is seen, and flat faces with values above the first hundredth of the scale."""
    faces = numpy.asarray(wall.cell_data[FACE])
    inner = inner_normals(numpy.asarray(wall.points, float)[wall.regular_faces], crowd, faces)
    opaque = numpy.asarray(wall.cell_data[SOLID], dtype=bool) | (inner @ camera.to_eye >= -1e-9)
    if FACET_VALUE in wall.cell_data:
        least = scale.low + 0.01 * (scale.high - scale.low)
        valued = numpy.nan_to_num(numpy.asarray(wall.cell_data[FACET_VALUE], float), nan=-numpy.inf) > least
        opaque |= numpy.bincount(faces, weights=valued)[faces] > 0
    return opaque


def _moved(wall: pyvista.PolyData, by: Numbers) -> pyvista.PolyData:
    """A copy of a surface elsewhere."""
    moved = wall.copy()
    moved.points = numpy.asarray(wall.points, float) + by
    return moved


def _poly_type() -> Any:
    import pyvista

    return pyvista.PolyData


def _material(actor: Any, ghost: bool) -> Any:
    look = actor.GetProperty()
    look.SetAmbient(0.28)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.12)
    look.SetSpecularPower(25)
    if ghost:
        look.SetOpacity(0.12)
    return actor


def _spheres(centres: Numbers, radii: Numbers, colours: Bytes, ghost: bool) -> Any:
    """An actor of true spheres: each is a square on which the sphere is traced, so a million cost seconds."""
    import pyvista
    from vtkmodules.vtkRenderingCore import vtkActor
    from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

    cloud = pyvista.PolyData(centres.astype(numpy.float32))
    cloud.point_data["size"] = radii.astype(numpy.float32)
    cloud.point_data["colour"] = colours
    mapper = vtkOpenGLSphereMapper()
    mapper.SetInputData(cloud)
    mapper.SetScaleArray("size")
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("colour")
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    return _material(actor, ghost)


def _surfaces(moment: Moment, scale: Scale, ghost: bool) -> Any:
    """An actor of the surfaces of grains, smooth but for sharp edges."""
    import pyvista
    from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

    assert moment.vertices is not None and moment.triangles is not None and moment.triangle_values is not None
    mesh = pyvista.PolyData.from_regular_faces(moment.vertices, moment.triangles.astype(int))
    mesh = mesh.compute_normals(cell_normals=False, split_vertices=True, feature_angle=50, consistent_normals=False,
                                auto_orient_normals=False)  # fmt: skip
    colours = scale.colours(moment.triangle_values)
    mesh.cell_data["colour"] = numpy.full_like(colours, 175) if ghost else colours
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(mesh)
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray("colour")
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    return _material(actor, ghost)
