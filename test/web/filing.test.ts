import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { FILED_CHATS } from "#shared/limits.ts";
import type { ChatPages, ListScope } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { isInScope } from "#web/features/conversation/chat-cache/list-scope.ts";
import { placeToBeginIn } from "#web/features/conversation/filing/begin-place.ts";
import { moveFolder, removeFolder } from "#web/features/conversation/folders/change-folders.ts";
import { totalsOf } from "#web/features/conversation/folders/folder-tree.ts";
import { moveList } from "#web/features/conversation/folders/file-list.ts";
import { cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";
import { moveChats } from "#web/features/conversation/folders/move-chats.ts";
import { followFiling, foldersIn } from "#web/features/conversation/filing/use-folders.ts";
import { setTag } from "#web/features/conversation/tags/change-tags.ts";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { setWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { emitLive, forgetCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastStore } from "#web/ui/toast/toast-store.ts";
import { chatRow } from "./chat-factory.ts";

const AT = "2026-11-23T07:00:00.000Z";
const UNFILED: ListScope = { folder: "none" };

const chat = (id: string, fields: Partial<Chat> = {}) => chatRow(id, AT, fields);

function folder(id: string, fields: Partial<Folder> = {}): Folder {
  return { id, name: id, parent_id: null, workspace: "personal", position: 1, chat_count: 0, unread_count: 0, created_at: AT, ...fields };
}

const tag: Tag = { id: "tax", name: "Tax", hue: 45, chat_count: 0, created_at: AT };

function hold(scope: ListScope | undefined, chats: Chat[]): void {
  const pages = [{ chats, nextCursor: null, unreadCount: 0, liveCursor: "0", end: chats.at(-1) }];
  queryClient.setQueryData<ChatPages>(keys.chats("all", "all", scope), { pages });
}

const listed = (scope?: ListScope) =>
  queryClient.getQueryData<ChatPages>(keys.chats("all", "all", scope))?.pages.flatMap(({ chats }) => chats.map(({ id }) => id));
const counts = (id: string) => {
  const found = cachedFolders()?.folders.find((known) => known.id === id);
  return found && [found.chat_count, found.unread_count];
};
const notices = () => toastStore.read().map(({ title, description }) => [title, description]);

let answer: () => Response | Promise<Response>;

beforeEach(() => {
  queryClient.setQueryData(keys.session, { user: { id: "me", anonymous: false }, features: {} });
  queryClient.setQueryData(keys.folders, { folders: [folder("work"), folder("home", { position: 2 })], tags: [tag] });
  vi.stubGlobal("fetch", async () => answer());
});

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  setView("inbox");
  for (const { id } of toastStore.read()) toastStore.remove(id);
});

test("a chat stands in its folder's list and in those of its tags, and among the others only without a folder", () => {
  const filed = chat("a", { folder_id: "work", tags: ["tax"] });
  expect(isInScope({ folder: "work" }, "all", filed)).toBe(true);
  expect(isInScope({ folder: "home" }, "all", filed)).toBe(false);
  expect(isInScope({ tag: "tax" }, "all", filed)).toBe(true);
  expect(isInScope({ tag: "tax" }, "all", chat("b"))).toBe(false);
  expect(isInScope(UNFILED, "all", filed)).toBe(false);
  expect(isInScope(UNFILED, "all", chat("b"))).toBe(true);
  expect(isInScope(undefined, "all", filed)).toBe(true);
});

test("a chat in a folder of one workspace is in none of another's", () => {
  queryClient.setQueryData(keys.folders, { folders: [folder("launch", { workspace: "crew" })], tags: [] });
  const filed = chat("a", { folder_id: "launch", teams: ["crew", "board"] });
  expect(isInScope(UNFILED, "crew", filed)).toBe(false);
  expect(isInScope(UNFILED, "board", filed)).toBe(true);
  expect(isInScope(UNFILED, "all", filed)).toBe(false);
});

test("an event about a chat moves it between the loaded lists", () => {
  hold(undefined, [chat("a")]);
  hold(UNFILED, [chat("a")]);
  hold({ folder: "work" }, []);
  showChat(chat("a", { folder_id: "work" }));
  expect([listed(), listed(UNFILED), listed({ folder: "work" })]).toEqual([["a"], [], ["a"]]);
  showChat(chat("a"));
  expect([listed(), listed(UNFILED), listed({ folder: "work" })]).toEqual([["a"], ["a"], []]);
});

