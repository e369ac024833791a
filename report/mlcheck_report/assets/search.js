"use strict";
// Narrows the index of the site to what is typed.
(() => {
  const form = document.getElementById("search");
  const input = form.elements.q;
  const sections = [...document.querySelectorAll(".entries")].map((node) => ({
    node,
    items: [...node.querySelectorAll("li")].map((item) => ({ item, text: item.textContent.toLowerCase() })),
  }));

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, items } of sections) {
      let found = 0;
      for (const { item, text } of items) {
        item.hidden = !words.every((word) => text.includes(word));
        found += !item.hidden;
      }
      node.hidden = !found;
      count += found;
    }
    form.elements.count.value = words.length ? `${count} found` : "";
  }
  input.addEventListener("input", () => {
    show();
    mlcheck.remember({ q: input.value.trim() }, false);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  function recall() {
    input.value = mlcheck.state().get("q") ?? "";
    show();
  }
  addEventListener("hashchange", recall);
  addEventListener("popstate", recall);
  form.hidden = false;
  recall();
  if (!location.hash) input.focus();
})();
