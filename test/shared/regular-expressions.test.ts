import { expect, test } from "vitest";
import { parseWhen } from "#shared/schedules/parse-when.ts";
import { isAboutEntireText } from "#worker/library/passages/about-entire-text.ts";
import { comparePages } from "#worker/conversation/schedules/page-change.ts";
import { type GrowingText, growingTexts, growsTooFast, literalsIn, repeats } from "../architecture/regular-expressions.ts";
import { readSources } from "../architecture/sources.ts";

/** Files whose patterns may grow faster than their text, and why that reaches nobody. */
const EXCEPTIONS: Record<string, string> = {
  "worker/conversation/turn/title.ts": "a line is cut at 500 characters before",
  "worker/conversation/chat-room/views/texts-since.ts": "no more than MARKUP_LENGTH characters are taken together",
};

test("no regular expression takes long for a long text made of its own parts", () => {
  const sources = readSources("shared", "worker", "web").filter(({ path }) => !(path in EXCEPTIONS));
  const literals = literalsIn(sources).filter(({ pattern }) => repeats(pattern));
  const slow = literals.filter(({ pattern }) => growingTexts(pattern).some((text) => growsTooFast(pattern, text)));
  expect(slow.map(({ path, pattern }) => `${path}: ${pattern}`)).toEqual([]);
});

test("a text that is made of parts is read in one way alone", () => {
  const zone = "UTC";
  const built: Record<string, [(text: string) => unknown, GrowingText]> = {
    "days of the week": [(text) => parseWhen(text, { now: 0, zone }), { unit: "tues,", of: (times) => `on ${"tues,".repeat(times)}tuesx` }],
    "questions about a whole": [isAboutEntireText, { unit: " in words", of: (times) => `summarize${" in words".repeat(times)} x` }],
    "stamps of a page": [
      (text) => comparePages(text, `${text}.`),
      { unit: `now${" june".repeat(12)} `, of: (times) => `now${" june".repeat(12)} `.repeat(times) },
    ],
  };
  const slow = Object.entries(built).filter(([, [read, growing]]) => growsTooFast(read, growing));
  expect(slow.map(([name]) => name)).toEqual([]);
});

test("a regular expression whose time grows too fast is found by the check", () => {
  const seen = (pattern: RegExp) => repeats(pattern) && growingTexts(pattern).some((text) => growsTooFast(pattern, text));
  for (const pattern of [/\s+at\s+/, /a*b/g, /^(\w+)+!$/, /^(?:x{1,20}){1,20}y$/]) expect(seen(pattern), `${pattern}`).toBe(true);
  for (const pattern of [/\s+at/y, /^\d+$/, /[aeiou]/g, /^(?=a)\w*$/]) expect(seen(pattern), `${pattern}`).toBe(false);
});
