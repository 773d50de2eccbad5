"""Time, scale bar and legend under a picture."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ..errors import missing_package
from .camera import Camera
from .fields import Bytes, Colouring, Scale, category_colours, nice_ticks

__all__ = ["caption", "fewer_colours", "in_usual_unit", "length_text", "montage", "quantity_text",
           "scale_bar_length", "time_text"]  # fmt: skip


def time_text(time: float, longest: float) -> str:
    """The time [s], as "t = 0.500 s", in a unit that suits the longest time of the run."""
    for least, factor, unit, places in ((100, 1, "s", 1), (0.02, 1, "s", 3), (2e-5, 1e3, "ms", 3), (0, 1e6, "µs", 3)):
        if longest >= least:
            return f"t = {time * factor + 0.0:.{places}f} {unit}".replace("= -0.000 ", "= 0.000 ")
    return f"t = {time:g} s"


def length_text(length: float) -> str:
    """A length [m] in its usual unit, as "50 mm"."""
    for factor, unit in ((1, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")):
        if length >= 0.999 * factor:
            return f"{length / factor:g} {unit}" if length < 1e3 else f"{length / 1e3:g} km"
    return f"{length:g} m"


def in_usual_unit(unit: str, largest: float) -> tuple[float, str]:
    """What one of a usual unit is in an SI unit, and its name, as (0.001, "mm"), for values up to `largest`."""
    if unit not in ("m", "m/s", "s", "N", "Pa", "J") or not 0 < largest < math.inf:
        return 1.0, unit
    prefixes = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
    known = [(factor, name) for factor, name in prefixes if factor <= 1 or unit in ("N", "Pa", "J")]
    base = 1.0 if unit == "m" else 0.1  # 0.5 m are 500 mm, but 0.5 m/s and 0.5 N stay so
    factor, name = next(((f, name) for f, name in known if largest >= 0.999 * f * (base if f == 1 else 1)), known[-1])
    return factor, name + unit


def quantity_text(value: float, unit: str) -> str:
    """A value of an SI unit in its usual one, as "70 GPa"."""
    one, name = in_usual_unit(unit, abs(value))
    return f"{value / one:.4g} {name}"


def scale_bar_length(width: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is at most a fifth of a width [m]."""
    unit = 10.0 ** math.floor(math.log10(width / 5))
    return round(max(f for f in (1, 2, 5) if f * unit <= width / 5 * (1 + 1e-9)) * unit, 15)


def _font(size: int, bold: bool = False) -> Any:
    try:
        import matplotlib
        from PIL import ImageFont
    except ImportError:
        raise missing_package("matplotlib", "scree render", "render") from None
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(f"{matplotlib.get_data_path()}/fonts/ttf/{name}", size)


def _ink(background: str) -> tuple[str, str]:
    return ("#20262c", "#5b6570") if background == "white" else ("#f2f4f6", "#aab4be")


def _number(value: float, step: float) -> str:
    places = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    if places > 4 or abs(value) >= 1e5:
        digits = 1 + math.floor(math.log10(abs(value) / step) + 1e-9) if value and step > 0 else 0
        return f"{value:.{min(max(3, digits + 2), 12)}g}"  # as many as tell ticks from each other; steps may be 2.5
    if round(step * 10**places) / 10**places != round(step, 12):  # a step of 2.5
        places += 1
    return f"{value:.{places}f}"


