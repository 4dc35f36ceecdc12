import { preferredWithin } from "#shared/models/allowlist.ts";
import type { UserPatch } from "#shared/contracts/account/users.ts";
import * as z from "zod/mini";
import type { AdditionalEmails, User } from "#shared/entities/user.ts";
import { additionalEmailsOf } from "#worker/people/addresses/verified-addresses.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { PersonRow } from "#worker/platform/db/schema/person.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { mailboxOf } from "./mailbox-of.ts";
import {
  findUserByEmail,
  type InviteUse,
  type Made,
  type NewUserRow,
  type Opening,
  type UserRow,
  findUser,
  insertAccount,
  insertUser,
  promoteGuestRow,
  updateUserRow,
} from "./queries.ts";

const messagingNumber = loadOnce(() => import("#worker/people/messaging-number/messaging-number.ts"));

/** What signing in needs of the queries. */
export {
  deleteGuestRow,
  deleteIdentity,
  findPersonByEmail,
  findUser,
  findUserByEmail,
  findUserByIdentity,
  insertIdentity,
  listSeenSince,
  listUnusedGuests,
  selectIdentities,
  updateIdentityEmail,
} from "./queries.ts";
export type { UserRow } from "./queries.ts";

export async function createGuest(db: Database, displayName: string): Promise<UserRow> {
  const row = await insertUser(db, { ...newRow(), display_name: displayName, anonymous: true });
  if (!row) throw new AppError("CONFLICT");
  return row;
}

type NewAccount = {
  email: string;
  displayName: string;
  giftMicros: number;
  formerKeys?: readonly string[];
  plan?: Partial<NewUserRow>;
  invite?: InviteUse | null;
  /** Written in the same transaction, for the account of this id; nothing of it may be where there is no such account with this address. */
  beside?: (userId: string) => Promise<Opening["beside"]>;
};

/**
 * Makes an account for a proven address, of this guest where one is given. The gift is for the first account of a mailbox, whatever
 * aliases the others have. CONFLICT when another request made one with that address first, INVITE_INVALID when another used its invite.
 */
export async function createAccount(
  db: Database,
  { email, displayName, giftMicros, formerKeys = [mailboxOf(email)], plan, invite = null, beside = async () => [] }: NewAccount,
  guestId: string | null,
): Promise<Made> {
  const gift = { mailbox: mailboxOf(email), formerKeys, micros: giftMicros };
  const fields = { email, display_name: displayName, ...plan };
  try {
    const promoted =
      guestId === null ? undefined : await promoteGuestRow(db, guestId, { changes: fields, gift, invite, beside: await beside(guestId) });
    if (promoted) return promoted;
    const made = { ...newRow(), ...fields, anonymous: false };
    const inserted = await insertAccount(db, made, { gift, invite, beside: await beside(made.id) });
    if (inserted) return inserted;
  } catch (cause) {
    if (!isInviteUnavailable(cause)) throw cause;
    // The same person in another tab may have used it, and has the account then.
    if (!(await findUserByEmail(db, email))) throw new AppError("INVITE_INVALID", { cause });
  }
  throw new AppError("CONFLICT");
}

/** True where a transaction failed because its invite was used, or taken back, in the meantime. */
export function isInviteUnavailable(cause: unknown): boolean {
  const texts = cause instanceof Error ? [cause.message, String(cause.cause)] : [];
  return texts.some((text) => /constraint failed: invite_uses|FOREIGN KEY constraint failed/.test(text));
}

function newRow(): Pick<NewUserRow, "id" | "created_at" | "last_seen_at"> {
  const now = new Date().toISOString();
  return { id: crypto.randomUUID(), created_at: now, last_seen_at: now };
}

/** A user that must exist: one whose session is in force. */
export async function getUserRow(db: Database, id: string): Promise<UserRow> {
  const row = await findUser(db, id);
  if (!row) throw new AppError("UNAUTHENTICATED");
  return row;
}

/** Where objects that others make for a person are best made: their own requests make theirs near them. Undefined where nobody knows. */
export async function locationHintFor(db: Database, userId: string): Promise<Hint | undefined> {
  return toLocationHint(await findUser(db, userId));
}

export type Hint = { locationHint: NonNullable<UserRow["region"]> };

export function toLocationHint(row: Pick<UserRow, "region"> | undefined): Hint | undefined {
  return row?.region ? { locationHint: row.region } : undefined;
}

/** What an account began with, in micro-dollars; null for a guest, who begins with nothing, and for nobody. */
export async function signUpCredits(env: Env, id: string): Promise<number | null> {
  const row = await findUser(openDatabase(env.DB), id);
  return row && !row.anonymous ? row.credits_micros : null;
}

