import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { openCheckpoints, readCheckpoints } from "#worker/conversation/chat-room/replies/checkpoints.ts";
import type { Positioned } from "#worker/conversation/chat-room/replies/reply-log.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { signIn } from "#test/support/worker.ts";

const delta = (generation: number, seq: number): Positioned => ({
  generation,
  seq,
  event: { type: "text", text: `${generation}.${seq} ` },
});

it("A reply's checkpoints share a row over its generations, and lose nothing after a transaction that was taken back", async () => {
  const { chatId } = await startChatAndRead(await signIn(), "say anything");
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    const { sql } = storage;
    const first = openCheckpoints(sql, "reply");
    const takeBack = (seq: number) => () =>
      storage.transactionSync(() => {
        first.add([delta(0, seq)]);
        throw new Error("taken back");
      });
    expect(takeBack(1)).toThrow("taken back");
    first.add([delta(0, 1)]);
    expect(takeBack(2)).toThrow("taken back");
    first.add([delta(0, 2), delta(0, 3)]);
    const next = openCheckpoints(sql, "reply");
    next.add([delta(1, 1)]);
    expect(readCheckpoints(sql, "reply")).toEqual([delta(0, 1), delta(0, 2), delta(0, 3), delta(1, 1)]);
    expect(sql.exec("SELECT part FROM checkpoints WHERE reply_id = 'reply'").toArray()).toEqual([{ part: 0 }]);
    next.drop();
    expect(readCheckpoints(sql, "reply")).toEqual([]);
  });
});
