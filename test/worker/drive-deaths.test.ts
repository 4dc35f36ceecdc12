import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { getDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { changeDrive, found, withDrive } from "#test/support/drive.ts";
import type { Person } from "#test/support/worker.ts";
import { forgetDrive } from "#worker/integrations/google/drive/forget-drive.ts";
import { listDriveJob, readDriveJob } from "#worker/integrations/google/drive/jobs.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import type { Env } from "#worker/platform/env.ts";

const FILES = 7;
const idOf = (number: number) => `file-${String(number).padStart(6, "0")}-made-for-tests`;

type Message = { kind: string; [field: string]: unknown };
/** What happens before this call of an object; throws where the Worker ends with it. */
type Dies = (method: string, args: readonly unknown[]) => void | Promise<void>;

/** The tests' deployment with a queue that is worked off by hand, which ends where `dies` says so. */
function mortal(messages: Message[], dies: Dies): Env {
  const stubs = <N extends object>(namespace: N, get: (name: string) => object): N =>
    new Proxy(namespace, {
      get: (target, name) => (name === "getByName" ? (id: string) => calls(get(id)) : Reflect.get(target, name)),
    });
  const calls = <S extends object>(stub: S): S =>
    new Proxy(stub, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...args: unknown[]): Promise<unknown> => {
          await dies(String(name), args);
          return Reflect.apply(method, target, args);
        };
      },
    });
  const queue = new Proxy(env.READS, {
    get: (target, name) => (name === "send" ? async (message: Message) => void messages.push(message) : Reflect.get(target, name)),
  });
  return {
    ...env,
    READS: queue,
    DRIVE_INDEX: stubs(env.DRIVE_INDEX, (name) => env.DRIVE_INDEX.getByName(name)),
    PASSAGES: stubs(env.PASSAGES, (name) => env.PASSAGES.getByName(name)),
  };
}

/** Changes how a person's run stands. */
function changeRun(person: Person, change: string): Promise<unknown> {
  return runInDurableObject(env.DRIVE_INDEX.getByName(person.user.id), (_, { storage }) =>
    storage.sql.exec(`UPDATE run SET ${change}`).toArray(),
  );
}

/** Begins a run with everything listed; returns the messages of its readers. */
async function listed(person: Person, dies: Dies = () => undefined): Promise<{ run: string; messages: Message[]; deployment: Env }> {
  const userId = person.user.id;
  const { run } = await driveIndexOf(env, userId).begin({ userId, isAsked: false });
  const messages: Message[] = [];
  const deployment = mortal(messages, dies);
  await listDriveJob.receive(deployment, { userId, run }, 1);
  return { run, messages, deployment };
}

/** Works a person's index off message by message; one whose Worker ended comes again. Answers how often that happened. */
async function workOff(person: Person, dies: Dies): Promise<number> {
  const userId = person.user.id;
  const { run } = await driveIndexOf(env, userId).begin({ userId, isAsked: false });
  const messages: Message[] = [{ kind: listDriveJob.kind, userId, run }];
  const deployment = mortal(messages, dies);
  let deaths = 0;
  for (let worked = 0; worked < 200; worked += 1) {
    const message = messages.shift();
    if (!message) return deaths;
    const job = message.kind === listDriveJob.kind ? listDriveJob : readDriveJob;
    // The time passes for which Drive wants to be left alone.
    await changeRun(person, "wait_until = 0");
    try {
      await job.receive(deployment, message, 1);
    } catch {
      deaths += 1;
      messages.push(message);
    }
  }
  throw new Error("It never ended.");
}

it("an index whose Worker ends in the middle is whole all the same, wherever that happens", async () => {
  const ends = Array.from({ length: 11 }, (_, at) => at * 4);
  let deaths = 0;
  for (const end of ends) {
    const person = await withDrive(FILES);
    let calls = 0;
    deaths += await workOff(person, () => {
      calls += 1;
      if (calls === end + 1) throw new Error("The Worker ended.");
    });
    expect(await person.take(getDriveIndex, {}), `after call ${end}`).toMatchObject({
      status: "completed",
      indexedFiles: FILES,
      errors: [],
    });
    expect(await found(person)).toHaveLength(FILES);
  }
  expect(deaths).toBe(ends.length);
});

it("an index whose Worker ends in the middle is whole after changes and deletions too", async () => {
  const person = await withDrive(FILES);
  await workOff(person, () => undefined);
  for (const end of [2, 5, 8, 11]) {
    const number = end % FILES;
    await changeDrive(person.email, {
      remove: [idOf(number)],
      put: [{ id: `new-after-${end}`, name: `New ${end}.txt`, mimeType: "text/plain", text: `Words of ${end}` }],
    });
    let calls = 0;
    await workOff(person, () => {
      calls += 1;
      if (calls === end) throw new Error("The Worker ended.");
    });
    const files = await found(person);
    expect(files).toContain(`new-after-${end}`);
    expect(files).not.toContain(idOf(number));
  }
});

