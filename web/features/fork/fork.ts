import { forkChat } from "#shared/contracts/chat/copies.ts";
import type { Message } from "#shared/entities/message.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Makes a chat of the path up to this message and answers its id. */
export async function fork({ chat_id: id, id: messageId }: Pick<Message, "chat_id" | "id">): Promise<string> {
  const { chat } = await call(forkChat, { params: { id }, body: { messageId } });
  queryClient.setQueryData(keys.chat(chat.id), { chat });
  return chat.id;
}
