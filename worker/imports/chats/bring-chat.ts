import type { ImportNote } from "#shared/imports/import.ts";
import { AppError } from "../../app-error.ts";
import { deleteFolder, folderOf } from "../../attachments/attachment-keys.ts";
import { findOwnChat } from "../../chats/chats.ts";
import { foundForeign } from "../../chats/import-chat.ts";
import { withinStorage } from "../../usage/storage.ts";
import { addCounts, type Brought, counted, type Importing } from "../source.ts";
import { planFiles, type PlannedFiles, storeFiles } from "./bring-files.ts";
import { claimItem, settleItem } from "../claim-item.ts";
import { type ForeignChat, spanOf, toExported } from "./foreign-chat.ts";

const GROWN = "It had grown since it was imported before, and came as a new chat beside that one.";

/** Brings one conversation as a chat of its person's own, once; what was brought before stays as it is. */
export async function bringChat(importing: Importing, place: number, chat: ForeignChat): Promise<Brought> {
  const title = chat.title.trim() || "Untitled";
  if (chat.messages.length === 0) return failed(title, "It has no messages.");
  const { env, db, user } = importing;
  const isStill = async (id: string) => (await findOwnChat(db, { id, userId: user.userId })) === "own";
  const claimed = await claimItem(importing, place, { kind: "chat", key: chat.key, version: chat.version, isStill });
  if (claimed.state === "here") return { counts: counted("chat", "here"), notes: [] };
  const { target_id: id, done_at: doneAt } = claimed.row;
  let planned: PlannedFiles;
  try {
    planned = doneAt === null ? await found(importing, id, chat) : planFiles(importing, chat.messages, true);
  } catch (cause) {
    if (!(cause instanceof AppError) || (cause.code !== "INVALID_INPUT" && cause.code !== "PAYLOAD_TOO_LARGE")) throw cause;
    await deleteFolder(env.FILES, folderOf(id));
    return failed(title, cause.code === "PAYLOAD_TOO_LARGE" ? "It is too long to be imported." : cause.message);
  }
  await settleItem(importing, claimed.row);
  const { notes, failed: lost } = planned;
  const own: ImportNote[] = claimed.state === "grown" ? [{ kind: "chat", title, reason: GROWN }] : [];
  const counts = [
    counted("message", "came", chat.messages.length),
    counted("branch", "came", chat.branches),
    counted("file", "came", [...planned.byMessage.values()].flat().filter(({ isGone }) => !isGone).length),
    counted("file", "failed", lost),
  ];
  return {
    counts: counts.reduce(addCounts, counted("chat", "came")),
    notes: [...own, ...notes.map((note) => ({ ...note, title: `${note.title} (${title})` }))],
  };
}

async function found(importing: Importing, id: string, chat: ForeignChat): Promise<PlannedFiles> {
  const { userId } = importing.user;
  const planned = planFiles(importing, chat.messages, true);
  if (planned.bytes === 0) return foundWith(importing, id, { chat, planned });
  try {
    return await withinStorage(importing.env, { ownerId: userId, userId, id, bytes: planned.bytes }, () =>
      foundWith(importing, id, { chat, planned }),
    );
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
    return foundWith(importing, id, { chat, planned: planFiles(importing, chat.messages, false) });
  }
}

type Planned = { chat: ForeignChat; planned: PlannedFiles };

async function foundWith(importing: Importing, id: string, { chat, planned }: Planned): Promise<PlannedFiles> {
  const { env, db, user } = importing;
  await storeFiles(importing, id, planned);
  const foreign = { id, exported: toExported(chat, user), files: planned.byMessage, ...spanOf(chat) };
  await foundForeign(env, db, { person: user, ...foreign }, async () => undefined);
  return planned;
}

/** A conversation that did not come, and why. */
export function failed(title: string, reason: string): Brought {
  return { counts: counted("chat", "failed"), notes: [{ kind: "chat", title, reason }] };
}
