import { type BulkAction, type BulkAnswer, type BulkResult, type BulkInput, changeChats } from "#shared/contracts/chat/inbox.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { BULK_CHATS } from "#shared/limits.ts";
import { leaving } from "#web/features/conversation/sending/leaving.ts";
import { clearDraft } from "#web/features/conversation/composer/drafts.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import type { List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { hideChat, type Mark, showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { showMarksOptimistically, whyNotArchived } from "#web/features/conversation/chat-cache/mark-chat.ts";
import { chatCountLabel, bulkOutcome } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { inWorkspace } from "#web/features/conversation/chat-cache/use-chats.ts";

/** What is chosen: rows that are loaded, or all that a list holds. */
export type Chosen = { chats: readonly Chat[] } | List;

const MARKS: Record<Exclude<BulkAction, "delete">, Mark> = {
  read: { isRead: true },
  unread: { isRead: false },
  pin: { isPinned: true },
  unpin: { isPinned: false },
  archive: { archived: true },
  unarchive: { archived: false },
};

/** Does one thing to all that is chosen: shown at once, reported in words, and taken back by Undo. */
export async function changeMany(action: BulkAction, chosen: Chosen): Promise<void> {
  const chats = "chats" in chosen ? chosen.chats.filter((chat) => canExpect(action, chat)) : [];
  const undoShown = action === "delete" ? hideAhead(chats) : showMarksOptimistically(chats, () => MARKS[action]);
  const answers: BulkAnswer[] = [];
  try {
    for (const input of inputsOf(action, chosen)) answers.push(await call(changeChats, { body: input }));
  } catch (error) {
    const known = new Set(answers.flatMap(({ results }) => results.map(({ id }) => id)));
    undoShown(({ id }) => !known.has(id));
    toast({ tone: "danger", title: `Failed to ${VERBS[action]}`, description: error instanceof Error ? error.message : "" });
    if (answers.length === 0) return;
  }
  const answer = together(answers);
  const refused = new Set(answer.results.filter(({ ok }) => !ok).map(({ id }) => id));
  undoShown(({ id }) => refused.has(id));
  notify(action, answer, { titles: new Map("chats" in chosen ? chosen.chats.map(({ id, title }) => [id, title]) : []), undoShown });
}

const VERBS: Record<BulkAction, string> = {
  read: "mark chats as read",
  unread: "mark chats as unread",
  pin: "pin chats",
  unpin: "unpin chats",
  archive: "archive chats",
  unarchive: "restore chats",
  delete: "delete chats",
};

/** What the server is sure to refuse is not shown ahead; it is asked all the same, and says why. */
function canExpect(action: BulkAction, chat: Chat): boolean {
  if (action === "archive") return whyNotArchived(chat) === null;
  return action !== "delete" || chat.permissionLevel === "owner";
}

function* inputsOf(action: BulkAction, chosen: Chosen): Generator<BulkInput> {
  if ("view" in chosen) return void (yield { filter: { view: chosen.view, ...inWorkspace(chosen.workspace), ...chosen.scope }, action });
  const ids = chosen.chats.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += BULK_CHATS) yield { ids: ids.slice(from, from + BULK_CHATS), action };
}

/** Takes chats that will be deleted out of the lists; returns how to bring some back. */
function hideAhead(chats: readonly Chat[]): (which: (chat: Chat) => boolean) => void {
  for (const { id } of chats) {
    leaving.add(id);
    clearDraft(id);
    hideChat(id);
  }
  return (which) => {
    for (const chat of chats.filter(which)) {
      leaving.delete(chat.id);
      showChat(chat);
    }
  };
}

function together(answers: readonly BulkAnswer[]): BulkAnswer & { undoTokens: string[]; jobs: string[] } {
  const sum = (of: (answer: BulkAnswer) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  const results: BulkResult[] = answers.flatMap((answer) => answer.results);
  return {
    results,
    changed: sum(({ changed }) => changed),
    refused: sum(({ refused }) => refused),
    undo_token: null,
    job_id: null,
    undoTokens: answers.flatMap(({ undo_token }) => undo_token ?? []),
    jobs: answers.flatMap(({ job_id }) => job_id ?? []),
  };
}

type Shown = { titles: ReadonlyMap<string, string>; undoShown: (which: (chat: Chat) => boolean) => void };

function notify(action: BulkAction, answer: ReturnType<typeof together>, { titles, undoShown }: Shown): void {
  const outcome = bulkOutcome(action, answer, (id) => titles.get(id));
  for (const job of answer.jobs) followDeletion(job);
  const undo = () => {
    undoShown(() => true);
    void takeBack(answer.undoTokens);
  };
  toast({ ...outcome, ...(answer.undoTokens.length > 0 && { action: { label: "Undo", onClick: undo } }) });
}

async function takeBack(tokens: readonly string[]): Promise<void> {
  try {
    for (const token of tokens) await call(changeChats, { body: { undo: token } });
    toast({ title: "Undone" });
  } catch (error) {
    toast({ tone: "danger", title: "Failed to undo", description: error instanceof Error ? error.message : "" });
  }
}

/** Says when some of many chats could not be deleted: they are back in the list by then. */
function followDeletion(job: string): void {
  const stop = onLive((event) => {
    if (event.type !== "bulk.progress" || event.job_id !== job || event.done + event.failed < event.total) return;
    stop();
    if (event.failed > 0)
      toast({ tone: "danger", title: `${chatCountLabel(event.failed)} could not be deleted`, description: "Try again later." });
  });
}
