import { Pause, Play } from "lucide-react";
import { remedyFor } from "#web/features/conversation/sending/send-failure.ts";
import { RemedyAction } from "#web/features/conversation/sending/remedy-action.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useReorder } from "#web/ui/use-reorder.ts";
import { orderItems, pauseQueue } from "./change-queue.ts";
import { useRescueEdits } from "./rescued-edits.ts";
import { QueueRow } from "./queue-row.tsx";
import { useQueue } from "./use-queue.ts";

/** The messages that wait their turn, above the composer; nothing while none does. */
export function QueueList({ chatId }: { chatId: string }) {
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
