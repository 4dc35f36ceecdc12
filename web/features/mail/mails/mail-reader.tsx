import { ArrowUpRight, Bell, Download } from "lucide-react";
import { useId, useState } from "react";
import { formatBytes } from "#shared/attachment-rules.ts";
import { getRawMail } from "#shared/contracts/chat/mails.ts";
import type { Mail } from "#shared/entities/mail.ts";
import { SentFiles } from "#web/features/library/attachments/sent-files.tsx";
import { address } from "#web/lib/api.ts";
import { fullTime, rowTime, shortDate } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { authenticationLabel, mailStateLabel, outcomeLine, receiversLabel, writerOf } from "./mail-labels.ts";
import { ProofBadge } from "./proof-badge.tsx";
import { SenderDecision } from "./sender-decision.tsx";
import { useMail, useMailReminder, useSendMail } from "./use-mails.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

const DAY_MS = 24 * 3_600_000;
const DAYS = 3;

/** Asks to be reminded where nobody answers a sent mail by a day: then a follow-up is drafted, which asks before it is sent. */
function MailReminder({ mail, reminder }: { mail: Mail; reminder: { by: string } | null }) {
  const fieldId = useId();
  const [now] = useState(() => Date.now());
  const [day, setDay] = useState(() => localDay(now + DAYS * DAY_MS));
  const remind = useMailReminder(mail.chat_id, mail.id);
  const by = new Date(`${day}T09:00`);
  const isAhead = by.getTime() > now;
  return (
    <div className="mt-12 text-13 text-ink2">
      {reminder ? (
        <p className="flex flex-wrap items-center gap-8">
          <Bell aria-hidden className="size-14 shrink-0" />
          <span>
            {"You are reminded if nobody answers by "}
            <time dateTime={reminder.by} title={fullTime(reminder.by)}>
              {shortDate(reminder.by)}
            </time>
          </span>
          <Button size="sm" variant="quiet" busy={remind.isPending} onClick={() => remind.mutate(null)}>
            Call off
          </Button>
        </p>
      ) : (
        <form
          noValidate
          className="flex flex-wrap items-center gap-8"
          onSubmit={(event) => {
            event.preventDefault();
            if (isAhead) remind.mutate(by.toISOString());
          }}
        >
          <label htmlFor={fieldId}>Remind me if nobody answers by</label>
          <input
            id={fieldId}
            type="date"
            value={day}
            min={localDay(now + DAY_MS)}
            max={localDay(now + 365 * DAY_MS)}
            onChange={(event) => setDay(event.target.value)}
            className={cx(fieldClass, "h-32 w-144 text-13 tabular-nums touch:h-44 touch:text-16")}
          />
          <Button size="sm" type="submit" busy={remind.isPending} disabled={!isAhead}>
            Remind me
          </Button>
        </form>
      )}
      {remind.isError && (
        <p role="alert" className="mt-8 text-danger">
          {remind.error.message}
        </p>
      )}
    </div>
  );
}

