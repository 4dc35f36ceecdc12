import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getSession, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { search } from "#shared/contracts/search.ts";
import { newestCode } from "#test/support/mailbox.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { countTrips, type Far, type Trips } from "#test/support/round-trips.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, signIn, signInByMail, visit, visitor } from "#test/support/worker.ts";

/** How far away the benchmark has what is far. */
const FAR_MS = Number(env.TEST_FAR_MS);

/** Each path's first way: what only the first request of an isolate does is done. */
type Path = { name: string; most: Record<Far, number>; prepare: () => Promise<() => Promise<unknown>> };

const chatAtRest = async (user: Person) => {
  const chat = await startChatAndRead(user, "say The first answer.");
  await until("the title", async () => (await user.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  return chat;
};

const message = (parentId: string | null, modelId?: string) => ({
  id: crypto.randomUUID(),
  parent_id: parentId,
  content: "say Short.",
  ...(modelId !== undefined && { model_id: modelId }),
});

const later = async (modelId?: string) => {
  const user = await signIn();
  const { chatId, replyId } = await chatAtRest(user);
  const params = { id: chatId };
  const second = await user.take(sendMessage, { params, body: message(replyId, modelId) });
  await readReply(user, { chatId, replyId: second.replyId });
  const body = message(second.replyId, modelId);
  return () => user.take(sendMessage, { params, body });
};

const signingIn = async (email: string) => {
  const browser = visitor();
  await browser.take(startEmailSignIn, { body: { email } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  return () => browser.take(verifyEmailSignIn, { body: { email, code } });
};

const PATHS: Path[] = [
  {
    name: "document",
    most: { d1: 0, objects: 0 },
    prepare: async () => {
      await visit("/");
      return () => visit("/");
    },
  },
  {
    name: "session",
    most: { d1: 1, objects: 1 },
    prepare: async () => {
      const user = await signIn();
      return () => user.take(getSession, {});
    },
  },
  {
    name: "list",
    most: { d1: 1, objects: 1 },
    prepare: async () => {
      const user = await signIn();
      await chatAtRest(user);
      return () => user.take(listChats, {});
    },
  },
  {
    name: "chat and its messages",
    most: { d1: 1, objects: 1 },
    prepare: async () => {
      const user = await signIn();
      const params = { id: (await chatAtRest(user)).chatId };
      return () => Promise.all([user.take(getChat, { params }), user.take(listMessages, { params })]);
    },
  },
  {
    name: "first message",
    most: { d1: 2, objects: 3 },
    prepare: async () => {
      const user = await signIn();
      await chatAtRest(user);
      const params = { id: crypto.randomUUID() };
      return () => user.take(sendMessage, { params, body: message(null, CHEAP_MODEL) });
    },
  },
  { name: "later message", most: { d1: 0, objects: 2 }, prepare: () => later(CHEAP_MODEL) },
  { name: "later message by a program that names no model", most: { d1: 1, objects: 3 }, prepare: () => later() },
  {
    name: "search",
    most: { d1: 1, objects: 2 },
    prepare: async () => {
      const user = await signIn();
      await chatAtRest(user);
      const query = { q: "answer" };
      await user.take(search, { query });
      return () => user.take(search, { query });
    },
  },
  { name: "sign-in of a newcomer", most: { d1: 3, objects: 5 }, prepare: () => signingIn(newAddress()) },
  // The last one, as its mail about a new browser is sent behind whatever comes then.
  {
    name: "sign-in",
    most: { d1: 3, objects: 5 },
    prepare: async () => {
      const { email } = await signInByMail(visitor(), newAddress());
      return signingIn(email);
    },
  },
];

it.each(PATHS)("'$name' waits for no more round trips than it must", async ({ most, prepare }) => {
  const { d1, objects, calls } = await countTrips(await prepare());
  expect({ d1, objects, calls }).toEqual({ d1: most.d1, objects: most.objects, calls });
});

const DISTANCES: [string, Record<Far, number>][] = [
  ["D1", { d1: FAR_MS, objects: 0 }],
  ["objects", { d1: 0, objects: FAR_MS }],
  ["both", { d1: FAR_MS, objects: FAR_MS }],
];

it.runIf(FAR_MS > 0).each(PATHS)("'$name' is measured from far away", async ({ name, prepare }) => {
  for (const [what, ms] of DISTANCES) {
    const run = await prepare();
    const trips: Trips = await countTrips(run, ms);
    // The benchmark reads this line.
    // oxlint-disable-next-line no-console
    console.log(`far ${JSON.stringify({ name, what, ...trips })}`);
    expect(trips.ms).toBeGreaterThanOrEqual(Math.max(trips.d1 * ms.d1, trips.objects * ms.objects));
  }
});
