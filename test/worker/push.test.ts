import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signOut } from "#shared/contracts/account/auth.ts";
import { changePushKinds, deletePushDevice, getPush, putPushDevice, testPushDevice } from "#shared/contracts/account/push.ts";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { failPushes, pushesTo, type Receiver, subscribed, unsubscribe } from "#test/support/push.ts";
import { startChat, startChatAndRead } from "#test/support/replies.ts";
import { listedRow } from "#test/support/seed-list.ts";
import { share } from "#test/support/shared-chat.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { addTestTools, released, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, signIn, signInByMail, visitor } from "#test/support/worker.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";

const MINUTE = 60_000;

addTestTools();

beforeEach(() => released.clear());
afterEach(() => void vi.useRealTimers());

const hubOf = ({ user }: Pick<Person, "user">) => env.USER_HUB.getByName(user.id);
const bodyOf = ({ endpoint, p256dh, auth }: Receiver) => ({ endpoint, p256dh, auth });

/** Somebody whose browser is notified by push. */
async function withDevice(client?: Person): Promise<{ person: Person; device: Receiver; id: string }> {
  const person = client ?? (await signIn());
  const { publicKey } = await person.take(getPush, {});
  const device = await subscribed(env.PUSH_SIMULATOR, publicKey);
  const added = await person.take(putPushDevice, { body: bodyOf(device) });
  return { person, device, id: added.device.id };
}

/** Wakes a person's hub as if so much time had passed. */
async function pass(person: Person, ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  try {
    await runDurableObjectAlarm(hubOf(person));
  } finally {
    vi.useRealTimers();
  }
}

/** Has a person look at a chat, or at the product with null. */
async function look(person: Person, what: { chatId: string | null; visible?: boolean; opened?: boolean }): Promise<void> {
  await hubOf(person).look({ sessionId: "a tab", displayName: "" }, { visible: true, typing: false, opened: false, ...what });
}

const read = async (device: Receiver) => (await pushesTo(env.PUSH_SIMULATOR, device)).messages;
const asked = async (device: Receiver) => (await pushesTo(env.PUSH_SIMULATOR, device)).sent;

/** Waits for so many pushes, and answers the last. */
async function pushed(device: Receiver, number = 1) {
  await until("the push", async () => (await read(device)).length >= number);
  const messages = await read(device);
  expect(messages).toHaveLength(number);
  return messages.at(-1);
}

/** A chat of a person's own whose room reports replies that ended. */
function ownChat(person: Person) {
  const id = crypto.randomUUID();
  let version = 0;
  return {
    id,
    async reply(replyId: string = crypto.randomUUID()) {
      version += 1;
      const row = listedRow(person.user.id, { id, at: new Date().toISOString(), row: { activity: { seq: version, by: null } } });
      await hubOf(person).receive({ row, version, updates: [{ type: "reply.ended", replyId, doneFor: person.user.id }], charges: [] });
    },
  };
}

it("a push to who is away says that a reply is ready, encrypted to the device, signed, and once", async () => {
  const { person, device } = await withDevice();
  const { chatId } = await startChatAndRead(person, "say Lanterns beside water.");
  const push = await pushed(device);
  expect(push).toMatchObject({ ttl: 8 * 60 * 60, urgency: "normal", topic: expect.stringMatching(/^[\w-]{32}$/) });
  expect(push?.content).toMatchObject({ kind: "reply", tag: chatId, path: `/c/${chatId}`, body: "Lanterns beside water.", unread: 1 });
  expect(push?.bytes).toBeLessThan(3_000);
  await pass(person, 3 * MINUTE);
  expect(await asked(device)).toBe(1);
});

it("a push to who is away does not come to who looks at the chat, and waits for who looks at another", async () => {
  const { person, device } = await withDevice();
  await look(person, { chatId: null });
  const { chatId } = await startChatAndRead(person, "say Watched.");
  await look(person, { chatId, opened: true });
  await until("read", async () => (await hubOf(person).find(chatId))?.isRead === true);
  const seen = ownChat(person);
  await seen.reply();
  const missed = ownChat(person);
  await missed.reply();
  await pass(person, MINUTE);
  expect(await asked(device)).toBe(0);
  await hubOf(person).mark(seen.id, { isRead: true });
  await look(person, { chatId, visible: false });
  await pass(person, 3 * MINUTE);
  expect((await pushed(device))?.content.tag).toBe(missed.id);
});

