import type { Message } from "#shared/entities/message.ts";
import { MailMessage } from "#web/features/mail/mails/mail-message.tsx";
import { AppMessage } from "./app-message.tsx";

export type OutsideMessageProps = { message: Message; side: "left" | "right" };

/** A message that was not typed in the interface: it came by mail or by the messaging app. */
export function OutsideMessage({ message: { mail, messaging, content, attachments, created_at: at }, side }: OutsideMessageProps) {
  if (mail) return <MailMessage mail={mail} content={content} attachments={attachments} at={at} />;
  return messaging ? <AppMessage messaging={messaging} content={content} attachments={attachments} at={at} side={side} /> : null;
}
