/**
 * The user's connections: the sockets of this hub, and the streams of replies in rooms. A reply that the user asked for may have one,
 * for which its reservation stands; what more is opened is noted by its reply and forgotten as that ends. So what is noted may be too
 * much, as nobody's leaving is reported, but is never too little, and only where it is too much the rooms are asked. What a room
 * that cannot be asked has stays as noted.
 */
import { CONNECTIONS_MAX, LIVE_TOO_MANY } from "#shared/live-limits.ts";
import type { StreamsOpen } from "#worker/conversation/room/rpc.ts";
import { log } from "#worker/platform/log.ts";
import { RESERVATION_MS } from "#worker/platform/spending/holds.ts";
import type { ReplyPlace } from "#worker/conversation/hub/rpc.ts";
import { openTabs, type Tab } from "./tabs.ts";

type Deps = {
  ctx: DurableObjectState;
  /** The user's streams of the reply that a room has in progress, null where there is none. */
  ask(chatId: string): Promise<StreamsOpen | null>;
};

export type Connections = ReturnType<typeof createConnections>;

/** Counts one user's connections, and makes room for new ones. */
export function createConnections({ ctx, ask }: Deps) {
  const { sql } = ctx.storage;

  /** Streams, by what is noted. */
  function streamsAtMost(): number {
    return sql
      .exec<{ n: number }>(
        `SELECT (SELECT COUNT(DISTINCT reply_id) FROM reservations WHERE chat_id IS NOT NULL AND at > ?)
           + (SELECT COALESCE(SUM(open), 0) FROM streams) AS n`,
        Date.now() - RESERVATION_MS,
      )
      .one().n;
  }

  /** Replies of one chat that have a reservation, each for a stream. */
  function reservedReplies(chatId: string): number {
    return sql
      .exec<{ n: number }>(
        "SELECT COUNT(DISTINCT reply_id) AS n FROM reservations WHERE chat_id = ? AND at > ?",
        chatId,
        Date.now() - RESERVATION_MS,
      )
      .one().n;
  }

  /** Asks the rooms how many streams are open, and notes it; what is opened meanwhile counts too. */
  async function countStreams(): Promise<number> {
    const noted = sql.exec<{ reply_id: string; chat_id: string; open: number }>("SELECT reply_id, chat_id, open FROM streams").toArray();
    const chats = sql
      .exec<{ chat_id: string }>("SELECT chat_id FROM reservations WHERE chat_id IS NOT NULL UNION SELECT chat_id FROM streams")
      .toArray();
    const silent = new Set<string>();
    const answers = await Promise.all(
      chats.map(async ({ chat_id: chatId }) => {
        try {
          return await ask(chatId);
        } catch (cause) {
          log.warn("a room did not say which streams are open", { chatId, cause });
          silent.add(chatId);
          return null;
        }
      }),
    );
    const found = answers.filter((streams) => streams !== null);
    const beside = noted.map(({ reply_id: replyId, chat_id: chatId, open }) => {
      if (silent.has(chatId)) return open;
      const counted = found.find((streams) => streams.replyId === replyId)?.open ?? 0;
      const own = sql.exec("SELECT 1 FROM reservations WHERE reply_id = ? AND chat_id IS NOT NULL LIMIT 1", replyId).toArray().length;
      const left = Math.max(0, counted - own);
      sql.exec("UPDATE streams SET open = open - ? WHERE reply_id = ?", open - left, replyId);
      return left;
    });
    sql.exec("DELETE FROM streams WHERE open <= 0");
    const meanwhile = sql.exec<{ n: number }>("SELECT COALESCE(SUM(open), 0) AS n FROM streams").one().n - sum(beside);
    const unasked = sum(noted.map(({ chat_id: chatId, open }) => (silent.has(chatId) ? open : 0))) + sum([...silent].map(reservedReplies));
    return sum(found.map(({ open }) => open)) + unasked + Math.max(0, meanwhile);
  }

  /**
   * Makes a place for one more connection, by closing the oldest sockets where all together would be too many, those of tabs that are
   * looked at last: the others come back when they are looked at. False where streams alone are too many, which are never closed.
   */
  async function makePlace(): Promise<boolean> {
    if (openTabs(ctx).length + streamsAtMost() < CONNECTIONS_MAX) return true;
    const left = CONNECTIONS_MAX - 1 - (await countStreams());
    const tabs = openTabs(ctx).toSorted((one, other) => isSeen(one.tab) - isSeen(other.tab) || one.tab.at - other.tab.at);
    for (const { socket } of tabs.slice(0, Math.max(0, tabs.length - Math.max(0, left)))) socket.close(LIVE_TOO_MANY, "too many tabs");
    return left >= 0;
  }

  return {
    makePlace,
    /** Notes a stream that is about to be opened beside the one that its reply's reservation stands for; false where it would be too many. */
    async open({ chatId, replyId }: ReplyPlace): Promise<boolean> {
      if (!(await makePlace())) return false;
      sql.exec(
        "INSERT INTO streams (reply_id, chat_id, open) VALUES (?, ?, 1) ON CONFLICT (reply_id) DO UPDATE SET open = open + 1",
        replyId,
        chatId,
      );
      return true;
    },
    /** Forgets a reply that has ended, and its streams with it. */
    ended(replyId: string): void {
      sql.exec("DELETE FROM streams WHERE reply_id = ?", replyId);
    },
    /** How many there are. */
    count: async (): Promise<number> => (await countStreams()) + openTabs(ctx).length,
  };
}

/** 1 for a tab that said last that it is looked at. */
function isSeen({ attention }: Tab): number {
  return attention?.visible ? 1 : 0;
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
