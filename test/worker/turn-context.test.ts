import { expect, it } from "vitest";
import type { Section } from "#worker/turn/contribution.ts";
import { systemPrompt } from "#worker/turn/prompt.ts";

it("the system prompt keeps the parts' order, whoever was asked first", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const memory: Section = { kind: "memory", text: "They like tea." };
  const notes: Section = { kind: "notes", text: "This came by mail." };
  const whole = systemPrompt([notes, memory, persona], true);
  expect(whole.indexOf(persona.text)).toBeLessThan(whole.indexOf(memory.text));
  expect(whole.indexOf(memory.text)).toBeLessThan(whole.indexOf(notes.text));
  expect(systemPrompt([], true)).toBe(whole.slice(0, whole.indexOf("\n\nYou are a pirate.")));
});

it("what changes from turn to turn comes last: two turns share their beginning byte for byte", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const turns = ["Earlier: a.", "Earlier: b."].map((text) => systemPrompt([{ kind: "notes", text }, persona], true));
  const shared = systemPrompt([persona], true);
  for (const turn of turns) expect(turn.startsWith(shared)).toBe(true);
});
