// What is shown is in the address, after the #, so that a link shows the same to somebody else.
const data = JSON.parse(document.getElementById("data").textContent);
const findings = data.findings ?? [];
const rules = data.rules ?? {};
const managers = data.queue_managers ?? [];
const SEVERITIES = ["error", "warning", "note"];
const RANK = { error: 3, warning: 2, note: 1 };
const STATES = { "": "counts", new: "new", known: "known", suppressed: "suppressed" };

// A fingerprint identifies a finding in its repository; `id` does in the page.
const ids = new Map();
for (const finding of findings) {
  const number = (ids.get(finding.fingerprint) ?? 0) + 1;
  ids.set(finding.fingerprint, number);
  finding.id = number === 1 ? finding.fingerprint : `${finding.fingerprint}-${number}`;
}

// The fields of a filter that one of several values fits: name, title, value of a finding.
const CHOICES = [
  ["group", "Group", (finding) => rules[finding.rule]?.group ?? ""],
  ["rule", "Rule", (finding) => finding.rule],
  ["site", "Site", (finding) => finding.site ?? ""],
  ["team", "Team", (finding) => finding.team ?? ""],
  ["repository", "Repository", (finding) => finding.repository ?? ""],
  ["state", "State", (finding) => STATES[finding.state ?? ""]],
];
const NONE = "(none)";

let state = parsed();

function parsed() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function addressed(values) {
  const kept = Object.entries(values).filter(([, value]) => value);
  return "#" + new URLSearchParams(kept).toString();
}

// Shows another state; what is given as blank goes away, and the list begins at its first page.
function change(values) {
  state = { ...state, page: "", ...values };
  history.replaceState(null, "", addressed(state));
  show();
}

function link(values, ...children) {
  return element("a", { href: addressed(values) }, ...children);
}

const texts = new WeakMap();

function textOf(finding) {
  if (!texts.has(finding)) {
    const { rule, message, path, queue_manager, object, attribute } = finding;
    const words = [rule, rules[rule]?.name, message, path, queue_manager, object, attribute];
    texts.set(finding, words.filter(Boolean).join(" ").toLowerCase());
  }
  return texts.get(finding);
}

// A name in quotes is that name; any other text is a part of one, in either case.
function nameFilter(text) {
  if (/^".*"$/.test(text)) return (name) => name === text.slice(1, -1);
  const part = text.toLowerCase();
  return (name) => name.toLowerCase().includes(part);
}

// The findings that pass all filters but one, which is named by `except`.
function filtered(except = "") {
  const tests = [];
  if (state.severity && except !== "severity") {
    const wanted = state.severity.split(",");
    tests.push((finding) => wanted.includes(finding.severity));
  }
  for (const [name, , value] of CHOICES) {
    if (state[name] && except !== name) {
      const wanted = state[name] === NONE ? "" : state[name];
      tests.push((finding) => value(finding) === wanted);
    }
  }
  if (state.control) {
    const control = (data.controls ?? []).find((row) => row.name === state.control);
    tests.push((finding) => control?.rules.includes(finding.rule));
  }
  if (state.queue_manager) {
    const fits = nameFilter(state.queue_manager);
    tests.push((finding) => fits(finding.queue_manager ?? ""));
  }
  if (state.q) {
    const words = state.q.toLowerCase().split(/\s+/);
    tests.push((finding) => words.every((word) => textOf(finding).includes(word)));
  }
  return findings.filter((finding) => tests.every((test) => test(finding)));
}

function countBy(rows, value) {
  const counts = new Map();
  for (const row of rows) counts.set(value(row), (counts.get(value(row)) ?? 0) + 1);
  return counts;
}
