import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import type { RateLimiterRpc, Take, Taken } from "./rpc.ts";

/** Exact counts for one key (an address, an IP, a guest); forgets itself once nothing of it counts any more. */
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

  giveBack(): void {
    this.#openTable().exec("DELETE FROM takes WHERE rowid = (SELECT max(rowid) FROM takes)");
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
