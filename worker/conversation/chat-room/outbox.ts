import { log } from "#worker/platform/log.ts";
import { type ChatChanges, changeChat, versionOf } from "./chat.ts";
import { isCreated } from "./migrations.ts";
import { memberIds } from "./access/members.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";

/** Where reports go: a reader's hub by user id, the hubs of everybody but the owner, or the relational database for the title. */
export type Target = { kind: "hub"; userId: string } | { kind: "members" } | { kind: "d1" };

/** Members' hubs that are notified at the same time. */
const MEMBERS_AT_ONCE = 50;

type Mark = {
  updates?: ChatUpdate[];
  /** What changes of the chat itself. */
  changes?: ChatChanges;
  /** True where a later mark is certain to repeat the same, so this one need not be kept. */
  isPassing?: boolean;
};

export type Outbox = {
  /** Notes that targets have to learn of the chat as it now stands; call it inside the transaction of the change. */
  mark(targets: Target[], mark?: Mark): void;
  /** Delivers what is noted; what fails stays noted, unless it was passing. Resolves when the attempt is over. */
  deliver(): Promise<void>;
  isEmpty(): boolean;
};

type Send = (target: Exclude<Target, { kind: "members" }>) => Promise<void>;

/** Begins a delivery: what it sends is read once for all its targets. */
type Open = (report: { version: number; updates: ChatUpdate[] }) => Send;

/** A charge that waits for its payer's ledger stands for a mark of its own: a report takes it along. */
const CHARGED = "SELECT 'hub:' || payer_id AS target FROM charges WHERE amount_micros IS NOT NULL";
const PENDING = `SELECT target FROM outbox UNION ${CHARGED}`;

/**
 * Reports to hubs, at least once and never lost: one row a target says which version it still has to learn.
 * The chat's newest state answers for all versions before it, so ten changes in a burst are one delivery.
 * All members together are one row, however many they are; those who were not reached get rows of their own.
 */
export function createOutbox(sql: SqlStorage, open: Open): Outbox {
  let updates: ChatUpdate[] = [];
  let passing = new Set<string>();
  let running: Promise<void> = Promise.resolve();

  function targetsOf(query: string): Set<string> {
    return new Set(
      sql
        .exec<{ target: string }>(query)
        .toArray()
        .map(({ target }) => target),
    );
  }

  function note(target: string): void {
    sql.exec(
      "INSERT INTO outbox (target, version) SELECT ?, version FROM chat WHERE true ON CONFLICT (target) DO UPDATE SET version = excluded.version",
      target,
    );
  }

  function noteAll(targets: string[]): void {
    const charged = targetsOf(CHARGED);
    for (const target of targets) if (!charged.has(target)) note(target);
  }

  async function deliverOnce(): Promise<void> {
    // The chat may have been deleted since, here and after each delivery.
    if (!isCreated(sql)) return;
    const charged = targetsOf(CHARGED);
    const recorded = new Set([...targetsOf("SELECT target FROM outbox"), ...charged]);
    const pending = new Set([...recorded, ...passing]);
    if (pending.size === 0) return;
    const version = versionOf(sql);
    const carried = updates;
    updates = [];
    passing = new Set();
    const send = open({ version, updates: carried });
    const hasMembers = pending.delete(MEMBERS);

    async function attempt(target: string): Promise<boolean> {
      try {
        await send(parseTarget(target));
        return true;
      } catch (cause) {
        log.warn("a report was not delivered and is sent again", { target: target.split(":")[0], cause });
        return false;
      }
    }

    async function deliverOwn(target: string): Promise<void> {
      if (!(await attempt(target)) || !isCreated(sql)) return;
      settle(target, version);
      // What was marked in the meantime relied on the charge that is delivered now.
      if (charged.has(target) && versionOf(sql) > version) note(target);
    }

    await Promise.all([...pending].map(deliverOwn));
    if (!hasMembers || !isCreated(sql)) return;
    const others = memberIds(sql)
      .map((userId) => formatTarget({ kind: "hub", userId }))
      .filter((target) => !pending.has(target));
    for (let next = 0; next < others.length; next += MEMBERS_AT_ONCE) {
      const batch = others.slice(next, next + MEMBERS_AT_ONCE);
      const arrived = await Promise.all(batch.map(attempt));
      if (!isCreated(sql)) return;
      const missed = batch.filter((_, index) => !arrived[index]);
      if (recorded.has(MEMBERS)) for (const target of missed) note(target);
    }
    settle(MEMBERS, version);
  }

  function settle(target: string, version: number): void {
    sql.exec("DELETE FROM outbox WHERE target = ? AND version <= ?", target, version);
  }

  return {
    mark(targets, { updates: added = [], changes = {}, isPassing = false } = {}) {
      changeChat(sql, changes);
      const names = targets.map(formatTarget);
      if (isPassing) for (const name of names) passing.add(name);
      else noteAll(names);
      updates.push(...added);
    },
    deliver() {
      // One failed round, e.g. of a chat deleted meanwhile, must not keep the next from its try.
      running = running.catch(() => undefined).then(deliverOnce);
      return running;
    },
    isEmpty: () => sql.exec(`${PENDING} LIMIT 1`).toArray().length === 0,
  };
}

const MEMBERS = "members";

function formatTarget(target: Target): string {
  return target.kind === "hub" ? `hub:${target.userId}` : target.kind;
}

function parseTarget(text: string): Exclude<Target, { kind: "members" }> {
  return text === "d1" ? { kind: "d1" } : { kind: "hub", userId: text.slice("hub:".length) };
}