def _legend(draw: Any, box: tuple[int, int, int, int], how: Colouring, scale: Scale, size: int, ink: Any) -> None:
    """A colour bar, or the names of categories, centred in a box of pixels."""
    left, top, right, bottom = box
    middle = (left + right) // 2
    if scale.categories:
        if not scale.names:
            return
        gap = size
        widths = [draw.textlength(name, font=_font(size)) + 1.5 * size for name in scale.names]
        x = middle - (sum(widths) + gap * (len(widths) - 1)) / 2
        y = (top + bottom) // 2
        for k, (name, width) in enumerate(zip(scale.names, widths, strict=True)):
            colour = tuple(category_colours()[k % len(category_colours())])
            draw.ellipse([x, y - 0.45 * size, x + 0.9 * size, y + 0.45 * size], fill=colour)
            draw.text((x + 1.3 * size, y), name, font=_font(size), fill=ink[0], anchor="lm")
            x += width + gap
        return
    width = int(min(right - left, 16 * size))
    x0, height = middle - width // 2, max(4, int(0.55 * size))
    y0 = top + int(1.5 * size)
    one, unit = in_usual_unit(how.unit, max(abs(scale.low), abs(scale.high)))
    label = how.name + (f" [{unit}]" if unit else "")
    draw.text((middle, y0 - 0.4 * size), label, font=_font(size), fill=ink[0], anchor="ms")
    palette = scale.palette(scale.bands or 256)
    for x in range(width):
        colour = tuple(int(c) for c in palette[min(x * len(palette) // width, len(palette) - 1)])
        draw.line([(x0 + x, y0), (x0 + x, y0 + height)], fill=colour)
    low, high = scale.low / one, scale.high / one
    ticks = nice_ticks(low, high, 5)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else abs(ticks[0]) if ticks else 1.0
    for tick in ticks:
        x = x0 + (tick - low) / (high - low) * (width - 1)
        draw.line([(x, y0 + height), (x, y0 + height + 0.25 * size)], fill=ink[1], width=max(1, size // 14))
        draw.text((x, y0 + height + 0.4 * size), _number(tick, step), font=_font(int(0.85 * size)), fill=ink[0],
                  anchor="ma")  # fmt: skip


def _scale_bar(draw: Any, box: tuple[int, int, int, int], metres_per_pixel: float, size: int, ink: Any) -> None:
    """A bar of a round length at the right end of a box of pixels."""
    left, top, right, bottom = box
    length = scale_bar_length(metres_per_pixel * (right - left) * 4.5)
    pixels = length / metres_per_pixel
    y = (top + bottom) // 2 + size // 2
    draw.line([(right - pixels, y), (right, y)], fill=ink[0], width=max(2, size // 6))
    draw.text((right - pixels / 2, y - 0.45 * size), length_text(length), font=_font(size), fill=ink[0], anchor="ms")


def _strip(
    width: int, size: int, background: str, texts: tuple[str, ...], how: Colouring, scale: Scale,
    metres_per_pixel: float,
) -> Any:  # fmt: skip
    """A strip with a text on the left, the legend in the middle and a scale bar on the right."""
    from PIL import Image, ImageDraw

    height, margin, ink = int(3.9 * size), size, _ink(background)
    strip = Image.new("RGB", (width, height), background)
    draw = ImageDraw.Draw(strip)
    side = int(0.24 * width)
    if texts and texts[0]:
        side = max(side, 2 * margin + int(draw.textlength(texts[0], font=_font(size, bold=True))))
        draw.text((margin, height // 2), texts[0], font=_font(size, bold=True), fill=ink[0], anchor="lm")
    _legend(draw, (side, 0, width - side, height), how, scale, size, ink)
    _scale_bar(draw, (width - side, 0, width - margin, height), metres_per_pixel, size, ink)
    return strip


def _text_size(width: int, height: int) -> int:
    return max(11, min(round(0.0235 * max(width, height)), round(width / 28)))


def caption(image: Bytes, camera: Camera, text: str, how: Colouring, scale: Scale, background: str = "white") -> Any:
    """A picture with a strip below it, as an image of Pillow."""
    from PIL import Image

    height, width = image.shape[:2]
    pixel = 2 * _half(camera, width, height) / width
    strip = _strip(width, _text_size(width, height), background, (text,), how, scale, pixel)
    whole = Image.new("RGB", (width, height + strip.height - strip.height % 2), background)
    whole.paste(Image.fromarray(image), (0, 0))
    whole.paste(strip, (0, height))
    return whole


def _half(camera: Camera, width: int, height: int) -> float:
    """Half of the width [m] that the picture shows."""
    return max(camera.half_width, camera.half_height * width / height)


def montage(
    images: list[Bytes], texts: list[str], camera: Camera, how: Colouring, scale: Scale,
    background: str = "white", columns: int | None = None, labels: bool = True,
) -> Any:  # fmt: skip
    """Pictures side by side, each with its text below, over one legend and scale bar; without `labels` they alone."""
    from PIL import Image, ImageDraw

    height, width = images[0].shape[:2]
    columns = columns or _columns(len(images), width, height)
    rows = -(-len(images) // columns)
    size = max(11, min(round(0.03 * max(width, height)), round(width * columns / 40)))
    line = 2 * size if labels else 0
    strip = _strip(width * columns, size, background, ("",), how, scale, 2 * _half(camera, width, height) / width)
    below = strip.height if labels else 0
    whole = Image.new("RGB", (width * columns, (height + line) * rows + below), background)
    draw, ink = ImageDraw.Draw(whole), _ink(background)
    for k, (image, text) in enumerate(zip(images, texts, strict=True)):
        x, y = width * (k % columns), (height + line) * (k // columns)
        whole.paste(Image.fromarray(image), (x, y))
        if labels:
            draw.text((x + width // 2, y + height + line // 2), text, font=_font(size, bold=True), fill=ink[0],
                      anchor="mm")  # fmt: skip
    if labels:
        whole.paste(strip, (0, whole.height - strip.height))
    return whole


def fewer_colours(image: Any, n: int) -> Any:
    """The picture in `n` colours. Rare colours, as those of a legend or of thin lines, count by the root of how often
    they occur: otherwise the background and the many shades of grains would take all. The background stays as it is."""
    from PIL import Image

    pixels = numpy.asarray(image.convert("RGB")).reshape(-1, 3)
    code = (pixels.astype(numpy.uint32) >> 2) @ numpy.array([1 << 12, 1 << 6, 1], numpy.uint32)  # six bits of each
    _, first, counts = numpy.unique(code, return_index=True, return_counts=True)
    weighed = numpy.repeat(pixels[first], numpy.ceil(numpy.sqrt(counts)).astype(int), axis=0)
    chosen = Image.fromarray(weighed[None]).quantize(n, kmeans=2)
    palette = numpy.array((chosen.getpalette() or [])[: 3 * n]).reshape(-1, 3)
    background = pixels[first[counts.argmax()]]
    palette[numpy.abs(palette - background).sum(axis=1).argmin()] = background
    chosen.putpalette(palette.ravel().tolist())
    return image.convert("RGB").quantize(palette=chosen, dither=Image.Dither.NONE)


def _columns(n: int, width: int, height: int) -> int:
    """Columns that make a montage about twice as wide as high, and leave few places empty."""

    def cost(columns: int) -> float:
        rows = -(-n // columns)
        return abs(math.log(columns * width / (rows * height) / 2)) + 0.6 * (rows * columns - n)

    return min(range(1, n + 1), key=cost)
