import ReconnectingWebSocket from "partysocket/ws";
import { LiveEvent } from "#shared/live-events.ts";
import { LIVE_TOO_MANY } from "#shared/live-limits.ts";
import { openLive } from "#shared/contracts/live.ts";
import type { TabFrame } from "#shared/tab-frames.ts";
import { address } from "./api.ts";
import { emitLive, stopHearing } from "./live.ts";

type LiveOptions = {
  /** Where the list held stands. */
  since: string | undefined;
  /** A connection ended before it was open: the server is away, or the session is over. */
  onRefused: () => void;
  /** The connection stands, for the first time or again: the hub knows nothing of this tab yet. */
  onOpen: () => void;
};

export type LiveConnection = {
  close: () => void;
  /** Sends the hub something now; returns false where there is no connection. */
  say: (what: TabFrame | "ping") => boolean;
};

/** Opens the tab's socket to the person's hub, from where the lists held stand or the last event seen. */
export function connectLive({ since, onRefused, onOpen }: LiveOptions): LiveConnection {
  let cursor = since;
  let isOpen = false;
  const socket = new ReconnectingWebSocket(
    () => {
      const url = new URL(address(openLive, { query: { cursor } }), window.location.href);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      return url.href;
    },
    [],
    // Jitter, so a restarted server is not met by all tabs at once.
    {
      minReconnectionDelay: 500 + Math.random() * 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.6,
      connectionTimeout: 10_000,
      shouldReconnectOnClose: ({ code }) => code !== LIVE_TOO_MANY,
    },
  );
  socket.addEventListener("message", (message: MessageEvent<unknown>) => {
    const event = read(message.data);
    if (!event) return;
    cursor = event.cursor;
    emitLive(event);
    if (event.type === "session.ended") socket.close();
  });
  socket.addEventListener("open", () => {
    isOpen = true;
    onOpen();
  });
  const seen = new AbortController();
  socket.addEventListener("close", ({ code }) => {
    if (code === LIVE_TOO_MANY) waitUntilSeen();
    else if (!isOpen) onRefused();
    isOpen = false;
    stopHearing();
  });
  return {
    close() {
      seen.abort();
      socket.close();
    },
    say(what) {
      if (!isOpen) return false;
      socket.send(typeof what === "string" ? what : JSON.stringify(what));
      return true;
    },
  };

  function waitUntilSeen(): void {
    const onVisible = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", onVisible);
      socket.reconnect();
    };
    document.addEventListener("visibilitychange", onVisible, { signal: seen.signal });
  }
}

/** What this build does not know, a newer server may say: it is passed over. */
function read(data: unknown): LiveEvent | null {
  if (typeof data !== "string") return null;
  try {
    const parsed = LiveEvent.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
