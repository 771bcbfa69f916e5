// The texts of rules: paragraphs, code in backticks, and indented lines as they are.
function prose(text) {
  const blocks = [];
  let lines = [];
  let isCode = false;
  const close = () => {
    if (lines.length) {
      blocks.push(isCode ? element("pre", { tabindex: "0" }, lines.join("\n"))
        : element("p", {}, inline(lines.join(" "))));
    }
    lines = [];
  };
  for (const line of text.split("\n")) {
    const indented = line.startsWith(" ");
    if (!line.trim() || indented !== isCode) close();
    isCode = indented;
    if (line.trim()) lines.push(indented ? line.replace(/^ {1,4}/, "") : line.trim());
  }
  close();
  return blocks;
}

function inline(text) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    (index % 2 ? element("code", {}, part) : part));
}

// A line of a file; the cells at fault are marked by an element, and by carets when printed.
function sourceLine([number, text, lead, length]) {
  const cells = [...text];
  return element("div", { class: "line" },
    element("span", { class: "gutter" }, String(number)),
    element("code", {}, cells.slice(0, lead).join(""),
      element("mark", {}, cells.slice(lead, lead + length).join("")),
      cells.slice(lead + length).join("")));
}

function source(lines) {
  if (!lines) return null;
  return element("div", { class: "source", tabindex: "0", role: "group", "aria-label": "Source" },
    lines.map(sourceLine));
}

// A value of YAML: the double-quoted form is that of JSON.
function waiver(finding) {
  const keys = [["site", finding.site], ["queue_manager", finding.queue_manager],
    ["object", finding.object?.split(" ").slice(1).join(" ")]];
  const scopes = keys.filter(([, value]) => value)
    .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`);
  const paths = `    paths: [${JSON.stringify(finding.path)}]\n`;
  return `  - rule: ${finding.rule}\n${scopes.join("")}${paths}`
    + "    owner: TEAM\n    reason: WHY THIS IS ACCEPTED\n    expires: YYYY-MM-DD\n";
}

function copyable(text) {
  const block = element("pre", { tabindex: "0" }, text);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied.");
    } catch {
      getSelection().selectAllChildren(block);
      announce("Selected: copy it with the keyboard.");
    }
  };
  return element("div", { class: "copyable" },
    element("button", { type: "button", click: copy }, "Copy"), block);
}
