/** Links with which everybody may look at a persona, a prompt or knowledge, and take a copy: each item has one at most. */
import { base64url } from "jose";
import type { SharedItem } from "#shared/entities/shared-item.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { SHARE_PARAMETERS, type SharedKind } from "#shared/sharing/share-links.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { signingKey } from "#worker/people/signing-keys/keys.ts";
import { sha256 } from "#worker/platform/random.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, takeBackEvent, hourly } from "#worker/platform/http/rate-limit.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { ADMIT, type TextKind, TEXTS } from "./kinds.ts";
import { deleteLinkOf, type Item, selectLink, selectLinkOf, upsertLink } from "./queries.ts";

/** Tokens that open nothing, asked for from one network in an hour: more than anyone mistypes. */
const MISSES_PER_HOUR = 100;

type Change = Item & { caller: Caller };
type Input = Change & { origin: string; key: string | undefined };

/** Makes an item's link, in place of the one before. Only who has the answer has the link. Throws NOT_FOUND, FORBIDDEN, SHARE_LINKS_OFF. */
export async function makeLink(env: Env, db: Database, { kind, id, caller, origin, key }: Input): Promise<string> {
  if (!configOf(env).hasShareLinks) throw new AppError("SHARE_LINKS_OFF");
  await ADMIT[kind](db, caller.userId, id);
  const token = await newToken(env, [kind, id, caller.userId, key ?? crypto.randomUUID()]);
  await upsertLink(db, { kind, id }, await sha256(token), new Date().toISOString());
  return `${origin}/?${SHARE_PARAMETERS[kind]}=${token}`;
}

/** 256 bits that nobody guesses. The same request again has the same, so its answer need not be kept anywhere. */
async function newToken(env: Env, parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", await signingKey(configOf(env), "share-link"), bytes)));
}

/** Since when an item is shared by link, null where it is not. Throws NOT_FOUND, FORBIDDEN. */
export async function describeLink(db: Database, { kind, id, caller }: Change): Promise<string | null> {
  await ADMIT[kind](db, caller.userId, id);
  return (await selectLinkOf(db, { kind, id }))?.created_at ?? null;
}

/** Removes an item's link. Throws NOT_FOUND, where it has none too, and FORBIDDEN. */
export async function removeLink(db: Database, { kind, id, caller }: Change): Promise<void> {
  await ADMIT[kind](db, caller.userId, id);
  if (!(await deleteLinkOf(db, { kind, id }))) throw new AppError("NOT_FOUND", { message: `This ${kind} is not shared by link.` });
}

type Opening = { kind: SharedKind; token: string; ip: string };
type Read<T> = (db: Database, id: string) => Promise<T | undefined>;

/** What a link opens, as `read` has it. Throws one and the same NOT_FOUND for every token that opens nothing, and RATE_LIMITED where many were tried. */
export async function followLink<T>(env: Env, db: Database, { kind, token, ip }: Opening, read: Read<T>): Promise<{ id: string; item: T }> {
  const tries = `share-links:ip:${ip}`;
  // Counted before looking, so many tried at once are counted too; what opens something is no guess.
  await countOrRefuse(env, tries, hourly(MISSES_PER_HOUR), "RATE_LIMITED");
  const link = configOf(env).hasShareLinks ? await selectLink(db, kind, await sha256(token)) : undefined;
  const item = link && (await read(db, link.content_id));
  if (!link || !item) throw new AppError("NOT_FOUND", { message: `Shared ${kind} not found` });
  await takeBackEvent(env, tries);
  return { id: link.content_id, item };
}

type TextOpening = Opening & { kind: TextKind };

/** The text that a link opens. Throws as `followLink`. */
export async function openLink(env: Env, db: Database, opening: TextOpening): Promise<SharedItem & { id: string }> {
  const { id, item } = await followLink(env, db, opening, TEXTS[opening.kind].read);
  return { id, name: item.name, content: item.content, createdAt: item.created_at };
}

/** Makes a copy of what a link opens, which belongs to the caller; the same text of the same item is one copy, and false says that it was there. Throws as `openLink`, and INVALID_INPUT at the limit of what a person may have. */
export async function importShared(env: Env, db: Database, opening: TextOpening & { caller: Caller }): Promise<boolean> {
  const { kind, caller } = opening;
  const { id: source, name, content } = await openLink(env, db, opening);
  const id = await uuidOfName(JSON.stringify(["shared", kind, source, caller.userId, name, content]));
  if (await hasCopy(db, { kind, id, caller })) return false;
  try {
    await TEXTS[kind].add(db, caller.userId, { id, name, content });
    return true;
  } catch (cause) {
    // Another click was first.
    if (!isCode(cause, "CONFLICT") || !(await hasCopy(db, { kind, id, caller }))) throw cause;
    return false;
  }
}

async function hasCopy(db: Database, { kind, id, caller }: Change & { kind: TextKind }): Promise<boolean> {
  try {
    await TEXTS[kind].find(db, caller.userId, id);
    return true;
  } catch (cause) {
    if (isCode(cause, "NOT_FOUND")) return false;
    throw cause;
  }
}

function isCode(cause: unknown, code: ErrorCode): boolean {
  return cause instanceof AppError && cause.code === code;
}
