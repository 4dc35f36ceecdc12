import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import {
  createPersona,
  deletePersona,
  getPersona,
  listPersonas,
  listPersonaVersions,
  restorePersona,
  setDefaultPersona,
  updatePersona,
} from "#shared/contracts/library/personas.ts";
import { sharePersona } from "#shared/contracts/library/share-links.ts";
import { PERSONA_LENGTH, PERSONA_VERSIONS, TEAM_PERSONAS_MAX } from "#shared/limits.ts";
import { PERSONALIZATION_MARKER, PERSONALIZED_NAME } from "#shared/library/personas.ts";
import { CHEAP_MODEL, readReply, startChatAndRead, textOf } from "#test/support/replies.ts";
import { openTab } from "#test/support/live-tab.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { rowsRead } from "#test/support/rows-read.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { updateDefault } from "#worker/library/personas/queries.ts";

const Request = z.object({ messages: z.array(z.object({ content: z.nullable(z.union([z.string(), z.array(z.unknown())])) })) });

async function make(client: Client, name: string, content = `You are ${name}.`) {
  return (await client.take(createPersona, { body: { name, content } })).persona;
}

/** Asks on and answers the system prompt that the model got, and who the message says it speaks as. */
async function say(client: Client, chat: { chatId: string; replyId: string }, rest: object = {}) {
  const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content: "show request", model_id: CHEAP_MODEL, ...rest };
  const turn = await client.take(sendMessage, { params: { id: chat.chatId }, body });
  const shown = textOf(await readReply(client, { chatId: chat.chatId, replyId: turn.replyId }));
  const request = Request.parse(JSON.parse(shown.slice(shown.indexOf("{"), shown.lastIndexOf("}") + 1)));
  const { messages } = await client.take(listMessages, { params: { id: chat.chatId } });
  return {
    ...turn,
    personaName: turn.persona,
    chatId: chat.chatId,
    text: String(request.messages[0]?.content),
    persona: messages.at(-1)?.persona ?? null,
  };
}

const personaOf = async (client: Client, id: string) => (await client.take(getChat, { params: { id } })).chat.persona_id;

it("every account has its personalized persona, as its default, which keeps its name and stays", async () => {
  const user = await signIn();
  const { personas, default_persona_id: byDefault } = await user.take(listPersonas, {});
  const [own] = personas;
  expect(personas).toMatchObject([{ name: PERSONALIZED_NAME, is_personalized: true, is_default: true, content: "", team_id: null }]);
  expect(byDefault).toBe(own?.id);
  const params = { id: own?.id ?? "" };
  expect(await user.call(updatePersona, { params, body: { name: "Mine" } })).toMatchObject({ status: 400 });
  expect(await user.call(deletePersona, { params })).toMatchObject({ status: 403 });
  expect(await user.call(updatePersona, { params, body: { personalization: "They like tea." } })).toMatchObject({
    status: 400,
    error: { error: `Personalization content must start with '${PERSONALIZATION_MARKER}'` },
  });
  const personalization = `${PERSONALIZATION_MARKER}\nThey like tea.`;
  const { persona } = await user.take(updatePersona, { params, body: { content: "Call me Ada.", personalization } });
  expect(persona).toMatchObject({ content: "Call me Ada.", personalization, version: 2 });
});

it("a persona is made, changed and deleted by its creator alone, and what is wrong is said", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const persona = await make(user, "Pirate");
  const params = { id: persona.id };
  for (const [body, error] of [
    [{ name: " ", content: "x" }, "Name cannot be empty."],
    [{ name: "x", content: " " }, "Content cannot be empty."],
    [{ name: "x", content: "x".repeat(PERSONA_LENGTH + 1) }, "This persona is too long. Shorten it to 20,000 characters."],
  ] as const) {
    expect(await user.call(createPersona, { body })).toMatchObject({ status: 400, error: { error } });
  }
  expect(await user.call(updatePersona, { params, body: { content: "" } })).toMatchObject({ error: { error: "Content cannot be empty." } });
  for (const answer of [
    await other.call(getPersona, { params }),
    await other.call(updatePersona, { params, body: { name: "Theirs" } }),
    await other.call(setDefaultPersona, { params }),
    await other.call(listPersonaVersions, { params }),
    await other.call(deletePersona, { params }),
  ]) {
    expect(answer).toMatchObject({ status: 404 });
  }
  expect(await user.take(getPersona, { params })).toMatchObject({ persona: { name: "Pirate" } });
  await user.take(deletePersona, { params });
  expect(await user.call(getPersona, { params })).toMatchObject({ status: 404 });
});

