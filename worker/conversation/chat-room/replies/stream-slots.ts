import { CONNECTIONS_MAX } from "#shared/live-limits.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { TurnRunner } from "./turn-runner.ts";

export type StreamPlaces = {
  /** Notes that one stream of a reply is held for this user, along with its credits. */
  hold(replyId: string, userId: string): void;
  /** True where this user may open one more stream of a reply; their hub counts them over all chats. */
  admits(replyId: string, userId: string): Promise<boolean>;
};

type Deps = { env: Env; turns: Pick<TurnRunner, "streamsOf">; chatId: () => string };

/** Who may follow the reply in progress: its asker once, which costs no request more, and else whom their hub lets. */
export function createStreamPlaces({ env, turns, chatId }: Deps): StreamPlaces {
  let reservedStream: { replyId: string; userId: string } | null = null;
  return {
    hold(replyId, userId) {
      reservedStream = { replyId, userId };
    },
    async admits(replyId, userId) {
      const streams = turns.streamsOf(userId);
      // What is stored already is sent at once, and that is all.
      if (streams?.replyId !== replyId) return true;
      if (streams.open >= CONNECTIONS_MAX) return false;
      if (streams.open === 0 && reservedStream?.replyId === replyId && reservedStream.userId === userId) return true;
      try {
        return await hubOf(env, userId).openStream({ chatId: chatId(), replyId });
      } catch (cause) {
        // Reading goes on without the sum; the reply's own limit holds.
        log.warn("streams could not be counted", { cause });
        return true;
      }
    },
  };
}