it("a push to who is away gives way to a newer one of the same chat, which has its topic", async () => {
  const { person, device } = await withDevice();
  const chat = ownChat(person);
  const other = ownChat(person);
  await chat.reply("first");
  await until("the first", async () => (await asked(device)) === 1);
  await chat.reply("first");
  await chat.reply("second");
  await until("the second", async () => (await asked(device)) === 2);
  await other.reply();
  await until("the other chat's", async () => (await asked(device)) === 3);
  expect((await read(device)).map(({ content }) => content.tag)).toEqual([chat.id, other.id]);
});

it("a push to who is away about a call that waits comes at once and says nothing of what it would do; a decided one is announced nowhere", async () => {
  const { person, device } = await withDevice();
  await switchOnTestTools(person);
  const { chatId } = await startChat(person, 'call testSend {"name":"Ann"}\nthen\nsay Sent.');
  const push = await pushed(device);
  expect(push).toMatchObject({ urgency: "high", content: { kind: "approval", path: `/c/${chatId}` } });
  expect(push?.content.body).not.toContain("Ann");

  await look(person, { chatId: null });
  const second = await startChat(person, 'call testSend {"name":"Bo"}\nthen\nsay Sent.');
  await until("the call", async () => (await person.take(listApprovals, {})).count === 2);
  const { approvals } = await person.take(listApprovals, {});
  const callId = approvals.find(({ chat }) => chat.id === second.chatId)?.call.id ?? "";
  await person.take(decideToolCall, { params: { id: second.chatId, callId }, body: { decision: "discard" } });
  await until("nothing waits there", async () => (await person.take(listApprovals, {})).count === 1);
  await person.take(changePushKinds, { body: { reply: false } });
  await pass(person, 3 * MINUTE);
  expect((await read(device)).filter(({ content }) => content.tag === second.chatId && content.kind === "approval")).toEqual([]);
});

it("a push to who is away names who shared a chat, and never what it is called or says", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say locked words");
  await owner.take(updateChat, { params: { id: chatId }, body: { title: "Your account is locked" } });
  const { person, device } = await withDevice();
  await share(owner, chatId, person.email, "editor");
  const push = await pushed(device);
  expect(push?.content).toMatchObject({ kind: "share", path: `/c/${chatId}`, title: expect.stringContaining(owner.email) });
  expect(JSON.stringify(push?.content)).not.toContain("locked");
});

it("a push to who is away says what became of imports and schedules, a failed schedule to who is here too, and each once", async () => {
  const { person, device } = await withDevice();
  const import_ = {
    id: "import:1",
    what: "import",
    title: "facts.txt",
    isOk: true,
    summary: "12 facts.",
    path: "/?settings=memory",
  } as const;
  await noteDoneJob(env, person.user.id, import_);
  expect((await pushed(device))?.content).toMatchObject({
    kind: "import",
    title: "‘facts.txt’ was imported",
    body: "12 facts.",
    path: "/?settings=memory",
  });
  await noteDoneJob(env, person.user.id, import_);
  await look(person, { chatId: null });
  const failed = { id: "schedule-1", what: "schedule", title: "Morning", isOk: false, summary: "Too slow.", path: "/schedules" } as const;
  await noteDoneJob(env, person.user.id, failed);
  await pass(person, 3 * MINUTE);
  expect((await pushed(device, 2))?.content).toMatchObject({ kind: "schedule", title: "‘Morning’ failed", path: "/schedules" });
});

it("a push to who is away comes to every device, and about what is wanted alone", async () => {
  const { person, device } = await withDevice();
  const second = await withDevice(await signIn(visitor(), person.email));
  await person.take(changePushKinds, { body: { reply: false } });
  await ownChat(person).reply();
  expect((await person.take(getPush, {})).kinds).toEqual({ reply: false, approval: true, share: true, import: true, schedule: true });
  await person.take(changePushKinds, { body: { reply: true } });
  const chat = ownChat(person);
  await chat.reply();
  expect((await pushed(device))?.content.tag).toBe(chat.id);
  expect((await pushed(second.device))?.content.tag).toBe(chat.id);
});

it("a push service that does not take one is asked again when it says, and the notification comes once", async () => {
  const { person, device } = await withDevice();
  await failPushes(env.PUSH_SIMULATOR, { endpoint: device.endpoint, status: 429, retryAfter: "1", times: 1 });
  await ownChat(person).reply();
  await pushed(device);
  expect(await asked(device)).toBe(2);
});

