import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it, onTestFinished, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deleteChat, getChat, listChats } from "#shared/contracts/chat/chats.ts";
import {
  continueReply,
  editMessage,
  listMessages,
  regenerateReply,
  selectVersion,
  sendMessage,
  stopReply,
} from "#shared/contracts/chat/messages.ts";
import { listModels } from "#shared/contracts/models.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { ChatRow, holdGenerationOf } from "#worker/conversation/room/rpc.ts";
import { TOOLS } from "#worker/tools.ts";
import { openToolbox, toDefinition } from "#worker/conversation/turn/toolbox.ts";
import { toolsLength } from "#worker/conversation/turn/cost.ts";
import { systemPrompt } from "#worker/conversation/turn/prompt.ts";
import { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { purgeChat } from "#worker/conversation/chats/delete-chat.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { csvLine } from "#worker/conversation/usage/csv.ts";
import { setBalance } from "#test/support/credits.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { lastRequestOf } from "#test/support/last-request.ts";
import { CHEAP_MODEL, readReply, type Received, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, signIn, signInByMail, visitor } from "#test/support/worker.ts";

async function creditsOf(client: Client): Promise<number> {
  const { user } = await client.take(getSession, {});
  return user?.credits ?? Number.NaN;
}

/** What an account paid for calls of a kind, in micro-dollars. */
async function paidBy({ user }: Person, kind: string): Promise<number[]> {
  const entries = await env.USER_HUB.getByName(user.id).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 100 });
  return entries.flatMap(({ what, amount_micros: micros }) => (what === kind ? [-micros] : []));
}

/** What the aggregator's books answer to whoever asks from now on, in micro-dollars. */
function watchBooks(): number[] {
  const costs: number[] = [];
  const { fetch } = globalThis;
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (response.ok && request.url.includes("/generation?id=")) {
      const { data } = await response.clone().json<{ data: { total_cost: number } }>();
      costs.push(toMicros(data.total_cost));
    }
    return response;
  });
  onTestFinished(() => asked.mockRestore());
  return costs;
}

/** What the cheap model writes at most, in tokens: a quarter of $5 pays for more. */
const LONGEST = 128_000;

it("credits begin at $5 and go down by what each call cost, once", async () => {
  const user = await signIn();
  expect(await creditsOf(user)).toBe(5);
  const { chatId, settled } = await startChatAndRead(user, "bytes 3000");
  expect(settled.cost).toBeGreaterThan(0);
  const { chat } = await until("reply and title in the ledger", async () => {
    const usage = await user.take(getUsage, { query: { by: "chat" } });
    const answer = await user.take(getChat, { params: { id: chatId } });
    return usage.usage[0]?.calls === 2 && Math.abs(usage.total - answer.chat.cost) < 1e-9 ? answer : null;
  });
  expect(chat.cost).toBeGreaterThanOrEqual(settled.cost ?? Number.NaN);
  expect(await creditsOf(user)).toBeCloseTo(5 - chat.cost, 6);
  const room = env.CHAT_ROOM.getByName(chatId);
  const left = await runInDurableObject(room, (_, state) => state.storage.sql.exec("SELECT * FROM charges").toArray().length);
  expect(left).toBe(0);
});

it("credits are charged once when a report comes twice", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  const { chatId } = await startChatAndRead(user, "say once");
  await until("the ledger", async () => (await user.take(getUsage, {})).usage[0]?.calls === 2);
  const before = await creditsOf(user);
  const row = await runInDurableObject(hub, (_, state) => state.storage.sql.exec<{ row: string }>("SELECT row FROM chats").one().row);
  const charge = {
    callId: `${chatId}:again`,
    replyId: chatId,
    chatId,
    what: "reply" as const,
    modelId: CHEAP_MODEL,
    amountMicros: 1000,
    isHouse: false,
  };
  for (let n = 0; n < 3; n += 1) await hub.receive({ row: ChatRow.parse(JSON.parse(row)), version: 999, updates: [], charges: [charge] });
  expect(await creditsOf(user)).toBeCloseTo(before - 0.001, 6);
});

