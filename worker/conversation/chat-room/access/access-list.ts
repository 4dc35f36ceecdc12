import { log } from "#worker/platform/log.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { readMemberships, storeAccessChange } from "#worker/conversation/sharing/access.ts";
import { levelOf, NOT_FOUND, refuse } from "./access.ts";
import { readChat } from "../chat.ts";
import { type MembersChange, replaceMembers } from "./members.ts";
import { isCreated } from "../migrations.ts";
import type { Outbox, Target } from "../outbox.ts";
import type { AccessChange } from "#worker/conversation/room/rpc.ts";

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  outbox: Outbox;
  /** Ends what these people have open of the chat, at once. */
  cut(userIds: ReadonlySet<string>): void;
  /** Called once the list was read again. */
  onRead(): Promise<void>;
  /** Sees to it that the object wakes while something is left to do. */
  watch(): Promise<void>;
  waitUntil(work: Promise<unknown>): void;
};

/** Who has access to the chat, kept here as persons: the relational database has the shares, and this list is made of them. */
export type AccessList = {
  /** Makes a change in the database and takes it over. A death in between is healed by whoever wakes the room. */
  change(userId: string, change: AccessChange): Promise<Outcome<null>>;
  /** Takes over what the database has; who lost the chat is cut off before this resolves, and their list forgets it soon after. */
  refresh(): Promise<void>;
  /** Takes up a change that an earlier life of the room left half done. */
  resumePending(): void;
  /** True while the list may be behind the database. */
  isPending(): boolean;
};

/** More members than this who learn something new are notified together with all others. */
const NAMED_MEMBERS = 20;

const RIGHT_OF = { share: "share", unshare: "share", leave: "leave" } as const satisfies Partial<Record<AccessChange["kind"], string>>;

/** The access list of one room. Changes come one after another, so each reads what the ones before it wrote. */
export function createAccessSync({ env, storage, outbox, cut, onRead, watch, waitUntil }: Deps): AccessList {
  const { sql } = storage;
  let running: Promise<unknown> = Promise.resolve();
  let isResuming = false;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = running.catch(() => undefined).then(work);
    running = next;
    return next;
  }

  async function makeChange(userId: string, change: AccessChange): Promise<Outcome<null>> {
    if (!isCreated(sql)) return NOT_FOUND;
    const refused = change.kind === "admit" ? null : refuse(levelOf(sql, userId), RIGHT_OF[change.kind]);
    if (refused) return refused;
    const { id: chatId, owner_id: ownerId } = readChat(sql);
    sql.exec("UPDATE chat SET is_access_pending = 1");
    await watch();
    const stored = await storeAccessChange(env, { chatId, ownerId, userId }, change);
    await takeOver();
    return stored;
  }

  async function takeOver(): Promise<void> {
    if (!isCreated(sql)) return;
    const { id: chatId, owner_id: ownerId } = readChat(sql);
    const { memberships, ownTeamIds } = await readMemberships(env, { chatId, ownerId });
    if (!isCreated(sql)) return;
    const lost = storage.transactionSync(() => {
      const changed = replaceMembers(sql, memberships);
      const teams = JSON.stringify(ownTeamIds);
      const before = readChat(sql);
      const ownerName = memberships[0]?.ownerName ?? before.owner_name;
      sql.exec("UPDATE chat SET is_access_pending = 0, team_ids = ?, owner_name = ?", teams, ownerName);
      const hasChanges = teams !== before.team_ids || changed.lost.length + changed.notified.length > 0;
      if (ownerName !== before.owner_name) outbox.mark([...targetsOf(ownerId, { ...changed, notified: [] }), { kind: "members" }]);
      else if (hasChanges) outbox.mark(targetsOf(ownerId, changed));
      return new Set(changed.lost);
    });
    if (lost.size > 0) cut(lost);
    await onRead();
    await watch();
    waitUntil(outbox.deliver());
  }

  const isPending = () => isCreated(sql) && sql.exec("SELECT 1 FROM chat WHERE is_access_pending = 1").toArray().length > 0;

  return {
    change: (userId, change) => inTurn(() => makeChange(userId, change)),
    refresh: () => inTurn(takeOver),
    isPending,
    resumePending() {
      if (isResuming || !isPending()) return;
      isResuming = true;
      waitUntil(
        inTurn(takeOver)
          .catch((cause: unknown) => log.error("who has access to a chat could not be read", { cause }))
          .finally(() => (isResuming = false)),
      );
    },
  };
}

/** Those who lost the chat each by name, the others together where they are many. */
function targetsOf(ownerId: string, { lost, notified }: MembersChange): Target[] {
  const named = [ownerId, ...lost, ...(notified.length > NAMED_MEMBERS ? [] : notified)].map((userId): Target => ({ kind: "hub", userId }));
  return notified.length > NAMED_MEMBERS ? [...named, { kind: "members" }] : named;
}
