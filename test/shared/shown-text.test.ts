import { expect, it } from "vitest";
import { TeamName } from "#shared/contracts/account/teams.ts";
import { UserPatch } from "#shared/contracts/account/users.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { KnowledgeName } from "#shared/contracts/library/knowledge.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { PersonaContent, PersonaName } from "#shared/contracts/library/personas.ts";
import { PromptContent, PromptName } from "#shared/contracts/library/prompts.ts";
import { knowledgeProblems } from "#shared/library/knowledge-problems.ts";
import { personaProblems } from "#shared/library/personas.ts";
import { promptProblems } from "#shared/library/prompt-problems.ts";
import { splitMemories } from "#shared/memory-import.ts";
import { isBlank, plainName } from "#shared/shown-text.ts";

/** Texts of invisible characters: zero-width ones, a soft hyphen, a Hangul filler, a blank of Braille, controls. */
const UNSEEN = ["\u200b", "\u2060\u200d", "\u00ad", "\u3164", "\u2800", "\u0000", " \u0007\t", "\u202e", "\ufeff"];

const SEEN = ["a", "é", "👩‍👩‍👧", "می‌خواهم", "한글", "一", "- ", "\ufffd"];

it.each(UNSEEN)("a text in which nothing is seen is blank and no name: %j", (text) => {
  expect(isBlank(text)).toBe(true);
  expect(plainName(text)).toBe("");
});

it.each(SEEN)("a text in which nothing is seen is not what is seen: %j", (text) => {
  expect(isBlank(text)).toBe(false);
  expect(plainName(` ${text} `)).toBe(text.trim());
});

it.each(UNSEEN)("a text in which nothing is seen is refused by forms and the API in the same words: %j", (text) => {
  expect(personaProblems({ name: text, content: text, personalization: "" }, false)).toEqual({
    name: "Name cannot be empty.",
    content: "Content cannot be empty.",
  });
  expect(promptProblems({ name: text, content: text })).toEqual({ name: "Name cannot be empty.", content: "Content cannot be empty." });
  expect(knowledgeProblems({ name: text, text_content: "" })).toEqual({ name: "Name cannot be empty." });
  const refusals = [
    [PersonaName, "Name cannot be empty."],
    [PersonaContent, "Content cannot be empty."],
    [PromptName, "Name cannot be empty."],
    [PromptContent, "Content cannot be empty."],
    [KnowledgeName, "Name cannot be empty."],
    [TeamName, "Team name is required"],
  ] as const;
  for (const [schema, message] of refusals) expect(schema.safeParse(text).error?.issues[0]?.message).toBe(message);
  const connection = createMcpConnection.body?.safeParse({ name: text, server_url: "https://example.com/mcp" });
  expect(connection?.error?.issues[0]?.message).toBe("The name is required.");
  expect(UserPatch.safeParse({ display_name: text }).error?.issues[0]?.message).toBe("Name cannot be empty.");
  expect(splitMemories(`${text}\nLikes tea`).entries).toEqual(["Likes tea"]);
});

it("a name stands on one line, and turns nothing around it", () => {
  expect(plainName("Crew\r\n\u2028two\u0007")).toBe("Crew two");
  expect(plainName("\u202egnp.exe\u2066")).toBe("gnp.exe");
  expect(plainName("a\u0000b")).toBe("ab");
  expect(plainName("half \ud800")).toBe("half \ufffd");
});

it("a name is cleaned before its length counts", () => {
  expect(TeamName.parse(`\u202e${"x".repeat(100)}\n`)).toBe("x".repeat(100));
  expect(TeamName.safeParse("x".repeat(101)).success).toBe(false);
});

it("a chat's name renames it only where something is seen", () => {
  expect(updateChat.body?.parse({ title: "\u200b" })).toEqual({ title: "" });
});
