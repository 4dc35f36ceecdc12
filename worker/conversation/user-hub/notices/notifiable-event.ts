import type { ChatReport } from "#worker/conversation/room/rpc.ts";
import type { ChatNoticeKind } from "#worker/mail/notifications/notice.ts";

/** Something that happened in a chat: `what` names it, so nobody is notified of it twice. */
export type NotifiableEvent = { kind: ChatNoticeKind; what: string };

type Changed = {
  userId: string;
  /** True where somebody else's chat comes into the list. */
  arrives: boolean;
  /** True where other calls wait for the user's word than before. */
  isWaitingNew: boolean;
};

/** What a room's report says that its reader may want to be mailed about; null for anything else. */
export function notifiableEventOf(
  { updates, waiting, version }: ChatReport,
  { userId, arrives, isWaitingNew }: Changed,
): NotifiableEvent | null {
  // What a mail began asks by a mail of its own, which can be answered.
  const asked = isWaitingNew ? waiting?.findLast(({ isMailed }) => isMailed !== true) : undefined;
  if (asked) return { kind: "approval", what: asked.call.id };
  for (const one of updates) if (one.type === "reply.ended" && one.doneFor === userId) return { kind: "reply", what: one.replyId };
  return arrives ? { kind: "share", what: `share-${version}` } : null;
}
