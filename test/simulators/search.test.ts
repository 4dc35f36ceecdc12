import { afterAll, beforeAll, expect, test } from "vitest";
import { startExa } from "./exa/server.ts";
import { PAGES } from "./fixed-web/fixed-web.ts";
import { startParallel } from "./parallel/server.ts";
import type { Simulator } from "./simulator.ts";

let parallel: Simulator;
let exa: Simulator;

beforeAll(async () => {
  [parallel, exa] = await Promise.all([startParallel(), startExa()]);
});
afterAll(() => Promise.all([parallel.close(), exa.close()]));

async function ask({ url }: Simulator, path: string, body: unknown, headers: Record<string, string> = { "x-api-key": "key" }) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("the fixed web has thirty pages, each at an address of its own", () => {
  expect(new Set(PAGES.map(({ url }) => url)).size).toBe(30);
});

test("Parallel's stand-in answers as the service does", async () => {
  const { body } = await ask(parallel, "/v1/search", {
    search_queries: ["emperor penguins"],
    advanced_settings: { max_results: 2, excerpt_settings: { max_chars_per_result: 20 } },
  });
  expect(body).toMatchObject({
    search_id: expect.stringMatching(/^search_/),
    results: [
      {
        url: "https://penguins.example/emperor",
        title: "Emperor penguins in the polar night",
        publish_date: "2025-07-19",
        excerpts: ["Emperor penguins bre"],
      },
      {},
    ],
    warnings: null,
    usage: [{ name: "sku_search", count: 1 }],
  });
});

test("Parallel's stand-in refuses what the service refuses: no key, no query, a key that it doesn't know", async () => {
  expect((await ask(parallel, "/v1/search", { search_queries: ["a"] }, {})).status).toBe(401);
  expect((await ask(parallel, "/v1/search", { search_queries: [] })).status).toBe(422);
  const unknown = await ask(parallel, "/v1/search", { search_queries: ["a"], max_results: 3 });
  expect(unknown).toMatchObject({ status: 422, body: { type: "error", error: { ref_id: expect.any(String) } } });
});

test("Parallel's stand-in makes the fault that a query names, as often as it says", async () => {
  const body = { search_queries: ["fault 429 times 1"] };
  const first = await ask(parallel, "/v1/search", body);
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await ask(parallel, "/v1/search", body)).status).toBe(200);
});

test("Exa's stand-in gives text and image links only where they are asked for", async () => {
  const plain = await ask(exa, "/search", { query: "bread", numResults: 1 });
  expect(plain.body).toMatchObject({ results: [{ id: "https://kitchen.example/sourdough", image: `${exa.url}/images/bread.png` }] });
  expect(JSON.stringify(plain.body)).not.toMatch(/"text":|imageLinks/);
  const full = await ask(exa, "/search", {
    query: "bread",
    numResults: 1,
    contents: { text: { maxCharacters: 3 }, extras: { imageLinks: 2 } },
  });
  expect(full.body).toMatchObject({
    results: [{ text: "Mix", extras: { imageLinks: [`${exa.url}/images/logo.png`, `${exa.url}/images/bread.png`] } }],
  });
});

test("Exa's stand-in reports a page that cannot be read within an answer of 200", async () => {
  const { status, body } = await ask(exa, "/contents", { urls: ["https://slow.example/", "not an address"], text: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    results: [],
    statuses: [
      { id: "https://slow.example/", status: "error", error: { tag: "CRAWL_TIMEOUT", httpStatusCode: null } },
      { id: "not an address", status: "error", error: { tag: "UNSUPPORTED_URL" } },
    ],
  });
});

test("Exa's stand-in refuses options in the wrong place", async () => {
  const { status, body } = await ask(exa, "/search", { query: "a", text: true });
  expect({ status, body }).toMatchObject({ status: 400, body: { tag: "INVALID_REQUEST_BODY" } });
});

test("Exa's stand-in serves the pictures that its pages name, and traps", async () => {
  const picture = await fetch(`${exa.url}/images/bread.png`);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  const moved = await fetch(`${exa.url}/images/metadata.png`, { redirect: "manual" });
  expect(moved.headers.get("location")).toContain("169.254.169.254");
  expect((await fetch(`${exa.url}/images/nothing.jpg`)).status).toBe(404);
});
