/** An account that uses everything, for tests of what goes with one; whoever adds a feature that stores something adds it here. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAccountExport, startAccountExport } from "#shared/contracts/account/account-export.ts";
import { createApiKey } from "#shared/contracts/account/api-keys.ts";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { sendTeamInvitation } from "#shared/contracts/account/teams.ts";
import { putPushDevice } from "#shared/contracts/account/push.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { createArtifact, putArtifactContent, shareArtifact } from "#shared/contracts/artifacts.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { createFolder, fileChats, tagChats } from "#shared/contracts/folders.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { createPersona } from "#shared/contracts/library/personas.ts";
import { createPrompt, notePromptUse } from "#shared/contracts/library/prompts.ts";
import { shareKnowledge, sharePersona, sharePrompt } from "#shared/contracts/library/share-links.ts";
import { search } from "#shared/contracts/search.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { linkNumber } from "#worker/people/messaging-number/messaging-number.ts";
import { changeDrive, indexed, shards } from "./drive.ts";
import { connectGoogle } from "./google.ts";
import { addressOfChat, deliver, newestMail } from "./incoming.ts";
import { uploadImport } from "./imports/upload-import.ts";
import * as knowledge from "./knowledge.ts";
import { addFact } from "./memories.ts";
import { newPhone } from "./messaging.ts";
import { png } from "./pictures.ts";
import { subscribed } from "./push.ts";
import { readReply, startChatAndRead } from "./replies.ts";
import { createOwnSchedule } from "./schedules.ts";
import { share } from "./shared-chat.ts";
import { until } from "./until.ts";
import { newAddress, type Person, signIn } from "./worker.ts";

const unique = () => `zq${crypto.randomUUID().replaceAll("-", "")}`;

type Place = { chatId: string; parentId: string };

/** Writes in a chat of somebody else's and waits for the answer. */
async function writeIn(person: Person, { chatId, parentId }: Place, content: string): Promise<void> {
  const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: "openai/gpt-5-mini" };
  const { replyId } = await person.take(sendMessage, { params: { id: chatId }, body });
  await readReply(person, { chatId, replyId });
}

