import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import type { Longest } from "../user-hub/rpc.ts";
import type { Hold, Paid, RateLimiterRpc, Take, Taken } from "./rpc.ts";
import { hold, letGo, pay } from "./spending.ts";

/** Exact counts for one key (an address, an IP, a guest, a day of the house); forgets itself once nothing of it counts any more. */
export class RateLimiter extends DurableObject<Env> implements RateLimiterRpc {
  take({ limit, since, until }: Take): Taken {
    const sql = this.#openTable();
    sql.exec("DELETE FROM takes WHERE at <= ?", since);
    const { count, first } = sql
      .exec<{ count: number; first: number | null }>("SELECT count(*) AS count, min(until) AS first FROM takes")
      .one();
    if (count >= limit) return { allowed: false, retryAt: first ?? until };
    sql.exec("INSERT INTO takes (at, until) VALUES (?, ?)", Date.now(), until);
    void this.ctx.storage.setAlarm(until);
    return { allowed: true };
  }

  isFull({ limit, since }: Pick<Take, "limit" | "since">): boolean {
    return this.#openTable().exec<{ count: number }>("SELECT count(*) AS count FROM takes WHERE at > ?", since).one().count >= limit;
  }

  giveBack(): void {
    this.#openTable().exec("DELETE FROM takes WHERE rowid = (SELECT max(rowid) FROM takes)");
  }

  hold(held: Hold): Longest | null {
    void this.ctx.storage.setAlarm(held.until);
    return hold(this.ctx.storage.sql, held);
  }

  pay(paid: Paid[], until: number): void {
    void this.ctx.storage.setAlarm(until);
    pay(this.ctx.storage.sql, paid);
  }

  letGo(replyId: string): void {
    letGo(this.ctx.storage.sql, replyId);
  }

  /** Each time, as the alarm drops the table while the object may live on. */
  #openTable(): SqlStorage {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS takes (at INTEGER NOT NULL, until INTEGER NOT NULL)");
    return sql;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
