import { runInDurableObject } from "cloudflare:test";
import { OpenAI, APIError } from "openai";
import { describe, expect, it } from "vitest";
import { createApiKey, listApiKeys } from "#shared/contracts/account/api-keys.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import { CHEAP_MODEL } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { hubOf } from "#worker/user-hub/stub.ts";
import { env } from "cloudflare:workers";
import { ORIGIN, type Person, signIn, visit } from "#test/support/worker.ts";

const PRO_MODEL = "anthropic/claude-opus-4.6";
const SPENT = "SELECT what, amount_micros AS micros, chat_id AS chatId, model_id AS modelId FROM ledger WHERE what <> 'grant' ORDER BY seq";

type NewKey = { scopes?: ApiScope[]; budget?: number | null };

async function keyOf(person: Person, { scopes = ["models"], budget = null }: NewKey = {}): Promise<string> {
  const { secret } = await person.take(createApiKey, { body: { id: crypto.randomUUID(), name: "Program", scopes, budget } });
  if (secret === null) throw new Error("The key came without its secret.");
  return secret;
}

/** The client of OpenAI's own package, as a program has it. */
function clientOf(apiKey: string): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: `${ORIGIN}/v1`,
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
    fetch: (url, init) => visit(new URL(new Request(url).url).pathname, init),
  });
}

const ask = (content: string, model = CHEAP_MODEL) => ({ model, messages: [{ role: "user" as const, content }] });

async function ledgerOf(person: Person): Promise<{ what: string; micros: number; chatId: string; modelId: string }[]> {
  return runInDurableObject(hubOf(env, person.user.id), (_, { storage }) => [...storage.sql.exec<never>(SPENT)]);
}

/** The ledger once it holds so many charges. */
function charged(person: Person, count: number) {
  return until(`${count} charges`, async () => {
    const rows = await ledgerOf(person);
    return rows.length === count ? rows : null;
  });
}

async function failureOf(
  work: Promise<unknown>,
): Promise<{ status: number | undefined; code: string | null | undefined; message: string }> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof APIError)) throw new Error("It was not refused.");
  return { status: thrown.status, code: thrown.code, message: thrown.message };
}

