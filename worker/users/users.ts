import { preferredWithin } from "#shared/models/allowlist.ts";
import type { UserPatch } from "#shared/contracts/account/users.ts";
import type { AdditionalEmails, User } from "#shared/entities/user.ts";
import { additionalEmailsOf } from "../additional-emails/owners.ts";
import { fromMicros, toMicros } from "../credits/money.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { type Caller, configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { loadOnce } from "../load-once.ts";
import { hubOf } from "../user-hub/stub.ts";
import { mailboxOf } from "./mailbox-of.ts";
import {
  findUserByEmail,
  type InviteUse,
  type NewUserRow,
  type UserRow,
  findUser,
  insertAccount,
  insertUser,
  promoteGuestRow,
  updateUserRow,
} from "./queries.ts";

const links = loadOnce(() => import("../messaging/links.ts"));

/** What signing in needs of the queries. */
export {
  deleteGuestRow,
  deleteIdentity,
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

/** Makes a guest, who begins with nothing. */
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
};

/**
 * Makes an account for a proven address, of this guest where one is given. The gift is for the first account of a mailbox, whatever
 * aliases the others have. CONFLICT when another request made one with that address first, INVITE_INVALID when another used its invite.
 */
export async function createAccount(
  db: Database,
  { email, displayName, giftMicros, formerKeys = [mailboxOf(email)], plan, invite = null }: NewAccount,
  guestId: string | null,
): Promise<UserRow> {
  const gift = { mailbox: mailboxOf(email), formerKeys, micros: giftMicros };
  const fields = { email, display_name: displayName, ...plan };
  try {
    const promoted = guestId === null ? undefined : await promoteGuestRow(db, guestId, { changes: fields, gift, invite });
    const row = promoted ?? (await insertAccount(db, { ...newRow(), ...fields, anonymous: false }, { gift, invite }));
    if (row) return row;
  } catch (cause) {
    if (!isInviteGone(cause)) throw cause;
    // The same person in another tab may have used it, and has the account then.
    if (!(await findUserByEmail(db, email))) throw new AppError("INVITE_INVALID", { cause });
  }
  throw new AppError("CONFLICT");
}

/** True where a transaction failed because its invite was used, or taken back, in the meantime. */
export function isInviteGone(cause: unknown): boolean {
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

/** What an account began with, in micro-dollars; null for a guest, who begins with nothing, and for nobody. */
export async function signUpCredits(env: Env, id: string): Promise<number | null> {
  const row = await findUser(openDatabase(env.DB), id);
  return row && !row.anonymous ? row.credits_micros : null;
}

/** A user as the API says it; the balance is the ledger's. */
export async function describeUser(env: Env, row: UserRow): Promise<User> {
  const { limits, whatsapp } = configOf(env);
  const [balanceMicros, additionalEmails, link] = await Promise.all([
    hubOf(env, row.id).credits(),
    row.anonymous ? [] : additionalEmailsOf(openDatabase(env.DB), row.id),
    row.anonymous || !whatsapp ? null : numberOf(env, row.id),
  ]);
  const { approvalDays } = limits;
  return toUser(row, { approvalDays, balanceMicros, additionalEmails, hasNumber: link !== null, isAdmin: isAdministrator(env, row) });
}

async function numberOf(env: Env, userId: string) {
  return (await links()).linkOf(openDatabase(env.DB), userId);
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

type Beside = {
  approvalDays: number;
  balanceMicros: number;
  additionalEmails: AdditionalEmails;
  hasNumber: boolean;
  isAdmin: boolean;
};

function toUser(row: UserRow, { approvalDays, balanceMicros, additionalEmails, hasNumber, isAdmin }: Beside): User {
  const {
    credits_micros: _granted,
    preferences: _preferences,
    default_persona_id: _persona,
    blocked_at: _blocked,
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

/** Changes a user's settings; a preferred model outside the allowlist gives way to the first allowed (spec 5). */
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
