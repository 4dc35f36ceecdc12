import { Check, X } from "lucide-react";
import type { ToolDecision } from "#shared/entities/tool-call.ts";
import type { WaitingCall } from "#shared/entities/waiting-call.ts";
import { presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { Link } from "#web/ui/link.tsx";
import { timeAgo } from "./approval-labels.ts";

/** A call that was decided while the page was open; null where that was done elsewhere. */
export type MadeDecision = { approval: WaitingCall; decision: ToolDecision | null; at: Date };

const DECISION_LABELS: Record<ToolDecision, string> = { approve: "Approved", always: "Always allowed", discard: "Discarded" };

/** What was decided here just now, the latest first, with the way to what comes of it. */
export function JustDecided({ made, now }: { made: readonly MadeDecision[]; now: Date }) {
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
