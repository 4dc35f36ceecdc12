import { expect, it } from "vitest";
import { usesLastAnswer, withLastAnswer } from "#shared/last-answer.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { applicableSettings, type Skipped, skippedNotice } from "#shared/library/prompt-settings.ts";

const usable = { modelIds: ["a/one", "auto"], personaIds: ["p1"], toolCategories: ["media", "opinions"], knowledgeIds: ["k1"] };
const NOTHING = { model_id: null, persona_id: null, tool_categories: null, context_ids: null };

it.each([
  ["nothing, where it says nothing", NOTHING, {}, []],
  ["nothing, where it names nothing", {}, {}, []],
  [
    "all that may be used",
    { model_id: "a/one", persona_id: "p1", tool_categories: ["media", "opinions"], context_ids: ["k1"] },
    { model_id: "a/one", persona_id: "p1", tool_categories: ["media", "opinions"], context_ids: ["k1"] },
    [],
  ],
  ["no persona, where none is wanted", { persona_id: "" }, { persona_id: "" }, []],
  ["not a model off the allowlist", { ...NOTHING, model_id: "b/two" }, {}, [{ kind: "model", id: "b/two" }]],
  ["not a persona that is gone", { ...NOTHING, persona_id: "p2" }, {}, [{ kind: "persona", id: "p2" }]],
  [
    "the tools that are left, each once",
    { ...NOTHING, tool_categories: ["gone", "media", "media", "gone"] },
    { tool_categories: ["media"] },
    [{ kind: "tool", id: "gone" }],
  ],
  ["no tools, where all are gone", { ...NOTHING, tool_categories: ["gone"] }, {}, [{ kind: "tool", id: "gone" }]],
  ["no knowledge that is foreign", { ...NOTHING, context_ids: ["k2", "k1"] }, { context_ids: ["k1"] }, [{ kind: "knowledge", id: "k2" }]],
  ["nothing of an empty list", { tool_categories: [], context_ids: [] }, {}, []],
])("what a prompt sets is %s", (_, wanted, settings, skipped) => {
  expect(applicableSettings(wanted, usable)).toEqual({ settings, skipped });
});

it.each<[string | null, Skipped[]]>([
  [null, []],
  ["Left out, as you can't use it: the model One.", [{ kind: "model", id: "one" }]],
  [
    "Left out, as you can't use them: the model One, a persona, the tools Two and Three and 2 knowledge entries.",
    [
      { kind: "model", id: "one" },
      { kind: "persona", id: "p" },
      { kind: "tool", id: "two" },
      { kind: "tool", id: "three" },
      { kind: "knowledge", id: "k" },
      { kind: "knowledge", id: "l" },
    ],
  ],
])("what a prompt sets says %j", (notice, skipped) => {
  expect(skippedNotice(skipped, ({ id }) => id.charAt(0).toUpperCase() + id.slice(1))).toBe(notice);
});

it.each([
  ["Shorten: {{LAST_ANSWER}}", "Hello.", "Shorten: Hello."],
  ["{{ LAST_ANSWER }} and {{LAST_ANSWER}}", "a", "a and a"],
  ["No place, {{name}} {{tone:formal,friendly}}", "a", "No place, {{name}} {{tone:formal,friendly}}"],
  ["{{LAST_ANSWER}}", "{{LAST_ANSWER}} $& {{name}}", "{{LAST_ANSWER}} $& {{name}}"],
  ["{{LAST_ANSWER}} {{CURRENT_DATE}}", "", "{{LAST_ANSWER}} {{CURRENT_DATE}}"],
])("a step that asks for the answer before it: %j with %j is %j", (step, answer, sent) => {
  expect(withLastAnswer(step, answer)).toBe(sent);
});

it("a step that asks for the answer before it is never longer than a message may be", () => {
  const sent = withLastAnswer("Twice: {{LAST_ANSWER}} {{LAST_ANSWER}}", "😀".repeat(MESSAGE_LENGTH / 2));
  expect(sent.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
  expect(sent.length).toBeGreaterThan(MESSAGE_LENGTH - 6);
  expect(sent.isWellFormed()).toBe(true);
  expect(sent.endsWith("😀…")).toBe(true);
});

it("a step that asks for the answer before it is known by its place alone", () => {
  expect(usesLastAnswer("Shorten {{LAST_ANSWER}}.")).toBe(true);
  expect(usesLastAnswer("Shorten LAST_ANSWER.")).toBe(false);
});
