import type { ChatReport } from "#worker/chat-room/rpc.ts";
import type { ChatNoticeKind } from "#worker/notifications/notice.ts";

/** Something that happened in a chat: `what` names it, so nobody is notified of it twice. */
export type Happening = { kind: ChatNoticeKind; what: string };

type Changed = {
  userId: string;
  /** True where somebody else's chat comes into the list. */
  arrives: boolean;
  /** True where other calls wait for the user's word than before. */
  isWaitingNew: boolean;
};

/** What a room's report says that its reader may want to be mailed about; null for anything else. */
export function happeningOf({ news, waiting, version }: ChatReport, { userId, arrives, isWaitingNew }: Changed): Happening | null {
  // What a mail began asks by a mail of its own, which can be answered.
  const asked = isWaitingNew ? waiting?.findLast(({ isMailed }) => isMailed !== true) : undefined;
  if (asked) return { kind: "approval", what: asked.call.id };
  for (const one of news) if (one.type === "reply.ended" && one.doneFor === userId) return { kind: "reply", what: one.replyId };
  return arrives ? { kind: "share", what: `share-${version}` } : null;
}
