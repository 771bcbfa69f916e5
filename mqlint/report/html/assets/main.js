// Views, theme, keys and printing.
const VIEWS = {
  summary: ["Summary", summaryView],
  findings: ["Findings", findingsView],
  matrix: ["Matrix", matrixView],
  ...(data.map ? { map: ["Map", mapView] } : {}),
  ...(managers.length ? { managers: ["Queue managers", managersView] } : {}),
  coverage: ["Coverage", coverageView],
};
let shownView = "";

function show() {
  const view = state.view in VIEWS ? state.view : "summary";
  const main = document.getElementById("main-content");
  for (const item of document.querySelectorAll("#views a")) {
    const isHere = item.dataset.view === view;
    if (isHere) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
    const keeps = item.dataset.view in FIELDS ? { ...state, page: "", finding: "", sort: "" } : {};
    item.href = addressed({ ...keeps, view: item.dataset.view });
  }
  updateFilters(view);
  main.replaceChildren(...VIEWS[view][1]().filter(Boolean));
  main.dataset.view = view;
  const pager = main.querySelector(".pager span");
  announce(`${VIEWS[view][0]}${pager ? `: ${pager.textContent}` : ""}`);
  if (state.finding && shownView !== location.hash) {
    document.getElementById(`finding-${state.finding}`)?.previousElementSibling
      ?.scrollIntoView({ block: "start" });
  }
  shownView = location.hash;
}

function start() {
  document.getElementById("views").append(...Object.entries(VIEWS).map(([name, [title]]) =>
    element("a", { "data-view": name, href: addressed({ view: name }) }, title)));
  const { root, version } = data.about;
  const scan = (data.scans ?? []).at(-1);
  const subtitle = [root, scan && `scan of ${scan.began.replace("T", " ").slice(0, 16)} UTC`]
    .filter(Boolean).join(", ");
  document.getElementById("subtitle").textContent = subtitle;
  if (subtitle) document.title = `mqlint report: ${subtitle}`;
  document.getElementById("footer").textContent = `mqlint ${version}. This file is complete: `
    + "it opens offline and loads nothing. The address of a view can be shared with the file.";
  makeFilters();
  addEventListener("hashchange", () => {
    state = parsed();
    show();
    document.getElementById("main-content").focus({ preventScroll: true });
    if (!state.finding) scrollTo(0, 0);
  });
  addEventListener("beforeprint", () => { printing = true; show(); });
  addEventListener("afterprint", () => { printing = false; show(); });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(state.view in FIELDS)) change({ view: "findings" });
    document.querySelector("#filters details").open = true;
    inputs.get("q").focus();
    event.preventDefault();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main-content").focus();
  });
  startTheme();
  show();
}

// The theme is that of the system until somebody chooses another; it lasts as long as the page.
function startTheme() {
  const button = document.getElementById("theme");
  const names = ["system", "light", "dark"];
  let chosen = 0;
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    if (chosen) document.documentElement.dataset.theme = names[chosen];
    else delete document.documentElement.dataset.theme;
    button.textContent = `Theme: ${names[chosen]}`;
  });
}

start();
