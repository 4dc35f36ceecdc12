import { afterAll, describe, expect, it } from "vitest";
import type { Door } from "#test/shared/markdown-doors.ts";
import { pathologicalMarkdown } from "#test/shared/pathological-markdown.ts";
import { createReader } from "#test/shared/read-in-thread.ts";
import { sampleOf } from "#test/support/cases.ts";

/** How many times as long as the ordinary text one may take to read: the worst takes fifty times as long, some seconds of a slow machine. */
const MOST = 150;
/** Milliseconds after which reading it is given up. */
const PATIENCE = 120_000;
const THROUGH: readonly Door[] = ["server", "browser", "stream", "editor", "a line", "speech", "page", "mail", "app"];

/** A few that each took seconds for a reason of its own. */
const SAMPLE = [
  '"*a_ " again and again',
  '"> " again and again',
  '"[a](" again and again',
  "an address and underscores",
  "notes that nobody defined",
  "one long definition",
];

describe("a hundred thousand characters that were made to keep their reader busy", () => {
  const reader = createReader(PATIENCE);
  afterAll(() => reader.close());

  it.each(sampleOf(pathologicalMarkdown, SAMPLE))(
    "a hundred thousand characters that were made to keep their reader busy are read in a moment, by whatever reads them: %s",
    async (_kind, text) => {
      const taken = await reader.measure(text, THROUGH);
      expect(taken.map(([door]) => door)).toEqual(THROUGH);
      expect(taken.filter(([, times]) => times > MOST)).toEqual([]);
    },
  );
});
