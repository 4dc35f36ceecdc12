import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import {
  createPersona,
  deletePersona,
  getPersona,
  listPersonas,
  restorePersona,
  updatePersona,
} from "#shared/contracts/library/personas.ts";
import { createPrompt, deletePrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import {
  getPersonaLink,
  getSharedPersona,
  getSharedPrompt,
  importSharedPersona,
  importSharedPrompt,
  removePersonaLink,
  sharePersona,
  sharePrompt,
} from "#shared/contracts/library/share-links.ts";
import { PERSONAS_MAX } from "#shared/limits.ts";
import { cookiesOf, newIp, post, visitWith } from "#test/support/sign-in.ts";
import { type Client, type Person, signIn, visitor } from "#test/support/worker.ts";

async function make(client: Client, name = "Pirate", content = "You are a pirate.") {
  return (await client.take(createPersona, { body: { name, content } })).persona.id;
}

/** Shares a persona and answers the token of its link. */
async function share(client: Client, id: string): Promise<string> {
  const { shareUrl } = await client.take(sharePersona, { params: { id } });
  const url = new URL(shareUrl);
  expect(`${url.origin}${url.pathname}`).toBe("http://localhost/");
  return url.searchParams.get("share_system_prompt") ?? "";
}

const look = (client: Client, token: string) => client.call(getSharedPersona, { params: { token } });

async function namesOf(person: Person): Promise<string[]> {
  const { personas } = await person.take(listPersonas, {});
  return personas.filter(({ is_personalized: isPersonalized }) => !isPersonalized).map(({ name }) => name);
}

/** A team with these people, the first of them its admin. */
async function makeTeam(...people: Person[]): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Team', ?, '')").bind(id, people[0]?.user.id ?? ""),
    ...people.map(({ user }, place) =>
      env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, ?, '')").bind(
        id,
        user.id,
        place === 0 ? "admin" : "member",
      ),
    ),
  ]);
  return id;
}

it("everybody with the link sees the name, the text and when it was made, and nothing else", async () => {
  const owner = await signIn();
  const id = await make(owner);
  const { created_at: createdAt } = (await owner.take(getPersona, { params: { id } })).persona;
  const token = await share(owner, id);
  expect(token).toMatch(/^[\w-]{43}$/);
  for (const reader of [visitor(), await signIn(), owner]) {
    const seen = await look(reader, token);
    expect(seen).toMatchObject({ status: 200 });
    expect(seen.ok && seen.body).toEqual({
      prompt: { name: "Pirate", content: "You are a pirate.", createdAt },
    });
  }
});

it("the token is stored as its hash alone", async () => {
  const owner = await signIn();
  const token = await share(owner, await make(owner));
  const { results } = await env.DB.prepare("SELECT * FROM share_links").all();
  expect(JSON.stringify(results)).not.toContain(token);
  expect(results.length).toBeGreaterThan(0);
});

it("a new link takes the place of the old one, and one that is removed, or whose persona is, opens nothing", async () => {
  const owner = await signIn();
  const id = await make(owner);
  const params = { id };
  expect(await owner.take(getPersonaLink, { params })).toEqual({ createdAt: null });
  const first = await share(owner, id);
  const second = await share(owner, id);
  expect(await look(visitor(), first)).toMatchObject({ status: 404, error: { code: "NOT_FOUND", error: "Shared persona not found" } });
  expect(await look(visitor(), second)).toMatchObject({ status: 200 });
  expect(await owner.take(getPersonaLink, { params })).toEqual({ createdAt: expect.any(String) });
  await owner.take(removePersonaLink, { params });
  expect(await owner.take(getPersonaLink, { params })).toEqual({ createdAt: null });
  const third = await share(owner, id);
  await owner.take(deletePersona, { params });
  // Whoever makes one of the same id later shares nothing by that link.
  await owner.take(createPersona, { body: { id, name: "Other", content: "Another." } });
  for (const token of [second, third]) expect(await look(visitor(), token)).toMatchObject({ status: 404 });
});

it("every token that opens nothing has the same answer", async () => {
  const owner = await signIn();
  const id = await make(owner);
  const replaced = await share(owner, id);
  await share(owner, id);
  const answers = [];
  for (const token of [replaced, "x".repeat(43), "x", id, "y".repeat(5_000), "%00", "'--"]) {
    const response = await visitor().fetch(`/api/shared/system-prompts/${encodeURIComponent(token)}`);
    answers.push(`${response.status} ${await response.text()}`);
  }
  expect(new Set(answers)).toEqual(new Set(['404 {"error":"Shared persona not found","code":"NOT_FOUND"}']));
});

