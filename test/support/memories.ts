import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { createMemory, listMemories } from "#shared/contracts/memories.ts";
import type { Memory } from "#shared/entities/memory.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { CHEAP_MODEL } from "./replies.ts";
import { until } from "./until.ts";
import type { Client } from "./worker.ts";

export type Turn = { chatId: string; replyId: string };

/** What has a model save a fact. */
export const save = (input: object) => `call saveMemory ${JSON.stringify(input)}\nthen\nsay Noted.`;

/** A person's facts that hold. */
export async function factsOf(client: Client): Promise<Memory[]> {
  return (await client.take(listMemories, {})).memories;
}

/** Adds a fact by its person's own hand. */
export async function addFact(client: Client, text: string): Promise<Memory> {
  return (await client.take(createMemory, { body: { id: crypto.randomUUID(), text } })).memory;
}

/** Sends a message and answers where its reply is. */
export async function sendMessageIn(
  client: Client,
  { chatId, replyId }: { chatId: string; replyId: string | null },
  content: string,
  more: { context_ids?: string[]; tool_categories?: string[]; off_record?: boolean } = {},
): Promise<Turn> {
  const body = { id: crypto.randomUUID(), parent_id: replyId, content, model_id: CHEAP_MODEL, ...more };
  return { chatId, replyId: (await client.take(sendMessage, { params: { id: chatId }, body })).replyId };
}

/** The last call of a turn, once that waits for its person's word or has ended. */
export async function settledCall(client: Client, { chatId }: Pick<Turn, "chatId">): Promise<ToolCall | undefined> {
  const message = await until("the reply to wait or to end", async () => {
    const last = (await client.take(listMessages, { params: { id: chatId } })).messages.at(-1);
    return last?.status === "waiting" || last?.status === "done" ? last : null;
  });
  return message.tool_calls.at(-1);
}
