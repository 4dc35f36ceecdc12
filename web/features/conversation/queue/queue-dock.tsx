import { useEffect } from "react";
import { UnansweredNotice } from "#web/features/conversation/sending/unanswered-notice.tsx";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { ChainNotice } from "./chain-notice.tsx";
import { QueueList } from "./queue-list.tsx";

/** What stands above a composer about messages that are not sent at once, or were not answered. */
export function QueueDock({ chatId }: { chatId: string | null }) {
  // Fetched before it is needed, as the text stays in the composer until it is here.
  useEffect(() => void import("./enqueue.ts").catch(() => undefined), []);
  return (
    <>
      {chatId !== null && <UnansweredNotice key={`unanswered:${chatId}`} chatId={chatId} />}
      {chatId !== null && <QueueList key={chatId} chatId={chatId} />}
      <ChainNotice draftKey={chatId ?? NEW_CHAT} />
    </>
  );
}
