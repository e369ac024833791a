"use strict";
// Filters, sorts, normalises, selects and exports the rows of a leaderboard.
(() => {
  const form = document.getElementById("filters");
  const nothing = document.getElementById("nothing");
  const formula = document.getElementById("formula");
  const { collator, data, MODES } = mlcheck;
  const none = data.none;
  const all = mlcheck.rows();
  const most = 6;
  const selected = new Set(); // keys of systems
  let sort = "";

  const groups = [...document.querySelectorAll(".group")].map((node) => ({
    node,
    body: node.querySelector("tbody"),
    unit: node.querySelector(".u"),
    rows: [...node.querySelectorAll("tr[data-i]")].map((line) => {
      const row = all[line.dataset.i];
      row.line = line;
      return row;
    }),
  }));
  const rows = groups.flatMap((group) => group.rows);
  const divisions = [...document.querySelectorAll(".division")];

  // view state

  const controls = [...form.querySelectorAll("select:not([name=sort]), input[type=search]")];
  const chosen = (control) => (control.name === "q" ? control.value.trim() : control.value);
  const per = () => form.elements.per.value;

  function remember(push) {
    const found = { per: per(), sort, s: [...selected].join(",") };
    for (const control of controls) found[control.name] = chosen(control);
    mlcheck.remember(found, push);
  }
  function recall() {
    const wanted = mlcheck.state();
    for (const control of controls) {
      const value = wanted.get(control.name) ?? "";
      const known = !control.options || [...control.options].some((o) => o.value === value);
      control.value = known ? value : "";
    }
    form.elements.per.value = wanted.get("per") in MODES ? wanted.get("per") : "";
    const by = wanted.get("sort") ?? "";
    sort = SORTS.has(by.replace(/^-/, "")) ? by : "";
    selected.clear();
    const keys = new Set(data.systems.map((system) => system.key));
    for (const key of (wanted.get("s") ?? "").split(",")) {
      if (keys.has(key) && selected.size < most) selected.add(key);
    }
    tick();
    show();
  }

  // filters

  function words(row) {
    row.words ??= [row.submitter, row.name, row.system, row.hardware, ...row.kinds, row.host_cpu,
      row.framework, row.label, row.model, row.scenario, row.division].join(" ").toLowerCase();
    return row.words;
  }
  const matches = {
    division: (row, value) => row.division === value,
    benchmark: (row, value) => row.label === value,
    scenario: (row, value) => (row.scenario ?? none) === value,
    type: (row, value) => row.types.includes(value),
    availability: (row, value) => (row.availability ?? none) === value,
    submitter: (row, value) => row.submitter === value,
    accelerator: (row, value) => row.kinds.includes(value) || (value === none && !row.kinds.length),
    rule: (row, value) => row.rules.includes(value),
    power: (row) => row.average_w !== null,
    q: (row, value) => value.toLowerCase().split(/\s+/).every((word) => words(row).includes(word)),
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
    let shown = 0;
    for (const group of groups) {
      let found = 0;
      for (const row of group.rows) {
        const hide = !tests.every(([test, value]) => test(row, value));
        if (row.line.hidden !== hide) row.line.hidden = hide;
        found += !hide;
      }
      group.node.hidden = !found;
      shown += found;
    }
    for (const part of divisions) {
      part.hidden = [...part.querySelectorAll(".group")].every((node) => node.hidden);
    }
    for (const part of document.querySelectorAll(".charts")) part.hidden = tests.length > 0;
    for (const control of controls) control.classList.toggle("set", chosen(control) !== "");
    form.elements.sort.value = sort;
    const text = new Intl.NumberFormat("en");
    form.elements.count.value = shown === rows.length
      ? `All ${text.format(shown)} results`
      : `${text.format(shown)} of ${text.format(rows.length)} results`;
    nothing.hidden = shown > 0;
    normalise();
    arrange();
  }
  function update(push = true) {
    show();
    remember(push);
  }

  // normalisation: derived figures take the place of results, ranks stay those of the official metric

  let mode = "";
  function normalise() {
    formula.hidden = !per();
    formula.textContent = per() &&
      `Derived, not an official MLPerf® metric: ${MODES[per()].formula} Ranks stay those of the official metric.`;
    if (mode === per()) return;
    mode = per();
    for (const group of groups) {
      const first = group.rows[0];
      group.unit.textContent = [first.unit ?? "Result", MODES[mode].short].filter(Boolean).join(" ");
      for (const row of group.rows) row.shown = mlcheck.normalised(row, mode);
      const values = group.rows.map((row) => row.shown).filter((value) => value !== null);
      const places = mlcheck.decimals(values);
      const best = Math.max(...group.rows.filter((r) => r.verdict === "valid" && r.shown > 0).map((r) => r.shown));
      for (const row of group.rows) derive(row, places, best);
    }
  }
  function derive(row, places, best) {
    const cell = row.line.querySelector("td.v");
    row.kept ??= [...cell.childNodes];
    if (!mode) {
      cell.replaceChildren(...row.kept);
      return;
    }
    const text = document.createElement(row.shown === null ? "i" : "span");
    text.textContent = row.shown === null ? mlcheck.whyNot(row, mode) : mlcheck.number(row.shown, places);
    const bar = row.kept.find((node) => node.nodeName === "svg")?.cloneNode(true);
    if (bar && row.shown > 0) {
      bar.firstElementChild.setAttribute("width", `${Math.round((100 * row.shown) / best)}%`);
      cell.replaceChildren(bar, text);
    } else cell.replaceChildren(text);
  }

  // order

  const SORTS = new Set(["rank", "submitter", "name", "hardware", "availability", "value", "margin",
    "average_w", "energy_j", "verdict"]);
  const FIGURES = new Set(["value", "margin", "average_w", "energy_j"]);

  function sorting() {
    const text = sort || (per() ? "-value" : "rank");
    const down = text.startsWith("-");
    const column = down ? text.slice(1) : text;
    return { column, down, plain: !sort, key: column === "value" && per() ? "shown" : column };
  }
  function compare({ key, down, plain }) {
    return (a, b) => {
      const [x, y] = [a[key] ?? null, b[key] ?? null];
      const void_ = plain ? (a.verdict !== "valid") - (b.verdict !== "valid") : 0;
      const missing = (x === null) - (y === null);
      if (void_ || missing) return void_ || missing;
      const by = x === null ? 0 : typeof x === "number" ? x - y : collator.compare(x, y);
      return (down ? -by : by) || a.i - b.i;
    };
  }
  let arranged = "rank"; // rows come in the standard order
  function arrange() {
    const by = sorting();
    const now = `${by.down ? "-" : ""}${by.key}${by.plain ? "" : "!"}`;
    const moved = by.key === "shown" || arranged !== (now === "rank!" ? "rank" : now);
    arranged = now === "rank!" ? "rank" : now;
    for (const group of groups) {
      if (moved) {
        group.rows.sort(compare(by));
        group.body.append(...group.rows.map((row) => row.line));
      }
      for (const head of group.node.querySelectorAll("th[data-k]")) {
        if (head.dataset.k !== by.column) head.removeAttribute("aria-sort");
        else head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
      }
    }
  }
  function sortBy(column) {
    const now = sorting();
    const down = now.column === column ? !now.down : FIGURES.has(column);
    sort = (down ? "-" : "") + column;
    if (sort === (per() ? "-value" : "rank")) sort = "";
    update();
  }
  for (const head of document.querySelectorAll("th[data-k]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
  }
  addEventListener("click", (event) => {
    const head = event.target.closest?.("th[data-k]");
    if (head && event.target.closest("button")) sortBy(head.dataset.k);
  });

  // selection of systems to compare

  const empty = document.createElement("input");
  empty.type = "checkbox";
  empty.className = "pick";
  for (const row of rows) {
    const box = empty.cloneNode();
    box.setAttribute("aria-label", `Select ${row.submitter} ${row.name} to compare`);
    row.line.firstElementChild.prepend(box);
    row.box = box;
  }
  function tick() {
    for (const row of rows) {
      const on = selected.has(row.key);
      if (row.box.checked !== on) row.box.checked = on;
      row.box.disabled = !on && selected.size >= most;
    }
    form.elements.compare.disabled = selected.size < 1;
    form.elements.compare.textContent = selected.size ? `Compare ${selected.size} selected` : "Compare selected";
  }
  addEventListener("change", (event) => {
    if (!event.target.classList.contains("pick")) return;
    const row = all[event.target.closest("tr").dataset.i];
    if (event.target.checked) selected.add(row.key);
    else selected.delete(row.key);
    tick();
    remember(true);
  });
  form.elements.compare.addEventListener("click", () => {
    location.href = `${form.dataset.compare}#s=${[...selected].join(",")}`;
  });

  // export: the rows as they are shown, in their order

  const COLUMNS = {
    suite: () => data.suite, round: () => data.round, division: "division", benchmark: "label",
    model: "model", scenario: "scenario", variant: "variant", rank: "rank", submitter: "submitter",
    system: "name", system_folder: "system", system_type: (row) => row.types.join(","),
    availability: "availability", nodes: "nodes", accelerator: (row) => row.kinds.join(" + "),
    accelerators_total: "accelerators_total", host_cpu: "host_cpu", metric: "metric",
    result: "value", result_unit: "unit", better: "better",
    per_accelerator_derived: (row) => mlcheck.normalised(row, "accelerator"),
    per_node_derived: (row) => mlcheck.normalised(row, "node"),
    per_watt_derived: (row) => mlcheck.normalised(row, "watt"),
    accuracy_margin_percent: "margin", accuracy_met: "quality_ok",
    average_power_w: "average_w", energy_to_train_j: "energy_j", efficiency_samples_per_joule: "efficiency",
    verdict_policy: "verdict", verdict_official_tool: "official_verdict", inferred: "inferred",
    findings_of_rules: (row) => row.rules.join(" "), comparability_key: "key", id: "id",
  };
  function table() {
    const shown = groups.flatMap((group) => group.rows).filter((row) => !row.line.hidden);
    return shown.map((row) => Object.entries(COLUMNS)
      .map(([name, from]) => [name, (typeof from === "string" ? row[from] : from(row)) ?? null]));
  }
  const file = `${data.suite}-${data.round}`;
  form.elements.csv.addEventListener("click", () => {
    const lines = table().map((cells) => cells.map(([, value]) => value));
    mlcheck.download(`${file}.csv`, "text/csv;charset=utf-8", mlcheck.csv(Object.keys(COLUMNS), lines));
  });
  form.elements.json.addEventListener("click", () => {
    const results = table().map((cells) => Object.fromEntries(cells));
    mlcheck.download(`${file}.json`, "application/json", mlcheck.json(results));
  });
  form.elements.link.addEventListener("click", () => mlcheck.copy(location.href, form.elements.link));

  form.elements.sort.addEventListener("input", () => { sort = form.elements.sort.value; });
  form.addEventListener("input", (event) => update(event.target.name !== "q"));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    sort = "";
    selected.clear();
    tick();
    update();
  }));
  addEventListener("popstate", recall);
  addEventListener("hashchange", recall);
  form.hidden = false;
  if (matchMedia("(max-width: 40rem)").matches) form.querySelector(".more").open = false;
  recall();
  document.documentElement.dataset.ready = "yes";
})();
