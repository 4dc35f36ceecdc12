import type { WaitingMail as Waiting } from "#shared/entities/waiting-call.ts";
import { ProofBadge } from "#web/features/mail/mails/proof-badge.tsx";
import { SenderDecision } from "#web/features/mail/mails/sender-decision.tsx";
import { useMail } from "#web/features/mail/mails/use-mails.ts";
import { FoldedText } from "#web/ui/folded-text.tsx";
import { counted, fullTime } from "#web/lib/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { timeAgo, mailDeletionLabel } from "./approval-labels.ts";

/** A mail of an unknown sender, which is let into its chat or kept out of it from here. */
export function WaitingMail({ waiting: { chat, mail, since, expires_at: expiry }, now }: { waiting: Waiting; now: Date }) {
  return (
    <li>
      <h2 className="text-13 font-normal text-ink3">
        {"in "}
        <Link
          to={`/c/${chat.id}?email=${mail.id}`}
          className="text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:inline-flex touch:min-h-44 touch:items-center"
        >
          {chat.title || "New Chat"}
        </Link>
        {", "}
        <time dateTime={since} title={fullTime(since)}>
          {timeAgo(since, now)}
        </time>
        {", "}
        <time dateTime={expiry} title={fullTime(expiry)}>
          {mailDeletionLabel(expiry, now)}
        </time>
      </h2>
      <div className="mt-8 rounded-14 border border-line bg-s1 px-16 py-14">
        <p className="flex flex-wrap items-center gap-8 text-14">
          <span className="font-medium [overflow-wrap:anywhere] text-ink">{mail.from_name || mail.from_addr}</span>
          {mail.from_name !== "" && <span className="[overflow-wrap:anywhere] text-ink2">{mail.from_addr}</span>}
          <Badge tone="signal">Unknown sender</Badge>
          <ProofBadge isProven={mail.is_proven} isKnown={false} text={mail.is_proven ? "Authenticated" : "Not authenticated"} />
        </p>
        <p dir="auto" className="mt-4 text-15 font-medium [overflow-wrap:anywhere] text-ink">
          {mail.subject || "No subject"}
        </p>
        <Letter chatId={chat.id} id={mail.id} />
        <SenderDecision chatId={chat.id} mailId={mail.id} isProven={mail.is_proven} canLetIn />
      </div>
    </li>
  );
}

/** What it says, as the decision is about that. */
function Letter({ chatId, id }: { chatId: string; id: string }) {
  const { data, isPending, isError } = useMail(chatId, undefined, id);
  return (
    <div className="mt-4 mb-16 text-15 [overflow-wrap:anywhere] text-ink [unicode-bidi:plaintext]">
      {isPending && <Skeleton className="my-6 h-14 w-3/4" />}
      {isError && <p className="text-13 text-ink2">What it says could not be loaded.</p>}
      {data && (
        <div dir="auto" className="whitespace-pre-wrap">
          <FoldedText text={data.email.text_body} />
        </div>
      )}
      {data && data.email.attachments.length > 0 && (
        <p className="mt-8 text-13 text-ink2">{`With ${counted(data.email.attachments.length, "file")}.`}</p>
      )}
    </div>
  );
}
