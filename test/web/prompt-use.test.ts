import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { parsePrompt } from "#shared/library/prompt-template.ts";
import { builtInValues } from "#web/features/conversation/prompt-use/begin-use.ts";
import { fieldsOf, fillSteps, firstValues, stepTexts, withTail, withValues } from "#web/features/conversation/prompt-use/form-values.ts";
import { insertSteps } from "#web/features/conversation/prompt-use/insert-prompt.ts";
import { storeLastValues, lastValues } from "#web/features/conversation/prompt-use/use-prompt-form.ts";
import { indexNames, matchNames } from "#web/features/conversation/prompt-use/match-prompts.ts";
import { placeAtEnd, replacePart, slashAt } from "#web/features/conversation/prompt-use/slash.ts";
import { clearDraft, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { sentAsOne, stepsAsInserted } from "#web/features/conversation/queue/queue-route.ts";
import { nextSlash } from "#web/features/conversation/prompt-use/use-slash.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";

it.each([
  ["/", 1, ""],
  ["/te", 3, "te"],
  ["/te", 2, "t"],
  ["/tender answer", 14, "tender answer"],
  ["Before\n/te\nafter", 10, "te"],
  ["either/or", 9, null],
  ["and /te", 7, null],
  ["/ a", 3, null],
  ["// comment", 10, null],
  ["/te", 0, null],
  ["", 0, null],
  [`/${"a".repeat(101)}`, 102, null],
])("a slash in the composer: %j at %i asks for %j", (text, caret, query) => {
  expect(slashAt(text, caret)?.query ?? null).toBe(query);
});

it("a slash in the composer once dismissed stays as it is typed until the caret has left it", () => {
  const [first, longer] = [slashAt("/t", 2), slashAt("/te", 3)];
  const opened = nextSlash({ slash: null, isDismissed: false }, { type: "moved", slash: first });
  const dismissed = nextSlash(opened, { type: "dismissed" });
  expect(nextSlash(dismissed, { type: "moved", slash: longer })).toEqual({ slash: longer, isDismissed: true });
  const left = nextSlash(dismissed, { type: "moved", slash: null });
  expect(nextSlash(left, { type: "moved", slash: first })).toEqual({ slash: first, isDismissed: false });
});

it("a slash in the composer gives its place to what is inserted, and keeps all that stands around it", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: fc.constantFrom("a", "b", " ") }), fc.string(), (before, query, after) => {
      const text = `${before}\n/${query}\n${after}`;
      const from = before.length + 1;
      const done = replacePart(text, { from, to: from + 1 + query.length }, "PROMPT");
      expect(done).toEqual({ text: `${before}\nPROMPT\n${after}`, caret: from + 6 });
    }),
  );
  expect([placeAtEnd(""), placeAtEnd(" one \n")]).toEqual([
    { text: "", from: 0, to: 0 },
    { text: " one\n\n", from: 6, to: 6 },
  ]);
});

describe("the list behind a slash", () => {
  const names = ["Latest news", "Tender answer", "Answer a tender", "Réponse à l’appel", "Week in five lines"];

  it.each([
    ["", names],
    ["te", ["Tender answer", "Latest news", "Answer a tender"]],
    ["TENDER answ", ["Tender answer", "Answer a tender"]],
    ["reponse", ["Réponse à l’appel"]],
    ["usr/bin", []],
  ])("the list behind a slash for %j has those that are called by it, first those that begin so", (query, expected) => {
    expect(
      matchNames(
        indexNames(names, (name) => name),
        query,
      ),
    ).toEqual(expected);
  });

  it("the list behind a slash of 2,000 prompts is filtered in less than a frame", () => {
    const index = indexNames(
      Array.from({ length: 2_000 }, (_, at) => `Prompt ${at} about something that takes a long name to tell it from others`),
      (name) => name,
    );
    const began = performance.now();
    for (const query of ["p", "pr", "pro", "prompt 19", "others tell 7"]) matchNames(index, query);
    expect((performance.now() - began) / 5).toBeLessThan(16);
  });
});

