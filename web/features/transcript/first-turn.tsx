import type { PendingSend } from "#web/features/sending/outbox.ts";
import { PendingTurn } from "#web/features/turns/pending-turn.tsx";

/** A chat's first message, where it will stand, while the transcript is still on its way here. */
export function FirstTurn({ pending }: { pending: PendingSend[] }) {
  return (
    <div className="mx-auto min-h-0 w-full max-w-792 flex-1 overflow-hidden px-16 min-[600px]:max-desk:px-28 pt-8 desk:px-36">
      {pending.map((send) => (
        <PendingTurn key={send.id} send={send} hasReserve={false} />
      ))}
    </div>
  );
}
