// What an operator wants first: what was not read, then what is worst, what is new, what ends.
const DAY = 24 * 3600 * 1000;
const TOP = 8;
const SOON = 60;

function summaryView() {
  const counting = findings.filter((finding) => !["known", "suppressed"].includes(finding.state));
  const parts = [alarms(), outcomePart(), collisionsPart(), changesPart(), trendPart(), waiversPart(), scorePart(),
    compliancePart()];
  const by = (name) => CHOICES.find(([key]) => key === name)[2];
  const groups = [["site", "By site"], ["team", "By team"], ["group", "By group of rules"],
    ["rule", "Most important rules"]];
  for (const [key, title] of groups) {
    const rows = tally(counting, by(key));
    if (rows.length > 1 || rows[0]?.name) {
      parts.push(bars(title, rows.slice(0, TOP).map((row) => ({ ...row, key: row.name,
        name: key === "rule" ? `${row.name} ${rules[row.name]?.name ?? ""}` : row.name })),
      (row) => ({ [key]: row.key || NONE })));
    }
  }
  const controls = (data.controls ?? []).map((row) => {
    const own = counting.filter((finding) => row.rules.includes(finding.rule));
    return { ...tally(own, () => "")[0], key: row.name, total: own.length, name: `${row.name} ${row.title ?? ""}`.trim() };
  }).sort((one, other) => (other.error ?? 0) - (one.error ?? 0) || other.total - one.total);
  if (controls.length) {
    parts.push(bars("By control", controls.slice(0, 2 * TOP), (row) => ({ control: row.key })));
  }
  const named = tally(counting.filter((finding) => finding.queue_manager),
    (finding) => finding.queue_manager);
  if (named.length > 1) {
    parts.push(bars("Queue managers with the most errors", named.slice(0, TOP),
      (row) => ({ queue_manager: `"${row.name}"` })));
  }
  return [tiles(counting), element("div", { class: "panels" }, parts.filter(Boolean))];
}

function tiles(counting) {
  const counts = countBy(counting, (finding) => finding.severity);
  const tile = (number, words, values, kind) => element("a",
    { class: `tile ${kind}`, href: addressed(values) }, element("strong", {}, number), ` ${words}`);
  const { files = {}, commands = 0, understood = 0, missed = 0 } = data.coverage ?? {};
  const row = SEVERITIES.map((severity) => tile(counted(counts.get(severity) ?? 0),
    `${severity}${counts.get(severity) === 1 ? "" : "s"}`, { view: "findings", severity },
    counts.get(severity) ? severity : "none"));
  row.push(tile(counted(missed), "not read", { view: "coverage" }, missed ? "error" : "none"));
  row.push(tile(counted(files.checked ?? 0), `file${files.checked === 1 ? "" : "s"} checked`,
    { view: "coverage" }, "none"));
  if (commands) {
    row.push(tile(share(understood, commands), `of ${counted(commands, "command")} understood`,
      { view: "coverage" }, understood === commands ? "none" : "warning"));
  }
  return element("div", { class: "tiles" }, row);
}

// Why the exit status is not that of the findings.
function outcomePart() {
  const { outcome } = data.about;
  return outcome ? section("Exit status", element("p", {}, `${outcome}.`)) : null;
}

// Repositories and files that were not read come before all findings.
function alarms() {
  const unread = (data.coverage?.not_read ?? []).filter((row) => row.missed);
  const left = data.about.left_out ? element("p", { class: "alarm" },
    `${counted(data.about.left_out, "finding")} left out of this page, the least severe.`) : null;
  const repositories = (data.repositories ?? []).filter((row) => row.unreadable);
  if (!unread.length && !repositories.length && !left) {
    return element("p", { class: "calm" }, "Every file that mqlint recognises was read.");
  }
  const items = unread.slice(0, TOP).map((row) => element("li", {},
    element("code", {}, row.path), row.reason ? `: ${row.reason}` : ""));
  const more = unread.length > TOP
    ? element("p", {}, link({ view: "coverage" }, `All ${counted(data.coverage.missed)} files`)) : null;
  return section("Not checked", left,
    repositories.length ? element("p", {}, `${repositories.length === 1 ? "1 repository was"
      : `${counted(repositories.length)} repositories were`} not read whole: `
      + repositories.slice(0, TOP).map((row) => (row.name || NONE)
        + (row.fault ? ` (${row.fault})` : "")).join(", ")) : null,
    element("ul", {}, items), more);
}

