import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "#web/lib/connection.ts";

/** A connection that is back sooner than this, in milliseconds, was never worth a word. */
const PATIENCE_MS = 2_000;

/** Says that the server cannot be reached, and when it is asked again. */
export function OfflineBanner() {
  const state = useConnection();
  const [now, setNow] = useState(0);
  const isOffline = state.kind === "offline";

  // What says why something was not sent must be here when there is nothing to fetch it by.
  useEffect(() => {
    const parts = [
      import("#web/features/conversation/sending/refusal-notice.tsx"),
      import("#web/features/conversation/sending/lost-chat.ts"),
      import("#web/features/conversation/queue/enqueue.ts"),
    ];
    Promise.all(parts).catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!isOffline) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isOffline]);

  if (state.kind === "online" || now - state.since < PATIENCE_MS) return null;
  const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1_000));
  return (
    <output className="mx-12 flex min-h-40 shrink-0 flex-wrap items-center gap-x-10 rounded-8 bg-signal-soft px-12 py-8 text-13 text-signal-ink">
      <WifiOff aria-hidden className="size-16 max-[520px]:mt-2 max-[520px]:self-start" />
      <span className="min-w-0 flex-1 max-[520px]:min-w-[calc(100%-26px)]">
        <strong className="font-medium">You're offline.</strong> Messages are kept here and go out when the connection returns.
      </span>
      <span aria-hidden className="shrink-0 tabular-nums max-[520px]:pl-26">
        {seconds === 0 ? "Trying again…" : `Trying again in ${seconds} s`}
      </span>
    </output>
  );
}
