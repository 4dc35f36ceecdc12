import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { continueReply, listMessages, regenerateReply, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { setBalance, spentBy } from "#test/support/credits.ts";
import { lastRequestOf } from "#test/support/last-request.ts";
import { largePdf, pdfOfPages } from "#test/support/office-files.ts";
import { readReply, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import { costWith, leastCost, longestAnswer } from "#worker/platform/spending/longest-answer.ts";
import { createImportedChat } from "#worker/conversation/chats/import-chat.ts";
import { pdfLength } from "#worker/platform/spending/carried-length.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { priceAnswer, promptTokens } from "#worker/conversation/turn/cost.ts";
import type { CountedTurn } from "#worker/people/hub/rpc.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

/** $15 and $120 per million tokens, up to 128,000 of an answer. */
const DEAR_MODEL = "openai/gpt-5-pro";
const LIGHT_MODEL = "openai/gpt-5-nano";

/** What the model was asked with, as it says. */
function requestOf(text: string): { max_completion_tokens?: number } {
  return JSON.parse(/```json\n([\s\S]*)\n```/.exec(text)?.[1] ?? "{}");
}

async function allSettled(person: Person, chats: { chatId: string; replyId: string }[]): Promise<void> {
  await Promise.all(chats.map((chat) => readReply(person, chat)));
  await until("no more holds", () =>
    runInDurableObject(
      env.USER_HUB.getByName(person.user.id),
      (_, { storage }) => storage.sql.exec("SELECT 1 FROM reservations").toArray().length === 0,
    ),
  );
}

it("the longest answer never costs more than is left, has its thousand tokens, and leaves room for three more", () => {
  const prices = fc.record({
    amountMicros: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
    answer: fc.record({
      tokenMicros: fc.double({ min: 0.001, max: 600, noNaN: true }),
      maxTokens: fc.option(fc.integer({ min: 1, max: 200_000 })),
    }),
  });
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 50_000_000 }), (priced, availableMicros) => {
      fc.pre(leastCost(priced) <= availableMicros);
      const tokens = longestAnswer(availableMicros, priced) ?? 0;
      expect(costWith(priced, tokens)).toBeLessThanOrEqual(availableMicros);
      expect(tokens).toBeGreaterThanOrEqual(Math.min(1_000, priced.answer.maxTokens ?? 1_000));
      expect(tokens).toBeLessThanOrEqual(priced.answer.maxTokens ?? Infinity);
      expect(tokens).toBeLessThanOrEqual(Math.max(1_000, availableMicros / 4 / priced.answer.tokenMicros));
    }),
  );
});

it("the longest answer goes with the request: the model's own limit, or what a quarter of the credits pays", async () => {
  const person = await signIn();
  const dear = await startChatAndRead(person, "show request", DEAR_MODEL);
  expect(requestOf(dear.text).max_completion_tokens).toBe(Math.floor(5 / 4 / 0.00012));
  const cheap = await startChatAndRead(person, "show request", "openai/gpt-5-mini");
  expect(requestOf(cheap.text).max_completion_tokens).toBe(128_000);
});

it("the longest answer keeps twelve chats of a dear model at once within the credits, and says of each where it was cut", async () => {
  const person = await signIn();
  const begun = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const chatId = crypto.randomUUID();
      const body = { id: crypto.randomUUID(), parent_id: null, content: "speed 0\nbytes 300000", model_id: DEAR_MODEL };
      const answer = await person.call(sendMessage, { params: { id: chatId }, body });
      return answer.ok ? { chatId, replyId: answer.body.replyId } : answer.error.code;
    }),
  );
  const chats = begun.flatMap((chat) => (typeof chat === "string" ? [] : [chat]));
  expect(chats.length).toBeGreaterThanOrEqual(4);
  expect(begun.filter((chat) => typeof chat === "string").every((code) => code === "INSUFFICIENT_CREDITS")).toBe(true);
  await allSettled(person, chats);
  const spent = await spentBy(person.user);
  expect(spent).toBeLessThanOrEqual(5);
  expect(spent).toBeGreaterThan(3);
  const { messages } = await person.take(listMessages, { params: { id: chats[0]?.chatId ?? "" } });
  expect(messages[1]).toMatchObject({ status: "done", finish_reason: "length", error: { code: "ANSWER_BOUND" } });
  expect(messages[1]?.error?.message).toContain("Continue");
});