it("credits are reserved once for one reply however often it is asked for, beside what is reserved for others", async () => {
  const hub = env.USER_HUB.getByName((await signIn()).user.id);
  const hold = (replyId: string, dollars: number) => hub.reserve({ replyId, amountMicros: dollars * 1_000_000 });
  for (let n = 0; n < 3; n += 1) expect(await hold("one", 3)).toMatchObject({ ok: true });
  expect(await hold("other", 2.5)).toMatchObject({ ok: false, code: "INSUFFICIENT_CREDITS" });
  expect(await hold("other", 1.5)).toMatchObject({ ok: true });
  // What was reserved for a turn that never reported its end lapses: an hour is longer than any lasts.
  const age = () => runInDurableObject(hub, (_, { storage }) => storage.sql.exec("UPDATE reservations SET at = at - ?", 3_601_000));
  await age();
  expect(await hold("later", 4.5)).toMatchObject({ ok: true });
});

it("credits stay reserved for the calls of a generation that runs, when an earlier one's charge comes late", async () => {
  const hub = env.USER_HUB.getByName((await signIn()).user.id);
  const replyId = crypto.randomUUID();
  const amountMicros = 1_000;
  const holds = [1, holdGenerationOf("call:0:1"), holdGenerationOf("call:1:1"), holdGenerationOf("call:1:2")];
  for (const generation of holds) expect(await hub.reserveCall({ replyId, generation, amountMicros })).toMatchObject({ ok: true });
  const charge = { replyId, chatId: replyId, what: "reply" as const, modelId: CHEAP_MODEL, amountMicros: 1, isHouse: false };
  await hub.charge({ ...charge, callId: `${replyId}:0:0` }, "none");
  const left = await runInDurableObject(hub, (_, { storage }) =>
    storage.sql.exec<{ generation: number }>("SELECT generation FROM reservations ORDER BY generation DESC").toArray(),
  );
  expect(left.map(({ generation }) => generation)).toEqual([1, holdGenerationOf("call:1:1"), holdGenerationOf("call:1:2")]);
});

it("credits of a guest are taken over once, however often the job comes", async () => {
  const { user } = await signIn();
  const hub = env.USER_HUB.getByName(user.id);
  const at = new Date().toISOString();
  const spent = { call_id: "guest-call", at, what: "reply", chat_id: null, message_id: null, model_id: CHEAP_MODEL };
  const entry = { ...spent, amount_micros: -700, is_house: 1, balance_micros: 0 };
  for (let n = 0; n < 3; n += 1) await hub.takeOverLedger([entry]);
  const ledger = await hub.ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
  expect(ledger.filter(({ what }) => what === "reply")).toMatchObject([{ amount_micros: -700, is_house: 1 }]);
});

it("credits refuse a turn at or below zero, store nothing and say what to do", async () => {
  const user = await signIn();
  await setBalance(user.user, 0);
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content: "hello", model_id: CHEAP_MODEL };
  const refused = await user.call(sendMessage, { params: { id: chatId }, body });
  expect(refused).toMatchObject({ status: 402, error: { code: "INSUFFICIENT_CREDITS" } });
  expect(await user.call(listMessages, { params: { id: chatId } })).toMatchObject({ status: 404 });
  const rows = await env.DB.prepare("SELECT 1 FROM chats WHERE id = ?").bind(chatId).all();
  expect(rows.results).toEqual([]);
  await setBalance(user.user, 1);
  expect(await user.call(sendMessage, { params: { id: chatId }, body })).toMatchObject({ status: 202 });
});

it("credits refuse a model that may cost more than is left, and name both amounts", async () => {
  const user = await signIn();
  await setBalance(user.user, 0.0005);
  const refused = await user.call(sendMessage, {
    params: { id: crypto.randomUUID() },
    body: { id: crypto.randomUUID(), parent_id: null, content: "hello", model_id: "anthropic/claude-sonnet-4.6" },
  });
  expect(refused).toMatchObject({
    status: 402,
    error: { error: expect.stringMatching(/may cost about \$0\.0\d+, and \$0\.0005 is left/) },
  });
});

it("credits are looked up for a stopped reply, whose stream gave no cost", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 60\nbytes 5000");
  await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 40 });
  await user.take(stopReply, { params: { id: chatId } });
  const cost = await until("the cost", async () => {
    const { messages } = await user.take(listMessages, { params: { id: chatId } });
    return messages[1]?.cost;
  });
  expect(cost).toBeGreaterThan(0);
});

