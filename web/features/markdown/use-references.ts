import { useState } from "react";
import type { Block } from "#shared/markdown/block.ts";
import type { References } from "#shared/markdown/references.ts";
import { noReferences, updateReferences } from "./reference-context.ts";

interface Held {
  readonly settled: number;
  readonly last: Block | undefined;
  readonly streaming: boolean;
  readonly references: References;
}

const nothingHeld: Held = { settled: 0, last: undefined, streaming: true, references: noReferences };

/** What the settled blocks of a text point to, gone through only when a block has settled. */
export function useReferences(blocks: readonly Block[], { settled, streaming }: { settled: number; streaming: boolean }): References {
  const [held, setHeld] = useState(nothingHeld);
  const last = blocks[settled - 1];
  if (held.settled === settled && held.last === last && held.streaming === streaming) return held.references;
  const references = updateReferences(held.references, blocks.slice(0, settled));
  setHeld({ settled, last, streaming, references });
  return references;
}
