import type { Message } from "#shared/entities/message.ts";
import { type KnowledgePlace, readKnowledgeAddress } from "#shared/knowledge-citations.ts";

type Given = {
  passages: { place: KnowledgePlace; title: string }[];
  /** Documents that went along whole. */
  wholes: { entryId: string; name: string }[];
};

/** What of the chat's knowledge an answer's model was given: its passages by place, and what it read whole by name alone. */
export function passagesOf({ citations, knowledge }: Pick<Message, "citations" | "knowledge">): Given {
  if (knowledge?.how === "whole")
    return { passages: [], wholes: knowledge.documents.map(({ context_id: entryId, name }) => ({ entryId, name })) };
  const passages = citations.flatMap(({ url, title }) => {
    const place = readKnowledgeAddress(url);
    return place ? [{ place, title: title ?? "Knowledge" }] : [];
  });
  return { passages, wholes: [] };
}