it("credits are taken once for what a round wrote, when the object dies in the middle of the next one", async () => {
  const user = await signIn();
  const { models } = await user.take(listModels, {});
  const price = Number(models.find(({ id }) => id === CHEAP_MODEL)?.pricing?.completion);
  const before = "looking ".repeat(1_250).trim();
  const content = `speed 2500\nbefore ${before}\ncall viewTodoList {}\nthen\nbytes 200000`;
  const { chatId, replyId } = await startChat(user, content);
  const room = () => env.CHAT_ROOM.getByName(chatId);
  await until("a checkpoint of the second round", () =>
    runInDurableObject(
      room(),
      (_, state) => state.storage.sql.exec("SELECT 1 FROM checkpoints WHERE length(body) > 20000").toArray().length > 0,
    ),
  );
  await killRoom(chatId);
  const text = textOf(await readReply(user, { chatId, replyId }));
  expect(text.startsWith(before)).toBe(true);
  const broken = (await lastRequestOf<{ messages: { content: string }[] }>(chatId)).messages.at(-2)?.content ?? "";
  expect(broken.length).toBeGreaterThan(10_000);
  expect(text.slice(before.length).trimStart().startsWith(broken)).toBe(true);
  await runDurableObjectAlarm(room());
  const { ledger, rounds } = await until("the reply in the ledger", async () => {
    const entries = await env.USER_HUB.getByName(user.user.id).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    if (!entries.some(({ what }) => what === "reply")) return null;
    return { ledger: entries, rounds: entries.filter(({ what }) => what === "round").map(({ amount_micros }) => -amount_micros) };
  });
  // The round that called, what broke off, and what went on from there, which read all of it anew.
  expect(ledger.filter(({ what }) => what === "reply")).toHaveLength(1);
  expect(rounds).toHaveLength(2);
  const expected = (broken.length / 4) * price * 1_000_000;
  expect(Math.min(...rounds.map((micros) => Math.abs(micros - expected)))).toBeLessThan(2);
});

it("credits are reserved for the whole path that a turn goes on from, longer with each turn and shorter on another branch", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  const { models } = await user.take(listModels, {});
  const { prompt = 0, completion = 0 } = models.find(({ id }) => id === CHEAP_MODEL)?.pricing ?? {};
  expect(prompt).toBeGreaterThan(0);
  const { chatId, messageId } = await startChatAndRead(user, "bytes 30000");

  async function go(content: string): Promise<{ reserved: number; expected: number }> {
    const { messages: before } = await user.take(listMessages, { params: { id: chatId } });
    const characters = before.reduce((sum, message) => sum + message.content.length, content.length + systemPrompt([], true).length);
    const body = { id: crypto.randomUUID(), parent_id: before.at(-1)?.id ?? null, content, model_id: CHEAP_MODEL };
    const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
    const reservation = await runInDurableObject(hub, (_, { storage }) =>
      storage.sql.exec<{ n: number }>("SELECT amount_micros AS n FROM reservations WHERE reply_id = ?", replyId).one(),
    );
    const turn = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
      StoredTurn.parse(JSON.parse(storage.sql.exec<{ turn: string }>("SELECT turn FROM chat").one().turn)),
    );
    await user.take(stopReply, { params: { id: chatId } });
    const tools = toolsLength(openToolbox(TOOLS, turn.tools).tools.map(toDefinition));
    expect(tools).toBeGreaterThan(0);
    const expected = 1_000_000 * (((characters + tools) / 4) * prompt + LONGEST * completion);
    return { reserved: reservation.n, expected };
  }

  for (let turns = 0; turns < 3; turns += 1) {
    const { reserved, expected } = await go(`fault hang-mid-stream\nbytes 3000\n${"more ".repeat(2_000)}`);
    expect(Math.abs(reserved - expected)).toBeLessThanOrEqual(1);
  }
  const edit = { id: crypto.randomUUID(), content: "say Another beginning", model_id: CHEAP_MODEL };
  const { replyId } = await user.take(editMessage, { params: { id: chatId, messageId }, body: edit });
  await readReply(user, { chatId, replyId });
  const { reserved, expected } = await go(`fault hang-mid-stream\n${"more ".repeat(2_000)}`);
  expect(Math.abs(reserved - expected)).toBeLessThanOrEqual(1);
  await user.take(selectVersion, { params: { id: chatId, messageId } });
  const onLong = await go("fault hang-mid-stream\nsay more");
  expect(Math.abs(onLong.reserved - onLong.expected)).toBeLessThanOrEqual(1);
});