/** A day as a date field has it, in the reader's own zone. */
function localDay(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

type MailReaderProps = { chatId: string; id: string; listed: Mail | undefined; onLeave: () => void };

/** One mail: who wrote it and whether that is proven, its text, what it quotes, its files and its source. */
export function MailReader({ chatId, id, listed, onLeave }: MailReaderProps) {
  const { data, isError, error, refetch, isPlaceholderData } = useMail(chatId, listed, id);
  const mail = data?.email;
  if (!mail) {
    return isError ? (
      <div role="alert" className="px-28 py-20 text-14 text-ink2">
        <p className="mb-12">{error.message}</p>
        <TryAgain onClick={() => void refetch()} />
      </div>
    ) : null;
  }
  const outcome = data?.outcome ? outcomeLine(data.outcome) : null;
  return (
    <article aria-labelledby="mail-subject" aria-busy={isPlaceholderData} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-20 py-20 desk:px-28">
        <h3 id="mail-subject" className="font-serif text-21 [overflow-wrap:anywhere] text-ink">
          {mail.subject || "No subject"}
        </h3>
        <Facts mail={mail} />
        {mail.note && <p className="mt-12 text-13 text-ink2">{mail.note}</p>}
        {(mail.state === "quarantined" || mail.state === "blocked") && !isPlaceholderData && (
          <div className="mt-12">
            <SenderDecision
              chatId={chatId}
              mailId={mail.id}
              isProven={mail.authentication?.result === "pass"}
              isBlocked={mail.state === "blocked"}
              canLetIn={data.can_let_in}
            />
          </div>
        )}
        {data?.can_send && <SendMail mail={mail} />}
        {mail.state === "draft" && !data?.can_send && !isPlaceholderData && (
          <p className="mt-12 text-13 text-ink2">This draft was written for somebody else in this chat: only they can send it.</p>
        )}
        {mail.state === "sent" && !isPlaceholderData && <MailReminder mail={mail} reminder={data?.reminder ?? null} />}
        <div dir="auto" className="mt-16 text-15 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink [unicode-bidi:plaintext]">
          {mail.text_body}
          {mail.is_cut && (isError ? <CutNote retry={() => void refetch()} /> : "…")}
        </div>
        {mail.quoted_body && <Quoted key={mail.id} text={mail.quoted_body} />}
        {mail.attachments.length > 0 && (
          <div className="mt-20 flex">
            <SentFiles files={mail.attachments} />
          </div>
        )}
      </div>
      {(mail.turn_id !== null || mail.has_raw) && (
        <footer className="flex shrink-0 flex-wrap items-center gap-12 border-t border-line px-20 py-12 desk:px-28">
          {outcome && (
            <span className="inline-flex min-h-32 items-center gap-8 text-13 text-ink2 tabular-nums">
              <ArrowUpRight aria-hidden className="size-14 shrink-0" />
              {outcome}
            </span>
          )}
          {mail.has_raw && (
            <a
              href={address(getRawMail, { params: { id: chatId, mailId: mail.id } })}
              download
              className="inline-flex min-h-32 items-center gap-6 text-13 text-ink2 hover:text-ink touch:min-h-44"
            >
              <Download aria-hidden className="size-14" />
              {`Raw source, ${formatBytes(mail.raw_size)}`}
            </a>
          )}
          {mail.turn_id !== null && (
            <Link
              to={`/c/${chatId}?message=${mail.turn_id}`}
              replace
              onClick={onLeave}
              className="ml-auto inline-flex h-36 items-center rounded-8 bg-s3 px-14 text-13 font-medium text-ink hover:bg-s4 touch:h-44"
            >
              Show in chat
            </Link>
          )}
        </footer>
      )}
    </article>
  );
}

function Facts({ mail }: { mail: Mail }) {
  const state = mailStateLabel(mail);
  const proof = authenticationLabel(mail);
  const isKnown = mail.state !== "quarantined" && mail.state !== "blocked";
  return (
    <>
      <div className="mt-12 flex items-center gap-12">
        <Avatar name={mail.from_name || mail.from_addr} size={36} />
        <div className="min-w-0 flex-1">
          <p className="text-14 [overflow-wrap:anywhere] text-ink">
            <span className="font-medium">{writerOf(mail)}</span>
            {mail.from_addr !== writerOf(mail) && <span className="text-ink2">{` ${mail.from_addr}`}</span>}
          </p>
          <p className="text-13 [overflow-wrap:anywhere] text-ink2">{receiversLabel(mail)}</p>
        </div>
        <time dateTime={mail.created_at} title={fullTime(mail.created_at)} className="shrink-0 self-start text-13 text-ink2 tabular-nums">
          {rowTime(mail.created_at)}
        </time>
      </div>
      {(proof || state) && (
        <p className="mt-12 flex flex-wrap items-center gap-6">
          {proof && <ProofBadge isKnown={isKnown} {...proof} />}
          {state && <Badge tone={state.isBad ? "signal" : "neutral"}>{state.text}</Badge>}
        </p>
      )}
    </>
  );
}

function CutNote({ retry }: { retry: () => void }) {
  return (
    <span className="mt-12 block text-13 text-ink2">
      {"The rest could not be loaded. "}
      <button type="button" className="underline" onClick={retry}>
        Try again
      </button>
    </span>
  );
}

function Quoted({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="mt-16">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="rounded-6 bg-s3 px-8 text-13/24 text-ink2 hover:bg-s4 hover:text-ink touch:min-h-44"
      >
        {isOpen ? "Hide earlier mails" : "Show earlier mails"}
      </button>
      <div
        id={id}
        hidden={!isOpen}
        dir="auto"
        className="mt-8 border-l-2 border-line pl-12 text-14 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink2"
      >
        {isOpen && text}
      </div>
    </div>
  );
}

/** Sends a draft, or once more what could not be sent. */
function SendMail({ mail }: { mail: Mail }) {
  const send = useSendMail(mail.chat_id, mail.id);
  return (
    <div className="mt-12">
      <Button size="sm" variant="primary" busy={send.isPending} onClick={() => send.mutate()}>
        {mail.state === "draft" ? "Send" : "Send again"}
      </Button>
      {send.isError && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {send.error.message}
        </p>
      )}
    </div>
  );
}
