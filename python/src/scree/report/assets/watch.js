"use strict";
const find = (id) => document.getElementById(id), charts = new Map();
let view = null, shownFrame = "", busy = false;

function say(state) {
  find("title").textContent = document.title = state.title;
  find("status").textContent = state.status;
  find("status").className = "badge " + ({ done: "good", running: "unknown", interrupted: "doubtful" }[state.status] || "bad");
  find("progress").value = state.progress;
  find("facts").replaceChildren(...Object.entries(state.facts).map(([name, value]) => {
    const box = document.createElement("div"), dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value; box.append(dt, dd);
    return box;
  }));
  find("warnings").hidden = !state.warnings.length;
  find("warnings").querySelector("ul").replaceChildren(...state.warnings.map((text) => { const li = document.createElement("li"); li.textContent = text; return li; }));
  find("log").textContent = state.log;
}

function plot(state) {
  for (const { title, unit, columns } of state.charts) {
    const key = title + unit, names = columns.map((column) => column.name).join();
    if (charts.has(key) && charts.get(key).names === names) charts.get(key).chart.update(state.time, columns);
    else {  // the first rows, or columns that were the same number until now
      const old = charts.get(key)?.chart;
      for (const column of columns) column.shown = old?.columns.find((known) => known.name === column.name)?.shown;
      const chart = new Chart(find("charts"), title, unit, state.time, columns);
      if (old) old.box.replaceWith(chart.box);
      charts.set(key, { names, chart });
    }
  }
}

async function grains(state) {
  if (!state.frame || state.frame === shownFrame) return;
  const answer = await fetch("frame", { cache: "no-store" });
  if (!answer.ok) return;
  const packed = await answer.json(), data = await unzipped(packed.data);
  shownFrame = state.frame;
  if (view) { view.load(packed.header, data); view.show(0); } else { view = window.grainView = new GrainView(find("scene"), packed.header, data); find("view").hidden = false; view.draw(); }
  find("when").textContent = `last frame: ${timeText(packed.header.frames[0].time, state.duration)}`;
  const field = packed.header.fields[0];
  find("label").textContent = field ? field.label : "";
  showLegend(field);
}

async function look() {
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch("state", { cache: "no-store" });
    const state = await answer.json();
    if (!answer.ok) throw new Error(state.error);
    find("gone").textContent = "";
    say(state); plot(state);
    await grains(state);
  } catch (error) {
    find("gone").textContent = error instanceof TypeError ? "The page no longer hears from scree watch: this is the last that it heard." : error.message;
  }
  busy = false;
}
look();
setInterval(look, 1000);
