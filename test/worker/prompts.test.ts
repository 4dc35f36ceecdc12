import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { createPrompt, deletePrompt, getPrompt, listPrompts, notePromptUse, updatePrompt } from "#shared/contracts/library/prompts.ts";
import { PROMPT_LENGTH, PROMPTS_BYTES, PROMPTS_MAX, TEAM_PROMPTS_MAX } from "#shared/limits.ts";
import { openTab } from "#test/support/live-tab.ts";
import { rowsRead } from "#test/support/rows-read.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

async function make(client: Client, name: string, rest: { content?: string; after?: string; tool_categories?: string[] } = {}) {
  return (await client.take(createPrompt, { body: { name, content: `Say ${name}.`, ...rest } })).prompt;
}

const list = async (client: Client) => (await client.take(listPrompts, {})).prompts;
const names = async (client: Client) => (await list(client)).map(({ name }) => name);

it("a prompt is made, read, changed and deleted by its creator alone", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const id = crypto.randomUUID();
  const personaId = crypto.randomUUID();
  const body = {
    id,
    name: "  Tender answer ",
    content: "\n Answer {{question}}.\n---\nShorten it.  ",
    tool_categories: ["webSearch"],
    persona_id: personaId,
    model_id: "openai/gpt-5-nano",
    context_ids: [],
  };
  const { prompt } = await user.take(createPrompt, { body });
  expect(prompt).toMatchObject({
    ...body,
    name: "Tender answer",
    content: "Answer {{question}}.\n---\nShorten it.",
    preview: "Answer {{question}}. --- Shorten it.",
    steps: 2,
    fields: 1,
    context_ids: null,
    team_id: null,
    user_id: user.user.id,
    uses: 0,
    last_used_at: null,
  });
  // The same again answers the same.
  expect(await user.take(createPrompt, { body })).toEqual({ prompt });
  expect(await list(user)).toMatchObject([{ id, name: "Tender answer", steps: 2 }]);
  expect(Object.keys((await list(user))[0] ?? {})).not.toContain("content");
  const long = await make(user, "Long", { content: `${"x ".repeat(60)}end` });
  expect(long.preview).toBe(`${"x ".repeat(50).trim()}…`);
  const params = { id };
  const change = { name: " Short ", content: "One step.", tool_categories: [], model_id: null };
  expect((await user.take(updatePrompt, { params, body: change })).prompt).toMatchObject({
    name: "Short",
    steps: 1,
    fields: 0,
    tool_categories: null,
    model_id: null,
    persona_id: personaId,
  });
  for (const answer of [
    await other.call(getPrompt, { params }),
    await other.call(updatePrompt, { params, body: { name: "Theirs" } }),
    await other.call(notePromptUse, { params, body: { id: crypto.randomUUID() } }),
    await other.call(deletePrompt, { params }),
    await other.call(createPrompt, { body: { ...body, name: "Theirs" } }),
  ]) {
    expect(answer.ok).toBe(false);
    expect([404, 409]).toContain(answer.status);
  }
  expect(await names(other)).toEqual([]);
  await user.take(deletePrompt, { params });
  expect(await user.call(getPrompt, { params })).toMatchObject({ status: 404 });
  expect(await names(user)).toEqual(["Long"]);
});

it("a prompt says what is wrong with it, and guests are asked to sign in", async () => {
  const user = await signIn();
  const { id } = await make(user, "Fine");
  for (const [body, error] of [
    [{ name: " \n", content: "x" }, "Name cannot be empty."],
    [{ name: "x", content: " \n " }, "Content cannot be empty."],
    [{ name: "x".repeat(101), content: "x" }, "That name is too long. Shorten it to 100 characters."],
    [{ name: "x", content: "x".repeat(PROMPT_LENGTH + 1) }, "This prompt is too long. Shorten it to 200,000 characters."],
    [{ name: "x", content: "x", after: crypto.randomUUID() }, "The prompt before it is gone."],
  ] as const) {
    expect(await user.call(createPrompt, { body })).toMatchObject({ status: 400, error: { error } });
    expect(await user.call(updatePrompt, { params: { id }, body })).toMatchObject({ status: 400, error: { error } });
  }
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  expect(await guest.call(listPrompts, {})).toMatchObject({ status: 401, error: { error: "Sign in required" } });
});

