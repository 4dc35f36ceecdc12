import { expect, test } from "vitest";
import { getAllowlist, getUser, putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { ALLOWLIST_LENGTH } from "#shared/limits.ts";
import { signIn, visitor } from "#test/support/worker.ts";

const sonnet = { id: "anthropic/claude-sonnet-4.6", name: "Anthropic: Claude Sonnet 4.6" };
const grok = { id: "x-ai/grok-4", name: "xAI: Grok 4" };
const AUTO = { id: "auto", name: "Auto" };

test("the allowlist allows everything until it is set, and again when it is set to null", async () => {
  const client = await signIn();
  expect(await client.take(getAllowlist, {})).toEqual({ model_allowlist: null });
  await client.take(putAllowlist, { body: { model_allowlist: [grok] } });
  await client.take(putAllowlist, { body: { model_allowlist: null } });
  expect(await client.take(getAllowlist, {})).toEqual({ model_allowlist: null });
});

test("the allowlist given as plain strings gets its names from the catalogue, and the automatic model", async () => {
  const client = await signIn();
  const saved = await client.take(putAllowlist, { body: { model_allowlist: [sonnet.id, "gone/model"] } });
  expect(saved.model_allowlist).toEqual([sonnet, { id: "gone/model", name: "gone/model" }, AUTO]);
  expect(await client.take(getAllowlist, {})).toEqual({ model_allowlist: saved.model_allowlist });
  expect((await client.take(getUser, {})).user.model_allowlist).toEqual(saved.model_allowlist);
});

test("the allowlist replaces a preferred model that it leaves out by its first, and keeps one that it has", async () => {
  const client = await signIn();
  await client.take(updateUser, { body: { preferred_model: grok.id } });
  expect(await client.take(putAllowlist, { body: { model_allowlist: [grok, sonnet] } })).toMatchObject({ preferred_model: grok.id });
  expect(await client.take(putAllowlist, { body: { model_allowlist: [sonnet] } })).toMatchObject({ preferred_model: sonnet.id });
  expect((await client.take(getUser, {})).user.preferred_model).toBe(sonnet.id);
});

test("the allowlist gives the preferred model back once it is allowed again, as ticks hold one by one", async () => {
  const client = await signIn();
  await client.take(updateUser, { body: { preferred_model: grok.id } });
  expect(await client.take(putAllowlist, { body: { model_allowlist: [] } })).toMatchObject({ preferred_model: AUTO.id });
  expect(await client.take(putAllowlist, { body: { model_allowlist: [sonnet] } })).toMatchObject({ preferred_model: sonnet.id });
  expect(await client.take(putAllowlist, { body: { model_allowlist: [sonnet, grok] } })).toMatchObject({ preferred_model: grok.id });
  expect((await client.take(getUser, {})).user.preferred_model).toBe(grok.id);
});

test("the allowlist does not let a model outside it become the preferred one", async () => {
  const client = await signIn();
  await client.take(putAllowlist, { body: { model_allowlist: [sonnet] } });
  expect((await client.take(updateUser, { body: { preferred_model: grok.id } })).user.preferred_model).toBe(sonnet.id);
});

test("the allowlist is each user's own", async () => {
  const [one, other] = [await signIn(), await signIn()];
  await one.take(putAllowlist, { body: { model_allowlist: [sonnet] } });
  expect(await other.take(getAllowlist, {})).toEqual({ model_allowlist: null });
});

test("the allowlist is refused without a session, and when it is no list or too long", async () => {
  expect(await visitor().call(getAllowlist, {})).toMatchObject({ ok: false, status: 401, error: { code: "UNAUTHENTICATED" } });
  const client = await signIn();
  const tooLong = Array.from({ length: ALLOWLIST_LENGTH + 1 }, (_, index) => `a/${index}`);
  expect(await client.call(putAllowlist, { body: { model_allowlist: tooLong } })).toMatchObject({
    status: 400,
    error: { code: "INVALID_INPUT", error: "That list is too long. At most 1,000 entries." },
  });
  expect(await client.call(putAllowlist, { body: { model_allowlist: [""] } })).toMatchObject({ status: 400 });
});
