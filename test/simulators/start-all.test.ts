import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { startSimulators } from "./start-all.ts";

test("starts what is asked for and closes it", async () => {
  const { simulators, close } = await startSimulators({ google: false, aggregator: { tokensPerSecond: 0 } });
  const { aggregator, google, mailbox } = simulators;
  expect(google).toBeUndefined();
  expect(aggregator?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  const page = `${mailbox?.url}/dev/mailbox`;
  expect((await fetch(page)).status).toBe(200);
  await close();
  await expect(fetch(page)).rejects.toThrow("fetch failed");
});

test("as a process it prints the addresses on one line and ends on SIGTERM", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url)), "mailbox", "aggregator"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = z.tuple([z.string()]).parse(await once(createInterface({ input: child.stdout }), "line"));
  const urls = z.strictObject({ aggregator: z.url(), mailbox: z.url() }).parse(JSON.parse(line));
  expect((await fetch(`${urls.mailbox}/dev/mailbox`)).status).toBe(200);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect((await exit)[0]).toBe(0);
});

test("recorded requests can be read and cleared over HTTP", async () => {
  const { simulators, close } = await startSimulators({ google: false, mailbox: false });
  const url = simulators.aggregator?.url ?? "";
  await fetch(`${url}/models`, { headers: { Authorization: "Bearer secret" } });
  const { origin } = new URL(url);
  expect(await (await fetch(`${origin}/control/requests`)).json()).toMatchObject([
    { method: "GET", path: "/api/v1/models", status: 200, closedEarly: false },
  ]);
  await fetch(`${origin}/control/requests`, { method: "DELETE" });
  expect(simulators.aggregator?.requests()).toEqual([]);
  await close();
});