it("nobody takes another's personalized persona by its id, which is its person's", async () => {
  const [mallory, bob] = [await signIn(), await signIn()];
  const taken = { id: bob.user.id, name: "Mine", content: "mine" };
  expect(await mallory.call(createPersona, { body: taken })).toMatchObject({ status: 409 });
  expect(await bob.call(createPersona, { body: taken })).toMatchObject({ status: 409 });
  await env.DB.prepare(
    "INSERT INTO user_system_prompts (id, user_id, name, content, created_at, updated_at) VALUES (?, ?, 'Mine', 'mine', '', '')",
  )
    .bind(bob.user.id, mallory.user.id)
    .run();
  const params = { id: bob.user.id };
  expect((await bob.call(updatePersona, { params, body: { content: "private" } })).status).not.toBe(200);
  const row = await env.DB.prepare("SELECT content FROM user_system_prompts WHERE id = ?").bind(bob.user.id).first("content");
  expect(row).toBe("mine");
});

it("a team's members use its persona, and what it said before it was shared is its creator's alone", async () => {
  const [creator, member] = [await signIn(), await signIn()];
  const teamId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Team', ?, '')").bind(teamId, creator.user.id),
    ...[creator, member].map(({ user }) =>
      env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'member', '')").bind(teamId, user.id),
    ),
  ]);
  const { id } = await make(creator, "Private", "My own address.");
  const params = { id };
  await creator.take(updatePersona, { params, body: { content: "For all.", team_id: teamId } });
  expect(await member.take(getPersona, { params })).toMatchObject({ persona: { content: "For all.", team_id: teamId } });
  expect(await member.call(updatePersona, { params, body: { name: "Theirs" } })).toMatchObject({ status: 403 });
  expect(await member.call(listPersonaVersions, { params })).toMatchObject({ status: 403 });
  expect((await creator.take(listPersonaVersions, { params })).versions).toMatchObject([{ content: "My own address." }]);
  // A team that leaves its content to its admins takes the right to change it from whoever is none, and gives nobody theirs.
  await env.DB.prepare("UPDATE teams SET content_admin_only = 1 WHERE id = ?").bind(teamId).run();
  expect(await creator.call(updatePersona, { params, body: { name: "Mine" } })).toMatchObject({
    status: 403,
    error: { error: "Only admins of its team can edit this persona." },
  });
  const made = { name: "Second", content: "For all.", team_id: teamId };
  expect(await creator.call(createPersona, { body: made })).toMatchObject({
    status: 403,
    error: { code: "TEAM_ADMINS_ONLY", error: "In this team only admins share, and you are none." },
  });
  expect(await member.take(getPersona, { params })).toMatchObject({ persona: { name: "Private" } });
  // Whoever made it, the team's admins change and share it; what it said before it was the team's is still its creator's.
  const admin = await signIn();
  await env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'admin', '')")
    .bind(teamId, admin.user.id)
    .run();
  const tab = await openTab(creator);
  expect(await member.call(updatePersona, { params, body: { name: "Theirs" } })).toMatchObject({
    status: 403,
    error: { error: "Only admins of its team can edit this persona." },
  });
  await admin.take(updatePersona, { params, body: { name: "Clerk", content: "By the admin." } });
  expect(await member.take(getPersona, { params })).toMatchObject({ persona: { content: "By the admin.", user_id: creator.user.id } });
  await until("the creator's tab", () => tab.events.some((event) => event.type === "content.changed" && event.kind === "persona"));
  // Its creator's chats read what somebody else wrote.
  expect(await env.DB.prepare("SELECT is_untrusted FROM user_system_prompts WHERE id = ?").bind(id).first("is_untrusted")).toBe(1);
  await admin.take(sharePersona, { params });
  expect(await admin.call(listPersonaVersions, { params })).toMatchObject({ status: 403 });
  const elsewhere = await makeTeam("Elsewhere", [admin]);
  expect(await admin.call(updatePersona, { params, body: { team_id: elsewhere } })).toMatchObject({
    status: 403,
    error: { error: "Only its creator can give it to another team." },
  });
  expect(await admin.take(updatePersona, { params, body: { team_id: null } })).toMatchObject({ persona: { team_id: null } });
  expect(await admin.call(getPersona, { params })).toMatchObject({ status: 404 });
  expect(await creator.take(updatePersona, { params, body: { content: "Mine again." } })).toMatchObject({ persona: { team_id: null } });
});

