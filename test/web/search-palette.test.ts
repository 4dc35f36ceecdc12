import { describe, expect, it } from "vitest";
import type { SearchHit } from "#shared/contracts/search.ts";
import { splitPages, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { groupHits, nearMatch, pathOfHit, shownOf } from "#web/features/conversation/search/search-groups.ts";
import { NO_INPUT, withKind, withoutLast, withText, withToggled } from "#web/features/conversation/search/search-input.ts";
import { foundItems, stepFrom } from "#web/features/conversation/search/search-items.ts";
import { foldersNamed, namesFor, unknownText, withName } from "#web/features/conversation/search/search-names.ts";
import {
  addChips,
  orderAroundNewChat,
  chipLabel,
  extractFilters,
  titleMatches,
  toggleChip,
  toQuery,
  plainQueryText,
} from "#web/features/conversation/search/search-text.ts";
import { answer } from "./message-factory.ts";

function hit(chatId: string, id: string, kind: SearchHit["kind"] = "message"): SearchHit {
  const chat = { id: chatId, title: { text: chatId, ranges: [] }, isRead: true, isPinned: false, archived: false, isShared: false };
  return { kind, id, chat, author: null, model_id: null, time: "2026-11-20T09:41:00.000Z", snippet: { text: "", ranges: [] } };
}

describe("the palette's filters", () => {
  const pinned = { name: "is", value: "pinned" } as const;

  it("the palette's filters go with the text that they were written in, and stay where they were pressed", () => {
    const typed = withText(withToggled(NO_INPUT, { name: "is", value: "shared" }), "is:pinned in:todos ", false);
    expect(typed).toMatchObject({ text: "", chips: [{ value: "shared" }, { value: "pinned" }], kind: "todo" });
    expect(withText(typed, "boats", true)).toMatchObject({ text: "boats", chips: [{ value: "shared" }], kind: null });
  });

  it("the palette's filters were pressed where they were set again after a step back took them away", () => {
    const again = withToggled(withoutLast(withText(NO_INPUT, "is:pinned ", false)), pinned);
    expect(withText(again, "boats", true).chips).toEqual([pinned]);
    const todos = withKind(withoutLast(withText(NO_INPUT, "in:todos ", false)), "todo");
    expect(withText(todos, "boats", true).kind).toBe("todo");
    expect(withoutLast(withText(NO_INPUT, "in:todos ", false))).toMatchObject({ kind: null, typed: { kind: null } });
  });
});

describe("names of folders and tags", () => {
  const made = { chat_count: 0, unread_count: 0, position: 1, created_at: "2026-11-20T09:41:00.000Z", workspace: "personal" };
  const folders = [
    { ...made, id: "w", name: "Client work", parent_id: null },
    { ...made, id: "a", name: "Acme", parent_id: "w" },
    { ...made, id: "h", name: "Home", parent_id: null },
    { ...made, id: "b", name: "acme", parent_id: "h" },
  ];
  const tags = [{ ...made, id: "t", name: "To read", hue: 45 }];
  const offered = (text: string) => namesFor(text, { folders, tags }).map(({ value }) => value);

  it("names of folders and tags complete the filter at the end of the text, by the path where two have one name", () => {
    expect(offered("lease in:cli")).toEqual(["Client work"]);
    expect(offered('in:"client w')).toEqual(["Client work"]);
    expect(offered("in:ACM")).toEqual(["Client work/Acme", "Home/acme"]);
    expect(offered("in:")).toHaveLength(4);
    expect(offered("tag:r")).toEqual(["To read"]);
    expect(offered("tag:")).toEqual(["To read"]);
    // Whole already, over, or no filter.
    for (const text of ["in:home", "in:home ", "cli", "margin:cli", "from:cli"]) expect(offered(text)).toEqual([]);
  });

  it("names of folders and tags become a chip beside what else was typed", () => {
    const [name] = namesFor("lease in:cli", { folders, tags });
    const completed = withText(NO_INPUT, withName("lease in:cli", name ?? { name: "in", value: "" }), false);
    expect(completed).toMatchObject({ text: "lease ", chips: [{ name: "in", value: "Client work" }] });
    expect(toQuery(completed.text, completed.chips)).toBe('in:"Client work" lease');
    expect(chipLabel({ name: "tag", value: "To read" })).toBe("Tag To read");
  });

  it("names of folders and tags find folders by their words, with where they are", () => {
    expect(foldersNamed("acme", folders)).toEqual([
      { id: "a", name: "Acme", where: "Client work" },
      { id: "b", name: "acme", where: "Home" },
    ]);
    expect(foldersNamed("in:acme", folders)).toEqual([]);
    expect(foldersNamed("", folders)).toEqual([]);
  });

  it("names of folders and tags are shown where there is none", () => {
    expect(unknownText([])).toBe("No results found.");
    expect(unknownText([{ name: "tag", value: "never" }])).toBe("No results found. There is no tag called “never”.");
  });
});

describe("beginning a chat with what is typed", () => {
  const order = (text: string, ...labels: string[]) =>
    orderAroundNewChat(
      labels.map((label) => ({ label })),
      { label: "New chat about" },
      text,
    ).map(({ label }) => label);

  it("beginning a chat with what is typed comes after the actions whose name is being typed, and before those that merely hold the words", () => {
    expect(order("Manage p", "Manage prompts", "How to manage prompts")).toEqual([
      "Manage prompts",
      "New chat about",
      "How to manage prompts",
    ]);
    expect(order("ma", "Manage prompts")).toEqual(["New chat about", "Manage prompts"]);
  });
});

it("the palette's text gives finished filters up to chips, and keeps what is still being typed", () => {
  expect(extractFilters("is:Pinned lease")).toEqual({ text: "lease", chips: [{ name: "is", value: "pinned" }] });
  expect(extractFilters('lease in:"the boat" from:te')).toEqual({ text: "lease from:te", chips: [{ name: "in", value: "the boat" }] });
  expect(extractFilters("is:pinned")).toEqual({ text: "is:pinned", chips: [] });
  expect(extractFilters("after:soon lease")).toEqual({ text: "after:soon lease", chips: [] });
});

it("the palette's text gives the kind that `in:` names up to its button", () => {
  expect(extractFilters("in:Todos lease")).toEqual({ text: "lease", chips: [], kind: "todo" });
  expect(extractFilters('in:"todos" lease')).toEqual({ text: "lease", chips: [{ name: "in", value: "todos" }] });
  expect(extractFilters("lease in:todos")).toEqual({ text: "lease in:todos", chips: [] });
});

it("the palette's text holds each filter once, and lets go of it", () => {
  const chips = addChips(
    [{ name: "is", value: "pinned" }],
    [
      { name: "is", value: "pinned" },
      { name: "in", value: "boat" },
    ],
  );
  expect(chips.map(chipLabel)).toEqual(["Pinned", "In boat"]);
  expect(toggleChip(chips, { name: "in", value: "boat" }).map(chipLabel)).toEqual(["Pinned"]);
});

it("the palette's text asks with chips first and days as moments", () => {
  const chips = [
    { name: "in" as const, value: 'the "boat"' },
    { name: "after" as const, value: "2026-10-05" },
  ];
  const at = new Date(2026, 9, 5).toISOString();
  expect(toQuery("lease before:2026-10-05", chips)).toBe(`in:"the boat" after:${at} lease before:${at}`);
  expect(toQuery(" ", [])).toBe("");
});

it("the palette's text knows titles by the beginnings of their words", () => {
  expect(titleMatches("Crème brûlée for two", "brul CREME")).toBe(true);
  expect(titleMatches("Crème brûlée for two", "rule")).toBe(false);
  expect(plainQueryText('is:pinned "notice period" lease')).toBe("notice period lease");
});

it("what was found stands by chat, and folds what is too much", () => {
  const groups = groupHits([hit("a", "1"), hit("b", "2"), hit("a", "3"), hit("a", "4"), hit("a", "5"), hit("a", "6")]);
  expect(groups.map(({ chatId, more }) => [chatId, more.length])).toEqual([
    ["a", 4],
    ["b", 0],
  ]);
  expect(
    groupHits([hit("a", "a", "chat"), hit("a", "1"), hit("b", "2"), hit("b", "b", "chat")]).map(({ lead, more }) => [lead.id, more.length]),
  ).toEqual([
    ["a", 1],
    ["2", 0],
  ]);
  const unfolded = new Set<string>();
  expect(foundItems(groups, { unfolded, hasMore: true }).map(({ id }) => id)).toEqual([
    "hit-a",
    "more-3",
    "more-4",
    "unfold-a",
    "hit-b",
    "older",
  ]);
  expect(
    shownOf(
      groupHits([hit("a", "1"), hit("a", "2"), hit("a", "3"), hit("a", "4")])[0] ?? { chatId: "", lead: hit("", ""), more: [] },
      unfolded,
    ).folded,
  ).toBe(0);
  expect(foundItems(groups, { unfolded: new Set(["a"]), hasMore: false })).toHaveLength(6);
});

it("what was found is stepped through around the ends", () => {
  const items = foundItems(groupHits([hit("a", "1"), hit("b", "2")]), { unfolded: new Set(), hasMore: false });
  expect([stepFrom(items, null, 1), stepFrom(items, "hit-b", 1), stepFrom(items, "hit-a", -1), stepFrom([], null, 1)]).toEqual([
    "hit-a",
    "hit-a",
    "hit-b",
    null,
  ]);
});

it("what was found leads to the very message, and keeps its match in view", () => {
  expect(pathOfHit(hit("a", "1"))).toBe("/c/a?message=1");
  expect(pathOfHit(hit("a", "a", "chat"))).toBe("/c/a");
  const long = { text: "one two three four notice", ranges: [{ start: 19, end: 25 }] };
  expect(nearMatch(long, 40)).toEqual(long);
  const near = nearMatch(long, 12);
  expect(near.text).toBe("… three four notice");
  expect(near.ranges.map(({ start, end }) => near.text.slice(start, end))).toEqual(["notice"]);
});

it("what was found comes into the transcript in pages that can be read again", () => {
  const messages = Array.from({ length: 70 }, (_, n) => answer({ id: `m${n}` }));
  const pages = splitPages({ messages, nextCursor: "m0" }, 30);
  expect(pages.pages.map((page) => [page.messages.length, page.nextCursor])).toEqual([
    [30, "m40"],
    [30, "m10"],
    [10, "m0"],
  ]);
  expect(pages.pageParams).toEqual([undefined, "m40", "m10"]);
  expect(pathOf(pages)).toEqual(messages);
});