it("the longest answer lets three cheap chats run side by side with a dear answer", async () => {
  const person = await signIn();
  const waiting = "fault hang-mid-stream\nbytes 3000";
  for (let n = 0; n < 3; n += 1) await startChat(person, waiting, "openai/gpt-5-mini");
  expect((await startChatAndRead(person, "say Dear.", DEAR_MODEL)).text).toBe("Dear.");
});

it("the longest answer has thinking counted in, and what was only thought says so", async () => {
  const person = await signIn();
  await setBalance(person.user, 0.5);
  const { chatId, settled } = await startChatAndRead(person, `speed 0\nthink ${"thought ".repeat(2_000)}\nsay never`, DEAR_MODEL);
  expect(settled).toMatchObject({ status: "failed", error: { message: expect.stringContaining("by thinking") } });
  await allSettled(person, [{ chatId, replyId: settled.message_id }]);
  expect(await spentBy(person.user)).toBeLessThanOrEqual(0.5);
});

it("a first answer is reserved anew where what earlier calls answered is most of its prompt", async () => {
  const person = await signIn();
  const content = "All of this is read again by every later answer. ".repeat(2_000);
  const { artifact } = await person.take(createArtifact, { body: { title: "Long", content } });
  const read = `call readArtifact ${JSON.stringify({ artifact_id: artifact.id })}\nthen\nsay Read.`;
  const { chatId, replyId } = await startChatAndRead(person, read);
  await allSettled(person, []);
  await setBalance(person.user, 0.3);
  const before = await spentBy(person.user);
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "say Hello.", model_id: DEAR_MODEL };
  const turn = await person.take(sendMessage, { params: { id: chatId }, body });
  const settled = settledOf(await readReply(person, { chatId, ...turn }));
  expect(settled).toMatchObject({ status: "failed", error: { code: "INSUFFICIENT_CREDITS" } });
  await allSettled(person, []);
  expect((await spentBy(person.user)) - before).toBeLessThan(0.01);
  await setBalance(person.user, 5);
  const anew = await person.take(regenerateReply, { params: { id: chatId, messageId: turn.replyId }, body: { id: crypto.randomUUID() } });
  expect(settledOf(await readReply(person, { chatId, ...anew })).status).toBe("done");
});

describe("a reply's id, which its request names", () => {
  const again = (person: Person, { chatId, replyId }: { chatId: string; replyId: string }, id: string, modelId = LIGHT_MODEL) =>
    person.call(regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id, model_id: modelId } });

  it("a reply's id that its request names is one chat's: in another of the same payer it is refused while it is reserved and after it was paid, as both would be charged once", async () => {
    const person = await signIn();
    const chats = [await startChatAndRead(person, "say One."), await startChatAndRead(person, "say Two.")] as const;
    const id = crypto.randomUUID();
    const running = await startChat(person, "fault hang-mid-stream\nbytes 3000");
    expect(await again(person, chats[0], running.replyId)).toMatchObject({ status: 409, error: { code: "CONFLICT" } });
    expect((await again(person, chats[0], id)).ok).toBe(true);
    expect(await again(person, chats[1], id)).toMatchObject({ status: 409, error: { code: "CONFLICT" } });
    await person.take(stopReply, { params: { id: running.chatId } });
    await allSettled(person, [running, { chatId: chats[0].chatId, replyId: id }]);
    expect(await again(person, chats[1], id)).toMatchObject({ status: 409, error: { code: "CONFLICT" } });
    // The same request again is answered as before, and nobody else's chats are asked.
    expect((await again(person, chats[0], id)).ok).toBe(true);
    const other = await signIn();
    expect((await again(other, await startChatAndRead(other, "say Four."), id)).ok).toBe(true);
  });
});

it("a reply that is imported under the id of its archive goes on in one chat alone: in another of the same payer it would be paid by the first", async () => {
  const person = await signIn();
  const { chatId, replyId } = await startChat(person, "speed 200\nbytes 40000");
  await readReply(person, { chatId, replyId, enough: (events) => events.some(({ event }) => event.type === "text") });
  await person.take(stopReply, { params: { id: chatId } });
  await allSettled(person, []);
  const exported = ExportedChat.parse(await (await person.fetch(`/api/chat/${chatId}/export`)).json());
  const goesOn = [];
  for (const id of [crypto.randomUUID(), crypto.randomUUID()]) {
    const at = new Date().toISOString();
    const by = { userId: person.user.id, displayName: "Lena" };
    await createImportedChat(
      env,
      openDatabase(env.DB),
      { person: by, id, exported, files: new Map(), createdAt: at, lastAt: at },
      async () => undefined,
    );
    const answer = await person.call(continueReply, { params: { id, messageId: replyId } });
    if (answer.ok) {
      await person.take(stopReply, { params: { id } });
      await allSettled(person, []);
    }
    goesOn.push(answer.ok || answer.error.code);
  }
  expect(goesOn).toEqual([true, "CONFLICT"]);
});