function collisionsPart() {
  const found = data.map?.collisions ?? [];
  const crossings = data.map?.crossings ?? [];
  const clients = (data.map?.applications?.rows ?? []).filter((row) => row.crosses);
  if (!found.length && !crossings.length && !clients.length) return null;
  const byRule = [...countBy(found, (row) => row.rule)].sort((one, other) => other[1] - one[1]);
  return section("Across site boundaries",
    crossings.length ? element("p", {}, badge("error", "channels"), " ",
      link({ view: "map" }, `${counted(crossings.length, "channel")} from one site to another`))
      : null,
    clients.length ? element("p", {}, badge("error", "applications"), " ",
      link({ view: "map", applications: "yes" },
        `${counted(clients.length, "connection")} of applications to another site`)) : null,
    element("ul", {}, byRule.slice(0, TOP).map(([rule, number]) => element("li", {},
      link({ view: "findings", rule }, rule), ` ${rules[rule]?.summary ?? ""} (${counted(number)})`))));
}

function briefly(rows, suffix) {
  return element("ul", {}, rows.slice(0, TOP).map((row) => element("li", {}, badge(row.severity), " ",
    link({ view: "findings", rule: row.rule, finding: row.id }, row.rule),
    ` ${row.message}`, element("small", {}, suffix(row)))));
}

function changesPart() {
  const scans = data.scans ?? [];
  const fresh = findings.filter((finding) => finding.state === "new");
  const fixed = data.fixed ?? [];
  const parts = [];
  if (scans.length > 1 || fresh.length) {
    const more = fresh.length > TOP ? element("p", {},
      link({ view: "findings", state: "new" }, `All ${counted(fresh.length)}`)) : null;
    parts.push(section(`New: ${counted(fresh.length)}`, briefly(fresh, ownerOf), more));
  }
  if (scans.length > 1) {
    parts.push(section(`Fixed: ${counted(fixed.length)}`,
      element("ul", {}, fixed.slice(0, TOP).map((row) => element("li", {}, badge(row.severity), " ",
        `${row.rule} ${row.message}`, element("small", {}, ownerOf(row)))))));
    const old = findings.filter((finding) => finding.first_seen !== undefined
      && finding.first_seen < scans.at(-1).began)
      .sort((one, other) => one.first_seen.localeCompare(other.first_seen)
        || RANK[other.severity] - RANK[one.severity]);
    parts.push(section("Oldest", old.length ? briefly(old,
      (row) => ` since ${dayOf(row.first_seen)}, ${ownerOf(row)}`) : element("p", { class: "calm" },
      "No finding is older than this scan.")));
  }
  return parts.length ? element("div", { class: "trio" }, parts) : null;
}

function ownerOf(row) {
  return ` ${[row.queue_manager, row.site && `at ${row.site}`].filter(Boolean).join(" ") || row.path}`;
}

function dayOf(moment) {
  return moment.slice(0, 10);
}

function trendPart() {
  const scans = data.scans ?? [];
  if (scans.length < 2) return null;
  const holder = element("div");
  const draw = ([field, name]) => {
    const chosen = (rows) => rows.filter(([site, team]) =>
      field === "" || (field === "site" ? site : team) === name);
    const sum = (rows, index) => rows.reduce((total, row) => total + row[index], 0);
    const moments = scans.map((scan) => scan.began);
    const series = Object.fromEntries(SEVERITIES.map((severity) => [severity, scans.map((scan) =>
      sum(chosen(scan.counts).filter((row) => row[2] === RANK[severity]), 3))]));
    const passed = scans.map((scan) => {
      const rows = chosen(scan.passed ?? []);
      return rows.length ? Math.floor((1000 * sum(rows, 2)) / sum(rows, 3)) / 10 : null;
    });
    const most = Math.max(...Object.values(series).flat(), 1);
    holder.replaceChildren(trend("Findings", moments, series, most),
      ...(passed.some((number) => number !== null)
        ? [trend("Rules that pass", moments, { passed }, 100, "\u00a0%")] : []));
  };
  const names = (index) => [...new Set(scans.flatMap((scan) =>
    scan.counts.map((count) => count[index])))].filter(Boolean).sort();
  const options = [["", "whole estate"], ...names(0).map((name) => ["site", name]),
    ...names(1).map((name) => ["team", name])];
  draw(options[0]);
  const select = element("select", { change: () => draw(options[select.selectedIndex]) },
    options.map(([field, name]) => element("option", {}, field ? `${field} ${name}` : name)));
  return section("Trend", element("label", {}, "Of ", select), holder);
}

