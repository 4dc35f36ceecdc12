import { addToQueue } from "#shared/contracts/queue.ts";
import { type PendingSend, outbox } from "#web/features/chat/outbox.ts";
import { type SendFailure, classifyFailure } from "#web/features/chat/send-failure.ts";
import { forgetChosenTools } from "#web/features/tools/chosen-tools.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Lets a message wait its turn that came while another tab's was being answered: the same one, as the server knows it by its id. */
export async function waitInstead({ id, chatId, content, modelId, attachments, toolCategories }: PendingSend): Promise<SendFailure | null> {
  const body = {
    id,
    content,
    model_id: modelId,
    ...(attachments && { attachments: attachments.map((file) => file.id) }),
    ...(toolCategories && { tool_categories: toolCategories }),
  };
  try {
    await call(addToQueue, { params: { id: chatId }, body });
  } catch (error) {
    return classifyFailure(error);
  }
  outbox.remove(id);
  if (toolCategories) forgetChosenTools(chatId, toolCategories);
  void queryClient.invalidateQueries({ queryKey: keys.queue(chatId) });
  return null;
}
