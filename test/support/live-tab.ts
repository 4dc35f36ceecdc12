import { LiveEvent } from "#shared/live-events.ts";
import type { TabFrame } from "#shared/tab-frames.ts";
import { until } from "./until.ts";
import type { Client } from "./worker.ts";

/** A tab's live socket: what it received, how it was closed, and what it says. */
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
  const send = (data: string | ArrayBuffer) => socket.send(data);
  const say = (frame: Omit<TabFrame, "type">) => send(JSON.stringify({ type: "attention", ...frame }));
  return { events, closed, hello, send, say, close: () => socket.close() };
}
