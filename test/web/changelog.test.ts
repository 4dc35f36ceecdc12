import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inlineOf, parseChangelog } from "#web/features/shell/changelog/parse-changelog.ts";

test("releases, sections and wrapped items are read in order", () => {
  const text =
    "# Changelog\n\n## 1.1.0 - 2026-12-01\n\n### Added\n\n- One\n  goes on\n- Two\n\n### Fixed\n\n- Three\n\n## 1.0.0\n\n### Added\n\n- Four\n";
  expect(parseChangelog(text)).toEqual([
    {
      version: "1.1.0",
      date: "2026-12-01",
      sections: [
        { title: "Added", items: ["One goes on", "Two"] },
        { title: "Fixed", items: ["Three"] },
      ],
    },
    { version: "1.0.0", date: "", sections: [{ title: "Added", items: ["Four"] }] },
  ]);
});

test("code and strong text are recognised, and all else stays text", () => {
  expect(inlineOf("See `/api/docs` or **Auto** <b>")).toEqual([
    { kind: "text", text: "See ", at: 0 },
    { kind: "code", text: "/api/docs", at: 4 },
    { kind: "text", text: " or ", at: 15 },
    { kind: "strong", text: "Auto", at: 19 },
    { kind: "text", text: " <b>", at: 27 },
  ]);
});

test("every line of the project's own changelog is shown", () => {
  const text = readFileSync("CHANGELOG.md", "utf8");
  const shown = JSON.stringify(parseChangelog(text));
  for (const line of text.split("\n").filter((candidate) => candidate.trim() !== "" && candidate !== "# Changelog")) {
    const unmarked = line
      .replace(/^(?:##+|-)/, "")
      .replace(/ - \d{4}-\d{2}-\d{2}$/, "")
      .trim();
    expect(shown).toContain(JSON.stringify(unmarked).slice(1, -1));
  }
});

test("the project's own changelog is grouped by what it is about, and each line says that first in bold", () => {
  const sections = parseChangelog(readFileSync("CHANGELOG.md", "utf8")).flatMap((release) => release.sections);
  expect(sections.length).toBeGreaterThan(4);
  const plain = sections.flatMap(({ items }) => items).filter((item) => inlineOf(item)[0]?.kind !== "strong");
  expect(plain).toEqual([]);
});
