import { createContext } from "react";
import type { Block } from "#shared/markdown/block.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";

interface ReferenceContextValue extends References {
  /** Makes the ids of a message's footnotes unique on the page. */
  readonly idPrefix: string;
}

/** What a text points to that defines nothing. */
export const noReferences: References = { definitions: new Map(), footnotes: [] };

/** What links, images and footnote calls of one text point to. */
export const ReferenceContext = createContext<ReferenceContextValue>({ ...noReferences, idPrefix: "" });

/** Collects the references of blocks; returns `former` where nothing changed, so no block renders again. */
export function updateReferences(former: References, blocks: readonly Block[]): References {
  const next = collectReferences(blocks.flatMap(({ frozen, node }) => [...(frozen ?? []).flat(), node]));
  const isSame =
    former.definitions.size === next.definitions.size &&
    former.footnotes.length === next.footnotes.length &&
    former.footnotes.every((footnote, index) => footnote === next.footnotes[index]) &&
    [...former.definitions].every(([identifier, definition]) => definition.url === next.definitions.get(identifier)?.url);
  return isSame ? former : next;
}
