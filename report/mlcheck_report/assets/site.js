"use strict";
// What all pages share: numbers, view state, downloads. Pages are complete without it; nothing here
// writes markup, only text and attributes.
const mlcheck = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MINUS = "\u2212";

  // numbers, as numbers.py writes them

  const digitsAfter = (value, digits) =>
    Math.min(Math.max(digits - 1 - Math.floor(Math.log10(Math.abs(value))), 0), 12);
  function decimals(values) {
    const sizes = values.filter((v) => v).map(Math.abs).sort((a, b) => a - b);
    if (!sizes.length) return 0;
    const half = sizes.length >> 1;
    return digitsAfter(sizes.length % 2 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2, 4);
  }
  function number(value, places) {
    const most = value ? Math.max(places, digitsAfter(value, 3)) : places;
    const [whole, part] = Math.abs(value).toFixed(most).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
    return value < 0 ? MINUS + grouped : grouped;
  }

  // normalisation

  const MODES = {
    "": { title: "as submitted", short: "" },
    accelerator: { title: "per accelerator", short: "per accelerator", by: (row) => row.mixed ? 0 : row.accelerators_total,
      formula: "result ÷ accelerators in all nodes. Empty for times, for systems with several kinds of accelerators, and where no number is stated." },
    node: { title: "per node", short: "per node", by: (row) => row.nodes,
      formula: "result ÷ number of nodes. Empty for times and where no number is stated." },
    watt: { title: "per watt", short: "per W", by: (row) => row.average_w,
      formula: "result ÷ average power measured by the MLPerf® power method. Empty for times and where power was not measured; no rated power takes its place." },
  };
  function normalised(row, mode) {
    if (row.value === null || !mode) return row.value;
    const by = MODES[mode].by(row);
    return row.better === "higher" && by > 0 ? row.value / by : null;
  }
  function whyNot(row, mode) {
    if (row.value === null) return "no value";
    if (row.better !== "higher") return "n/a: a time";
    if (mode === "accelerator" && row.mixed) return "n/a: mixed";
    return mode === "watt" ? "n/a: no power" : "n/a: no number";
  }

  // rows of a round

  let loaded = null;
  function round(data) {
    loaded = data;
  }
  function rows() {
    return loaded.rows.map(([section, system, rules, ...values], i) => {
      const of = loaded.systems[system];
      const row = { ...loaded.sections[section], ...of, i, section, of };
      loaded.fields.forEach((field, n) => { row[field] = values[n]; });
      row.rules = rules.map((n) => loaded.rules[n]);
      row.file = values[loaded.fields.length] ?? row.id;
      return row;
    });
  }

  // view state: only what differs from the default stands in the address

  function state() {
    return new URLSearchParams(location.hash.slice(1));
  }
  function remember(values, push) {
    const set = Object.entries(values).filter(([, value]) => value !== "");
    const text = new URLSearchParams(set.sort(([a], [b]) => (a < b ? -1 : 1))).toString()
      .replaceAll("%2C", ",");
    if (text === location.hash.slice(1)) return;
    const url = location.href.split("#")[0] + (text && "#" + text);
    history[push ? "pushState" : "replaceState"](null, "", url);
  }

  // downloads

  function download(name, type, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function cell(value) {
    let text = String(value ?? "");
    const plain = typeof value === "number";
    if (/^[=+\-@\t\r]/.test(text) && !plain) text = "'" + text;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }
  function csv(header, lines) {
    return [header, ...lines].map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
  }
  function json(results) {
    const { schema_version, notice } = loaded;
    return JSON.stringify({ schema_version, notice, view: location.hash.slice(1), results }, null, 1) + "\n";
  }
  async function copy(text, button) {
    const before = button.textContent;
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = done ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  }

  // charts: the styles of the page go along as attributes

  const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family",
    "font-weight", "text-anchor", "opacity"];
  function standalone(svg) {
    const copy = svg.cloneNode(true);
    const of = [svg, ...svg.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    of.forEach((node, n) => {
      const style = getComputedStyle(node);
      for (const name of KEPT) to[n].setAttribute(name, style.getPropertyValue(name));
      to[n].removeAttribute("class");
    });
    for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", width);
    ground.setAttribute("height", height + 52);
    ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
    copy.prepend(ground);
    const colour = getComputedStyle(document.body).color;
    [svg.querySelector("title").textContent, svg.querySelector("desc").textContent].forEach((text, n) => {
      const line = document.createElementNS(SVG, "text");
      line.setAttribute("x", 8);
      line.setAttribute("y", n ? height + 44 : 18);
      line.setAttribute("font-size", n ? 9 : 13);
      line.setAttribute("font-family", "sans-serif");
      line.setAttribute("fill", colour);
      line.textContent = text;
      copy.append(line);
    });
    for (const node of [...copy.children].slice(1, -2)) {
      const shift = `translate(0 24) ${node.getAttribute("transform") ?? ""}`.trim();
      node.setAttribute("transform", shift);
    }
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("viewBox", `0 0 ${width} ${height + 52}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height + 52);
    return new XMLSerializer().serializeToString(copy);
  }
  async function png(text) {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  }
  for (const figure of document.querySelectorAll("figure.chart")) {
    const bar = document.createElement("p");
    bar.className = "downloads";
    for (const kind of ["SVG", "PNG"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = kind;
      button.setAttribute("aria-label", `Download ${kind}: ${figure.querySelector("figcaption").textContent}`);
      button.addEventListener("click", async () => {
        const text = standalone(figure.querySelector(".drawing svg"));
        const name = `${figure.id}.${kind.toLowerCase()}`;
        if (kind === "SVG") download(name, "image/svg+xml", text);
        else download(name, "image/png", await png(text));
      });
      bar.append(button);
    }
    figure.querySelector("figcaption").after(bar);
  }

  // tables that a reader may sort

  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => {
        const figures = head.classList.contains("num");
        const now = head.getAttribute("aria-sort");
        const down = now ? now === "ascending" : figures;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const text = (row) => row.cells[place].textContent.replaceAll(",", "").trim();
        const sorted = [...table.tBodies[0].rows].sort((a, b) => collator.compare(text(a), text(b)));
        table.tBodies[0].append(...(down ? sorted.reverse() : sorted));
      });
      head.append(button);
    });
  }

  // citations: the day and place of retrieval

  for (const note of document.querySelectorAll("#cite small")) {
    note.textContent = note.textContent
      .replace("[date]", new Date().toISOString().slice(0, 10))
      .replace("[address]", location.protocol === "file:" ? "[address]" : location.href.split("#")[0]);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy citation";
    button.addEventListener("click", () => {
      copy([...document.querySelectorAll("#cite p")].map((p) => p.textContent).join("\n"), button);
    });
    document.getElementById("cite").after(button);
  }

  // a link into something that is folded opens it

  function unfold() {
    const hash = decodeURIComponent(location.hash.slice(1));
    const target = hash && !hash.includes("=") && document.getElementById(hash);
    for (let node = target && target.closest("details"); node; node = node.parentElement.closest("details")) node.open = true;
  }
  addEventListener("hashchange", unfold);
  unfold();

  return { MODES, collator, copy, csv, decimals, download, json, normalised, number, remember, round, rows,
    state, whyNot, get data() { return loaded; } };
})();
