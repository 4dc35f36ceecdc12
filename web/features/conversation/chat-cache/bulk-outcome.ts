import type { BulkAction, BulkAnswer } from "#shared/contracts/chat/inbox.ts";

/** What was done, as the end of a sentence about chats. */
const DONE: Record<BulkAction, string> = {
  read: "marked as read",
  unread: "marked as unread",
  pin: "pinned",
  unpin: "unpinned",
  archive: "archived",
  unarchive: "restored",
  delete: "deleted",
};

const NAMED = 2;

/** '4 chats', '1 chat', '1,240 chats'. */
export function chatCountLabel(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "chat" : "chats"}`;
}

export type Outcome = { tone: "default" | "warning" | "danger"; title: string; description?: string };

/** What became of many chats, in words: how many, and of those left out which and why. */
export function bulkOutcome(action: BulkAction, answer: BulkAnswer, titleOf: (id: string) => string | undefined): Outcome {
  const { changed, refused, results } = answer;
  const reasons = new Map<string, string[]>();
  for (const result of results) {
    if (!result.ok) reasons.set(result.reason, [...(reasons.get(result.reason) ?? []), titleOf(result.id) ?? ""]);
  }
  const description = [...reasons].map(([reason, titles]) => `${reason}${named(titles)}`).join(" ");
  if (refused === 0) {
    if (changed === 0) return { tone: "default", title: "Nothing to change", description: `All of them were ${DONE[action]} already.` };
    return { tone: "default", title: `${chatCountLabel(changed)} ${DONE[action]}` };
  }
  if (changed === 0)
    return {
      tone: "danger",
      title: `${refused === 1 ? "The chat was" : `${chatCountLabel(refused)} were`} not ${DONE[action]}`,
      description,
    };
  return { tone: "warning", title: `${chatCountLabel(changed)} ${DONE[action]}, ${refused.toLocaleString("en")} not`, description };
}

/** ' (Lease offers, Tax question and 3 more)'; nothing where no title is known. */
function named(titles: readonly string[]): string {
  const known = titles.filter((title) => title !== "");
  if (known.length === 0) return titles.length > 1 ? ` (${chatCountLabel(titles.length)})` : "";
  const more = titles.length - Math.min(known.length, NAMED);
  return ` (${known.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""})`;
}
