import { type BulkResult, changeChats } from "#shared/contracts/chat/inbox.ts";
import { fileChats, tagChats } from "#shared/contracts/folders.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { cachedPages, type List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { inWorkspace } from "#web/features/conversation/chat-cache/use-chats.ts";
import { showMarksOptimistically } from "#web/features/conversation/chat-cache/mark-chat.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { call } from "#web/lib/api.ts";
import { queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { change } from "#web/features/conversation/filing/filing-change.ts";

/** The rows of a list that are loaded: what is done to all of it is shown ahead on these. */
export function loadedRows(list: List): Chat[] {
  return cachedPages(list)?.pages.flatMap(({ chats }) => chats) ?? [];
}

/** Puts all that a list holds into a folder, or out of theirs; with a way back. */
export async function moveList(list: List, folder: Pick<Folder, "id" | "name"> | null): Promise<void> {
  const folderId = folder?.id ?? null;
  const failure = "The chats were not moved";
  const takeBack = showMarksOptimistically(loadedRows(list), () => ({ folder_id: folderId }));
  const answer = await change({ show: (held) => held, failure }, () =>
    call(fileChats, { body: { filter: filterOf(list), folder_id: folderId } }),
  );
  if (answer === null) return takeBack(() => true);
  const { changed, undo_token: token } = answer;
  const reason = settle(answer, takeBack);
  if (changed === 0) return void (reason !== "" && toast({ tone: "danger", title: failure, description: reason }));
  toast({
    title: `${chatCountLabel(changed)} moved ${folder ? `to “${folder.name}”` : "out of the folder"}`,
    ...(reason !== "" && { tone: "warning" as const, description: `${chatCountLabel(answer.refused)} stayed: ${reason}` }),
    ...(token !== null && { action: { label: "Undo", onClick: () => void moveBack(token) } }),
  });
}

async function moveBack(token: string): Promise<void> {
  const undone = await change({ show: (held) => held, failure: "Failed to undo" }, () => call(changeChats, { body: { undo: token } }));
  if (undone) toast({ title: "Undone" });
}

/** Puts a tag on all that a list holds by its name, which makes it where there is none, or takes one off. */
export async function tagList(list: List, tag: { name: string; id?: string }, isOn: boolean): Promise<void> {
  const { id } = tag;
  const body = isOn || id === undefined ? { add: [tag.name] } : { remove: [id] };
  const marked = (tags: readonly string[], tagId: string) => [...tags.filter((other) => other !== tagId), ...(isOn ? [tagId] : [])];
  const takeBack = id === undefined ? null : showMarksOptimistically(loadedRows(list), ({ tags }) => ({ tags: marked(tags, id) }));
  const answer = await change({ show: (held) => held, failure: "The chats were not tagged" }, () =>
    call(tagChats, { body: { filter: filterOf(list), ...body } }),
  );
  if (answer === null) return takeBack?.(() => true);
  const reason = settle(answer, takeBack ?? (() => {}));
  if (reason !== "") toast({ tone: "warning", title: `${chatCountLabel(answer.refused)} not tagged`, description: reason });
  return undefined;
}

function filterOf({ workspace, view, scope }: List) {
  return { view, ...inWorkspace(workspace), ...scope };
}

type Answer = { results: BulkResult[]; refused: number };

/** Takes back what was shown of refused ones; answers why they were refused. */
function settle({ results, refused }: Answer, takeBack: (which: (chat: Chat) => boolean) => void): string {
  const reasons = new Map(results.flatMap((result) => (result.ok ? [] : [[result.id, result.reason] as const])));
  takeBack(({ id }) => reasons.has(id));
  // Not each of many is named.
  if (refused > reasons.size) void queryClient.invalidateQueries({ queryKey: ["chats"] });
  return [...new Set(reasons.values())].join(" ");
}
