import fc from "fast-check";
import { expect, it } from "vitest";
import { parseSearchDate } from "#shared/search/search-dates.ts";
import { parseSearch } from "#shared/search/search-query.ts";

/** A Friday at noon, in Berlin. */
const CLOCK = { now: Date.parse("2026-11-20T11:00:00Z"), offsetMinutes: -60 };

function terms(text: string): string[] {
  return parseSearch(text, CLOCK).terms.map(({ kind, text: word }) => `${kind} ${word}`);
}

function day(text: string): string | null {
  const at = parseSearchDate(text, CLOCK);
  return at === null ? null : new Date(at).toISOString();
}

it("a search's text is words, the last of them unfinished, and phrases in any quotes", () => {
  expect(terms("notice period")).toEqual(["word notice", "prefix period"]);
  expect(terms('lease "notice period" "open')).toEqual(["word lease", "phrase notice period", "phrase open"]);
  expect(terms("„Frist“ “in time”")).toEqual(["phrase Frist", "phrase in time"]);
  expect(terms("  ")).toEqual([]);
  expect(terms('""')).toEqual([]);
});

it("a search's text has filters anywhere, quoted or not, and in any case", () => {
  const query = parseSearch('is:Pinned lease from:"Teo Bauer" IN:boats in:trips is:pinned is:shared', CLOCK);
  expect(query).toMatchObject({ from: ["Teo Bauer"], in: ["boats", "trips"], is: ["pinned", "shared"] });
  expect(query.terms).toEqual([{ kind: "prefix", text: "lease" }]);
  expect(query.filters[1]).toEqual({ name: "from", value: "Teo Bauer", start: 16, end: 32 });
});

it("a search's text is of one kind where `in:` names it, and of a title's words where these stand in quotes", () => {
  expect(parseSearch("lantern in:Todos", CLOCK)).toMatchObject({ kind: "todo", in: [], filters: [{ name: "in", kind: "todo" }] });
  expect(parseSearch("in:messages lantern", CLOCK).kind).toBe("message");
  expect(parseSearch("in:chats", CLOCK).kind).toBe("chat");
  expect(parseSearch('in:"todos" lantern in:messagesofmay', CLOCK)).toMatchObject({ kind: null, in: ["todos", "messagesofmay"] });
});

it("a search's text takes what is no filter for words, and an unfinished one for nothing", () => {
  expect(terms("https://example.com is:green note:x")).toEqual(["word https://example.com", "word is:green", "prefix note:x"]);
  expect(terms("lease from: in: is: before:20 after:soon")).toEqual(["prefix lease"]);
  expect(parseSearch("before:20 after:soon is:", CLOCK)).toMatchObject({ before: null, after: null, filters: [] });
});

it("a search's text keeps the narrower of two dates", () => {
  const { after, before } = parseSearch("after:2026-01 after:2026-03 before:2026-09 before:2026-07", CLOCK);
  expect([after, before].map((at) => new Date(at ?? 0).toISOString())).toEqual(["2026-02-28T23:00:00.000Z", "2026-06-30T23:00:00.000Z"]);
});

it("a search's text is read whatever stands in it, each filter from where it says", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('"', "in:", "is:", "from:", "before:", " ", "*", "^", "NEAR("))),
      (parts) => {
        const text = parts.join("");
        const { filters } = parseSearch(text, CLOCK);
        for (const { name, start, end } of filters) expect(text.slice(start, end).toLowerCase()).toMatch(new RegExp(`^${name}:`));
      },
    ),
  );
});

it("a date begins on the reader's own calendar", () => {
  expect(day("2026-10-05")).toBe("2026-10-04T23:00:00.000Z");
  expect(day("2026/10")).toBe("2026-09-30T23:00:00.000Z");
  expect(day("2025")).toBe("2024-12-31T23:00:00.000Z");
  expect(day("today")).toBe("2026-11-19T23:00:00.000Z");
  expect(day("Yesterday")).toBe("2026-11-18T23:00:00.000Z");
  expect(day("2026-10-05T08:30:00.000Z")).toBe("2026-10-05T08:30:00.000Z");
});

it("a date may be so long ago, or the latest day or month of a name", () => {
  expect(day("7d")).toBe("2026-11-12T23:00:00.000Z");
  expect(day("2w")).toBe("2026-11-05T23:00:00.000Z");
  expect(day("3m")).toBe("2026-08-19T23:00:00.000Z");
  expect(day("October")).toBe("2026-09-30T23:00:00.000Z");
  expect(day("dec")).toBe("2025-11-30T23:00:00.000Z");
  expect(day("monday")).toBe("2026-11-15T23:00:00.000Z");
  expect(day("fri")).toBe("2026-11-19T23:00:00.000Z");
});

it("a date is none where the calendar has no such day", () => {
  expect(["2026-02-30", "2026-13", "20", "soon", "", "x2026", "0d1"].map(day)).toEqual([null, null, null, null, null, null, null]);
});