it("a shared persona is imported as a copy of one's own, once however often it is asked for", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const id = await make(owner);
  const params = { token: await share(owner, id) };
  await Promise.all([1, 2, 3].map(() => reader.take(importSharedPersona, { params })));
  await reader.take(importSharedPersona, { params: { token: await share(owner, id) } });
  expect(await namesOf(reader)).toEqual(["Pirate"]);
  const copy = (await reader.take(listPersonas, {})).personas.find(({ name }) => name === "Pirate");
  expect(copy).toMatchObject({ user_id: reader.user.id, team_id: null, content: "You are a pirate.", is_default: false });
  // The copy goes its own way, and what the original says by then is another copy.
  await reader.take(updatePersona, { params: { id: copy?.id ?? "" }, body: { name: "Mine" } });
  expect(await reader.take(importSharedPersona, { params: { token: await share(owner, id) } })).toEqual({
    message: "You have this persona already.",
  });
  await owner.take(updatePersona, { params: { id }, body: { name: "Captain" } });
  expect(await namesOf(reader)).toEqual(["Mine"]);
  expect(await reader.take(importSharedPersona, { params: { token: await share(owner, id) } })).toEqual({
    message: "The persona was imported.",
  });
  expect((await namesOf(reader)).toSorted()).toEqual(["Captain", "Mine"]);
  expect(await namesOf(owner)).toEqual(["Captain"]);
  await reader.take(deletePersona, { params: { id: copy?.id ?? "" } });
});

it("an imported persona's text stays marked as another's, also when it is restored, and nobody sees the mark", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const id = await make(owner);
  await reader.take(importSharedPersona, { params: { token: await share(owner, id) } });
  const copy = (await reader.take(listPersonas, {})).personas.find(({ name }) => name === "Pirate");
  const params = { id: copy?.id ?? "" };
  const isExternal = () =>
    env.DB.prepare("SELECT is_untrusted FROM user_system_prompts WHERE id = ?").bind(params.id).first("is_untrusted");
  expect(await isExternal()).toBe(1);
  await reader.take(updatePersona, { params, body: { content: "You are my own." } });
  expect(await isExternal()).toBe(0);
  const { persona } = await reader.take(restorePersona, { params, body: { version: 1 } });
  expect([persona.content, await isExternal()]).toEqual(["You are a pirate.", 1]);
  await reader.take(restorePersona, { params, body: { version: 2 } });
  expect(await isExternal()).toBe(0);
  // Only in production no contract stands between the rows and the answer.
  for (const path of ["", `/${params.id}`, `/${params.id}/versions`]) {
    const answer = await visitWith({ ENVIRONMENT: "production", APP_ORIGIN: "http://localhost" }, `/api/user-system-prompts${path}`, {
      headers: cookiesOf(reader),
    });
    const text = await answer.text();
    expect([answer.status, text.includes("pirate"), text.includes("foreign")]).toEqual([200, path.endsWith("versions"), false]);
  }
});

it("who has all the personas there may be hears so", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const params = { token: await share(owner, await make(owner)) };
  const values = Array.from({ length: PERSONAS_MAX }, () => `('${crypto.randomUUID()}', '${reader.user.id}', 'n', 'c', '', '')`);
  await env.DB.prepare(
    `INSERT INTO user_system_prompts (id, user_id, name, content, created_at, updated_at) VALUES ${values.join(", ")}`,
  ).run();
  expect(await reader.call(importSharedPersona, { params })).toMatchObject({
    status: 400,
    error: { error: "You have 500 personas already." },
  });
});

