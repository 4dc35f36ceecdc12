import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { Pane } from "./pane.ts";
import { PersonaForm } from "./persona-form.tsx";
import type { PersonaVersionsProps } from "./persona-versions.tsx";
import { usePersonas } from "./use-personas.ts";

type ReadyMadeProps = { onDone: () => void };

const ReadyMadeList = lazyPart<ReadyMadeProps>(async () => (await import("./ready-made-list.tsx")).ReadyMadeList);
const PersonaVersions = lazyPart<PersonaVersionsProps>(async () => (await import("./persona-versions.tsx")).PersonaVersions);

type PersonaPaneProps = { pane: Pane; onPane: (pane: Pane) => void; isWide: boolean };

/** What stands beside the list, or on phones in its place. */
export function PersonaPane({ pane, onPane, isWide }: PersonaPaneProps) {
  const { personas } = usePersonas();
  const leave = () => onPane({ kind: "idle" });
  if (pane.kind === "idle") return isWide ? <Idle onLook={() => onPane({ kind: "ready_made" })} /> : null;
  if (pane.kind === "ready_made") return <ReadyMadeList onDone={leave} />;
  if (pane.kind === "new") return <PersonaForm key="new" persona={null} onDone={leave} onVersions={leave} />;
  const persona = personas.find(({ id }) => id === pane.id);
  if (!persona) return null;
  if (pane.kind === "versions")
    return <PersonaVersions key={persona.id} persona={persona} onDone={() => onPane({ kind: "edit", id: persona.id })} />;
  return <PersonaForm key={persona.id} persona={persona} onDone={leave} onVersions={() => onPane({ kind: "versions", id: persona.id })} />;
}

function Idle({ onLook }: { onLook: () => void }) {
  return (
    <div className="px-24 pt-20">
      <p className="font-serif text-18 text-ink">Standing instructions</p>
      <p className="mt-8 text-13 text-ink2">
        Say once who answers and how: in what tone, in how many words, with which questions first. Each chat can have its own, and the one
        with the star is what new chats begin with.
      </p>
      <Button className="mt-16" onClick={onLook}>
        Look at ready-made personas
      </Button>
    </div>
  );
}