it("a persona is made a team's at once, or not at all where the team refuses", async () => {
  const [creator, stranger] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [creator]);
  const body = { id: crypto.randomUUID(), name: "Clerk", content: "For all.", team_id: teamId };
  expect(await stranger.call(createPersona, { body })).toMatchObject({ error: { code: "TEAM_NOT_FOUND" } });
  expect(await stranger.call(getPersona, { params: { id: body.id } })).toMatchObject({ status: 404 });
  expect(await creator.take(createPersona, { body })).toMatchObject({ persona: { id: body.id, team_id: teamId } });
});

it("guests have no personas", async () => {
  expect(await visitor().call(listPersonas, {})).toMatchObject({ status: 401 });
});

it("exactly one persona is the default, whatever two tabs do at once, and its deletion hands that to the personalized one", async () => {
  const user = await signIn();
  const [personalized] = (await user.take(listPersonas, {})).personas;
  const made = [await make(user, "One"), await make(user, "Two"), await make(user, "Three")];
  await Promise.all(made.flatMap(({ id }) => [1, 2].map(() => user.take(setDefaultPersona, { params: { id } }))));
  const { personas, default_persona_id: byDefault } = await user.take(listPersonas, {});
  const flagged = personas.filter(({ is_default: isDefault }) => isDefault);
  expect(flagged.map(({ id }) => id)).toEqual([byDefault]);
  await user.take(deletePersona, { params: { id: byDefault ?? "" } });
  const after = await user.take(listPersonas, {});
  expect(after.default_persona_id).toBe(personalized?.id);
  expect(after.personas.filter(({ is_default: isDefault }) => isDefault).map(({ id }) => id)).toEqual([personalized?.id]);
});

it("every tab of their person hears of a change, and nobody else's", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const [tab, foreign] = [await openTab(user), await openTab(other)];
  const personaEvents = () => tab.events.filter((event) => event.type === "content.changed" && event.kind === "persona").length;
  const { id } = await make(user, "Poet");
  await until("news of a new one", () => personaEvents() === 1);
  await user.take(updatePersona, { params: { id }, body: { content: "Rhyme." } });
  await until("news of its change", () => personaEvents() === 2);
  await user.take(setDefaultPersona, { params: { id } });
  await until("news of the default", () => personaEvents() === 3);
  await user.take(restorePersona, { params: { id }, body: { version: 1 } });
  await until("news of what was taken back", () => personaEvents() === 4);
  await user.take(deletePersona, { params: { id } });
  await until("news of its deletion", () => personaEvents() === 5);
  expect(foreign.events.map(({ type }) => type)).toEqual(["hello"]);
});

it("a persona keeps what it said before its last 20 changes, and takes one of them back as a further change", async () => {
  const user = await signIn();
  const { id } = await make(user, "Poet", "Version 1");
  for (let n = 2; n <= PERSONA_VERSIONS + 4; n += 1) {
    await user.take(updatePersona, { params: { id }, body: { content: `Version ${n}` } });
  }
  const { versions } = await user.take(listPersonaVersions, { params: { id } });
  expect(versions.map(({ content }) => content)).toEqual(
    Array.from({ length: PERSONA_VERSIONS }, (_, n) => `Version ${PERSONA_VERSIONS + 3 - n}`),
  );
  const { persona } = await user.take(restorePersona, { params: { id }, body: { version: PERSONA_VERSIONS } });
  expect(persona).toMatchObject({ content: `Version ${PERSONA_VERSIONS}`, version: PERSONA_VERSIONS + 5 });
  expect(await user.call(restorePersona, { params: { id }, body: { version: 1 } })).toMatchObject({ status: 404 });
});

