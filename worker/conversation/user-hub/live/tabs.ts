/** What the hub keeps with each of its sockets: it outlives the object's sleep, and costs no row. */
import * as z from "zod/mini";
import { ATTENTION_MS } from "#shared/live-limits.ts";

/** What a tab last said of itself; `at` in epoch milliseconds. */
const Attention = z.object({ chatId: z.nullable(z.string()), visible: z.boolean(), typing: z.boolean(), at: z.number() });
export type Attention = z.infer<typeof Attention>;

/** `at` is when the socket was opened and `endsAt` when its session ended, as far as was known then, in epoch milliseconds. */
const Tab = z.object({
  sessionId: z.string(),
  endsAt: z._default(z.nullable(z.number()), null),
  displayName: z._default(z.string(), ""),
  at: z._default(z.number(), 0),
  attention: z._default(z.nullable(Attention), null),
});
export type Tab = z.infer<typeof Tab>;

/** What is known of a socket's tab; null for a socket that this code did not accept. */
export function tabOf(socket: WebSocket): Tab | null {
  return Tab.safeParse(socket.deserializeAttachment()).data ?? null;
}

/** Keeps what is known of a socket's tab; attached to the socket it survives the hub's sleep without a row. */
export function attachTab(socket: WebSocket, tab: Tab): void {
  socket.serializeAttachment(tab);
}

/** The sockets that can still be spoken to, with their tabs. */
export function openTabs(ctx: DurableObjectState): { socket: WebSocket; tab: Tab }[] {
  return ctx.getWebSockets().flatMap((socket) => {
    const tab = socket.readyState === WebSocket.OPEN ? tabOf(socket) : null;
    return tab && !isOver(tab) ? [{ socket, tab }] : [];
  });
}

/** True where the time of a tab's session has run out, unless it was used since, which its next socket shows. */
export function isOver({ endsAt }: Tab): boolean {
  return endsAt !== null && endsAt <= Date.now();
}

/** What a tab looks at, unless it has been silent for so long that it must be gone. */
export function attentionOf(ctx: DurableObjectState, { socket, tab }: { socket: WebSocket; tab: Tab }): Attention | null {
  const pinged = ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
  return tab.attention && isFresh(Math.max(tab.attention.at, pinged)) ? tab.attention : null;
}

/** True where a word of this time, in epoch milliseconds, still holds. */
export function isFresh(at: number): boolean {
  return at > Date.now() - ATTENTION_MS;
}
