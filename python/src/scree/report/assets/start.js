"use strict";
const REPORT = JSON.parse(document.getElementById("data").textContent);
for (const chart of REPORT.charts) new Chart(document.getElementById(chart.place), chart.title, chart.unit, REPORT.time, chart.columns);
if (REPORT.scene) {
  unzipped(document.getElementById("grains").textContent.trim()).then((data) => {
    window.grainView = new GrainView(document.getElementById("scene"), REPORT.scene, data);
    showGrains(window.grainView);
  }).catch((error) => { document.getElementById("sorry").textContent = `The view cannot be shown: ${error.message}.`; });
}
