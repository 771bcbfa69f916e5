// The map: everything has its place already; here it is drawn, and answers to keys and pointer.
// A map with applications is a second drawing, so that hiding them leaves no holes.
const KINDS = {
  channel: "Channel", cluster: "Cluster-sender channel", collision: "Same incident at both sites",
  application: "Application", unknown: "Application without a known queue manager",
};
const NODE = { width: 150, height: 40 };
const MANY = 120;
let zoom = 0;

function mapView() {
  const map = data.map;
  if (!map) {
    return [element("h2", {}, "Map"),
      element("p", { class: "calm" }, "No queue manager is known by its name.")];
  }
  const apps = map.applications;
  const isShown = Boolean(apps) && (!map.nodes.length
    || (state.applications ? state.applications === "yes" : Boolean(apps.is_open)));
  const drawn = isShown ? apps.drawing : map;
  const facts = element("div", { class: "facts", "aria-live": "polite" },
    element("p", {}, "Choose a queue manager to see its channels, clusters and findings"
      + `${isShown ? ", or an application to see where it leads" : ""}.`));
  const picture = mapPicture(drawn, facts);
  const holder = element("div", { class: "map", tabindex: "0", role: "region", "aria-label": "Map" },
    picture);
  const size = () => {
    picture.style.width = zoom ? `${drawn.width * zoom}px` : "";
    if (zoom) picture.style.minWidth = "0";
    picture.style.maxWidth = zoom ? "none" : `${drawn.width * 1.1}px`;
  };
  const scale = (factor) => () => {
    const now = zoom || picture.getBoundingClientRect().width / drawn.width;
    zoom = Math.min(4, Math.max(0.2, now * factor));
    size();
  };
  picture.style.minWidth = `${Math.min(640, drawn.width)}px`;
  size();
  const button = (label, click) => element("button", { type: "button", click }, label);
  return [element("h2", { class: "unseen" }, "Map"),
    element("div", { class: "tools" }, button("Larger", scale(1.25)), button("Smaller", scale(0.8)),
      button("Fit", () => { zoom = 0; size(); }),
      apps && map.nodes.length ? applicationsSwitch(apps, isShown) : null, legend(isShown)),
    holder, facts, ...mapTables(map)];
}

function applicationsSwitch(apps, isShown) {
  const turn = () => {
    change({ applications: isShown ? "no" : "yes" });
    document.getElementById("applications").focus();
  };
  return element("label", {}, element("input", { type: "checkbox", id: "applications",
    checked: isShown, change: turn }), ` Applications (${counted(apps.number)})`);
}

function legend(hasApplications) {
  const sample = (kind, crosses) => drawing("svg", { viewBox: "0 0 34 10", class: "sample",
    "aria-hidden": "true" },
  drawing("path", { d: "M1 5H33", class: `link ${kind}${crosses ? " crosses" : ""}` }));
  return element("ul", { class: "legend" },
    element("li", {}, sample("channel"), "channel"),
    element("li", {}, sample("cluster"), "cluster-sender channel"),
    element("li", {}, sample("channel", true), "across a site boundary"),
    element("li", {}, sample("collision", true), "finding that concerns two sites"),
    element("li", {}, element("span", { class: "full", "aria-hidden": "true" }), "full repository"),
    hasApplications ? [
      element("li", {}, element("span", { class: "full pill", "aria-hidden": "true" }), "application"),
      element("li", {}, sample("application"), "connection of an application"),
      element("li", {}, sample("unknown"), "no known queue manager")] : null);
}

function mapPicture(map, facts) {
  const paths = map.links.map((row) => drawing("path", { d: row.path,
    class: `link ${row.kind}${row.crosses ? " crosses" : ""}`,
    "marker-end": row.kind === "collision" ? null : `url(#arrow${row.crosses ? "-crosses" : ""})` },
  drawing("title", {}, `${KINDS[row.kind]}: ${row.names.join(", ")}`)));
  const nodes = map.nodes.map((node, index) => mapNode(node, index));
  const arrow = (id) => drawing("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4,
    markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse", class: id },
  drawing("path", { d: "M0 0L8 4L0 8z" }));
  const choose = (index) => {
    map.links.forEach((row, at) => paths[at].classList.toggle("dim",
      row.from !== index && row.to !== index));
    nodes.forEach((node, at) => {
      node.classList.toggle("chosen", at === index);
      node.setAttribute("tabindex", at === index ? "0" : "-1");
      node.setAttribute("aria-pressed", String(at === index));
    });
    facts.replaceChildren(...nodeFacts(map, index));
  };
  nodes.forEach((node, index) => {
    node.addEventListener("click", () => choose(index));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose(index);
      else {
        const next = neighbour(map, index, event.key);
        if (next === undefined) return;
        nodes[index].setAttribute("tabindex", "-1");
        nodes[next].setAttribute("tabindex", "0");
        nodes[next].focus();
      }
      event.preventDefault();
    });
  });
  const queueManagers = map.nodes.filter((node) => !node.kind).length;
  const pills = map.nodes.filter((node) => node.kind === "application").length;
  return drawing("svg", { viewBox: `0 0 ${map.width} ${map.height}`, role: "group",
    class: map.links.length > MANY ? "many" : null,
    "aria-label": `Map of ${counted(queueManagers, "queue manager")} at ${
      counted(map.sites.filter((site) => !site.is_outside).length, "site")}${
      pills ? ` and ${counted(pills, "node")} of applications` : ""
    }. Arrow keys move, Enter chooses.` },
  drawing("defs", {}, arrow("arrow"), arrow("arrow-crosses")),
  map.sites.map(mapSite), paths, nodes);
}

