import { useRef, useState } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { counted } from "#web/lib/format.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { ToolRow } from "./tool-row.tsx";
import { useFocusHeir } from "./use-focus-heir.ts";

/** Rows that stand at once; the others are a press away, but for what waits for a word. */
const SHOWN_ROWS = 6;

/** The tool calls at one place of an answer: a row each, and a card for what waits for this reader's word. */
export function ToolRows({ chatId, calls }: { chatId: string; calls: readonly ToolCall[] }) {
  const { user } = useSession();
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const noteFocus = useFocusHeir(list);
  const isFolded = !isWhole && calls.length > SHOWN_ROWS + 2;
  const shown = isFolded ? calls.filter(({ status }, index) => index < SHOWN_ROWS || status === "waiting") : calls;
  return (
    <div ref={list} data-tools className="text-13">
      {shown.map((call) =>
        call.status === "waiting" && call.approval && call.approval.user.id === user?.id ? (
          <ApprovalCard key={call.id} chatId={chatId} call={call} onFocusLost={noteFocus} />
        ) : (
          <ToolRow key={call.id} call={call} readerId={user?.id} />
        ),
      )}
      {isFolded && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="flex h-34 items-center rounded-8 pl-26 text-13 text-ink2 transition-colors duration-120 hover:text-ink touch:h-44"
        >
          {`Show ${counted(calls.length - shown.length, "more tool call")}`}
        </button>
      )}
    </div>
  );
}