test("a chat begun while a folder is opened goes into it", () => {
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
  setView("all", { folder: "work" });
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: "work" });
  setView("all", { tag: "tax" });
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
  // Deleted elsewhere.
  setView("all", { folder: "gone" });
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
});

test("a chat begun while a team's folder is opened is the team's too, though all workspaces are shown", () => {
  const team = { id: "crew", name: "Crew", content_admin_only: false, user_role: "member" as const };
  const folders = [folder("launch", { workspace: "crew" })];
  queryClient.setQueryData(keys.folders, { folders, tags: [] });
  setView("all", { folder: "launch" });
  // Not yet known who is in the team.
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
  queryClient.setQueryData(keys.ownTeams, { teams: [team] });
  expect(placeToBeginIn()).toEqual({ teamId: "crew", folderId: "launch" });
  queryClient.setQueryData(keys.ownTeams, { teams: [{ ...team, content_admin_only: true }] });
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
  setWorkspace({ userId: "me", id: "personal", name: "Personal", isClosed: false });
  expect(placeToBeginIn()).toEqual({ teamId: null, folderId: null });
  setWorkspace({ userId: "me", id: "crew", name: "Crew", isClosed: false });
  expect(placeToBeginIn()).toEqual({ teamId: "crew", folderId: "launch" });
  setWorkspace(null);
});

test("folders of a workspace stand in their order, one's own before a team's", () => {
  const all = [folder("z", { workspace: "crew" }), folder("b", { position: 2 }), folder("a"), folder("c", { position: 1.5 })];
  expect(foldersIn(all, "all").map(({ id }) => id)).toEqual(["a", "c", "b", "z"]);
  expect(foldersIn(all, "crew").map(({ id }) => id)).toEqual(["z"]);
});

test("a folder whose parent is missing, or of another workspace, stands at the top", () => {
  const lost = [folder("a", { parent_id: "z" }), folder("b", { parent_id: "gone", position: 2 }), folder("z", { workspace: "crew" })];
  for (const workspace of ["all", "personal"] as const) {
    const shown = foldersIn([...lost, folder("c", { parent_id: "a" })], workspace).filter((one) => one.workspace === "personal");
    expect(shown.map(({ id, parent_id: parent }) => [id, parent])).toEqual([
      ["a", null],
      ["c", "a"],
      ["b", null],
    ]);
  }
});

test("folders are read again for a chat only where it counts otherwise than before", () => {
  vi.useFakeTimers();
  let reads = 0;
  const stop = followFiling(() => (reads += 1));
  let cursor = 0;
  const readsAfter = (fields: Partial<Chat>) => {
    emitLive({ type: "chat.changed", cursor: String((cursor += 1)), chat: chat("a", fields) });
    vi.runAllTimers();
    return reads;
  };
  const filed = { folder_id: "work", title: "Told again" };
  const all = [{}, filed, filed, { ...filed, isRead: false }, filed, { ...filed, archived: true }, {}, {}, { tags: ["tax"] }];
  expect(all.map(readsAfter)).toEqual([0, 1, 1, 2, 3, 4, 5, 5, 6]);
  stop();
  vi.useRealTimers();
  forgetCursor();
});

test("folders count with what lies in them", () => {
  const counted = (id: string, parent: string | null, chats: number, unread: number) =>
    folder(id, { parent_id: parent, chat_count: chats, unread_count: unread });
  const totals = totalsOf([counted("deep", "inner", 3, 1), counted("top", null, 1, 0), counted("inner", "top", 2, 0)]);
  expect(totals.get("top")).toEqual({ chats: 6, unread: 1 });
  expect(totals.get("deep")).toEqual({ chats: 3, unread: 1 });
});