function mapSite(site) {
  const hidden = site.total - site.drawn;
  const name = cut(site.is_outside ? "Unknown destinations" : site.name || "no site",
    Math.floor(site.width / 12));
  return drawing("g", { class: `site ${site.is_outside ? "outside" : site.role ?? ""}` },
    drawing("rect", { x: site.x, y: site.y, width: site.width, height: site.height, rx: 10 }),
    drawing("text", { x: site.x + 18, y: site.y + 28, class: "title" }, name,
      drawing("tspan", { class: "role", dx: 10 }, site.role === site.name ? "" : site.role ?? "")),
    hidden ? drawing("text", { x: site.x + site.width - 18, y: site.y + 28, class: "more" },
      `${counted(site.drawn)} of ${counted(site.total)} shown`) : null);
}

function cut(text, length) {
  const cells = [...text];
  return cells.length > length ? `${cells.slice(0, length - 1).join("")}\u2026` : text;
}

function worst(node) {
  return SEVERITIES.find((severity) => node[severity]) ?? "good";
}

function findingWords(node) {
  return SEVERITIES.filter((severity) => node[severity])
    .map((severity) => counted(node[severity], severity)).join(", ") || "no findings";
}

function mapNode(node, index) {
  if (node.kind) return pillNode(node, index);
  const full = node.full.length ? `, full repository of ${node.full.join(", ")}` : "";
  return drawing("g", { class: `node ${worst(node)}${node.full.length ? " full" : ""}`,
    transform: `translate(${node.x} ${node.y})`, role: "button", "aria-pressed": "false",
    tabindex: index ? "-1" : "0",
    "aria-label": `${node.name}${node.site ? ` at ${node.site}` : ""}${full}: ${findingWords(node)}` },
  drawing("title", {}, `${node.name}${full}: ${findingWords(node)}`),
  drawing("rect", { ...NODE, rx: 5 }),
  drawing("rect", { width: 5, height: NODE.height, rx: 2, class: "mark" }),
  drawing("text", { x: 14, y: node.clusters.length ? 17 : 25, class: "name" }, cut(node.name, 12)),
  drawing("text", { x: 14, y: 32, class: "clusters" }, cut(node.clusters.join(" "), 21)));
}

// An application, several that lead to the same places, or a destination that is not known.
function pillNode(node, index) {
  const isOutside = node.kind === "outside";
  const words = isOutside ? `Unknown destination ${destinationWords(node)}`
    : `${pillTitle(node)}, ${leadWords(node)}: ${findingWords(node)}`;
  const detail = isOutside ? node.detail : node.channels.join(" ");
  const marks = ["crosses", "unknown"].filter((mark) => node[mark]).join(" ");
  return drawing("g", { class: `node ${node.kind} ${isOutside ? "" : worst(node)} ${marks}`,
    transform: `translate(${node.x} ${node.y})`, role: "button", "aria-pressed": "false",
    tabindex: index ? "-1" : "0", "aria-label": words },
  drawing("title", {}, words),
  drawing("rect", { ...NODE, rx: NODE.height / 2 }),
  isOutside ? null : drawing("circle", { cx: 15, cy: NODE.height / 2, r: 4, class: "mark" }),
  drawing("text", { x: isOutside ? 16 : 26, y: detail ? 18 : 25, class: "application-name" },
    node.number > 1 ? node.name : cut(node.name || "not known", isOutside ? 15 : 14)),
  detail ? drawing("text", { x: isOutside ? 16 : 26, y: 32, class: "clusters" }, cut(detail, 14))
    : null);
}

function titleOf(node) {
  return `${node.name}${node.site ? ` at ${node.site}` : ""}`;
}

function pillTitle(node) {
  return node.number > 1 ? titleOf(node) : `Application ${titleOf(node)}`;
}

function destinationWords(node) {
  return [node.name || "not known", node.detail].filter(Boolean).join(", ");
}

function leadWords(node) {
  const leads = node.leads.slice(0, 3).map((lead) => `to ${lead.to}, ${lead.channel}${
    lead.crosses ? ", across a site boundary" : ""}${lead.unknown ? ", no known queue manager" : ""}`);
  const more = node.leads.length - leads.length + node.more;
  return leads.join("; ") + (more ? `; ${counted(more)} more` : "");
}

