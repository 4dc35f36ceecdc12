import { MessageSquareQuote, SquareSlash } from "lucide-react";
import { type PointerEvent, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ariaHotkey, useHotkey } from "#web/lib/hotkeys.ts";
import { askAbout, promptAbout, selectedInAnswer } from "./quote-selection.ts";

/** Room that the button takes, in px. */
const WIDTH = 196;
const HEIGHT = 40;

/** Offers to ask about what is selected in an answer, by the selection's end. */
export function AskAboutThis({ chatId }: { chatId: string }) {
  const { isGuest } = useSession();
  // What was selected before this part had come counts too.
  const [selected, setSelected] = useState(selectedInAnswer);
  useEffect(() => {
    const look = () => setSelected(selectedInAnswer());
    document.addEventListener("selectionchange", look);
    addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    return () => {
      document.removeEventListener("selectionchange", look);
      removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
    };
  }, []);
  const ask = () => {
    if (selected) askAbout(selected.text, chatId);
    setSelected(null);
  };
  useHotkey("askAboutThis", ask, selected !== null);
  if (!selected) return null;
  const { place } = selected;
  const left = Math.max(8, Math.min(place.right - WIDTH / 2, innerWidth - WIDTH - 8));
  const top = place.bottom + HEIGHT + 8 > innerHeight ? place.top - HEIGHT : place.bottom + 8;
  return createPortal(
    <div
      role="group"
      aria-label="Selected text"
      data-print="hide"
      style={{ left, top }}
      className="fixed z-30 inline-flex rounded-8 border border-line bg-pop text-ink shadow-overlay"
    >
      <button
        type="button"
        aria-keyshortcuts={ariaHotkey("askAboutThis")}
        onPointerDown={keepSelection}
        onClick={ask}
        className="inline-flex h-32 items-center gap-6 rounded-8 px-12 text-13 font-medium transition-colors duration-120 hover:bg-s3 touch:h-44"
      >
        <MessageSquareQuote aria-hidden className="size-14" />
        Ask about this
      </button>
      {!isGuest && (
        <button
          type="button"
          aria-label="Use in a prompt"
          title="Use in a prompt"
          onPointerDown={keepSelection}
          onClick={() => promptAbout(selected.text, chatId)}
          className="inline-flex h-32 w-36 items-center justify-center rounded-8 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:size-44"
        >
          <SquareSlash aria-hidden className="size-14" />
        </button>
      )}
    </div>,
    document.body,
  );
}

/** The press itself must not end the selection. */
function keepSelection(event: PointerEvent): void {
  event.preventDefault();
}