describe("the form of a prompt", () => {
  const steps = parsePrompt(
    "For {{client}} in {{tone:formal,friendly}}, {{audience=experts}}\n---\nCheck it for {{client}}: {{CLIPBOARD}} {{SELECTION}}",
  );

  it("the form of a prompt asks for each thing once, in order, and for what must be pasted only where it is used and not known", () => {
    expect(fieldsOf(steps, {}).map(({ key }) => key)).toEqual(["client", "tone", "audience", "CLIPBOARD", "SELECTION"]);
    expect(fieldsOf(steps, { SELECTION: "known" }).map(({ key }) => key)).toEqual(["client", "tone", "audience", "CLIPBOARD"]);
    expect(fieldsOf(parsePrompt("On {{CURRENT_DATE}} after {{LAST_ANSWER}}"), {})).toEqual([]);
  });

  it("the form of a prompt begins with defaults and what was typed before, as far as that may still be chosen", () => {
    const fields = fieldsOf(steps, { SELECTION: "known" });
    expect(firstValues(fields, {})).toEqual({ client: "", tone: "formal", audience: "experts", CLIPBOARD: "" });
    expect(firstValues(fields, { client: "Ines", tone: "rude" })).toMatchObject({ client: "Ines", tone: "formal" });
    expect(withValues(fields, firstValues(fields, {}), { tone: "friendly", audience: "all", CLIPBOARD: "old" })).toEqual({
      client: "",
      tone: "friendly",
      audience: "all",
      CLIPBOARD: "",
    });
  });

  it("the form of a prompt fills every step with the same values, and nothing that looks like a place in them", () => {
    const values = { client: "{{tone}}", tone: "friendly", audience: "", CLIPBOARD: "pasted {{client}}" };
    expect(stepTexts(fillSteps(steps, values, { SELECTION: "chosen" }))).toEqual([
      "For {{tone}} in friendly, experts",
      "Check it for {{tone}}: pasted {{client}} chosen",
    ]);
  });

  it("the form of a prompt is followed by what a link says, as it stands, in the last step alone", () => {
    const filled = fillSteps(parsePrompt("Sum up {{week}}.\n---\nCheck {{week}}."), { week: "47" }, {});
    expect(stepTexts(withTail(filled, "Keep {{week}} short"))).toEqual(["Sum up 47.", "Check 47.\n\nKeep {{week}} short"]);
    expect(stepTexts(withTail(filled, ""))).toEqual(stepTexts(filled));
    expect(stepTexts(withTail(fillSteps(parsePrompt("{{week}}"), {}, {}), "Keep it short")).at(-1)).toContain("Keep it short");
  });

  it("the form of a prompt knows the date of the person's time zone, their name, and the last answer", () => {
    const known = { userName: "Lena", path: [], selection: "", now: new Date("2026-11-22T23:30:00Z") };
    expect(builtInValues({ ...known, timeZone: "UTC" })).toEqual({ CURRENT_DATE: "22 November 2026", USER_NAME: "Lena", SELECTION: "" });
    expect(builtInValues({ ...known, timeZone: "Asia/Tokyo" }).CURRENT_DATE).toBe("23 November 2026");
  });
});

describe("what was filled in last", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", memoryStorage());
  });

  it("what was filled in last is kept for an account and a prompt, without long texts and for the latest prompts alone", () => {
    storeLastValues("lena", "tender", { client: "Ines", question: "long ".repeat(1_000), empty: "" });
    expect([lastValues("lena", "tender"), lastValues("ines", "tender"), lastValues("lena", "other")]).toEqual([{ client: "Ines" }, {}, {}]);
    for (let count = 0; count < 50; count++) storeLastValues("lena", `prompt ${count}`, { a: "b" });
    expect([lastValues("lena", "tender"), lastValues("lena", "prompt 0")]).toEqual([{}, { a: "b" }]);
  });
});

describe("an inserted workflow", () => {
  beforeEach(() => {
    vi.stubGlobal("requestAnimationFrame", () => 0);
    clearDraft("chat");
  });

  it("an inserted workflow has its own steps, whatever lines were filled in, until it is changed", () => {
    writeDraft("chat", "Before\n/w");
    insertSteps("chat", ["say one\n---\nstill one", "say two"], { from: 7, to: 9 });
    const text = readDraft("chat");
    expect(stepsAsInserted("chat", text)).toEqual(["Before\nsay one\n---\nstill one", "say two"]);
    expect(stepsAsInserted("chat", ` ${text}\n`)).toHaveLength(2);
    expect(stepsAsInserted("chat", `${text}!`)).toBeNull();
  });

  it("an inserted workflow is recognised by its own lines where nothing else looks like them, and below other steps", () => {
    insertSteps("chat", ["say one", "say two"], null);
    expect(stepsAsInserted("chat", readDraft("chat"))).toBeNull();
    insertSteps("chat", ["a\n---\nb", "c"], null);
    expect(stepsAsInserted("chat", readDraft("chat"))).toBeNull();
    expect(sentAsOne.get("chat")).toBe(false);
  });
});
