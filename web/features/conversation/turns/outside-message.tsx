import { MessageCircle } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import type { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { MailMessage } from "#web/features/mail/mails/mail-message.tsx";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { groupedNumber } from "#web/lib/phone-number.ts";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { APPS, messageKindLabel } from "./messaging-labels.ts";
import { UserBubble } from "./user-bubble.tsx";

export type OutsideMessageProps = { message: Message; side: "left" | "right" };

/** A message that was not typed in the interface: it came by mail or by the messaging app. */
export function OutsideMessage({ message: { mail, messaging, content, attachments, created_at: at }, side }: OutsideMessageProps) {
  if (mail) return <MailMessage mail={mail} content={content} attachments={attachments} at={at} />;
  return messaging ? <AppMessage messaging={messaging} content={content} attachments={attachments} at={at} side={side} /> : null;
}

type AppMessageProps = {
  messaging: MessageMessaging;
  content: string;
  attachments: readonly Attachment[];
  at: string;
  side: "left" | "right";
};

/** A message that came by the messaging app: from where, what it was, its words and files, and what there is to know about it. */
function AppMessage({ messaging: { app, from, kind, is_forwarded: isForwarded, note }, content, attachments, at, side }: AppMessageProps) {
  const isOwn = side === "right";
  const kindLabel = messageKindLabel(kind);
  return (
    <div className={cx("flex max-w-580 min-w-0 flex-col gap-6", isOwn ? "items-end" : "items-start")}>
      <p className={cx("flex max-w-full flex-wrap items-center gap-x-8 gap-y-4 text-13", isOwn && "justify-end")}>
        <span className="inline-flex items-center gap-6 font-medium text-ink">
          <MessageCircle aria-hidden className="size-14 shrink-0 text-ink2" />
          {APPS[app]}
        </span>
        {from !== null && <span className="whitespace-nowrap text-ink2 tabular-nums">{groupedNumber(from)}</span>}
        {kindLabel !== null && <Badge>{kindLabel}</Badge>}
        {isForwarded && <Badge>Forwarded</Badge>}
        <time dateTime={at} title={fullTime(at)} className="text-ink2 tabular-nums">
          {rowTime(at)}
        </time>
      </p>
      <UserBubble content={content} attachments={attachments} side={side} />
      {note !== null && <p className={cx("text-13 [overflow-wrap:anywhere] text-ink2", isOwn && "text-right")}>{note}</p>}
    </div>
  );
}
