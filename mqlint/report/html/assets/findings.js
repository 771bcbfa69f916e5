// The list of findings: filters beside it, and all that is known of a finding below its row.
const opened = new Set();
const FINDING_SORTS = {
  severity: (finding) => RANK[finding.severity],
  rule: (finding) => finding.rule,
  message: (finding) => finding.message,
  queue_manager: (finding) => `${finding.queue_manager ?? ""} ${finding.site ?? ""}`,
  place: (finding) => `${finding.path} ${String(finding.line).padStart(9, "0")}`,
  since: (finding) => finding.first_seen ?? "",
};

function findingsView() {
  const rows = sorted(filtered(), FINDING_SORTS, "-severity");
  if (state.finding) {
    opened.add(state.finding);
    const place = rows.findIndex((finding) => finding.id === state.finding);
    if (!state.page && place >= PAGE) state.page = String(1 + Math.floor(place / PAGE));
  }
  const page = pageOf(rows);
  const since = (data.scans ?? []).length > 1;
  const heads = [["severity", "Severity"], ["rule", "Rule"], ["message", "Finding"],
    ["queue_manager", "Queue manager"], ["place", "Place"], ...(since ? [["since", "Since"]] : [])]
    .map(([key, title]) => sorter(key, title, "-severity"));
  const body = element("tbody", {}, page.rows.flatMap((finding) => findingRows(finding, since)));
  const list = rows.length
    ? element("div", { class: "scroll" }, element("table", { class: "findings", keydown: moveFocus },
      element("caption", { class: "unseen" }, "Findings"),
      element("thead", {}, element("tr", {}, heads)), body))
    : element("p", { class: "calm" }, findings.length ? "No finding passes these filters."
      : "No findings.");
  const control = state.control ? element("p", {}, `Only findings of control ${state.control}. `,
    element("button", { type: "button", click: () => change({ control: "" }) }, "Show all")) : null;
  return [element("h2", { class: "unseen" }, "Findings"), control, pager(page, "finding"), list,
    page.pages > 1 ? pager(page, "finding") : null];
}

function findingRows(finding, since) {
  const id = `finding-${finding.id}`;
  const isOpen = opened.has(finding.id);
  const rule = rules[finding.rule] ?? {};
  const toggle = () => {
    if (opened.has(finding.id)) opened.delete(finding.id);
    else opened.add(finding.id);
    const isNow = opened.has(finding.id);
    state.finding = isNow ? finding.id : "";
    history.replaceState(null, "", addressed(state));
    if (isNow) row.after(detailRow(finding, id, heads));
    else document.getElementById(id)?.remove();
    button.setAttribute("aria-expanded", String(isNow));
  };
  const button = element("button", { type: "button", class: "open", "aria-expanded": String(isOpen),
    "aria-controls": id, click: toggle }, finding.message);
  const place = `${finding.path}:${finding.line}`;
  const heads = since ? 6 : 5;
  const row = element("tr", { class: finding.state ?? null },
    element("td", {}, badge(finding.severity),
      finding.state ? element("span", { class: "badge" }, finding.state) : null),
    element("td", { class: "rule" }, element("b", {}, finding.rule),
      element("small", {}, rule.name ?? "")),
    element("td", { class: "message" }, button,
      element("small", { class: "narrow" }, `${finding.rule}${ownerOf(finding)}`),
      element("small", { class: "middle" }, place)),
    element("td", { class: "owner" }, finding.queue_manager ?? "",
      element("small", {}, [finding.site, finding.team].filter(Boolean).join(", "))),
    element("td", { class: "place" }, element("code", {}, finding.path,
      element("span", { class: "number" }, `:${finding.line}`))),
    since ? element("td", { class: "since" },
      finding.first_seen === undefined ? "" : dayOf(finding.first_seen)) : null);
  return isOpen ? [row, detailRow(finding, id, heads)] : [row];
}

// The arrow keys go from finding to finding.
function moveFocus(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches("button.open")) return;
  const all = [...event.currentTarget.querySelectorAll("button.open")];
  all[all.indexOf(event.target) + step]?.focus();
  event.preventDefault();
}

function detailRow(finding, id, columns) {
  return element("tr", { id, class: "detail" }, element("td", { colspan: columns },
    detail(finding, rules[finding.rule] ?? {})));
}

function detail(finding, rule) {
  const facts = [["Rule", `${finding.rule} ${rule.name ?? ""}`], ["Group", rule.group],
    ["Confidence", rule.confidence], ["Site", finding.site],
    ["Queue manager", finding.queue_manager], ["Object", finding.object],
    ["Attribute", finding.attribute], ["Repository", finding.repository], ["Team", finding.team],
    ["Place", `${finding.path}:${finding.line}${finding.column ? `:${finding.column}` : ""}`],
    ["Fingerprint", finding.fingerprint]].filter(([, value]) => value);
  return [
    source(finding.lines),
    element("div", { class: "columns" },
      element("div", {},
        rule.why ? [element("h3", {}, "Why"), prose(rule.why)] : null,
        rule.fix ? [element("h3", {}, "What to do"), prose(rule.fix)] : null,
        rule.links ? [element("h3", {}, "See"), element("ul", {}, rule.links.map((href) =>
          element("li", {}, element("a", { href, rel: "noreferrer" }, href))))] : null),
      element("div", {},
        element("h3", {}, "Facts"),
        element("dl", {}, facts.flatMap(([name, value]) =>
          [element("dt", {}, name), element("dd", {}, value)])),
        related(finding), excused(finding, rule)))];
}

