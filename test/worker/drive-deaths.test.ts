import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { changeDrive, found, withDrive } from "#test/support/drive.ts";
import type { Person } from "#test/support/worker.ts";
import { listDriveJob, readDriveJob } from "#worker/drive/jobs.ts";
import { driveIndexOf } from "#worker/drive-index/stub.ts";
import type { Env } from "#worker/env.ts";

const FILES = 7;
const idOf = (number: number) => `file-${String(number).padStart(6, "0")}-made-for-tests`;

type Message = { kind: string; [field: string]: unknown };
/** Throws where the Worker ends with this call of an object. */
type Dies = (method: string, args: readonly unknown[]) => void;

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
        return (...args: unknown[]) => {
          dies(String(name), args);
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
    try {
      await job.receive(deployment, message, 1);
    } catch {
      deaths += 1;
      messages.push(message);
    }
  }
  throw new Error("It never ended.");
}

describe("an index whose Worker ends in the middle", () => {
  it("is whole all the same, wherever that happens", async () => {
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

  it("is whole after changes and deletions too", async () => {
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

  it("leaves a file alone that ends it each time, and reads all others", async () => {
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
});
