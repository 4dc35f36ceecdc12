import { expect, it } from "vitest";
import type { Prompt } from "#shared/entities/prompt.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { promptProblems } from "#shared/library/prompt-problems.ts";
import { contentFacts } from "#web/features/library/prompts/content-facts.ts";
import { importSummary } from "#web/features/library/prompts/library-menu.tsx";
import { paneFor } from "#web/features/library/kit/pane.ts";
import { rebaseDraft } from "#web/lib/draft-form.ts";
import { changesOf, copyName, draftOf, isAdvanced, sentOf } from "#web/features/library/prompts/prompt-draft.ts";

const PROMPT: Prompt = {
  id: "p",
  name: "Tender",
  content: "Answer {{question}}.",
  preview: "Answer {{question}}.",
  steps: 1,
  fields: 1,
  team_id: null,
  user_id: "u",
  tool_categories: ["opinions"],
  persona_id: null,
  model_id: "a/one",
  context_ids: ["k"],
  position: 1,
  uses: 0,
  last_used_at: null,
  created_at: "2026-11-20T09:41:00.000Z",
  updated_at: "2026-11-20T09:41:00.000Z",
};

it("a prompt's form is open where the prompt sets more than text", () => {
  expect(isAdvanced(draftOf(PROMPT))).toBe(true);
  expect(isAdvanced(draftOf({ ...PROMPT, tool_categories: null, model_id: null, context_ids: null }))).toBe(false);
  expect(isAdvanced({ ...draftOf(null), personaId: "x" })).toBe(true);
  expect(isAdvanced({ ...draftOf(null), contexts: ["k"] })).toBe(true);
});

it("a prompt's form sends what it holds trimmed, an empty list as null, and of a prompt what changed alone", () => {
  const draft = { ...draftOf(null), name: " A ", content: "\n b ", tools: [] };
  expect(sentOf(draft)).toEqual({ name: "A", content: "b", tool_categories: null, persona_id: null, model_id: null, context_ids: null });
  expect(changesOf(PROMPT, draftOf(PROMPT))).toEqual({});
  expect(changesOf(PROMPT, { ...draftOf(PROMPT), contexts: [] })).toEqual({ context_ids: null });
  expect(changesOf(PROMPT, { ...draftOf(PROMPT), name: " Tender ", tools: [], modelId: "b/two", teamId: "t" })).toEqual({
    tool_categories: null,
    model_id: "b/two",
    team_id: "t",
  });
});

it.each([
  ["", ""],
  ["Say it.\nAnd more.", "Say it."],
  [`${"word ".repeat(20)}end`, "word ".repeat(12).trimEnd()],
  ["x".repeat(80), "x".repeat(60)],
])("a prompt's form of the text %j begins with the name %j", (text, name) => {
  expect(draftOf(null, text)).toMatchObject({ name, content: text });
});

it("a prompt's form saves over what another tab saved meanwhile only what was changed here", () => {
  const base = draftOf(PROMPT);
  const edited = { draft: { ...base, content: "Mine" }, base };
  const renamed = { ...PROMPT, name: "Renamed", tool_categories: ["web"] };
  const merged = rebaseDraft(edited, draftOf(renamed));
  expect(merged.clashes).toEqual([]);
  expect(changesOf(renamed, merged.draft)).toEqual({ content: "Mine" });
  // What is typed next begins from there.
  expect(rebaseDraft({ ...merged, draft: { ...merged.draft, name: "Again" } }, draftOf(renamed)).draft).toMatchObject({
    name: "Again",
    content: "Mine",
    tools: ["web"],
  });
});

it("a prompt's form says what was changed here and elsewhere, until the person insists", () => {
  const base = draftOf(PROMPT);
  const edited = { draft: { ...base, content: "Mine", name: "Same" }, base };
  const now = draftOf({ ...PROMPT, content: "Theirs", name: "Same" });
  const merged = rebaseDraft(edited, now);
  expect(merged).toMatchObject({ clashes: ["content"], draft: { content: "Mine", name: "Same" }, base: { content: base.content } });
  expect(rebaseDraft({ draft: merged.draft, base: now }, now)).toEqual({ draft: merged.draft, base: now, clashes: [] });
  expect(rebaseDraft(null, now)).toEqual({ draft: now, base: now, clashes: [] });
});

it("a prompt's form names a copy within the length of a name", () => {
  expect(copyName("Tender", CONTENT_NAME_LENGTH)).toBe("Tender (copy)");
  const long = copyName("x".repeat(CONTENT_NAME_LENGTH), CONTENT_NAME_LENGTH);
  expect([long.length, long.endsWith("x (copy)")]).toEqual([CONTENT_NAME_LENGTH, true]);
  expect(copyName("😀".repeat(CONTENT_NAME_LENGTH / 2), CONTENT_NAME_LENGTH).length).toBeLessThanOrEqual(CONTENT_NAME_LENGTH);
});

it("a prompt's form says what is wrong at its field", () => {
  expect(promptProblems({ name: " \n", content: " " })).toEqual({ name: "Name cannot be empty.", content: "Content cannot be empty." });
  expect(promptProblems({ name: "a", content: "b" })).toEqual({});
});

it.each([
  ["Say it.", { asks: [], fills: null, steps: 1 }],
  ["{{a}} {{b c}} {{a}} {{CURRENT_DATE}}", { asks: ["a", "b c"], fills: "The date is filled in.", steps: 1 }],
  ["{{USER_NAME}}\n---\n{{LAST_ANSWER}}", { asks: [], fills: "Your name and the answer before are filled in.", steps: 2 }],
])("a prompt's form says what %j means", (content, facts) => {
  expect(contentFacts(content)).toEqual(facts);
});

it("a pane about a prompt that is gone gives way, once it is known which there are", () => {
  expect(paneFor({ kind: "edit", id: "a" }, null)).toEqual({ kind: "edit", id: "a" });
  expect(paneFor({ kind: "edit", id: "a" }, ["b"])).toEqual({ kind: "idle" });
  expect(paneFor({ kind: "new", from: "" }, [])).toEqual({ kind: "new", from: "" });
});

it.each([
  [{ added: 3, present: 0 }, { added: 1, present: 0 }, "3 prompts and 1 persona came in."],
  [{ added: 1, present: 1 }, { added: 0, present: 1 }, "1 prompt came in. 2 of the file were here already, word for word."],
  [{ added: 0, present: 1 }, { added: 0, present: 0 }, "Nothing new. 1 of the file was here already, word for word."],
])("of an import with prompts %j and personas %j it says %j", (prompts, personas, words) => {
  expect(importSummary({ prompts, personas })).toBe(words);
});