describe("what is changed here", () => {
  const refuse = () => Response.json({ error: "Filing rests.", code: "INTERNAL" }, { status: 503 });

  test("chats go to a folder at once, are counted there, and come back with the reason when they are refused", async () => {
    const unread = chat("a", { isRead: false });
    hold(UNFILED, [unread, chat("b")]);
    hold({ folder: "work" }, []);
    const asked = Promise.withResolvers<void>();
    answer = () => asked.promise.then(refuse);
    const moving = moveChats([unread, chat("b")], folder("work"));
    expect(listed(UNFILED)).toEqual([]);
    expect(listed({ folder: "work" })?.toSorted()).toEqual(["a", "b"]);
    await vi.waitFor(() => expect(counts("work")).toEqual([2, 1]));
    asked.resolve();
    await moving;
    expect(listed(UNFILED)?.toSorted()).toEqual(["a", "b"]);
    expect(listed({ folder: "work" })).toEqual([]);
    expect(counts("work")).toEqual([0, 0]);
    expect(notices()).toEqual([["2 chats were not moved", "Filing rests."]]);
  });

  test("of many chats that are changed here only those that were refused come back", async () => {
    hold(UNFILED, [chat("a"), chat("b")]);
    const results = [
      { id: "a", ok: true },
      { id: "b", ok: false, code: "NOT_FOUND", reason: "It stands in another workspace." },
    ];
    answer = () => Response.json({ results, changed: 1 });
    await moveChats([chat("a"), chat("b")], folder("work"));
    expect(listed(UNFILED)).toEqual(["b"]);
    expect(notices()).toEqual([["Chat moved to “work”", "1 chat stayed: It stands in another workspace."]]);
  });

  test("where a later part of many chats fails, those before it stay moved", async () => {
    const many = Array.from({ length: FILED_CHATS + 1 }, (_, index) => chat(`c${index}`));
    hold(UNFILED, many);
    const results = many.slice(0, FILED_CHATS).map(({ id }) => ({ id, ok: true }));
    const answers = [Response.json({ results, changed: FILED_CHATS }), refuse()];
    answer = () => answers.shift() ?? refuse();
    await moveChats(many, folder("work"));
    expect(listed(UNFILED)).toEqual([`c${FILED_CHATS}`]);
    expect(notices()).toEqual([[`${FILED_CHATS} chats moved to “work”`, "1 chat stayed: Filing rests."]]);
  });

  test("all that a list holds goes in one request, each loaded list is changed once, and Undo asks by the answer's token", async () => {
    const loaded = Array.from({ length: 300 }, (_, n) => chat(`c${n}`));
    hold(UNFILED, loaded);
    hold({ folder: "work" }, []);
    const bodies: unknown[] = [];
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      if (typeof init.body === "string") bodies.push(JSON.parse(init.body));
      return Response.json({ results: [], changed: 9_000, refused: 0, undo_token: "token" });
    });
    let changes = 0;
    const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.queryKey[0] === "chats") changes += 1;
    });
    const moving = moveList({ workspace: "all", view: "all", scope: UNFILED }, folder("work"));
    stop();
    expect(listed({ folder: "work" })).toHaveLength(300);
    expect(changes).toBeLessThan(10);
    await moving;
    expect(bodies).toEqual([{ filter: { view: "all", folder: "none" }, folder_id: "work" }]);
    expect(toastStore.read()[0]?.title).toBe("9,000 chats moved to “work”");
    toastStore.read()[0]?.action?.onClick();
    await vi.waitFor(() => expect(bodies.at(-1)).toEqual({ undo: "token" }));
  });

  test("a tag is on its chats at once, and off again when it is refused", async () => {
    hold({ tag: "tax" }, []);
    hold(undefined, [chat("a")]);
    answer = refuse;
    const tagging = setTag([chat("a")], tag, true);
    expect(listed({ tag: "tax" })).toEqual(["a"]);
    await tagging;
    expect(listed({ tag: "tax" })).toEqual([]);
    expect(notices()).toEqual([["The chat was not tagged", "Filing rests."]]);
  });

  test("a folder that may not move or go stays as it was", async () => {
    answer = refuse;
    const before = cachedFolders();
    expect(await moveFolder("work", { parentId: "home", beforeId: null })).toBe(false);
    expect(cachedFolders()).toEqual(before);
    expect(await removeFolder(folder("work"))).toBe(false);
    expect(cachedFolders()).toEqual(before);
    expect(notices()).toEqual([
      ["The folder was not moved", "Filing rests."],
      ["The folder was not deleted", "Filing rests."],
    ]);
  });
});
