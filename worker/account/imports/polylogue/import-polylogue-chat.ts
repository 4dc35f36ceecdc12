import * as z from "zod/mini";
import { Todo } from "#shared/entities/todo.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { findOwnChat } from "#worker/people/owned-chats/owned-chats.ts";
import { TODO_LENGTH, TODOS_MAX } from "#worker/conversation/tools/todo-output.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { importExportedChat, failed } from "../chats/import-conversation.ts";
import { addCounts, type ImportResult, counted, type Importing } from "../source.ts";
import { fileChat } from "./import-folders.ts";
import { planMails } from "./plan-mails.ts";
import { readJson } from "./read-json.ts";
import type { IdMapping } from "./id-mapping.ts";

const ExportedTodo = z.pick(z.extend(Todo, { text: z.string().check(z.maxLength(TODO_LENGTH)) }), {
  text: true,
  status: true,
  order_index: true,
  created_at: true,
});

const Details = z.object({
  id: z.string(),
  json: z.string(),
  is_pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  is_read: z.optional(z.boolean()),
  last_message_at: z.optional(z.string()),
  public: z.optional(z.boolean()),
  todos: z._default(z.array(ExportedTodo).check(z.maxLength(TODOS_MAX)), []),
  files: z.array(z.object({ id: z.string(), path: z.string(), name: z.string() })),
  sent: z.array(z.object({ message_id: z.string(), file_ids: z.array(z.string()) })),
});
type Details = z.infer<typeof Details>;

const Calls = z.looseObject({ images: z.array(z.looseObject({ url: z.string() })) });
const Pictures = z.object({ messages: z.array(z.looseObject({ tool_rounds: z.array(z.looseObject({ calls: z.array(Calls) })) })) });

/** Imports one chat of an export, once, with its branches, files, marks, folder and tags. */
export async function importPolylogueChat(
  importing: Importing,
  { name, place }: { name: string; place: number },
  ids: IdMapping,
): Promise<ImportResult> {
  const { db, archive, user } = importing;
  const details = await readJson(archive, name, Details);
  if (!details) return failed(name, "What stands beside it is damaged.");
  const { id: originalId } = details;
  // It still stands in the account that it is of.
  if (ids.isSame && (await findOwnChat(db, { id: originalId, userId: user.userId })) === "own")
    return { counts: counted("chat", "here"), notes: [] };
  const exported = await readChat(importing, details.json);
  if (!exported) return failed(details.json, "It is damaged, or of another version.");
  const lastAt = details.last_message_at ?? exported.messages.at(-1)?.created_at ?? exported.created_at;
  const mails = await planMails(importing, { emails: exported.emails ?? [], folder: name.slice(0, name.lastIndexOf("/")) });
  const { brought, id } = await importExportedChat(importing, place, {
    key: `${ids.accountId} ${originalId}`,
    version: exported.messages.length,
    title: exported.title,
    branches: branchesOf(exported),
    messages: withFiles(exported, details),
    exported,
    beside: {
      bytes: mails.bytes,
      async store(chatId, hasRoom) {
        const stored = await mails.store(chatId, hasRoom);
        const todos = details.todos.map((todo) => ({ ...todo, id: crypto.randomUUID() }));
        return { beside: { todos, mails: stored.mails }, notes: stored.notes };
      },
    },
    createdAt: exported.created_at,
    lastAt: lastAt < exported.created_at ? exported.created_at : lastAt,
  });
  if (id === null) return brought;
  await mark(importing, id, details);
  await fileChat(importing, { id, originalId });
  const reasons = [
    ...(mails.strangers > 0 ? [`Mails that nobody let in stay in the file: ${mails.strangers}.`] : []),
    ...(details.public === true ? ["It is not public here: make it public anew where you want that."] : []),
  ];
  const notes: ImportNote[] = reasons.map((reason) => ({ kind: "chat", title: exported.title || "New Chat", reason }));
  const counts = mails.count > 0 ? addCounts(brought.counts, counted("mail", "came", mails.count)) : brought.counts;
  return { counts, notes: [...brought.notes, ...notes] };
}

async function mark({ env, user }: Importing, id: string, { is_pinned: isPinned, archived, is_read: isRead }: Details): Promise<void> {
  // The hub has to know the chat before anything of it can be marked.
  await roomOf(env, id).reportTo(user.userId);
  await hubOf(env, user.userId).mark(id, { isPinned, archived, isRead });
}

/** A chat's file without the pictures that tools of the original's own had: their addresses are that chat's. */
async function readChat({ archive }: Importing, name: string): Promise<ExportedChat | null> {
  const loose = await readJson(archive, name, z.looseObject({}));
  const pictured = Pictures.safeParse(loose);
  if (pictured.success) {
    const calls = pictured.data.messages.flatMap(({ tool_rounds: rounds }) => rounds.flatMap((round) => round.calls));
    for (const call of calls) call.images = call.images.filter(({ url }) => url.startsWith("/api/media/"));
    return ExportedChat.safeParse({ ...loose, messages: pictured.data.messages }).data ?? null;
  }
  return ExportedChat.safeParse(loose).data ?? null;
}

/** Messages with the files that they carry; one whose bytes are not in the export comes as a name. */
function withFiles({ messages }: ExportedChat, { files, sent }: Details) {
  const byId = new Map(files.map((file) => [file.id, file]));
  const bySender = new Map(sent.map(({ message_id: id, file_ids: fileIds }) => [id, fileIds]));
  return messages.map(({ id, attachments }) => {
    const fileIds = bySender.get(id) ?? [];
    return { id, files: attachments.map(({ name }, index) => ({ name, entry: byId.get(fileIds[index] ?? "")?.path ?? null, text: null })) };
  });
}

/** How many other ways a chat goes on. */
function branchesOf({ messages }: ExportedChat): number {
  const parents = new Set(messages.map(({ parent_id: parent }) => parent));
  return Math.max(0, messages.filter(({ id }) => !parents.has(id)).length - 1);
}
