// Plots of columns over time: drag to zoom, double-click to see all again, point to read values.
"use strict";
const COLOURS = ["#2f81b3", "#d1603d", "#57a773", "#8d6a9f", "#e3a33b", "#56b4e9", "#7a7a7a", "#b5523b", "#8c6d46", "#94a89a"];

function niceTicks(low, high, most) {
  if (!(high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)))) return [low];  // steps that add nothing never end
  const raw = (high - low) / most, unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * unit).find((s) => s >= raw * (1 - 1e-9));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

// `step`: the distance to the next number beside it; `largest` of them, which tells whether all have exponents.
function numberText(value, step, largest) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const seen = largest || size;
  if (seen !== 0 && (seen >= 1e6 || seen < 1e-3)) {
    if (size === 0) return "0";
    const power = (x) => Math.floor(Math.log10(x) + 1e-9), whole = !step || Math.abs(step / 10 ** power(step) % 1 - 0.5) > 0.4;  // 2.5 is not
    return value.toExponential(step ? Math.min(3, Math.max(0, power(size) - power(step) + (whole ? 0 : 1))) : 3).replace("e+", "e");
  }
  const places = step ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : Math.max(0, 3 - Math.floor(Math.log10(size || 1)));
  return value.toFixed(Math.min(places + (step && Math.abs(step * 10 ** places % 1) > 1e-6 ? 1 : 0), 8));
}

