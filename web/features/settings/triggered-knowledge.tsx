import type { User } from "#shared/entities/user.ts";
import { KnowledgeField } from "#web/features/knowledge/knowledge-field.tsx";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";

/** What triggered messages are answered from. */
export function TriggeredKnowledge({ user }: { user: User }) {
  const save = useSaveUser();
  const chosen = (save.isPending ? save.variables.triggered_context_ids : null) ?? user.triggered_context_ids ?? [];
  return (
    <LedgerRow label="Knowledge" description="Texts and files the answers draw from" error={save.error?.message}>
      <div className="w-212 shrink-0 max-[767px]:w-176">
        <KnowledgeField
          hideLabel
          value={chosen}
          unset="None"
          onChange={(ids) => save.mutate({ triggered_context_ids: ids.length === 0 ? null : ids })}
        />
      </div>
    </LedgerRow>
  );
}
