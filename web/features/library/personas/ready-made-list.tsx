import { Check, ChevronRight, Plus } from "lucide-react";
import { useId, useState } from "react";
import { ManageFooter } from "#web/features/library/kit/manage-footer.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { READY_MADE, type ReadyMade } from "./ready-made.ts";
import { useCreatePersona } from "./use-change-personas.ts";
import { usePersonas } from "./use-personas.ts";

/** Personas to begin with: looked at, and added one by one; none is anybody's by itself. */
export function ReadyMadeList({ onDone }: { onDone: () => void }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pt-16 pb-20 desk:px-24">
        <h3 id={headingId} className="flex min-h-32 items-center font-serif text-18 text-ink">
          Ready-made personas
        </h3>
        <p className="mt-4 text-13 text-ink2">What you add is yours to change.</p>
        <ul className="mt-8">
          {READY_MADE.map((persona) => (
            <Item key={persona.name} persona={persona} />
          ))}
        </ul>
      </div>
      <ManageFooter className="justify-end">
        <Button onClick={onDone}>Done</Button>
      </ManageFooter>
    </section>
  );
}

function Item({ persona: { name, purpose, content } }: { persona: ReadyMade }) {
  const textId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { personas } = usePersonas();
  const create = useCreatePersona();
  const isAdded = personas.some((persona) => persona.name === name && persona.content === content);
  return (
    <li className="border-b border-line py-8 last:border-none">
      <div className="flex items-center gap-8">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={textId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-44 min-w-0 flex-1 items-center gap-8 rounded-8 text-left"
        >
          <ChevronRight aria-hidden className={cx("size-14 shrink-0 text-ink2 transition-transform duration-120", isOpen && "rotate-90")} />
          <span className="min-w-0">
            <span className="block text-14 font-medium text-ink">{name}</span>
            <span className="block text-12 text-ink2">{purpose}</span>
          </span>
        </button>
        {isAdded ? (
          <span className="flex h-32 shrink-0 items-center gap-6 px-12 text-13 text-accent touch:h-44">
            <Check aria-hidden className="size-16" />
            Added
          </span>
        ) : (
          <Button
            size="sm"
            aria-label={`Add ${name}`}
            busy={create.isPending}
            onClick={() => create.mutate({ name, content, teamId: null })}
          >
            <Plus aria-hidden className="size-16" />
            Add
          </Button>
        )}
      </div>
      {create.error && (
        <p role="alert" className="pl-22 text-13 text-danger">
          {create.error.message}
        </p>
      )}
      <p id={textId} hidden={!isOpen} className="pt-4 pb-8 pl-22 text-13 whitespace-pre-wrap text-ink2">
        {content}
      </p>
    </li>
  );
}
