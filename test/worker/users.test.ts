import { afterEach, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { getUser, putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { User } from "#shared/entities/user.ts";
import { signIn, visitor } from "#test/support/worker.ts";

afterEach(() => void vi.useRealTimers());

it("GET /api/user is the person of the session, with the specification's fields and no other", async () => {
  const client = await signIn();
  const raw: unknown = await (await client.fetch("/api/user")).json();
  expect(raw).toEqual({ user: User.parse((await client.take(getSession, {})).user) });
  expect(raw).toMatchObject({
    user: { artifacts_enabled: true, memory_enabled: true, auto_mode_default: false, model_allowlist: null, additional_emails: [] },
  });
});

it("GET /api/user needs a session, whatever the query claims", async () => {
  const client = await signIn();
  const answer = await visitor().fetch(`/api/user?userId=${client.user.id}&isAuthenticated=true`);
  expect(answer.status).toBe(401);
});

it("PATCH /api/user changes what it names and nothing else", async () => {
  const client = await signIn();
  const before = client.user;
  const changes = { display_name: "  Ada  ", auto_mode_default: true, triggered_tool_categories: ["synthesis"], triggered_model: "auto" };
  const { user } = await client.take(updateUser, { body: changes });
  expect(user).toEqual({ ...before, ...changes, display_name: "Ada" });
  expect((await client.take(getUser, {})).user).toEqual(user);
});

it("PATCH /api/user takes nulls back", async () => {
  const client = await signIn();
  await client.take(updateUser, { body: { preferred_model: "openai/gpt-5-mini", triggered_context_ids: ["a"] } });
  const { user } = await client.take(updateUser, { body: { preferred_model: null, triggered_context_ids: null } });
  expect(user).toMatchObject({ preferred_model: null, triggered_context_ids: null });
});

it("PATCH /api/user leaves alone what it does not know, credits and rank above all", async () => {
  const client = await signIn();
  const body = JSON.stringify({
    credits: 1e6,
    credits_micros: 1,
    email: "other@example.com",
    id: "x",
    anonymous: true,
    team_plan: true,
    userId: "y",
  });
  const response = await client.fetch("/api/user", { method: "PATCH", headers: { "content-type": "application/json" }, body });
  expect(response.status).toBe(200);
  expect((await client.take(getUser, {})).user).toEqual(client.user);
});

it.each<[string, unknown, string]>([
  ["an empty name", { display_name: "   " }, "Name cannot be empty."],
  ["a long name", { display_name: "x".repeat(101) }, "That name is too long."],
  ["a switch that is no boolean", { memory_enabled: "yes" }, ""],
  ["a list", [], ""],
])("PATCH /api/user refuses %s", async (_what, body, text) => {
  const client = await signIn();
  const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await client.fetch("/api/user", init);
  expect(response.status).toBe(400);
  const failure: { code: string; error: string } = await response.json();
  expect(failure.code).toBe("INVALID_INPUT");
  expect(failure.error).toContain(text);
  expect((await client.take(getUser, {})).user).toEqual(client.user);
});

it.each([
  ["no JSON", "{", "application/json", 400, "INVALID_JSON"],
  ["nothing that is called JSON", "", "application/json", 400, "INVALID_JSON"],
  ["another type", "{}", "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a form", "a=b", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE"],
])("PATCH /api/user refuses %s", async (_what, body, type, status, code) => {
  const client = await signIn();
  const response = await client.fetch("/api/user", { method: "PATCH", headers: { "content-type": type }, body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code });
});

it("PATCH /api/user puts the first allowed model in the place of a preferred one that the allowlist lacks", async () => {
  const client = await signIn();
  const allowed = [
    { id: "openai/gpt-5-nano", name: "Nano" },
    { id: "openai/gpt-5-mini", name: "Mini" },
  ];
  await client.take(putAllowlist, { body: { model_allowlist: allowed } });
  const refused = await client.take(updateUser, { body: { preferred_model: "anthropic/claude-sonnet-4.6" } });
  expect(refused.user.preferred_model).toBe("openai/gpt-5-nano");
  const taken = await client.take(updateUser, { body: { preferred_model: "openai/gpt-5-mini" } });
  expect(taken.user.preferred_model).toBe("openai/gpt-5-mini");
});

it("PATCH /api/user gives this browser a token with the new name", async () => {
  const client = await signIn();
  const before = client.cookies.get("polylogue-session");
  await client.take(updateUser, { body: { display_name: "Grace" } });
  const after = client.cookies.get("polylogue-session") ?? "";
  expect(after).not.toBe(before);
  expect(atob(after.split(".")[2]?.replaceAll("-", "+").replaceAll("_", "/") ?? "")).toContain("Grace");
});
