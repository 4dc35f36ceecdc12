import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { InboxSummaryProps } from "./inbox-summary.tsx";

/** What waits, which comes after the first screen into the line that is kept free for it. */
export const LazyInboxSummary = lazyPart<InboxSummaryProps>(async () => (await import("./inbox-summary.tsx")).InboxSummary, Space);

function Space() {
  return <p className="mt-6 min-h-52 desk:min-h-26" />;
}
