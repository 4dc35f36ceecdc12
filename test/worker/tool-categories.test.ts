import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getUser, updateUser } from "#shared/contracts/account/users.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listToolCategories } from "#shared/contracts/tools.ts";
import { connectedName, connectionCategory, isConnectionCategory } from "#shared/tools/connected-tools.ts";
import { isOwnCategory } from "#shared/tools/own-categories.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { googleConnections } from "#worker/platform/db/schema/google-connections.ts";
import { mcpConnections } from "#worker/platform/db/schema/mcp-connections.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { sourceOf } from "#worker/conversation/tools/tool-sources.ts";

const tool = (name: string, saysReadOnly: boolean) => ({
  name,
  title: null,
  description: `Does ${name}`,
  schema: { type: "object" },
  saysReadOnly,
});

async function connect(userId: string, change: Partial<typeof mcpConnections.$inferInsert>): Promise<string> {
  const id = crypto.randomUUID();
  const at = new Date().toISOString();
  const tools = JSON.stringify([tool("look", true), tool("change.it", false)]);
  const row = {
    id,
    user_id: userId,
    name: "Archive",
    server_url: "https://tools.example/mcp",
    tools,
    created_at: at,
    updated_at: at,
    ...change,
  };
  await openDatabase(env.DB).insert(mcpConnections).values(row);
  return id;
}

it("categories that read what is a person's own are known to everybody who shows or sets them", () => {
  const isOwn = ({ isAlwaysOn, toolIds }: (typeof TOOL_CATEGORIES)[number]) =>
    !isAlwaysOn && toolIds.some((id) => !["mail", null].includes(sourceOf(id)));
  expect(TOOL_CATEGORIES.filter(({ id }) => isOwnCategory(id)).map(({ id }) => id)).toEqual(
    TOOL_CATEGORIES.filter(isOwn).map(({ id }) => id),
  );
  expect(isOwnCategory(connectionCategory(crypto.randomUUID()))).toBe(true);
});

it("the categories of a person are the built-in ones and then those of their own connections, each with how it stands and what it asks about", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  const id = await connect(owner.user.id, {});
  await connect(owner.user.id, { trusted: true, created_at: new Date(Date.now() + 1).toISOString() });
  const { categories } = await owner.take(listToolCategories, {});
  const [asking, believed] = categories.filter(({ isDynamic }) => isDynamic);
  expect(asking).toMatchObject({ name: "Archive", icon: "plug", isAlwaysOn: false, state: "ready" });
  expect(asking?.tools?.map(({ name, asksFirst }) => [name, asksFirst])).toEqual([
    ["look", true],
    ["change.it", true],
  ]);
  expect(believed?.tools?.map(({ asksFirst }) => asksFirst)).toEqual([false, true]);
  expect(asking?.toolIds).toEqual([connectedToolId(id, "look"), connectedToolId(id, "change.it")]);
  expect(isConnectionCategory(asking?.id ?? "")).toBe(true);
  for (const who of [other, visitor()]) {
    const { categories: seen } = await who.take(listToolCategories, {});
    const shared = TOOL_CATEGORIES.filter(({ id: own }) => own !== "codegen");
    expect(seen.map((category) => category.id)).toEqual(shared.map((category) => category.id));
  }
});

it("the categories of a person show a guest what an account would have, and an account what its Google account would", async () => {
  const statesOf = async (who: Client) => {
    const { categories } = await who.take(listToolCategories, {});
    return Object.fromEntries(categories.filter(({ isAlwaysOn }) => !isAlwaysOn).map(({ id, state }) => [id, state]));
  };
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  for (const who of [visitor(), guest]) {
    expect(await statesOf(who)).toEqual({
      email: "needs_account",
      gmail: "needs_account",
      schedules: "needs_account",
      phone: "needs_account",
      synthesis: "ready",
      "truth-seeker": "ready",
      "google-drive": "needs_account",
    });
  }
  const person = await signIn();
  expect(await statesOf(person)).toMatchObject({ email: "ready", gmail: "unconnected", "google-drive": "unconnected" });
  // What is not theirs yet is not to be chosen for later.
  const refused = await person.call(updateUser, { body: { triggered_tool_categories: ["gmail"] } });
  expect(refused).toMatchObject({ ok: false, status: 400 });
  const connection = {
    user_id: person.user.id,
    subject: `subject-${person.user.id}`,
    email: person.email,
    scopes: "https://www.googleapis.com/auth/drive.readonly",
    tokens: "",
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    error: null,
    connected_at: new Date().toISOString(),
  };
  await openDatabase(env.DB).insert(googleConnections).values(connection);
  expect(await statesOf(person)).toMatchObject({ gmail: "unconnected", "google-drive": "unindexed" });
});

it("the categories of a person say which connection waits for what", async () => {
  const owner = await signIn();
  const states = [{ enabled: false }, { state: "failing" }, { state: "needs_sign_in" }, { offers: "[]" }] as const;
  for (const [at, change] of states.entries()) {
    await connect(owner.user.id, { ...change, created_at: new Date(Date.now() + at).toISOString() });
  }
  const { categories } = await owner.take(listToolCategories, {});
  expect(categories.filter(({ isDynamic }) => isDynamic).map(({ state }) => state)).toEqual(["off", "failing", "needs_sign_in", "changed"]);
});

it("the categories of a person may be chosen for triggered messages by their person alone", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  await connect(owner.user.id, {});
  const { categories } = await owner.take(listToolCategories, {});
  const triggered_tool_categories = categories.filter(({ isDynamic }) => isDynamic).map(({ id }) => id);
  await owner.take(updateUser, { body: { triggered_tool_categories } });
  expect((await owner.take(getUser, {})).user.triggered_tool_categories).toEqual(triggered_tool_categories);
  const refused = await other.call(updateUser, { body: { triggered_tool_categories } });
  expect(refused).toMatchObject({ ok: false, status: 400 });
});

it("a connected tool's id fits the aggregator's rule, differs wherever names do, and cannot pass for another connection's", () => {
  const id = "0123abcd-0000-4000-8000-000000000000";
  const names = ["a.b", "a_b", "x".repeat(128), `${"x".repeat(127)}y`];
  const ids = names.map((name) => connectedToolId(id, name));
  expect(new Set(ids).size).toBe(names.length);
  for (const made of ids) expect(made).toMatch(/^mcp_0123abcd_[A-Za-z0-9_-]{1,51}$/);
  expect(connectedName(connectedToolId(id, "list_issues"))).toBe("list_issues");
  expect(connectedName("sendEmail")).toBeNull();
});
