// The map: everything has its place already; here it is drawn, and answers to keys and pointer.
const KINDS = {
  channel: "Channel", cluster: "Cluster-sender channel", collision: "Same incident at both sites",
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
  const facts = element("div", { class: "facts", "aria-live": "polite" },
    element("p", {}, "Choose a queue manager to see its channels, clusters and findings."));
  const picture = mapPicture(map, facts);
  const holder = element("div", { class: "map", tabindex: "0", role: "region", "aria-label": "Map" },
    picture);
  const size = () => {
    picture.style.width = zoom ? `${map.width * zoom}px` : "";
    if (zoom) picture.style.minWidth = "0";
    picture.style.maxWidth = zoom ? "none" : `${map.width * 1.1}px`;
  };
  const scale = (factor) => () => {
    const now = zoom || picture.getBoundingClientRect().width / map.width;
    zoom = Math.min(4, Math.max(0.2, now * factor));
    size();
  };
  picture.style.minWidth = `${Math.min(640, map.width)}px`;
  size();
  const button = (label, click) => element("button", { type: "button", click }, label);
  return [element("h2", { class: "unseen" }, "Map"),
    element("div", { class: "tools" }, button("Larger", scale(1.25)), button("Smaller", scale(0.8)),
      button("Fit", () => { zoom = 0; size(); }), legend()),
    holder, facts, ...mapTables(map)];
}

function legend() {
  const sample = (kind, crosses) => drawing("svg", { viewBox: "0 0 34 10", class: "sample",
    "aria-hidden": "true" },
  drawing("path", { d: "M1 5H33", class: `link ${kind}${crosses ? " crosses" : ""}` }));
  return element("ul", { class: "legend" },
    element("li", {}, sample("channel"), "channel"),
    element("li", {}, sample("cluster"), "cluster-sender channel"),
    element("li", {}, sample("channel", true), "channel across a site boundary"),
    element("li", {}, sample("collision", true), "one incident at two sites"),
    element("li", {}, element("span", { class: "full", "aria-hidden": "true" }), "full repository"));
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
  return drawing("svg", { viewBox: `0 0 ${map.width} ${map.height}`, role: "group",
    class: map.links.length > MANY ? "many" : null,
    "aria-label": `Map of ${counted(map.nodes.length, "queue manager")} at ${
      counted(map.sites.length, "site")}. Arrow keys move, Enter chooses.` },
  drawing("defs", {}, arrow("arrow"), arrow("arrow-crosses")),
  map.sites.map(mapSite), paths, nodes);
}

function mapSite(site) {
  const hidden = site.total - site.drawn;
  const name = cut(site.name || "no site", Math.floor(site.width / 12));
  return drawing("g", { class: `site ${site.role ?? ""}` },
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

// The nearest queue manager in the direction of an arrow key.
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
  const lines = map.links.filter((row) => row.from === index || row.to === index).map((row) => {
    const other = map.nodes[row.from === index ? row.to : row.from];
    const way = row.kind === "collision" ? "and" : row.from === index ? "to" : "from";
    return element("li", {}, row.crosses ? [badge("error", "crosses"), " "] : null,
      `${KINDS[row.kind]} ${way} ${other.name}${other.site ? ` at ${other.site}` : ""}: `
      + row.names.join(", "));
  });
  const filter = { view: "findings", queue_manager: `"${node.name}"`, site: node.site };
  return [element("h3", {}, node.name, node.site ? ` at ${node.site}` : ""),
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
    map.collisions.length ? table("Incidents at two sites", ["Rule", "Queue managers", "Finding"],
      map.collisions.slice(0, PAGE).map((row) => [link({ view: "findings", rule: row.rule }, row.rule),
        row.places.join(" and "), row.message])) : null,
    clusters.length ? table(spread.length ? `Clusters; ${counted(spread.length)} at more than one site`
      : "Clusters", ["Cluster", "Sites", "Members", "Full repositories"],
    clusters.map((row) => [row.name, element("span", {}, row.sites.length > 1
      ? badge("error", row.sites.join(", ")) : row.sites.join(", ")), row.members,
    row.full.join(", ") || "none known"])) : null,
  ].filter(Boolean);
}
