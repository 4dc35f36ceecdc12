import { useState } from "react";
import { PersonasDialog } from "#web/features/personas/personas-dialog.tsx";
import { usePersonas } from "#web/features/personas/use-personas.ts";
import { LedgerLink } from "#web/ui/ledger-link.tsx";

/** How many personas there are, and the way to them. */
export function PersonasRow() {
  const { data } = usePersonas();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <LedgerLink
        label="Personas"
        description="Standing instructions a chat begins with"
        value={data?.personas.length ?? ""}
        onClick={() => setIsOpen(true)}
      />
      <PersonasDialog open={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}
