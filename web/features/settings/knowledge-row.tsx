import { useState } from "react";
import { KnowledgeDialog } from "#web/features/knowledge/knowledge-dialog.tsx";
import { useKnowledge } from "#web/features/knowledge/use-knowledge.ts";
import { LedgerLink } from "#web/ui/ledger-link.tsx";

/** How many knowledge entries there are, and the way to them. */
export function KnowledgeRow() {
  const { data } = useKnowledge();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <LedgerLink
        label="Knowledge"
        description="Texts and files that your chats answer from"
        value={data?.contexts.length ?? ""}
        onClick={() => setIsOpen(true)}
      />
      <KnowledgeDialog open={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}
