// Long lists are shown page by page, so that a page of any estate has few elements.
const PAGE = 100;
const PRINTED = 1000;
let printing = false;

function pageOf(rows, size = PAGE) {
  const length = printing ? PRINTED : size;
  const pages = Math.max(1, Math.ceil(rows.length / length));
  const page = printing ? 1 : Math.min(Math.max(1, Number(state.page) || 1), pages);
  const first = (page - 1) * length;
  return { page, pages, first, rows: rows.slice(first, first + length), total: rows.length };
}

function pager({ page, pages, first, rows, total }, noun) {
  const range = total ? `${counted(first + 1)} to ${counted(first + rows.length)} of ` : "";
  const go = (label, target, isOff) => element("button", {
    type: "button", disabled: isOff, click: () => change({ page: String(target) }),
  }, label);
  const steps = pages === 1 ? [] : [
    go("First", 1, page === 1), go("Previous", page - 1, page === 1),
    element("span", {}, `page ${counted(page)} of ${counted(pages)}`),
    go("Next", page + 1, page === pages), go("Last", pages, page === pages)];
  return element("div", { class: "pager" },
    element("span", {}, `${range}${counted(total, noun)}`), ...steps);
}

// A heading of a column that sorts: `key` is the state's word, with a minus for descending.
function sorter(key, title, fallback) {
  const now = state.sort || fallback;
  const order = now === key ? "ascending" : now === `-${key}` ? "descending" : null;
  const next = order === "ascending" ? `-${key}` : key;
  const arrow = { ascending: " \u2191", descending: " \u2193" }[order] ?? "";
  return element("th", { scope: "col", "aria-sort": order },
    element("button", { type: "button", click: () => change({ sort: next }) }, title + arrow));
}

function sorted(rows, values, fallback) {
  const now = state.sort || fallback;
  const value = values[now.replace(/^-/, "")] ?? values[fallback.replace(/^-/, "")];
  const sign = now.startsWith("-") ? -1 : 1;
  const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return rows.map((row, index) => [value(row), index, row])
    .sort((one, other) => sign * compare(one[0], other[0]) || one[1] - other[1])
    .map(([, , row]) => row);
}
