import type { LiveEvent } from "#shared/live-events.ts";

type Handler = (event: LiveEvent) => void;

const handlers = new Set<Handler>();
let seen = 0;
let isOpen = false;

/** Where the events this tab has seen stand; 0 before the first. */
export function seenCursor(): number {
  return seen;
}

/** False while no news reaches this tab: what it holds grows old unnoticed. */
export function isHearing(): boolean {
  return isOpen;
}

/** Notes that the line broke off; called by the socket alone. */
export function stopHearing(): void {
  isOpen = false;
}

/** Starts counting again: another person's hub counts for itself. */
export function forgetCursor(): void {
  seen = 0;
}

/** Hands every live event of this person's hub to `handler`; returns how to stop. */
export function onLive(handler: Handler): () => void {
  handlers.add(handler);
  return () => {
    handlers.delete(handler);
  };
}

/** Calls `reread` for events of what is shown, and when the line is back after it broke, as no event reports what happened meanwhile; returns how to stop. */
export function followChanges(concerns: (event: LiveEvent) => boolean, reread: () => void): () => void {
  let isBack = false;
  return onLive((event) => {
    const isMissed = event.type === "hello" && isBack;
    if (event.type === "hello") isBack = true;
    if (isMissed || concerns(event)) reread();
  });
}

/** Notifies all who listen; called by the socket alone. */
export function emitLive(event: LiveEvent): void {
  // First the handlers: what a hello finds unseen was missed.
  for (const handler of handlers) handler(event);
  if (event.type === "hello") isOpen = true;
  seen = Math.max(seen, Number(event.cursor));
}
