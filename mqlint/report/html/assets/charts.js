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

// `series` has the numbers of each severity, scan by scan; `moments` are when these began.
function trend(moments, series) {
  const most = Math.max(...Object.values(series).flat(), 1);
  const times = moments.map((moment) => Date.parse(moment));
  const span = Math.max(1, times.at(-1) - times[0]);
  const dates = moments.map(dayOf);
  const x = (index) => 44 + ((times[index] - times[0]) * (WIDE - 120)) / span;
  const y = (number) => HIGH - 26 - (number * (HIGH - 44)) / most;
  const heights = apart(SEVERITIES.map((severity) => y(series[severity].at(-1)) + 4));
  const lines = SEVERITIES.flatMap((severity, place) => {
    const points = series[severity].map((number, index) => `${x(index)},${y(number)}`).join(" ");
    const last = series[severity].at(-1);
    return [
      drawing("polyline", { points, class: `trend ${severity}` }),
      ...(times.length > DOTS ? [] : series[severity].map((number, index) => drawing("circle",
        { cx: x(index), cy: y(number), r: 3, class: `dot ${severity}` }))),
      drawing("text", { x: WIDE - 68, y: heights[place], class: `label ${severity}` },
        `${counted(last)} ${severity}`)];
  });
  const words = SEVERITIES.map((severity) =>
    `${severity}: ${spoken(series[severity])}`).join("; ");
  return drawing("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img",
    "aria-label": `Findings by scan from ${dates[0]} to ${dates.at(-1)}. ${words}` },
    drawing("path", { d: `M44 ${y(0)}H${WIDE - 76}M44 ${y(most)}H${WIDE - 76}`, class: "grid" }),
    drawing("text", { x: 38, y: y(most) + 4, class: "axis end" }, counted(most)),
    drawing("text", { x: 38, y: y(0) + 4, class: "axis end" }, "0"),
    drawing("text", { x: 44, y: HIGH - 6, class: "axis" }, dates[0]),
    drawing("text", { x: WIDE - 76, y: HIGH - 6, class: "axis end" }, dates.at(-1)),
    ...lines);
}

function spoken(numbers) {
  return numbers.length > SPOKEN ? `from ${counted(numbers[0])} to ${counted(numbers.at(-1))}`
    : numbers.map((number) => counted(number)).join(", ");
}
