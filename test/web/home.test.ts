import { describe, expect, it } from "vitest";
import type { Chat } from "#shared/entities/chat.ts";
import { favouritePrompts } from "#web/features/conversation/home/home-prompts.tsx";
import { leftOff } from "#web/features/conversation/home/left-off.ts";
import { voicesOf } from "#web/features/conversation/home/home-below.tsx";
import { inboxSentence } from "#web/features/conversation/home/inbox-summary-text.ts";
import { chatRow } from "./chat-factory.ts";

const chat = (title: string, fields: Partial<Chat> = {}) => chatRow(`id of ${title}`, "2026-11-20T10:00:00.000Z", { title, ...fields });

const [berlin, metrics, boat] = ["Berlin", "Metrics", "Boat"].map((title) => chat(title, { isRead: false }));
const marta = chat("Mail to Marta", { isWaiting: true });
const lisbon = chat("Lisbon", { isWaiting: true, isRead: false });
const read = chat("Read");

it.each<[string, (Chat | undefined)[], number, string | null]>([
  ["nothing", [read], 0, null],
  ["one with news", [berlin, read], 1, "Berlin has news."],
  ["two", [berlin, metrics], 2, "Berlin and Metrics have news."],
  ["three", [berlin, metrics, boat], 3, "Berlin and two others have news."],
  ["more than were read", [berlin, metrics], 1_000, "Berlin and 999 others have news."],
  ["an approval", [marta], 0, "Mail to Marta waits for approval."],
  ["several approvals", [lisbon, marta], 1, "Lisbon and one other wait for approval."],
  ["an approval and one with news", [marta, berlin], 1, "Mail to Marta waits for approval, and Berlin has news."],
  ["an unread approval and two with news", [berlin, lisbon, boat], 3, "Lisbon waits for approval, and Berlin and Boat have news."],
  ["one without a title", [chat("", { isRead: false })], 1, "New Chat has news."],
  ["one with a long title", [chat("The lease offers of Kastanienallee", { isRead: false })], 1, "The lease offers of Kast… has news."],
])("what waits: %s stands in one sentence that begins with a chat to open", (_what, chats, unread, sentence) => {
  const inbox = chats.filter((one) => one !== undefined);
  const summary = inboxSentence(inbox, unread);
  expect(summary && summary.chat.title + summary.rest).toBe(sentence);
});

it("what waits leads to what waits before what is new", () => {
  expect(inboxSentence([chat("New", { isRead: false }), marta], 1)?.chat.id).toBe("id of Mail to Marta");
});

it("where one left off are the last three chats that are read and wait for nothing", () => {
  const archived = chat("Archived", { archived: true });
  const rest = [read, chat("a"), chat("b"), chat("c")];
  expect(leftOff([marta, ...rest, archived]).map(({ title }) => title)).toEqual(["Read", "a", "b"]);
  expect(leftOff([archived, lisbon])).toEqual([]);
});

describe("the voices of a chat on home", () => {
  const sonnet = "anthropic/claude-sonnet-4.6";

  it.each<[string, Partial<Chat>, string[]]>([
    ["the model that answered last", { lastMessageModel: sonnet }, [`model ${sonnet}`]],
    ["the reader", { lastMessageSender: "You" }, ["person Lena"]],
    ["somebody else", { lastMessageSender: "Ines" }, ["person Ines"]],
    ["who shared it beside the model", { lastMessageModel: sonnet, sharedByName: "Ines" }, [`model ${sonnet}`, "person Ines"]],
    ["who shared it once", { lastMessageSender: "Ines", sharedByName: "Ines" }, ["person Ines"]],
    ["nobody", {}, []],
  ])("the voices of a chat on home are %s", (_, fields, voices) => {
    const found = voicesOf(chat("Chat", fields), "Lena");
    expect(found.map((voice) => `${voice.kind} ${voice.kind === "model" ? voice.id : voice.name}`)).toEqual(voices);
  });
});

it("the prompts on home are the three used most, of equals the one used last, then the others in their order", () => {
  const prompt = (name: string, uses: number, at: string | null = null) => ({ name, uses, last_used_at: at });
  const names = (...prompts: ReturnType<typeof prompt>[]) => favouritePrompts(prompts).map(({ name }) => name);
  expect(names(prompt("first", 0), prompt("once", 1, "2026-11-01"), prompt("often", 9, "2026-10-01"), prompt("second", 0))).toEqual([
    "often",
    "once",
    "first",
  ]);
  expect(names(prompt("before", 2, "2026-11-01"), prompt("lately", 2, "2026-11-20"))).toEqual(["lately", "before"]);
  expect(names()).toEqual([]);
});
