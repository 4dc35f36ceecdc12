import { type QueueChange, changeQueue, removeFromQueue } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { moveEditToComposer } from "./rescued-edits.ts";

/** Shows a change of a chat's queue at once, asks for it, and takes it back with the reason when it is refused; true when it was taken. */
async function apply(chatId: string, show: (held: MessageQueue) => MessageQueue, ask: () => Promise<MessageQueue>): Promise<boolean> {
  const queryKey = keys.queue(chatId);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<MessageQueue>(queryKey, (held) => held && show(held));
  try {
    queryClient.setQueryData(queryKey, await ask());
    return true;
  } catch (error) {
    toastFailure("The queue was not changed", error);
    await queryClient.invalidateQueries({ queryKey });
    return false;
  }
}

const patch = (chatId: string, body: QueueChange) => () => call(changeQueue, { params: { id: chatId }, body });

/** Gives a waiting message another text; one that is refused, as the message was sent meanwhile, goes to the message box. */
export function editItem(chatId: string, id: string, content: string): void {
  const show = (held: MessageQueue) => ({ ...held, items: held.items.map((item) => (item.id === id ? { ...item, content } : item)) });
  const ask = patch(chatId, { edit: { id, content } });
  // An answer that was lost says nothing: asked again, the server answers the same, also once the message is sent.
  void apply(chatId, show, () => againIfLost(ask)).then((isTaken) => isTaken || moveEditToComposer(chatId, content));
}

const AGAIN_MS = 1_000;

async function againIfLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0 && error.status < 500) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return ask();
  }
}

/** Puts the person's own waiting messages into this order. */
export function orderItems(chatId: string, order: string[]): void {
  const show = (held: MessageQueue) => {
    const moved = order.flatMap((id) => held.items.find((item) => item.id === id) ?? []);
    return { ...held, items: held.items.map((item) => (order.includes(item.id) ? (moved.shift() ?? item) : item)) };
  };
  void apply(chatId, show, patch(chatId, { order }));
}

/** Takes one message out. */
export function removeItem(chatId: string, item: string): void {
  const show = (held: MessageQueue) => ({ ...held, items: held.items.filter(({ id }) => id !== item) });
  void apply(chatId, show, () => call(removeFromQueue, { params: { id: chatId }, query: { item } }));
}

/** Rests the queue, or lets it go on. */
export function pauseQueue(chatId: string, paused: boolean): void {
  const show = (held: MessageQueue) => ({ ...held, paused: paused ? { code: "PAUSED", message: "" } : null });
  void apply(chatId, show, patch(chatId, { paused }));
}

/** Stops the reply in progress and sends this message next. */
export function sendNow(chatId: string, id: string): void {
  void apply(chatId, (held) => held, patch(chatId, { send_now: id }));
}
