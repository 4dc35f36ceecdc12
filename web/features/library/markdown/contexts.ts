import { createContext, type ReactNode } from "react";
import type { Table } from "mdast";
import type { Block } from "#shared/markdown/block.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import type { Citation } from "#shared/entities/message.ts";

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

/** What the text around a component cites: `[1]` is the first. */
export const CitationContext = createContext<readonly Citation[]>([]);

/** Within a link, where no other link may stand. */
export const NO_CITATIONS: readonly Citation[] = [];

/** A table, and how it is drawn plainly. */
export type AnswerTableProps = { node: Table; plain: ReactNode };

/** Draws the tables of a text: in a synthesis one may say where its models stand. */
export const AnswerTableContext = createContext<(props: AnswerTableProps) => ReactNode>(({ plain }) => plain);

/**
 * What is done with the images of a text: those of a message can be shown on request, those within a link are a part of it,
 * an artifact shows its own pictures, all others are links to where they are.
 */
export type ImageUse = { kind: "link" } | { kind: "artifact" } | { kind: "text" } | { kind: "message"; chatId: string; messageId: string };

export const AS_LINK: ImageUse = { kind: "link" };
export const AS_TEXT: ImageUse = { kind: "text" };

/** How the images of the text around a component are shown. */
export const ImageContext = createContext<ImageUse>(AS_LINK);
