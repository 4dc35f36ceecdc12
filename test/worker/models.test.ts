import { afterEach, describe, expect, test, vi } from "vitest";
import { listModels } from "#shared/contracts/models.ts";
import { compareModels } from "#shared/models/model-names.ts";
import { MODEL_LIST_CACHE_MS } from "#shared/limits.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { signIn, visitor } from "#test/support/worker.ts";
import { buildCatalogue, loadCatalogue, globMatcher } from "#worker/people/models/catalogue.ts";
import { deriveModel, isOffered } from "#worker/people/models/derive-model.ts";
import { pickTitleModel, titleModel } from "#worker/people/models/title-model.ts";

const ROUTER = { id: "openrouter/auto", name: "Auto Router", pricing: { prompt: "-1", completion: "-1" } };
const cheap = { id: "a/cheap", name: "A: Cheap", context_length: 128_000, pricing: { prompt: "0.0000004", completion: "0.0000016" } };
const dear = { id: "b/dear", name: "B: Dear", context_length: 128_000, pricing: { prompt: "0.00001", completion: "0.00003" } };
const MARKS = { isPro: () => false, isTurbo: () => false };

/** Stands in for an aggregator of its own, so no other test's list is met; answers with `rows` or fails while `down`. */
function aggregator(rows: unknown, { isBare = false } = {}) {
  const url = `https://${crypto.randomUUID()}.example/v1`;
  const state = { down: false, asked: 0 };
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (!String(input instanceof Request ? input.url : input).startsWith(url)) return real(input, init);
    state.asked++;
    if (state.down) return new Response("down", { status: 502 });
    return Response.json(isBare ? rows : { data: rows });
  });
  return { env: deploymentWith({ AGGREGATOR_URL: url }), state };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("GET /api/models has 'Auto' first, then every model by its name without the vendor, 'Deep Research' among them, and leaves the malformed row out", async () => {
  const { models, stale } = await visitor().take(listModels, {});
  const [auto, ...others] = models;
  const research = others.find(({ id }) => id === "deep-research");
  expect(auto).toMatchObject({ id: "auto", name: "Auto", pricing: null, isAvailable: true, isPro: false });
  expect(research).toMatchObject({ id: "deep-research", name: "Deep Research", pricing: null, isAvailable: false });
  expect(others.length).toBeGreaterThanOrEqual(60);
  expect(others.map(({ id }) => id)).toEqual(others.toSorted(compareModels).map(({ id }) => id));
  expect(models.some(({ id }) => id === "openrouter/auto" || id === "42")).toBe(false);
  expect(stale).toBe(false);
});

test("GET /api/models keeps raw names and marks Pro and turbo models by the deployment's globs", async () => {
  const { models } = await visitor().take(listModels, {});
  const opus = models.find(({ id }) => id.startsWith("anthropic/claude-opus-"));
  expect(opus).toMatchObject({ isPro: true, provider: "Anthropic", providerId: "anthropic", icon: "anthropic" });
  // Each has its vendor's monogram, pseudo-models too.
  expect(models.filter(({ icon }) => !icon)).toEqual([]);
  expect(opus?.name).toMatch(/^Anthropic: Claude Opus/);
  expect(models.find(({ id }) => id.includes("-haiku"))).toMatchObject({ isTurbo: true, isPro: false });
});

test("GET /api/models shows a visitor which models need signing in, and an account that all are there", async () => {
  const { models } = await visitor().take(listModels, {});
  const costs = models.flatMap((model) => (model.pricing ? [{ sum: (model.pricing.prompt + model.pricing.completion) * 1e6, model }] : []));
  expect(costs.filter(({ sum, model }) => model.isAvailable !== sum < 2.000001)).toEqual([]);
  expect(costs.some(({ model }) => !model.isAvailable)).toBe(true);
  const signedIn = await (await signIn()).take(listModels, {});
  expect(signedIn.models.every(({ isAvailable }) => isAvailable)).toBe(true);
});

test("the list is asked for once by requests that come together, and not again for five minutes", async () => {
  const { env: own, state } = aggregator([ROUTER, cheap]);
  await Promise.all([loadCatalogue(own), loadCatalogue(own), loadCatalogue(own)]);
  await loadCatalogue(own);
  expect(state.asked).toBe(1);
});

test("the list is the aggregator's own where the cache fails, which is reported as a warning", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((line: string) => void lines.push(line));
  const broken = () => Promise.reject(new Error("The cache is away"));
  vi.spyOn(caches.default, "match").mockImplementation(broken);
  vi.spyOn(caches.default, "put").mockImplementation(broken);
  const { env: own, state } = aggregator([ROUTER, cheap]);
  expect((await loadCatalogue(own)).entries.map(({ aggregatorId }) => aggregatorId)).toContain(cheap.id);
  expect(state.asked).toBe(1);
  expect(lines.filter((line) => line.includes("the cache"))).toHaveLength(2);
});

