import type { Database } from "#worker/platform/db/client.ts";
import { claimPerson, extendPersonLease } from "./queries.ts";

/** Longer than one message takes, in milliseconds: a job that died is stood in for after it. */
const HOLD_MS = 3 * 60_000;

/** The right to work off what a person wrote; one job has it at a time. */
export type Hold = {
  /** Keeps it for longer; false where it ran out and another job has it. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
};

/** Takes that right; null where another job has it. */
export async function claimPersonLease(db: Database, userId: string): Promise<Hold | null> {
  const now = Date.now();
  let leaseUntil = now + HOLD_MS;
  if (!(await claimPerson(db, userId, { now, until: leaseUntil }))) return null;
  return {
    async renew() {
      const until = Math.max(leaseUntil, Date.now() + HOLD_MS);
      const isOwn = await extendPersonLease(db, userId, { held: leaseUntil, until });
      if (isOwn) leaseUntil = until;
      return isOwn;
    },
    async release() {
      await extendPersonLease(db, userId, { held: leaseUntil, until: 0 });
    },
  };
}
