import { PromptsDialog } from "./prompts-dialog.tsx";
import { closePrompts, usePromptsState } from "#web/features/library/prompts/prompts-store.ts";

/** 'Manage prompts' for whoever opens it from the page. */
export function PromptsLayer() {
  const { open, start } = usePromptsState();
  return <PromptsDialog open={open} onOpenChange={(next) => !next && closePrompts()} start={start} />;
}
