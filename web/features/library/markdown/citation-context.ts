import { createContext } from "react";
import type { Citation } from "#shared/entities/message.ts";

/** What the text around a component cites: `[1]` is the first. */
export const CitationContext = createContext<readonly Citation[]>([]);

/** Within a link, where no other link may stand. */
export const NO_CITATIONS: readonly Citation[] = [];