describe("each round of a turn", () => {
  /** Five rounds that each write so many words, and an answer. */
  const rounds = (words: number) =>
    `speed 0\n${Array.from({ length: 5 }, () => `before ${"words ".repeat(words)}\ncall viewTodoList {}\nthen`).join("\n")}\nsay Done.`;

  it("each round of a turn is reserved anew: where that cannot be paid the turn ends with what is there, says why, and goes on once there is more", async () => {
    const person = await signIn();
    await setBalance(person.user, 0.6);
    const { chatId, replyId, settled, text } = await startChatAndRead(person, rounds(500), DEAR_MODEL);
    expect(settled).toMatchObject({ status: "interrupted", error: { code: "INSUFFICIENT_CREDITS", action: "add_credits" } });
    expect(settled.error?.message).toContain("Continue");
    expect(text).toContain("words");
    await allSettled(person, [{ chatId, replyId }]);
    expect(await spentBy(person.user)).toBeLessThanOrEqual(0.6);
    expect(await person.call(continueReply, { params: { id: chatId, messageId: replyId } })).toMatchObject({ status: 402 });
    await setBalance(person.user, 5);
    await person.take(continueReply, { params: { id: chatId, messageId: replyId } });
    const received = await readReply(person, { chatId, replyId });
    expect(settledOf(received).status).toBe("done");
    expect(textOf(received).endsWith("Done.")).toBe(true);
  });

  it("each round of a turn takes the place of the round before: reservations never grow to more than is spent and reserved", async () => {
    const person = await signIn();
    const { chatId, replyId } = await startChat(person, `${rounds(100)}\nfault hang-mid-stream`, "openai/gpt-5-mini");
    await readReply(person, { chatId, replyId, enough: (events) => events.filter(({ event }) => event.type === "tool").length >= 10 });
    const reservations = await runInDurableObject(env.USER_HUB.getByName(person.user.id), (_, { storage }) =>
      storage.sql.exec("SELECT generation FROM reservations WHERE reply_id = ?", replyId).toArray(),
    );
    expect(reservations).toEqual([{ generation: 0 }]);
  });
});

describe("paid calls of tools", () => {
  const search = 'call parallelWebSearch {"objective":"Rivers","search_queries":["rivers"]}';

  it("paid calls of tools are reserved before they run: what cannot be paid is not asked for, and the turn ends there", async () => {
    const person = await signIn();
    await setBalance(person.user, 0.0125);
    const chatId = crypto.randomUUID();
    const content = `${search}\n${search}\nthen\n${search}\n${search}\nthen\nsay Found.`;
    const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: LIGHT_MODEL, tool_categories: ["search"] };
    const { replyId } = await person.take(sendMessage, { params: { id: chatId }, body });
    const settled = settledOf(await readReply(person, { chatId, replyId }));
    expect(settled).toMatchObject({ status: "interrupted", error: { code: "INSUFFICIENT_CREDITS" } });
    const { messages } = await person.take(listMessages, { params: { id: chatId } });
    const calls: ToolCall[] = messages[1]?.tool_calls ?? [];
    expect(calls.map(({ status }) => status)).toEqual(["done", "done", "stopped", "stopped"]);
    await allSettled(person, [{ chatId, replyId }]);
    expect(await spentBy(person.user)).toBeLessThanOrEqual(0.0125);
  });
});

