import { CircleAlert, Clock } from "lucide-react";
import { useConnection } from "#web/lib/connection.ts";
import { lockForEditing, isBeingEditedHere } from "#web/features/conversation/sending/editing-locks.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { type PendingSend, outbox } from "#web/features/conversation/sending/outbox.ts";
import { remedyFor } from "#web/features/conversation/sending/send-failure.ts";
import { retry, sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { ThinkingLine } from "./turn-line.tsx";
import { RESERVE, TurnFrame } from "./turn-frame.tsx";
import { UserBubble } from "./user-bubble.tsx";

const PendingEdit = lazyPart(async () => (await import("./pending-edit.tsx")).PendingEdit);
const RemedyAction = lazyPart(async () => (await import("#web/features/conversation/sending/remedy-action.tsx")).RemedyAction);

/** A message that the server does not have yet: on its way, waiting for the connection, or not sent. */
export function PendingTurn({ send, hasReserve }: { send: PendingSend; hasReserve: boolean }) {
  const { kind } = send.state;
  return (
    <>
      {/* On touch its actions will stand below it: their room is held, so it stays where it is. */}
      <TurnFrame messageId={send.id} speaker="You" isRecent className={kind === "sending" ? "pb-14 touch:pb-58" : "pb-14"}>
        {isBeingEditedHere(send) && kind !== "sending" ? (
          <PendingEdit send={send} />
        ) : (
          <>
            <div className="ml-auto flex justify-end touch:max-w-[87%]">
              <UserBubble content={send.content} attachments={send.attachments ?? []} />
            </div>
            <SendStatus send={send} />
          </>
        )}
      </TurnFrame>
      {kind === "sending" && (
        <div className={hasReserve ? RESERVE : undefined}>
          <ThinkingLine modelId={send.settings.model_id} />
        </div>
      )}
    </>
  );
}

function SendStatus({ send }: { send: PendingSend }) {
  const { state } = send;
  const isOnline = useConnection().kind === "online";
  const discard = () => {
    outbox.remove(send.id);
    // What waited behind it.
    void sendQueued();
  };
  if (state.kind === "sending") return null;
  const isFailed = state.kind === "failed";
  const Icon = isFailed ? CircleAlert : Clock;
  return (
    <output className="mt-6 flex flex-wrap items-center justify-end gap-x-8 gap-y-4 text-12 text-ink3">
      <span className={`inline-flex items-center gap-6 ${isFailed ? "text-danger" : ""}`}>
        <Icon aria-hidden className="size-14" />
        {isFailed
          ? `Not sent. ${state.message}`
          : isOnline
            ? "Will be sent after what stands before it"
            : "Will be sent when you're back online"}
      </span>
      {isFailed && <RemedyAction remedy={remedyFor(state.code)} modelId={send.settings.model_id} />}
      <span className="-mr-12 inline-flex">
        <Button variant="quiet" size="sm" onClick={() => void retry(send)}>
          {isFailed && state.code === "CHAT_MOVED_ON" ? "Send" : "Retry"}
        </Button>
        <Button variant="quiet" size="sm" onClick={() => lockForEditing(send)}>
          Edit
        </Button>
        <Button variant="quiet" size="sm" onClick={discard}>
          Discard
        </Button>
      </span>
    </output>
  );
}
