import { runInDurableObject } from "cloudflare:test";
import { OpenAI, APIError } from "openai";
import { describe, expect, it } from "vitest";
import { createApiKey, listApiKeys } from "#shared/contracts/account/api-keys.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import { setBalance } from "#test/support/credits.ts";
import { CHEAP_MODEL } from "#test/support/replies.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
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

async function failureOf(work: Promise<unknown>): Promise<Pick<APIError, "status" | "code" | "param" | "message">> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof APIError)) throw new Error("It was not refused.");
  return { status: thrown.status, code: thrown.code, param: thrown.param, message: thrown.message };
}

describe("Chat completions for other programs", () => {
  it("/v1/chat/completions answers whole and as a stream, is charged once, and leaves nothing but the ledger's entry", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    const unstreamed = await openai.chat.completions.create(ask("say Good morning"));
    expect(unstreamed.choices[0]?.message.content).toBe("Good morning");
    expect(unstreamed.usage?.total_tokens).toBeGreaterThan(0);

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

  it("/v1/chat/completions hands tools, pictures and settings through", async () => {
    const openai = clientOf(await keyOf(await signIn()));
    const tools = [{ type: "function" as const, function: { name: "weather", parameters: { type: "object", properties: {} } } }];
    const called = await openai.chat.completions.create({ ...ask('call weather {"city":"Basel"}'), tools });
    const [call] = called.choices[0]?.message.tool_calls ?? [];
    expect(called.choices[0]?.finish_reason).toBe("tool_calls");
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"Basel"}' } });

    const shown = await openai.chat.completions.create({
      ...ask("show request"),
      temperature: 0.2,
      response_format: { type: "text" },
      user: "somebody",
      max_tokens: 5_000,
      store: false,
      modalities: ["text"],
    });
    const request = shown.choices[0]?.message.content ?? "";
    expect(request).toContain('"temperature"');
    expect(request).toContain('"response_format"');
    expect(request).toContain("somebody");
    expect(request).toContain('"max_completion_tokens": 5000');
    expect(request).not.toContain('"max_tokens"');
    for (const name of ["modalities", '"store"']) expect(request).not.toContain(name);
  });

  it.each([
    ["functions", { functions: [{ name: "weather" }] }, "Send tools instead"],
    ["function_call", { function_call: "auto" }, "Send tool_choice instead"],
    ["plugins", { plugins: [{ id: "web" }] }, "not taken here"],
    ["models", { models: ["openai/gpt-5"] }, "not taken here"],
    ["web_search_options", { web_search_options: {} }, "not taken here"],
    ["stream_options.more", { stream: true, stream_options: { more: true } }, "not taken here"],
    ["store", { store: true }, "Nothing is stored here"],
    ["service_tier", { service_tier: "priority" }, "auto or default"],
    ["modalities[1]", { modalities: ["text", "audio"] }, "Only text"],
    ["messages[0].role", { messages: [{ role: "function", name: "x", content: "y" }] }, "messages[0].role"],
    ["temperature", { temperature: "hot" }, "temperature"],
  ])("/v1/chat/completions refuses '%s' with its place and a sentence, as it would not happen", async (param, given, sentence) => {
    const openai = clientOf(await keyOf(await signIn()));
    // The package's types know better than the programs that send these.
    const create = (body: object) => openai.post("/chat/completions", { body: { ...ask("say no"), ...body } });
    expect(await failureOf(create(given))).toMatchObject({
      status: 400,
      code: "invalid_input",
      param,
      message: expect.stringContaining(sentence),
    });
    // Null is what is not set, also in a field that nobody knows.
    expect(await create({ [param.replace(/\W.*/, "_")]: null })).toMatchObject({ object: "chat.completion" });
  });

  it("/v1/chat/completions is open to pages of other origins, and each answer has an id", async () => {
    const asked = await visit("/v1/chat/completions", {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-stainless-lang",
      },
    });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(asked.headers.get("access-control-allow-headers")).toContain("x-stainless-lang");
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
    const key = await keyOf(await signIn());
    for (const authorization of [`Bearer ${key}`, "Bearer plg_wrong"]) {
      const answer = await visit("/v1/models", { headers: { authorization, origin: "https://elsewhere.example" } });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
      expect(answer.headers.get("x-request-id")).toMatch(/^req_[\da-f]{32}$/);
    }
    const { _request_id: id } = await clientOf(key).chat.completions.create(ask("say Hello"));
    expect(id).toMatch(/^req_/);
  });

  it("/v1/chat/completions lists the models that the key's owner may ask", async () => {
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

  it("/v1/chat/completions refuses in the shape that OpenAI's clients read", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    expect(await failureOf(clientOf("plg_wrong").models.list())).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await failureOf(clientOf(await keyOf(person, { scopes: ["chats"] })).models.list())).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect(await failureOf(openai.chat.completions.create(ask("say no", "nobody/nothing")))).toMatchObject({
      status: 404,
      code: "model_not_found",
      param: "model",
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

  it("/v1/chat/completions charges for all that a model reads, and for what a program left in the middle", async () => {
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

  const bytes = (count: number) => "A".repeat((count * 4) / 3);
  const carrying = (part: object) => ({ messages: [{ role: "user", content: [{ type: "text", text: "say no" }, part] }] });
  it.each([
    [
      "a schema of its answer",
      { response_format: { type: "json_schema", json_schema: { name: "x", schema: { description: bytes(300_000) } } } },
    ],
    ["tools", { tools: [{ type: "function", function: { name: "x", description: bytes(300_000) } }] }],
    ["a PDF", carrying({ type: "file", file: { filename: "x.pdf", file_data: `data:application/pdf;base64,${bytes(900_000)}` } })],
    ["a file that is fetched", carrying({ type: "file", file: { filename: "x.pdf", file_data: "https://example.com/x.pdf" } })],
    ["a recording", carrying({ type: "input_audio", input_audio: { data: bytes(1_500_000), format: "mp3" } })],
    ["a film", carrying({ type: "video_url", video_url: { url: "https://example.com/film" } })],
  ])("/v1/chat/completions reserves what %s may cost to be read", async (_, given) => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    await setBalance(person.user, 0.01);
    const create = openai.post("/chat/completions", { body: { ...ask("say no"), ...given } });
    expect(await failureOf(create)).toMatchObject({ status: 402, code: "insufficient_credits" });
    // The same without it is paid.
    expect((await openai.chat.completions.create(ask("say yes"))).choices[0]?.message.content).toBe("yes");
  });

  it("/v1/chat/completions answers no longer than the key's budget pays, however many programs ask at once", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person, { budget: 0.5 }));
    const asks = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        openai.chat.completions.create({ ...ask("speed 0\nbytes 100000", "openai/gpt-5-pro"), stream: false }),
      ),
    );
    const answered = asks.flatMap((asked) => (asked.status === "fulfilled" ? [asked.value] : []));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered[0]?.choices[0]?.finish_reason).toBe("length");
    const ledger = await charged(person, answered.length);
    expect(-ledger.reduce((sum, { micros }) => sum + micros, 0)).toBeLessThanOrEqual(500_000);
  });

  it("/v1/chat/completions keeps to the key's budget, the plan and the credits", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person, { budget: 0.01 }));
    expect(await failureOf(openai.chat.completions.create(ask("say dear", "openai/gpt-5")))).toMatchObject({
      status: 402,
      code: "api_key_budget",
    });
    const free = clientOf(await keyOf(person));
    expect(await failureOf(free.chat.completions.create(ask("say no", PRO_MODEL)))).toMatchObject({ code: "pro_model_required" });
  });

  it("/v1/chat/completions takes so many requests a minute of each key, whatever its owner's chats and other keys do, and says when the next one may come", async () => {
    const person = await signIn();
    const [one, other] = [await keyOf(person), await keyOf(person)];
    const request = (key: string) =>
      visitWith({ MESSAGES_PER_MINUTE: "2" }, "/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(ask("say yes")),
      });
    const asked = await Promise.all([request(one), request(one), request(one)]);
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = asked.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(refused?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await refused?.json()).toMatchObject({ error: { type: "rate_limit_error", code: "rate_limited" } });
    expect((await request(other)).status).toBe(200);
    // What a person begins in chats is counted apart.
    const counted = await runInDurableObject(hubOf(env, person.user.id), (_, { storage }) =>
      storage.sql.exec<{ turns_at: string }>("SELECT turns_at FROM hub").one(),
    );
    expect(counted).toEqual({ turns_at: "[]" });
  });

  it("/v1/chat/completions pays for what came when the program leaves in the middle", async () => {
    const person = await signIn();
    const openai = clientOf(await keyOf(person));
    const stream = await openai.chat.completions.create({ ...ask("fault endless"), stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const ledger = await charged(person, 1);
    expect(ledger[0]?.micros).toBeLessThan(0);
  });
});
