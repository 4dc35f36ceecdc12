import { listMessages } from "#shared/contracts/chat/messages.ts";
import { MESSAGES_PAGE } from "#shared/limits.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { landings } from "./landing-store.ts";
import { type MessagePages, pathOf, splitPages } from "#web/features/conversation/messages/message-pages.ts";
import { placeAt } from "./scroll-place.ts";

/** How far below the transcript's top edge a message stands that was landed on, in px. */
const OFFSET_PX = 96;

/** Brings a message into the shown path, whatever its branch and however far up, and has the transcript go there. */
export async function scrollToMessage(chatId: string, { messageId, arrival }: { messageId: string; arrival: string }): Promise<void> {
  const queryKey = keys.messages(chatId);
  try {
    const isOnCachedPath = pathOf(queryClient.getQueryData<MessagePages>(queryKey)).some(({ id }) => id === messageId);
    if (!isOnCachedPath) {
      // The newest page is not what is wanted now; it must not come after what is.
      await queryClient.cancelQueries({ queryKey });
      const page = await call(listMessages, { params: { id: chatId }, query: { around: messageId } });
      queryClient.setQueryData<MessagePages>(queryKey, splitPages(page, MESSAGES_PAGE));
    }
    placeAt(chatId, messageId, OFFSET_PX);
    landings.set(chatId, { messageId, arrival, isFetched: !isOnCachedPath });
  } catch (cause) {
    await queryClient.refetchQueries({ queryKey });
    const isMissing = cause instanceof ApiError && cause.status === 404 && queryClient.getQueryData(queryKey) !== undefined;
    if (isMissing) toast({ title: "That message is no longer here." });
  }
}
