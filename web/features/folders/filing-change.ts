import type { BulkResult } from "#shared/contracts/chat/inbox.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { FILED_CHATS } from "#shared/limits.ts";
import { heldChat } from "#web/features/chat-list/held-list.ts";
import { holdMark, type Mark, releaseMark } from "#web/features/chat-list/list-changes.ts";
import { showMark } from "#web/features/chat-row/mark-chat.ts";
import { chatCount } from "#web/features/chat-row/mark-words.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { type Filing, heldFolders } from "./held-folders.ts";

let changing = 0;

/** True while this page waits for the server's word on a change of folders or tags. */
export function isChangingFolders(): boolean {
  return changing > 0;
}

type Change = {
  /** What is to come, shown at once. */
  show: (held: Filing) => Filing;
  /** How it is called when it fails. */
  failure: string;
};

/** Changes folders or tags: shown at once, taken back with the reason when it is refused, read again when it is done. Null where it failed. */
export async function change<T>({ show, failure }: Change, ask: () => Promise<T>): Promise<T | null> {
  changing += 1;
  await queryClient.cancelQueries({ queryKey: keys.folders });
  const before = heldFolders();
  const shown = queryClient.setQueryData<Filing>(keys.folders, before && show(before));
  try {
    return await ask();
  } catch (error) {
    // Without a network nothing could be read again.
    if (heldFolders() === shown) queryClient.setQueryData<Filing>(keys.folders, before);
    toast({ tone: "danger", title: failure, description: error instanceof Error ? error.message : "" });
    return null;
  } finally {
    changing -= 1;
    if (changing === 0) void queryClient.invalidateQueries({ queryKey: keys.folders });
  }
}

/** Shows marks of many chats ahead; returns how to take them back for some, and lets the server's word count again. */
export function showAhead(chats: readonly Chat[], markOf: (chat: Chat) => Mark): { settle: (refused: (id: string) => boolean) => void } {
  const before = chats.map((chat) => heldChat(chat.id) ?? chat);
  const held = before.map((chat) => {
    const mark = markOf(chat);
    const kept = holdMark(chat.id, mark);
    showMark(chat, mark);
    return kept;
  });
  return {
    settle(refused) {
      held.forEach(releaseMark);
      for (const chat of before) if (refused(chat.id)) showMark(chat, { folder_id: chat.folder_id, tags: chat.tags });
    },
  };
}

/** Asks in as many requests as that many chats take. */
export async function inParts<T extends { results: BulkResult[] }>(
  ids: readonly string[],
  ask: (part: string[]) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  for (let from = 0; from < ids.length; from += FILED_CHATS) answers.push(await ask(ids.slice(from, from + FILED_CHATS)));
  return answers;
}

/** The chats with which nothing was done, and why. */
export function refusedIn(answers: readonly { results: BulkResult[] }[]): { ids: Set<string>; reason: string } {
  const refused = answers.flatMap(({ results }) => results.flatMap((result) => (result.ok ? [] : [result])));
  return { ids: new Set(refused.map(({ id }) => id)), reason: [...new Set(refused.map(({ reason }) => reason))].join(" ") };
}

/** The chats, as the beginning of a sentence that says what was not done. */
export function subject(chats: readonly Chat[]): string {
  return chats.length === 1 ? "The chat was" : `${chatCount(chats.length)} were`;
}
