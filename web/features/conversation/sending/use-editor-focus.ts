import { type RefObject, useEffect } from "react";

/** Focuses a message's editor with the cursor at the end; closing it gives the focus back to where it came from, or to the turn's Edit button in its new place. */
export function useEditorFocus(field: RefObject<HTMLTextAreaElement | null>, messageId: string): void {
  useEffect(() => {
    const opener = document.activeElement;
    const editor = field.current;
    editor?.focus({ preventScroll: true });
    editor?.setSelectionRange(editor.value.length, editor.value.length);
    // After the transcript has found its new height and place.
    const frame = requestAnimationFrame(() => editor?.closest("article")?.scrollIntoView({ block: "nearest" }));
    return () => {
      cancelAnimationFrame(frame);
      // Unless the person has already moved on.
      if (document.activeElement === document.body)
        (openerOf(opener) ?? editButtonOf(messageId) ?? composer())?.focus({ preventScroll: true });
    };
  }, [field, messageId]);
}

function openerOf(element: Element | null): HTMLElement | null {
  return element instanceof HTMLElement && element !== document.body && element.isConnected ? element : null;
}

function editButtonOf(messageId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-message="${messageId}"] button[aria-label="Edit"]:enabled`);
}

function composer(): HTMLElement | null {
  return document.querySelector<HTMLElement>('textarea[aria-label="Message"]');
}
