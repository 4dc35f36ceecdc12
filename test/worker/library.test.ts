import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { exportLibrary, importLibrary } from "#shared/contracts/library/library.ts";
import { createPersona, listPersonas } from "#shared/contracts/library/personas.ts";
import { createPrompt, getPrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import { LIBRARY_FORMAT, LIBRARY_VERSION, type Library, type LibraryPrompt } from "#shared/library/library.ts";
import { LIBRARY_IMPORTS_PER_HOUR, PROMPT_LENGTH, PROMPTS_BYTES, PROMPTS_MAX } from "#shared/limits.ts";
import { PERSONALIZED_NAME } from "#shared/library/personas.ts";
import { type Client, signIn } from "#test/support/worker.ts";

function prompt(name: string, rest: Partial<LibraryPrompt> = {}): LibraryPrompt {
  return { name, content: `Say ${name}.`, tool_categories: null, persona: null, model_id: null, ...rest };
}

function library(rest: Partial<Library> = {}): Library {
  const head = { format: LIBRARY_FORMAT, version: LIBRARY_VERSION, exported_at: "2026-11-20T09:41:00.000Z" } as const;
  return { ...head, personas: [], prompts: [], ...rest };
}

const names = async (client: Client) => (await client.take(listPrompts, {})).prompts.map(({ name }) => name);

it("what one person exports another imports: personas, prompts with their settings, in their order, and twice makes one copy", async () => {
  const [lena, ben] = [await signIn(), await signIn()];
  const { persona } = await lena.take(createPersona, { body: { name: "Editor", content: "Plain words." } });
  const settings = { persona_id: persona.id, tool_categories: ["opinions"], model_id: "openai/gpt-5-nano" };
  const workflow = "Draft “{{topic}}”.\n---\nShorten {{LAST_ANSWER}}.";
  await lena.take(createPrompt, { body: { name: "Second", content: "Say it." } });
  await lena.take(createPrompt, { body: { name: "First", content: workflow, ...settings } });
  const { library: file, next } = await lena.take(exportLibrary, { query: {} });
  expect(next).toBeNull();
  expect(file).toMatchObject({
    personas: [{ name: "Editor", content: "Plain words." }],
    prompts: [{ name: "First", content: workflow, persona: "Editor", tool_categories: ["opinions"] }, { name: "Second" }],
  });
  await ben.take(createPrompt, { body: { name: "Mine", content: "Stays first." } });
  expect(await ben.take(importLibrary, { body: file })).toEqual({
    personas: { added: 1, present: 0 },
    prompts: { added: 2, present: 0 },
    left_out: [],
  });
  const [, own] = (await ben.take(listPersonas, {})).personas;
  expect(own).toMatchObject({ name: "Editor", content: "Plain words.", user_id: ben.user.id });
  const { prompts } = await ben.take(listPrompts, {});
  expect(prompts).toMatchObject([
    { name: "Mine" },
    { name: "First", steps: 2, fields: 1, tool_categories: ["opinions"], persona_id: own?.id, model_id: "openai/gpt-5-nano" },
    { name: "Second", steps: 1, tool_categories: null, persona_id: null, model_id: null },
  ]);
  const copy = await ben.take(getPrompt, { params: { id: prompts[1]?.id ?? "" } });
  expect(copy.prompt.content).toBe(workflow);
  // Exported a moment later it is the same but for that moment.
  const again = { ...file, exported_at: "2026-11-21T09:41:00.000Z", prompts: [...file.prompts, prompt("Third", { persona: "Editor" })] };
  expect(await ben.take(importLibrary, { body: again })).toMatchObject({
    personas: { added: 0, present: 1 },
    prompts: { added: 1, present: 2 },
  });
  expect((await ben.take(listPrompts, {})).prompts.at(-1)).toMatchObject({ name: "Third", persona_id: own?.id });
  expect((await ben.take(listPersonas, {})).personas.map(({ name }) => name)).toEqual([PERSONALIZED_NAME, "Editor"]);
});

it("an import of a library says which persona did not come along, and takes the rest", async () => {
  const user = await signIn();
  const body = library({ prompts: [prompt("Tender", { persona: "Gone" })] });
  expect(await user.take(importLibrary, { body })).toMatchObject({
    prompts: { added: 1, present: 0 },
    left_out: ["“Tender” came without its persona “Gone”, which is neither in the file nor among yours."],
  });
});

it("a library file that is not sound is refused with what is wrong, and nothing of it is imported", async () => {
  const user = await signIn();
  const notOurs = "This is not a file of prompts and personas that was exported from Polylogue.";
  for (const [file, error] of [
    [[], notOurs],
    [{}, notOurs],
    [{ ...library(), format: "polylogue-chat" }, notOurs],
    [{ ...library(), version: 2 }, "This file is of another version of Polylogue. Nothing was imported."],
    [{ ...library(), more: 1 }, notOurs],
    [{ ...library(), prompts: {} }, "This file was changed or is damaged (prompts). Nothing was imported."],
    [
      library({ prompts: [prompt("Fine"), prompt("Empty", { content: " " })] }),
      "Prompt 2 of this file: Content cannot be empty. Nothing was imported.",
    ],
    [library({ personas: [{ name: " ", content: "x" }] }), "Persona 1 of this file: Name cannot be empty. Nothing was imported."],
  ] as const) {
    const response = await user.fetch("/api/library", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(file),
    });
    expect([response.status, await response.json()]).toEqual([400, { code: "INVALID_INPUT", error }]);
  }
  await user.take(createPrompt, { body: { name: "One", content: "x" } });
  const full = library({ prompts: Array.from({ length: PROMPTS_MAX }, (_, n) => prompt(`Prompt ${n}`)) });
  expect(await user.call(importLibrary, { body: full })).toMatchObject({
    error: { error: "New prompts in this file: 2,000, but 1,999 more fit. Nothing was imported." },
  });
  expect(await names(user)).toEqual(["One"]);
});

