import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getImport, startImport } from "#shared/contracts/account/imports.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import type { Env } from "#worker/platform/env.ts";
import { importStepJob } from "#worker/account/imports/import-job.ts";
import { plainConversations } from "#test/support/imports/chatgpt-export.ts";
import { importEnd, uploadImport } from "#test/support/imports/upload-import.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

type Message = { importId: string };
/** What happens where storage is read or written: it throws, or takes for ever. */
type Fault = (call: { method: string; key: string; from: number | null }) => Promise<void> | void;

/** The deployment with a storage that fails, whose messages are kept here with the seconds that they wait. */
function failing(fault: Fault) {
  const messages: Message[] = [];
  const waits: number[] = [];
  const send = async (message: Message, { delaySeconds = 0 }: QueueSendOptions = {}) => {
    messages.push(message);
    waits.push(delaySeconds);
  };
  const files = new Proxy(env.FILES, {
    get(target, method) {
      const real: unknown = Reflect.get(target, method);
      if (typeof real !== "function") return real;
      return async (key: string, options?: { range?: { offset?: number } }, ...more: unknown[]): Promise<unknown> => {
        await fault({ method: String(method), key, from: options?.range?.offset ?? null });
        return Reflect.apply(real, target, [key, options, ...more]);
      };
    },
  });
  const deployment: Env = { ...env, FILES: files, READS: new Proxy(env.READS, { get: () => send }) };
  /** Works messages off, at most so many. */
  const workOff = async (first: Message | undefined, most = 100): Promise<void> => {
    let next = first;
    for (let count = 0; next && count < most; count += 1) {
      await importStepJob.receive(deployment, next, 1);
      next = count + 1 < most ? messages.shift() : undefined;
    }
  };
  return { deployment, messages, waits, workOff };
}

/** An import of three conversations that is about to be imported, and where the second begins in its file. */
async function begun(person: Person): Promise<{ id: string; second: number }> {
  const [first, ...others] = plainConversations(3).map((each) => JSON.stringify(each));
  const id = await uploadImport(person, new TextEncoder().encode(`[${[first, ...others].join(",")}]`), { name: "a.json" });
  await env.DB.prepare("UPDATE imports SET state = 'reading' WHERE id = ?").bind(id).run();
  const { messages, deployment } = failing(() => undefined);
  await importStepJob.receive(deployment, { importId: id }, 1);
  expect(messages).toHaveLength(1);
  return { id, second: 2 + (first?.length ?? 0) };
}

const countOf = async (person: Person, id: string) => (await person.take(getImport, { params: { id } })).import;
const LEFT_OUT = [{ kind: "chat", title: "Number 2 in the file", reason: "It could not be imported." }];

it("an import leaves out a conversation that keeps failing, and imports the others", async () => {
  const person = await signIn();
  const { id, second } = await begun(person);
  const { workOff } = failing(({ from }) => {
    if (from === second) throw new Error("This part cannot be read.");
  });
  await workOff({ importId: id });
  const made = await countOf(person, id);
  expect(made).toMatchObject({ state: "done", counts: { chat: { came: 2, here: 0, failed: 1 } }, notes: LEFT_OUT });
  expect((await person.take(listChats, {})).chats.map(({ title }) => title).toSorted()).toEqual(["Conversation 0", "Conversation 2"]);
});

it("an import waits longer and longer while the storage is away, and then leaves nothing out", async () => {
  const person = await signIn();
  const { id } = await begun(person);
  let isAway = true;
  const { messages, waits, workOff } = failing(() => {
    if (isAway) throw new Error("The storage is away.");
  });
  await workOff({ importId: id }, 8);
  expect(waits).toEqual([2, 10, 60, 300, 300, 300, 300, 300]);
  expect(await countOf(person, id)).toMatchObject({ state: "importing", done: 0 });
  isAway = false;
  await workOff(messages.shift());
  expect(await countOf(person, id)).toMatchObject({ state: "done", counts: { chat: { came: 3, here: 0, failed: 0 } }, notes: [] });
});

it("an import stops after an hour and more, says so, and goes on where it was", async () => {
  const person = await signIn();
  const { id } = await begun(person);
  const { messages, waits, workOff } = failing(({ key }) => {
    if (key.startsWith("imports/")) throw new Error("The storage is away.");
  });
  await workOff({ importId: id });
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(60 * 60);
  expect(messages).toEqual([]);
  expect(await countOf(person, id)).toMatchObject({ state: "failed", can_retry: true, notes: [] });
  await person.take(startImport, { params: { id } });
  expect((await importEnd(person, id)).counts.chat).toEqual({ came: 3, here: 0, failed: 0 });
});

it("an import leaves out the conversation that ended the Worker while it was alone, and no other", async () => {
  const person = await signIn();
  const { id, second } = await begun(person);
  const dead = Promise.withResolvers<void>();
  let hasBegun = false;
  const { deployment } = failing(async ({ from }) => {
    if (from !== second) return;
    hasBegun = true;
    await dead.promise;
  });
  const ended = importStepJob.receive(deployment, { importId: id }, 2);
  await until("the second conversation", async () => (hasBegun ? true : null));
  const { workOff, deployment: next } = failing(() => undefined);
  await importStepJob.receive(next, { importId: id }, 3);
  await workOff({ importId: id });
  expect(await countOf(person, id)).toMatchObject({ state: "done", counts: { chat: { came: 2, failed: 1 } }, notes: LEFT_OUT });
  dead.reject(new Error("It is over."));
  await ended;
});

it("an import leaves out none that was never tried alone", async () => {
  const person = await signIn();
  const { id } = await begun(person);
  const { deployment } = failing(() => undefined);
  await importStepJob.receive(deployment, { importId: id }, 3);
  expect(await countOf(person, id)).toMatchObject({ state: "done", counts: { chat: { came: 3, here: 0, failed: 0 } }, notes: [] });
});