it("credits stay reserved for a reply that was asked for twice at once", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId } = await startChat(user, "fault hang-mid-stream\nbytes 3000");
  await readReply(user, { chatId, replyId, enough: (events) => textOf(events) !== "" });
  await user.take(stopReply, { params: { id: chatId } });
  const body = { id: crypto.randomUUID() };
  const again = () => user.take(regenerateReply, { params: { id: chatId, messageId }, body });
  expect(await Promise.all([again(), again()])).toEqual([
    { messageId, replyId: body.id },
    { messageId, replyId: body.id },
  ]);
  const reservations = await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) =>
    state.storage.sql.exec("SELECT 1 FROM reservations WHERE reply_id = ?", body.id).toArray(),
  );
  await user.take(stopReply, { params: { id: chatId } });
  expect(reservations).toHaveLength(1);
});

it("credits stay reserved for a stopped reply that goes on, whose first part is charged meanwhile", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, `speed 100\nthink ${"thinking ".repeat(2_000)}\nsay never`);
  await readReply(user, { chatId, replyId, enough: (events) => events.some(({ event }) => event.type === "reasoning") });
  await user.take(stopReply, { params: { id: chatId } });
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  const hub = env.USER_HUB.getByName(user.user.id);
  await until("the first part's charge", async () => {
    const ledger = await hub.ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    return ledger.some(({ call_id: callId }) => callId === `${replyId}:0:0`);
  });
  const reservations = await runInDurableObject(hub, (_, { storage }) =>
    storage.sql.exec("SELECT generation FROM reservations WHERE reply_id = ?", replyId).toArray(),
  );
  await user.take(stopReply, { params: { id: chatId } });
  expect(reservations).toEqual([{ generation: 1 }]);
});

it("credits are taken once for a chat that is deleted while its model still reasons, though the ledger is out of reach at first", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, `speed 100\nthink ${"thinking ".repeat(2_000)}\nsay never`);
  await readReply(user, { chatId, replyId, enough: (events) => events.some(({ event }) => event.type === "reasoning") });
  const hub = env.USER_HUB.getByName(user.user.id);
  await runInDurableObject(hub, (_, { storage }) =>
    storage.sql.exec("CREATE TRIGGER shut BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'out of reach'); END"),
  );
  const job = { chatId, userIds: [user.user.id] };
  await expect(purgeChat(env, job)).rejects.toThrow("out of reach");
  expect((await user.take(listChats, {})).chats).toEqual([]);
  await runInDurableObject(hub, (_, { storage }) => storage.sql.exec("DROP TRIGGER shut"));
  await purgeChat(env, job);
  await purgeChat(env, job);
  const paid = (await hub.ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 })).filter(({ what }) => what === "reply");
  expect(paid).toHaveLength(1);
  expect(paid[0]?.amount_micros).toBeLessThan(0);
});

it("credits are taken by the aggregator's books for what was under way as its chat was deleted", async () => {
  const user = await signIn();
  const books = watchBooks();
  const chat = await startChat(user, "speed 60\nbytes 5000");
  await readReply(user, { ...chat, enough: (events) => textOf(events).length > 40 });
  await user.take(deleteChat, { params: { id: chat.chatId } });
  expect(books).toEqual([expect.any(Number)]);
  expect(books[0]).toBeGreaterThan(0);
  expect(await paidBy(user, "reply")).toEqual(books);
});

it("credits are taken by the aggregator's books for each model that a tool of a deleted chat asks", async () => {
  const user = await signIn();
  const books = watchBooks();
  const chatId = crypto.randomUUID();
  const content = `call multiModelSynthesis ${JSON.stringify({ question: "speed 60\nbytes 5000" })}\nthen\nsay never`;
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, tool_categories: ["synthesis"] };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
  const begun = (events: Received[]) =>
    new Set(events.flatMap(({ event }) => (event.type === "tool_part" && event.text !== "" ? [event.part.id] : [])));
  await readReply(user, { chatId, replyId, enough: (events) => begun(events).size === 3 });
  await user.take(deleteChat, { params: { id: chatId } });
  expect(books).toHaveLength(3);
  expect(new Set(await paidBy(user, "tool"))).toEqual(new Set(books));
});

