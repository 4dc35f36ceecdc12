import { Skeleton } from "#web/ui/skeleton.tsx";
import type { PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { PendingTurn } from "#web/features/conversation/turns/pending-turn.tsx";

/** Bars where a question and an answer will stand. */
export function TranscriptSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-792 flex-1 overflow-hidden px-16 min-[600px]:max-desk:px-28 pt-8 desk:px-36">
      <output className="sr-only">Loading the conversation</output>
      <Skeleton className="ml-auto h-44 w-[62%] rounded-14 rounded-br-6" />
      <div className="mt-14 flex h-28 items-center gap-8">
        <Skeleton className="size-18" />
        <Skeleton className="h-12 w-120" />
      </div>
      {["w-full", "w-[94%]", "w-[98%]", "w-[61%]"].map((width) => (
        <Skeleton key={width} className={`mt-12 h-14 ${width}`} />
      ))}
    </div>
  );
}

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
