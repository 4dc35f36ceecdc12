import * as z from "zod/mini";
import type { Chat } from "#shared/entities/chat.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { ChatWithFiles } from "#worker/conversation/room/rpc.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { toJson } from "#worker/conversation/chats/export-chat.ts";
import { toMarkdown } from "#worker/conversation/chats/to-markdown.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import { ERRORS } from "#shared/errors.ts";
import { rawMailKey, type RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { ALL_SOURCES } from "#worker/conversation/tools/private-source.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { log } from "#worker/platform/log.ts";
import { type ExportContext, prettyJson, PART_BYTES, PART_FILES, type Section } from "../section.ts";
import { safeName } from "../zip/safe-name.ts";
import { mailIndexName } from "../mail-index.ts";
import { isStoredAsIs } from "./packed-types.ts";
import { countOwnChats, nextOwnChat } from "./queries.ts";

const MAILS_AT_ONCE = 50;
/** Chats of others are looked for among so many of the list at a time. */
const LISTED_AT_ONCE = 100;

/** The chat that is next comes after `after`; with `chat` that one is not whole yet. */
const Cursor = z.object({
  after: z.string(),
  chat: z.nullable(z.string()),
  /** The last file that is in, and the place of the last page of mails. */
  file: z.nullable(z.string()),
  mails: z.nullable(z.number()),
});
type Cursor = z.infer<typeof Cursor>;

const START: Cursor = { after: "", chat: null, file: null, mails: null };

type Finder = (context: ExportContext, after: string) => Promise<{ id: string; isPublic: boolean } | null>;

export const chatsSection: Section = {
  total: ({ db, userId }) => countOwnChats(db, userId),
  write: (context, cursor) =>
    writeNext(context, {
      cursor,
      folder: "chats",
      what: "chats",
      find: async ({ db, userId }, after) => {
        const row = await nextOwnChat(db, { userId, after });
        return row ? { id: row.id, isPublic: row.public } : null;
      },
    }),
};

export const sharedChatsSection: Section = {
  write: (context, cursor) =>
    writeNext(context, {
      cursor,
      folder: "shared-chats",
      what: "shared_chats",
      find: async ({ env, userId }, after) => {
        const hub = hubOf(env, userId);
        let from = after;
        for (;;) {
          const ids = await hub.listedIds({ after: from, limit: LISTED_AT_ONCE });
          for (const id of ids) {
            const chat = await hub.find(id);
            if (chat && chat.user_id !== userId) return { id, isPublic: chat.public };
          }
          if (ids.length < LISTED_AT_ONCE) return null;
          from = ids.at(-1) ?? from;
        }
      },
    }),
};

type Place = { cursor: string | null; folder: string; what: string; find: Finder };

async function writeNext(context: ExportContext, { cursor, folder, what, find }: Place): Promise<string | null> {
  const at = cursor === null ? START : Cursor.parse(JSON.parse(cursor));
  if (at.chat !== null) return JSON.stringify(await goOnWith(context, { at: { ...at, chat: at.chat }, folder }));
  const found = await find(context, at.after);
  if (!found) return null;
  const next: Cursor = { ...START, after: found.id };
  const full = await readChat(context, found.id);
  if (full === null) return JSON.stringify(next);
  const row = await hubOf(context.env, context.userId).find(found.id);
  await writeTexts(context, { id: found.id, isPublic: found.isPublic, full, row, folder });
  context.count(what);
  context.progress(1);
  return JSON.stringify(await writeFiles(context, { at: { ...next, chat: found.id }, path: pathOf(folder, found.id, full), full }));
}

/** Goes on with the files of a chat whose texts are in. */
async function goOnWith(context: ExportContext, { at, folder }: { at: Begun; folder: string }): Promise<Cursor> {
  const full = await readChat(context, at.chat);
  // It was deleted meanwhile: what is in stays in.
  if (full === null) return { ...START, after: at.after };
  return writeFiles(context, { at, path: pathOf(folder, at.chat, full), full });
}

/** A chat as its room reports it; null where it cannot be had, which is noted. */
async function readChat(context: ExportContext, id: string): Promise<ChatWithFiles | null> {
  const why = (text: string) => {
    context.leaveOut(`chat ${id}`, text);
    return null;
  };
  try {
    const read: Outcome<ChatWithFiles> = await roomOf(context.env, id).export(context.reader, ALL_SOURCES);
    if (read.ok) return read.value;
    // Gone since it was listed.
    if (read.code === "NOT_FOUND") return null;
    return why(read.code === "PAYLOAD_TOO_LARGE" ? "It is too long for a file." : (read.message ?? ERRORS[read.code].message));
  } catch (cause) {
    if (!context.isLastTry) throw cause;
    log.warn("a chat could not be exported", { chatId: id, cause });
    return why("It could not be read.");
  }
}

function pathOf(folder: string, id: string, { chat }: ChatWithFiles): string {
  return `${folder}/${chat.created_at.slice(0, 10)} ${safeName(chat.title, "New Chat")} (${id.slice(0, 8)})`;
}

type Texts = { id: string; isPublic: boolean; full: ChatWithFiles; row: Chat | null; folder: string };

async function writeTexts(context: ExportContext, { id, isPublic, full, row, folder }: Texts): Promise<void> {
  const { archive, env, reader, leaveOut } = context;
  const path = pathOf(folder, id, full);
  const at = row?.lastMessageAt ?? full.chat.created_at;
  try {
    await archive.text(`${path}.json`, toJson(full.chat), at);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    leaveOut(`${path}.json`, cause.message);
  }
  await archive.text(`${path}.md`, toMarkdown(full.chat), at);
  const todos = await roomOf(env, id).readTodos(reader);
  const marks = row && {
    is_pinned: row.isPinned,
    archived: row.archived,
    is_read: row.isRead,
    owner_name: row.ownerName,
    permission_level: row.permissionLevel,
    last_message_at: row.lastMessageAt,
  };
  const names = namesOf(full.files);
  const details = {
    id,
    json: `${path}.json`,
    public: isPublic,
    ...marks,
    todos: todos.ok ? todos.value : [],
    files: full.files.map(({ id: file, name, type, kind, size }) => ({
      id: file,
      path: `${path}/files/${names.get(file)}`,
      name,
      type,
      kind,
      size,
    })),
    sent: full.sent.map(({ messageId, fileIds }) => ({ message_id: messageId, file_ids: fileIds })),
  };
  await archive.text(`${path}/details.json`, prettyJson(details), at);
}

/** Names of files in their folder: two of one name differ by their number. */
function namesOf(files: readonly RoomFile[]): Map<string, string> {
  return new Map(files.map(({ id, name }) => [id, `${id.slice(0, 8)} ${safeName(name, "file")}`]));
}

type Begun = Cursor & { chat: string };

/** Writes files, then mails, until the part is long enough. */
async function writeFiles(context: ExportContext, { at, path, full }: { at: Begun; path: string; full: ChatWithFiles }): Promise<Cursor> {
  const { env, archive, count, leaveOut } = context;
  const names = namesOf(full.files);
  let bytes = 0;
  let files = 0;
  for (const file of full.files) {
    if (at.file !== null && file.id <= at.file) continue;
    if (bytes > PART_BYTES || files >= PART_FILES) return at;
    files += 1;
    at = { ...at, file: file.id };
    const stored = await env.FILES.get(fileKey({ chatId: at.chat, id: file.id, objectId: file.objectId }));
    const name = `${path}/files/${names.get(file.id)}`;
    if (stored) {
      await archive.file(name, stored.body, { at: stored.uploaded, isDeflated: !isStoredAsIs(file.type) });
      count("files");
      bytes += stored.size;
    } else leaveOut(name, "It is no longer stored.");
  }
  return writeMails(context, { at, path, bytes });
}

async function writeMails(context: ExportContext, { at, path, bytes }: { at: Begun; path: string; bytes: number }): Promise<Cursor> {
  const { env, reader, archive, count, leaveOut } = context;
  const done = { ...START, after: at.after };
  let before = at.mails;
  while (bytes <= PART_BYTES) {
    const page = await roomOf(env, at.chat).listMails(reader, { before, limit: MAILS_AT_ONCE });
    if (!page.ok) return done;
    const sources = [];
    for (const mail of page.value.mails) {
      if (mail.raw_object === null) continue;
      const name = `${path}/mails/${mailName(mail)}`;
      const stored = await env.FILES.get(rawMailKey(at.chat, mail.raw_object));
      if (stored) {
        await archive.file(name, stored.body, { at: new Date(mail.created_at), isDeflated: true });
        count("mails");
        bytes += stored.size;
        const { direction, subject, message_id, created_at } = mail;
        sources.push({ path: name, direction, subject, message_id, created_at });
      } else leaveOut(name, "It is no longer stored.");
    }
    const { next } = page.value;
    // Which mail each file belongs to, in pages that each name the next.
    if (page.value.mails.length > 0) await archive.text(mailIndexName(path, before), prettyJson({ sources, next }));
    if (next === null) return done;
    before = next;
  }
  return { ...at, mails: before };
}

function mailName({ id, created_at: at, subject }: RoomMail): string {
  return `${at.slice(0, 10)} ${safeName(subject.slice(0, 80), "mail")} (${id.slice(0, 8)}).eml`;
}
