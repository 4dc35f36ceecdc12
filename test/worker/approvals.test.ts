import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import { deleteChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { APPROVAL_DAYS } from "#shared/limits.ts";
import { getUser, updateUser } from "#shared/contracts/account/users.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply, startChat, textOf } from "#test/support/replies.ts";
import { share, startSharedChat } from "#test/support/shared-chat.ts";
import { addTestTools, ran, released, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

const DAY = 24 * 60 * 60_000;

addTestTools();

beforeEach(() => {
  ran.length = 0;
  released.clear();
});

afterEach(() => void vi.useRealTimers());

async function person() {
  const user = await signIn();
  await switchOnTestTools(user);
  return user;
}

async function waitingOf(client: Client) {
  return client.take(listApprovals, {});
}

async function untilWaiting(client: Client, count: number) {
  await until(`${count} calls that wait`, async () => (await waitingOf(client)).count === count);
  return waitingOf(client);
}

async function lastReply(client: Client, chatId: string) {
  return (await client.take(listMessages, { params: { id: chatId } })).messages.at(-1);
}

it("what waits for a person's word waits as many days as the person chose", async () => {
  const user = await person();
  expect((await user.take(updateUser, { body: { approval_days: 2 } })).user.approval_days).toBe(2);
  expect((await user.call(updateUser, { body: { approval_days: 0 } })).status).toBe(400);
  await startChat(user, 'call testSend {"name":"Ann"}\nthen\nsay Sent.');
  const { approvals } = await untilWaiting(user, 1);
  expect(Date.parse(approvals[0]?.expires_at ?? "") - Date.parse(approvals[0]?.since ?? "")).toBe(2 * DAY);
});

it("what waits for a person's word stands in one list over all chats, newest first and paged, and in the list's count", async () => {
  const user = await person();
  const first = await startChat(user, 'call testSend {"name":"Ann"}\nthen\nsay Sent.');
  await untilWaiting(user, 1);
  const second = await startChat(user, 'call testSend {"name":"Bo"}\ncall testSend {"name":"Cy"}\nthen\nsay Sent.');
  const { approvals, nextCursor } = await untilWaiting(user, 3);
  expect(nextCursor).toBeNull();
  expect(approvals[2]).toMatchObject({
    chat: { id: first.chatId, title: expect.any(String) },
    message_id: first.replyId,
    call: { tool: "testSend", input: { name: "Ann" }, status: "waiting", approval: { user: { id: user.user.id }, decision: null } },
  });
  expect(new Set(approvals.slice(0, 2).map(({ chat }) => chat.id))).toEqual(new Set([second.chatId]));
  for (const { since, expires_at: expiry } of approvals) expect(Date.parse(expiry ?? "") - Date.parse(since)).toBe(APPROVAL_DAYS * DAY);
  expect((await user.take(getUser, {})).user.approval_days).toBe(APPROVAL_DAYS);
  expect((await user.take(listChats, {})).waitingCount).toBe(3);

  const page = await user.take(listApprovals, { query: { limit: 2 } });
  expect([page.approvals.length, page.count]).toEqual([2, 3]);
  const rest = await user.take(listApprovals, { query: { limit: 2, cursor: page.nextCursor ?? "" } });
  expect([...page.approvals, ...rest.approvals]).toEqual(approvals);
  expect(rest.nextCursor).toBeNull();
});

it("what waits for a person's word is shown to the one whose turn it is, and to nobody else in a shared chat", async () => {
  const { owner, chatId, replyId, as } = await startSharedChat(["editor", "viewer"]);
  await switchOnTestTools(as("editor"));
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: 'call testSend {"name":"Di"}', model_id: CHEAP_MODEL };
  await as("editor").take(sendMessage, { params: { id: chatId }, body });
  const { approvals } = await untilWaiting(as("editor"), 1);
  await until("the owner's row", async () => (await owner.take(listChats, {})).chats.some(({ isWaiting }) => isWaiting));
  for (const other of [owner, as("viewer")])
    expect(await waitingOf(other)).toEqual({ approvals: [], mails: [], answers: [], count: 0, nextCursor: null });

  const decision = { params: { id: chatId, callId: approvals[0]?.call.id ?? "" }, body: { decision: "approve" as const } };
  expect((await owner.call(decideToolCall, decision)).status).toBe(403);
  expect(ran).toEqual([]);
  expect((await waitingOf(as("editor"))).count).toBe(1);
});

it("what waits for a person's word goes from every tab at once with a word given anywhere, which counts once", async () => {
  const user = await person();
  const { chatId, replyId } = await startChat(user, 'call testSend {"name":"Ed"}\nthen\nsay Sent.');
  const { approvals } = await untilWaiting(user, 1);
  const [tab, other] = [await openTab(user), await openTab(user)];
  const params = { id: chatId, callId: approvals[0]?.call.id ?? "" };
  const answers = await Promise.all(
    (["approve", "discard"] as const).map((decision) => user.call(decideToolCall, { params, body: { decision } })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  for (const { events } of [tab, other]) {
    await until("the news", async () => events.some((event) => event.type === "approvals.changed" && event.count === 0));
  }
  expect(await untilWaiting(user, 0)).toEqual({ approvals: [], mails: [], answers: [], count: 0, nextCursor: null });
  await readReply(user, { chatId, replyId });
  expect(ran.length).toBeLessThanOrEqual(1);
});

it.each(["stopped", "deleted"] as const)("what waits for a person's word is gone with a turn that is %s", async (how) => {
  const user = await person();
  const { chatId } = await startChat(user, 'call testSend {"name":"Fay"}');
  await untilWaiting(user, 1);
  if (how === "stopped") await user.take(stopReply, { params: { id: chatId } });
  else await user.take(deleteChat, { params: { id: chatId } });
  await untilWaiting(user, 0);
  expect(ran).toEqual([]);
});

it("what waits for a person's word stays with the person who is still asked when others of the chat come and go", async () => {
  const user = await person();
  const { chatId } = await startChat(user, 'call testSend {"name":"Gus"}');
  await untilWaiting(user, 1);
  const guest = await signIn();
  await share(user, chatId, guest.email, "editor");
  await until("the shared chat", async () => (await guest.take(listChats, {})).chats.some(({ id }) => id === chatId));
  expect([(await waitingOf(user)).count, (await waitingOf(guest)).count]).toEqual([1, 0]);
});

it("a call that nobody decides about is discarded after a week and not before, its reply says so, and a later word comes too late", async () => {
  const user = await person();
  const { chatId, replyId } = await startChat(user, 'call testSend {"name":"Hal"}\nthen\nsay It expired.');
  const { approvals } = await untilWaiting(user, 1);
  const room = env.CHAT_ROOM.getByName(chatId);
  const begun = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: begun + APPROVAL_DAYS * DAY - 60_000 });
  await runDurableObjectAlarm(room);
  expect((await lastReply(user, chatId))?.status).toBe("waiting");
  expect(await runInDurableObject(room, (_, { storage }) => storage.getAlarm())).toBe(Date.parse(approvals[0]?.expires_at ?? ""));
  vi.setSystemTime(begun + APPROVAL_DAYS * DAY + 60_000);
  await runDurableObjectAlarm(room);
  vi.useRealTimers();
  expect(textOf(await readReply(user, { chatId, replyId }))).toBe("It expired.");
  const reply = await lastReply(user, chatId);
  expect(reply?.tool_calls).toMatchObject([
    { status: "discarded", approval: { decision: "discard", isExpired: true }, output: expect.stringContaining("Nobody decided") },
  ]);
  expect(ran).toEqual([]);
  await untilWaiting(user, 0);
  const params = { id: chatId, callId: approvals[0]?.call.id ?? "" };
  const late = await user.call(decideToolCall, { params, body: { decision: "approve" } });
  expect(late.status).toBe(409);
  expect(ran).toEqual([]);
});
