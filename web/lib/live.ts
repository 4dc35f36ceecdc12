import type { LiveEvent } from "#shared/live-events.ts";

type Handler = (event: LiveEvent) => void;

const handlers = new Set<Handler>();

/** Hands every live event of this person's hub to `handler`; returns how to stop. */
export function onLive(handler: Handler): () => void {
  handlers.add(handler);
  return () => {
    handlers.delete(handler);
  };
}

/** Tells all who listen; called by the socket alone. */
export function emitLive(event: LiveEvent): void {
  for (const handler of handlers) handler(event);
}
