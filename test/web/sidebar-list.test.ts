import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { UNREAD_COUNT_MAX } from "#shared/limits.ts";
import {
  appendPage,
  countUnread,
  holdsAllUnread,
  patchChat,
  removeChat,
  upsertChat,
  isBefore,
  groupRank,
} from "#web/features/conversation/chat-cache/chat-pages.ts";
import type { ChatPages, CachedPage } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { hideChat, showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { listItems } from "#web/features/conversation/chat-list/list-items.ts";
import { emitLive, forgetCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { chatRow } from "./chat-factory.ts";

const NOW = new Date("2026-11-20T16:00:00.000Z");

function cachedPages(pages: Chat[][], more = false): ChatPages {
  return {
    pages: pages.map((chats, index) => ({
      chats,
      nextCursor: index < pages.length - 1 || more ? `after ${index}` : null,
      unreadCount: index === 0 ? 4 : 0,
      liveCursor: "0",
      end: chats.at(-1),
    })),
  };
}

const ids = ({ pages }: ChatPages) => pages.map((page) => page.chats.map(({ id }) => id));
const all = { view: "all", now: NOW.getTime() } as const;
const inbox = { view: "inbox", now: NOW.getTime() } as const;

const pages = cachedPages([
  [chatRow("e", "2026-11-20T15:00:00.000Z"), chatRow("d", "2026-11-20T14:00:00.000Z")],
  [chatRow("c", "2026-11-20T13:00:00.000Z"), chatRow("a", "2026-11-20T11:00:00.000Z")],
]);

test("a row that changed moves to where its time says, across pages", () => {
  expect(ids(upsertChat(pages, chatRow("a", "2026-11-20T16:00:00.000Z"), all))).toEqual([["a", "e", "d"], ["c"]]);
  expect(ids(upsertChat(pages, chatRow("e", "2026-11-20T12:00:00.000Z"), all))).toEqual([["d"], ["c", "e", "a"]]);
});

test("a row that changed stands by its id among rows of the same time, as the server pages", () => {
  expect(ids(upsertChat(pages, chatRow("f", "2026-11-20T15:00:00.000Z"), all))).toEqual([
    ["f", "e", "d"],
    ["c", "a"],
  ]);
  expect(ids(upsertChat(pages, chatRow("b", "2026-11-20T15:00:00.000Z"), all))).toEqual([
    ["e", "b", "d"],
    ["c", "a"],
  ]);
});

test("a row that changed beyond the loaded pages is left to the next one, but not when the row that ended them has moved", () => {
  const two = cachedPages([[chatRow("e", "2026-11-20T15:00:00.000Z"), chatRow("d", "2026-11-20T14:00:00.000Z")]], true);
  expect(ids(upsertChat(two, chatRow("z", "2020-01-01T00:00:00.000Z"), all))).toEqual([["e", "d"]]);
  const moved = upsertChat(two, chatRow("d", "2026-11-20T16:00:00.000Z"), all);
  expect(ids(upsertChat(moved, chatRow("x", "2026-11-20T14:30:00.000Z"), all))).toEqual([["d", "e", "x"]]);
  expect(ids(upsertChat(moved, chatRow("d", "2026-11-20T14:00:00.000Z"), all))).toEqual([["e", "d"]]);
});

test("a row that changed enters and leaves a view by its marks", () => {
  const old = "2026-10-01T10:00:00.000Z";
  const list = cachedPages([[chatRow("u", "2026-11-20T12:00:00.000Z", { isRead: false }), chatRow("r", "2026-11-20T13:00:00.000Z")]]);
  expect(ids(upsertChat(list, chatRow("p", old, { isPinned: true }), inbox))).toEqual([["u", "p", "r"]]);
  expect(ids(upsertChat(list, chatRow("u", old), inbox))).toEqual([["r"]]);
  expect(ids(upsertChat(list, chatRow("u", old, { isRead: false, archived: true }), inbox))).toEqual([["r"]]);
  expect(ids(upsertChat(cachedPages([[]]), chatRow("u", old, { archived: true }), { ...all, view: "archived" }))).toEqual([["u"]]);
});

test("a row that changed leaves the other rows alone when it is deleted or renamed", () => {
  expect(ids(removeChat(pages, "c"))).toEqual([["e", "d"], ["a"]]);
  expect(removeChat(pages, "unknown")).toBe(pages);
  const patched = patchChat(pages, "d", { title: "Renamed" });
  expect(patched.pages[0]?.chats[1]?.title).toBe("Renamed");
  expect(patched.pages[0]?.chats[0]).toBe(pages.pages[0]?.chats[0]);
  expect(patched.pages[1]).toBe(pages.pages[1]);
});

test("the count of unread chats follows, and never falls below none", () => {
  expect(countUnread(pages, 3).pages[0]?.unreadCount).toBe(7);
  expect(countUnread(pages, -9).pages[0]?.unreadCount).toBe(0);
});

test("whether more unread chats exist than are loaded is known from where the pages end", () => {
  const unread = chatRow("u", "2026-11-20T12:00:00.000Z", { isRead: false });
  expect(holdsAllUnread(cachedPages([[unread]], true), NOW.getTime())).toBe(false);
  expect(holdsAllUnread(cachedPages([[unread]]), NOW.getTime())).toBe(true);
  expect(holdsAllUnread(cachedPages([[unread, chatRow("r", "2026-11-20T13:00:00.000Z")]], true), NOW.getTime())).toBe(true);
});

describe("the lines of a list", () => {
  const headings = (view: ChatView, chats: Chat[], now: Date) =>
    listItems(view, cachedPages([chats]).pages, now).flatMap((item) => (item.kind === "group" ? [item.label] : []));

  test("the lines of a list are one heading for each day, week and month", () => {
    const now = new Date(2026, 10, 20, 12);
    const at = (day: number, month = 10, year = 2026) => new Date(year, month, day, 9).toISOString();
    const rows = [at(20), at(20), at(19), at(17), at(13), at(2), at(30, 9), at(1, 9), at(31, 11, 2025)];
    expect(
      headings(
        "all",
        rows.map((time, index) => chatRow(String(index), time)),
        now,
      ),
    ).toEqual(["Today", "Yesterday", "Last week", "November", "October", "December 2025"]);
  });

  test("the lines of a list of the inbox are Unread, Pinned and Last 24 hours, each only where it has a chat; what grows old leaves", () => {
    const rows = [
      chatRow("u", "2026-10-01T10:00:00.000Z", { isRead: false, isPinned: true }),
      chatRow("p", "2026-10-01T10:00:00.000Z", { isPinned: true }),
      chatRow("r", "2026-11-20T13:00:00.000Z"),
    ];
    expect(headings("inbox", rows, NOW)).toEqual(["Unread", "Pinned", "Last 24 hours"]);
    expect(headings("inbox", rows.slice(1), NOW)).toEqual(["Pinned", "Last 24 hours"]);
    expect(headings("inbox", rows, new Date("2026-11-21T13:00:00.001Z"))).toEqual(["Unread", "Pinned"]);
  });
});

describe("however chats change while pages are loaded", () => {
  const PAGE = 3;
  type Step = { id: string; hour: number; isRead: boolean; isPinned: boolean; archived: boolean; kind: "change" | "delete" | "more" };
  const steps = fc.array(
    fc.record<Step>({
      id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
      hour: fc.integer({ min: 0, max: 47 }),
      isRead: fc.boolean(),
      isPinned: fc.boolean(),
      archived: fc.boolean(),
      kind: fc.constantFrom("change", "change", "delete", "more"),
    }),
    { minLength: 10, maxLength: 60 },
  );

  const sorted = (view: ChatView, chats: Iterable<Chat>) =>
    [...chats]
      .filter((row) => groupRank(view, row, NOW.getTime()) !== null)
      .toSorted((a, b) => (isBefore(view, a, b, NOW.getTime()) ? -1 : 1));

  /** The server's page after the row that ended the last one, by keyset. */
  const pageAfter = (view: ChatView, chats: Iterable<Chat>, end: Chat | undefined): CachedPage => {
    const rest = sorted(view, chats).filter((row) => end === undefined || isBefore(view, end, row, NOW.getTime()));
    const page = rest.slice(0, PAGE);
    const isMore = rest.length > PAGE;
    return { chats: page, nextCursor: isMore ? "more" : null, unreadCount: 0, liveCursor: "0", end: isMore ? page.at(-1) : undefined };
  };

  test.each(["inbox", "all", "archived"] as const)(
    "however chats change while pages are loaded: '%s' shows each chat once, in the server's order, without a gap",
    (view) => {
      fc.assert(
        fc.property(steps, (run) => {
          const server = new Map<string, Chat>();
          for (const id of "abcdef") server.set(id, chatRow(id, new Date(NOW.getTime() - id.charCodeAt(0) * 600_000).toISOString()));
          let list: ChatPages = { pages: [pageAfter(view, server.values(), undefined)] };
          const loadMore = () => {
            const last = list.pages.at(-1);
            if (last?.nextCursor != null) list = appendPage(list, pageAfter(view, server.values(), last.end));
          };
          for (const { kind, id, hour, ...marks } of run) {
            if (kind === "more") loadMore();
            if (kind === "delete") {
              server.delete(id);
              list = removeChat(list, id);
            }
            if (kind === "change") {
              const row = chatRow(id, new Date(NOW.getTime() - hour * 3_600_000).toISOString(), marks);
              server.set(id, row);
              list = upsertChat(list, row, { view, now: NOW.getTime() });
            }
            const shown = listItems(view, list.pages, NOW).flatMap((item) => (item.kind === "chat" ? [item.chat] : []));
            const truth = sorted(view, server.values());
            expect(new Set(shown.map((row) => row.id)).size).toBe(shown.length);
            expect(shown.map((row) => row.id)).toEqual(truth.slice(0, shown.length).map((row) => row.id));
          }
          for (let n = 0; n < 10; n += 1) loadMore();
          expect(list.pages.flatMap(({ chats }) => chats)).toEqual(sorted(view, server.values()));
        }),
        { numRuns: 200 },
      );
    },
  );
});

describe("the count of unread chats", () => {
  const event = (cursor: number) => emitLive({ type: "user.changed", cursor: String(cursor) });

  afterEach(() => {
    vi.unstubAllGlobals();
    queryClient.clear();
    forgetCursor();
  });

  test("the count of unread chats is asked for anew when a chat goes that no page holds, and taken only once it knows of all the updates", async () => {
    const unread = chatRow("held", "2026-11-20T15:00:00.000Z", { isRead: false });
    queryClient.setQueryData(keys.chats("all", "inbox"), cachedPages([[unread]], true));
    const answers = [
      { unreadCount: 9, liveCursor: "6" },
      { unreadCount: 2, liveCursor: "8" },
    ];
    const asked = vi.fn<() => Promise<Response>>(async () => {
      // A row goes while the first answer is on its way, which does not know of it yet.
      if (answers.length === 2) hideChat("held");
      event(8);
      return Response.json(answers.shift() ?? { unreadCount: 2, liveCursor: "8" });
    });
    vi.stubGlobal("fetch", asked);
    event(7);
    hideChat("elsewhere");
    const count = () => queryClient.getQueryData<ChatPages>(keys.chats("all", "inbox"))?.pages[0]?.unreadCount;
    await vi.waitFor(() => expect(count()).toBe(2));
    // Once more where a machine is so busy that the last news comes after the wait for more of it.
    expect([2, 3]).toContain(asked.mock.calls.length);
  });

  test("the count of unread chats is asked for anew when one of more than the server counts is read", async () => {
    const row = chatRow("held", "2026-11-20T15:00:00.000Z", { isRead: false });
    const [first] = cachedPages([[row]], true).pages;
    if (!first) throw new Error("There is no page.");
    queryClient.setQueryData<ChatPages>(keys.chats("all", "inbox"), { pages: [{ ...first, unreadCount: UNREAD_COUNT_MAX }] });
    vi.stubGlobal("fetch", async () => Response.json({ unreadCount: 150, liveCursor: "1" }));
    showChat({ ...row, isRead: true });
    const count = () => queryClient.getQueryData<ChatPages>(keys.chats("all", "inbox"))?.pages[0]?.unreadCount;
    await vi.waitFor(() => expect(count()).toBe(150));
  });
});
