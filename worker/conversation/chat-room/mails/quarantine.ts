/** Mails of senders whom nobody has decided about, and the sources that nothing names any more. */
import { deleteObjects } from "#worker/library/attachments/attachment-keys.ts";
import type { Env } from "#worker/platform/env.ts";
import { mailsFolder, rawMailKey } from "#worker/mail/chat-address/room-mail.ts";
import { QUARANTINE_DAYS } from "#shared/limits.ts";
import { readChat } from "../chat.ts";
import { noteStored } from "../messages/stored-files.ts";
import { isCreated } from "../migrations.ts";
import type { QuarantinedMail } from "#worker/conversation/room/rpc.ts";

const QUARANTINE_MS = QUARANTINE_DAYS * 24 * 60 * 60_000;
/** So many are reported to readers' lists. */
const REPORTED = 50;
/** A source is under way for so many milliseconds at most; after them one without a mail is nobody's. */
const ARRIVING_MS = 60 * 60_000;
/** Sources that are looked at in one call to storage. */
const A_PAGE = 500;

type Row = { id: string; from_addr: string; from_name: string; subject: string; authentication: string | null; created_at: string };

/** The newest mails that wait for a word about their sender. */
export function quarantinedMails(sql: SqlStorage): QuarantinedMail[] {
  return sql
    .exec<Row>(
      `SELECT id, from_addr, from_name, subject, authentication, created_at FROM mails INDEXED BY mails_quarantined
       WHERE state = 'quarantined' ORDER BY seq DESC LIMIT ?`,
      REPORTED,
    )
    .toArray()
    .map(({ authentication, created_at: since, ...mail }) => ({
      ...mail,
      is_proven: authentication?.includes('"pass"') ?? false,
      since,
      expires_at: new Date(Date.parse(since) + QUARANTINE_MS).toISOString(),
    }));
}

/** When the next mail leaves quarantine by itself, in epoch milliseconds; null where none waits. */
export function nextQuarantineEnd(sql: SqlStorage): number | null {
  const { first } = sql
    .exec<{ first: string | null }>("SELECT MIN(created_at) AS first FROM mails INDEXED BY mails_quarantined WHERE state = 'quarantined'")
    .one();
  return first === null ? null : Date.parse(first) + QUARANTINE_MS;
}

/** Deletes the mails that nobody wanted in time; answers whether there were any. Their sources are swept. Call it in a transaction. */
export function dropExpired(sql: SqlStorage, now: number): boolean {
  const before = new Date(now - QUARANTINE_MS).toISOString();
  const expired = sql.exec("DELETE FROM mails WHERE state = 'quarantined' AND created_at <= ? RETURNING id", before).toArray();
  if (expired.length > 0) noteStored(sql);
  return expired.length > 0;
}

/**
 * Deletes the stored sources of this chat that no mail of it names: of what was blocked or ran out, and of a mail whose taking ended
 * between its source and its row. Returns whether some were too young to know.
 */
export async function sweepSources(env: Env, sql: SqlStorage): Promise<boolean> {
  const prefix = mailsFolder(readChat(sql).id);
  let cursor: string | undefined;
  let isUnsure = false;
  do {
    const page: R2Objects = await env.FILES.list({ prefix, limit: A_PAGE, ...(cursor !== undefined && { cursor }) });
    if (!isCreated(sql)) return false;
    const names = JSON.stringify(page.objects.map(({ key }) => key.slice(prefix.length)));
    const named = new Set(
      sql
        .exec<{ value: string }>("SELECT value FROM json_each(?) WHERE value IN (SELECT raw_object FROM mails)", names)
        .toArray()
        .map(({ value }) => prefix + value),
    );
    const unnamed = page.objects.filter(({ key }) => !named.has(key));
    const orphans = unnamed.filter(({ uploaded }) => uploaded.getTime() < Date.now() - ARRIVING_MS);
    if (orphans.length > 0) await env.FILES.delete(orphans.map(({ key }) => key));
    isUnsure ||= orphans.length < unnamed.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return isUnsure;
}

/** Deletes the sources of mails that were blocked just now. */
export async function deleteSources(env: Env, sql: SqlStorage, rawObjects: readonly string[]): Promise<void> {
  const { id } = readChat(sql);
  await deleteObjects(
    env.FILES,
    rawObjects.map((rawObject) => rawMailKey(id, rawObject)),
  );
}
