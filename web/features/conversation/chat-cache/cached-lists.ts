import type { ChatView, listChats } from "#shared/contracts/chat/chats.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import * as z from "zod/mini";

/** A page of a list, and the row it ended with when it was read: where the next one begins, whatever becomes of that row. */
export type CachedPage = Omit<ResponseOf<typeof listChats>, "waitingCount"> & { end: Chat | undefined };
export type ChatPages = { pages: CachedPage[] };

/** What a list is narrowed to: a folder, `none` for chats in no folder; a tag. */
export type ListScope = { folder?: string | undefined; tag?: string | undefined };

const someScope = z.optional(z.looseObject({ folder: z.optional(z.string()), tag: z.optional(z.string()) }));

/** A view of one workspace, or a part of it. */
export type List = { workspace: WorkspaceId; view: ChatView; scope?: ListScope | undefined };

const VIEWS = ["inbox", "all", "archived"] as const satisfies ChatView[];

/** The lists that hold pages, of the workspace that is shown and of those that were: the same events keep all of them right. */
export function cachedLists(): List[] {
  return queryClient.getQueriesData<ChatPages>({ queryKey: ["chats"] }).flatMap(([[, workspace, name, part], pages]) => {
    const view = VIEWS.find((known) => known === name);
    const scope = someScope.safeParse(part);
    return pages && view && typeof workspace === "string" && scope.success ? [{ workspace, view, scope: scope.data }] : [];
  });
}

/** The pages of a list as they are held; undefined while there are none. */
export function cachedPages({ workspace, view, scope }: List): ChatPages | undefined {
  return queryClient.getQueryData<ChatPages>(keys.chats(workspace, view, scope));
}

/** Where the live events stood when the oldest held list was read; undefined while there is none. */
export function oldestCachedCursor(): string | undefined {
  const cursors = cachedLists().flatMap((list) => cachedPages(list)?.pages[0]?.liveCursor ?? []);
  return cursors.toSorted((a, b) => Number(a) - Number(b))[0];
}

/** True when the hub had news, at `cursor`, that neither the held lists nor an event brought to this tab. */
export function hasMissedEvents(cursor: string): boolean {
  return Math.max(Number(oldestCachedCursor() ?? 0), seenCursor()) < Number(cursor);
}

/** A page's rows by their ids: a page that changes is another one. */
const rowsOfPages = new WeakMap<CachedPage, ReadonlyMap<string, Chat>>();

function rowsOf(page: CachedPage): ReadonlyMap<string, Chat> {
  const rows = rowsOfPages.get(page) ?? new Map(page.chats.map((chat) => [chat.id, chat]));
  rowsOfPages.set(page, rows);
  return rows;
}

/** A chat's row as the held lists have it. */
export function cachedChat(chatId: string): Chat | undefined {
  return cachedChats([chatId])[0];
}

/** Chats' rows as the held lists have them, each where there is one. */
export function cachedChats(chatIds: readonly string[]): (Chat | undefined)[] {
  const pages = cachedLists().flatMap((list) => (cachedPages(list)?.pages ?? []).map(rowsOf));
  return chatIds.map((id) => pages.find((rows) => rows.has(id))?.get(id));
}
