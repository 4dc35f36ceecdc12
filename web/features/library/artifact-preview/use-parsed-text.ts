import { startTransition, useEffect, useState } from "react";
import type { TextSource } from "#web/features/library/artifacts/text-source.ts";
import { editDocument, emptyPreview, type PreviewDocument } from "./preview-document.ts";

/** Milliseconds without a key after which the preview follows; longer texts wait for a pause. */
const PAUSE_MS = 60;
const LONG_PAUSE_MS = 250;
const LONG = 100_000;
/** Milliseconds that one turn of parsing takes at most, a quarter of a frame. */
const TURN_MS = 4;

export type ParsedText = { document: PreviewDocument; wordCount: number; isComplete: boolean };

/** A text that is typed in, as blocks: parsed beside the typing, a few milliseconds at a time, and only where it changed. */
export function useParsedText(source: TextSource): ParsedText {
  const [parsed, setParsed] = useState<ParsedText>(() => parseBeginning(source.read()));
  useEffect(() => {
    let latest = parsed.document;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const parse = () => {
      const text = source.read();
      const steps = editDocument(latest, text);
      const turn = () => {
        const end = performance.now() + TURN_MS;
        do {
          const step = steps.next();
          if (step.done) {
            latest = step.value;
            startTransition(() => setParsed((current) => ({ ...current, document: step.value, isComplete: true })));
            timer = setTimeout(() => count(text), LONG_PAUSE_MS);
            return;
          }
        } while (performance.now() < end);
        timer = setTimeout(turn);
      };
      turn();
    };
    const count = (text: string) => {
      let wordCount = 0;
      let at = 0;
      const turn = () => {
        // In pieces that end between two words.
        const space = text.indexOf(" ", at + 50_000);
        const end = space === -1 ? text.length : space;
        wordCount += text.slice(at, end).match(/\S+/g)?.length ?? 0;
        at = end;
        if (at < text.length) timer = setTimeout(turn);
        else setParsed((current) => (current.wordCount === wordCount ? current : { ...current, wordCount }));
      };
      turn();
    };
    const stop = source.subscribe((isTyped) => {
      clearTimeout(timer);
      timer = setTimeout(parse, !isTyped ? 0 : latest.text.length > LONG ? LONG_PAUSE_MS : PAUSE_MS);
    });
    // What changed between the first drawing and now, and the rest of a long text.
    timer = setTimeout(parse);
    return () => {
      clearTimeout(timer);
      stop();
    };
    // The document at the start is where the parsing goes on from.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source]);
  return parsed;
}

/** A short text is there with the first drawing; of a long one its beginning. */
function parseBeginning(text: string): ParsedText {
  const isComplete = text.length <= LONG / 4;
  const cut = isComplete ? text.length : Math.max(text.lastIndexOf("\n\n", LONG / 8), 0);
  const steps = editDocument(emptyPreview, isComplete ? text : text.slice(0, cut));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { document: value, wordCount: isComplete ? (text.match(/\S+/g)?.length ?? 0) : 0, isComplete };
  }
}