describe("what a turn causes under an id of its own, as a title or a phone call", () => {
  const title = (causedBy: string) => ({ replyId: `title:${crypto.randomUUID()}`, generation: 0, amountMicros: 60_000, causedBy });
  const paid = { chatId: "", modelId: LIGHT_MODEL, amountMicros: 10_000, isHouse: false };

  const CASES: [string, (turn: { replyId: string; budgetMicros: number }) => CountedTurn][] = [
    ["API_KEY_BUDGET", (turn) => ({ kind: "key", keyId: crypto.randomUUID(), ...turn })],
    ["TRIGGERED_BUDGET", (turn) => ({ kind: "triggered", id: crypto.randomUUID(), ...turn })],
  ];

  it.each(CASES)(
    "what a turn causes under an id of its own, as a title or a phone call, is reserved and paid within the budget of the turn, else %s",
    async (code, counted) => {
      const { user } = await signIn();
      const hub = env.USER_HUB.getByName(user.id);
      const replyId = crypto.randomUUID();
      await hub.admit(counted({ replyId, budgetMicros: 100_000 }));
      await hub.reserve({ replyId, amountMicros: 20_000 });
      const titleCall = title(replyId);
      expect(await hub.reserveCall(titleCall)).toMatchObject({ ok: true });
      // 80,000 are reserved of 100,000.
      expect(await hub.reserveCall(title(replyId))).toMatchObject({ ok: false, code });
      await hub.charge({ ...paid, callId: `${replyId}:0:0`, replyId, what: "reply" }, "");
      // The reply has ended for 10,000, and what it caused goes on.
      expect(await hub.reserveCall(title(replyId))).toMatchObject({ ok: false, code });
      await hub.charge({ ...paid, callId: titleCall.replyId, replyId, what: "title" }, titleCall.replyId);
      expect(await hub.reserveCall(title(replyId))).toMatchObject({ ok: true });
      // Of another turn it is none.
      expect(await hub.reserveCall(title(crypto.randomUUID()))).toMatchObject({ ok: true });
    },
  );

  it("what a turn causes under an id of its own is reserved for the reply that it is made for: the title of a key's chat counts for the key", async () => {
    const person = await signIn();
    const reserveCall = vi.spyOn(UserHub.prototype, "reserveCall");
    const { replyId } = await startChatAndRead(person, "say Hello.");
    const titled = await until("a title", () =>
      reserveCall.mock.calls.map(([input]) => input).find((input) => input.replyId.startsWith("title:")),
    );
    reserveCall.mockRestore();
    expect(titled).toMatchObject({ causedBy: replyId });
  });
});

describe("what a message carries", () => {
  const READER = "openai/gpt-5-mini";

  async function sendFile(person: Person, name: string, body: Uint8Array<ArrayBuffer>) {
    const [chatId, id] = [crypto.randomUUID(), crypto.randomUUID()];
    const put = await person.fetch(`/api/chat/${chatId}/attachments/${id}?name=${name}`, { method: "PUT", body });
    expect(put.ok).toBe(true);
    const message = { id: crypto.randomUUID(), parent_id: null, content: "say Read.", model_id: READER, attachments: [id] };
    return { chatId, asked: await person.call(sendMessage, { params: { id: chatId }, body: message }) };
  }

  it("what a message carries counts by the pages of a PDF: hundreds of small ones are not paid by what a few large ones are", async () => {
    const person = await signIn();
    await setBalance(person.user, 0.05);
    const many = pdfOfPages(Array.from({ length: 300 }, () => "Page"));
    expect((await sendFile(person, "many.pdf", new Uint8Array(many))).asked).toMatchObject({
      status: 402,
      error: { code: "INSUFFICIENT_CREDITS" },
    });
    const { chatId, asked } = await sendFile(person, "few.pdf", largePdf(["One", "Two"], 3_000_000));
    if (!asked.ok) throw new Error(JSON.stringify(asked));
    expect(settledOf(await readReply(person, { chatId, replyId: asked.body.replyId })).status).toBe("done");
    const requested = await lastRequestOf<{ messages: { content: unknown }[] }>(chatId);
    expect(requested.messages.at(-1)?.content).toEqual([
      { type: "text", text: "say Read." },
      { type: "file", file: { filename: "few.pdf", file_data: expect.stringContaining("data:application/pdf;base64,") } },
    ]);
  });

  it("what a message carries counts by its bytes where nobody has counted its pages, and a picture by its size", () => {
    const pages = { size: 1_000_000, characters: 0 };
    expect(pdfLength(pages)).toBe(900_000);
    expect(pdfLength({ ...pages, pages: 2, characters: 5_000 })).toBe(17_000);
    // What says that it has fewer than it can have is not believed.
    expect(pdfLength({ ...pages, size: 5_000_000, pages: 1 })).toBe(60_000);
    const picture = (bytes: number) => {
      const url = `data:image/png;base64,${"A".repeat((bytes * 4) / 3)}`;
      return promptTokens([{ role: "user", content: [{ type: "image_url", image_url: { url } }] }]);
    };
    expect([picture(3_000), picture(600_000), picture(3_000_000)]).toEqual([1_500, 3_000, 5_000]);
  });
});