describe("Chat completions for other programs", () => {
  it("answers whole and as a stream, is charged once, and leaves nothing but the ledger's entry", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    const whole = await openai.chat.completions.create(ask("say Good morning"));
    expect(whole.choices[0]?.message.content).toBe("Good morning");
    expect(whole.usage?.total_tokens).toBeGreaterThan(0);

    const stream = await openai.chat.completions.create({ ...ask("say Guten Morgen"), stream: true });
    let text = "";
    for await (const chunk of stream) {
      expect(chunk.usage ?? null).toBeNull();
      text += chunk.choices[0]?.delta.content ?? "";
    }
    expect(text).toBe("Guten Morgen");

    const counted = await openai.chat.completions.create({ ...ask("say Bonjour"), stream: true, stream_options: { include_usage: true } });
    const usages = [];
    for await (const chunk of counted) if (chunk.usage) usages.push(chunk.usage.total_tokens);
    expect(usages).toHaveLength(1);

    const ledger = await charged(person, 3);
    for (const row of ledger) {
      expect(row).toMatchObject({ what: "completion", chatId: "", modelId: CHEAP_MODEL });
      expect(row.micros).toBeLessThan(0);
    }
    const spent = -ledger.reduce((sum, { micros }) => sum + micros, 0);
    expect((await person.take(listApiKeys, {})).keys[0]?.spent).toBeCloseTo(spent / 1_000_000, 6);
    expect((await person.take(listChats, { query: {} })).chats).toEqual([]);
  });

  it("hands tools, pictures and settings through, and nothing that would cost beside the model", async () => {
    const openai = clientOf(await keyOf(await signIn()));
    const tools = [{ type: "function" as const, function: { name: "weather", parameters: { type: "object", properties: {} } } }];
    const called = await openai.chat.completions.create({ ...ask('call weather {"city":"Basel"}'), tools });
    const [call] = called.choices[0]?.message.tool_calls ?? [];
    expect(called.choices[0]?.finish_reason).toBe("tool_calls");
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"Basel"}' } });

    const extra = { plugins: [{ id: "web" }], models: ["openai/gpt-5"], user: "somebody" };
    const shown = await openai.chat.completions.create({
      ...ask("show request"),
      temperature: 0.2,
      response_format: { type: "text" },
      ...extra,
    });
    const request = shown.choices[0]?.message.content ?? "";
    expect(request).toContain('"temperature"');
    expect(request).toContain('"response_format"');
    for (const name of ["plugins", '"models"', "somebody"]) expect(request).not.toContain(name);
  });

  it("lists the models that the key's owner may ask", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    const all = (await openai.models.list()).data;
    expect(all.map(({ id }) => id)).toContain(CHEAP_MODEL);
    expect((await openai.models.retrieve(CHEAP_MODEL)).id).toBe(CHEAP_MODEL);
    await person.take(putAllowlist, { body: { model_allowlist: [CHEAP_MODEL] } });
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["auto", CHEAP_MODEL]);
    expect(await failureOf(openai.chat.completions.create(ask("say no", "openai/gpt-5")))).toMatchObject({
      status: 403,
      code: "model_not_allowed",
    });
  });

  it("refuses in the shape that OpenAI's clients read", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    expect(await failureOf(clientOf("plg_wrong").models.list())).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await failureOf(clientOf(await keyOf(person, { scopes: ["chats"] })).models.list())).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect(await failureOf(openai.chat.completions.create(ask("say no", "nobody/nothing")))).toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    expect(await failureOf(openai.chat.completions.create(ask("say no", "deep-research")))).toMatchObject({ status: 404 });
    expect(await failureOf(openai.chat.completions.create({ ...ask("say no"), n: 3 }))).toMatchObject({
      status: 400,
      code: "invalid_input",
    });
    expect(await failureOf(openai.chat.completions.create(ask("fault 429")))).toMatchObject({
      status: 429,
      code: "aggregator_rate_limited",
    });
    expect(await failureOf(openai.embeddings.create({ model: "x", input: "y" }))).toMatchObject({ status: 404 });
    const stream = await openai.chat.completions.create({ ...ask("fault error-mid-stream"), stream: true });
    const cut = failureOf(
      (async () => {
        for await (const _ of stream);
      })(),
    );
    expect((await cut).message).toContain("too many requests");
    // What nobody took costs nothing.
    const ledger = await charged(person, 1);
    expect(ledger[0]?.what).toBe("completion");
  });

  it("reckons with all that a model reads, and pays what is left in the middle at last", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person, { budget: 0.02 }));
    const long = `data: ${"word ".repeat(200_000)}`;
    expect(await failureOf(openai.chat.completions.create(ask(long)))).toMatchObject({ status: 402, code: "api_key_budget" });

    const replyId = `completion:${crypto.randomUUID()}`;
    await runInDurableObject(hubOf(env, person.user.id), (_, { storage }) => {
      const before = Date.now() - 2 * 60 * 60_000;
      storage.sql.exec("INSERT INTO reservations (reply_id, generation, amount_micros, at) VALUES (?, 0, 1234, ?)", replyId, before);
    });
    await clientOf(await keyOf(person)).chat.completions.create(ask("say Hello"));
    const ledger = await charged(person, 2);
    expect(ledger[0]).toMatchObject({ what: "completion", micros: -1234 });
  });

  it("keeps to the key's budget, the plan and the credits", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person, { budget: 0.01 }));
    expect(await failureOf(openai.chat.completions.create(ask("say dear", "openai/gpt-5")))).toMatchObject({
      status: 402,
      code: "api_key_budget",
    });
    const free = clientOf(await keyOf(person));
    expect(await failureOf(free.chat.completions.create(ask("say no", PRO_MODEL)))).toMatchObject({ code: "pro_model_required" });
  });

  it("pays for what came when the program leaves in the middle", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    const stream = await openai.chat.completions.create({ ...ask("fault endless"), stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const ledger = await charged(person, 1);
    expect(ledger[0]?.micros).toBeLessThan(0);
  });
});
