import { Agent, type IncomingMessage, request } from "node:http";
import { decodeReplyEvent, type SettledEvent } from "#shared/reply-events.ts";

/** A reader of one reply that may be cut off at any byte and comes back where it was. */
export type ReplyReader = {
  text(): string;
  /** The text as it stood at each arrival, for asking what was there some time before. */
  lengths: { at: number; length: number }[];
  settled(): SettledEvent | null;
  /** Reads until `cutAfter` further bytes have come, the reply has settled or the connection is lost. Answers milliseconds until the first event. */
  follow(options?: { cutAfter?: number; afresh?: boolean }): Promise<number | null>;
};

type Where = { origin: string; cookie: string; chatId: string; replyId: string };

/** Makes a reader; it connects with `follow`. */
export function createReplyReader({ origin, cookie, chatId, replyId }: Where): ReplyReader {
  let text = "";
  let lastId: string | null = null;
  let settled: SettledEvent | null = null;
  const lengths: { at: number; length: number }[] = [];

  function take(frame: string): void {
    const id = /^id:\s?(.*)$/m.exec(frame)?.[1];
    const data = /^data:\s?(.*)$/m.exec(frame)?.[1];
    if (id === undefined || data === undefined) return;
    lastId = id;
    const event = decodeReplyEvent(data);
    if (event?.type === "text") text += event.text;
    if (event?.type === "replace") text = text.slice(0, event.text);
    if (event?.type === "settled") settled = event;
    lengths.push({ at: performance.now(), length: text.length });
  }

  return {
    text: () => text,
    lengths,
    settled: () => settled,
    async follow({ cutAfter = Infinity, afresh = false } = {}) {
      if (afresh) {
        text = "";
        lastId = null;
      }
      const agent = new Agent();
      const start = performance.now();
      let first: number | null = null;
      try {
        const headers = { cookie, accept: "text/event-stream", ...(lastId !== null && { "last-event-id": lastId }) };
        const response = await open(`${origin}/api/chat/${chatId}/replies/${replyId}`, agent, headers);
        if (response.statusCode !== 200) throw new Error(`The reply's stream answered ${response.statusCode}.`);
        response.setEncoding("utf8");
        let rest = "";
        let bytes = 0;
        for await (const chunk of response) {
          first ??= performance.now() - start;
          const arrived = String(chunk).slice(0, Math.max(0, cutAfter - bytes));
          bytes += String(chunk).length;
          const frames = (rest + arrived).split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) take(frame);
          // What stands in `rest` was cut in the middle of a frame and is lost, as in a browser.
          if (settled || bytes >= cutAfter) break;
        }
      } finally {
        agent.destroy();
      }
      return first;
    },
  };
}

function open(url: string, agent: Agent, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, resolve).on("error", reject).end();
  });
}
