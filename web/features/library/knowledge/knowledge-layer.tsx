import { KnowledgeDialog } from "./knowledge-dialog.tsx";
import { closeKnowledge, useKnowledgeState } from "./knowledge-store.ts";

/** 'Manage knowledge' for whoever opens it from the page. */
export function KnowledgeLayer() {
  const { open, start } = useKnowledgeState();
  return <KnowledgeDialog open={open} onOpenChange={(next) => !next && closeKnowledge()} start={start} />;
}