it("credits are taken by the books too of a member whose account is deleted in the middle of an answer in another's chat", async () => {
  const { chatId, replyId: parentId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const books = watchBooks();
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "speed 60\nbytes 5000", model_id: CHEAP_MODEL };
  const { replyId } = await editor.take(sendMessage, { params: { id: chatId }, body });
  await readReply(editor, { chatId, replyId, enough: (events) => textOf(events).length > 40 });
  await env.CHAT_ROOM.getByName(chatId).forgetPerson({ userId: editor.user.id, addresses: [editor.email] });
  expect(books[0]).toBeGreaterThan(0);
  expect(await paidBy(editor, "reply")).toEqual([books[0]]);
});

it("credits are taken for a title whose chat was deleted while it was made", async () => {
  const user = await signIn();
  const { fetch } = globalThis;
  const chatId = crypto.randomUUID();
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const isTitle = request.method === "POST" && (await request.clone().text()).includes("Write a title for the conversation");
    if (isTitle) await user.take(deleteChat, { params: { id: chatId } });
    return fetch(request);
  });
  onTestFinished(() => asked.mockRestore());
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say Hello.", model_id: CHEAP_MODEL };
  await user.take(sendMessage, { params: { id: chatId }, body });
  const [micros] = await until("the title to be paid", async () => {
    const paid = await paidBy(user, "title");
    return paid.length > 0 ? paid : null;
  });
  expect(micros).toBeGreaterThan(0);
  expect(
    await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM reservations").toArray(),
    ),
  ).toEqual([]);
});

it("credits are not asked of guests: the house pays, and it is recorded", async () => {
  const guest = visitor();
  const { settled } = await startChatAndRead(guest, "say free", "auto");
  expect(settled.status).toBe("done");
  const { user } = await guest.take(getSession, {});
  expect(user).toMatchObject({ anonymous: true, credits: 0 });
  const hub = env.USER_HUB.getByName(user?.id ?? "");
  const entries = await until("an entry", async () => {
    const ledger = await hub.ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    return ledger.length > 0 ? ledger : null;
  });
  expect(entries.every((entry) => entry.is_house === 1 && entry.balance_micros === 0)).toBe(true);
  const account = await signInByMail(guest);
  expect(await creditsOf(account)).toBe(5);
});

it("credits are listed as CSV", async () => {
  const user = await signIn();
  await startChatAndRead(user, "say row");
  const lines = await until("the ledger's lines", async () => {
    const text = await (await user.fetch("/api/usage.csv")).text();
    return text.includes(",reply,") ? text.trim().split("\r\n") : null;
  });
  expect(lines[0]).toBe("time,what,model,chat,message,amount_usd,balance_usd,paid_by");
  expect(lines.at(-1)).toMatch(/,grant,,,,5\.000000,5\.000000,self$/);
});

it("credits are no formula of a spreadsheet that opens them, however a model server names its model", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  await hub.credits();
  const names = ["=1+1", "@SUM(A1)", "+1", "-cmd", 'a"b,c', "\t=1"];
  const charges = names.map((modelId, n) => ({
    callId: `call-${n}`,
    replyId: "",
    chatId: "",
    what: "summary" as const,
    modelId,
    amountMicros: 0,
    isHouse: false,
  }));
  for (const charge of charges) await hub.charge(charge, charge.callId);
  const text = await (await user.fetch("/api/usage.csv")).text();
  const cells = ["'=1+1", "'@SUM(A1)", "'+1", "'-cmd", '"a""b,c"', "'\t=1"];
  for (const cell of cells) expect(text).toContain(`,summary,${cell},,,`);
});

it("A cell that a spreadsheet would take for a formula is a text, and a number stays one", () => {
  expect(csvLine(["-1+cmd|' /C calc'!A0", "-2.5", "-0.0000001", "-1e-7", "=1", "+1", "@x", "-a", "\0=1", "Lena"])).toBe(
    "'-1+cmd|' /C calc'!A0,-2.5,-0.0000001,-1e-7,'=1,'+1,'@x,'-a,'\0=1,Lena\r\n",
  );
});
