import type { RootContent } from "mdast";
import type { PublicMessage } from "#shared/entities/public-chat.ts";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";

/** A message with the nodes of its markdown; null where that would be too much work to parse. */
export type ParsedMessage = PublicMessage & { nodes: readonly RootContent[] | null };

/** Parses the messages of one page, for no more work than one request may take. */
export function parseMessages(messages: readonly PublicMessage[]): ParsedMessage[] {
  const work = new WorkMeter(REQUEST_UNITS);
  return messages.map((message) => ({ ...message, nodes: parseWithin(message.content, work) }));
}
