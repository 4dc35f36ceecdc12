import { expect, it } from "vitest";
import { ErrorBody } from "#shared/errors.ts";
import { signIn, visit } from "#test/support/worker.ts";

const OPENED = { headers: { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" } };
const NO_FILE = `/api/user-contexts/${crypto.randomUUID()}/files/${crypto.randomUUID()}`;

it("a file that is not there says so as a page to whoever opened it, and as JSON to a call", async () => {
  const client = await signIn();
  const page = await client.fetch(NO_FILE, OPENED);
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const html = await page.text();
  expect(html).toContain("<h1>File not found or access denied</h1>");
  expect(html).toContain('<a href="/">');
  expect(html).not.toContain("Sign in");
  const called = await client.fetch(NO_FILE);
  expect(ErrorBody.parse(await called.json()).error).toBe("File not found or access denied");
});

it("an address that is no file's is called so", async () => {
  const client = await signIn();
  const page = await client.fetch(`/api/user-contexts/x/files/${crypto.randomUUID()}`, OPENED);
  expect(page.status).toBe(400);
  expect(await page.text()).toContain("<h1>Invalid file URL format</h1>");
});

it("whoever's session is over finds the way to sign in on the page", async () => {
  const page = await visit("/api/usage.csv", OPENED);
  expect(page.status).toBe(401);
  const html = await page.text();
  expect(html).toContain("<h1>Please sign in.</h1>");
  expect(html).toContain('href="/auth/login?returnUrl=%2F"');
});
