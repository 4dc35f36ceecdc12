import { getSession } from "#shared/contracts/account/auth.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { createStore, useStore } from "#web/lib/store.ts";

/** `retryAt` is when the server is asked again, in milliseconds since the epoch. */
export type Connection = { kind: "online" } | { kind: "offline"; since: number; retryAt: number };

const ONLINE: Connection = { kind: "online" };
const FIRST_DELAY_MS = 2_000;
const LAST_DELAY_MS = 30_000;

const current = createStore<Connection>(ONLINE);
let attempts = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The delay before asking again, in milliseconds: doubling, up to half a minute. */
export function retryDelay(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, LAST_DELAY_MS);
}

/** Says that the server could not be reached; it is then asked until it answers. */
export function reportOffline(): void {
  if (current.get().kind === "offline") return;
  attempts = 0;
  waitAndAsk(Date.now());
}

/** Asks the server whether it can be reached, after something that hints that it cannot. */
export async function checkConnection(): Promise<void> {
  if (current.get().kind === "offline") return;
  await call(getSession, {}).catch(reportIfOffline);
}

/** Resolves once the server can be reached; it is asked now, as no browser knows what lies behind its network. */
export async function reachable(): Promise<void> {
  await checkConnection();
  if (current.get().kind === "online") return;
  await new Promise<void>((resolve) => {
    const stop = current.subscribe(() => {
      if (current.get().kind === "offline") return;
      stop();
      resolve();
    });
  });
}

/** Takes a failed request as news of the connection, where it is such. */
export function reportIfOffline(error: unknown): void {
  if (error instanceof ApiError && error.code === "OFFLINE") reportOffline();
}

/** Whether the server can be reached, as far as this page knows. */
export function connection(): Connection {
  return current.get();
}

/** Calls back on every change of the connection. */
export function onConnectionChange(listener: () => void): () => void {
  return current.subscribe(listener);
}

/** Whether the server can be reached, kept current. */
export function useConnection(): Connection {
  return useStore(current);
}

function waitAndAsk(since: number): void {
  clearTimeout(timer);
  const delay = retryDelay(attempts);
  attempts += 1;
  timer = setTimeout(() => void ask(since), delay);
  current.set({ kind: "offline", since, retryAt: Date.now() + delay });
}

async function ask(since: number): Promise<void> {
  clearTimeout(timer);
  try {
    await call(getSession, {});
    current.set(ONLINE);
  } catch {
    // Any failure means the same here: not yet.
    waitAndAsk(since);
  }
}

if (typeof addEventListener === "function") {
  addEventListener("offline", reportOffline);
  addEventListener("online", () => {
    const now = current.get();
    if (now.kind === "offline") void ask(now.since);
  });
}
