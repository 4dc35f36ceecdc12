import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { splitCredits } from "#web/lib/dollars.ts";

/** US dollars below which four decimals show nothing. */
const LEAST = 0.0001;
/** Names that stand in one line. */
const NAMES = 3;

/** What was looked into of knowledge, in words: one line, and a line for each document. */
export function knowledgeUseText({ how, documents, unread, cost }: KnowledgeLook): { summary: string; details: string[] } {
  const found = documents.reduce((sum, document) => sum + document.found, 0);
  const names = listNames(documents.map(({ name }) => name));
  const summary =
    documents.length === 0
      ? "Knowledge: nothing in it is read yet"
      : how === "whole"
        ? `Read ${names}`
        : how === "parts"
          ? `Read parts of ${names}`
          : `Looked into ${names}: ${found === 0 ? "nothing found" : passages(found)}`;
  return {
    summary,
    details: [
      ...documents.map(
        (document) =>
          `${document.name}: ${how === "whole" ? "read whole" : document.found === 0 ? "nothing found" : passages(document.found)}`,
      ),
      ...unread.map(({ name, reason }) => `${name}: not read. ${reason}`),
      ...(cost === undefined ? [] : [`Finding the passages cost ${cost < LEAST ? "less than $0.0001" : dollarsOf(cost)}`]),
    ],
  };
}

function dollarsOf(cost: number): string {
  const { main, extra } = splitCredits(cost);
  return `${main}${extra}`;
}

function passages(count: number): string {
  return count === 1 ? "1 passage" : `${count} passages`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES).join(", ");
  return names.length <= NAMES ? shown : `${shown} and ${names.length - NAMES} more`;
}