/** What stands beside a user's row: their addresses, oldest first, and whether they write from a number; of a new account, what it began with. */
export type Beside = { additionalEmails: AdditionalEmails; hasNumber: boolean; newWithMicros?: number };

/** A user as the API says it; the balance is the ledger's. What stands beside the row is read where it is not at hand. */
export async function describeUser(env: Env, row: UserRow, known: Beside | null = null): Promise<User> {
  const { approvalDays } = configOf(env).limits;
  const [balanceMicros, beside] = await Promise.all([hubOf(env, row.id).credits(known?.newWithMicros), known ?? readBeside(env, row)]);
  return toUser(row, { approvalDays, balanceMicros, ...beside, isAdmin: isAdministrator(env, row) });
}

async function readBeside(env: Env, { id, anonymous }: UserRow): Promise<Beside> {
  const [additionalEmails, link] = await Promise.all([
    anonymous ? [] : additionalEmailsOf(openDatabase(env.DB), id),
    anonymous || !configOf(env).whatsapp ? null : numberOf(env, id),
  ]);
  return { additionalEmails, hasNumber: link !== null };
}

const Proven = z.array(z.tuple([z.string(), z.string()]));

/** The same of a row that was read with it. */
export function contactDetailsOf(env: Env, { provenJson, awaited, hasNumber }: PersonRow): Beside {
  const proven = Proven.parse(JSON.parse(provenJson)).map(([email, at]) => ({ email, verified_at: at }));
  const inOrder = proven.toSorted((a, b) => compare(a.verified_at, b.verified_at) || compare(a.email, b.email));
  const additionalEmails = awaited === null ? inOrder : [...inOrder, { email: awaited, verified_at: null }];
  return { additionalEmails, hasNumber: configOf(env).whatsapp !== null && hasNumber === 1 };
}

/** As the database orders texts. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function numberOf(env: Env, userId: string) {
  return (await messagingNumber()).linkOf(openDatabase(env.DB), userId);
}

/** True for an account whose proven address the deployment names as an administrator's. */
export function isAdministrator(env: Env, { email }: Pick<UserRow, "email">): boolean {
  return email !== null && configOf(env).administrators.includes(email);
}

/** The same of a caller, by their row as it stands now: their session's token may be minutes old. */
export async function isAdministratorNow(env: Env, db: Database, { userId, anonymous }: Caller): Promise<boolean> {
  const row = anonymous ? undefined : await findUser(db, userId);
  return row !== undefined && row.blocked_at === null && isAdministrator(env, row);
}

/** True for an account that administrators keep from being opened, which spends nothing. */
export async function isBlocked(db: Database, id: string): Promise<boolean> {
  const row = await findUser(db, id);
  return row !== undefined && row.blocked_at !== null;
}

type Described = Beside & { approvalDays: number; balanceMicros: number; isAdmin: boolean };

function toUser(row: UserRow, { approvalDays, balanceMicros, additionalEmails, hasNumber, isAdmin }: Described): User {
  const {
    credits_micros: _granted,
    preferences: _preferences,
    default_persona_id: _persona,
    blocked_at: _blocked,
    region: _region,
    triggered_daily_budget_micros: budgetMicros,
    browser_time_zone: browserZone,
    push_muted: _muted,
    created_at: _created,
    last_seen_at: _seen,
    ...fields
  } = row;
  const preferred = preferredWithin(fields.preferred_model, fields.model_allowlist);
  return {
    ...fields,
    preferred_model: preferred,
    approval_days: fields.approval_days ?? approvalDays,
    triggered_daily_budget: fromMicros(budgetMicros),
    time_zone: fields.time_zone ?? browserZone ?? "UTC",
    time_zone_chosen: fields.time_zone !== null,
    credits: fromMicros(balanceMicros),
    is_admin: isAdmin,
    whatsapp_verified: hasNumber,
    additional_emails: additionalEmails,
  };
}

/** Changes a user's settings; a preferred model outside the allowlist gives way to the first allowed. */
export async function changeUser(db: Database, id: string, patch: UserPatch): Promise<UserRow> {
  const before = await getUserRow(db, id);
  if (Object.keys(patch).length === 0) return before;
  const { preferred_model: preferred, triggered_daily_budget: budget, ...changes } = patch;
  return (
    (await updateUserRow(db, id, {
      ...changes,
      ...(preferred !== undefined && { preferred_model: preferredWithin(preferred, before.model_allowlist) }),
      ...(budget !== undefined && { triggered_daily_budget_micros: toMicros(budget) }),
    })) ?? before
  );
}
