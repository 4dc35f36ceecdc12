import { describe, expect, test } from "vitest";
import type { Chat } from "#shared/entities/chat.ts";
import { type ChatPages, patchChat, removeChat, upsertChat } from "#web/features/sidebar/chat-pages.ts";
import { listItems } from "#web/features/sidebar/list-items.ts";

function chat(id: string, at: string, fields: Partial<Chat> = {}): Chat {
  return {
    id,
    user_id: "me",
    title: id,
    public: false,
    archived: false,
    isPinned: false,
    isRead: true,
    lastMessageAt: at,
    lastMessagePreview: "",
    lastMessageSender: "",
    created_at: at,
    isShared: false,
    hasBeenShared: false,
    permissionLevel: "owner",
    sharedByName: null,
    isStreaming: false,
    ...fields,
  };
}

function held(pages: Chat[][], more = false): ChatPages {
  return {
    pages: pages.map((chats, index) => ({
      chats,
      nextCursor: index < pages.length - 1 || more ? `after ${index}` : null,
      unreadCount: index === 0 ? 4 : 0,
      liveCursor: "0",
    })),
    pageParams: pages.map((_, index) => (index === 0 ? undefined : `after ${index - 1}`)),
  };
}

const ids = ({ pages }: ChatPages) => pages.map((page) => page.chats.map(({ id }) => id));
const counted = ({ pages }: ChatPages) => pages[0]?.unreadCount;

const pages = held([
  [chat("e", "2026-11-20T15:00:00.000Z"), chat("d", "2026-11-20T14:00:00.000Z")],
  [chat("c", "2026-11-20T13:00:00.000Z"), chat("a", "2026-11-20T11:00:00.000Z")],
]);

describe("a row that changed", () => {
  test("moves to where its time says, across pages", () => {
    expect(ids(upsertChat(pages, chat("a", "2026-11-20T16:00:00.000Z")))).toEqual([["a", "e", "d"], ["c"]]);
    expect(ids(upsertChat(pages, chat("e", "2026-11-20T12:00:00.000Z")))).toEqual([["d"], ["c", "e", "a"]]);
  });

  test("is added when it is new, at its place", () => {
    expect(ids(upsertChat(pages, chat("b", "2026-11-20T12:00:00.000Z")))).toEqual([
      ["e", "d"],
      ["c", "b", "a"],
    ]);
  });

  test("stands by its id among rows of the same time, as the server pages", () => {
    expect(ids(upsertChat(pages, chat("f", "2026-11-20T15:00:00.000Z")))).toEqual([
      ["f", "e", "d"],
      ["c", "a"],
    ]);
    expect(ids(upsertChat(pages, chat("b", "2026-11-20T15:00:00.000Z")))).toEqual([
      ["e", "b", "d"],
      ["c", "a"],
    ]);
  });

  test("older than all rows is the last one only where no page is missing", () => {
    const old = chat("z", "2020-01-01T00:00:00.000Z");
    expect(ids(upsertChat(pages, old))).toEqual([
      ["e", "d"],
      ["c", "a", "z"],
    ]);
    expect(ids(upsertChat(held([[chat("e", "2026-11-20T15:00:00.000Z")]], true), old))).toEqual([["e"]]);
  });

  test("enters an empty list", () => {
    expect(ids(upsertChat(held([[]]), chat("a", "2026-11-20T11:00:00.000Z")))).toEqual([["a"]]);
  });

  test("changes the count of unread chats by what changed in it", () => {
    const news = upsertChat(pages, chat("a", "2026-11-20T16:00:00.000Z", { isRead: false }));
    expect(counted(news)).toBe(5);
    expect(counted(upsertChat(news, chat("a", "2026-11-20T17:00:00.000Z", { isRead: false })))).toBe(5);
    expect(counted(upsertChat(news, chat("a", "2026-11-20T16:00:00.000Z")))).toBe(4);
    expect(counted(removeChat(news, "a"))).toBe(4);
  });
});

test("a row that was deleted leaves the others alone", () => {
  expect(ids(removeChat(pages, "c"))).toEqual([["e", "d"], ["a"]]);
  expect(ids(removeChat(pages, "unknown"))).toEqual(ids(pages));
});

test("a patch keeps the row's place and the other rows' identity", () => {
  const patched = patchChat(pages, "d", { title: "Renamed" });
  expect(ids(patched)).toEqual(ids(pages));
  expect(patched.pages[0]?.chats[1]?.title).toBe("Renamed");
  expect(patched.pages[0]?.chats[0]).toBe(pages.pages[0]?.chats[0]);
});

test("the list has one heading for each day, week and month", () => {
  const now = new Date(2026, 10, 20, 12);
  const at = (day: number, month = 10, year = 2026) => new Date(year, month, day, 9).toISOString();
  const rows = [at(20), at(20), at(19), at(17), at(13), at(2), at(30, 9), at(1, 9), at(31, 11, 2025)];
  const items = listItems(
    rows.map((time, index) => chat(String(index), time)),
    now,
  );
  const headings = items.flatMap((item) => (item.kind === "group" ? [item.label] : []));
  expect(headings).toEqual(["Today", "Yesterday", "Last week", "November", "October", "December 2025"]);
  expect(items).toHaveLength(rows.length + headings.length);
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});
