import type { PhoneMessage } from "../../conversations.ts";
import { postAction, type Phone, readPhones } from "./api.ts";

const POLL_MS = 500;

type State = {
  phones: Phone[];
  /** The number that is looked at and written as; null on the list. */
  number: string | null;
  /** The message that the next one answers. */
  replyTo: PhoneMessage | null;
  /** What went wrong last. */
  error: string | null;
};

export const state: State = { phones: [], number: numberOfAddress(), replyTo: null, error: null };

const listeners = new Set<() => void>();

/** Has a part of the page drawn after every change. */
export function onChange(draw: () => void): void {
  listeners.add(draw);
}

/** Changes the page's state, and has everything drawn. */
export function change(patch: Partial<State>): void {
  Object.assign(state, patch);
  for (const draw of listeners) draw();
}

/** The phone that is looked at. */
export function phone(): Phone | null {
  return state.phones.find(({ number }) => number === state.number) ?? null;
}

/** Looks at another phone, or at the list with null; the address says so. */
export function openPhone(number: string | null): void {
  const url = number === null ? "/dev/phone" : `/dev/phone?number=${encodeURIComponent(number)}`;
  history.pushState(null, "", url);
  change({ number, replyTo: null, error: null });
}

/** Does something as the phone that is looked at, and reads what came of it. */
export async function send(action: Record<string, unknown>): Promise<void> {
  const answered = state.replyTo ? { reply_to: state.replyTo.id } : {};
  change({ replyTo: null });
  await postAction("send", { number: state.number, ...answered, ...action });
}

/** Does something that is no message. */
export async function performAction(what: "send" | "read" | "window", body: Record<string, unknown>): Promise<void> {
  change({ error: await postAction(what, body) });
  await refresh();
}

/** Reads all phones; what the one that is looked at received counts as read while the page is seen. */
export async function refresh(): Promise<void> {
  const phones = await readPhones();
  change({ phones });
  const seen = phone();
  const isNew = seen?.messages.some(({ from, status }) => from === "business" && (status === "sent" || status === "delivered"));
  if (seen && isNew && !document.hidden) await postAction("read", { number: seen.number });
}

/** Reads the phones again and again; a server that is away is asked again. */
export async function follow(): Promise<never> {
  for (;;) {
    if (!document.hidden) await refresh().catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

window.addEventListener("popstate", () => change({ number: numberOfAddress(), replyTo: null }));

function numberOfAddress(): string | null {
  return new URLSearchParams(location.search).get("number")?.replace(/^ /, "+") ?? null;
}
