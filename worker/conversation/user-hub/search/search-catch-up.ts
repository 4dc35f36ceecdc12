/** Reads into the search index what changed since: from the list at once, from the rooms as they answer. */
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { followList, forgetChat, purgeRemovedChats, putTexts, type StaleChat, staleChats } from "./search-chats.ts";
import type { RoomTexts } from "#worker/conversation/room/rpc.ts";

/** Rooms read at once; an object has six connections. */
const ROOMS_AT_ONCE = 6;

type Deps = {
  storage: DurableObjectStorage;
  userId: string;
  /** Asks a chat's room for a page of its texts. */
  read(chatId: string, input: { from: number; again: number[] }): Promise<Outcome<RoomTexts>>;
};

export type CatchUp = {
  /** Takes over the list, without asking a room; true where that was all. */
  follow(): boolean;
  /** Reads what is not read yet, of all chats or of those alone that `staleChats` names; rooms that fail are left for the next time. */
  run(all: boolean): Promise<void>;
  /** Deletes the texts of chats that are gone. */
  purge(): Promise<void>;
};

/** The catching up of one user's index; calls that come while it runs wait for it and go on. */
export function createCatchUp({ storage, userId, read }: Deps): CatchUp {
  const { sql } = storage;
  let running: Promise<void> = Promise.resolve();

  function follow(): boolean {
    return storage.transactionSync(() => followList(sql));
  }

  async function readChat(stale: StaleChat): Promise<void> {
    for (let chat: StaleChat | null = stale; chat;) {
      const now: StaleChat = chat;
      const answer = await read(now.chatId, { from: now.from, again: now.again });
      chat = storage.transactionSync(() => {
        if (answer.ok) return putTexts(sql, now, { page: answer.value, userId });
        // Lost or deleted: the list says so before long, and what is not ours must not be found until then.
        forgetChat(sql, now.chatId);
        return null;
      });
    }
  }

  async function readAll(all: boolean): Promise<void> {
    while (!follow()) await yieldToEventLoop();
    const failed = new Set<number>();
    for (;;) {
      const chats = staleChats(sql, { all, limit: ROOMS_AT_ONCE + failed.size }).filter(({ number }) => !failed.has(number));
      if (chats.length === 0) break;
      await Promise.all(
        chats.slice(0, ROOMS_AT_ONCE).map(async (chat) => {
          try {
            await readChat(chat);
          } catch (cause) {
            failed.add(chat.number);
            log.warn("a chat's texts were not read for search", { chatId: chat.chatId, cause });
          }
        }),
      );
    }
    await purge();
  }

  async function purge(): Promise<void> {
    while (!storage.transactionSync(() => purgeRemovedChats(sql))) await yieldToEventLoop();
  }

  return {
    follow,
    purge,
    run(all) {
      running = running.catch(() => undefined).then(() => readAll(all));
      return running;
    },
  };
}

/** Lets other requests of the object in between two transactions. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
