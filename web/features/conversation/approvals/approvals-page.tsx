import { useInfiniteQuery } from "@tanstack/react-query";
import { History, Check, X } from "lucide-react";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ToolDecision } from "#shared/entities/tool-call.ts";
import type { WaitingCall, WaitingAnswer as AnswerWaiting, WaitingMail as MailWaiting } from "#shared/entities/waiting-call.ts";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { UnknownVisitor } from "#web/features/people/session/unknown-visitor.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { useMinute } from "#web/lib/use-minute.ts";
import { usePageTitle } from "#web/lib/page-title.ts";
import { ApprovalCard } from "#web/features/conversation/tools/approval-card.tsx";
import { fullTime, counted } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { timeAgo, expiryLabel, pendingCallsSummary, mailDeletionLabel } from "./approval-labels.ts";
import { DecidedList } from "./decided-list.tsx";
import { approvalsQuery, removeCachedApproval } from "./approvals-query.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { PendingAnswer } from "#web/features/mail/mails/pending-answer.tsx";
import { ProofBadge } from "#web/features/mail/mails/proof-badge.tsx";
import { SenderDecision } from "#web/features/mail/mails/sender-decision.tsx";
import { useMail } from "#web/features/mail/mails/use-mails.ts";
import { FoldedText } from "#web/ui/folded-text.tsx";
import { Badge } from "#web/ui/badge.tsx";

