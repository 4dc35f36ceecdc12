import { expect, it } from "vitest";
import type { Section } from "#worker/library/contribution.ts";
import { systemPrompt } from "#worker/conversation/turn/prompt.ts";

it("the system prompt keeps the parts' order, whoever was asked first", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const knowledge: Section = { kind: "knowledge", text: "The harbour opens at six." };
  const connections: Section = { kind: "connections", text: "The weather's server is away." };
  const text = systemPrompt([connections, knowledge, persona], true);
  expect(text.indexOf(persona.text)).toBeLessThan(text.indexOf(knowledge.text));
  expect(text.indexOf(knowledge.text)).toBeLessThan(text.indexOf(connections.text));
  expect(systemPrompt([], true)).toBe(text.slice(0, text.indexOf("\n\nYou are a pirate.")));
});

it("the system prompt says nothing that belongs to one question", () => {
  const persona: Section = { kind: "persona", text: "You are a pirate." };
  const ofQuestion: Section[] = (["memory", "passages", "notes"] as const).map((kind) => ({ kind, text: `Of this question: ${kind}` }));
  expect(systemPrompt([...ofQuestion, persona], true)).toBe(systemPrompt([persona], true));
});
