import { useEffect } from "react";
import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import type { AnswerMessaging, MessagingState } from "#shared/entities/outbound/messaging.ts";
import { AnsweredByMail } from "#web/features/mail/mails/answered-by-mail.tsx";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { cx } from "#web/ui/cx.ts";
import { deliveryStatus } from "./messaging-labels.ts";

export type AnsweredOutsideProps = { message: Message };

/** What became of an answer outside: of the mail that it went out as, or in the messaging app. */
export function AnsweredOutside({ message: { chat_id: chatId, answer_mail: mail, answer_messaging: messaging } }: AnsweredOutsideProps) {
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "mails.changed" && event.chat_id === chatId)
          void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
      }),
    [chatId],
  );
  if (messaging) return <AnsweredByApp answer={messaging} />;
  return mail && <AnsweredByMail chatId={chatId} mail={mail} />;
}

const ICONS = {
  queued: Clock,
  waiting: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
} as const satisfies Record<MessagingState, typeof Check>;

/** What became of an answer in the messaging app. */
function AnsweredByApp({ answer: { state, note } }: { answer: AnswerMessaging }) {
  const { text, isBad } = deliveryStatus({ state });
  const Icon = ICONS[state];
  return (
    <div role={isBad ? "alert" : undefined} className="mt-8 text-13 text-ink2">
      <p className={cx("flex items-center gap-6", isBad && "font-medium text-danger")}>
        <Icon aria-hidden className={cx("size-14 shrink-0", state === "read" && "text-accent")} />
        {text}
      </p>
      {note !== null && <p className="mt-4 [overflow-wrap:anywhere]">{note}</p>}
    </div>
  );
}
