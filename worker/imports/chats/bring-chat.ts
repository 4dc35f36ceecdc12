import type { ImportNote } from "#shared/imports/import.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { AppError } from "../../app-error.ts";
import { deleteFolder, folderOf } from "../../attachments/attachment-keys.ts";
import { findOwnChat } from "../../chats/chats.ts";
import { createForeign } from "../../chats/import-chat.ts";
import { withinStorage } from "../../usage/storage.ts";
import { addCounts, type Brought, counted, type Importing } from "../source.ts";
import type { ChatCopy } from "../../chat-room/rpc.ts";
import { planFiles, type PlannedFiles, storeFiles } from "./bring-files.ts";
import { claimItem, settleItem } from "../claim-item.ts";
import { type ForeignChat, spanOf, toExported } from "./foreign-chat.ts";
import type { TreeMessage } from "./message-tree.ts";
import { fileInProject } from "./project-folder.ts";

const GROWN = "It had grown since it was imported before, and came as a new chat beside that one.";

/** A chat as its file has it, with its files, and what it is known again by; `version` grows with it. Times are ISO 8601. */
export type ChatToBring = Pick<ForeignChat, "key" | "version" | "title" | "branches"> & {
  messages: readonly Pick<TreeMessage, "id" | "files">[];
  exported: ExportedChat;
  /** What the chat had besides its messages. */
  beside?: Beside;
  /** What has to come before it, for the chat of this id; and the chat as it then is. */
  complete?: (id: string) => Promise<{ chat: ChatToBring; brought: Brought }>;
  createdAt: string;
  lastAt: string;
};

/** A to-do list and mails: the bytes that will be stored of them, and how that is done for the chat of an id, as far as there is room. */
export type Beside = {
  bytes: number;
  store(id: string, hasRoom: boolean): Promise<{ beside: NonNullable<ChatCopy["beside"]>; notes: ImportNote[] }>;
};

/** Brings one conversation as a chat of its person's own, once; what was brought before stays as it is. */
export async function bringChat(importing: Importing, place: number, chat: ForeignChat): Promise<Brought> {
  const { complete } = chat;
  const { brought, id } = await bringExported(importing, place, {
    ...toBring(importing, chat),
    ...(complete && {
      async complete(chatId: string) {
        const whole = await complete(importing, chatId);
        return { chat: toBring(importing, whole.chat), brought: whole.brought };
      },
    }),
  });
  if (id !== null && chat.project) await fileInProject(importing, id, chat.project);
  return brought;
}

function toBring({ user }: Importing, chat: ForeignChat): ChatToBring {
  const { key, version, title, branches, messages } = chat;
  return { key, version, title, branches, messages, exported: toExported(chat, user), ...spanOf(chat) };
}

/** Brings a chat as its file has it, once; `id` is what it is called here, null where it did not come now. */
export async function bringExported(
  importing: Importing,
  place: number,
  chat: ChatToBring,
): Promise<{ brought: Brought; id: string | null }> {
  const title = chat.title.trim() || "Untitled";
  if (chat.messages.length === 0) return { brought: failed(title, "It has no messages."), id: null };
  const { env, db, user } = importing;
  const isStill = async (id: string) => (await findOwnChat(db, { id, userId: user.userId })) === "own";
  const claimed = await claimItem(importing, place, { kind: "chat", key: chat.key, version: chat.version, isStill });
  if (claimed.state === "here") return { brought: { counts: counted("chat", "here"), notes: [] }, id: null };
  const { target_id: id, done_at: doneAt } = claimed.row;
  let planned: PlannedFiles;
  const completed = doneAt === null ? await chat.complete?.(id) : undefined;
  try {
    planned = doneAt === null ? await create(importing, id, completed?.chat ?? chat) : planFiles(importing, chat.messages, true);
  } catch (cause) {
    if (!(cause instanceof AppError) || (cause.code !== "INVALID_INPUT" && cause.code !== "PAYLOAD_TOO_LARGE")) throw cause;
    await deleteFolder(env.FILES, folderOf(id));
    const reason = cause.code === "PAYLOAD_TOO_LARGE" ? "It is too long to be imported." : cause.message;
    return { brought: failed(title, reason), id: null };
  }
  await settleItem(importing, claimed.row);
  const { notes, failed: lost } = planned;
  const own: ImportNote[] = claimed.state === "grown" ? [{ kind: "chat", title, reason: GROWN }] : [];
  const counts = [
    counted("message", "came", chat.messages.length),
    counted("branch", "came", chat.branches),
    counted("file", "came", [...new Set([...planned.byMessage.values()].flat())].filter(({ isGone }) => !isGone).length),
    counted("file", "failed", lost),
    completed?.brought.counts ?? {},
  ];
  const brought = {
    counts: counts.reduce(addCounts, counted("chat", "came")),
    notes: [...own, ...[...(completed?.brought.notes ?? []), ...notes].map((note) => ({ ...note, title: `${note.title} (${title})` }))],
  };
  return { brought, id };
}

async function create(importing: Importing, id: string, chat: ChatToBring): Promise<PlannedFiles> {
  const { userId } = importing.user;
  const planned = planFiles(importing, chat.messages, true);
  const bytes = planned.bytes + (chat.beside?.bytes ?? 0);
  if (bytes === 0) return createWith(importing, id, { chat, planned, hasRoom: true });
  try {
    return await withinStorage(importing.env, { ownerId: userId, userId, id, bytes }, () =>
      createWith(importing, id, { chat, planned, hasRoom: true }),
    );
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
    return createWith(importing, id, { chat, planned: planFiles(importing, chat.messages, false), hasRoom: false });
  }
}

type Planned = { chat: ChatToBring; planned: PlannedFiles; hasRoom: boolean };

async function createWith(importing: Importing, id: string, { chat, planned, hasRoom }: Planned): Promise<PlannedFiles> {
  const { env, db, user } = importing;
  await storeFiles(importing, id, planned);
  const stored = await chat.beside?.store(id, hasRoom);
  planned.notes.push(...(stored?.notes ?? []));
  const { exported, createdAt, lastAt } = chat;
  const foreign = { id, exported, files: planned.byMessage, createdAt, lastAt, ...(stored && { beside: stored.beside }) };
  await createForeign(env, db, { person: user, ...foreign }, async () => undefined);
  return planned;
}

/** A conversation that did not come, and why. */
export function failed(title: string, reason: string): Brought {
  return { counts: counted("chat", "failed"), notes: [{ kind: "chat", title, reason }] };
}
