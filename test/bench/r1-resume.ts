import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import type { BenchServer } from "../../scripts/lib/bench/bench-server.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { CHEAP_MODEL } from "./load/cheap-model.ts";
import { createReplyReader } from "./load/reply-reader.ts";
import { readAll, send } from "./load/turn-client.ts";
import { makeUsers } from "./seed.ts";

const CUTS = 1_000;
const READERS = 20;
const LENGTH = 12_000;
/** About 3,000 characters a second, so an answer lasts four seconds. */
const SPEED = 650;
/** A reader is cut after at most this many bytes. */
const MOST_BYTES = 900;
/** One reader in so many comes back as a new tab, which knows nothing. */
const AFRESH = 10;

/** Readers cut off at random bytes, who come back where they were or as a new tab. */
export const bench: Bench = {
  id: "R1",
  title: `Resuming: ${CUTS} cuts at random bytes`,
  measure: async ({ serve }) => measureCuts(await serve()),
};

/** Cuts readers of this server off and says what they lost. */
export async function measureCuts(server: Pick<BenchServer, "origin" | "newUser">): Promise<Figure[]> {
  const users = await makeUsers(server, READERS);
  const fullText = markdownOfLength(LENGTH);
  const times: number[] = [];
  let cuts = 0;
  let replies = 0;
  let differing = 0;

  async function readOne(cookie: string): Promise<void> {
    const chatId = randomUUID();
    const body = JSON.stringify({ id: randomUUID(), parent_id: null, content: `bytes ${LENGTH}\nspeed ${SPEED}`, model_id: CHEAP_MODEL });
    const headers = { cookie, origin: server.origin };
    const accepted = await readAll(await send(`${server.origin}/api/chat/${chatId}/messages`, { agent: new Agent(), headers, body }));
    const replyId = /"replyId":"([^"]+)"/.exec(accepted)?.[1];
    if (replyId === undefined) throw new Error(`Sending answered ${accepted.slice(0, 200)}`);
    const reader = createReplyReader({ origin: server.origin, cookie, chatId, replyId });
    while (!reader.settled()) {
      const isFirst = reader.lengths.length === 0;
      const afresh = isFirst || Math.random() < 1 / AFRESH;
      // Who knows nothing gets all so far as one event, and has nothing before its end.
      const cutAfter = 1 + Math.floor(Math.random() * (afresh ? 2 * LENGTH : MOST_BYTES));
      const first = await reader.follow({ cutAfter, afresh });
      if (!isFirst && first !== null) times.push(first);
      if (!reader.settled()) cuts += 1;
    }
    replies += 1;
    if (reader.text() !== fullText) differing += 1;
  }

  await Promise.all(
    users.map(async ({ cookie }) => {
      while (cuts < CUTS) await readOne(cookie);
    }),
  );
  return [
    { name: "replies with a byte lost or doubled", unit: "errors", values: [differing], target: 0, notes: [{ cuts, replies }] },
    { name: "coming back until the first byte, p95", unit: "ms", values: [quantile(times, 0.95)], target: 50, isTime: true },
  ];
}
