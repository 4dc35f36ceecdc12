import { LiveEvent } from "#shared/live-events.ts";
import { until } from "./until.ts";
import type { Client } from "./worker.ts";

/** A tab's live socket: what it was told, and how it was closed. */
export async function openTab(client: Client, cursor?: string) {
  const query = cursor === undefined ? "" : `?cursor=${cursor}`;
  const response = await client.fetch(`/api/live${query}`, { headers: { upgrade: "websocket" } });
  const socket = response.webSocket;
  if (!socket) throw new Error(`The live socket answered ${response.status}.`);
  const events: LiveEvent[] = [];
  const closed: number[] = [];
  socket.addEventListener("message", ({ data }) => {
    events.push(LiveEvent.parse(JSON.parse(String(data))));
  });
  socket.addEventListener("close", ({ code }) => {
    closed.push(code);
  });
  socket.accept();
  const hello = await until("hello", () => events.find((event) => event.type === "hello"));
  return { events, closed, hello, close: () => socket.close() };
}
