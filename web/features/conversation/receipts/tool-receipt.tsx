import type { ToolCall } from "#shared/entities/tool-call.ts";
import { FORGET_MEMORY, SAVE_MEMORY } from "#shared/memory-tools.ts";
import { SEARCH_KNOWLEDGE } from "#shared/private-tools.ts";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { wantMemory } from "#web/features/library/memory/wanted-memory.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { toolLineOf } from "#web/features/conversation/tools/tool-line.ts";

export type ToolReceiptProps = { calls: readonly ToolCall[] };

/** The tools that an answer used and what each cost, with the way to what they changed, or to where they are switched off. */
export default function ToolReceipt({ calls }: ToolReceiptProps) {
  const { user, isGuest } = useSession();
  const settings = useSettings();
  const openSource = ({ id, tool }: ToolCall) => {
    if (tool === SEARCH_KNOWLEDGE) return openManage("knowledge");
    if (tool === SAVE_MEMORY) wantMemory(id);
    settings.open(tool === SAVE_MEMORY || tool === FORGET_MEMORY ? "memory" : "tools");
  };
  const items = calls.map((call) => {
    const { verb, about } = toolLineOf(call, user?.id);
    return {
      id: call.id,
      name: about ? `${verb} ${about}` : verb,
      content: (
        <>
          {verb} {about && <span className="text-ink2">{about}</span>}
          {call.cost !== null && call.cost > 0 && <span className="text-ink3 tabular-nums">{` · ${formatCost(call.cost)}`}</span>}
        </>
      ),
      onWrong: isGuest ? null : () => openSource(call),
    };
  });
  return <ReceiptList label="Tools" title="Tools that were used" items={items} />;
}
