import type { SharedKind } from "#shared/sharing/share-links.ts";
import { longDate } from "#web/lib/format.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** What is known of the link that something has: only then a new one can say whether it takes another's place. */
export type LinkState = "loading" | "failed" | { createdAt: string | null };

type Asked = { isFetching: boolean; isError: boolean; data?: { createdAt: string | null } | undefined };

/** Reads what was asked for; what an earlier asking answered may have changed since. */
export function linkStateOf({ isFetching, isError, data }: Asked): LinkState {
  if (isFetching) return "loading";
  if (isError) return "failed";
  return data ?? "loading";
}

/** True once a link can be made that takes nothing's place unsaid. */
export function isKnown(state: LinkState): state is { createdAt: string | null } {
  return typeof state === "object";
}

type BeforeLinkProps = { kind: SharedKind; state: LinkState; onRetry: () => void };

/** What a link opens, and which one it would replace. */
export function BeforeLink({ kind, state, onRetry }: BeforeLinkProps) {
  return (
    <div className="space-y-12 text-14 text-ink2">
      <p>
        {`Anyone with the link can read this ${kind}'s name and text, without signing in, and can import a copy of their own. The link shows your later changes; copies stay as they are.`}
      </p>
      {state === "failed" && (
        <div role="alert" className="flex flex-wrap items-center gap-12">
          <p>{`Whether this ${kind} has a link already could not be read.`}</p>
          <TryAgain onClick={onRetry} />
        </div>
      )}
      {isKnown(state) && state.createdAt !== null && (
        <p>{`It has been shared by a link since ${longDate(state.createdAt)}. A new link takes its place: the old one then opens nothing.`}</p>
      )}
    </div>
  );
}
