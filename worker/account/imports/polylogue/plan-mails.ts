import * as z from "zod/mini";
import { formatOfName, FORMATS } from "#shared/attachment-rules.ts";
import type { MailState } from "#shared/entities/mail.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import type { ExportedMail } from "#shared/sharing/exported-chat.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import { mailIndexName } from "#worker/account/account-export/mail-index.ts";
import { rawMailKey, type RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { Importing } from "../source.ts";
import { readJson } from "./read-json.ts";

/** Sources of one chat's mails that come along: each asks the storage three times. */
const SOURCES_PER_CHAT = 40;
/** Mail services take less than that. */
const SOURCE_BYTES = 40 * 1024 * 1024;
const NOT_SENT = "It was not sent before it was exported.";

const Index = z.object({
  sources: z.array(
    z.object({
      path: z.string(),
      direction: z.string(),
      subject: z.string(),
      message_id: z.nullable(z.string()),
      created_at: z.string(),
    }),
  ),
  next: z.nullable(z.number()),
});

type Known = Pick<ExportedMail, "subject" | "message_id" | "created_at"> & { direction: string };

/** The mails of a chat as they are imported: those that were let in or went out, and how many stay in the file because nobody let them in. */
export type PlannedMails = {
  count: number;
  strangers: number;
  bytes: number;
  /** Stores their sources for the chat of this id; returns the mails, oldest first; none is sent or answered by itself. */
  store(chatId: string, hasRoom: boolean): Promise<{ mails: RoomMail[]; notes: ImportNote[] }>;
};

/** Reads what mails a chat's folder in an export has. */
export async function planMails(
  importing: Importing,
  { emails, folder }: { emails: readonly ExportedMail[]; folder: string },
): Promise<PlannedMails> {
  const { archive, env, user } = importing;
  const sources = emails.length > 0 ? await sourcesIn(importing, folder) : new Map<string, string[]>();
  const wanted = emails
    .filter(({ state }) => state !== "quarantined" && state !== "blocked")
    .map((mail) => ({ mail, path: sources.get(nameOf(mail))?.shift() ?? null }));
  const sourcePaths = wanted.flatMap(({ path }) => path ?? []).slice(0, SOURCES_PER_CHAT);
  const taken = new Set(sourcePaths);
  return {
    count: wanted.length,
    strangers: emails.length - wanted.length,
    bytes: sourcePaths.reduce((sum, path) => sum + (archive.entries.get(path) ?? 0), 0),
    async store(chatId, hasRoom) {
      const mails: RoomMail[] = [];
      const notes: ImportNote[] = [];
      for (const { mail, path } of wanted) {
        const bytes = path !== null && hasRoom && taken.has(path) ? await archive.read(path, SOURCE_BYTES) : null;
        const rawObject = bytes && (await uuidOfName(JSON.stringify(["mail", chatId, path])));
        if (bytes && rawObject !== null) await env.FILES.put(rawMailKey(chatId, rawObject), bytes);
        else if (path !== null || mail.direction === "in")
          notes.push({ kind: "mail", title: mail.subject, reason: reasonOf(path, hasRoom) });
        const raw = { raw_object: rawObject, raw_size: bytes?.byteLength ?? 0 };
        mails.push({ ...toRoomMail(mail), ...raw, sender_id: mail.direction === "out" ? user.userId : null, with_data_of: null });
      }
      return { mails: mails.toReversed(), notes };
    },
  };
}

function reasonOf(path: string | null, hasRoom: boolean): string {
  if (path === null) return "Its text came; its source is not in the export.";
  return hasRoom ? "Its text came; its source stays in the file." : "Its text came; your storage is full for its source.";
}

/** Where sources lie, by what is known of their mails. */
async function sourcesIn({ archive }: Importing, folder: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const seen = new Set<string>();
  for (let name = mailIndexName(folder, null); !seen.has(name);) {
    seen.add(name);
    const index = await readJson(archive, name, Index);
    for (const { path, ...known } of index?.sources ?? []) {
      if (!path.startsWith(`${folder}/mails/`) || !archive.entries.has(path)) continue;
      found.set(nameOf(known), [...(found.get(nameOf(known)) ?? []), path]);
    }
    name = mailIndexName(folder, index?.next ?? null);
  }
  return found;
}

function nameOf({ direction, subject, message_id: messageId, created_at: at }: Known): string {
  return JSON.stringify([direction, subject, messageId, at]);
}

/** A mail that no turn and no answer follows; what a file says about its sender proves nothing. */
function toRoomMail(mail: ExportedMail): Omit<RoomMail, "raw_object" | "raw_size" | "sender_id" | "with_data_of"> {
  const isIn = mail.direction === "in";
  const isWaiting = !isIn && mail.state === "queued";
  return {
    ...mail,
    id: crypto.randomUUID(),
    delivery_key: null,
    state: stateOf(mail),
    reply_to_addr: isIn ? [mail.from_addr] : [],
    quoted_body: null,
    authentication: isIn ? { result: "none", by: null } : null,
    attachments: mail.attachments.map(toMissingFile),
    reference_ids: mail.in_reply_to === null ? [] : [mail.in_reply_to],
    is_automatic: false,
    is_read: true,
    turn_id: null,
    reply_id: null,
    note: isWaiting ? NOT_SENT : null,
  };
}

function stateOf({ direction, state }: ExportedMail): MailState {
  if (direction === "in") return "received";
  return state === "queued" || state === "received" ? "failed" : state;
}

function toMissingFile({ name, type, size }: ExportedMail["attachments"][number]): RoomFile {
  const format = formatOfName(name);
  const kind = format === null ? "document" : FORMATS[format].kind;
  const common = { characters: 0, isComplete: true, unread: null, isMissing: true };
  return { ...common, id: crypto.randomUUID(), objectId: crypto.randomUUID(), name, type, size, kind };
}
