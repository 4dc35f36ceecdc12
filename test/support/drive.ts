import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import * as z from "zod/mini";
import { getDriveIndex, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import { connectGoogle } from "./google.ts";
import { until } from "./until.ts";
import { type Person, signIn } from "./worker.ts";

type Given = {
  id?: string;
  name: string;
  mimeType: string;
  text?: string;
  parents?: string[];
  bytes?: number | null;
  trashed?: boolean;
} & {
  resourceKey?: string | null;
  canDownload?: boolean;
  isUnlisted?: boolean;
  modifiedTime?: string;
  shortcut?: { targetId: string; targetMimeType: string; targetResourceKey?: string | null };
};
type Fault = {
  status: number;
  reason: string;
  retryAfter?: number | null;
  times: number;
  on?: "all" | "list" | "file" | "export" | "bytes" | "changes";
  file?: string;
};

const Changed = z.object({ files: z.number(), asked: z.object({ list: z.number(), file: z.number(), changes: z.number() }) });

/** Changes what is in a person's Drive, or how it answers; answers what is there, and how often each kind of question was asked. */
export async function changeDrive(
  email: string,
  change: { files?: number; put?: Given[]; remove?: string[]; forgetChanges?: boolean; fault?: Fault | null },
): Promise<z.infer<typeof Changed>> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email, ...change }) };
  const response = await fetch(`${env.GOOGLE_SIMULATOR}/control/drive`, init);
  if (!response.ok) throw new Error(`The simulator refused: ${await response.text()}`);
  return Changed.parse(await response.json());
}

/** Someone who connected a Drive of so many made files. */
export async function withDrive(files: number): Promise<Person> {
  const person = await signIn();
  await changeDrive(person.email, { files });
  await connectGoogle(person);
  return person;
}

/** How a person's index stands once no run goes on. */
export async function settledIndex(person: Person): Promise<DriveIndexStatus> {
  // A stub asks nothing more once its object ended.
  const state = () => env.DRIVE_INDEX.getByName(person.user.id).state();
  await until("the Drive to be indexed", async () => ((await state())?.finishedAt ?? null) !== null, 55_000);
  return person.take(getDriveIndex, {});
}

/** Indexes a person's Drive to its end. */
export async function indexed(person: Person): Promise<DriveIndexStatus> {
  await person.take(startDriveIndex, {});
  return settledIndex(person);
}

/** The names of the indexes that hold a person's passages. */
export function shards(person: Person): string[] {
  return [0, 1, 2, 3].map((number) => `drive:${person.user.id}:${number}`);
}

/** The ids of the files where something can be found. */
export async function found(person: Person): Promise<string[]> {
  const states = await Promise.all(shards(person).map((name) => env.PASSAGES.getByName(name).describe()));
  return states.flatMap(({ documents }) => documents.map(({ id }) => id)).toSorted();
}

/** All that the objects of a person's Drive hold, by the names of their tables. */
export async function tableNames(person: Person): Promise<string[]> {
  const names = (_: unknown, { storage }: DurableObjectState) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray()
      .map(({ name }) => name);
  const own = await runInDurableObject(env.DRIVE_INDEX.getByName(person.user.id), names);
  const of = await Promise.all(shards(person).map((name) => runInDurableObject(env.PASSAGES.getByName(name), names)));
  return [...own, ...of.flat()];
}

/** Ends the object of a person's index, as a deployment or a fault does, and lets its alarm come with all that is due later due now. */
export async function wakeIndex(person: Person, stillSince = 0): Promise<void> {
  const stub = env.DRIVE_INDEX.getByName(person.user.id);
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE due_work SET due_at = 1");
    storage.sql.exec("UPDATE run SET progress_at = ?, wait_until = 0", stillSince);
  });
  await evictDurableObject(stub);
  await runDurableObjectAlarm(stub);
}