it("a push service that does not take one and answers that it never will is not asked again: the device is forgotten", async () => {
  const people = await Promise.all(
    [404, 410].map(async (status) => {
      const { person, device } = await withDevice();
      if (status === 410) await unsubscribe(env.PUSH_SIMULATOR, device);
      else await failPushes(env.PUSH_SIMULATOR, { endpoint: device.endpoint, status, times: 1 });
      await ownChat(person).reply();
      return { person, device, status };
    }),
  );
  for (const { person, device, status } of people) {
    await until(`no device after ${status}`, async () => (await person.take(getPush, {})).devices.length === 0);
    await ownChat(person).reply();
    await pass(person, 3 * MINUTE);
    expect([status, await asked(device)]).toEqual([status, 1]);
  }
});

it("a push service that does not take one and refuses keeps no reply from being read and no other device from being notified", async () => {
  const { person, device } = await withDevice();
  const second = await withDevice(await signIn(visitor(), person.email));
  const third = await withDevice(await signIn(visitor(), person.email));
  // Too long for it, and a key that it does not take, as by a mistake of the deployment.
  await failPushes(env.PUSH_SIMULATOR, { endpoint: device.endpoint, status: 413, times: 10 });
  await failPushes(env.PUSH_SIMULATOR, { endpoint: third.device.endpoint, status: 403, times: 10 });
  const { chatId } = await startChatAndRead(person, "say Still here.");
  expect((await pushed(second.device))?.content.tag).toBe(chatId);
  for (const refused of [device, third.device]) await until("one try", async () => (await asked(refused)) === 1);
  expect((await person.take(getPush, {})).devices).toHaveLength(3);
});

it("a device has a name, is known to the browser that it is, and can be tried out and removed", async () => {
  const person = await signIn();
  const { person: _same, device, id } = await withDevice(person);
  expect((await person.take(getPush, {})).devices).toEqual([
    { id, name: expect.any(String), created_at: expect.any(String), is_this: true },
  ]);
  await person.take(testPushDevice, { params: { id } });
  expect((await pushed(device))?.content).toMatchObject({ kind: "test", body: "Notifications reach this device." });
  const elsewhere = await signIn(visitor(), person.email);
  expect((await elsewhere.take(getPush, {})).devices).toMatchObject([{ id, is_this: false }]);
  await elsewhere.take(deletePushDevice, { params: { id } });
  expect((await person.take(getPush, {})).devices).toEqual([]);
  await ownChat(person).reply();
  await pass(person, 3 * MINUTE);
  expect(await asked(device)).toBe(1);
});

it("a device says when it cannot be reached, and goes where it is over", async () => {
  const { person, device, id } = await withDevice();
  await failPushes(env.PUSH_SIMULATOR, { endpoint: device.endpoint, status: 500, times: 1 });
  expect((await person.call(testPushDevice, { params: { id } })).status).toBe(502);
  await unsubscribe(env.PUSH_SIMULATOR, device);
  expect((await person.call(testPushDevice, { params: { id } })).status).toBe(404);
  expect((await person.take(getPush, {})).devices).toEqual([]);
});

it("a device goes with its session, and stays with the one that takes its place", async () => {
  const { person, device } = await withDevice();
  await signInByMail(person, person.email);
  const chat = ownChat(person);
  await chat.reply();
  await pushed(device);
  expect((await person.take(getPush, {})).devices).toMatchObject([{ is_this: true }]);
  await person.take(signOut, { body: {} });
  await ownChat(person).reply();
  await pass(person, 3 * MINUTE);
  expect(await asked(device)).toBe(1);
  const again = await signIn(visitor(), person.email);
  expect((await again.take(getPush, {})).devices).toEqual([]);
});

it("a device is one for each browser: a new subscription takes the old one's place, and whoever signs in next has it alone", async () => {
  const { person, device } = await withDevice();
  const renewed = await subscribed(env.PUSH_SIMULATOR);
  await person.take(putPushDevice, { body: bodyOf(renewed) });
  expect((await person.take(getPush, {})).devices).toHaveLength(1);
  const next = await signIn();
  await next.take(putPushDevice, { body: bodyOf(renewed) });
  expect((await person.take(getPush, {})).devices).toEqual([]);
  await ownChat(person).reply();
  const chat = ownChat(next);
  await chat.reply();
  expect((await pushed(renewed))?.content.tag).toBe(chat.id);
  expect(await asked(device)).toBe(0);
});