describe("fees beside the prices of tokens", () => {
  const FEES = { request: 0, picture: 0, cacheReadToken: 0, cacheWriteHourToken: 0, cacheWriteToken: 0, reasoningToken: 0 };
  const model = { promptPrice: 0.000001, completionPrice: 0.000002, contextLength: null, maxOutput: 1_000, assumedPrice: null, fees: null };

  it("fees beside the prices of tokens are reserved with an answer: of a request, a picture, tokens that are cached and those that are thought", () => {
    const price = (fees: Partial<typeof FEES>, pictures = 0) =>
      costWith(priceAnswer(1_000, { ...model, fees: { ...FEES, ...fees } }, { pictures }), 1_000);
    expect(price({})).toBe(3_000);
    expect(price({ request: 0.005 })).toBe(8_000);
    expect(price({ cacheWriteToken: 0.00000125 })).toBe(3_250);
    expect(price({ reasoningToken: 0.000003 })).toBe(4_000);
    // Its tokens cost $0.0015 of it.
    expect(price({ picture: 0.0055 }, 2)).toBeCloseTo(11_000, -1);
    expect(price({ picture: 0.0001 }, 2)).toBe(3_000);
  });

  it("fees beside the prices of tokens refuse what is there for the tokens alone", async () => {
    const person = await signIn();
    const body = { id: crypto.randomUUID(), parent_id: null, content: "say Found.", model_id: "perplexity/sonar" };
    await setBalance(person.user, 0.005);
    const ask = () => person.call(sendMessage, { params: { id: crypto.randomUUID() }, body: { ...body, id: crypto.randomUUID() } });
    expect(await ask()).toMatchObject({ status: 402, error: { code: "INSUFFICIENT_CREDITS" } });
    await setBalance(person.user, 0.015);
    expect((await ask()).ok).toBe(true);
  });
});

it("a request that is made once more is looked up in the aggregator's books for what its provider billed of the first", async () => {
  const person = await signIn();
  const asked = "call viewTodoList {}\nfault cut times 1\nthen\nsay Done.";
  const { settled, replyId } = await startChatAndRead(person, asked, "openai/gpt-4.1");
  expect(settled.status).toBe("done");
  await allSettled(person, []);
  const paid = await until("all charges", async () => {
    const entries = await env.USER_HUB.getByName(person.user.id).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    const calls = entries.filter(({ message_id: messageId, what }) => messageId === replyId && what !== "title");
    return calls.length === 3 ? calls : null;
  });
  // Nothing had come of it by then, which its provider bills nothing for.
  expect(paid.find(({ call_id: id }) => id.includes(":dropped:"))).toMatchObject({ what: "round", amount_micros: 0 });
});

it("the day's budget of what nobody typed bounds each answer, and what is reserved for others counts", async () => {
  const { user } = await signIn();
  const hub = env.USER_HUB.getByName(user.id);
  const budgetMicros = 100_000;
  const begin = async () => {
    const replyId = crypto.randomUUID();
    await hub.admit({ kind: "triggered", id: crypto.randomUUID(), replyId, budgetMicros });
    return hub.reserve({ replyId, amountMicros: 1_000, answer: { tokenMicros: 10, maxTokens: null } });
  };
  expect(await begin()).toMatchObject({ ok: true, value: { maxTokens: 2_500 } });
  // 26,000 are reserved for the first.
  expect(await begin()).toMatchObject({ ok: true, value: { maxTokens: 1_850 } });
  const dear = crypto.randomUUID();
  await hub.admit({ kind: "triggered", id: crypto.randomUUID(), replyId: dear, budgetMicros });
  const refused = await hub.reserve({ replyId: dear, amountMicros: 1_000, answer: { tokenMicros: 100, maxTokens: null } });
  expect(refused).toMatchObject({ ok: false, code: "TRIGGERED_BUDGET", message: expect.stringContaining("today's budget") });
  // On the next day a person's Continue is theirs to pay.
  const before = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
  await runInDurableObject(hub, (_, { storage }) => void storage.sql.exec("UPDATE triggered SET at = ?", before));
  const next = await hub.reserve({ replyId: dear, amountMicros: 1_000, answer: { tokenMicros: 100, maxTokens: null } });
  expect(next).toMatchObject({ ok: true });
});
