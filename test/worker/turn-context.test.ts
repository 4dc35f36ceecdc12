import { expect, it } from "vitest";
import type { Section } from "#worker/library/contribution.ts";
import { systemPrompt } from "#worker/conversation/turn/prompt.ts";

it("the system prompt keeps the parts' order, whoever was asked first", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const memory: Section = { kind: "memory", text: "They like tea." };
  const notes: Section = { kind: "notes", text: "This came by mail." };
  const systemText = systemPrompt([notes, memory, persona], true);
  expect(systemText.indexOf(persona.text)).toBeLessThan(systemText.indexOf(memory.text));
  expect(systemText.indexOf(memory.text)).toBeLessThan(systemText.indexOf(notes.text));
  expect(systemPrompt([], true)).toBe(systemText.slice(0, systemText.indexOf("\n\nYou are a pirate.")));
});

it("what changes from turn to turn comes last: two turns share their beginning byte for byte", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const turns = ["Earlier: a.", "Earlier: b."].map((text) => systemPrompt([{ kind: "notes", text }, persona], true));
  const shared = systemPrompt([persona], true);
  for (const turn of turns) expect(turn.startsWith(shared)).toBe(true);
});