test("the list is asked for again after five minutes", async () => {
  const { env: own, state } = aggregator([ROUTER, cheap]);
  await loadCatalogue(own);
  vi.setSystemTime(Date.now() + MODEL_LIST_CACHE_MS + 1);
  expect(await loadCatalogue(own)).toMatchObject({ stale: false });
  expect(state.asked).toBe(2);
});

test("the list is served stale while the aggregator is down, and fresh once it is back", async () => {
  const { env: own, state } = aggregator([ROUTER, cheap]);
  await loadCatalogue(own);
  state.down = true;
  vi.setSystemTime(Date.now() + MODEL_LIST_CACHE_MS + 1);
  const stale = await loadCatalogue(own);
  expect(stale).toMatchObject({ stale: true });
  expect(stale.entries.map(({ model }) => model.id)).toEqual(["auto", "a/cheap"]);
  state.down = false;
  vi.setSystemTime(Date.now() + MODEL_LIST_CACHE_MS);
  expect(await loadCatalogue(own)).toMatchObject({ stale: false });
});

test("the list does not trouble an aggregator that has just failed", async () => {
  const { env: own, state } = aggregator([ROUTER, cheap]);
  await loadCatalogue(own);
  state.down = true;
  vi.setSystemTime(Date.now() + MODEL_LIST_CACHE_MS + 1);
  await loadCatalogue(own);
  await loadCatalogue(own);
  expect(state.asked).toBe(2);
});

test("the list fails as AGGREGATOR_UNAVAILABLE when there never was one, and is there as soon as the aggregator is", async () => {
  const { env: own, state } = aggregator([cheap]);
  state.down = true;
  await expect(loadCatalogue(own)).rejects.toMatchObject({ code: "AGGREGATOR_UNAVAILABLE", status: 503 });
  state.down = false;
  expect((await loadCatalogue(own)).entries).toHaveLength(2);
});

test("the list of nothing but malformed rows is a failure, not an empty list", async () => {
  const { env: own } = aggregator([{ id: 42 }, "nonsense"]);
  await expect(loadCatalogue(own)).rejects.toMatchObject({ code: "AGGREGATOR_UNAVAILABLE" });
});

test("the list of another server than OpenRouter may be a bare array, and name ids and context lengths otherwise", async () => {
  const { env: own } = aggregator(
    [
      { id: "vllm", max_model_len: 32_768 },
      { model_id: "studio", max_context_length: 16_384 },
      { id: "groq", context_window: 131_072, context_length: null },
      { model_id: "" },
      { id: "odd", context_window: "large" },
    ],
    { isBare: true },
  );
  const { entries } = await loadCatalogue(own);
  expect(entries.slice(1).map(({ model, aggregatorId }) => [aggregatorId, model.context_length])).toEqual([
    ["groq", 131_072],
    ["odd", null],
    ["studio", 16_384],
    ["vllm", 32_768],
  ]);
});

test.each([
  ["text-embedding-3-small"],
  ["nomic-embed-text:latest"],
  ["mxbai-embed-large"],
  ["dall-e-3"],
  ["gpt-image-1"],
  ["gpt-4o-mini-tts"],
  ["whisper-large-v3-turbo"],
  ["gpt-4o-transcribe"],
  ["omni-moderation-latest"],
  ["llama-guard3:8b"],
  ["meta-llama/Llama-Guard-4-12B"],
  ["LlamaGuard-7b"],
  ["granite3-guardian:8b"],
  ["shieldgemma:9b"],
  ["openai/gpt-oss-safeguard-20b"],
  ["bge-reranker-v2"],
])("the list of another server than OpenRouter offers %s for no chat", (id) => {
  expect(isOffered({ id }, "2026-11-22")).toBe(false);
});

test.each([["qwen3:8b"], ["vanguard-7b"], ["imaginative-7b"], ["llava:13b"], ["mistral-small-latest"]])(
  "the list of another server than OpenRouter offers %s",
  (id) => {
    expect(isOffered({ id }, "2026-11-22")).toBe(true);
  },
);

test("the list of another server than OpenRouter is believed about what its models write, but for guards", () => {
  const architecture = { output_modalities: ["image", "text"] };
  expect(isOffered({ id: "google/gemini-3-flash-image", architecture }, "2026-11-22")).toBe(true);
  expect(isOffered({ id: "meta-llama/llama-guard-4-12b", architecture }, "2026-11-22")).toBe(false);
});

