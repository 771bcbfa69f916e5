// Makes elements. Texts of the data become text nodes and attribute values, never markup.
const SVG = "http://www.w3.org/2000/svg";

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function element(name, attributes = {}, ...children) {
  return made(document.createElement(name), attributes, children);
}

function drawing(name, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, name), attributes, children);
}

function section(title, ...children) {
  const id = "title-" + title.toLowerCase().replace(/[^a-z]+/g, "-");
  return element("section", { "aria-labelledby": id },
    element("h2", { id }, title), ...children);
}

// A table in a region of its own that scrolls sideways and can be reached by keyboard.
function table(caption, columns, rows) {
  const isBadge = (cell) => cell instanceof Element && cell.classList.contains("badge");
  const kinds = columns.map((_, index) => rows.some((cells) => typeof cells[index] === "number")
    && rows.every((cells) => typeof cells[index] === "number" || isBadge(cells[index])) ? "number" : null);
  const head = columns.map((column, index) => element("th",
    { scope: "col", class: kinds[index] }, column));
  const body = rows.map((cells) => element("tr", {},
    cells.map((cell, index) => element("td", { class: kinds[index] },
      typeof cell === "number" ? counted(cell) : cell))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

function badge(severity, text = severity) {
  return element("span", { class: `badge ${severity}` }, text);
}

function counted(number, noun = "") {
  const digits = number.toLocaleString("en");
  return noun ? `${digits} ${noun}${number === 1 ? "" : "s"}` : digits;
}

function share(part, whole) {
  return `${(Math.floor((1000 * part) / whole) / 10).toLocaleString("en")}\u00a0%`;
}

function announce(text) {
  document.getElementById("status").textContent = text;
}
