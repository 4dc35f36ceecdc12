import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";

type Holder = { id: string };

/** Leaves an account with this many dollars. */
export async function setBalance({ id }: Holder, dollars: number): Promise<void> {
  const hub = env.USER_HUB.getByName(id);
  await hub.credits();
  await runInDurableObject(hub, (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES (?, ?, 'reply', 0, ?)",
      crypto.randomUUID(),
      new Date().toISOString(),
      Math.round(dollars * 1_000_000),
    );
  });
}

/** Dollars that an account spent by its ledger. */
export async function spentBy({ id }: Holder): Promise<number> {
  const entries = await env.USER_HUB.getByName(id).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 1_000 });
  return -entries.filter(({ what }) => what !== "grant").reduce((sum, { amount_micros: micros }) => sum + micros, 0) / 1_000_000;
}
