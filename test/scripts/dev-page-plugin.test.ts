import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { devPagePlugin } from "../../scripts/lib/dev-page-plugin.ts";
import { startMailbox } from "../simulators/mailbox/server.ts";

test("the development server shows the mailbox, and its own page at every other address", async () => {
  const root = await mkdtemp(join(tmpdir(), "polylogue-dev-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "index.html"), "<!doctype html><title>The product</title>");
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.close());
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
    plugins: [devPagePlugin("/dev/mailbox", mailbox.url)],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const [url = ""] = server.resolvedUrls?.local ?? [];

  await fetch(`${mailbox.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_test", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.org", to: ["ada@example.org"], subject: "A proof", text: "Text." }),
  });
  const html = { accept: "text/html" };
  const page = await fetch(`${url}dev/mailbox?to=ada@example.org`, { headers: html });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("A proof")]);
  const json = await fetch(`${url}dev/mailbox?to=nobody@example.org`, { headers: { accept: "application/json" } });
  expect(await json.json()).toEqual([]);
  expect(await (await fetch(`${url}dev/mailboxes`, { headers: html })).text()).toContain("The product");
});
