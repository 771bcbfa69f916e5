// Queue managers by rule: a number in each cell leads to its findings.
const ROWS = 50;
const COLUMNS = 30;

function matrixView() {
  const rows = new Map();
  const columns = new Map();
  for (const finding of filtered()) {
    if (!finding.queue_manager) continue;
    const key = JSON.stringify([finding.site ?? "", finding.queue_manager]);
    if (!rows.has(key)) rows.set(key, { finding, cells: new Map(), total: 0 });
    const row = rows.get(key);
    if (!row.cells.has(finding.rule)) row.cells.set(finding.rule, { severity: "note", number: 0 });
    const cell = row.cells.get(finding.rule);
    cell.number += 1;
    row.total += RANK[finding.severity] ** 4;
    if (RANK[finding.severity] > RANK[cell.severity]) cell.severity = finding.severity;
    const before = columns.get(finding.rule) ?? 0;
    columns.set(finding.rule, before + RANK[finding.severity] ** 4);
  }
  const page = pageOf([...rows.values()].sort((one, other) => other.total - one.total), ROWS);
  const all = [...columns].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const shown = all.slice(0, COLUMNS).map(([rule]) => rule);
  const head = shown.map((rule) => element("th", { scope: "col", class: "tilted" },
    element("span", { title: rules[rule]?.summary }, rule)));
  const body = page.rows.map((row) => matrixRow(row, shown));
  const note = all.length > COLUMNS ? element("p", {},
    `The ${COLUMNS} most important of ${counted(all.length)} rules; filter by group for others.`) : null;
  if (!page.total) {
    return [element("h2", { class: "unseen" }, "Matrix"), element("p", { class: "calm" },
      "No finding that passes these filters names its queue manager.")];
  }
  return [element("h2", { class: "unseen" }, "Matrix"), pager(page, "queue manager"), note,
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Matrix" },
      element("table", { class: "matrix" },
        element("caption", { class: "unseen" }, "Findings by queue manager and rule"),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Queue manager"), head)),
        element("tbody", {}, body)))];
}

function matrixRow({ finding, cells }, shown) {
  const name = finding.queue_manager;
  const filter = { view: "findings", queue_manager: `"${name}"`, site: finding.site ?? "" };
  return element("tr", {}, element("th", { scope: "row" }, link(filter, name),
    finding.site ? element("small", {}, ` ${finding.site}`) : null),
  shown.map((rule) => {
    const cell = cells.get(rule);
    if (!cell) return element("td");
    const words = `${cell.number} of ${rule} at ${name}, worst: ${cell.severity}`;
    return element("td", { class: cell.severity }, element("a",
      { href: addressed({ ...filter, rule }), "aria-label": words }, counted(cell.number)));
  }));
}