/** All that waits for this person's word, over all chats, with the cards that stand in them. */
export default function ApprovalsPage() {
  usePageTitle("Waiting for you");
  const { user, status, isUnknown } = useSession();
  const waiting = useInfiniteQuery({ ...approvalsQuery, enabled: user !== null });
  const now = useMinute(true);
  const list = useRef<HTMLElement>(null);
  const noteFocus = useFocusNext(list);
  const [made, setMade] = useState<readonly MadeDecision[]>([]);
  const [showsDecided, setShowsDecided] = useState(false);
  const approvals = waiting.data?.pages.flatMap((page) => page.approvals) ?? [];
  const chats = new Set(approvals.map(({ chat }) => chat.id)).size;
  const mails = waiting.data?.pages.flatMap((page) => page.mails) ?? [];
  // What was kept of an earlier version has none.
  const answers = waiting.data?.pages.flatMap((page) => page.answers ?? []) ?? [];
  const others = mails.length + answers.length;
  const count = Math.max(approvals.length, waiting.hasNextPage ? (waiting.data?.pages.at(-1)?.count ?? 0) - others : 0);
  return (
    <>
      <PaneHeader
        actions={
          user !== null && (
            <Button
              size="sm"
              variant="quiet"
              aria-expanded={showsDecided}
              aria-controls="decided"
              onClick={() => setShowsDecided(!showsDecided)}
            >
              <History aria-hidden className="size-16" />
              <span className="ml-6">Decided</span>
            </Button>
          )
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <section ref={list} aria-labelledby="approvals-title" className="mx-auto w-full max-w-752 px-16 pt-12 pb-48">
          <h1 id="approvals-title" tabIndex={-1} className="font-serif text-28 text-ink outline-none">
            Waiting for you
          </h1>
          {isUnknown ? (
            <UnknownVisitor className="mt-8 text-15" />
          ) : status === "visitor" ? (
            <div className="mt-8 text-15 text-ink2">
              <p className="mb-16">Log in to see what waits for your word.</p>
              <LoginLink />
            </div>
          ) : waiting.isPending ? (
            <output aria-label="Loading" className="mt-32 block space-y-24">
              <Skeleton className="h-160 w-full" />
              <Skeleton className="h-160 w-full" />
            </output>
          ) : waiting.isError && waiting.data === undefined ? (
            <div role="alert" className="mt-8 text-15 text-ink2">
              <p className="mb-16">{`What waits for you could not be loaded. ${waiting.error.message}`}</p>
              <TryAgain size="md" onClick={() => void waiting.refetch()} />
            </div>
          ) : approvals.length + others === 0 ? (
            <p className="mt-8 text-15 text-ink2">Nothing waits. What a tool is about to do outside asks here first.</p>
          ) : (
            <>
              {approvals.length > 0 && (
                <>
                  <p className="mt-8 mb-24 text-15 text-ink2">{pendingCallsSummary(count, chats)}</p>
                  <ul className="divide-y divide-line border-y border-line">
                    {approvals.map((approval) => (
                      <Entry
                        key={approval.call.id}
                        approval={approval}
                        now={now}
                        onFocusLost={noteFocus}
                        onDecided={(callId, decision) => {
                          setMade((before) => [{ approval, decision, at: new Date() }, ...before]);
                          removeCachedApproval(callId);
                        }}
                      />
                    ))}
                  </ul>
                </>
              )}
              <WaitingAnswers answers={answers} now={now} className={approvals.length > 0 ? "mt-40" : undefined} />
              <WaitingMails mails={mails} now={now} className={approvals.length + answers.length > 0 ? "mt-40" : undefined} />
              {waiting.hasNextPage && (
                <Button className="mt-24" busy={waiting.isFetchingNextPage} onClick={() => void waiting.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          )}
          <JustDecided made={made} now={now} />
          <div id="decided">{showsDecided && user !== null && <DecidedList now={now} />}</div>
        </section>
      </div>
    </>
  );
}

type EntryProps = {
  approval: WaitingCall;
  now: Date;
  onFocusLost: (callId: string) => void;
  onDecided: (callId: string, decision: ToolDecision | null) => void;
};

function Entry({ approval: { chat, call, message_id: messageId, since, expires_at: expiry }, now, onFocusLost, onDecided }: EntryProps) {
  const place = (
    <p className="text-13 text-ink3">
      {"in "}
      <Link
        to={`/c/${chat.id}?message=${messageId}`}
        className="text-ink2 underline decoration-line-strong underline-offset-3 [overflow-wrap:anywhere] hover:text-ink touch:py-14"
      >
        {chat.title || "New Chat"}
      </Link>
      {", "}
      <time dateTime={since} title={fullTime(since)}>
        {timeAgo(since, now)}
      </time>
      {expiry && (
        <>
          {", "}
          <time dateTime={expiry} title={fullTime(expiry)}>
            {expiryLabel(expiry, now)}
          </time>
        </>
      )}
    </p>
  );
  return (
    <li data-approval={call.id} className="py-16">
      <ApprovalCard chatId={chat.id} call={call} onFocusLost={onFocusLost} onDecided={onDecided} place={place} />
    </li>
  );
}

/** Gives the focus on when the card that held it goes: to the next one's first button, else to the title. */
function useFocusNext(list: React.RefObject<HTMLElement | null>): (callId: string) => void {
  const at = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (at.current === null) return;
    const entries = list.current?.querySelectorAll<HTMLElement>("[data-approval]");
    const next = entries?.[Math.min(at.current, entries.length - 1)]?.querySelector<HTMLElement>("footer button");
    at.current = null;
    (next ?? list.current?.querySelector<HTMLElement>("h1"))?.focus();
  });
  return useCallback(
    (callId) => {
      const entries = [...(list.current?.querySelectorAll<HTMLElement>("[data-approval]") ?? [])];
      at.current = Math.max(
        0,
        entries.findIndex(({ dataset }) => dataset["approval"] === callId),
      );
    },
    [list],
  );
}

/** A call that was decided while the page was open; null where that was done elsewhere. */
type MadeDecision = { approval: WaitingCall; decision: ToolDecision | null; at: Date };

const DECISION_LABELS: Record<ToolDecision, string> = { approve: "Approved", always: "Always allowed", discard: "Discarded" };

/** What was decided here just now, the latest first, with the way to what comes of it. */
function JustDecided({ made, now }: { made: readonly MadeDecision[]; now: Date }) {
  if (made.length === 0) return null;
  return (
    <section aria-label="Just now">
      <ul>
        {made.map(({ approval: { chat, call, message_id: messageId }, decision, at }) => {
          const { name, brief } = presenterOf(call.tool);
          const Icon = decision === "discard" ? X : Check;
          return (
            <li key={call.id} className="relative flex flex-wrap items-baseline gap-x-8 border-b border-line py-12 pl-28 text-14">
              <Icon aria-hidden className="absolute top-14 left-0 size-16 text-accent" />
              <span className="font-medium text-ink">{decision === null ? "Decided elsewhere" : DECISION_LABELS[decision]}</span>
              <span className="min-w-0 flex-1 truncate text-ink2">
                {[name, brief?.(call.input).about ?? null].filter((part) => part !== null).join(" ")}
              </span>
              <time dateTime={at.toISOString()} className="text-13 text-ink3">
                {timeAgo(at.toISOString(), now)}
              </time>
              <Link
                to={`/c/${chat.id}?message=${messageId}`}
                className="text-13 font-medium text-accent underline-offset-3 hover:underline"
              >
                Open chat
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type WaitingAnswersProps = { answers: readonly AnswerWaiting[]; now: Date; className: string | undefined };

function WaitingAnswers({ answers, now, className }: WaitingAnswersProps) {
  if (answers.length === 0) return null;
  return (
    <section aria-label="Answers by mail" className={className}>
      <p className="mt-8 mb-24 text-15 text-ink2">
        {answers.length === 1
          ? "An answer by mail that was written with your data. Read it in its chat; it goes out once you say so."
          : `${answers.length} answers by mail that were written with your data. Read them in their chats; each goes out once you say so.`}
      </p>
      <ul className="space-y-28">
        {answers.map((answer) => (
          <WaitingAnswer key={answer.mail.id} waiting={answer} now={now} />
        ))}
      </ul>
    </section>
  );
}

/** An answer to a mail that goes out by its payer's word, which is read in its chat. */
function WaitingAnswer({ waiting: { chat, message_id: messageId, mail, since }, now }: { waiting: AnswerWaiting; now: Date }) {
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

type WaitingMailsProps = { mails: readonly MailWaiting[]; now: Date; className: string | undefined };

function WaitingMails({ mails, now, className }: WaitingMailsProps) {
  if (mails.length === 0) return null;
  return (
    <section aria-label="Mail of unknown senders" className={className}>
      <p className="mt-8 mb-24 text-15 text-ink2">
        {mails.length === 1
          ? "A mail of an unknown sender. No model reads it until you allow it."
          : `${mails.length} mails of unknown senders. No model reads them until you allow it.`}
      </p>
      <ul className="space-y-28">
        {mails.map((mail) => (
          <WaitingMail key={mail.mail.id} waiting={mail} now={now} />
        ))}
      </ul>
    </section>
  );
}

/** A mail of an unknown sender, which is let into its chat or kept out of it from here. */
function WaitingMail({ waiting: { chat, mail, since, expires_at: expiry }, now }: { waiting: MailWaiting; now: Date }) {
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