it("a turn speaks as the chat's persona, as its text stands then, and the message names it", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const { id } = await make(user, "Pirate", "Answer like PIRATE-1.");
  const first = await say(user, chat, { persona_id: id });
  expect(first).toMatchObject({ persona: "Pirate", text: expect.stringContaining("Answer like PIRATE-1.") });
  expect(first.personaName).toBe("Pirate");
  await user.take(updatePersona, { params: { id }, body: { content: "Answer like PIRATE-2." } });
  const second = await say(user, first);
  expect(second.text).toContain("Answer like PIRATE-2.");
  const without = await say(user, second, { persona_id: "" });
  expect(without).toMatchObject({ persona: null });
  expect(without.text).not.toContain("PIRATE");
  await user.take(updateChat, { params: { id: chat.chatId }, body: { persona_id: id } });
  await user.take(deletePersona, { params: { id } });
  // One that is gone counts as not chosen: nothing of it is left.
  expect((await say(user, without)).text).not.toContain("PIRATE");
});

it("a new chat begins with the default persona and keeps it; one message alone may have another", async () => {
  const user = await signIn();
  const [pirate, poet] = [await make(user, "Pirate", "PIRATE"), await make(user, "Poet", "POET")];
  await user.take(listPersonas, {});
  await user.take(setDefaultPersona, { params: { id: pirate.id } });
  const chat = await startChatAndRead(user, "say one");
  expect(await personaOf(user, chat.chatId)).toBe(pirate.id);
  await user.take(setDefaultPersona, { params: { id: poet.id } });
  const reply = await say(user, chat);
  expect(reply).toMatchObject({ persona: "Pirate" });
  const once = await say(user, reply, { settings_once: { persona_id: poet.id } });
  expect(once).toMatchObject({ persona: "Poet", text: expect.stringContaining("POET") });
  expect(await personaOf(user, chat.chatId)).toBe(pirate.id);
});

it("a chat that began before there was a default speaks on as it began, whatever is starred later", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  // The personalized one, in which nothing is written.
  expect(await personaOf(user, chat.chatId)).toBe(user.user.id);
  const pirate = await make(user, "Pirate", "PIRATE");
  await user.take(setDefaultPersona, { params: { id: pirate.id } });
  const reply = await say(user, chat);
  expect(reply).toMatchObject({ persona: null, text: expect.not.stringContaining("PIRATE") });
  // A new one begins with it; a copy of the old one is what that was.
  expect(await say(user, await startChatAndRead(user, "say two"))).toMatchObject({ persona: "Pirate" });
  const fork = await user.take(forkChat, { params: { id: chat.chatId }, body: { messageId: chat.replyId } });
  const { messages } = await user.take(listMessages, { params: { id: fork.chat.id } });
  expect(await say(user, { chatId: fork.chat.id, replyId: messages.at(-1)?.id ?? "" })).toMatchObject({ persona: null });
  // What is written in it later is said in its chats; a choice for the chat wins.
  await user.take(updatePersona, { params: { id: user.user.id }, body: { content: "CALL-ME-ADA" } });
  const written = await say(user, reply);
  expect(written).toMatchObject({ persona: PERSONALIZED_NAME, text: expect.stringContaining("CALL-ME-ADA") });
  expect(await say(user, written, { persona_id: pirate.id })).toMatchObject({ persona: "Pirate" });
});

it("whoever had a team's persona as the default speaks as their own flagged persona once they left the team", async () => {
  const [user, creator] = [await signIn(), await signIn()];
  const teamId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Team', ?, '')").bind(teamId, creator.user.id),
    ...[creator, user].map(({ user: { id } }) =>
      env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'member', '')").bind(teamId, id),
    ),
  ]);
  const [own, shared] = [await make(user, "Own", "OWN-WORDS"), await make(creator, "Shared", "SHARED-WORDS")];
  await creator.take(updatePersona, { params: { id: shared.id }, body: { team_id: teamId } });
  for (const { id } of [own, shared]) await user.take(setDefaultPersona, { params: { id } });
  const chat = await startChatAndRead(user, "say one");
  const asMember = await say(user, chat);
  expect(asMember).toMatchObject({ persona: "Shared", text: expect.stringContaining("SHARED-WORDS") });
  await env.DB.prepare("DELETE FROM team_members WHERE user_id = ?").bind(user.user.id).run();
  expect(await say(user, asMember)).toMatchObject({ persona: "Own", text: expect.stringContaining("OWN-WORDS") });
});

