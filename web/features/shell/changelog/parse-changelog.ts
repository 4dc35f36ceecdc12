/** A piece of a line: plain, emphasised or code, and where in the line it starts. */
export type Inline = { kind: "text" | "strong" | "code"; text: string; at: number };

export type Section = { title: string; items: string[] };

export type Release = { version: string; date: string; sections: Section[] };

/** Reads the project's own changelog: `## 1.0.0 - 2026-11-20`, `### Added`, `- item`, wrapped lines indented by two. */
export function parseChangelog(markdown: string): Release[] {
  const releases: Release[] = [];
  for (const line of markdown.split("\n").map((one) => one.trimEnd())) {
    const release = /^## (\S+)(?: - (\S+))?$/.exec(line);
    const section = /^### (.+)$/.exec(line);
    const item = /^- (.+)$/.exec(line);
    const current = releases.at(-1);
    const items = current?.sections.at(-1)?.items;
    if (release) releases.push({ version: release[1] ?? "", date: release[2] ?? "", sections: [] });
    else if (section) current?.sections.push({ title: section[1] ?? "", items: [] });
    else if (item) items?.push(item[1] ?? "");
    else if (/^ {2}\S/.test(line) && items && items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
  }
  return releases;
}

/** The pieces of an item: `code`, **strong** and what is between. */
export function inlineOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  for (const part of text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
    if (part.startsWith("`")) inlines.push({ kind: "code", text: part.slice(1, -1), at });
    else if (part.startsWith("**")) inlines.push({ kind: "strong", text: part.slice(2, -2), at });
    else if (part !== "") inlines.push({ kind: "text", text: part, at });
    at += part.length;
  }
  return inlines;
}
