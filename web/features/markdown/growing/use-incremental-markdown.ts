import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Block } from "#shared/markdown/block.ts";
import { parseDocument } from "#shared/markdown/document.ts";
import type { MarkdownDocument } from "#shared/markdown/incremental.ts";
import { cachedDocument } from "./document-cache.ts";
import { growing } from "./growing.ts";
import { shownLength } from "./held-back.ts";

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
  const [document, setDocument] = useState<MarkdownDocument | null>(() => (streaming ? shown(null, text) : null));
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
    if (streaming) return document ?? { blocks: parseDocument(text), settled: 0 };
    const blocks = cachedDocument(text, () => finished(document, text) ?? parseDocument(text));
    return { blocks, settled: blocks.length };
  }, [document, streaming, text]);
}

/** The text so far without what is held back at its end; what was shown once stays. */
function shown(former: MarkdownDocument | null, text: string): MarkdownDocument | null {
  const isVerbatim = former?.blocks.at(-1)?.node.type === "code" || former?.blocks.at(-1)?.node.type === "math";
  const length = isVerbatim ? text.length : Math.max(former?.text.length ?? 0, shownLength(text));
  return grown(former, text.slice(0, length));
}

function grown(former: MarkdownDocument | null, text: string): MarkdownDocument | null {
  return growing()?.grow(former, text) ?? null;
}

function finished(document: MarkdownDocument | null, text: string): readonly Block[] | undefined {
  const whole = document?.text ? grown(document, text) : null;
  return whole ? growing()?.finish(whole) : undefined;
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