it("an index whose Worker ends in the middle leaves a file alone that ends it each time, and reads all others", async () => {
  const person = await withDrive(FILES);
  const deaths = await workOff(person, (method, args) => {
    if (method === "begin" && JSON.stringify(args).includes(idOf(3))) throw new Error("The Worker ended.");
  });
  expect(deaths).toBe(2);
  expect(await person.take(getDriveIndex, {})).toMatchObject({
    status: "completed",
    indexedFiles: FILES - 1,
    errors: [{ fileName: "Notes on alder-3.pdf", error: "This file could not be read." }],
  });
});

it("an index whose Drive fails leaves a file alone that is never given, and reads all others first", async () => {
  const person = await withDrive(FILES);
  const fault = { status: 500, reason: "internalError", times: 1_000, on: "file", file: idOf(0) } as const;
  await changeDrive(person.email, { fault });
  await workOff(person, () => undefined);
  expect(await person.take(getDriveIndex, {})).toMatchObject({
    status: "completed",
    indexedFiles: FILES - 1,
    errors: [{ error: "Google Drive could not answer." }],
  });
  expect(await found(person)).not.toContain(idOf(0));
  // The next run asks for it again.
  await changeDrive(person.email, { fault: null });
  await workOff(person, () => undefined);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "completed", indexedFiles: FILES, errors: [] });
});

it("an index whose Drive fails holds nothing against files where it is asked too often", async () => {
  const person = await withDrive(1);
  await changeDrive(person.email, { fault: { status: 429, reason: "rateLimitExceeded", times: 20, on: "file" } });
  await workOff(person, () => undefined);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "completed", indexedFiles: 1, errors: [] });
});

it("an index whose Drive fails says so once it could not be listed for a day", async () => {
  const person = await withDrive(1);
  await changeDrive(person.email, { fault: { status: 503, reason: "backendError", times: 1_000, on: "list" } });
  const { run, messages, deployment } = await listed(person);
  expect(messages).toHaveLength(1);
  await changeRun(person, `progress_at = ${Date.now() - 25 * 60 * 60_000}`);
  await listDriveJob.receive(deployment, { userId: person.user.id, run }, 1);
  expect(messages).toHaveLength(1);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "error", message: "Google Drive could not answer." });
});

it("readers of one index leave each other's files alone where a message comes twice at once", async () => {
  const person = await withDrive(FILES);
  let twin: (() => Promise<void>) | null = null;
  const { messages, deployment } = await listed(person, async (method) => {
    const meanwhile = method === "finish" ? twin : null;
    if (!meanwhile) return;
    twin = null;
    await meanwhile();
  });
  const [message] = messages.splice(0);
  twin = () => readDriveJob.receive(deployment, message, 1);
  await readDriveJob.receive(deployment, message, 1);
  // One of them goes on.
  expect(messages).toHaveLength(1);
  for (let next = messages.shift(); next; next = messages.shift()) await readDriveJob.receive(deployment, next, 1);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "completed", indexedFiles: FILES, errors: [] });
  expect(await found(person)).toHaveLength(FILES);
});

it("readers of one index are one a lane, however many messages there are", async () => {
  const person = await withDrive(FILES);
  const { run } = await listed(person);
  const index = driveIndexOf(env, person.user.id);
  const claim = (token: string) => index.claim(run, { lane: 0, token, limit: 48 });
  const first = await claim("first");
  expect(first.files).toHaveLength(FILES);
  expect(await claim("another")).toEqual({ files: [], waitMs: 0, claim: null });
  const next = await index.pass(run, { lane: 0, claim: first.claim ?? "" }, 0);
  expect((await claim("another")).claim).toBeNull();
  const second = await claim(next ?? "");
  expect(second.files).toHaveLength(FILES);
  expect((await claim("first")).claim).toBeNull();
  expect(await index.settle(run, { lane: 0, claim: first.claim ?? "" }, [{ id: idOf(0), version: "", as: "failed", reason: "No" }])).toBe(
    false,
  );
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "running", errors: [] });
});

it("readers of one index leave nothing behind of an account that was disconnected, where another one is indexed since", async () => {
  const person = await withDrive(FILES);
  const userId = person.user.id;
  let isConnected = true;
  const { messages, deployment } = await listed(person, async (_, args) => {
    if (!isConnected || !JSON.stringify(args).includes("ownerId")) return;
    isConnected = false;
    await forgetDrive({ env, userId });
    await driveIndexOf(env, userId).begin({ userId, isAsked: false });
  });
  await readDriveJob.receive(deployment, messages[0], 1);
  expect(isConnected).toBe(false);
  expect(await found(person)).toEqual([]);
});
