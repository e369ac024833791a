"use strict";
// Compares the systems that the address names, as frames/compare.py does for the example.
(() => {
  const form = document.getElementById("compare");
  const { data, MODES } = mlcheck;
  const most = Number(form.dataset.most);
  const example = form.dataset.example.split(",");
  const rows = mlcheck.rows();
  const systems = new Map(data.systems.map((system) => [system.key, system]));
  const named = new Map(); // what the list of suggestions shows -> key
  const formula = document.getElementById("formula");
  let chosen = [];

  for (const system of data.systems) {
    const text = [system.submitter, system.name, system.hardware, system.division].filter(Boolean).join(" · ");
    named.set(named.has(text) ? `${text} · ${system.key}` : text, system.key);
  }
  for (const text of [...named.keys()].sort(mlcheck.collator.compare)) {
    const option = document.createElement("option");
    option.value = text;
    document.getElementById("systems").append(option);
  }

  // view state: the first system is the baseline unless another is named

  const base = () => form.elements.base.value || chosen[0];
  function remember() {
    const same = chosen.join() === example.join();
    mlcheck.remember({
      s: same ? "" : chosen.join(","),
      base: base() === chosen[0] ? "" : base(),
      per: form.elements.per.value,
      rows: form.elements.rows.value,
    }, true);
  }
  function recall() {
    const wanted = mlcheck.state();
    const keys = [...new Set((wanted.get("s") ?? "").split(","))].filter((key) => systems.has(key));
    chosen = keys.length ? keys.slice(0, most) : example.filter((key) => systems.has(key));
    form.elements.per.value = wanted.get("per") in MODES ? wanted.get("per") : "";
    form.elements.rows.value = wanted.get("rows") === "shared" ? "shared" : "";
    list(wanted.get("base"));
    show();
  }
  function list(baseline) {
    form.elements.base.replaceChildren(...chosen.map((key) => {
      const option = document.createElement("option");
      option.value = key;
      option.textContent = `${systems.get(key).submitter}: ${systems.get(key).name}`;
      return option;
    }));
    form.elements.base.value = chosen.includes(baseline) ? baseline : chosen[0];
    document.getElementById("chosen").replaceChildren(...chosen.map((key) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const { submitter, name, hardware } = systems.get(key);
      button.type = "button";
      button.textContent = "Remove";
      button.setAttribute("aria-label", `Remove ${submitter} ${name}`);
      button.disabled = chosen.length < 2;
      button.addEventListener("click", () => choose(chosen.filter((other) => other !== key)));
      item.append(node("b", `${submitter}: ${name}`), " ", node("small", hardware ?? ""), " ", button);
      return item;
    }));
    form.elements.add.disabled = chosen.length >= most;
    form.elements.say.value = chosen.length < 2 ? "Add a second system to compare with." : `${chosen.length} systems compared`;
  }
  function choose(keys) {
    const before = base();
    chosen = keys;
    list(before);
    show();
    remember();
  }

  // what is compared

  function tasks() {
    const per = form.elements.per.value;
    const first = base();
    const found = [];
    data.sections.forEach((section, number) => {
      const cells = chosen.map((key) => rows.find((row) => row.section === number && row.key === key));
      if (!cells.some(Boolean)) return;
      const values = cells.map((row) => (row && row.rank !== null ? mlcheck.normalised(row, per) : null));
      if (form.elements.rows.value && values.some((value) => value === null)) return;
      const places = mlcheck.decimals(values.filter((value) => value !== null));
      const standard = values[chosen.indexOf(first)];
      found.push({
        section,
        cells: cells.map((row, n) => ({
          row,
          value: values[n],
          text: values[n] !== null ? mlcheck.number(values[n], places) : reason(row, per),
          ratio: ratio(values[n], standard, section.better),
        })),
      });
    });
    return found;
  }
  function reason(row, per) {
    if (!row) return "no result";
    if (row.value === null) return "no value";
    return row.rank === null ? "not valid" : mlcheck.whyNot(row, per);
  }
  function ratio(value, standard, better) {
    if (!(value > 0) || !(standard > 0)) return null;
    return better === "lower" ? standard / value : value / standard;
  }
  function mean(found, place) {
    const logs = found.map((task) => task.cells[place].ratio).filter((one) => one !== null).map(Math.log);
    if (!logs.length) return { text: "none in common", tasks: 0 };
    return { text: times(Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length)), tasks: logs.length };
  }
  const times = (one) => `${mlcheck.number(one, 3)}\u00d7`;

  // how it is shown

  function node(name, ...children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  }
  function link(text, href) {
    const made = node("a", text);
    made.href = href;
    return made;
  }
  function labelled(label, ...children) {
    const made = node("td", ...children);
    made.dataset.l = label; // on narrow screens it stands before the cell
    return made;
  }
  function figure(place, ...children) {
    const made = labelled(systems.get(chosen[place]).name, ...children);
    made.className = "num";
    return made;
  }
  function head(text, ...more) {
    const made = node("th", text, ...more);
    made.scope = "row";
    return made;
  }
  function columns(table, first, cell) {
    const names = [...first.map((text) => node("th", text)), ...chosen.map((key) => cell(systems.get(key)))];
    for (const name of names) name.scope = "col";
    table.tHead.rows[0].replaceChildren(...names);
  }
  function show() {
    const found = tasks();
    const per = form.elements.per.value;
    formula.hidden = !per;
    formula.textContent = per && `Derived, not an official MLPerf® metric: ${MODES[per].formula}`;
    const table = document.getElementById("results");
    const shared = found.filter((task) => task.cells.filter((cell) => cell.ratio !== null).length > 1).length;
    const plural = `${found.length} leaderboard${found.length === 1 ? "" : "s"}`;
    table.caption.textContent =
      `${plural}, ${shared} shared by at least two of the systems. Baseline: ${systems.get(base()).name}`;
    columns(table, ["Benchmark", "Unit"], (system) => {
      const made = node("th", link(system.name, `systems/${system.page}`), " ",
        node("small", `${system.submitter}, ${system.division}`));
      made.className = "num";
      return made;
    });
    table.tBodies[0].replaceChildren(...found.map(({ section, cells }) => node("tr",
      head(`${section.label} ${section.scenario ?? ""} `, node("small", section.title)),
      labelled("Unit", [section.unit ?? "–", MODES[per].short].filter(Boolean).join(" "), " ",
        node("small", section.better ? `${section.better} is better` : "")),
      ...cells.map((cell, n) => figure(n,
        cell.value === null ? node("i", cell.text) : link(cell.text, `results/${cell.row.file}.html`),
        ...(cell.ratio === null ? [] : [" ", node("small", times(cell.ratio))]),
      )),
    )));
    table.tFoot.rows[0].replaceChildren(
      head("Geometric mean of the ratios ", node("small", "derived, not an official MLPerf® metric")),
      node("td"),
      ...chosen.map((_, place) => {
        const { text, tasks: over } = mean(found, place);
        return figure(place, node("b", text), " ", node("small", `over ${over}`));
      }),
    );
    const facts = document.getElementById("facts");
    columns(facts, ["Field"], (system) => node("th", system.name));
    facts.tBodies[0].replaceChildren(...data.facts.flatMap((name, n) => {
      const values = chosen.map((key) => systems.get(key).facts[n]);
      if (!values.some(Boolean)) return [];
      const differs = new Set(values).size > 1;
      const mark = node("b", "≠");
      mark.title = "differs";
      const made = node("tr", head(...(differs ? [mark, " "] : []), name),
        ...values.map((value, n) => labelled(systems.get(chosen[n]).name, value || node("i", "not stated"))));
      made.className = differs ? "differs" : "";
      return made;
    }));
  }

  // export

  function lines() {
    const per = form.elements.per.value;
    return tasks().flatMap(({ section, cells }) => cells.map((cell, n) => {
      const { submitter, name } = systems.get(chosen[n]);
      return {
        suite: data.suite, round: data.round, division: section.division, benchmark: section.label,
        scenario: section.scenario, submitter, system: name,
        result: cell.value, unit: [section.unit, MODES[per].short].filter(Boolean).join(" "),
        better: section.better, ratio_to_baseline_derived: cell.ratio,
        baseline: systems.get(base()).name, id: cell.row?.id ?? null,
      };
    }));
  }
  form.elements.csv.addEventListener("click", () => {
    const found = lines();
    mlcheck.download("comparison.csv", "text/csv;charset=utf-8",
      mlcheck.csv(Object.keys(found[0] ?? {}), found.map(Object.values)));
  });
  form.elements.json.addEventListener("click", () => {
    mlcheck.download("comparison.json", "application/json",
      mlcheck.json(lines()));
  });
  form.elements.link.addEventListener("click", () => {
    const same = chosen.join() === example.join();
    mlcheck.copy(location.href + (same && !location.hash ? `#s=${chosen.join(",")}` : ""), form.elements.link);
  });

  form.elements.add.addEventListener("input", () => {
    const key = named.get(form.elements.add.value);
    if (!key) return;
    form.elements.add.value = "";
    if (!chosen.includes(key) && chosen.length < most) choose([...chosen, key]);
  });
  for (const name of ["base", "per", "rows"]) {
    form.elements[name].addEventListener("input", () => {
      show();
      remember();
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("popstate", recall);
  addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
  document.documentElement.dataset.ready = "yes";
})();
