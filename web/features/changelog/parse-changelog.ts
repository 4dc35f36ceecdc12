/** A piece of a line: plain, emphasised or code. */
export type Inline = { kind: "text" | "strong" | "code"; text: string };

export type Section = { title: string; items: Inline[][] };

export type Release = { version: string; date: string; sections: Section[] };

/** Reads the project's own changelog: `## 1.0.0 - 2026-11-20`, `### Added`, `- item`, with `code` and **strong** in items. */
export function parseChangelog(markdown: string): Release[] {
  const releases: Release[] = [];
  for (const line of markdown.split("\n")) {
    const release = /^## (\S+)(?: - (\S+))?\s*$/.exec(line);
    const section = /^### (.+?)\s*$/.exec(line);
    const item = /^- (.+?)\s*$/.exec(line);
    const current = releases.at(-1);
    if (release) releases.push({ version: release[1] ?? "", date: release[2] ?? "", sections: [] });
    else if (section) current?.sections.push({ title: section[1] ?? "", items: [] });
    else if (item) current?.sections.at(-1)?.items.push(inline(item[1] ?? ""));
    else if (/^ {2}\S/.test(line)) {
      // A wrapped item goes on.
      const items = current?.sections.at(-1)?.items;
      const last = items?.at(-1);
      if (items && last) items[items.length - 1] = [...last, ...inline(` ${line.trim()}`)];
    }
  }
  return releases;
}

function inline(text: string): Inline[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
      return { kind: "text", text: part };
    });
}
