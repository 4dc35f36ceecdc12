import * as z from "zod/mini";
import { now } from "./turn-client.ts";

const Seen = z.object({ type: z.string(), chat_id: z.optional(z.string()) });

/** Sockets that follow one chat. */
export type Followers = {
  /** When each follower first heard of this event of the chat since the last call, in epoch milliseconds; NaN for one that has not. */
  receivedAt(type: string): number[];
  /** Resolves once all have heard of it, or after so many milliseconds. */
  waitFor(type: string, deadlineMs: number): Promise<void>;
  forget(): void;
  close(): void;
};

/** Opens one live socket for each cookie; each says that it looks at the chat. */
export async function openFollowers(
  origin: string,
  { chatId, cookies }: { chatId: string; cookies: readonly string[] },
): Promise<Followers> {
  const url = `${origin.replace(/^http/, "ws")}/api/live`;
  const receivedAt = new Map<string, number[]>();
  const sockets = await Promise.all(
    cookies.map(async (cookie, index) => {
      // The types are a browser's; Node's socket takes headers.
      const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers: { cookie, origin } }]);
      socket.addEventListener("message", ({ data }) => {
        const event = Seen.safeParse(JSON.parse(String(data))).data;
        if (!event || event.chat_id !== chatId) return;
        const times = receivedAt.get(event.type) ?? cookies.map(() => Number.NaN);
        if (Number.isNaN(times[index])) times[index] = now();
        receivedAt.set(event.type, times);
      });
      await new Promise((resolve, reject) => {
        socket.addEventListener("open", resolve, { once: true });
        socket.addEventListener("error", () => reject(new Error("A live socket was refused.")), { once: true });
      });
      socket.send(JSON.stringify({ type: "attention", chat_id: chatId, visible: true, typing: false }));
      return socket;
    }),
  );
  const timesOf = (type: string) => receivedAt.get(type) ?? cookies.map(() => Number.NaN);
  return {
    receivedAt: timesOf,
    async waitFor(type, deadlineMs) {
      const end = now() + deadlineMs;
      while (timesOf(type).some((at) => Number.isNaN(at)) && now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    forget: () => receivedAt.clear(),
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
}