it("a full collection of prompts is imported at once, and long texts are exported in several files", async () => {
  const [lena, ben] = [await signIn(), await signIn()];
  const many = library({ prompts: Array.from({ length: PROMPTS_MAX - 12 }, (_, n) => prompt(`Prompt ${n}`)) });
  expect(await lena.take(importLibrary, { body: many })).toMatchObject({ prompts: { added: PROMPTS_MAX - 12 } });
  const long = library({
    prompts: Array.from({ length: 12 }, (_, n) => prompt(`Long ${n}`, { content: `${n}ü`.padEnd(PROMPT_LENGTH, "x") })),
  });
  expect(await lena.take(importLibrary, { body: long })).toMatchObject({ prompts: { added: 12 } });
  expect(await lena.take(importLibrary, { body: { ...long, exported_at: "2026-11-21T09:41:00.000Z" } })).toMatchObject({
    prompts: { added: 0, present: 12 },
  });
  let after: number | null = 0;
  let files = 0;
  while (after !== null) {
    const answer: { library: Library; next: number | null } = await lena.take(exportLibrary, { query: { after } });
    await ben.take(importLibrary, { body: answer.library });
    files += 1;
    after = answer.next;
  }
  expect(files).toBe(2);
  expect(await names(ben)).toEqual([...many.prompts, ...long.prompts].map(({ name }) => name));
});

it("nothing of a library file is imported that takes one's prompts beyond 20 MB", async () => {
  const user = await signIn();
  const { prompt: own } = await user.take(createPrompt, { body: { name: "Own", content: "x" } });
  await env.DB.prepare("UPDATE template_messages SET length = ? WHERE id = ?")
    .bind(PROMPTS_BYTES - 1_000, own.id)
    .run();
  const persona = { name: "Editor", content: "Plain words." };
  const long = library({ personas: [persona], prompts: [prompt("Short"), prompt("Long", { content: "ü".repeat(500) })] });
  expect(await user.call(importLibrary, { body: long })).toMatchObject({
    status: 400,
    error: { code: "INVALID_INPUT", error: "With these your prompts would take more than 20 MB. Nothing was imported." },
  });
  expect((await user.take(listPersonas, {})).personas.map(({ name }) => name)).toEqual([PERSONALIZED_NAME]);
  // Several at once are no way around it: the statement that stores them asks.
  const parts = Array.from({ length: 4 }, (_, n) => library({ personas: [], prompts: [prompt(`${n}`, { content: `${n}`.repeat(400) })] }));
  const answers = await Promise.all(parts.map((body) => user.call(importLibrary, { body })));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await names(user)).toHaveLength(3);
  // What is full takes in what takes no room.
  expect(await user.take(importLibrary, { body: library({ personas: [persona] }) })).toMatchObject({ personas: { added: 1 } });
});

it("an import of a library compares with each of one's own of the same name and length, however many", async () => {
  const user = await signIn();
  const same = Array.from({ length: 30 }, (_, n) => prompt("Same", { content: `Text ${String(n).padStart(2, "0")}` }));
  await user.take(importLibrary, { body: library({ prompts: same }) });
  const again = { ...library({ prompts: [...same, prompt("Same", { content: "Text 99" })] }), exported_at: "2026-11-22T09:41:00.000Z" };
  expect(await user.take(importLibrary, { body: again })).toMatchObject({ prompts: { added: 1, present: 30 } });
});

it("a person imports 20 such files in an hour", async () => {
  const user = await signIn();
  const body = (n: number) => library({ prompts: [prompt(`Prompt ${n}`)] });
  for (let n = 0; n < LIBRARY_IMPORTS_PER_HOUR; n += 1) await user.take(importLibrary, { body: body(n) });
  const refused = await user.call(importLibrary, { body: body(LIBRARY_IMPORTS_PER_HOUR) });
  expect(refused).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
  expect(await names(user)).toHaveLength(LIBRARY_IMPORTS_PER_HOUR);
});
