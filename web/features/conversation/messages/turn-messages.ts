import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import type { Autopilot } from "#shared/entities/autopilot.ts";
import type { Message } from "#shared/entities/message.ts";

type NewQuestion = {
  id: string;
  chatId: string;
  parentId: string | null;
  content: string;
  author: { id: string; display_name: string } | null;
  attachments?: Attachment[] | undefined;
  siblingIds?: string[];
};

type NewReply = {
  id: string;
  chatId: string;
  parentId: string;
  modelId: string | null;
  autopilot?: Autopilot | undefined;
  persona?: string | undefined;
  knowledge?: KnowledgeLook | undefined;
  siblingIds?: string[];
};

const BLANK = {
  reasoning: null,
  reasoning_ms: null,
  tool_calls: [],
  attachments: [],
  citations: [],
  cost: null,
  usage: null,
  finish_reason: null,
  error: null,
} satisfies Partial<Message>;

/** A person's message as it stands in the transcript before the server returns it. */
export function newQuestion({ id, chatId, parentId, content, author, attachments = [], siblingIds = [] }: NewQuestion): Message {
  return {
    ...BLANK,
    attachments,
    id,
    chat_id: chatId,
    parent_id: parentId,
    role: "user",
    content,
    author,
    model_id: null,
    requested_model_id: null,
    status: "done",
    sibling_ids: [...siblingIds, id],
    created_at: new Date().toISOString(),
  };
}

/** A reply that has been accepted and not begun. */
export function newReply({ id, chatId, parentId, modelId, autopilot, persona, knowledge, siblingIds = [] }: NewReply): Message {
  return {
    ...BLANK,
    id,
    chat_id: chatId,
    parent_id: parentId,
    role: "assistant",
    content: "",
    author: null,
    model_id: autopilot?.model_id ?? modelId,
    requested_model_id: modelId,
    ...(autopilot && { autopilot }),
    ...(persona !== undefined && { persona }),
    ...(knowledge && { knowledge }),
    status: "accepted",
    sibling_ids: [...siblingIds, id],
    created_at: new Date().toISOString(),
  };
}
