import { type ReactNode, useMemo } from "react";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { isNewShare, sharedBy } from "#web/features/library/artifacts/artifact-labels.ts";
import { artifactsOf, useArtifacts } from "#web/features/library/artifacts/use-artifacts.ts";
import { useChats } from "#web/features/conversation/chat-cache/use-chats.ts";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { leftOff } from "./left-off.ts";
import { inboxSentenceByPerson, inboxSentence, shown, shownTitle } from "./inbox-summary-text.ts";

export type InboxSummaryProps = {
  /** Says that there is news, not in which chat. */
  byPerson?: boolean;
  /** What follows it. */
  after?: string | null;
};

/** What waits, in the line that is kept free for it. */
export function InboxSummary({ byPerson = false, after = null }: InboxSummaryProps) {
  const { data } = useChats("inbox");
  const summary = useMemo(
    () =>
      data &&
      (byPerson ? inboxSentenceByPerson : inboxSentence)(
        data.pages.flatMap(({ chats }) => chats),
        data.pages[0]?.unreadCount ?? 0,
      ),
    [data, byPerson],
  );
  const isMobile = useIsMobile();
  const share = useNewShare();
  return (
    <p
      className={cx(
        "mt-6 line-clamp-4 min-h-78 text-15 text-ink2 min-[600px]:min-h-52 desk:line-clamp-2 desk:min-h-26",
        after === null && "desk:line-clamp-1",
      )}
    >
      {(summary || share) && <span aria-hidden className="mr-8 inline-block size-7 rounded-full bg-signal align-[2px]" />}
      {summary && (
        <>
          <ChatLink {...summary.chat} />
          {summary.rest}
        </>
      )}
      {summary && share && " "}
      {share && (
        <>
          {`${sharedBy(share)} shared `}
          <InText to={artifactPath(share.id)}>{shownTitle(share.title)}</InText>
          {" with you."}
        </>
      )}
      {summary === null && !share && after === null && isMobile && <LastLeft />}
      {(summary || share) && after && " "}
      {after}
    </p>
  );
}

/** What somebody shared last that was not opened yet. */
function useNewShare() {
  const { data } = useArtifacts({ filter: "shared" });
  return useMemo(() => artifactsOf(data).find(isNewShare), [data]);
}

function ChatLink({ id, title }: { id: string; title: string }) {
  return <InText to={`/c/${id}`}>{title}</InText>;
}

function InText({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="text-ink underline decoration-line-strong decoration-1 underline-offset-4 transition-colors duration-120 hover:decoration-ink"
    >
      {children}
    </Link>
  );
}

/** On phones, where home has one sentence and no lists: the chats last left, while nothing waits. */
function LastLeft() {
  const { data } = useChats("all");
  const [first, second] = useMemo(() => leftOff(data?.pages[0]?.chats ?? []).map(shown), [data]);
  if (!first) return null;
  return (
    <>
      {"You left off in "}
      <ChatLink {...first} />
      {second && (
        <>
          {" and "}
          <ChatLink {...second} />
        </>
      )}
      {!(second ?? first).title.endsWith("…") && "."}
    </>
  );
}
