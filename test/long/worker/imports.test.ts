import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { getImport } from "#shared/contracts/account/imports.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import type { Env } from "#worker/platform/env.ts";
import { importStepJob } from "#worker/account/imports/import-job.ts";
import { plainConversations } from "#test/support/imports/chatgpt-export.ts";
import { uploadImport } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { signIn } from "#test/support/worker.ts";

/** More than one message brings. */
const CHATS = inject("longSeed") === null ? 40 : 3_000;
/** What one invocation of a Worker may ask of other services. */
const ASKS_A_MESSAGE = 1_000;

/** The deployment with its database, storage and objects counted as a message asks them, and the messages that it sends. */
function counted() {
  const seen = { asks: 0 };
  const messages: { importId: string }[] = [];
  /** Calls of a method of one of these names count, however deep in what is answered it stands. */
  const counting = <T extends object>(target: T, asks: readonly string[]): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== "function") return value;
        if (asks.includes(String(name))) seen.asks += 1;
        return (...args: unknown[]): unknown => Reflect.apply(value, of, args);
      },
    });
  const objects = <T extends object>(namespace: T): T => counting(namespace, ["getByName", "get"]);
  const send = async (message: { importId: string }) => void messages.push(message);
  const deployment: Env = {
    ...env,
    DB: counting(env.DB, ["prepare"]),
    FILES: counting(env.FILES, ["get", "put", "head", "delete", "list"]),
    CHAT_ROOM: objects(env.CHAT_ROOM),
    USER_HUB: objects(env.USER_HUB),
    READS: new Proxy(env.READS, { get: () => send }),
  };
  return { seen, messages, deployment };
}

it("an import of many chats stays within the limits of a queue message, and imports each chat once", async () => {
  const person = await signIn();
  const id = await uploadImport(person, await zipOf({ "conversations.json": JSON.stringify(plainConversations(CHATS)) }));
  await env.DB.prepare("UPDATE imports SET state = 'reading' WHERE id = ?").bind(id).run();
  const { seen, messages, deployment } = counted();
  const asks: number[] = [];
  for (let next: { importId: string } | undefined = { importId: id }; next; next = messages.shift()) {
    seen.asks = 0;
    await importStepJob.receive(deployment, next, 1);
    asks.push(seen.asks);
  }
  const { import: made } = await person.take(getImport, { params: { id } });
  expect(made).toMatchObject({ state: "done", items: CHATS, counts: { chat: { came: CHATS, here: 0, failed: 0 } }, notes: [] });
  expect(Math.max(...asks)).toBeLessThan(ASKS_A_MESSAGE);
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await person.take(listChats, { query: { limit: 100, ...(cursor !== undefined && { cursor }) } });
    for (const chat of page.chats) ids.add(chat.id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(ids.size).toBe(CHATS);
});
