import { chromium } from "@playwright/test";
import { askFrame, LOUD_WAYS, quietDocuments, SCRIPT_WAYS, showDocuments, STILL_WAYS } from "./fixtures/hostile-documents.ts";
import { listen } from "../support/listener.ts";
import { expect, test } from "./fixtures/test.ts";

test("hostile documents open no connection ahead of a request either", async ({ baseURL, launchOptions }, info) => {
  const connections: string[] = [];
  const listener = await listen(connections, "this machine");
  // A window that forgets everything, as those of tests are, opens none anyway, nor does a browser without windows.
  const context = await chromium.launchPersistentContext(info.outputPath("profile"), {
    executablePath: process.env["E2E_WHOLE_BROWSER"],
    args: launchOptions.args,
    baseURL,
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto("/auth/login");
  const to = `http://127.0.0.1:${listener.port}/`;
  const all = [...LOUD_WAYS, ...STILL_WAYS, ...SCRIPT_WAYS].map((way) => `<!doctype html>${way(to)}`);
  await page.evaluate(showDocuments, { documents: [...all, ...quietDocuments(listener.port)], scripts: false });
  for (let n = 0; n < 3; n += 1) expect(await page.evaluate(askFrame, false)).toContain("null refused refused refused");
  expect(connections).toEqual([]);
  // What a page may say in this way is heard, so all of the above would have been.
  await page.evaluate((href) => document.head.append(Object.assign(document.createElement("link"), { rel: "preconnect", href })), to);
  await expect.poll(() => connections).toContain("this machine: a connection");
  await context.close();
  listener.close();
});