it("a user has at most 2,000 prompts", async () => {
  const user = await signIn();
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO template_messages (id, user_id, name, content, position, created_at, updated_at)
     SELECT 'p' || i || ?, ?, 'Name', 'Content', i, '', '' FROM n`,
  )
    .bind(PROMPTS_MAX, user.user.id, user.user.id)
    .run();
  expect(await user.call(createPrompt, { body: { name: "One more", content: "x" } })).toMatchObject({
    status: 400,
    error: { error: "You have 2,000 prompts already." },
  });
});

it("prompts keep the order that they are put in, however often one place is taken", async () => {
  const user = await signIn();
  const [c, b, a] = [await make(user, "C"), await make(user, "B"), await make(user, "A")];
  expect(await names(user)).toEqual(["A", "B", "C"]);
  await user.take(updatePrompt, { params: { id: a.id }, body: { after: b.id } });
  expect(await names(user)).toEqual(["B", "A", "C"]);
  await user.take(updatePrompt, { params: { id: c.id }, body: { after: null } });
  expect(await names(user)).toEqual(["C", "B", "A"]);
  await make(user, "B (copy)", { after: b.id });
  expect(await names(user)).toEqual(["C", "B", "B (copy)", "A"]);
  // Each halves the room behind C: no number has so many halves.
  for (let n = 0; n < 60; n += 1) {
    const moved = n % 2 === 0 ? a.id : b.id;
    await user.take(updatePrompt, { params: { id: moved }, body: { after: c.id } });
  }
  expect(await names(user)).toEqual(["C", "B", "A", "B (copy)"]);
  const itself = await user.call(updatePrompt, { params: { id: c.id }, body: { after: c.id } });
  expect(itself).toMatchObject({ status: 400 });
});

it("a change of prompts notifies the person's other tabs of what changed", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const promptEvents = () => tab.events.filter((event) => event.type === "content.changed" && event.kind === "prompt").length;
  const { id } = await make(user, "Told");
  await user.take(updatePrompt, { params: { id }, body: { name: "Renamed" } });
  await user.take(deletePrompt, { params: { id } });
  await until("the news", () => promptEvents() === 3);
  expect(tab.events.map(({ type }) => type)).not.toContain("user.changed");
});

it("a prompt counts each person's own uses, the same use once", async () => {
  const user = await signIn();
  const { id } = await make(user, "Often");
  const use = { id: crypto.randomUUID() };
  for (const body of [use, use, { id: crypto.randomUUID() }]) await user.take(notePromptUse, { params: { id }, body });
  expect(await list(user)).toMatchObject([{ id, uses: 2, last_used_at: expect.stringContaining("T") }]);
});

it("a team's members use its prompt, its creator alone edits it, an admin deletes it too", async () => {
  const [creator, member, admin] = [await signIn(), await signIn(), await signIn()];
  const teamId = crypto.randomUUID();
  const join = ({ user }: { user: { id: string } }, role: string) =>
    env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, ?, '')").bind(teamId, user.id, role);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Team', ?, '')").bind(teamId, creator.user.id),
    join(creator, "member"),
    join(member, "member"),
    join(admin, "admin"),
  ]);
  const { id } = await make(creator, "Shared");
  await make(member, "Own");
  const params = { id };
  expect(await creator.call(updatePrompt, { params, body: { team_id: crypto.randomUUID() } })).toMatchObject({ status: 404 });
  const made = { id: crypto.randomUUID(), name: "For all", content: "Hello.", team_id: teamId };
  const outsider = await signIn();
  expect(await outsider.call(createPrompt, { body: made })).toMatchObject({ error: { code: "TEAM_NOT_FOUND" } });
  // Nothing was made, so the same again is no conflict.
  expect(await names(outsider)).toEqual([]);
  expect(await creator.take(createPrompt, { body: made })).toMatchObject({ prompt: { id: made.id, team_id: teamId } });
  expect(await names(member)).toEqual(["Own", "For all"]);
  await creator.take(deletePrompt, { params: { id: made.id } });
  await creator.take(updatePrompt, { params, body: { team_id: teamId } });
  expect(await names(member)).toEqual(["Own", "Shared"]);
  await member.take(notePromptUse, { params, body: { id: crypto.randomUUID() } });
  expect(await list(member)).toMatchObject([{ uses: 0 }, { uses: 1 }]);
  expect(await list(creator)).toMatchObject([{ uses: 0 }]);
  expect(await member.call(updatePrompt, { params, body: { name: "Theirs" } })).toMatchObject({ status: 403 });
  expect(await member.call(deletePrompt, { params })).toMatchObject({ status: 403 });
  expect(await admin.call(updatePrompt, { params, body: { name: "Theirs" } })).toMatchObject({ status: 403 });
  await env.DB.prepare("UPDATE teams SET content_admin_only = 1 WHERE id = ?").bind(teamId).run();
  expect(await creator.call(updatePrompt, { params, body: { name: "Mine" } })).toMatchObject({
    status: 403,
    error: { error: "Only admins of its team can edit this prompt." },
  });
  expect(await admin.call(updatePrompt, { params, body: { after: null } })).toMatchObject({ status: 403 });
  await admin.take(updatePrompt, { params, body: { name: "By the admin", content: "Better." } });
  expect(await list(member)).toMatchObject([{ name: "Own" }, { name: "By the admin", preview: "Better.", user_id: creator.user.id }]);
  const own = await make(creator, "Taken out");
  await env.DB.prepare("UPDATE template_messages SET team_id = ? WHERE id = ?").bind(teamId, own.id).run();
  const takenOut = { params: { id: own.id }, body: { team_id: null } };
  expect(await admin.take(updatePrompt, takenOut)).toMatchObject({ prompt: { team_id: null, user_id: creator.user.id } });
  expect(await admin.call(updatePrompt, takenOut)).toMatchObject({ status: 404 });
  await creator.take(deletePrompt, { params: { id: own.id } });
  await admin.take(deletePrompt, { params });
  expect(await names(creator)).toEqual([]);
});

it("a user's prompts take at most 20 MB together, also where several come at once; shorter ones always fit", async () => {
  const user = await signIn();
  const long = "ü".repeat(PROMPT_LENGTH / 2);
  const makeLong = () => user.call(createPrompt, { body: { name: "Long", content: long } });
  const first = await make(user, "Long");
  await user.take(updatePrompt, { params: { id: first.id }, body: { content: long } });
  // As many as fit but for three.
  const bytes = 2 * long.length;
  await env.DB.prepare("UPDATE template_messages SET length = ? WHERE id = ?")
    .bind(PROMPTS_BYTES - 3 * bytes, first.id)
    .run();
  const answers = await Promise.all([makeLong(), makeLong(), makeLong(), makeLong(), makeLong()]);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  const refusal = { status: 400, error: { code: "INVALID_INPUT", error: "Your prompts take 20 MB. Shorten or delete some first." } };
  expect(answers.filter(({ ok }) => !ok)).toMatchObject([refusal, refusal]);
  const [, second] = (await user.take(listPrompts, {})).prompts;
  const params = { id: second?.id ?? "" };
  expect(await user.call(updatePrompt, { params, body: { content: `${long}x` } })).toMatchObject(refusal);
  expect(await user.call(updatePrompt, { params, body: { name: "Renamed" } })).toMatchObject({ ok: true });
  expect(await user.call(updatePrompt, { params, body: { content: "Short." } })).toMatchObject({ ok: true });
  expect(await makeLong()).toMatchObject(refusal);
  await user.take(updatePrompt, { params: { id: first.id }, body: { content: "Short too." } });
  expect(await makeLong()).toMatchObject({ ok: true });
});

it("lists of prompts read neither anybody else's prompts nor what one's own say", async () => {
  const user = await signIn();
  const { id } = await make(user, "Own");
  await env.DB.prepare("UPDATE template_messages SET content = 'Elsewhere' WHERE id = ?").bind(id).run();
  const [listed] = (await user.take(listPrompts, {})).prompts;
  expect(listed?.preview).not.toContain("Elsewhere");
  await user.take(updatePrompt, { params: { id }, body: { content: `Now\n${"👋".repeat(500)}` } });
  expect((await user.take(listPrompts, {})).prompts).toMatchObject([{ preview: `Now ${"👋".repeat(96)}…` }]);
  const others = await signIn();
  for (let n = 0; n < 20; n += 1) await make(others, `Other ${n}`);
  expect(await rowsRead(() => user.take(listPrompts, {}))).toBeLessThan(15);
});

it("a team has at most 500 prompts", async () => {
  const user = await signIn();
  const teamId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Full', ?, '')").bind(teamId, user.user.id),
    env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'admin', '')").bind(teamId, user.user.id),
  ]);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO template_messages (id, user_id, team_id, name, content, position, created_at, updated_at)
     SELECT 't' || i || ?, ?, ?, 'Name', 'Content', i, '', '' FROM n`,
  )
    .bind(TEAM_PROMPTS_MAX - 1, user.user.id, user.user.id, teamId)
    .run();
  const [last, more] = [await make(user, "Last"), await make(user, "One more")];
  await user.take(updatePrompt, { params: { id: last.id }, body: { team_id: teamId } });
  expect(await user.call(updatePrompt, { params: { id: more.id }, body: { team_id: teamId } })).toMatchObject({
    status: 400,
    error: { code: "INVALID_INPUT", error: "This team has 500 prompts already." },
  });
  const body = { name: "Made there", content: "x", team_id: teamId };
  expect(await user.call(createPrompt, { body })).toMatchObject({ error: { error: "This team has 500 prompts already." } });
  await user.take(updatePrompt, { params: { id: last.id }, body: { content: "Still editable.", team_id: teamId } });
});
