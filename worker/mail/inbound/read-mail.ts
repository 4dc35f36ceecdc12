import * as z from "zod/mini";
import { roomOf } from "#worker/mail/chat-address/room.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { storeMailFiles } from "./store-mail-files.ts";
import type { ParsedMail } from "./parse-source.ts";
import { rawMailKey, type RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const parsing = loadOnce(() => import("./parse-source.ts"));

/** A longer source is not parsed whole: parsing takes several times its bytes of memory. */
const PARSED_BYTES = 10 * 1024 * 1024;
/** So much of a longer one is read for its first text. */
const BEGINNING_BYTES = 2 * 1024 * 1024;
/** A source whose parsing ended the Worker so often is left alone. */
const TRIES = 2;

const UNREADABLE = "This mail could not be read. Its source can be downloaded.";
const LARGE = "This mail is larger than 10 MB: its text alone was read. All of it is in its source.";
const CUT = "Its text is longer than a message: this is its beginning.";
const NOTHING: ParsedMail = { text: "", quoted: null, isCut: false, isQuoteOnly: false, files: [], earlier: [], report: null };

const Ids = z.object({ chatId: z.string(), mailId: z.string() });
type Ids = z.infer<typeof Ids>;

/** Takes a mail's text and files out of its source and hands them to its chat. It may come more than once. */
async function readMail(env: Env, { chatId, mailId }: Ids, attempt = 1): Promise<void> {
  const room = roomOf(env, chatId);
  const found = await room.mailToRead(mailId);
  if (!found) return;
  const { mail, ownerId } = found;
  const { parsed, notes } = attempt > TRIES ? { parsed: NOTHING, notes: [UNREADABLE] } : await parse(env, chatId, mail);
  // What a stranger sends takes no room before somebody wants it.
  const storedFiles =
    mail.state === "received"
      ? await storeMailFiles(env, { chatId, mailId, ownerId }, parsed.files)
      : { files: [], left: [], note: fileNote(parsed) };
  const { text, quoted, earlier, report } = parsed;
  const note = [...notes, ...(parsed.isCut ? [CUT] : []), storedFiles.note].filter(Boolean).join(" ") || null;
  await room.keepReadMail(mailId, { text, quoted, earlier, note, report, files: storedFiles.files });
}

/** Reads mails in the queue of what may be hostile: a mail that ends its Worker is its own sender's trouble. */
export const readMailJob = job("mail.read", Ids, readMail, "READS");

export function requestMailReading(env: Env, ids: Ids): Promise<void> {
  return enqueue(env, readMailJob, ids);
}

async function parse(env: Env, chatId: string, mail: RoomMail): Promise<{ parsed: ParsedMail; notes: string[] }> {
  const isComplete = mail.raw_size <= PARSED_BYTES;
  const key = rawMailKey(chatId, mail.raw_object ?? "");
  const stored = await env.FILES.get(key, isComplete ? {} : { range: { offset: 0, length: BEGINNING_BYTES } });
  if (!stored) return { parsed: NOTHING, notes: [UNREADABLE] };
  const { parseSource } = await parsing();
  try {
    const parsed = await parseSource(await stored.arrayBuffer(), { subject: mail.subject, isComplete });
    return { parsed, notes: isComplete ? [] : [LARGE] };
  } catch (cause) {
    log.warn("a mail could not be parsed", { cause });
    return { parsed: NOTHING, notes: [UNREADABLE] };
  }
}

function fileNote({ files }: ParsedMail): string | null {
  return files.length === 0 ? null : `With it came ${files.length === 1 ? "a file" : `${files.length} files`}.`;
}
