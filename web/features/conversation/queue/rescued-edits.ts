import { useCallback, useEffect, useRef } from "react";
import type { QueuedMessage } from "#shared/entities/queued-message.ts";
import { readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Notes a waiting message's text while it is being changed; null when that is over. */
export type NoteEdit = (id: string, text: string | null) => void;

/** Puts a change that came too late into the message box, before what stands there. */
export function moveEditToComposer(chatId: string, text: string): void {
  const since = readDraft(chatId);
  writeDraft(chatId, since === "" ? text : `${text}\n${since}`);
}

/** Keeps the changes under way in a queue: of a message that was sent or removed meanwhile, the change goes to the message box. */
export function useRescueEdits(chatId: string, items: readonly QueuedMessage[]): NoteEdit {
  const edits = useRef(new Map<string, string>());
  useEffect(() => {
    for (const [id, text] of edits.current) {
      if (items.some((item) => item.id === id)) continue;
      edits.current.delete(id);
      moveEditToComposer(chatId, text);
      toast({ title: "This message no longer waits", description: "Your change of it is in the message box.", tone: "warning" });
    }
  }, [chatId, items]);
  return useCallback((id, text) => {
    if (text === null) edits.current.delete(id);
    else edits.current.set(id, text);
  }, []);
}
