import { useEffect } from "react";
import { ListOrdered, Pause, Play } from "lucide-react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { splitSteps } from "#shared/library/chain.ts";
import type { getChat } from "#shared/contracts/chat/chats.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { readQueue } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { UnansweredNotice } from "#web/features/conversation/sending/unanswered-notice.tsx";
import { NEW_CHAT, useDraft } from "#web/features/conversation/composer/drafts.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { Button } from "#web/ui/button.tsx";
import { remedyFor } from "#web/features/conversation/sending/send-failure.ts";
import { RemedyAction } from "#web/features/conversation/sending/remedy-action.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useReorder } from "#web/ui/use-reorder.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { mayBeChain, sentAsOne, stepsAsInserted } from "./queue-route.ts";
import { orderItems, pauseQueue } from "./change-queue.ts";
import { useRescueEdits } from "./rescued-edits.ts";
import { QueueRow } from "./queue-row.tsx";

/** What stands above a composer about messages that are not sent at once, or were not answered. */
export function QueueDock({ chatId }: { chatId: string | null }) {
  // Fetched before it is needed, as the text stays in the composer until it is here.
  useEffect(() => void import("./enqueue.ts").catch(() => undefined), []);
  return (
    <>
      {chatId !== null && <UnansweredNotice key={`unanswered:${chatId}`} chatId={chatId} />}
      {chatId !== null && <QueueList key={chatId} chatId={chatId} />}
      <ChainNotice draftKey={chatId ?? NEW_CHAT} />
    </>
  );
}

/** Says that what is written runs in steps, with the way to send it as one message. */
function ChainNotice({ draftKey }: { draftKey: string }) {
  const [text] = useDraft(draftKey);
  const isOne = useKeyed(sentAsOne, draftKey);
  const steps = mayBeChain(text) ? (stepsAsInserted(draftKey, text) ?? splitSteps(text)).length : 1;
  if (steps < 2) return null;
  return (
    <div className="mx-12 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-accent-soft py-2 pr-4 pl-12 text-13 text-accent-soft-ink touch:min-h-44 desk:mx-20">
      <ListOrdered aria-hidden className="size-16 shrink-0" />
      <p role="status" className="min-w-0 flex-1">
        {isOne ? "Goes as one message" : `Runs as ${steps} steps`}
      </p>
      <Button size="sm" variant="quiet" onClick={() => sentAsOne.set(draftKey, !isOne)}>
        {isOne ? `Run as ${steps} steps` : "Send as one message"}
      </Button>
    </div>
  );
}

/** The messages that wait their turn, above the composer; nothing while none does. */
function QueueList({ chatId }: { chatId: string }) {
  const { user } = useSession();
  const { items, paused } = useQueue(chatId);
  const own = items.filter(({ author }) => author.id === user?.id).map(({ id }) => id);
  const noteEdit = useRescueEdits(chatId, items);
  const { list, order, draggedId, handle } = useReorder(own, { onOrder: (ids) => orderItems(chatId, ids) });
  if (items.length === 0) return null;
  const places = [...order];
  const shown = items.map((item) => (own.includes(item.id) ? (items.find(({ id }) => id === places.shift()) ?? item) : item));
  // One alone is a strip of one line.
  const isStrip = items.length === 1 && !paused;
  const pause = <IconButton label="Pause queue" icon={Pause} size="sm" onClick={() => pauseQueue(chatId, true)} />;
  const waiting = items.length === 1 ? "1 message waits" : `${items.length} messages wait`;
  return (
    <section
      aria-label="Queue"
      // Nothing between: it lies against the composer.
      className="mx-12 mb-8 overflow-hidden rounded-12 border border-line bg-s1 has-[+[data-composer]]:mb-0 has-[+[data-composer]]:rounded-b-none has-[+[data-composer]]:border-b-0 desk:mx-20"
    >
      <div className={cx(isStrip ? "sr-only" : "flex min-h-36 items-center gap-8 py-2 pr-4 pl-12 text-12 touch:min-h-44")}>
        <p role="status" className="min-w-0 flex-1 text-ink2">
          {paused ? <PauseReason message={paused.message} /> : waiting}
        </p>
        {paused ? (
          <>
            <RemedyAction remedy={remedyFor(paused.code)} modelId={items[0]?.model_id ?? ""} />
            <Button size="sm" onClick={() => pauseQueue(chatId, false)}>
              <Play aria-hidden className="size-14" />
              Resume
            </Button>
          </>
        ) : (
          !isStrip && pause
        )}
      </div>
      <ul
        ref={list}
        aria-label="Queued messages"
        className={cx("max-h-[30dvh] overflow-y-auto", isStrip ? "pt-1" : "border-t border-line py-2")}
      >
        {shown.map((item) => (
          <QueueRow
            key={item.id}
            chatId={chatId}
            item={item}
            isOwn={own.includes(item.id)}
            canMove={own.length > 1}
            isDragged={draggedId === item.id}
            handle={handle(item.id)}
            pause={isStrip ? pause : null}
            noteEdit={noteEdit}
          />
        ))}
      </ul>
    </section>
  );
}

function PauseReason({ message }: { message: string }) {
  return (
    <>
      <span className="font-medium text-ink">Paused.</span> {message}
    </>
  );
}

const EMPTY: MessageQueue = { items: [], paused: null };

/** What waits its turn in a chat, kept current by the news of all tabs; nothing for a chat that is not there yet. */
function useQueue(chatId: string): MessageQueue {
  const { data: chat } = useQuery<ResponseOf<typeof getChat>>({ queryKey: keys.chat(chatId), queryFn: skipToken });
  useEffect(
    () =>
      onLive((event) => {
        const concernsQueue = (event.type === "queue.changed" && event.chat_id === chatId) || event.type === "hello";
        if (concernsQueue) void queryClient.invalidateQueries({ queryKey: keys.queue(chatId) });
      }),
    [chatId],
  );
  const { data = EMPTY } = useQuery({
    queryKey: keys.queue(chatId),
    queryFn: ({ signal }) => call(readQueue, { params: { id: chatId } }, { signal }),
    enabled: chat !== undefined,
    staleTime: 0,
  });
  return data;
}
