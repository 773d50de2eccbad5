"""The page: sections of HTML around the data of a run."""

from __future__ import annotations

import html
import importlib.resources
import json
import math
from collections.abc import Iterable
from typing import Any

from ..results import Results
from .columns import Plots, plots
from .diagnostics import Diagnostic, diagnostics, flows, series_damage
from .diagram import case_diagram
from .grains import Packed
from .words import case_in_words

__all__ = ["asset", "embedded", "finite", "page"]


def asset(name: str) -> str:
    """Text of a style or script that comes with the package."""
    return (importlib.resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _text(value: object) -> str:
    return html.escape(str(value))


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 120:
        return f"{seconds:.3g} s"
    minutes = seconds / 60
    return f"{minutes:.3g} min" if minutes < 120 else f"{minutes / 60:.3g} h"


def _speed(value: float | None) -> str:
    return "–" if value is None else f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"


def _particles(run: Results) -> str:
    """Particles at the start and at the end."""
    first, *others = run.log.facts.get("particles", "").split("\n")
    start, end = first.split(";")[0], others[-1].split(" in the run")[0] if others else ""
    return f"{start}; {end} at the end" if end and end != start else start


def _wall_time(run: Results) -> str:
    """Wall time of all parts of a run; those that were killed count as far as their log goes."""
    seconds, parts = run.log.total_wall_seconds, len(run.log.parts)
    least = "at least " if seconds is not None and run.log.some_were_killed else ""
    return least + _duration(seconds) + (f" in {parts} parts" if parts > 1 else "")


def _facts(run: Results) -> str:
    summary = run.summary
    facts = {
        "particles": _particles(run) or "–", "simulated": f"{summary['time']:.4g} of {summary['duration']:.4g} s",
        "steps": "–" if summary["steps"] is None else f"{summary['steps']:,}".replace(",", "\u202f"),
        "wall time": _wall_time(run), "particle-steps per second": _speed(summary["particle_steps_per_second"]),
        "backend": summary["backend"].split(" (")[0] or "–", "precision": summary["precision"], "scree": summary["version"] or "–",
    }  # fmt: skip
    return (
        '<dl class="facts">'
        + "".join(f"<div><dt>{_text(k)}</dt><dd>{_text(v)}</dd></div>" for k, v in facts.items())
        + "</dl>"
    )


def _warnings(run: Results) -> str:
    lines = [f"<li>{_text(line)}</li>" for line in [*run.log.errors, *run.warnings]]
    return f'<div class="warnings"><strong>The run warned</strong><ul>{"".join(lines)}</ul></div>' if lines else ""


def _badge(verdict: str) -> str:
    return f'<span class="badge {verdict}">{verdict}</span>'


def _diagnostics(found: Iterable[Diagnostic]) -> str:
    rows = "".join(f"<tr><td>{_text(d.name)}</td><td>{_text(d.value)}</td><td>{_badge(d.verdict)}</td><td>{_text(d.meaning)}</td></tr>"
                   for d in found)  # fmt: skip
    return f'<div class="wide"><table><tr><th>what</th><th>value</th><th></th><th>meaning</th></tr>{rows}</table></div>'


def _flows(found: dict[str, Any]) -> str:
    rows = "".join(
        f'<tr><td>{_text(name)}</td><td class="number">{fit.slope:.4g} ± {fit.error:.1g} kg/s</td>'
        f'<td class="number">{fit.start:.4g} to {fit.end:.4g} s</td><td class="number">{fit.r_squared:.5f}</td></tr>'
        for name, fit in found.items()
    )
    return (f'<div class="wide"><table><tr><th>column</th><th>rate</th><th>fitted from</th><th>R²</th></tr>{rows}</table></div>'
            '<p class="soft small">Lines by least squares while 10 to 60 % of the mass at the end has passed. The error is '
            "the standard error of the slope, as if rows were independent; other seeds differ by more.</p>")  # fmt: skip


def _view(packed: Packed | None) -> str:
    if packed is None:
        return '<p class="soft">The run has no frames: give the case <code>output.frames</code>.</p>'
    notes = " ".join(packed.notes)
    return f"""<div class="view"><canvas id="scene" aria-label="the grains in three dimensions"></canvas>
<div class="bar"><button id="play">Play</button><input id="moment" type="range" min="0" value="0" aria-label="time"><output id="when"></output>
<label>colour <select id="field"></select></label><span class="legend" id="legend"><span id="low"></span><i id="gradient"></i><span id="high"></span><span id="names"></span></span>
<label>cut <select id="cut"><option value="-1">none</option><option value="0">x</option><option value="1">y</option><option value="2">z</option></select></label>
<input id="depth" type="range" min="0" max="1" step="0.01" value="0.5" disabled aria-label="place of the cut">
<label><input id="walls" type="checkbox" checked>boundaries</label><button id="home">Reset</button></div></div>
<p class="soft small">Drag to turn, scroll or pinch to come closer, drag with Shift or the right button to shift. {_text(notes)} <span id="sorry"></span></p>"""  # fmt: skip


def _pictures(pictures: list[tuple[str, str]], missing: str) -> str:
    if not pictures:
        return f'<p class="soft">{_text(missing)}</p>' if missing else ""
    figures = "".join(f'<figure><img alt="grains at {_text(text)}" src="{source}"><figcaption>{_text(text)}</figcaption></figure>'
                      for text, source in pictures)  # fmt: skip
    return f'<div class="figures">{figures}</div>'


def _case(run: Results) -> str:
    words = "".join(f"<h3>{_text(title)}</h3>" + "".join(f"<p>{_text(line)}</p>" for line in lines)
                    for title, lines in case_in_words(run).items() if lines)  # fmt: skip
    text = _text((run.folder / "case.json").read_text(encoding="utf-8"))
    return f"{case_diagram(run)}{words}<details><summary>The case file as it ran</summary><pre>{text}</pre></details>"


def _charts(found: Plots, damage: str) -> str:
    missing = _text(damage or "The run has no rows.")
    boxes = '<div class="charts" id="charts"></div>' if found.plots else f'<p class="soft">{missing}</p>'
    notes = "Drag to zoom, double-click to see all again, choose a name to hide its line."
    if len(found.time) < found.rows:
        notes += f" {len(found.time)} of {found.rows} rows are plotted."
    same = (
        f'<details class="small"><summary>{len(found.constant)} columns never change</summary><p>{_text(", ".join(found.constant))}</p></details>'
        if found.constant
        else ""
    )
    return f'<p class="soft small">{notes}</p>{boxes}{same}'


def _stages(run: Results) -> str:
    seconds = {name: s for name, s in sorted(run.log.total_stage_seconds.items(), key=lambda item: -item[1]) if s > 0}
    if not seconds:
        return '<p class="soft">The log does not say yet.</p>'
    total, most = sum(seconds.values()), max(seconds.values())
    shown = [(name, s) for name, s in seconds.items() if s >= 0.005 * total]
    rest = total - sum(s for _, s in shown)
    if rest > 0:
        shown.append(("all others", rest))
    rows = "".join(f'<div class="stage"><span>{_text(name)}</span><span><b style="width:{100 * s / most:.1f}%"></b></span>'
                   f"<span>{_duration(s)}, {100 * s / total:.1f} %</span></div>" for name, s in shown)  # fmt: skip
    return rows + ('<p class="soft small">Without parts that were killed.</p>' if run.log.some_were_killed else "")


def _cite(run: Results) -> str:
    version = run.log.version or "0.1.0"
    year = version and "2026"
    bib = (f"@software{{scree,\n  title   = {{scree: a discrete element engine for granular matter}},\n  author  = {{{{The scree developers}}}},\n"
           f"  version = {{{version}}},\n  year    = {{{year}}}\n}}")  # fmt: skip
    hash_line = f'<p>State hash at the end: <code class="hash">{_text(run.state_hash)}</code>. Running the case file below again gives ' \
                "the same bits and the same hash.</p>" if run.state_hash else ""  # fmt: skip
    return f"{hash_line}<p>Name the version and the hash beside the citation.</p><pre>{_text(bib)}</pre>"


def page(run: Results, packed: Packed | None, pictures: list[tuple[str, str]], missing: str) -> str:
    """The whole page. `pictures`: text and data URL of each; `missing`: why there are none."""
    rates = flows(run)
    found = plots(run, rates)
    data = {
        "time": found.time, "scene": packed.header if packed else None,
        "charts": [{"place": "charts", "title": p.title, "unit": p.unit, "columns": p.columns} for p in found.plots],
    }  # fmt: skip
    title = run.case.get("title") or run.folder.resolve().name
    status = {"done": "good", "running": "unknown", "interrupted": "doubtful"}.get(run.status, "bad")
    sections = [
        ("Grains", _view(packed)), ("From first to last", _pictures(pictures, missing)),
        ("Can it be trusted?", _diagnostics(diagnostics(run))),
        ("Flow", _flows(rates) if rates else ""), ("The case", _case(run)),
        ("Series", _charts(found, series_damage(run))),
        ("Time per stage", _stages(run)), ("Reproduce and cite", _cite(run)),
    ]  # fmt: skip
    body = "".join(f"<section><h2>{name}</h2>{text}</section>" for name, text in sections if text)
    grains = packed.data if packed else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{_text(title)}</title><link rel="icon" href="data:,"><style>{asset("page.css")}</style></head><body><main>
<h1>{_text(title)}</h1><p class="soft">A run of scree in <code>{_text(run.folder.name or run.folder.resolve().name)}</code> <span class="badge {status}">{_text(run.status)}</span></p>
{_facts(run)}{_warnings(run)}{body}</main>
<script type="application/json" id="data">{embedded(data)}</script><script type="text/plain" id="grains">{grains}</script>
<script>{asset("charts.js")}{asset("viewer.js")}{asset("start.js")}</script></body></html>
"""  # fmt: skip


def embedded(data: dict[str, Any]) -> str:
    """JSON that may stand within a script element, which names with "</script" or "<!--" would end or open anew."""
    return json.dumps(finite(data), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def finite(value: Any) -> Any:
    """The same with None in the place of numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return value
