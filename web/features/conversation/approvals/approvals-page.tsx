import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ToolDecision } from "#shared/entities/tool-call.ts";
import type { WaitingCall } from "#shared/entities/waiting-call.ts";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { UnknownVisitor } from "#web/features/people/session/unknown-visitor.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { useMinute } from "#web/lib/use-minute.ts";
import { usePageTitle } from "#web/lib/page-title.ts";
import { ApprovalCard } from "#web/features/conversation/tools/approval-card.tsx";
import { fullTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { timeAgo, expiryLabel, pendingCallsSummary } from "./approval-labels.ts";
import { DecidedList } from "./decided-list.tsx";
import { JustDecided, type MadeDecision } from "./just-decided.tsx";
import { approvalsQuery, removeCachedApproval } from "./approvals-query.ts";
import { WaitingAnswer } from "./waiting-answer.tsx";
import { WaitingMail } from "./waiting-mail.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

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
              {answers.length > 0 && (
                <section aria-label="Answers by mail" className={approvals.length > 0 ? "mt-40" : undefined}>
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
              )}
              {mails.length > 0 && (
                <section aria-label="Mail of unknown senders" className={approvals.length + answers.length > 0 ? "mt-40" : undefined}>
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
              )}
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
