import { expect, test, vi, afterEach } from "vitest";
import type { AllowedModel } from "#shared/entities/model.ts";
import { MODEL_INSTANCE_CACHE_MS, MODEL_LIST_CACHE_MS } from "#shared/limits.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { resolveModel } from "#worker/people/models/resolve-model.ts";

const ROUTER = { id: "openrouter/auto", name: "Auto Router", context_length: 2_000_000, pricing: { prompt: "-1", completion: "-1" } };
const cheap = {
  id: "a/cheap",
  name: "A: Cheap",
  context_length: 200_000,
  top_provider: { context_length: 128_000, max_completion_tokens: 8_000 },
  pricing: { prompt: "0.0000004", completion: "0.0000016" },
};
const dear = { id: "b/dear", name: "B: Dear", pricing: { prompt: "0.00001", completion: "0.00003" } };
const pro = { id: "c/pro", name: "C: Pro", pricing: { prompt: "0.0000001", completion: "0.0000001" } };
const ROWS = [ROUTER, cheap, dear, pro];

const guest: Pick<Caller, "anonymous" | "plan"> = { anonymous: true, plan: "none" };
const account: typeof guest = { anonymous: false, plan: "none" };
const subscriber: typeof guest = { anonymous: false, plan: "solo" };
const only = (...ids: string[]): AllowedModel[] => [...ids, "auto"].map((id) => ({ id, name: id }));

/** A deployment with an aggregator of its own that lists `rows`. */
function deployment(rows: unknown[] = ROWS): { own: Env; list: { rows: unknown[] } } {
  const list = { rows };
  const url = `https://${crypto.randomUUID()}.example/v1`;
  const plainFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    // Chats of earlier tests may still ask theirs.
    new Request(input).url.startsWith(url) ? Response.json({ data: list.rows }) : plainFetch(input, init),
  );
  return { own: deploymentWith({ AGGREGATOR_URL: url, PRO_MODELS: "c/*" }), list };
}

type Given = { requested?: string | null; caller?: typeof guest; allowlist?: AllowedModel[] | null; preferred?: string | null };

function resolve(own: Env, { requested = null, caller = account, allowlist = null, preferred = null }: Given) {
  return resolveModel(own, { requested, caller, allowlist, preferred });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a model that is asked for comes with its id, lengths and prices", async () => {
  const { own } = deployment();
  expect(await resolve(own, { requested: "a/cheap" })).toEqual({
    id: "a/cheap",
    aggregatorId: "a/cheap",
    name: "A: Cheap",
    contextLength: 128_000,
    maxOutput: 8_000,
    promptPrice: 0.0000004,
    completionPrice: 0.0000016,
    assumedPrice: null,
    fees: null,
    vision: false,
    takesFiles: false,
    tools: true,
    reasoning: false,
    routerModels: null,
  });
});

test("a model that is asked for that does not exist is MODEL_NOT_FOUND, with its id in the text", async () => {
  const { own } = deployment();
  await expect(resolve(own, { requested: "no/such" })).rejects.toMatchObject({
    code: "MODEL_NOT_FOUND",
    message: "Model no/such not found",
  });
});

test("a model that is asked for of the Pro ones needs the solo or team plan", async () => {
  const { own } = deployment();
  await expect(resolve(own, { requested: "c/pro" })).rejects.toMatchObject({ code: "PRO_MODEL_REQUIRED" });
  await expect(resolve(own, { requested: "c/pro", caller: guest })).rejects.toMatchObject({ code: "PRO_MODEL_REQUIRED" });
  expect(await resolve(own, { requested: "c/pro", caller: subscriber })).toMatchObject({ aggregatorId: "c/pro" });
  expect(await resolve(own, { requested: "c/pro", caller: { anonymous: false, plan: "team" } })).toMatchObject({ aggregatorId: "c/pro" });
});

test("a model that is asked for outside the allowlist is MODEL_NOT_ALLOWED; 'Auto' never is", async () => {
  const { own } = deployment();
  await expect(resolve(own, { requested: "b/dear", allowlist: only("a/cheap") })).rejects.toMatchObject({ code: "MODEL_NOT_ALLOWED" });
  expect(await resolve(own, { requested: "auto", allowlist: only("a/cheap") })).toMatchObject({ id: "auto" });
});

test("a model that is asked for by a guest costs at most $2 in and out per 1M tokens", async () => {
  const { own } = deployment();
  expect(await resolve(own, { requested: "a/cheap", caller: guest })).toMatchObject({ aggregatorId: "a/cheap" });
  await expect(resolve(own, { requested: "b/dear", caller: guest })).rejects.toMatchObject({ code: "GUEST_MODEL" });
});