it("whoever's default is no longer theirs to use has their own flagged one as the default, deleted or taken out of the team", async () => {
  const [user, creator] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [creator, user]);
  // The personalized one is there too, and is not what they chose.
  await user.take(updatePersona, { params: { id: user.user.id }, body: { content: "Call me Ada." } });
  const own = await make(user, "Own");
  await user.take(setDefaultPersona, { params: { id: own.id } });
  const byDefault = async () => (await user.take(listPersonas, {})).default_persona_id;
  const [left, deleted] = [await make(creator, "Left"), await make(creator, "Deleted")];
  for (const { id } of [left, deleted]) {
    await creator.take(updatePersona, { params: { id }, body: { team_id: teamId } });
    await user.take(setDefaultPersona, { params: { id } });
    expect(await byDefault()).toBe(id);
  }
  await creator.take(deletePersona, { params: { id: deleted.id } });
  expect(await byDefault()).toBe(own.id);
  await user.take(setDefaultPersona, { params: { id: left.id } });
  await creator.take(updatePersona, { params: { id: left.id }, body: { team_id: null } });
  expect(await byDefault()).toBe(own.id);
});

it("one that another tab deletes in the same moment takes the mark from none", async () => {
  const user = await signIn();
  const [remaining, deleted] = [await make(user, "Kept"), await make(user, "Gone")];
  await user.take(setDefaultPersona, { params: { id: remaining.id } });
  await user.take(deletePersona, { params: { id: deleted.id } });
  for (const isOwn of [true, false]) {
    expect(await updateDefault(openDatabase(env.DB), user.user.id, { id: deleted.id, isOwn })).toBe(false);
    const { personas, default_persona_id: byDefault } = await user.take(listPersonas, {});
    expect(byDefault).toBe(remaining.id);
    expect(personas.filter(({ is_default: isDefault }) => isDefault).map(({ id }) => id)).toEqual([remaining.id]);
  }
  expect(await env.DB.prepare("SELECT default_persona_id FROM users WHERE id = ?").bind(user.user.id).first("default_persona_id")).toBe(
    remaining.id,
  );
});

it("another's persona counts as none", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const { id } = await make(other, "Secret", "SECRET-WORDS");
  const chat = await startChatAndRead(user, "say one");
  expect((await say(user, chat, { persona_id: id })).text).not.toContain("SECRET-WORDS");
  const rows = await env.DB.prepare("SELECT COUNT(*) AS n FROM user_system_prompts WHERE user_id = ?").bind(user.user.id).first("n");
  expect(rows).toBe(0);
});

it("a team has at most 200 personas", async () => {
  const user = await signIn();
  const teamId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Full', ?, '')").bind(teamId, user.user.id),
    env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'admin', '')").bind(teamId, user.user.id),
  ]);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO user_system_prompts (id, user_id, team_id, name, content, created_at, updated_at)
     SELECT 't' || i || ?, ?, ?, 'Name', 'Content', '', '' FROM n`,
  )
    .bind(TEAM_PERSONAS_MAX - 1, user.user.id, user.user.id, teamId)
    .run();
  const [last, more] = await Promise.all(
    ["Last", "One more"].map(async (name) => (await user.take(createPersona, { body: { name, content: "x" } })).persona),
  );
  const move = (id = "") => user.call(updatePersona, { params: { id }, body: { team_id: teamId } });
  expect(await move(last?.id)).toMatchObject({ ok: true });
  expect(await move(more?.id)).toMatchObject({
    status: 400,
    error: { code: "INVALID_INPUT", error: "This team has 200 personas already." },
  });
  const body = { name: "Made there", content: "x", team_id: teamId };
  expect(await user.call(createPersona, { body })).toMatchObject({ error: { error: "This team has 200 personas already." } });
});

it("a list reads nobody else's personas", async () => {
  const [user, others] = [await signIn(), await signIn()];
  await make(user, "Own");
  for (let n = 0; n < 20; n += 1) await make(others, `Other ${n}`);
  expect(await rowsRead(() => user.take(listPersonas, {}))).toBeLessThan(15);
});
