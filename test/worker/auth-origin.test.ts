import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { ORIGIN, signIn, visit } from "#test/support/worker.ts";

const changing = Object.entries(ENDPOINTS).filter(([, { method }]) => method !== "GET");
const id = crypto.randomUUID();

describe.each(changing)("%s", (_name, { method, path }) => {
  it.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.example" }],
    ["a subdomain", { origin: "http://evil.localhost" }],
    ["another port", { origin: "http://localhost:1234" }],
    ["https in place of http", { origin: "https://localhost" }],
    ["a sandboxed frame", { origin: "null" }],
    ["another site without an Origin", { "sec-fetch-site": "cross-site" }],
    ["a sibling site without an Origin", { "sec-fetch-site": "same-site" }],
    ["nowhere", {}],
    ["another site that claims to be the same", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
  ])("a request from %s is refused", async (_from, headers) => {
    const response = await visit(path.replaceAll(/:\w+/g, id), {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "FOREIGN_ORIGIN" });
  });
});

it("requests of our own pages pass by their Origin, or by Sec-Fetch-Site where the browser sends none", async () => {
  const client = await signIn();
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const proofs: Record<string, string>[] = [{ origin: ORIGIN }, { "sec-fetch-site": "same-origin" }];
  for (const proof of proofs) {
    const headers = { "content-type": "application/json", cookie, ...proof };
    expect((await visit("/api/user", { method: "PATCH", headers, body: "{}" })).status).toBe(200);
  }
});

it("requests of our own pages pass by the public origin of a deployment behind another address", async () => {
  const init = { method: "POST", headers: { "content-type": "application/json", origin: "https://chat.example.com" }, body: "{}" };
  const response = await visitWith({ APP_ORIGIN: "https://chat.example.com" }, "/api/auth/signout", init);
  expect(await response.json()).toMatchObject({ code: "UNAUTHENTICATED" });
});

it("requests of our own pages only read by GET, whoever links to them", async () => {
  const client = await signIn();
  const response = await client.fetch("/api/user", { headers: { origin: "https://evil.example" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect((await client.take(getUser, {})).user.id).toBe(client.user.id);
});

it("requests of our own pages are answered to no page of another site, which may send its visitor to us all the same", async () => {
  const client = await signIn();
  const from = async (mode: string) =>
    (await client.fetch("/api/user", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": mode } })).status;
  for (const mode of ["no-cors", "cors", "same-origin", ""]) expect([mode, await from(mode)]).toEqual([mode, 403]);
  expect(await from("navigate")).toBe(200);
});

it.each<Record<string, string>>([{ origin: "https://evil.example" }, { origin: "null" }, {}])(
  "a live socket is refused from %j",
  async (headers) => {
    const client = await signIn();
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await visit("/api/live", { headers: { ...headers, cookie, upgrade: "websocket" } });
    expect(response.status).toBe(403);
  },
);