function pillFacts(map, node) {
  if (node.kind === "outside") {
    const callers = map.links.filter((row) => map.nodes[row.to] === node)
      .map((row) => element("li", {}, `${titleOf(map.nodes[row.from])}: ${row.names.join(", ")}`));
    return [element("h3", {}, `Unknown destination: ${destinationWords(node)}`),
      element("p", {}, "No queue manager of this report is known to be there. Called by:"),
      element("ul", {}, callers)];
  }
  return [element("h3", {}, titleOf(node)),
    element("p", {}, `${findingWords(node)} in ${node.leads.length + node.more > 1
      ? "the files" : "the file"} of its connections.`),
    element("ul", {}, node.leads.map((lead) => element("li", {}, leadBadges(lead),
      `${lead.name} leads to ${lead.to}: ${lead.channel} (${lead.format}), `, leadPlace(lead)))),
    node.more ? element("p", {}, `${counted(node.more)} more in the table of applications.`) : null,
  ].filter(Boolean);
}

function leadBadges(lead) {
  return [lead.crosses ? [badge("error", "crosses"), " "] : null,
    lead.unknown ? [badge("warning", "no known queue manager"), " "] : null];
}

function leadPlace(lead) {
  return link({ view: "findings", q: lead.path }, element("code", {}, `${lead.path}:${lead.line}`));
}

// The nearest node in the direction of an arrow key.
function neighbour(map, index, key) {
  const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!direction) return undefined;
  const here = map.nodes[index];
  let best;
  let least = Infinity;
  map.nodes.forEach((node, at) => {
    const [dx, dy] = [node.x - here.x, node.y - here.y];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (along > 0 && along + 3 * aside < least) [best, least] = [at, along + 3 * aside];
  });
  return best;
}

function nodeFacts(map, index) {
  const node = map.nodes[index];
  if (node.kind) return pillFacts(map, node);
  const lines = map.links.filter((row) => row.from === index || row.to === index).map((row) => {
    const other = map.nodes[row.from === index ? row.to : row.from];
    const way = row.kind === "collision" ? "and" : row.from === index ? "to" : "from";
    return element("li", {}, row.crosses ? [badge("error", "crosses"), " "] : null,
      `${row.kind === "application" ? pillTitle(other) : `${KINDS[row.kind]} ${way} ${titleOf(other)}`}: `
      + row.names.join(", "));
  });
  const filter = { view: "findings", queue_manager: `"${node.name}"`, site: node.site };
  return [element("h3", {}, titleOf(node)),
    element("p", {}, link(filter, findingWords(node)), ". ",
      node.clusters.length ? `Clusters: ${node.clusters.map((name) =>
        (node.full.includes(name) ? `${name} (full repository)` : name)).join(", ")}.` : null),
    element("ul", {}, lines)];
}

// What the map shows in lines, as tables: for screen readers, for paper, and to search in.
function mapTables(map) {
  const spread = map.clusters.filter((row) => row.sites.length > 1);
  const clusters = map.clusters.slice(0, PAGE);
  return [
    map.crossings.length ? table("Channels across a site boundary", ["Channel", "From", "To", "Place"],
      map.crossings.slice(0, PAGE).map((row) => [row.name, row.from, row.to,
        element("code", {}, row.place)])) : null,
    map.collisions.length ? table("Findings that concern two sites", ["Rule", "Queue managers", "Finding"],
      map.collisions.slice(0, PAGE).map((row) => [link({ view: "findings", rule: row.rule }, row.rule),
        row.places.join(" and "), row.message])) : null,
    ...applicationsTable(map.applications),
    clusters.length ? table(spread.length ? `Clusters; ${counted(spread.length)} at more than one site`
      : "Clusters", ["Cluster", "Sites", "Members", "Full repositories"],
    clusters.map((row) => [row.name, element("span", {}, row.sites.length > 1
      ? badge("error", row.sites.join(", ")) : row.sites.join(", ")), row.members,
    row.full.join(", ") || "none known"])) : null,
  ].filter(Boolean);
}

// Every connection of an application, first what crosses a site boundary or leads to nothing known.
function applicationsTable(apps) {
  if (!apps) return [];
  const page = pageOf(apps.rows);
  const left = apps.total - apps.rows.length;
  return [page.pages > 1 ? pager(page, "connection")
    : null,
  table(`Connections of applications${left ? `; ${counted(left)} more are in the tables of the scan` : ""}`,
    ["Application", "Site", "Leads to", "Channel", "Place"], page.rows.map((row) => [
      [row.name, element("small", {}, row.format)], row.site || "not known",
      [leadBadges(row), row.to], row.wrong ? badge("warning", row.channel) : row.channel,
      leadPlace(row)]))];
}
