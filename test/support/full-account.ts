import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createArtifact, putArtifactContent } from "#shared/contracts/artifacts.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { editMessage, listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { changePushKinds } from "#shared/contracts/account/push.ts";
import { putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { createPersona, setDefaultPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { insertTodos } from "#worker/conversation/chat-room/todos.ts";
import { rawMailKey } from "#worker/mail/chat-address/room-mail.ts";
import { make, read, addKnowledgeFile } from "./knowledge.ts";
import { addMailToRoom } from "./mails.ts";
import { addFact } from "./memories.ts";
import { CHEAP_MODEL, readReply } from "./replies.ts";
import { createOwnSchedule } from "./schedules.ts";
import { type Person, signIn } from "./worker.ts";

/** What the account's connection is opened with. */
export const SECRET_TOKEN = "notes-key";

/** Somebody who has something of everything. */
export async function fullAccount(): Promise<Person> {
  const person = await signIn();
  const { persona } = await person.take(createPersona, { body: { name: "Skipper", content: "Speak up." } });
  await person.take(updatePersona, { params: { id: persona.id }, body: { content: "Speak like a skipper." } });
  await person.take(setDefaultPersona, { params: { id: persona.id } });
  await person.take(createPrompt, { body: { name: "Ask", content: "Say {{what}}.", persona_id: persona.id } });
  await addFact(person, "Sails a sloop.");
  await createOwnSchedule(person);
  await newKnowledge(person);
  const { id } = await person.take(createArtifact, { body: { title: "Log", content: "First." } });
  await person.take(putArtifactContent, { params: { id }, body: { content: "Second.", base_version: 1, is_review: true } });
  await person.take(updateUser, { body: { notify_replies: true, time_zone: "Europe/Berlin", triggered_daily_budget: 0.5 } });
  await person.take(putAllowlist, { body: { model_allowlist: [{ id: CHEAP_MODEL, name: "Cheap" }] } });
  await person.take(changePushKinds, { body: { share: false } });
  await env.DB.prepare("INSERT INTO call_settings (user_id, from_hour, until_hour, calls_per_day) VALUES (?, 9, 17, 2)")
    .bind(person.user.id)
    .run();
  await person.take(putToolSettings, { body: { settings: { parallelWebSearch: { enabled: false } } } });
  const server = { name: "Vault", server_url: `${env.MCP_SIMULATOR}/notes/mcp`, auth_type: "bearer" as const, token: SECRET_TOKEN };
  await person.take(createMcpConnection, { body: server });
  await env.DB.prepare("INSERT INTO additional_emails (email, user_id, verified_at) VALUES (?, ?, ?)")
    .bind(`also-${person.email}`, person.user.id, new Date().toISOString())
    .run();
  await newChat(person);
  return person;
}

async function newKnowledge(person: Person): Promise<void> {
  const entry = await make(person, { name: "Ports", text_content: "Hamburg, Kiel." });
  await addKnowledgeFile(person, entry.id, { name: "pilot.txt", body: "Keep the buoy to port." });
  await read(person, entry.id);
}

/** A pinned chat with a file, a question in two wordings, a mail and a to-do list. */
async function newChat(person: Person): Promise<void> {
  const chatId = crypto.randomUUID();
  const fileId = crypto.randomUUID();
  const sent = await person.fetch(`/api/chat/${chatId}/attachments/${fileId}?name=notes.md`, { method: "PUT", body: "# The harbour" });
  if (!sent.ok) throw new Error(`The file was not taken: ${await sent.text()}`);
  const params = { id: chatId };
  const first = { id: crypto.randomUUID(), parent_id: null, content: "say ahoy", attachments: [fileId], model_id: CHEAP_MODEL };
  const { replyId } = await person.take(sendMessage, { params, body: first });
  await readReply(person, { chatId, replyId });
  const edited = { id: crypto.randomUUID(), content: "say moin" };
  const again = await person.take(editMessage, { params: { id: chatId, messageId: first.id }, body: edited });
  await readReply(person, { chatId, replyId: again.replyId });
  await person.take(listMessages, { params });
  await person.take(updateChat, { params, body: { title: "Harbour", isPinned: true } });
  const rawObject = crypto.randomUUID();
  await env.FILES.put(rawMailKey(chatId, rawObject), "Subject: Tide tables\r\n\r\nHigh water at six.");
  await addMailToRoom(chatId, { subject: "Tide tables", raw_object: rawObject, raw_size: 46 });
  const todo = {
    id: crypto.randomUUID(),
    text: "Paint the hull",
    status: "in_progress",
    order_index: 2,
    created_at: "2026-03-01T08:00:00.000Z",
  } as const;
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => insertTodos(storage.sql, [todo]));
}