async function putFile(person: Person, path: string, body: BodyInit): Promise<void> {
  const response = await person.fetch(path, { method: "PUT", body });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** What other people have that the account had a part in. */
async function makeOthers(person: Person, { kept, name }: { kept: string; name: string }) {
  const host = await signIn();
  const theirs = await startChatAndRead(host, `say ${kept} question of the host`);
  await share(host, theirs.chatId, person.email, "editor");
  await writeIn(person, { chatId: theirs.chatId, parentId: theirs.replyId }, `say ${kept} from a guest of the chat`);
  const to = await addressOfChat(host, theirs.chatId);
  await deliver({ from: `${name} <${person.email}>`, envelopeFrom: person.email, to, text: `say ${kept} by mail` });
  await newestMail(host, theirs.chatId, (mail) => mail.state === "received");
  const { artifact } = await host.take(createArtifact, { body: { title: "Of the host", content: `${kept} one` } });
  await host.take(shareArtifact, { params: { id: artifact.id }, body: { type: "user", email: person.email, permissionLevel: "editor" } });
  await person.take(putArtifactContent, { params: { id: artifact.id }, body: { content: `${kept} two`, base_version: 1 } });
  return { host, theirs: theirs.chatId, theirArtifact: artifact.id };
}

/** What the account made for a team, which stays with it. */
async function makeTeam(person: Person, kept: string) {
  const admin = await signIn();
  const member = await signIn();
  const teamId = await knowledge.makeTeam(admin, person, member);
  const { persona } = await person.take(createPersona, {
    body: { name: `${kept} persona`, content: "Be of the team.", team_id: teamId },
  });
  const { prompt: template } = await person.take(createPrompt, { body: { name: `${kept} prompt`, content: "Say.", team_id: teamId } });
  const entry = await knowledge.make(person, { name: `${kept} knowledge`, text_content: `${kept} facts`, team_id: teamId });
  await knowledge.addKnowledgeFile(person, entry.id, { name: "team.txt", body: `${kept} in a file` });
  await knowledge.read(person, entry.id);
  return { admin, member, teamId, teamContent: { persona: persona.id, prompt: template.id, knowledge: entry.id } };
}

/**
 * An account with something of everything. `needles` are the texts that must be gone: who it is, what it says and the ids of
 * what it has; `kept` stands in all that belongs to others.
 */
export async function createAccountWithEverything() {
  const person = await signIn();
  const [marker, kept, name] = [unique(), unique(), unique()];
  const userId = person.user.id;
  await person.take(updateUser, { body: { display_name: name } });
  await putFile(person, "/api/user/picture", png(2, 2));

  const alone = await startChatAndRead(person, `call addTodoItem {"text":"${marker} to do"}\nthen\nsay ${marker} alone`);
  await putFile(person, `/api/chat/${alone.chatId}/attachments/${crypto.randomUUID()}?name=${marker}.txt`, `${marker} in a file`);
  const reader = await signIn();
  // A copy of it is its reader's own, words included.
  const shared = await startChatAndRead(person, `say ${kept} shared`);
  await share(person, shared.chatId, reader.email, "editor");
  await share(person, shared.chatId, (await signIn()).email, "viewer");
  const fork = await reader.take(forkChat, { params: { id: shared.chatId }, body: { messageId: shared.replyId } });
  await deliver({ from: person.email, to: await addressOfChat(person, alone.chatId), text: `say ${marker} mailed` });
  await newestMail(person, alone.chatId, (mail) => mail.state === "received");

  const { persona } = await person.take(createPersona, { body: { name: `${marker} persona`, content: marker } });
  const { prompt: template } = await person.take(createPrompt, { body: { name: `${marker} prompt`, content: marker } });
  await person.take(notePromptUse, { params: { id: template.id }, body: { id: crypto.randomUUID() } });
  const entry = await knowledge.make(person, { name: `${marker} entry`, text_content: `${marker} facts` });
  await knowledge.addKnowledgeFile(person, entry.id, { name: `${marker}.txt`, body: `${marker} of a file` });
  await knowledge.read(person, entry.id);
  await person.take(sharePersona, { params: { id: persona.id } });
  await person.take(sharePrompt, { params: { id: template.id } });
  await person.take(shareKnowledge, { params: { id: entry.id } });
  const { artifact } = await person.take(createArtifact, { body: { title: marker, content: `# ${marker}` } });
  await person.take(shareArtifact, { params: { id: artifact.id }, body: { type: "user", email: reader.email, permissionLevel: "viewer" } });
  const fact = await addFact(person, `${marker} fact`);
  const schedule = await createOwnSchedule(person, { text: `say ${marker}` });
  const key = await person.take(createApiKey, { body: { id: crypto.randomUUID(), name: marker, scopes: ["chats"], budget: 5 } });
  await person.take(createMcpConnection, { body: { name: marker, server_url: "http://127.0.0.1:9/mcp", auth_type: "oauth" } });
  await person.take(createInvite, { body: { sent_to: marker } });
  await person.take(sendFeedback, { body: { message: marker } });
  await person.take(search, { query: { q: marker } });

  const folder = { id: crypto.randomUUID(), name: `${marker} folder` };
  await person.take(createFolder, { body: folder });
  await person.take(fileChats, { body: { chat_ids: [alone.chatId], folder_id: folder.id } });
  await person.take(tagChats, { body: { chat_ids: [alone.chatId], add: [`${marker} tag`] } });
  await person.take(startAccountExport, { body: { id: crypto.randomUUID() } });
  await until("the export", async () => (await person.take(getAccountExport, {})).export?.state === "ready");

  // Between two of its parts.
  const bytes = new TextEncoder().encode(JSON.stringify([{ title: marker, mapping: {} }]));
  const importId = await uploadImport(person, bytes, { name: "conversations.json" });
  await env.DB.prepare("UPDATE imports SET state = 'importing' WHERE id = ?").bind(importId).run();

  const { endpoint, p256dh, auth } = await subscribed(env.PUSH_SIMULATOR);
  await person.take(putPushDevice, { body: { endpoint, p256dh, auth } });
  await runInDurableObject(env.USER_HUB.getByName(userId), (_, { storage }) => {
    storage.sql.exec("INSERT INTO pushes (key, id, kind, what, at, delivered) VALUES (?, ?, 'reply', ?, 0, '[]')", marker, marker, marker);
  });

  const phone = newPhone();
  await linkNumber(openDatabase(env.DB), { userId, phone: phone.number });
  await phone.send({ type: "text", body: `say ${marker} by phone` });
  await phone.answer(1);
  const second = newAddress();
  const at = new Date().toISOString();
  await env.DB.prepare("INSERT INTO additional_emails (email, user_id, verified_at) VALUES (?, ?, ?)").bind(second, userId, at).run();
  await changeDrive(person.email, { files: 3 });
  await connectGoogle(person);
  await env.DB.prepare("INSERT INTO google_picker_tokens VALUES (?, 'sealed', ?)").bind(userId, at).run();
  await indexed(person);

  const others = await makeOthers(person, { kept, name });
  const team = await makeTeam(person, kept);
  await team.admin.take(sendTeamInvitation, { body: { teamId: team.teamId, email: second } });
  await env.DB.prepare("INSERT INTO mail_suppressions (address, reason, created_at) VALUES (?, 'bounced', ?)").bind(second, at).run();
  await env.DB.prepare("INSERT INTO usage_days VALUES (?, '2026-11-20', ?, 'a-model', 3, 30, 300, 1)").bind(userId, team.teamId).run();

  const { results } = await env.DB.prepare("SELECT id FROM chats WHERE user_id = ?").bind(userId).all<{ id: string }>();
  const own = results.map(({ id }) => id);
  const ids = [persona.id, template.id, entry.id, artifact.id, fact.id, schedule.id, key.key.id, folder.id, importId];
  return {
    person,
    reader,
    fork: fork.chat.id,
    shared: shared.chatId,
    own,
    artifactId: artifact.id,
    phone,
    kept,
    marker,
    ...others,
    ...team,
    who: [userId, person.email, second, name, phone.number],
    needles: [userId, person.email, second, name, phone.number, endpoint, marker, ...ids],
    objects: {
      hub: env.USER_HUB.getByName(userId),
      drive: env.DRIVE_INDEX.getByName(userId),
      rooms: own.map((id) => env.CHAT_ROOM.getByName(id)),
      indexes: [entry.id, ...shards(person)].map((id) => env.PASSAGES.getByName(id)),
    },
  };
}
