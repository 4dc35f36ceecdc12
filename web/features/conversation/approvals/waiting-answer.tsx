import type { WaitingAnswer as Waiting } from "#shared/entities/waiting-call.ts";
import { PendingAnswer } from "#web/features/mail/mails/pending-answer.tsx";
import { fullTime } from "#web/lib/format.ts";
import { Link } from "#web/ui/link.tsx";
import { timeAgo } from "./approval-labels.ts";

/** An answer to a mail that goes out by its payer's word, which is read in its chat. */
export function WaitingAnswer({ waiting: { chat, message_id: messageId, mail, since }, now }: { waiting: Waiting; now: Date }) {
  return (
    <li>
      <h2 className="text-13 font-normal text-ink3">
        {"in "}
        <Link
          to={`/c/${chat.id}?message=${messageId}`}
          className="text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:inline-flex touch:min-h-44 touch:items-center"
        >
          {chat.title || "New Chat"}
        </Link>
        {", "}
        <time dateTime={since} title={fullTime(since)}>
          {timeAgo(since, now)}
        </time>
      </h2>
      <div className="mt-8 rounded-14 border border-line bg-s1 px-16 py-14">
        <p className="text-14 [overflow-wrap:anywhere] text-ink2">{`to ${mail.to.join(", ")}`}</p>
        <p dir="auto" className="mt-4 mb-12 text-15 [overflow-wrap:anywhere] text-ink">
          {mail.subject || "No subject"}
        </p>
        <PendingAnswer chatId={chat.id} mailId={mail.id} />
      </div>
    </li>
  );
}
