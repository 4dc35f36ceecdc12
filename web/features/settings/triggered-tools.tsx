import type { User } from "#shared/entities/user.ts";
import { optionalAmong, optionalOf, toggled } from "#web/features/tools/optional-categories.ts";
import { useCategoriesQuery } from "#web/features/tools/use-categories.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";

/** Which optional tools triggered messages may use. */
export function TriggeredTools({ user }: { user: User }) {
  const served = useCategoriesQuery();
  const categories = served.data?.categories ?? [];
  const isUnserved = served.isError && !served.data;
  const save = useSaveUser();
  const optional = optionalOf(categories);
  const chosen = (save.isPending ? save.variables.triggered_tool_categories : null) ?? user.triggered_tool_categories ?? [];
  return (
    <LedgerRow
      label="Tools"
      isTall
      description="Besides those that are always on"
      error={save.error?.message ?? (isUnserved ? "The tools could not be loaded." : null)}
      retry={isUnserved ? () => void served.refetch() : undefined}
      className="max-[767px]:pb-8"
    >
      <fieldset className="w-212 shrink-0 max-[767px]:w-176">
        <legend className="sr-only">Tools</legend>
        {served.isPending && <RowSkeletons label="Loading tools" rows={3} lines={1} className="h-36 touch:h-44" />}
        {optional.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            // What this deployment no longer has goes with the next change.
            onChange={() => save.mutate({ triggered_tool_categories: optionalAmong(toggled(chosen, id), categories) })}
          />
        ))}
      </fieldset>
    </LedgerRow>
  );
}
