import type { Citation } from "#shared/entities/message.ts";

/** The sources that a reply can cite, numbered from 1; one address is one source. */
export type Citations = {
  /** Notes a source and answers its number. */
  cite(source: Citation): number;
  list(): Citation[];
};

/** A list that goes on from what a reply has already cited. */
export function openCitations(cited: readonly Citation[] = []): Citations {
  const list = [...cited];
  return {
    cite({ url, title }) {
      const at = list.findIndex((source) => source.url === url);
      return at === -1 ? list.push({ url, title }) : at + 1;
    },
    list: () => [...list],
  };
}
