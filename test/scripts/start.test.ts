import { execFile } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it, vi } from "vitest";
import { aggregatorWarning } from "../../scripts/lib/aggregator-check.ts";
import { migrateLocal, openLocalDatabase } from "../../scripts/lib/migrate.ts";
import { inRoot } from "../../scripts/lib/paths.ts";
import { freePort } from "../../scripts/lib/ports.ts";
import { isGoneReader } from "../../scripts/lib/serve.ts";
import { claimState, ownSecrets, persistPath } from "../../scripts/lib/state.ts";
import { readConfig } from "#worker/platform/config/config.ts";
import { startAggregator } from "../simulators/aggregator/server.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Something that listens on a port of its own. */
async function listen(): Promise<number> {
  const server = createServer((_, response) => response.end());
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server has no port.");
  return address.port;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "polylogue-start-"));
}

/** Runs the start command in a child process until it ends, as it must when it cannot start. */
function start(env: Record<string, string>): Promise<{ code: number; message: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [inRoot("scripts/start.ts")], { env: { ...process.env, ...env } }, (error, _, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, message: stderr.trim() });
    });
  });
}

it("npm start says in one sentence that its port is in use", async () => {
  const port = await listen();
  const { code, message } = await start({ PORT: String(port), POLYLOGUE_STATE: await newFolder() });
  expect(code).toBe(1);
  expect(message).toBe(`Port ${port} is in use: stop what listens there, or choose another with \`PORT=${port + 1} npm start\`.`);
});

it("npm start says in one sentence that its port is none", async () => {
  const { code, message } = await start({ PORT: "eighty", POLYLOGUE_STATE: await newFolder() });
  expect(code).toBe(1);
  expect(message).toBe('PORT is "eighty": give a number from 1 to 65535.');
});

it("npm start says in one sentence which variable is broken", async () => {
  const { code, message } = await start({ GUEST_MESSAGES_PER_DAY: "many", POLYLOGUE_STATE: await newFolder() });
  expect(code).toBe(1);
  expect(message).toBe("This deployment is not set up correctly: GUEST_MESSAGES_PER_DAY must be a whole number, 0 or more.");
});

it("npm start refuses the state of a server that runs, and takes it once that one is gone", async () => {
  const folder = await newFolder();
  const running = await listen();
  const release = await claimState(folder, running);
  await expect(claimState(folder, await freePort())).rejects.toThrow(
    /^Polylogue already runs at http:\/\/localhost:\d+ with this state: stop it/,
  );
  await release();
  await (
    await claimState(folder, await freePort())
  )();
});

it("npm start distinguishes a browser that left from an error of the Worker", () => {
  const left = "kj::TaskSet: kj/async-io-unix.c++:1204: disconnected: ::writev(fd, iov, iovcnt): Broken pipe; fd = 36\nstack: 4a6d0";
  expect(isGoneReader({ level: "error", message: left })).toBe(true);
  expect(isGoneReader({ level: "error", message: "Error: disconnected: no" })).toBe(false);
});

it("npm start makes the secrets of its sessions and credentials once", async () => {
  const folder = await newFolder();
  const secrets = await ownSecrets(folder);
  expect(secrets.SESSION_SECRET.length).toBeGreaterThanOrEqual(32);
  expect(readConfig(secrets).credentialKeys).toHaveLength(1);
  expect(await ownSecrets(folder)).toEqual(secrets);
});

it("state that version 0.1 kept is moved aside whole and named, so that the product begins with none; a second one goes beside the first", async () => {
  const folder = await newFolder();
  const old = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)",
    "INSERT INTO d1_migrations (name) VALUES ('0001_users.sql')",
  ];
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  for (const aside of [`${folder}-before-1.0`, `${folder}-before-1.0-2`]) {
    const { database, close } = await openLocalDatabase(persistPath(folder));
    for (const statement of old) await database.exec(statement);
    await close();
    await writeFile(join(folder, "session-secret"), "kept");
    const release = await claimState(folder, await freePort());
    expect(String(printed.mock.calls.at(-1)?.[0])).toContain(`it is in ${aside} now, whole`);
    expect(await readFile(join(aside, "session-secret"), "utf8")).toBe("kept");
    expect(await databaseFiles(aside)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["server.json"]);
    await release();
  }
  expect(await migrateLocal(persistPath(folder))).toBeGreaterThan(0);
  const times = printed.mock.calls.length;
  await (
    await claimState(folder, await freePort())
  )();
  expect(printed).toHaveBeenCalledTimes(times);
});

it("the aggregator is warned about in one sentence when it cannot be reached, or refuses the key", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/v1`;
  expect(await aggregatorWarning({ AGGREGATOR_URL: nobody })).toMatch(
    /^The model aggregator at http:\/\/127\.0\.0\.1:\d+\/v1 does not answer: /,
  );
  const simulator = await startAggregator();
  expect(await aggregatorWarning({ AGGREGATOR_URL: simulator.url })).toMatch(
    / refuses the key in \.dev\.vars: check OPENROUTER_API_KEY\.$/,
  );
  expect(await aggregatorWarning({ AGGREGATOR_URL: simulator.url, OPENROUTER_API_KEY: "key" })).toBeNull();
  await simulator.close();
});

it("the local database is migrated once, and a migration that fails is named", async () => {
  const folder = await newFolder();
  expect(await migrateLocal(folder)).toBeGreaterThan(0);
  expect(await migrateLocal(folder)).toBe(0);
  const [file] = await databaseFiles(folder);
  const database = new DatabaseSync(file ?? "");
  database.exec("DELETE FROM d1_migrations WHERE name = '0001_baseline.sql'");
  database.close();
  await expect(migrateLocal(folder)).rejects.toThrow(
    /^The migration migrations\/0001_baseline\.sql failed and left the local database as it was: .*already exists/,
  );
});

async function databaseFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob("**/*.sqlite", { cwd: folder })) if (!file.includes("metadata")) files.push(join(folder, file));
  return files;
}
