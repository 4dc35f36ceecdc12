import type { BulkResult } from "#shared/contracts/chat/inbox.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { FILED_CHATS } from "#shared/limits.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { type FoldersAndTags, cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";

let changing = 0;

/** True while this page waits for the server's word on a change of folders or tags. */
export function isChangingFolders(): boolean {
  return changing > 0;
}

type Change = {
  /** What is to come, shown at once. */
  show: (held: FoldersAndTags) => FoldersAndTags;
  /** How it is called when it fails. */
  failure: string;
};

/** Changes folders or tags: shown at once, taken back with the reason when it is refused, read again when it is done. Null where it failed. */
export async function change<T>({ show, failure }: Change, ask: () => Promise<T>): Promise<T | null> {
  changing += 1;
  await queryClient.cancelQueries({ queryKey: keys.folders });
  const before = cachedFolders();
  const shown = queryClient.setQueryData<FoldersAndTags>(keys.folders, before && show(before));
  try {
    return await ask();
  } catch (error) {
    // Without a network nothing could be read again.
    if (cachedFolders() === shown) queryClient.setQueryData<FoldersAndTags>(keys.folders, before);
    toast({ tone: "danger", title: failure, description: error instanceof Error ? error.message : "" });
    return null;
  } finally {
    changing -= 1;
    if (changing === 0) void queryClient.invalidateQueries({ queryKey: keys.folders });
  }
}

/**
 * Asks in as many requests as that many chats take. Once one was answered, those that no other answer speaks of count as refused, with
 * the reason.
 */
export async function inParts<T extends { results: BulkResult[] }>(
  ids: readonly string[],
  ask: (part: string[]) => Promise<T>,
): Promise<{ first: T; refused: Map<string, string> }> {
  const first = await ask(ids.slice(0, FILED_CHATS));
  const refused = refusedIn(first.results);
  for (let from = FILED_CHATS; from < ids.length; from += FILED_CHATS) {
    try {
      const { results } = await ask(ids.slice(from, from + FILED_CHATS));
      for (const [id, reason] of refusedIn(results)) refused.set(id, reason);
    } catch (error) {
      for (const id of ids.slice(from)) refused.set(id, error instanceof Error ? error.message : "");
      break;
    }
  }
  return { first, refused };
}

/** The chats with which nothing was done, and why. */
function refusedIn(results: readonly BulkResult[]): Map<string, string> {
  return new Map(results.flatMap((result) => (result.ok ? [] : [[result.id, result.reason] as const])));
}

/** Why nothing was done with some, each reason once. */
export function reasonsOf(refused: ReadonlyMap<string, string>): string {
  return [...new Set(refused.values())].join(" ");
}

/** The chats, as the beginning of a sentence that says what was not done. */
export function subject(chats: readonly Chat[]): string {
  return chats.length === 1 ? "The chat was" : `${chatCountLabel(chats.length)} were`;
}