test("a model that is asked for stays known for ten minutes, also when it has left the list", async () => {
  const { own, list } = deployment();
  await resolve(own, { requested: "a/cheap" });
  list.rows = [ROUTER, dear];
  const start = Date.now();
  vi.setSystemTime(start + MODEL_LIST_CACHE_MS + 1);
  await expect(resolve(own, { requested: "c/pro", caller: subscriber })).rejects.toMatchObject({ code: "MODEL_NOT_FOUND" });
  expect(await resolve(own, { requested: "a/cheap" })).toMatchObject({ aggregatorId: "a/cheap" });
  vi.setSystemTime(start + MODEL_INSTANCE_CACHE_MS + 1);
  await expect(resolve(own, { requested: "a/cheap" })).rejects.toMatchObject({ code: "MODEL_NOT_FOUND" });
});

test("'Auto' is priced as the dearest that the router may choose, which is none that costs many times what others do", async () => {
  const { own } = deployment();
  const dearest = { prompt: 0.00001, completion: 0.00003 };
  expect(await resolve(own, { requested: "auto" })).toMatchObject({ promptPrice: null, assumedPrice: dearest });
  const { own: other } = deployment([
    ...ROWS,
    { id: "d/dearest", name: "D: Dearest", pricing: { prompt: "0.00015", completion: "0.0006" } },
  ]);
  const auto = await resolve(other, { requested: "auto", caller: subscriber });
  expect(auto).toMatchObject({ assumedPrice: dearest, routerModels: ["a/cheap", "b/dear", "c/pro"] });
  expect(await resolve(other, { requested: "d/dearest" })).toMatchObject({ completionPrice: 0.0006, assumedPrice: null });
  const onlyIt = await resolve(other, { requested: "auto", allowlist: only("d/dearest") });
  expect(onlyIt).toMatchObject({ assumedPrice: { prompt: 0.00015, completion: 0.0006 }, routerModels: ["d/dearest"] });
});

test("'Auto' goes to the router, free to choose where nothing restricts the caller", async () => {
  const { own } = deployment();
  expect(await resolve(own, { requested: "auto", caller: subscriber })).toMatchObject({
    id: "auto",
    aggregatorId: "openrouter/auto",
    promptPrice: null,
    routerModels: null,
  });
});

test("'Auto' stays within the allowlist, within the plan, and within a guest's price", async () => {
  const { own } = deployment();
  expect(await resolve(own, { requested: "auto", caller: subscriber, allowlist: only("b/dear", "c/pro") })).toMatchObject({
    routerModels: ["b/dear", "c/pro"],
  });
  expect(await resolve(own, { requested: "auto" })).toMatchObject({ routerModels: ["a/cheap", "b/dear"] });
  expect(await resolve(own, { requested: "auto", caller: guest })).toMatchObject({ routerModels: ["a/cheap"] });
});

test("'Auto' of an allowlist with no model left is not restricted to nothing", async () => {
  const { own } = deployment();
  expect(await resolve(own, { requested: "auto", caller: subscriber, allowlist: only("gone/model") })).toMatchObject({
    routerModels: null,
  });
});

test("'Auto' is refused where a guest could use no model at all", async () => {
  const { own } = deployment([ROUTER, dear]);
  await expect(resolve(own, { requested: "auto", caller: guest })).rejects.toMatchObject({ code: "GUEST_MODEL" });
});

test("'Auto' on a server without a router is the preferred model, else the first", async () => {
  const { own } = deployment([{ id: "qwen3:8b" }, { id: "llama3:8b" }]);
  expect(await resolve(own, { requested: "auto", preferred: "qwen3:8b" })).toMatchObject({
    id: "auto",
    aggregatorId: "qwen3:8b",
    routerModels: null,
  });
  expect(await resolve(own, { requested: "auto", caller: guest })).toMatchObject({ aggregatorId: "llama3:8b" });
});

test("no model asked for means the preferred one, and the first allowed in its place when it is outside the allowlist", async () => {
  const { own } = deployment();
  expect(await resolve(own, { preferred: "b/dear" })).toMatchObject({ id: "b/dear" });
  expect(await resolve(own, { preferred: "b/dear", allowlist: only("a/cheap") })).toMatchObject({ id: "a/cheap" });
});

test("no model asked for means 'Auto' where none is preferred, or the preferred one cannot be used any more", async () => {
  const { own } = deployment();
  expect(await resolve(own, {})).toMatchObject({ id: "auto" });
  expect(await resolve(own, { preferred: "c/pro" })).toMatchObject({ id: "auto" });
  expect(await resolve(own, { preferred: "gone/model" })).toMatchObject({ id: "auto" });
});
