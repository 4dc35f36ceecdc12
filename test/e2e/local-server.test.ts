import { newestCode } from "../support/mailbox.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

test("the local mailbox shows a mailed code as a page and as JSON", async ({ page, request, baseURL }) => {
  const email = newAddress();
  const sent = await request.post("/api/auth/email/start", { data: { email }, headers: { origin: baseURL ?? "" } });
  expect(sent.status()).toBe(200);
  const code = await newestCode(baseURL ?? "", email);
  expect(code).toMatch(/^\d{6}$/);
  await page.goto("/dev/mailbox");
  await expect(page.getByText(email).first()).toBeVisible();
});

test("the handlers of cron and mail can be reached as on earlier versions of the platform", async ({ request }) => {
  expect((await request.get("/cdn-cgi/handler/scheduled?cron=0+3+*+*+*")).status()).toBe(200);
});

test("files that pass no Worker hold browsers to https as pages do, and stand in no frame", async ({ page, request }) => {
  await page.goto("/");
  const script = await page.locator("script[type=module][src]").first().getAttribute("src");
  const { "strict-transport-security": held, "cache-control": kept } = (await request.get(script ?? "")).headers();
  expect([held, kept]).toEqual(["max-age=31536000; includeSubDomains", "public, max-age=31536000, immutable"]);
  for (const path of [script ?? "", "/sw.js"])
    expect((await request.get(path)).headers()["content-security-policy"], path).toContain("frame-ancestors 'none'");
});