function related(finding) {
  const others = finding.incident ? findings.filter((other) => other !== finding
    && other.incident === finding.incident && other.rule === finding.rule) : [];
  if (!finding.related && !others.length) return null;
  return [element("h3", {}, "Other places"), element("ul", {},
    (finding.related ?? []).map((row) => element("li", {}, element("code", {}, row.place),
      ` ${row.message ?? ""}`, source(row.lines))),
    others.slice(0, 20).map((other) => element("li", {},
      link({ view: "findings", rule: other.rule, finding: other.id },
        `${other.path}:${other.line}`), ownerOf(other)))),
  others.length > 20 ? element("p", {}, `and ${counted(others.length - 20)} more`) : null];
}

function excused(finding, rule) {
  const { excuse } = finding;
  if (excuse) {
    const words = [excuse.reason, excuse.owner && `owner ${excuse.owner}`, excuse.ticket,
      excuse.expires && `until ${excuse.expires}`].filter(Boolean).join(", ");
    return [element("h3", {}, `Suppressed by a ${excuse.by}`), element("p", {}, words)];
  }
  if (rule.fixed_severity) {
    return [element("h3", {}, "How to waive"),
      element("p", {}, "Comments and waivers cannot suppress this rule.")];
  }
  return [element("h3", {}, "How to waive"),
    element("p", {}, "If this is accepted, add to ", element("code", {}, "mqlint-waivers.yaml"),
      ", below ", element("code", {}, "waivers:"), ", and fill in the last three lines:"),
    copyable(waiver(finding)),
    element("p", {}, "Or write a comment above the command, in the form of its file: ",
      element("code", {}, `mqlint: ignore[${finding.rule}] reason`))];
}

// The filters are made once, so that typing in one does not lose the focus; counts change.
const FIELDS = {
  findings: ["q", "severity", "queue_manager", ...CHOICES.map(([name]) => name)],
  matrix: ["q", "severity", "queue_manager", ...CHOICES.map(([name]) => name)],
  managers: ["queue_manager", "site", "team"],
};
const selects = new Map();
const boxes = new Map();
const inputs = new Map();

function makeFilters() {
  let timer;
  const input = (name, title, hint) => {
    const field = element("input", { type: "search", placeholder: hint, input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => change({ [name]: field.value }), 120);
    } });
    inputs.set(name, field);
    return element("label", { class: "field", "data-field": name }, title, field);
  };
  const severity = (name) => {
    const box = element("input", { type: "checkbox", change: () => {
      const wanted = SEVERITIES.filter((word) => boxes.get(word).checked);
      change({ severity: wanted.join(",") });
    } });
    boxes.set(name, box);
    return element("label", {}, box, " ", badge(name), " ", element("span", { class: "number" }));
  };
  const choice = ([name, title]) => {
    const select = element("select", { change: () => change({ [name]: select.value }) });
    selects.set(name, select);
    return element("label", { class: "field", "data-field": name }, title, select);
  };
  const clear = () => change(Object.fromEntries(
    [...FIELDS.findings, "control", "finding", "sort"].map((name) => [name, ""])));
  document.getElementById("filters").append(element("details", { open: innerWidth >= 1100 },
    element("summary", {}, "Search and filter"),
    input("q", "Search", "words, all of them"),
    element("fieldset", { "data-field": "severity" }, element("legend", {}, "Severity"),
      SEVERITIES.map(severity)),
    input("queue_manager", "Queue manager", "part of a name"),
    ...CHOICES.map(choice),
    element("button", { type: "button", click: clear }, "Clear filters")));
}

const MOST_OPTIONS = 400;

function updateFilters(view) {
  const shown = FIELDS[view] ?? [];
  document.getElementById("filters").hidden = !shown.length;
  document.body.classList.toggle("with-filters", shown.length > 0);
  for (const field of document.querySelectorAll("[data-field]")) {
    field.hidden = !shown.includes(field.dataset.field);
  }
  for (const [name, field] of inputs) {
    if (document.activeElement !== field) field.value = state[name] ?? "";
  }
  const wanted = (state.severity ?? "").split(",");
  const bySeverity = countBy(filtered("severity"), (finding) => finding.severity);
  for (const [name, box] of boxes) {
    box.checked = wanted.includes(name);
    box.parentElement.querySelector(".number").textContent = counted(bySeverity.get(name) ?? 0);
  }
  for (const [name, , value] of CHOICES) {
    const counts = countBy(filtered(name), value);
    const all = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    const select = selects.get(name);
    const chosen = state[name] ?? "";
    const options = all.slice(0, MOST_OPTIONS).map(([text, number]) => {
      const word = text || NONE;
      const title = name === "rule" ? `${word} ${rules[word]?.name ?? ""}` : word;
      return element("option", { value: word }, `${title} (${counted(number)})`);
    });
    if (chosen && !options.some((option) => option.value === chosen)) {
      options.push(element("option", { value: chosen }, `${chosen} (0)`));
    }
    select.replaceChildren(element("option", { value: "" }, "all"), ...options);
    select.value = chosen;
    const isIdle = all.length < 2 && !chosen;
    select.parentElement.hidden ||= isIdle;
  }
}
