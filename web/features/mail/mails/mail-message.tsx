import { ChevronDown, ChevronRight, ShieldAlert, ShieldCheck } from "lucide-react";
import { useId, useState } from "react";
import type { Attachment } from "#shared/entities/attachment.ts";
import type { MessageMail } from "#shared/entities/mail.ts";
import { SentFiles } from "#web/features/library/attachments/sent-files.tsx";
import { FoldedText } from "#web/ui/folded-text.tsx";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";

export type MailMessageProps = { mail: MessageMail; content: string; attachments: readonly Attachment[]; at: string };

/** A message that came by mail: who wrote it and whether that is proven, its subject, its words, its files, and what it quotes folded away. */
export function MailMessage({ mail, content, attachments, at }: MailMessageProps) {
  const { from_name: name, from_addr: address, subject, authentication, quoted, note } = mail;
  const isProven = authentication.result === "pass";
  return (
    <div className="flex max-w-580 min-w-0 flex-col items-end gap-6">
      <p className="flex max-w-full flex-wrap items-center justify-end gap-x-8 gap-y-4 text-13">
        <Avatar name={name} size={18} />
        <span className="font-medium [overflow-wrap:anywhere] text-ink">{name}</span>
        {address !== null && <span className="[overflow-wrap:anywhere] text-ink2">{address}</span>}
        <Badge tone={isProven ? "accent" : "signal"}>
          {isProven ? <ShieldCheck aria-hidden className="size-12" /> : <ShieldAlert aria-hidden className="size-12" />}
          {isProven ? "Authenticated" : "Not authenticated"}
        </Badge>
        <time dateTime={at} title={fullTime(at)} className="text-ink2 tabular-nums">
          {rowTime(at)}
        </time>
      </p>
      <div className="max-w-full min-w-0 rounded-14 rounded-br-6 bg-s3 px-14 py-9 text-15 [overflow-wrap:anywhere] text-ink">
        {subject !== "" && (
          <p dir="auto" className="font-semibold">
            {subject}
          </p>
        )}
        <div className="whitespace-pre-wrap">
          <FoldedText key={content} text={content} />
        </div>
        {quoted !== null && <Quoted text={quoted} />}
      </div>
      {attachments.length > 0 && <SentFiles files={attachments} />}
      {note !== null && <p className="text-right text-13 [overflow-wrap:anywhere] text-ink2">{note}</p>}
    </div>
  );
}

function Quoted({ text }: { text: string }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="mt-4 inline-flex items-center gap-4 rounded-6 text-13 text-ink2 transition-colors duration-120 hover:text-ink touch:min-h-44"
      >
        <Arrow aria-hidden className="size-14" />
        Earlier mails quoted
      </button>
      <div id={id} hidden={!isOpen} dir="auto" className="mt-4 border-l-2 border-line pl-10 text-13 whitespace-pre-wrap text-ink2">
        {isOpen && text}
      </div>
    </>
  );
}
