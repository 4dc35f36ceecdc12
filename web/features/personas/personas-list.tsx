import { Plus } from "lucide-react";
import { useRef } from "react";
import { Virtualizer } from "virtua";
import type { Persona } from "#shared/entities/persona.ts";
import { useContentRights } from "#web/features/sharing/use-content-rights.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import type { Pane } from "./pane.ts";
import { PersonaItem } from "./persona-item.tsx";
import { useDeletePersona, useSetDefaultPersona } from "./use-change-personas.ts";
import { usePersonas } from "./use-personas.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";

/** Rows kept beyond the edges: lists of some dozens are wholly there. */
const BUFFER_PX = 3_000;

type PersonasListProps = {
  pane: Pane;
  onPane: (pane: Pane) => void;
  /** What is done with a persona stands beside the list. */
  isWide: boolean;
};

/** All personas, 400 px of them, and the way to a new one. */
export function PersonasList({ pane, onPane, isWide }: PersonasListProps) {
  const { personas, defaultId, data, isError, isFetching, refetch } = usePersonas();
  const scroller = useRef<HTMLDivElement>(null);
  const create = useRef<HTMLButtonElement>(null);
  const standingOf = useContentRights();
  const setDefault = useSetDefaultPersona();
  const remove = useDeletePersona();
  const deleteIt = ({ id, name }: Persona) => {
    // The browser's own question, as specified.
    if (!window.confirm(`Delete the persona "${name}"?`)) return;
    // Its row takes the focus with it.
    remove.mutate(id, { onSuccess: () => create.current?.focus() });
  };
  const shownId = "id" in pane ? pane.id : null;
  return (
    <>
      <div ref={scroller} className={cx("min-h-0 overflow-y-auto overscroll-contain py-8", isWide ? "h-400" : "flex-1")}>
        {data ? (
          <Virtualizer as="ul" item="li" scrollRef={scroller} bufferSize={BUFFER_PX} itemSize={72}>
            {personas.map((persona) => (
              <PersonaItem
                key={persona.id}
                persona={persona}
                rights={standingOf(persona).rights}
                isDefault={persona.id === defaultId}
                isShown={isWide && persona.id === shownId}
                onDefault={() => setDefault.mutate(persona.id)}
                onEdit={() => onPane({ kind: "edit", id: persona.id })}
                onDelete={() => deleteIt(persona)}
              />
            ))}
          </Virtualizer>
        ) : (
          <Unread isFailed={isError && !isFetching} onRetry={() => void refetch()} />
        )}
        {data && personas.every((persona) => persona.is_personalized) && (
          <div className="border-t border-line mx-24 mt-8 pt-16 text-13 text-ink2">
            <p>You haven't created any personas yet.</p>
            {!isWide && (
              <Button size="sm" className="mt-12" onClick={() => onPane({ kind: "ready_made" })}>
                Look at ready-made personas
              </Button>
            )}
          </div>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24">
        <Button ref={create} onClick={() => onPane({ kind: "new" })}>
          <Plus aria-hidden className="size-16" />
          Create New Persona
        </Button>
      </div>
    </>
  );
}

function Unread({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  if (!isFailed) return <RowSkeletons label="Loading personas..." className="h-72 px-24" />;
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 py-8 text-13 text-ink2">
      <output>The personas could not be loaded.</output>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
