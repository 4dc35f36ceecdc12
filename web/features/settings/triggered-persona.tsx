import type { User } from "#shared/entities/user.ts";
import { usePersonas } from "#web/features/personas/use-personas.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { useNamedWithTeam } from "#web/features/sharing/use-content-rights.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { AS_IN_NEW_CHATS, personaChoices } from "./persona-choices.ts";

/** Who triggered messages are answered as. */
export function TriggeredPersona({ user }: { user: User }) {
  const { personas, data, isError, refetch } = usePersonas();
  const isUnknown = isError && !data;
  const labelOf = useNamedWithTeam();
  const save = useSaveUser();
  const saved = user.triggered_system_prompt_id;
  const wanted = save.isPending ? save.variables.triggered_system_prompt_id : undefined;
  const { value, options } = personaChoices(personas, { chosen: wanted === undefined ? saved : wanted, labelOf });
  return (
    <LedgerRow
      label="Persona"
      description="Standing instructions the answers follow"
      error={save.error?.message ?? (isUnknown ? "Your personas could not be loaded." : null)}
      retry={isUnknown ? () => void refetch() : undefined}
    >
      <Select
        label="Persona for triggered messages"
        className="w-212 max-[767px]:w-176"
        value={value}
        options={options}
        onChange={(next) => save.mutate({ triggered_system_prompt_id: next === AS_IN_NEW_CHATS ? null : next })}
      />
    </LedgerRow>
  );
}
