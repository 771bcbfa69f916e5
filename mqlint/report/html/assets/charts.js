// Small charts: bars of findings by severity, and a line for each severity over scans.
function bars(title, rows, filter) {
  const most = Math.max(...rows.map((row) => row.total), 1);
  const lines = rows.map((row) => {
    const parts = SEVERITIES.filter((severity) => row[severity]).map((severity) => {
      const part = element("span", { class: `part ${severity}` });
      part.style.width = `${(100 * row[severity]) / most}%`;
      return part;
    });
    const words = SEVERITIES.filter((severity) => row[severity])
      .map((severity) => counted(row[severity], severity)).join(", ");
    return element("li", {},
      link({ view: "findings", ...filter(row) }, row.name || NONE),
      element("span", { class: "bar", "aria-hidden": "true" }, parts),
      element("span", { class: "number", title: words },
        counted(row.total), element("span", { class: "unseen" }, `: ${words}`)));
  });
  return section(title, element("ul", { class: "bars" }, lines));
}

function tally(rows, value) {
  const counts = new Map();
  for (const row of rows) {
    const name = value(row);
    if (!counts.has(name)) counts.set(name, { name, total: 0 });
    const count = counts.get(name);
    count.total += 1;
    count[row.severity] = (count[row.severity] ?? 0) + 1;
  }
  const weight = (row) => [row.error ?? 0, row.warning ?? 0, row.total];
  return [...counts.values()].sort((one, other) => {
    const [a, b] = [weight(one), weight(other)];
    return b[0] - a[0] || b[1] - a[1] || b[2] - a[2] || (one.name < other.name ? -1 : 1);
  });
}

const WIDE = 560;
const HIGH = 150;
const LEFT = 44;
const RIGHT = WIDE - 92;

// Heights of labels, moved so far that none is on another.
function apart(heights) {
  const order = heights.map((height, index) => [height, index]).sort((one, other) => one[0] - other[0]);
  let free = 0;
  const found = [];
  for (const [height, index] of order) {
    found[index] = Math.max(height, free);
    free = found[index] + 13;
  }
  return found;
}

const DOTS = 40;
const SPOKEN = 10;

// A line for each series of numbers, scan by scan; null where a scan has none. `moments` are when
// the scans began, `most` is at the top.
function trend(title, moments, series, most, unit = "") {
  const times = moments.map((moment) => Date.parse(moment));
  const span = Math.max(1, times.at(-1) - times[0]);
  const dates = moments.map(dayOf);
  const x = (index) => LEFT + ((times[index] - times[0]) * (RIGHT - LEFT)) / span;
  const y = (number) => HIGH - 26 - (number * (HIGH - 44)) / most;
  const last = Object.values(series).map((numbers) => numbers.findLast((number) => number !== null));
  const heights = apart(last.map((number) => y(number) + 4));
  const lines = Object.entries(series).flatMap(([name, numbers], place) => {
    const points = numbers.map((number, index) => [x(index), y(number), number])
      .filter(([, , number]) => number !== null);
    return [
      drawing("polyline", { points: points.map(([left, top]) => `${left},${top}`).join(" "), class: `trend ${name}` }),
      ...(points.length > DOTS ? [] : points.map(([left, top]) => drawing("circle",
        { cx: left, cy: top, r: 3, class: `dot ${name}` }))),
      drawing("text", { x: RIGHT + 8, y: heights[place], class: `label ${name}` },
        `${counted(last[place])}${unit} ${name}`)];
  });
  const words = Object.entries(series).map(([name, numbers]) => `${name}: ${spoken(numbers, unit)}`).join("; ");
  return drawing("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img",
    "aria-label": `${title} by scan from ${dates[0]} to ${dates.at(-1)}. ${words}` },
    drawing("path", { d: `M${LEFT} ${y(0)}H${RIGHT}M${LEFT} ${y(most)}H${RIGHT}`, class: "grid" }),
    drawing("text", { x: LEFT - 6, y: y(most) + 4, class: "axis end" }, `${counted(most)}${unit}`),
    drawing("text", { x: LEFT - 6, y: y(0) + 4, class: "axis end" }, `0${unit}`),
    drawing("text", { x: LEFT, y: HIGH - 6, class: "axis" }, dates[0]),
    drawing("text", { x: RIGHT, y: HIGH - 6, class: "axis end" }, dates.at(-1)),
    ...lines);
}

function spoken(numbers, unit) {
  const known = numbers.filter((number) => number !== null).map((number) => `${counted(number)}${unit}`);
  return known.length > SPOKEN ? `from ${known[0]} to ${known.at(-1)}` : known.join(", ");
}
