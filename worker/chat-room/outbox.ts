import { log } from "../http/log.ts";
import { readChat } from "./chat.ts";
import type { ChatNews } from "./rpc.ts";

/** Where reports go: a reader's hub by user id, or the relational database for the title. */
export type Target = { kind: "hub"; userId: string } | { kind: "d1" };

export type Outbox = {
  /** Notes that a target has to learn of the chat as it now stands; call it inside the transaction of the change. */
  mark(targets: Target[], news?: ChatNews[]): void;
  /** Delivers what is noted; what fails stays noted. Resolves when the attempt is over. */
  deliver(): Promise<void>;
  isEmpty(): boolean;
};

type Send = (target: Target, report: { version: number; news: ChatNews[] }) => Promise<void>;

/**
 * Reports to hubs, at least once and never lost: one row a target says which version it still has to learn.
 * The chat's newest state answers for all versions before it, so ten changes in a burst are one delivery.
 */
export function createOutbox(sql: SqlStorage, send: Send): Outbox {
  let news: ChatNews[] = [];
  let running: Promise<void> = Promise.resolve();

  async function deliverOnce(): Promise<void> {
    const pending = sql.exec<{ target: string }>("SELECT target FROM outbox").toArray();
    if (pending.length === 0) return;
    const { version } = readChat(sql);
    const carried = news;
    news = [];
    await Promise.all(
      pending.map(async ({ target }) => {
        try {
          await send(parseTarget(target), { version, news: carried });
          sql.exec("DELETE FROM outbox WHERE target = ? AND version <= ?", target, version);
        } catch (cause) {
          log.warn("report not delivered, kept", { target: target.split(":")[0], cause });
        }
      }),
    );
  }

  return {
    mark(targets, added = []) {
      sql.exec("UPDATE chat SET version = version + 1");
      for (const target of targets) {
        sql.exec(
          "INSERT INTO outbox (target, version) SELECT ?, version FROM chat WHERE true ON CONFLICT (target) DO UPDATE SET version = excluded.version",
          formatTarget(target),
        );
      }
      news.push(...added);
    },
    deliver() {
      running = running.then(deliverOnce);
      return running;
    },
    isEmpty: () => sql.exec("SELECT 1 FROM outbox LIMIT 1").toArray().length === 0,
  };
}

function formatTarget(target: Target): string {
  return target.kind === "d1" ? "d1" : `hub:${target.userId}`;
}

function parseTarget(text: string): Target {
  return text === "d1" ? { kind: "d1" } : { kind: "hub", userId: text.slice("hub:".length) };
}
