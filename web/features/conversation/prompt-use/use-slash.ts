import { useEffect, useReducer } from "react";
import { onDraftChange } from "#web/features/conversation/composer/drafts.ts";
import { type Slash, slashAt } from "./slash.ts";

type State = { slash: Slash | null; isDismissed: boolean };
type Event = { type: "moved"; slash: Slash | null } | { type: "dismissed" };

const NONE: State = { slash: null, isDismissed: false };

/** What becomes of a slash: one that was dismissed stays so until the caret has left it. */
export function nextSlash(state: State, event: Event): State {
  if (event.type === "dismissed") return { ...state, isDismissed: true };
  const { slash } = event;
  if (slash === null) return NONE;
  const { slash: held, isDismissed } = state;
  if (held?.from === slash.from && held.to === slash.to && held.query === slash.query) return state;
  return { slash, isDismissed: isDismissed && held?.from === slash.from };
}

/** The slash, or what else `find` looks for, that the caret stands behind in the composer, and how to leave it as it is typed. */
export function useSlash(
  field: HTMLTextAreaElement | null,
  find: (text: string, caret: number) => Slash | null = slashAt,
): { slash: Slash | null; dismiss: () => void } {
  const [{ slash, isDismissed }, notify] = useReducer(nextSlash, NONE);
  useEffect(() => {
    if (!field) return undefined;
    const look = () => {
      // A drawer over the composer has the focus: the slash is still meant.
      if (document.activeElement !== field) return;
      const { value, selectionStart, selectionEnd } = field;
      notify({ type: "moved", slash: selectionStart === selectionEnd ? find(value, selectionStart) : null });
    };
    look();
    document.addEventListener("selectionchange", look);
    field.addEventListener("input", look);
    // What is put into it without typing is there a frame later.
    const stop = onDraftChange(() => requestAnimationFrame(look));
    return () => {
      stop();
      document.removeEventListener("selectionchange", look);
      field.removeEventListener("input", look);
    };
  }, [field, find]);
  return { slash: isDismissed ? null : slash, dismiss: () => notify({ type: "dismissed" }) };
}