describe("a model's derivation", () => {
  const derive = (row: Parameters<typeof deriveModel>[0]) => deriveModel(row, MARKS).model;

  test("a model's derivation knows files by image or file input, and vision by image alone", () => {
    expect(derive({ id: "a/b", architecture: { input_modalities: ["text", "image"] } })).toMatchObject({
      features: ["file-upload", "tool-use"],
      vision: true,
    });
    expect(derive({ id: "a/b", architecture: { input_modalities: ["file"] }, supported_parameters: [] })).toMatchObject({
      features: ["file-upload"],
      vision: false,
    });
  });

  test("a model's derivation knows tools by the supported parameters, and without them assumes them but by the names", () => {
    expect(derive({ id: "a/b", supported_parameters: ["tools"] }).tools).toBe(true);
    expect(derive({ id: "a/b", supported_parameters: ["temperature"] }).tools).toBe(false);
    expect(derive({ id: "llama3:8b" }).tools).toBe(true);
    expect(derive({ id: "text-embedding-3" }).tools).toBe(false);
  });

  test("a model's derivation knows reasoning by name, description or supported parameters", () => {
    expect(derive({ id: "a/b", name: "Qwen Thinking", supported_parameters: [] }).reasoning).toBe(true);
    expect(derive({ id: "a/b", description: "Strong at Reasoning.", supported_parameters: [] }).reasoning).toBe(true);
    expect(derive({ id: "a/b", supported_parameters: ["reasoning"] }).reasoning).toBe(true);
    expect(derive({ id: "a/b", supported_parameters: ["tools"] }).reasoning).toBe(false);
  });

  test("a model's derivation has prices a token, none where they vary or are absent", () => {
    expect(derive({ id: "a/b", pricing: { prompt: "0.000003", completion: 0.000015 } }).pricing).toEqual({
      prompt: 0.000003,
      completion: 0.000015,
    });
    expect(derive({ ...ROUTER }).pricing).toBeNull();
    expect(derive({ id: "a/b" }).pricing).toBeNull();
  });

  test.each([
    ["openai/gpt-5", "openai"],
    ["mistralai/mistral-large", "mistral"],
    ["x-ai/grok-4", "xai"],
    ["meta-llama/llama-4", "meta"],
    ["google/gemini-3-pro", "google"],
    ["cohere/command-a", "cohere"],
    ["gemini-3-pro", "gemini"],
    ["claude-sonnet-4.6", "claude"],
    ["grok-4", "grok"],
    ["qwen3:8b", "ollama"],
  ])("a model's derivation says of %s that its provider is %s", (id, providerId) => {
    expect(derive({ id }).providerId).toBe(providerId);
    expect(derive({ id }).icon).toBe(id.includes("/") ? id.split("/")[0] : providerId);
  });

  test("a model's derivation matches globs whole, in any case, with every other sign literal", () => {
    const matches = globMatcher(" openai/o1-pro , *:NITRO,,a.b/*");
    expect(["openai/o1-pro", "x/y:nitro", "a.b/c"].filter(matches)).toHaveLength(3);
    expect(["openai/o1-pro-mini", "axb/c", "nitro"].some(matches)).toBe(false);
    expect(globMatcher(undefined)("anything")).toBe(false);
  });
});

describe("the catalogue", () => {
  const ids = (rows: Parameters<typeof buildCatalogue>[0]) => buildCatalogue(rows, {}, "2026-11-20").entries.map(({ model }) => model.id);

  test("the catalogue hides models past their last day and those that write no text", () => {
    const rows = [
      cheap,
      { ...cheap, id: "a/today", expiration_date: "2026-11-20" },
      { ...cheap, id: "a/gone", expiration_date: "2026-11-19" },
      { ...cheap, id: "a/embedding", architecture: { output_modalities: ["embeddings"] } },
    ];
    expect(ids(rows)).toEqual(["auto", "a/cheap", "a/today"]);
  });

  test("the catalogue of a plain OpenAI-compatible server has 'Auto' and its models, with the fields it lacks absent", () => {
    const { entries, hasPrices } = buildCatalogue([{ id: "llama3:8b", owned_by: "library", description: "Small." }], {}, "2026-11-20");
    expect(entries[1]?.model).toMatchObject({ name: "llama3:8b", pricing: null, context_length: null, provider: "Meta" });
    expect(entries[0]?.model).toMatchObject({ id: "auto", description: "Picks a model for each message." });
    expect(hasPrices).toBe(false);
  });

  test("the catalogue is empty when the aggregator has nothing", () => {
    expect(ids([])).toEqual([]);
  });
});

test("the title model is TITLE_MODEL where that is set", async () => {
  expect(await titleModel(deploymentWith({ TITLE_MODEL: "x/titles" }))).toBe("x/titles");
});

test("the title model is else the cheapest of sound size that does not think first", () => {
  const row = (id: string, dollars: number, more = {}) => ({
    ...cheap,
    id,
    name: id,
    supported_parameters: [],
    pricing: { prompt: String(dollars / 2e6), completion: String(dollars / 2e6) },
    ...more,
  });
  const rows = [
    row("a/free", 0),
    row("a/tiny", 0.02),
    row("a/fair", 0.5),
    row("a/big", 9),
    row("a/think", 0.3, { supported_parameters: ["reasoning"] }),
    row("a/short", 0.2, { context_length: 4096 }),
  ];
  expect(pickTitleModel(buildCatalogue(rows, {}, "2026-11-20").entries)).toBe("a/fair");
});

test("the title model is some model even where none is sound, and none without a catalogue", () => {
  expect(pickTitleModel(buildCatalogue([{ id: "llama3:8b" }], {}, "2026-11-20").entries)).toBe("llama3:8b");
  expect(pickTitleModel([])).toBeNull();
});

test("the prices of the guests' rule come from the rows", () => {
  expect(buildCatalogue([cheap, dear], {}, "2026-11-20").hasPrices).toBe(true);
});