it("the creator alone changes a persona's sharing, and nobody shares the personalized one", async () => {
  const [admin, creator, member, stranger] = [await signIn(), await signIn(), await signIn(), await signIn()];
  const id = await make(creator);
  const params = { id };
  await creator.take(updatePersona, { params, body: { team_id: await makeTeam(admin, creator, member) } });
  const statuses: Record<string, number[]> = {};
  for (const [role, client] of Object.entries({ creator, admin, member, stranger, visitor: visitor() })) {
    const shared = (await client.call(sharePersona, { params })).status;
    statuses[role] = [shared, (await client.call(getPersonaLink, { params })).status];
  }
  for (const [role, client] of Object.entries({ admin, member, stranger, visitor: visitor(), creator })) {
    statuses[role]?.push((await client.call(removePersonaLink, { params })).status);
  }
  expect(statuses).toEqual({
    creator: [200, 200, 200],
    admin: [403, 403, 403],
    member: [403, 403, 403],
    stranger: [404, 404, 404],
    visitor: [401, 401, 401],
  });
  expect(await creator.call(sharePersona, { params: { id: creator.user.id } })).toMatchObject({
    status: 403,
    error: { error: "The personalized persona is yours alone." },
  });
});

it("importing needs an account", async () => {
  const owner = await signIn();
  const params = { token: await share(owner, await make(owner)) };
  expect(await visitor().call(importSharedPersona, { params })).toMatchObject({ status: 401 });
});

it("a network that tries many tokens is stopped, and what opens something is not counted", async () => {
  const owner = await signIn();
  const [token, headers] = [await share(owner, await make(owner)), newIp()];
  const tryOne = async (tried: string) => (await visitor().fetch(`/api/shared/system-prompts/${tried}`, { headers })).status;
  const opened = await Promise.all(Array.from({ length: 20 }, () => tryOne(token)));
  expect(new Set(opened)).toEqual(new Set([200]));
  const missed = await Promise.all(Array.from({ length: 120 }, (_, n) => tryOne(`miss-${n}`)));
  expect(missed.filter((status) => status === 404)).toHaveLength(100);
  expect(missed.filter((status) => status === 429)).toHaveLength(20);
  expect(await tryOne(token)).toBe(429);
  expect(await look(visitor(), token)).toMatchObject({ status: 200 });
});

it("where links are switched off, none is made and none opens anything", async () => {
  const owner = await signIn();
  const id = await make(owner);
  const token = await share(owner, id);
  const off = { SHARE_LINKS: "false" };
  const made = await visitWith(off, `/api/user-system-prompts/${id}/share`, post(undefined, cookiesOf(owner)));
  expect(made.status).toBe(503);
  expect(await made.json()).toMatchObject({ code: "SHARE_LINKS_OFF" });
  expect((await visitWith(off, `/api/shared/system-prompts/${token}`)).status).toBe(404);
  const session = await visitWith(off, "/api/auth/session");
  expect(await session.json()).toMatchObject({ features: { shareLinks: false } });
});

it("a public page's address with share links redirects to the application and keeps them", async () => {
  const response = await visitor().fetch(`/p/${crypto.randomUUID()}?page=2&share_system_prompt=abc%26d`);
  expect([response.status, response.headers.get("location")]).toEqual([302, "/?share_system_prompt=abc%26d"]);
  const knowledge = await visitor().fetch(`/p/${crypto.randomUUID()}?share_context=abc`);
  expect([knowledge.status, knowledge.headers.get("location")]).toEqual([302, "/?share_context=abc"]);
});

it("a prompt is shared and imported the same way, by its own address alone", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const body = { name: "Weekly", content: "Sum up {{week}}.\n---\nShorter.", model_id: "openai/gpt-5-nano" };
  const { id, created_at: createdAt } = (await owner.take(createPrompt, { body })).prompt;
  const params = { id };
  expect(await reader.call(sharePrompt, { params })).toMatchObject({ status: 404 });
  const { shareUrl } = await owner.take(sharePrompt, { params });
  const token = new URL(shareUrl).searchParams.get("share_template_message") ?? "";
  const seen = await visitor().take(getSharedPrompt, { params: { token } });
  expect(seen).toEqual({ template: { name: body.name, content: body.content, createdAt } });
  expect(await look(visitor(), token)).toMatchObject({ status: 404, error: { error: "Shared persona not found" } });
  await Promise.all([1, 2].map(() => reader.take(importSharedPrompt, { params: { token } })));
  expect(await reader.take(importSharedPrompt, { params: { token } })).toEqual({ message: "You have this prompt already." });
  const { prompts } = await reader.take(listPrompts, {});
  expect(prompts).toMatchObject([{ name: "Weekly", steps: 2, model_id: null, user_id: reader.user.id }]);
  await owner.take(deletePrompt, { params });
  expect(await visitor().call(getSharedPrompt, { params: { token } })).toMatchObject({
    status: 404,
    error: { error: "Shared prompt not found" },
  });
});
