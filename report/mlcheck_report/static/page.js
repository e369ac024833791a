"use strict";
// Filters, sorts, opens details and exports. The page is complete without it; nothing here writes
// markup, only text and attributes.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filters");
  const nothing = document.getElementById("nothing");
  const formula = document.getElementById("formula");
  const root = document.documentElement;
  const order = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const none = data.none;
  const view = { sort: "", r: "" };
  let opened = null; // { row, line, home, next }: the card is under its row, and where it came from

  const rows = data.rows.map(([section, system, rules, ...values], i) => {
    const row = { ...data.sections[section], ...data.systems[system], i, section };
    data.fields.forEach((field, n) => { row[field] = values[n]; });
    row.rules = rules.map((n) => data.rules[n]);
    row.search = [row.submitter, row.name, row.system, row.hardware, row.accelerator, row.host_cpu,
      row.framework, row.label, row.scenario, row.division].join(" ").toLowerCase();
    return row;
  });
  for (const line of document.querySelectorAll("tr[data-i]")) {
    const row = rows[line.dataset.i];
    row.line = line;
    row.link = line.querySelector("th a");
    row.anchor = row.link.hash.slice(1);
    row.link.setAttribute("aria-expanded", "false");
  }
  const groups = [...document.querySelectorAll(".group")].map((node) => ({ node, rows: [] }));
  for (const row of rows) groups[row.section].rows.push(row);
  const byAnchor = new Map(rows.map((row) => [row.anchor, row]));

  // view state: form and hash

  const controls = [...form.querySelectorAll("select:not([name=sort]), input[type=search]")];
  const chosen = (control) => (control.name === "q" ? control.value.trim() : control.value);
  const per = () => form.elements.per.value === "accelerator";

  function state() {
    const found = { per: form.elements.per.value, ...view };
    for (const control of controls) found[control.name] = chosen(control);
    return found;
  }
  function remember() {
    const set = Object.entries(state()).filter(([, value]) => value !== "");
    const text = new URLSearchParams(set.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
    history.replaceState(null, "", location.href.split("#")[0] + (text && "#" + text));
  }
  function recall() {
    const hash = location.hash.slice(1);
    if (isAnchor(hash)) {
      reveal(hash);
      return;
    }
    const wanted = new URLSearchParams(hash);
    for (const control of controls) {
      const value = wanted.get(control.name) ?? "";
      const known = !control.options || [...control.options].some((o) => o.value === value);
      control.value = known ? value : "";
    }
    form.elements.per.value = wanted.get("per") === "accelerator" ? "accelerator" : "";
    const sort = wanted.get("sort") ?? "";
    view.sort = SORTS.has(sort.replace(/^-/, "")) ? sort : "";
    show();
    const row = rows.find((one) => one.id === wanted.get("r"));
    if (row) open(row, true);
    else close();
  }
  function isAnchor(hash) {
    return hash !== "" && !hash.includes("=");
  }
  function reveal(anchor) {
    const row = byAnchor.get(anchor);
    if (row) {
      if (row.line.hidden) { clear(); show(); }
      open(row, true);
      return;
    }
    const target = document.getElementById(anchor);
    if (!target) return;
    const around = target.closest("details");
    if (around) around.open = true;
    if (target.closest("[hidden]")) { clear(); show(); }
    target.scrollIntoView();
  }
  function clear() {
    form.reset();
    view.sort = "";
  }

  // filters

  const matches = {
    division: (row, value) => row.division === value,
    benchmark: (row, value) => row.label === value,
    scenario: (row, value) => (row.scenario ?? none) === value,
    type: (row, value) => row.types.includes(value),
    availability: (row, value) => (row.availability ?? none) === value,
    submitter: (row, value) => row.submitter === value,
    accelerator: (row, value) => (row.accelerator ?? none) === value,
    rule: (row, value) => row.rules.includes(value),
    q: (row, value) => value.toLowerCase().split(/\s+/).every((word) => row.search.includes(word)),
    verdict: (row, value) => ({
      policy: row.verdict === "valid",
      official: row.official_verdict === "valid",
      invalid: row.verdict !== "valid",
      differ: row.verdict !== row.official_verdict,
    })[value] ?? true,
  };

  function show() {
    const tests = controls.filter((control) => chosen(control) !== "")
      .map((control) => [matches[control.name], chosen(control)]);
    for (const row of rows) row.line.hidden = !tests.every(([test, value]) => test(row, value));
    for (const group of groups) group.node.hidden = group.rows.every((row) => row.line.hidden);
    for (const part of document.querySelectorAll(".division")) {
      part.hidden = [...part.querySelectorAll(".group")].every((node) => node.hidden);
    }
    for (const control of controls) control.classList.toggle("set", chosen(control) !== "");
    root.classList.toggle("per", per());
    formula.hidden = !per();
    form.elements.sort.value = view.sort;
    const shown = rows.filter((row) => !row.line.hidden).length;
    const number = new Intl.NumberFormat("en");
    form.elements.count.value = shown === rows.length
      ? `All ${number.format(shown)} results`
      : `${number.format(shown)} of ${number.format(rows.length)} results`;
    nothing.hidden = shown > 0;
    arrange();
  }
  function update() {
    show();
    remember();
  }

  // order

  const SORTS = new Set(["rank", "submitter", "name", "hardware", "availability", "value", "margin",
    "average_w", "energy_j", "verdict"]);

  function sorting() {
    const standard = per() ? "-value" : "rank";
    const text = view.sort || standard;
    const down = text.startsWith("-");
    const column = down ? text.slice(1) : text;
    return { column, down, plain: !view.sort, key: column === "value" && per() ? "per" : column };
  }
  function compare({ key, down, plain }) {
    return (a, b) => {
      const [x, y] = [a[key] ?? null, b[key] ?? null];
      const void_ = plain ? (a.verdict !== "valid") - (b.verdict !== "valid") : 0;
      const missing = (x === null) - (y === null);
      if (void_ || missing) return void_ || missing;
      const by = x === null ? 0 : typeof x === "number" ? x - y : order.compare(x, y);
      return (down ? -by : by) || a.i - b.i;
    };
  }
  let arranged = JSON.stringify(sorting()); // rows come in the standard order
  function arrange() {
    const by = sorting();
    const moved = arranged !== JSON.stringify(by);
    arranged = JSON.stringify(by);
    for (const group of groups) {
      if (moved) {
        group.rows.sort(compare(by));
        group.node.querySelector("tbody").append(...group.rows.map((row) => row.line));
      }
      for (const head of group.node.querySelectorAll("th[data-k]")) {
        if (head.dataset.k !== by.column) head.removeAttribute("aria-sort");
        else head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
      }
    }
    if (opened) {
      opened.row.line.after(opened.line);
      opened.line.hidden = opened.row.line.hidden;
    }
  }
  function sortBy(column) {
    const now = sorting();
    const figures = ["value", "margin", "average_w", "energy_j"].includes(column);
    const down = now.column === column ? !now.down : figures;
    view.sort = (down ? "-" : "") + column;
    if (view.sort === (per() ? "-value" : "rank")) view.sort = "";
    update();
  }
  for (const head of document.querySelectorAll("th[data-k]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(head.dataset.k));
    head.append(button);
  }

  // details

  function open(row, scroll) {
    close();
    const card = document.getElementById(row.anchor);
    const line = document.createElement("tr");
    const cell = line.insertCell();
    line.className = "open";
    cell.colSpan = row.line.cells.length;
    opened = { row, line, home: card.parentNode, next: card.nextSibling };
    enrich(card, row);
    cell.append(card);
    row.line.after(line);
    row.link.setAttribute("aria-expanded", "true");
    view.r = row.id;
    if (scroll) row.line.scrollIntoView({ block: "start" });
  }
  function close() {
    if (!opened) return;
    opened.home.insertBefore(opened.line.querySelector(".card"), opened.next);
    opened.line.remove();
    opened.row.link.setAttribute("aria-expanded", "false");
    opened = null;
    view.r = "";
  }
  for (const row of rows) {
    row.link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (opened?.row === row) close();
      else open(row, false);
      remember();
    });
  }
  function enrich(card, row) {
    if (card.dataset.done) return;
    card.dataset.done = "yes";
    const folder = card.querySelector(".folder code").textContent + "/";
    for (const code of card.querySelectorAll("code.at, code.in")) {
      address(code, row.base, code.className === "in" ? folder : "");
    }
    const system = card.querySelector('a[href^="#y-"]');
    const facts = system && document.getElementById(system.hash.slice(1));
    if (facts) {
      const copy = facts.cloneNode(true);
      copy.removeAttribute("id");
      for (const code of copy.querySelectorAll("code.at")) address(code, row.base, "");
      system.closest("p").replaceWith(copy);
    }
    cite(card, row);
  }
  function address(code, base, folder) {
    const [, path, line] = code.textContent.match(/^(.*?)(?::(\d+))?$/s);
    const parts = (folder + path).split("/");
    if (!base || parts.includes("..")) return;
    const link = document.createElement("a");
    link.href = base + parts.map(encodeURIComponent).join("/") + (line ? `#L${line}` : "");
    link.rel = "noreferrer";
    code.replaceWith(link);
    link.append(code);
  }
  function cite(card, row) {
    const box = document.createElement("blockquote");
    const head = document.createElement("h5");
    const date = new Date().toISOString().slice(0, 10);
    const suite = document.querySelector("h1").textContent;
    head.textContent = "To cite";
    for (const text of [
      `${row.submitter}, ${row.name}: ${row.line.querySelector("td .t")?.textContent ?? "no value"} ` +
      `${row.unit ?? ""}, ${suite}, ${row.division} division, ${row.label}, ` +
      `${row.scenario ?? "no scenario"}. Retrieved from [address of the source] on ${date}. ` +
      "MLPerf® result ID: [ID, if published].",
      document.getElementById("legend").textContent,
    ]) {
      const part = document.createElement("p");
      part.textContent = text;
      box.append(part);
    }
    card.append(head, box);
  }
  for (const rule of document.querySelectorAll(".rule")) {
    rule.addEventListener("toggle", () => {
      for (const code of rule.querySelectorAll("li > code.at")) address(code, data.base, "");
    });
  }
  for (const button of document.querySelectorAll(".pick")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      form.elements.rule.value = button.dataset.rule;
      update();
      form.scrollIntoView();
    });
  }

  // export: the rows as they are shown, in their order

  const COLUMNS = {
    suite: () => data.suite, round: () => data.round, division: "division", benchmark: "label",
    scenario: "scenario", variant: "variant", rank: "rank", submitter: "submitter",
    system: "name", system_folder: "system", system_type: (row) => row.types.join(","),
    availability: "availability", nodes: "nodes", accelerator: "accelerator",
    accelerators_total: "accelerators_total", host_cpu: "host_cpu", metric: "metric",
    result: "value", result_unit: "unit", better: "better",
    per_accelerator_derived: "per", accuracy_margin_percent: "margin", accuracy_met: "quality_ok",
    average_power_w: "average_w", energy_to_train_j: "energy_j", efficiency_samples_per_joule: "efficiency",
    verdict_policy: "verdict", verdict_official_tool: "official_verdict", inferred: "inferred",
    findings_of_rules: (row) => row.rules.join(" "), comparability_key: "key", id: "id",
  };
  function cell(value) {
    let text = String(value ?? "");
    const plain = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text);
    if (/^[=+\-@\t\r]/.test(text) && !plain) text = "'" + text;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }
  function csv() {
    const shown = groups.flatMap((group) => group.rows).filter((row) => !row.line.hidden);
    const lines = shown.map((row) => Object.values(COLUMNS)
      .map((from) => cell(typeof from === "string" ? row[from] : from(row))));
    return [Object.keys(COLUMNS), ...lines].map((cells) => cells.join(",")).join("\r\n") + "\r\n";
  }
  form.elements.csv.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv;charset=utf-8" }));
    link.download = `${data.suite}-${data.round}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  form.elements.sort.addEventListener("input", () => { view.sort = form.elements.sort.value; });
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { view.sort = ""; update(); }));
  addEventListener("hashchange", recall);
  root.classList.add("js");
  form.hidden = false;
  if (matchMedia("(max-width: 40rem)").matches) {
    for (const part of document.querySelectorAll(".more, .how")) part.open = false;
  }
  if (isAnchor(location.hash.slice(1))) show();
  recall();
})();
