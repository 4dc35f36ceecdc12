import { getChat } from "#shared/contracts/chat/chats.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** For so long, in milliseconds, another title counts as having replaced the one just given. */
const RECENT_MS = 60_000;

type Rename = { title: string; at: number; isTaken: boolean; isDoubted: boolean };
const renames = new Map<string, Rename>();

/** Notes a title that is on its way to the server. */
export function noteRename(id: string, title: string): void {
  renames.set(id, { title, at: Date.now(), isTaken: false, isDoubted: false });
}

/** The server refused it: there is nothing to lose. */
export function dropRename(id: string): void {
  renames.delete(id);
}

/** The server took it, perhaps after another person's rename that this page has heard of already. */
export function confirmRename(id: string): void {
  const rename = renames.get(id);
  if (!rename) return;
  rename.isTaken = true;
  if (rename.isDoubted) void notifyIfLost(id, rename);
}

/** Hears what a chat is called now: reports a title that replaced one's own of a moment ago, before one's eyes. */
export function reportOverriddenTitle(id: string, title: string): void {
  const rename = renames.get(id);
  if (!rename || rename.title === title) return;
  if (rename.at + RECENT_MS < Date.now()) return dropRename(id);
  rename.isDoubted = true;
  if (rename.isTaken) void notifyIfLost(id, rename);
}

/** News of an earlier title may come late, so the chat itself is asked. */
async function notifyIfLost(id: string, rename: Rename): Promise<void> {
  rename.isDoubted = false;
  // Without an answer nothing is said: what the chat is called now stands in its header anyway.
  const chat = await call(getChat, { params: { id } }).then(
    (answer) => answer.chat,
    () => null,
  );
  if (chat === null || chat.title === rename.title || renames.get(id) !== rename) return;
  dropRename(id);
  toast({ title: "Your new title was replaced", description: `“${rename.title}” was renamed to “${chat.title}” elsewhere.` });
}
