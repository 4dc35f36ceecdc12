import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Block } from "#shared/markdown/block.ts";
import { finishWithin, growWithin } from "#shared/markdown/bounded-document.ts";
import { emptyDocument, type MarkdownDocument } from "#shared/markdown/incremental.ts";
import { cachedDocument } from "./document-cache.ts";
import { shownLength } from "./unfinished-markup.ts";

/** Milliseconds between updates where no frames are painted, as in a hidden tab. */
const hiddenInterval = 250;

/** Parsing may take a third of the time: after a slow flush the next ones wait. */
const restPerWork = 2;

interface LiveMarkdown {
  readonly blocks: readonly Block[];
  /** How many of the blocks can no longer change. */
  readonly settled: number;
}

/** The blocks of a text that may still be growing: new text shows at once unless parsing gets slow, the end settles all. */
export function useIncrementalMarkdown(text: string, streaming: boolean): LiveMarkdown {
  const [document, setDocument] = useState(() => (streaming ? shown(emptyDocument, text) : emptyDocument));
  const latest = useRef({ document, text, restUntil: 0, cancel: (): void => undefined, isScheduled: false });

  useLayoutEffect(() => {
    const state = latest.current;
    state.text = text;
    if (!streaming || state.isScheduled) return;
    const flush = () => {
      if (performance.now() < state.restUntil) return schedule();
      state.isScheduled = false;
      const start = performance.now();
      state.document = shown(state.document, state.text);
      const end = performance.now();
      state.restUntil = end + (end - start) * restPerWork;
      setDocument(state.document);
    };
    const schedule = () => {
      state.isScheduled = true;
      state.cancel = onNextFrame(flush);
    };
    // The text itself comes once a frame: what it says is drawn in the same one.
    flush();
  }, [text, streaming]);

  useEffect(() => {
    const state = latest.current;
    return () => {
      state.cancel();
      state.isScheduled = false;
    };
  }, []);

  return useMemo(() => {
    if (streaming) return document;
    const blocks = cachedDocument(text, () => finishWithin(document, text));
    return { blocks, settled: blocks.length };
  }, [document, streaming, text]);
}

/** The text so far without what is held back at its end; what was shown once stays. */
function shown(former: MarkdownDocument, text: string): MarkdownDocument {
  const last = former.blocks.at(-1)?.node.type;
  const isVerbatim = former.isSource || last === "code" || last === "math";
  const length = isVerbatim ? text.length : Math.max(former.text.length, shownLength(text));
  return growWithin(former, text.slice(0, length));
}

function onNextFrame(run: () => void): () => void {
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, hiddenInterval);
  return cancel;
}
