// What was not read, or judged in part: before any finding, a report says what it did not see.
function coverageView() {
  const { files = {}, words = {}, commands = 0, understood = 0, not_read: unread = [],
    not_listed: more = 0, statements = {}, unjudged = [], waiting = {} } = data.coverage ?? {};
  const page = pageOf(unread);
  const title = { ...words, checked: "read in part" };
  const parts = [table("Files", ["What became of them", "Files"],
    Object.entries(words).filter(([status]) => files[status])
      .map(([status, text]) => [text, files[status]]))];
  if (commands) {
    parts.push(element("p", {}, `${counted(understood)} of ${counted(commands, "MQSC command")} `
      + `understood (${share(understood, commands)}).`));
  }
  const formats = data.map?.applications?.formats ?? [];
  if (formats.length) {
    parts.push(table("Connections of applications that were read", ["Format", "Files", "Connections",
      "No known queue manager", "Channel not known"], formats));
  }
  const doubts = Object.entries(statements).filter(([, number]) => number);
  if (doubts.length) {
    parts.push(table("Statements that were judged in part or not at all", ["Why", "Statements"], doubts));
    parts.push(table("Where these statements are", ["Why", "Place", "Statement"], unjudged.map(
      (row) => [row.reason ? `${row.kind} (${row.reason})` : row.kind, element("code", {}, row.place),
        element("code", {}, row.text)])));
  }
  const list = page.total ? [pager(page, "file"), table("Files that were not read, or in part",
    ["Status", "File", "Reason"], page.rows.map((row) => [
      row.missed ? badge("error", row.status) : title[row.status] ?? row.status,
      element("code", {}, row.path), row.reason ?? ""]))] : [];
  if (more) list.push(element("p", {}, `${counted(more, "more file")} not listed.`));
  return [element("h2", { class: "unseen" }, "Coverage"), ...list, repositoriesPart(), ...parts,
    textsPart("In force", data.in_force), textsPart("Assumed", data.assumptions),
    Object.keys(waiting).length ? table("Rules that wait for a key of mqlint.yaml", ["Key", "Rules"],
      Object.entries(waiting).map(([key, ids]) => [element("code", {}, key), ids.join(", ")])) : null];
}

function textsPart(title, texts) {
  if (!texts) return null;
  const shown = texts.slice(0, PAGE);
  const more = texts.length > PAGE ? [element("li", {}, `${counted(texts.length - PAGE)} more`)] : [];
  return section(title, element("ul", {}, [...shown.map((text) => element("li", {}, text)), ...more]));
}

// Repositories that were not read whole come first.
function repositoriesPart() {
  const rows = [...data.repositories ?? []].sort((one, other) =>
    (other.unreadable ?? 0) - (one.unreadable ?? 0)
    || (other.not_recognised ?? 0) - (one.not_recognised ?? 0)
    || ((one.name ?? "") < (other.name ?? "") ? -1 : 1));
  if (rows.length < 2) return null;
  const caption = rows.length > PAGE
    ? `The first ${PAGE} of ${counted(rows.length)} repositories, unread ones first`
    : "Repositories, unread ones first";
  return table(caption, ["Repository", "Team", "Unreadable", "Not recognised", "Checked",
    "Commands understood"], rows.slice(0, PAGE).map((row) => [row.name || NONE, row.team ?? "",
    row.unreadable ? badge("error", counted(row.unreadable)) : 0, row.not_recognised ?? 0,
    row.checked ?? 0, row.commands ? share(row.understood ?? 0, row.commands) : ""]));
}