class Chart {
  constructor(parent, title, unit, time, columns) {
    Object.assign(this, { unit, time, columns, from: 0, until: time.length - 1, drag: null, at: null });
    const box = this.box = document.createElement("div");
    box.className = "chart";
    const head = document.createElement("h3");
    head.textContent = title + (unit ? ` [${unit}]` : "");
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${title} over time`);
    this.keys = document.createElement("div");
    this.keys.className = "keys";
    box.append(head, this.canvas, this.keys);
    parent.append(box);
    columns.forEach((column, k) => {
      column.colour = column.colour || COLOURS[k % COLOURS.length];
      column.shown = column.shown !== false;
      const key = document.createElement("button");
      key.setAttribute("aria-pressed", String(column.shown));
      const line = document.createElement("i");
      line.style.background = column.colour;
      column.text = document.createElement("span");
      key.append(line, column.text);
      key.onclick = () => { column.shown = !column.shown; key.setAttribute("aria-pressed", String(column.shown)); this.draw(); };
      this.keys.append(key);
    });
    this.canvas.onpointerdown = (event) => { this.drag = [event.offsetX, event.offsetX]; if (event.pointerType === "mouse") this.canvas.setPointerCapture(event.pointerId); };
    this.canvas.onpointermove = (event) => { this.at = event.offsetX; if (this.drag) this.drag[1] = event.offsetX; this.draw(); };
    this.canvas.onpointerleave = () => { this.at = null; this.draw(); };
    this.canvas.onpointercancel = () => { this.drag = null; this.draw(); };
    this.canvas.onpointerup = () => this.zoom();
    this.canvas.ondblclick = () => { this.from = 0; this.until = this.time.length - 1; this.draw(); };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.seen = true;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    new IntersectionObserver(([entry]) => { this.seen = entry.isIntersecting; if (this.seen && this.late) this.draw(); }).observe(this.canvas);
  }

  // Takes more rows; what is zoomed in stays so.
  update(time, columns) {
    if (this.until === this.time.length - 1) this.until = time.length - 1;
    this.until = Math.min(this.until, time.length - 1);
    this.time = time;
    columns.forEach(({ values }, k) => { this.columns[k].values = values; });
    this.late = !this.seen;  // drawn when it comes into view
    if (this.seen) this.draw();
  }

  nearest(x) {
    const time = this.left(x);
    let low = 0, high = this.time.length - 1;
    while (low < high) { const mid = (low + high) >> 1; if (this.time[mid] < time) low = mid + 1; else high = mid; }
    return low > 0 && time - this.time[low - 1] < this.time[low] - time ? low - 1 : low;
  }

  left(x) { return this.x0 + (x - this.margin) / (this.width - this.margin - 12) * (this.x1 - this.x0); }

  zoom() {
    const drag = this.drag;
    this.drag = null;
    if (drag && Math.abs(drag[1] - drag[0]) > 8) {
      const [a, b] = [this.nearest(Math.min(...drag)), this.nearest(Math.max(...drag))];
      if (b - a >= 2) { this.from = a; this.until = b; }
    }
    this.draw();
  }

  draw() {
    const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const shown = this.columns.filter((column) => column.shown);
    let low = Infinity, high = -Infinity;
    for (const { values } of shown) for (let k = this.from; k <= this.until; ++k) if (values[k] !== null) { low = Math.min(low, values[k]); high = Math.max(high, values[k]); }
    if (!Number.isFinite(low)) [low, high] = [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-7 * size) [low, high] = low ? [low - Math.abs(low) / 2, high + Math.abs(high) / 2] : [0, 1];
    const pad = 0.05 * (high - low), top = 10, bottom = height - 34;
    if (low !== 0) low -= pad;
    high += pad;
    [this.x0, this.x1] = [this.time[this.from], this.time[this.until]];
    if (!(this.x1 > this.x0)) this.x1 = this.x0 + 1;
    this.width = width;
    pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
    const rows = niceTicks(low, high, 5), step = rows.length > 1 ? rows[1] - rows[0] : 0;
    const largest = Math.max(...rows.map(Math.abs));
    const names = rows.map((row) => numberText(Math.abs(row) < 1e-12 * (high - low) ? 0 : row, step, largest));
    this.margin = 12 + Math.max(...names.map((name) => pen.measureText(name).width));
    const X = (t) => this.margin + (t - this.x0) / (this.x1 - this.x0) * (width - this.margin - 12);
    const Y = (v) => bottom - (v - low) / (high - low) * (bottom - top);
    const [soft, line] = ["--soft", "--line"].map((name) => getComputedStyle(this.canvas).getPropertyValue(name));
    pen.fillStyle = soft; pen.strokeStyle = line; pen.lineWidth = 1;
    pen.textAlign = "right"; pen.textBaseline = "middle";
    rows.forEach((row, k) => { pen.beginPath(); pen.moveTo(this.margin, Y(row)); pen.lineTo(width - 12, Y(row)); pen.stroke(); pen.fillText(names[k], this.margin - 6, Y(row)); });
    pen.textAlign = "center"; pen.textBaseline = "top";
    const ticks = niceTicks(this.x0, this.x1, Math.max(2, width / 95));
    for (const tick of ticks) pen.fillText(numberText(tick, ticks[1] - ticks[0], Math.abs(ticks[ticks.length - 1])), X(tick), bottom + 5);
    pen.fillText("time [s]", (this.margin + width) / 2, bottom + 19);
    pen.save(); pen.beginPath(); pen.rect(this.margin, 0, width - this.margin, bottom + 1); pen.clip();
    for (const { values, colour, dashed } of shown) {
      pen.strokeStyle = colour; pen.lineWidth = dashed ? 1.6 : 1.8; pen.lineJoin = "round"; pen.setLineDash(dashed ? [6, 4] : []);
      pen.beginPath();
      let gap = true;
      for (let k = Math.max(0, this.from - 1); k <= Math.min(values.length - 1, this.until + 1); ++k) {
        if (values[k] === null) { gap = true; continue; }
        if (gap) pen.moveTo(X(this.time[k]), Y(values[k])); else pen.lineTo(X(this.time[k]), Y(values[k]));
        gap = false;
      }
      pen.stroke();
    }
    pen.restore(); pen.setLineDash([]);
    if (this.drag) { pen.fillStyle = "#2a6f9722"; pen.fillRect(Math.min(...this.drag), top, Math.abs(this.drag[1] - this.drag[0]), bottom - top); }
    const read = this.at === null ? null : this.nearest(this.at);
    if (read !== null) { pen.strokeStyle = soft; pen.beginPath(); pen.moveTo(X(this.time[read]), top); pen.lineTo(X(this.time[read]), bottom); pen.stroke(); }
    for (const column of this.columns) column.text.textContent = column.name + (read === null ? "" : `: ${numberText(column.values[read])}`);
  }
}
