// The queue managers: where they are, how they log, and how they record media images.
const MANAGER_SORTS = {
  name: (row) => row.name,
  site: (row) => row.site ?? "",
  level: (row) => row.level ?? "",
  log: (row) => row.log_type ?? "",
  images: (row) => (row.images ?? []).join(" "),
  dumped: (row) => row.dumped ?? "",
  findings: (row) => rankOf(row),
};
let totals;

function rankOf(row) {
  totals ??= tallied();
  const { error = 0, warning = 0, note = 0 } = totals.get(keyOf(row.site, row.name)) ?? {};
  return error * 1e8 + warning * 1e4 + note;
}

function keyOf(site, name) {
  return JSON.stringify([site ?? "", name]);
}

function tallied() {
  const counts = new Map();
  for (const { site, queue_manager: name, severity, state: kind } of findings) {
    if (!name || kind === "known" || kind === "suppressed") continue;
    const key = keyOf(site, name);
    if (!counts.has(key)) counts.set(key, {});
    counts.get(key)[severity] = (counts.get(key)[severity] ?? 0) + 1;
  }
  return counts;
}

function managersView() {
  totals ??= tallied();
  const teams = new Map((data.repositories ?? []).map((row) => [row.name ?? "", row.team ?? ""]));
  const named = nameFilter(state.queue_manager ?? "");
  const fits = (wanted, value) => !wanted || (value || NONE) === wanted;
  const found = managers.filter((row) => named(row.name) && fits(state.site, row.site)
    && fits(state.team, teams.get(row.repository ?? "")));
  const page = pageOf(sorted(found, MANAGER_SORTS, "name"));
  const heads = [["name", "Queue manager"], ["site", "Site"], ["level", "Release"], ["log", "Log"],
    ["images", "Media images"], ["dumped", "Newest dump"], ["findings", "Findings"]]
    .map(([key, title]) => sorter(key, title, "name"));
  return [element("h2", { class: "unseen" }, "Queue managers"), loggingPart(found),
    pager(page, "queue manager"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Queue managers" },
      element("table", { class: "managers" },
        element("caption", { class: "unseen" }, "Queue managers"),
        element("thead", {}, element("tr", {}, heads)),
        element("tbody", {}, page.rows.map(managerRow))))];
}

function managerRow(row) {
  const counts = totals.get(keyOf(row.site, row.name)) ?? {};
  const filter = { view: "findings", queue_manager: `"${row.name}"`, site: row.site ?? "" };
  const unknown = () => element("span", { class: "unknown" }, "not known");
  const isRisky = row.role === "production" && row.log_type === "circular";
  return element("tr", {},
    element("th", { scope: "row" }, row.name),
    element("td", {}, row.site ?? "", element("small", {}, row.role ?? "")),
    element("td", {}, row.level ?? unknown(), element("small", {}, row.platform ?? "")),
    element("td", {}, isRisky ? badge("warning", row.log_type) : row.log_type ?? unknown()),
    element("td", {}, (row.images ?? []).join(", ") || unknown()),
    element("td", {}, row.dumped ?? "no dump"),
    element("td", {}, SEVERITIES.filter((severity) => counts[severity]).map((severity) =>
      element("a", { class: `badge ${severity}`, href: addressed({ ...filter, severity }) },
        counted(counts[severity], severity)))));
}

// How many queue managers log in which way, by the role of their sites.
function loggingPart(rows) {
  const kinds = ["linear", "replicated", "circular", "not known"];
  const images = [["automatic images", "IMGSCHED(AUTO)"], ["images by script", "rcdmqimg"]];
  const roles = [...new Set(rows.map((row) => row.role ?? ""))].sort();
  const cells = roles.map((role) => {
    const own = rows.filter((row) => (row.role ?? "") === role);
    const number = (kind) => own.filter((row) => (row.log_type ?? "not known") === kind).length;
    const recorded = ([, word]) => own.filter((row) =>
      (row.images ?? []).some((text) => text.startsWith(word))).length;
    return [role || "no role", own.length, ...kinds.map(number), ...images.map(recorded)];
  });
  return table("Log types and media images by role of the site",
    ["Role", "queue managers", ...kinds.map((kind) => `log ${kind}`), ...images.map(([title]) => title)],
    cells);
}
