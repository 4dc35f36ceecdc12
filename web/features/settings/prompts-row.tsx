import { useState } from "react";
import { PromptsDialog } from "#web/features/prompts/prompts-dialog.tsx";
import { usePrompts } from "#web/features/prompts/use-prompts.ts";
import { LedgerLink } from "#web/ui/ledger-link.tsx";

/** How many prompts there are, and the way to them. */
export function PromptsRow() {
  const { data } = usePrompts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <LedgerLink
        label="Prompts"
        description="Templates and workflows, to be used again"
        value={data?.prompts.length ?? ""}
        onClick={() => setIsOpen(true)}
      />
      <PromptsDialog open={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}
