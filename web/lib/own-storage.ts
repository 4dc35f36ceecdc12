/** What is typed and not sent, kept in this browser for one account: the next one finds none of it. */
import * as z from "zod/mini";
import { stored, storedKeys } from "./storage.ts";

/** What is kept so: each in the place of one composer. */
const KINDS = ["draft", "files", "as-one", "steps", "once"] as const;
export type OwnKind = (typeof KINDS)[number];

/** Who holds some of it in memory too. */
type Holder = {
  /** Writes down what is not written yet. */
  flush?: () => void;
  /** It is an account's now that was a visitor's. */
  adopt: () => void;
  /** It is of somebody who has left. */
  forget: () => void;
};

/** The account that is here; null for a visitor and a guest, whose drafts follow whoever signs in here. */
let owner: string | null = null;
const holders: Holder[] = [];

/** A value of whoever is here, as `stored`. */
export function storedForOwner<T>(kind: OwnKind, key: string, schema: z.ZodMiniType<T>, fallback: T) {
  return stored(`${owner === null ? "" : `${owner}/`}${kind}:${key}`, schema, fallback);
}

/** Tells of every change of who is here. */
export function onOwnerChange(holder: Holder): void {
  holders.push(holder);
}

/** Another one is here: a visitor's drafts become an account's, and an account's are out of sight without it. */
export function setOwner(next: string | null): void {
  if (next === owner) return;
  for (const { flush } of holders) flush?.();
  const isAdopting = owner === null && next !== null;
  if (isAdopting) adopt(next);
  owner = next;
  for (const holder of holders) (isAdopting ? holder.adopt : holder.forget)();
}

/** Forgets what all accounts but one keep so. */
export function forgetOwnOfOthers(but: string): void {
  for (const key of storedKeys("")) {
    const account = OWNED.exec(key)?.[1];
    if (account !== undefined && account !== but) entryAt(key).remove();
  }
}

const OWNED = new RegExp(`^([^/]+)/(?:${KINDS.join("|")}):`);

const entryAt = (key: string) => stored<unknown>(key, z.unknown(), null);

function adopt(account: string): void {
  for (const kind of KINDS) {
    for (const key of storedKeys(`${kind}:`)) {
      const [visitors, own] = [entryAt(key), entryAt(`${account}/${key}`)];
      if (own.write(joined(own.read(), visitors.read()))) visitors.remove();
    }
  }
}

/** Two drafts for one place stand below each other, unless one only goes on with the other; of all else the visitor's is newer. */
function joined(own: unknown, visitors: unknown): unknown {
  if (typeof own !== "string" || typeof visitors !== "string" || visitors.startsWith(own)) return visitors;
  return own.startsWith(visitors) ? own : `${own}\n\n${visitors}`;
}