const WAIVER_RULES = ["waiver-expired", "waiver-ends-soon"];

function waiversPart() {
  const told = findings.filter((finding) => WAIVER_RULES.includes(rules[finding.rule]?.name));
  const list = waiverTable();
  return [told.length ? section("Waivers that ended or end soon", briefly(told, ownerOf)) : null, list];
}

function waiverTable() {
  const excuses = new Map();
  for (const { excuse, rule } of findings) {
    if (excuse?.by !== "waiver" || !excuse.expires) continue;
    const key = JSON.stringify([excuse.expires, rule, excuse.owner, excuse.ticket, excuse.reason]);
    excuses.set(key, (excuses.get(key) ?? 0) + 1);
  }
  if (!excuses.size) return null;
  const rows = [...excuses].map(([key, number]) => [...JSON.parse(key), number]).sort();
  return section("Waivers in force", table("Waivers, the next end first",
    ["Ends", "Rule", "Owner", "Reason", "Findings"],
    rows.slice(0, PAGE).map(([expires, rule, owner, ticket, reason, number]) => {
      const days = Math.ceil((Date.parse(expires) - Date.now()) / DAY);
      const when = days < 0 ? "ended" : `in ${counted(days, "day")}`;
      return [element("span", {}, expires, " ", days <= SOON ? badge("warning", when) : when),
        link({ view: "findings", rule, state: "suppressed" }, rule), owner ?? "",
        [reason, ticket].filter(Boolean).join(" "), number];
    })));
}

// How many of the rules that apply to queue managers pass: what is not known is no pass.
function compliancePart() {
  const sites = data.verdicts ?? [];
  const cells = (name, { passed = 0, failed = 0, excepted = 0, unknown = 0 }) => {
    const all = passed + failed + unknown;
    return [name, all ? share(passed, all) : "", passed, failed, excepted, unknown];
  };
  const sum = (key) => sites.reduce((total, row) => total + (row[key] ?? 0), 0);
  const total = { passed: sum("passed"), failed: sum("failed"), excepted: sum("excepted"), unknown: sum("unknown") };
  if (!total.passed && !total.failed && !total.unknown) return null;
  const rows = sites.length > 1 ? sites.map((row) => cells(row.site || "no site", row)) : [];
  const missing = (data.missing ?? []).slice(0, TOP).map(([value, number]) => element("li", {},
    element("code", {}, value), ` ${counted(number, "rule")}`));
  return section("Rules that apply to a queue manager",
    table("Each rule counts once for each queue manager that it applies to",
      ["Site", "Pass", "Passed", "Failed", "of these excepted", "Unknown"],
      [cells("whole estate", total), ...rows.slice(0, PAGE)]),
    missing.length ? [element("p", {}, "Most often not known:"), element("ul", {}, missing)] : null);
}

// The score of a site or team: how many of its queue managers have no error.
function scorePart() {
  if (!managers.length) return null;
  const wrong = new Set(findings.filter((finding) => finding.severity === "error"
    && !["known", "suppressed"].includes(finding.state))
    .map((finding) => JSON.stringify([finding.site ?? "", finding.queue_manager])));
  const teams = new Map((data.repositories ?? []).map((row) => [row.name ?? "", row.team]));
  const part = (kind, value) => {
    const rows = new Map();
    for (const row of managers) {
      const name = value(row);
      if (name === undefined) continue;
      if (!rows.has(name)) rows.set(name, { all: 0, good: 0 });
      rows.get(name).all += 1;
      if (!wrong.has(JSON.stringify([row.site ?? "", row.name]))) rows.get(name).good += 1;
    }
    return [...rows].sort((one, other) => one[1].good / one[1].all - other[1].good / other[1].all)
      .slice(0, TOP).map(([name, { all, good }]) => {
        const fill = element("span", { class: "part good" });
        fill.style.width = `${(100 * good) / all}%`;
        return element("li", {}, link({ view: "managers", [kind]: name || NONE }, name ? `${kind} ${name}` : `no ${kind}`),
          element("span", { class: "bar", "aria-hidden": "true" }, fill),
          element("span", { class: "number" }, `${counted(good)} of ${counted(all)}`));
      });
  };
  const lines = [...part("site", (row) => row.site ?? ""),
    ...part("team", (row) => teams.get(row.repository ?? ""))];
  return section("Queue managers without an error", element("ul", { class: "bars" }, lines));
}
