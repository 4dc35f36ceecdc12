import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { generateChatSummary } from "#shared/contracts/chat/summaries.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { summarizeChat } from "#worker/conversation/chats/summarize-chat.ts";
import { signIn, visitor } from "#test/support/worker.ts";

const messages = [
  { role: "user" as const, content: "Which lease is cheaper?" },
  { role: "assistant" as const, content: "The second one, by $40 a month." },
];

async function entriesOf(userId: string) {
  return runInDurableObject(env.USER_HUB.getByName(userId), (_, state) => ({
    ledger: state.storage.sql
      .exec<{ what: string; amount_micros: number; is_house: number }>(
        "SELECT what, amount_micros, is_house FROM ledger WHERE what = 'summary'",
      )
      .toArray(),
    reservationCount: state.storage.sql.exec("SELECT 1 FROM reservations").toArray().length,
  }));
}

const DAY = 24 * 60 * 60_000;

afterEach(() => void vi.useRealTimers());

it("a summary is made of the given messages and charged once to who asked", async () => {
  const user = await signIn();
  const before = (await user.take(getUsage, { query: { by: "day" } })).credits;
  const { summary } = await user.take(generateChatSummary, { body: { messages } });
  expect(summary).not.toBe("");
  const { ledger, reservationCount } = await entriesOf(user.user.id);
  expect(ledger).toHaveLength(1);
  expect(ledger[0]).toMatchObject({ is_house: 0 });
  expect(ledger[0]?.amount_micros).toBeLessThan(0);
  expect(reservationCount).toBe(0);
  expect((await user.take(getUsage, { query: { by: "day" } })).credits).toBeLessThan(before);
});

it("a summary of a long conversation is made all the same", async () => {
  const user = await signIn();
  const long = Array.from({ length: 60 }, (_, n) => ({ role: "user" as const, content: `${n} ${"word ".repeat(5_000)}` }));
  expect((await user.take(generateChatSummary, { body: { messages: long } })).summary).not.toBe("");
});

it("a summary is refused without credits, and reserves nothing", async () => {
  const user = await signIn();
  await user.take(getUsage, { query: { by: "day" } });
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) => {
    state.storage.sql.exec("UPDATE ledger SET balance_micros = 0");
  });
  const refused = await user.call(generateChatSummary, { body: { messages } });
  expect(refused).toMatchObject({ status: 402, error: { code: "INSUFFICIENT_CREDITS" } });
  expect(await entriesOf(user.user.id)).toEqual({ ledger: [], reservationCount: 0 });
});

it("a summary counts among a guest's messages, and the house pays", async () => {
  // Far from midnight, where the day that counts them would change under way.
  vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / DAY) + 1.5) * DAY });
  const guest = visitor();
  const { chat } = await guest.take(createChat, { body: {} });
  await guest.take(generateChatSummary, { body: { messages } });
  expect((await entriesOf(chat.user_id)).ledger).toMatchObject([{ is_house: 1 }]);
  const caller = { userId: chat.user_id, displayName: "", sessionId: "", anonymous: true, plan: "none" as const };
  const again = summarizeChat(deploymentWith({ GUEST_MESSAGES_PER_DAY: "1" }), { caller, ip: crypto.randomUUID(), messages });
  await expect(again).rejects.toMatchObject({ code: "GUEST_LIMIT" });
});

it("a summary of nothing is refused", async () => {
  const user = await signIn();
  expect(await user.call(generateChatSummary, { body: { messages: [] } })).toMatchObject({ status: 400 });
});
