import { MessageSquareQuote } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { ariaHotkey, useHotkey } from "#web/lib/hotkeys.ts";
import { askAbout, selectedInAnswer } from "./quote-selection.ts";

/** Room that the button takes, in px. */
const WIDTH = 160;
const HEIGHT = 40;

/** Offers to ask about what is selected in an answer, by the selection's end. */
export function AskAboutThis({ chatId }: { chatId: string }) {
  const [selected, setSelected] = useState<ReturnType<typeof selectedInAnswer>>(null);
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
    <button
      type="button"
      data-print="hide"
      aria-keyshortcuts={ariaHotkey("askAboutThis")}
      // The press itself must not end the selection.
      onPointerDown={(event) => event.preventDefault()}
      onClick={ask}
      style={{ left, top }}
      className="fixed z-30 inline-flex h-32 items-center gap-6 rounded-8 border border-line bg-pop px-12 text-13 font-medium text-ink shadow-overlay transition-colors duration-120 hover:bg-s3 touch:h-44"
    >
      <MessageSquareQuote aria-hidden className="size-14" />
      Ask about this
    </button>,
    document.body,
  );
}
