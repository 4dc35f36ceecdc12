import type { AdminUser } from "#shared/entities/admin-user.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { planOf } from "#shared/plans.ts";
import { isUuid } from "#shared/uuid.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { isAdministrator } from "#worker/people/users/users.ts";
import { partsOf, toPage } from "./page.ts";
import { type SearchField, searchUsers, selectUser, selectUsers, selectSpenders } from "./queries.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

export type UserPage = { users: AdminUser[]; nextCursor: string | null };
type PersonRow = NonNullable<Awaited<ReturnType<typeof selectUser>>>;
type Sought = { field: SearchField; prefix: string };

/** Reads of an index that one page may take: whoever is found by two fields is shown by the first alone, which leaves gaps. */
const READS = 8;

/** A page of users: all of them, or those whom a search finds. */
export async function listPeople(
  env: Env,
  db: Database,
  { q = "", cursor }: { q?: string | undefined; cursor?: string | undefined },
): Promise<UserPage> {
  if (q === "") return everybody(env, db, cursor);
  if (!isUuid(q)) return findUsers(env, db, { q, cursor });
  const row = await selectUser(db, q);
  return { users: row ? [toAdminUser(env, row)] : [], nextCursor: null };
}

async function everybody(env: Env, db: Database, cursor: string | undefined): Promise<UserPage> {
  const [at = "", id = ""] = cursor === undefined ? [] : partsOf(cursor, 2);
  const rows = await selectUsers(db, { after: cursor === undefined ? null : { at, id }, limit: ADMIN_PAGE + 1 });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: (last) => `${last.last_seen_at}~${last.id}` });
  return { users: page.map((row) => toAdminUser(env, row)), nextCursor };
}

/** Field after field, each in its index's order. */
async function findUsers(env: Env, db: Database, { q, cursor }: { q: string; cursor: string | undefined }): Promise<UserPage> {
  const sought = soughtOf(q);
  const [place = "0", lastId = "", lastKey = ""] = cursor === undefined ? [] : partsOf(cursor, 3);
  let at = Number(place);
  let after = cursor === undefined || lastId === "" ? null : { key: lastKey, id: lastId };
  if (!Number.isInteger(at) || at < 0) throw new AppError("INVALID_INPUT", { message: "That page is not there." });
  const people: AdminUser[] = [];
  for (let reads = 0; reads < READS && people.length < ADMIN_PAGE; reads += 1) {
    const search = sought[at];
    if (!search) return { users: people, nextCursor: null };
    const limit = ADMIN_PAGE - people.length;
    const rows = await searchUsers(db, { ...search, after, limit });
    const earlier = sought.slice(0, at);
    people.push(...rows.filter((row) => !earlier.some((other) => isMatch(row, other))).map((row) => toAdminUser(env, row)));
    const last = rows.at(-1);
    if (last && rows.length === limit) after = { key: last.key, id: last.id };
    else {
      at += 1;
      after = null;
    }
  }
  return { users: people, nextCursor: at < sought.length ? [at, after?.id ?? "", after?.key ?? ""].join("~") : null };
}

/** The database folds the letters A to Z alone: of others both cases are sought. */
function soughtOf(q: string): Sought[] {
  const prefixes = [...new Set([q, q.toLowerCase(), q.toLowerCase().replace(/^./u, (letter) => letter.toUpperCase())].map(fold))];
  return [
    { field: "email", prefix: q.toLowerCase() },
    ...prefixes.map((prefix): Sought => ({ field: "name", prefix })),
    ...prefixes.map((prefix): Sought => ({ field: "laterName", prefix })),
  ];
}

function fold(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isMatch({ email, display_name: name }: PersonRow, { field, prefix }: Sought): boolean {
  if (field === "email") return email?.startsWith(prefix) ?? false;
  const shown = fold(name);
  return (field === "name" ? shown : shown.slice(shown.indexOf(" ") + 1)).startsWith(prefix);
}

export function toAdminUser(env: Env, row: PersonRow): AdminUser {
  const { id, display_name, email, profile_image, anonymous, blocked_at, created_at, last_seen_at } = row;
  const person = { id, display_name, email, profile_image, anonymous, blocked_at, created_at, last_seen_at };
  return { ...person, plan: planOf(row), is_admin: isAdministrator(env, row) };
}

type Balance = { id: string; credits: number | null; spent: number };

/**
 * What people have left, each asked of its own ledger, and spent on this month's closed days, in US dollars. The house pays for guests,
 * and an id that is nobody's makes no ledger.
 */
export async function readBalances(env: Env, db: Database, ids: string[], now = new Date()): Promise<Balance[]> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const people = await selectSpenders(db, { ids, month });
  return Promise.all(
    people.map(async ({ id, anonymous, spentMicros }) => {
      const credits = anonymous ? null : fromMicros(await hubOf(env, id).credits());
      return { id, credits, spent: fromMicros(spentMicros) };
    }),
  );
}