it("a device that a browser renewed is one where this very session had it before, and for nobody who signed in since", async () => {
  const { person, device } = await withDevice();
  const renewed = bodyOf(await subscribed(env.PUSH_SIMULATOR));
  const next = await signIn();
  expect((await next.call(putPushDevice, { body: { ...renewed, replaces: device.endpoint } })).status).toBe(409);
  expect((await next.take(getPush, {})).devices).toEqual([]);
  await person.take(putPushDevice, { body: { ...renewed, replaces: device.endpoint } });
  await person.take(putPushDevice, { body: { ...renewed, replaces: device.endpoint } });
  expect((await person.take(getPush, {})).devices).toMatchObject([{ is_this: true }]);
  await person.take(signOut, { body: {} });
  const again = await signIn(visitor(), person.email);
  expect((await again.call(putPushDevice, { body: { ...renewed, replaces: renewed.endpoint } })).status).toBe(409);
});

it("a device is one of twenty at most", async () => {
  const { person } = await withDevice();
  const add = async () => {
    const other = await signIn(visitor(), person.email);
    return (await other.call(putPushDevice, { body: bodyOf(await subscribed(env.PUSH_SIMULATOR)) })).status;
  };
  const answers = await Promise.all(Array.from({ length: 20 }, add));
  expect(answers.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 19 }, () => 200), 409]);
});

describe("whoever means harm", () => {
  const INSIDE = [
    "http://push.example/1",
    "https://127.0.0.1/1",
    "https://[::1]/1",
    "https://169.254.169.254/latest",
    "https://2130706433/1",
    "https://localhost/1",
    "https://push.internal/1",
    "https://user:secret@fcm.googleapis.com/1",
    "https://fcm.googleapis.com:8443/1",
    "https://anything.workers.dev/1",
    "file:///etc/passwd",
  ];

  it("whoever means harm has nothing sent to addresses inside, or to none at all", async () => {
    const person = await signIn();
    const device = bodyOf(await subscribed(env.PUSH_SIMULATOR));
    const answers = await Promise.all(INSIDE.map((endpoint) => person.call(putPushDevice, { body: { ...device, endpoint } })));
    expect(answers.map(({ status }, at) => [INSIDE[at], status])).toEqual(INSIDE.map((endpoint) => [endpoint, 400]));
    expect((await person.take(getPush, {})).devices).toEqual([]);
  });

  it("a push subscription with an invalid key or somebody else's endpoint is refused", async () => {
    const { person, device } = await withDevice();
    const thief = await signIn();
    const other = await subscribed(env.PUSH_SIMULATOR);
    expect((await thief.call(putPushDevice, { body: { ...bodyOf(other), p256dh: `B${"A".repeat(86)}` } })).status).toBe(400);
    expect((await thief.call(putPushDevice, { body: { ...bodyOf(other), auth: "short" } })).status).toBe(400);
    expect((await thief.call(putPushDevice, { body: { ...bodyOf(other), endpoint: device.endpoint } })).status).toBe(409);
    expect((await person.take(getPush, {})).devices).toHaveLength(1);
  });

  it("whoever means harm neither sees, nor removes, nor tries others' devices; guests have none", async () => {
    const { person, device, id } = await withDevice();
    const thief = await signIn();
    expect((await thief.take(getPush, {})).devices).toEqual([]);
    await thief.take(deletePushDevice, { params: { id } });
    expect((await thief.call(testPushDevice, { params: { id } })).status).toBe(404);
    const known = await person.take(getPush, {});
    expect(known.devices).toMatchObject([{ id }]);
    expect(JSON.stringify(known)).not.toContain(device.endpoint);
    expect(await asked(device)).toBe(0);
    const guest: Client = visitor();
    await startChat(guest, "say hello", "openai/gpt-5-nano");
    expect((await guest.call(getPush, {})).status).toBe(401);
    expect((await guest.call(putPushDevice, { body: bodyOf(device) })).status).toBe(401);
  });

  it("whoever means harm gets no more than 20 tests an hour", async () => {
    const { person, device, id } = await withDevice();
    await failPushes(env.PUSH_SIMULATOR, { endpoint: device.endpoint, status: 413, times: 100 });
    const tries = Array.from({ length: 21 }, () => person.call(testPushDevice, { params: { id } }));
    const answers = (await Promise.all(tries)).map(({ status }) => status);
    expect(answers.toSorted((a, b) => a - b)).toEqual([429, ...Array.from({ length: 20 }, () => 502)]);
    expect(await asked(device)).toBe(20);
  });
});

it("a deployment without keys says so to the web, and to who calls", async () => {
  const session = await visitWith({ VAPID_PRIVATE_KEY: "" }, "/api/auth/session");
  expect(await session.json()).toMatchObject({ features: { push: false } });
});
