import { ArrowDownLeft, ArrowUpRight, Paperclip } from "lucide-react";
import type { Mail } from "#shared/entities/mail.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { stateInWords, writerOf } from "./mail-words.ts";

type MailListProps = { mails: readonly Mail[]; shownId: string | null; onShow: (id: string) => void };

/** What waits for a word about its sender, then all others, each newest first. */
export function MailList({ mails, shownId, onShow }: MailListProps) {
  const waiting = mails.filter(({ state }) => state === "quarantined");
  const others = mails.filter(({ state }) => state !== "quarantined");
  return (
    <>
      {waiting.length > 0 && <Group label="Waiting for you" mails={waiting} shownId={shownId} onShow={onShow} />}
      {others.length > 0 && <Group label="In this chat" mails={others} shownId={shownId} onShow={onShow} />}
    </>
  );
}

function Group({ label, mails, shownId, onShow }: MailListProps & { label: string }) {
  return (
    <section aria-label={label}>
      <h3 className="px-24 pt-14 pb-6 text-12 font-medium text-ink3">{label}</h3>
      <ul>
        {mails.map((mail) => (
          <li key={mail.id} className="px-12">
            <Row mail={mail} isShown={mail.id === shownId} onShow={() => onShow(mail.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ mail, isShown, onShow }: { mail: Mail; isShown: boolean; onShow: () => void }) {
  const state = stateInWords(mail);
  const Way = mail.direction === "in" ? ArrowDownLeft : ArrowUpRight;
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      onClick={onShow}
      className="flex w-full gap-10 rounded-8 px-12 py-8 text-left transition-colors duration-120 hover:bg-s3 aria-[current]:bg-s4"
    >
      <span className="flex h-20 w-16 shrink-0 items-center justify-center text-ink2">
        {mail.state === "quarantined" ? (
          <span aria-hidden className="size-7 rounded-full bg-signal" />
        ) : (
          <Way aria-hidden className="size-14" />
        )}
        <span className="sr-only">{mail.direction === "in" ? "In: " : "Out: "}</span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-8">
          <span className="min-w-0 flex-1 truncate text-14 font-medium text-ink">{writerOf(mail)}</span>
          <time dateTime={mail.created_at} title={fullTime(mail.created_at)} className="shrink-0 text-12 text-ink2 tabular-nums">
            {rowTime(mail.created_at)}
          </time>
        </span>
        <span className="flex items-center gap-6 text-12/18 text-ink2">
          <span className="min-w-0 flex-1 truncate">{mail.subject || "No subject"}</span>
          {mail.attachments.length > 0 && <Paperclip aria-label="Has attachments" className="size-12 shrink-0" />}
        </span>
        {state && <span className={cx("block truncate text-12/18", state.isBad ? "text-signal-ink" : "text-ink2")}>{state.text}</span>}
      </span>
    </button>
  );
}
