// Brings the page to life: tables that sort and filter, charts, a switch between light and dark. Everything that
// comes from data is set as text, never as markup.
"use strict";
(() => {
  const shapes = ["circle", "triangle", "rect", "rectRot", "star", "crossRot"];
  const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a6fdf", "#999999"];
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const charts = [];

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // More series than colours differ in shape, too.
  const shape = (index) => shapes[Math.floor(index / palette.length) % shapes.length];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const short = (value) => (value === null || value === undefined ? "" : Number(value.toPrecision(5)).toString());

  // ---- tables -------------------------------------------------------------------------------------------------

  function sortKey(cell) {
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    const number = parseFloat(cell.textContent);
    return Number.isNaN(number) ? cell.textContent : number;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a.localeCompare(b, undefined, { numeric: true });
  }

  function sortBy(table, column, header) {
    const ascending = header.getAttribute("aria-sort") !== "ascending";
    for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [column === 0 ? row.cells[0].textContent : sortKey(row.cells[column]), row]);
    rows.sort((a, b) => (ascending ? compare(a[0], b[0]) : compare(b[0], a[0])));
    body.append(...rows.map(([, row]) => row));
  }

  function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      const button = element("button", { type: "button", title: "Sort by this column" }, header.textContent);
      header.replaceChildren(button);
      button.addEventListener("click", () => sortBy(table, column, header));
    });
    if (table.tBodies[0].rows.length < 5) return;
    const filter = element("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows of this table" });
    filter.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    table.parentNode.before(element("div", { class: "controls" }, filter));
  }

  for (const table of document.querySelectorAll(".sortable table")) makeSortable(table);

  // ---- charts -------------------------------------------------------------------------------------------------

  // On a logarithmic axis: 1, 2 and 5 of every power of ten, in few characters.
  function logarithmicTick(value) {
    const power = Math.floor(Math.log10(value) + 1e-9);
    const digit = Math.round(value / 10 ** power);
    if (![1, 2, 5].includes(digit)) return "";
    return power < -3 || power > 5 ? `${digit}e${power}` : Number((digit * 10 ** power).toPrecision(1)).toString();
  }

  function axis(description, more = {}) {
    const grid = { color: colour("--line") };
    const ticks = { color: colour("--soft"), ...(description.log ? { callback: logarithmicTick } : {}) };
    const title = { display: true, text: description.label, color: colour("--text") };
    const type = description.categories ? "category" : description.log ? "logarithmic" : "linear";
    return { type, grid, ticks, title, ...(description.categories ? { labels: description.categories } : {}), ...more };
  }

  function options(figure, more = {}) {
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      scales: { x: axis(figure.x), y: axis(figure.y) },
      plugins: {
        title: { display: true, text: figure.title, color: colour("--text") },
        legend: { labels: { color: colour("--text"), usePointStyle: true, filter: (item) => !String(item.text).startsWith("\u0000") } },
        tooltip: { callbacks: { label: tooltip } },
      },
      ...more,
    };
  }

  function tooltip(item) {
    const point = item.raw;
    const spread = point.s === undefined ? "" : ` ± ${short(point.s)}`;
    return `${point.label}: ${short(point.y)}${spread}`;
  }

  // Bars of one standard deviation behind the points of a scatter chart.
  const deviationBars = {
    id: "deviationBars",
    beforeDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      ctx.lineWidth = 1;
      chart.data.datasets.forEach((dataset, index) => {
        if (!dataset.deviations || !chart.isDatasetVisible(index)) return;
        ctx.strokeStyle = dataset.backgroundColor;
        for (const point of dataset.data) {
          if (point.s === undefined) continue;
          const x = scales.x.getPixelForValue(point.x);
          ctx.beginPath();
          ctx.moveTo(x, scales.y.getPixelForValue(point.y - point.s));
          ctx.lineTo(x, scales.y.getPixelForValue(point.y + point.s));
          ctx.stroke();
        }
      });
    },
  };

  function costChart(figure) {
    const datasets = figure.series.map((series, i) => ({
      label: series.name, data: series.points, backgroundColor: palette[i % palette.length], deviations: true,
      borderColor: palette[i % palette.length], pointStyle: shape(i),
      pointRadius: series.points.map((point) => (point.front ? 6 : 4)), pointHoverRadius: 8,
    }));
    const front = figure.series.flatMap((series) => series.points).filter((point) => point.front);
    front.sort((a, b) => a.x - b.x);
    datasets.push({ label: "Pareto front", data: front, showLine: true, borderColor: colour("--soft"), borderDash: [6, 5],
      borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0 });
    const points = figure.series.flatMap((series) => series.points);
    const made = options(figure);
    const ends = points.flatMap((point) => [point.y - (point.s || 0), point.y + (point.s || 0)]);
    Object.assign(made.scales.y, { suggestedMin: Math.min(...ends), suggestedMax: Math.max(...ends) });
    if (figure.x.log) {
      // Room at both ends, so that no point is cut in half.
      const places = points.map((point) => point.x);
      Object.assign(made.scales.x, { min: Math.min(...places) / 1.25, max: Math.max(...places) * 1.25 });
    } else {
      made.scales.x.grace = "5%";
    }
    return { type: "scatter", data: { datasets }, options: made, plugins: [deviationBars] };
  }

  function curveChart(figure) {
    const datasets = [];
    const place = (point) => (figure.x.categories ? figure.x.categories[point.x] : point.x);
    figure.series.forEach((series, i) => {
      const tint = palette[i % palette.length];
      const shifted = (sign) => series.points.map((point) => ({ ...point, x: place(point), y: point.y + sign * (point.s || 0) }));
      datasets.push({ label: series.name, data: shifted(0), borderColor: tint, backgroundColor: tint, borderWidth: 2, pointStyle: shape(i) });
      const band = { borderWidth: 0, pointRadius: 0, pointHitRadius: 0, backgroundColor: tint + "30" };
      datasets.push({ label: "\u0000upper", data: shifted(1), fill: "+1", ...band });
      datasets.push({ label: "\u0000lower", data: shifted(-1), fill: false, ...band });
    });
    return { type: "line", data: { datasets }, options: options(figure) };
  }

  // Whiskers, medians and outliers over the bars that stand for the boxes.
  const whiskers = {
    id: "whiskers",
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      const y = (value) => scales.y.getPixelForValue(value);
      ctx.strokeStyle = ctx.fillStyle = colour("--text");
      chart.getDatasetMeta(0).data.forEach((bar, i) => {
        const box = chart.config.options.boxes[i];
        const [low, first, median, third, high] = box.q;
        const half = bar.width / 2;
        const stroke = (x1, y1, x2, y2, width) => {
          ctx.lineWidth = width;
          ctx.beginPath();
          ctx.moveTo(x1, y1);
          ctx.lineTo(x2, y2);
          ctx.stroke();
        };
        stroke(bar.x, y(low), bar.x, y(first), 1);
        stroke(bar.x, y(third), bar.x, y(high), 1);
        for (const end of [low, high]) stroke(bar.x - half / 2, y(end), bar.x + half / 2, y(end), 1);
        stroke(bar.x - half, y(median), bar.x + half, y(median), 2);
        for (const value of box.out) {
          ctx.beginPath();
          ctx.arc(bar.x, y(value), 2.5, 0, 2 * Math.PI);
          ctx.fill();
        }
      });
    },
  };

  function boxChart(figure) {
    const all = figure.boxes.flatMap((box) => [...box.q, ...box.out]);
    const low = Math.min(...all);
    const high = Math.max(...all);
    const data = {
      labels: figure.boxes.map((box) => box.name),
      datasets: [{ data: figure.boxes.map((box) => [box.q[1], box.q[3]]), maxBarThickness: 60, borderWidth: 1,
        borderColor: colour("--text"), backgroundColor: figure.boxes.map((_, i) => palette[i % palette.length] + "70") }],
    };
    const made = options(figure, { boxes: figure.boxes });
    made.scales = { x: axis({ label: "", categories: data.labels }), y: axis(figure.y, { suggestedMin: low, suggestedMax: high, grace: "6%" }) };
    made.plugins.legend.display = false;
    made.plugins.tooltip.callbacks.label = (item) => {
      const [least, first, median, third, greatest] = figure.boxes[item.dataIndex].q.map(short);
      return `median ${median}, quartiles ${first} to ${third}, whiskers ${least} to ${greatest}`;
    };
    return { type: "bar", data, options: made, plugins: [whiskers] };
  }

  function heatTable(figure) {
    const values = figure.cells.flat().filter((value) => value !== null);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const head = element("tr", {}, element("th", { scope: "col" }, `${figure.y.label} \\ ${figure.x.label}`));
    for (const name of figure.x.categories) head.append(element("th", { scope: "col" }, name));
    const body = element("tbody");
    figure.cells.forEach((line, i) => {
      const row = element("tr", {}, element("th", { scope: "row" }, figure.y.categories[i]));
      for (const value of line) {
        const cell = element("td", {}, value === null ? "—" : value.toPrecision(4));
        if (value !== null && high > low) {
          const share = (figure.higher ? value - low : high - value) / (high - low);
          cell.style.background = `color-mix(in srgb, var(--heat) ${Math.round(share * 75)}%, var(--ground))`;
        }
        row.append(cell);
      }
      body.prepend(row);
    });
    const caption = element("caption", {}, figure.title);
    return element("table", { class: "heat" }, caption, element("thead", {}, head), body);
  }

  // What a chart shows, as a table for those who cannot see it.
  function dataTable(figure) {
    const header = figure.kind === "boxes" ? ["algorithm", "low", "first quartile", "median", "third quartile", "high"]
      : ["algorithm", figure.x.label, figure.y.label, "std"];
    const place = (point) => (figure.x.categories ? figure.x.categories[point.x] : short(point.x));
    const lines = figure.kind === "boxes" ? figure.boxes.map((box) => [box.name, ...box.q.map(short)])
      : figure.series.flatMap((series) => series.points.map((point) => [point.label, place(point), short(point.y), short(point.s)]));
    const head = element("tr", {}, ...header.map((name) => element("th", { scope: "col" }, name)));
    const rows = lines.map(([name, ...cells]) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  const builders = { cost: costChart, curve: curveChart, learning: curveChart, boxes: boxChart };

  // One chart at a time: the reader chooses metric, dataset and parameter.
  class FigureViewer {
    constructor(place) {
      this.place = place;
      this.all = figures.filter((figure) => figure.kind === place.dataset.kind);
      this.choices = {};
      const controls = element("div", { class: "controls" });
      for (const key of ["metric", "dataset", "parameter"]) {
        const values = [...new Set(this.all.map((figure) => figure[key]))];
        if (values.length < 2) continue;
        const select = element("select", {}, ...values.map((value) => element("option", { value }, value)));
        select.addEventListener("change", () => this.draw());
        this.choices[key] = select;
        controls.append(element("label", {}, key, select));
      }
      this.view = element("div");
      place.replaceChildren(controls, this.view);
      charts.push(this);
    }

    chosen() {
      const fits = (figure) => Object.entries(this.choices).every(([key, select]) => figure[key] === select.value);
      return this.all.find(fits);
    }

    draw() {
      if (this.chart) this.chart.destroy();
      this.chart = null;
      const figure = this.chosen();
      if (!figure) {
        this.view.replaceChildren(element("p", {}, "There is no result for this choice."));
        return;
      }
      if (figure.kind === "heat") {
        this.view.replaceChildren(element("div", { class: "wide", tabindex: "0" }, heatTable(figure)));
        return;
      }
      const canvas = element("canvas", { role: "img", "aria-label": `${figure.title}; the numbers are in the table below` });
      const data = element("details", {}, element("summary", {}, "The numbers of this chart"),
        element("div", { class: "wide", tabindex: "0" }, dataTable(figure)));
      this.view.replaceChildren(element("div", { class: "chart" }, canvas), data);
      this.chart = new Chart(canvas, builders[figure.kind](figure));
    }
  }

  for (const place of document.querySelectorAll(".figure")) new FigureViewer(place).draw();

  // ---- light, dark and paper ----------------------------------------------------------------------------------

  const redraw = () => charts.forEach((viewer) => viewer.draw());
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = element("button", { type: "button", class: "theme" }, "Light or dark");
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    redraw();
  });
  dark.addEventListener("change", redraw);
  document.querySelector("header").prepend(theme);

  // Paper is white: everything is opened and drawn in the light colours, then as it was before.
  let before;
  addEventListener("beforeprint", () => {
    const folded = [...document.querySelectorAll("details:not([open])")];
    before = { theme: document.documentElement.dataset.theme, folded };
    for (const details of folded) details.open = true;
    document.documentElement.dataset.theme = "light";
    redraw();
  });
  addEventListener("afterprint", () => {
    for (const details of before.folded) details.open = false;
    if (before.theme) document.documentElement.dataset.theme = before.theme;
    else delete document.documentElement.dataset.theme;
    redraw();
  });

  document.documentElement.dataset.ready = "yes";
})();
