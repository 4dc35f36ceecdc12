import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { createKnowledge } from "#shared/contracts/library/knowledge.ts";
import { deliver } from "#test/support/incoming.ts";
import { askForCode, post } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, visitor } from "#test/support/worker.ts";
import { regionOf } from "#worker/people/sessions/region.ts";

afterEach(() => void vi.restoreAllMocks());

/** Someone who signs in from there, and whether an object was asked for with the hint of South America since. */
async function personFrom(cf: Record<string, string>) {
  const [browser, email] = [visitor(), newAddress()];
  const body = { email, code: await askForCode(browser, email) };
  await browser.fetch("/api/auth/email/verify", { ...post(body), cf });
  const hints: unknown[] = [];
  const isMadeThere = () => hints.some((hint) => JSON.stringify(hint) === '{"locationHint":"sam"}');
  const namespace = Object.getPrototypeOf(env.CHAT_ROOM);
  const { getByName } = namespace;
  vi.spyOn(namespace, "getByName").mockImplementation(function spied(this: unknown, ...args: unknown[]) {
    hints.push(args[1]);
    return getByName.apply(this, args);
  });
  return { browser, email, isMadeThere, forget: () => void (hints.length = 0) };
}

it.each([
  [{ continent: "NA", longitude: "-122.4" }, "wnam"],
  [{ continent: "NA", longitude: "-74.0" }, "enam"],
  [{ continent: "NA" }, "enam"],
  [{ continent: "EU", longitude: "13.4" }, "weur"],
  [{ continent: "EU", longitude: "26.1" }, "eeur"],
  [{ continent: "AS", country: "AE" }, "me"],
  [{ continent: "AS", country: "JP" }, "apac"],
  [{ continent: "SA" }, "sam"],
  [{ continent: "OC" }, "oc"],
  [{ continent: "AF" }, "afr"],
  [{ continent: "AN" }, null],
  [{}, null],
])("objects of whoever comes from %j are made in %s", (place, region) => {
  expect(regionOf(place)).toBe(region);
});

it("a chat that begins by mail, and an index that a job fills, are made where their person signed in last", async () => {
  const { browser, email, isMadeThere, forget } = await personFrom({ continent: "SA" });
  await deliver({ from: email, to: "new@chats.localhost", subject: "From afar", text: "say opened" });
  expect(isMadeThere()).toBe(true);
  forget();
  await browser.take(createKnowledge, { body: { name: "Afar", text_content: "Something to find." } });
  await until("the index's hint", isMadeThere);
});

it("signing in elsewhere moves what is made from then on, and a place that nobody knows moves nothing", async () => {
  const email = newAddress();
  const region = async () => {
    const row = await env.DB.prepare("SELECT region FROM users WHERE email = ?").bind(email).first<{ region: string | null }>();
    return row?.region;
  };
  for (const [cf, expected] of [
    [{}, null],
    [{ continent: "OC" }, "oc"],
    [{}, "oc"],
    [{ continent: "AF" }, "afr"],
  ] as const) {
    const browser = visitor();
    await browser.fetch("/api/auth/email/verify", { ...post({ email, code: await askForCode(browser, email) }), cf });
    expect(await region()).toBe(expected);
  }
});
