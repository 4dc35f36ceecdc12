import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import type { AnswerMessaging, MessagingState } from "#shared/entities/outbound/messaging.ts";
import { cx } from "#web/ui/cx.ts";
import { deliveryStatus } from "./messaging-labels.ts";

const ICONS = {
  queued: Clock,
  waiting: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
} as const satisfies Record<MessagingState, typeof Check>;

/** What became of an answer in the messaging app. */
export function AnsweredByApp({ answer: { state, note } }: { answer: AnswerMessaging }) {
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
