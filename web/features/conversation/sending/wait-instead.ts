import { addToQueue } from "#shared/contracts/chat/queue.ts";
import { type PendingSend, outbox } from "#web/features/conversation/sending/outbox.ts";
import { type SendFailure, classifyFailure } from "#web/features/conversation/sending/send-failure.ts";
import { rereadSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Lets a message wait its turn that came while another tab's was being answered: the same one, as the server knows it by its id. */
export async function moveToQueue({ id, chatId, content, follows, settings, once, attachments }: PendingSend): Promise<SendFailure | null> {
  const body = {
    id,
    content,
    ...(follows && { after_id: follows }),
    ...settings,
    ...(once && { settings_once: once }),
    ...(attachments && { attachments: attachments.map((file) => file.id) }),
  };
  try {
    await call(addToQueue, { params: { id: chatId }, body });
  } catch (error) {
    return classifyFailure(error);
  }
  outbox.remove(id);
  void rereadSettings(chatId);
  void queryClient.invalidateQueries({ queryKey: keys.queue(chatId) });
  return null;
}
