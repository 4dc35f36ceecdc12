import { useState } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { type Pane, paneFor } from "./pane.ts";
import { PersonaPane } from "./persona-pane.tsx";
import { PersonasList } from "./personas-list.tsx";
import type { PersonasDialogState } from "./personas-store.ts";
import { usePersonas } from "./use-personas.ts";

/** 'Manage Personas': the list beside what is done with one of them; on phones one after the other. */
export default function PersonasPopup({ open, onOpenChange }: PersonasDialogState) {
  const { user } = useSession();
  const { personas } = usePersonas();
  const [wanted, setPane] = useState<Pane>({ kind: "idle" });
  const isMobile = useIsMobile();
  if (!user) return null;
  const pane = paneFor(
    wanted,
    personas.map(({ id }) => id),
  );
  const list = <PersonasList pane={pane} onPane={setPane} isWide={!isMobile} />;
  const side = (
    <ErrorBoundary what="This persona" resetKey={JSON.stringify(pane)}>
      <PersonaPane pane={pane} onPane={setPane} isWide={!isMobile} />
    </ErrorBoundary>
  );
  if (isMobile) {
    return (
      <Drawer open={open} onOpenChange={onOpenChange} side="bottom" title="Manage Personas" className="h-664">
        {pane.kind === "idle" ? list : side}
      </Drawer>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Manage Personas"
      subtitle="A persona is the standing instruction a chat begins with."
      width={920}
      bare
    >
      <div className="flex min-h-0 w-full border-t border-line">
        <div className="flex w-464 min-w-0 flex-col border-r border-line">{list}</div>
        <div className="relative min-w-0 flex-1">
          <div className="absolute inset-0 flex flex-col">{side}</div>
        </div>
      </div>
    </Dialog>
  );
}
